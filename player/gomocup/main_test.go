// SPDX-License-Identifier: Apache-2.0

package gomocup_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/gomocup"
	"github.com/krow-lab/krow/search"
)

// The test binary is also the brains that the tests play against: "brain KIND" in its arguments.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "brain" {
		os.Exit(brain(os.Args[2]))
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // or each brain sleeps for a second as it ends
	goleak.VerifyTestMain(m)
}

// brain is a brain of some kind; all but the first few do not keep the protocol.
func brain(kind string) int {
	if spec, ok := strings.CutPrefix(kind, "player="); ok {
		if krow.Brain(spec, "test", 1).Run(context.Background(), os.Stdin, os.Stdout) != nil {
			return 1
		}
		return 0
	}
	if kind == "deaf" {
		time.Sleep(time.Hour)
	}
	in := bufio.NewScanner(os.Stdin)
	var times []string // that INFO has told
	hurry := false     // it has told that half a second is left
	for in.Scan() {
		word, rest, _ := strings.Cut(in.Text(), " ")
		hurry = hurry || rest == "time_left 500"
		if about, is := strings.CutPrefix(rest, "time"); kind == "clerk" && is {
			times = append(times, strings.TrimPrefix(about, "out"))
		} else if kind == "clerk" && word == "BEGIN" {
			fmt.Println(strings.Join(times, ", "))
			continue
		}
		switch word {
		case "START", "RECTSTART":
			if status, over := opened(kind); over {
				return status
			}
		case "BEGIN", "TURN", "DONE":
			if kind == "hurried" && !hurry {
				fmt.Println("0,0")
				continue
			}
			if status, over := asked(kind); over {
				return status
			}
		case "ABOUT":
			fmt.Println(`name="misbehaving"`)
		case "PLAY":
			fmt.Println(rest)
		case "SWAP2BOARD":
			swap2(kind, in)
		case "RESTART", "TAKEBACK":
			fmt.Println("UNKNOWN")
		case "END":
			if kind == "immortal" {
				time.Sleep(time.Hour)
			}
			return 0
		default:
			if word != "INFO" && word != "BOARD" && !strings.Contains(word, ",") {
				fmt.Println("UNKNOWN")
			}
		}
	}
	return 0
}

// swap2 answers SWAP2BOARD. The kind "whose" passes over stones of which nobody says whose they are.
func swap2(kind string, in *bufio.Scanner) {
	stones := 0
	for in.Scan() && in.Text() != "DONE" {
		if kind == "whose" && strings.Count(in.Text(), ",") != 2 {
			fmt.Println("ERROR whose stone is it?")
			continue
		}
		stones++
	}
	switch {
	case kind == "garbage":
		fmt.Println("ROTATE")
	case kind == "off":
		fmt.Println("99,-1")
	case kind == "crash":
		os.Exit(3)
	case stones == 0:
		fmt.Println("0,0 1,1 2,2")
	default:
		fmt.Println("SWAP")
	}
}

func opened(kind string) (status int, over bool) {
	switch kind {
	case "refuses":
		fmt.Print("MESSAGE hello\rERROR no such board\r\n")
	case "stillborn":
		fmt.Fprintln(os.Stderr, "no licence found")
		return 7, true
	case "mute":
	default:
		fmt.Print("MESSAGE hello\rOK - ready\r\n")
	}
	return 0, false
}

func asked(kind string) (status int, over bool) {
	switch kind {
	case "silent", "mute", "hurried":
	case "parent":
		// A child that outlives its parent, unless the whole group is killed.
		cmd := exec.Command(os.Args[0], "brain", "deaf")
		cmd.Stdout = os.Stdout
		if cmd.Start() != nil {
			return 9, true
		}
		fmt.Printf("MESSAGE child %d\n", cmd.Process.Pid)
	case "crash":
		fmt.Println("MESSAGE thinking hard")
		fmt.Fprintln(os.Stderr, "first words\npanic: index out of range")
		return 3, true
	case "vanish":
		return 0, true
	case "garbage":
		fmt.Println("\x00\xff?!")
	case "half":
		fmt.Print("7,")
		return 0, true
	case "error":
		fmt.Println("ERROR I cannot")
	case "unknown":
		fmt.Println("UNKNOWN command")
	case "off":
		fmt.Println("99,-1")
	case "huge":
		fmt.Println("99999999999999999999,0")
	case "taken", "immortal":
		fmt.Println("0,0")
	case "long":
		fmt.Println(strings.Repeat("x", 1<<20))
	case "flood":
		for range 100_000 {
			fmt.Println("MESSAGE", strings.Repeat("y", 100))
		}
		fmt.Println("1,1")
	case "suggests":
		fmt.Println("DEBUG well")
		fmt.Println("SUGGEST 2,2")
	}
	return 0, false
}

// lowest plays the first move that no rule forbids, and says what it was asked.
type lowest struct{ asked chan<- search.Limits }

func (lowest) Name() string { return "lowest" }

func (l lowest) Move(_ context.Context, p game.Position, lim search.Limits) (game.Move, error) {
	if l.asked != nil {
		l.asked <- lim
	}
	return game.AppendSound(nil, p)[0], nil
}

// newLowest makes players for a Brain.
func newLowest(game.Game, gomocup.Settings) (player.Player, error) { return lowest{}, nil }
