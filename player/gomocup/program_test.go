// SPDX-License-Identifier: Apache-2.0

//go:build unix

package gomocup_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/clock"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/gomocup"
	"github.com/krow-lab/krow/player/opening"
	"github.com/krow-lab/krow/search"
)

// program returns a player that is a brain of this kind.
func program(t *testing.T, g game.Game, kind string, o gomocup.Options) *gomocup.Program {
	t.Helper()
	var err error
	if o.Path, err = os.Executable(); err != nil {
		t.Fatal(err)
	}
	o.Args = []string{"brain", kind}
	if o.Start == 0 {
		o.Start = patience // a busy machine has been seen to take more than half a minute to start a process
	}
	p, err := gomocup.NewProgram(g, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

func newGame(t *testing.T, spec string) game.Game {
	t.Helper()
	g, err := krow.Game(spec)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Programs play whole games of the family as the players that they are play them: the same moves, by the rules.
func TestProgramPlaysAsItsPlayer(t *testing.T) {
	for _, spec := range []string{"gomoku:9", "standard:8", "renju:7", "caro:8", "mnk:7,9,5"} {
		t.Run(spec, func(t *testing.T) {
			const kind = "greedy"
			g := newGame(t, spec)
			first := program(t, g, "player="+kind, gomocup.Options{Turn: patience})
			second, err := krow.Player(g, "random", 3)
			if err != nil {
				t.Fatal(err)
			}
			same, err := krow.Player(g, kind, 1)
			if err != nil {
				t.Fatal(err)
			}
			p := g.Start()
			for p.Outcome() == game.Ongoing {
				pl := player.Player(second)
				if p.Turn() == game.First {
					pl = first
				}
				m, err := pl.Move(t.Context(), p, search.Limits{})
				if err != nil {
					t.Fatalf("ply %d: %v", p.Ply(), err)
				}
				if p.Turn() == game.First {
					if want, err := same.Move(t.Context(), p, search.Limits{}); err != nil || m != want {
						t.Fatalf("ply %d: the program plays %s, and its player %s, %v", p.Ply(), g.Format(m), g.Format(want), err)
					}
				}
				if err := game.Play(p, m); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// A program in a game with clocks is told its clock, whatever its own options say.
func TestProgramClock(t *testing.T) {
	g := newGame(t, "gomoku:9")
	for want, control := range map[string]clock.Control{
		"_match 60000, _increment 1500, _turn 2147483647, _left 41000": {Match: time.Minute, Increment: 1500 * time.Millisecond},
		"_match 60000, _turn 5000, _left 41000":                        {Match: time.Minute, Turn: 5 * time.Second},
	} {
		p := program(t, g, "clerk", gomocup.Options{Turn: time.Second, Match: time.Hour, Margin: patience})
		c := clock.New(control)
		p.SetClock(*c)
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		c.Set(41 * time.Second)
		p.SetClock(*c)
		// The brain answers with what it was told.
		if _, err := p.Move(t.Context(), g.Start(), search.Limits{Time: 41 * time.Second}); err == nil || !strings.Contains(err.Error(), strconv.Quote(want)) {
			t.Errorf("%+v: %v, want %q", control, err, want)
		}
	}
}

// Positions that do not follow from the last one are told as a board, with and without a past.
func TestProgramJumps(t *testing.T) {
	g := newGame(t, "gomoku:9")
	p := program(t, g, "player=greedy", gomocup.Options{Turn: patience})
	same, err := krow.Player(g, "greedy", 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range []string{"", "a1 b1", "e5", "e5 e6 d5 d6 c5 c6", "/", "e5 d5 c5/e6 d6", "e5 d5/e6 d6", "a1 a2 a3/"} {
		pos := g.Start()
		if strings.Contains(text, "/") {
			turn := "first"
			if i%2 == 1 || i == 7 {
				turn = "second"
			}
			pos, err = notation.ParseStones(g, text, notation.StonesOptions{Turn: turn})
		} else {
			err = notation.Play(pos, text)
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Move(t.Context(), pos, search.Limits{Nodes: 50, Depth: 2})
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if want, err := same.Move(t.Context(), pos, search.Limits{}); err != nil || got != want {
			t.Errorf("%q: the program plays %s, and its player %s, %v", text, g.Format(got), g.Format(want), err)
		}
	}
}

// A program that misbehaves forfeits with one line that says how.
func TestProgramMisbehaves(t *testing.T) {
	tests := []struct {
		kind, moves string
		is          error
		want        string
	}{
		{"refuses", "", nil, `"START 15" answered "ERROR no such board"; last lines: .*$`},
		{"stillborn", "", player.ErrCrashed, `engine stopped: exit status 7; stderr: no licence found; last lines: > START 15$`},
		{"mute", "", player.ErrTimeout, `out of time after 150ms; last lines: > START 15$`},
		{"silent", "", player.ErrTimeout, `out of time after 150ms; last lines: .* \| > BEGIN$`},
		{"silent", "a1", player.ErrTimeout, `out of time after 150ms; last lines: .* \| > TURN 0,14$`},
		{"crash", "", player.ErrCrashed, `engine stopped: exit status 3; stderr: first words panic: index out of range; last lines: .* \| > BEGIN \| < MESSAGE thinking hard$`},
		{"vanish", "", player.ErrCrashed, `engine stopped: exit status 0; last lines: .* > BEGIN$`},
		{"garbage", "", nil, `answered "\?\?\?!", which is not a move; last lines: .*$`},
		{"half", "", nil, `answered "7,", which is not a move; last lines: .*$`},
		{"error", "", player.ErrTimeout, `out of time after .*; last lines: .* > BEGIN \| < ERROR I cannot$`},
		{"unknown", "", nil, `refused the request: "UNKNOWN command"; last lines: .* > BEGIN \| < UNKNOWN command$`},
		{"huge", "", nil, `answered "99999999999999999999,0", which is not a move; last lines: .*$`},
		{"long", "", nil, `answered "\(a line that is too long\)", which is not a move; last lines: .*$`},
		{"off", "", nil, `illegal move 99,-1 at ply 1: 99,-1 is not on the board; last lines: .*$`},
		{"taken", "a15", nil, `illegal move a15 at ply 2: the cell is taken; last lines: .*$`},
	}
	g := newGame(t, "gomoku")
	for _, tc := range tests {
		t.Run(tc.kind+"/"+tc.moves, func(t *testing.T) {
			o := gomocup.Options{Turn: patience, Margin: patience}
			if tc.is == player.ErrTimeout {
				o.Turn, o.Margin, o.Start = 150*time.Millisecond, 10*time.Millisecond, patience
			}
			if tc.kind == "mute" {
				o.Start = 150 * time.Millisecond
			}
			pos := g.Start()
			if err := notation.Play(pos, tc.moves); err != nil {
				t.Fatal(err)
			}
			p := program(t, g, tc.kind, o)
			_, err := p.Move(t.Context(), pos, search.Limits{})
			// What the program says before its time is up may come later than that on a busy machine.
			for o.Turn *= 2; tc.kind == "error" && !strings.Contains(fmt.Sprint(err), "ERROR") && o.Turn < patience; o.Turn *= 2 {
				p = program(t, g, tc.kind, o)
				_, err = p.Move(t.Context(), pos, search.Limits{})
			}
			if err == nil || !regexp.MustCompile(tc.want).MatchString(err.Error()) || strings.Contains(err.Error(), "\n") {
				t.Errorf("Move: %v, want %s", err, tc.want)
			}
			if tc.is != nil && !errors.Is(err, tc.is) {
				t.Errorf("Move: %v, which is no %v", err, tc.is)
			}
			if _, again := p.Move(t.Context(), pos, search.Limits{}); again == nil || again.Error() != err.Error() {
				t.Errorf("asked again: %v, want the same", again)
			}
		})
	}
}

// What is odd but within the protocol is understood.
func TestProgramIsPatient(t *testing.T) {
	g := newGame(t, "gomoku")
	for kind, want := range map[string]string{"flood": "b14", "suggests": "c13", "taken": "a15"} {
		p := program(t, g, kind, gomocup.Options{Turn: patience})
		m, err := p.Move(t.Context(), g.Start(), search.Limits{})
		if err != nil || g.Format(m) != want {
			t.Errorf("%s: %v, %v, want %s", kind, m, err, want)
		}
		p.Close()
	}
}

// Neither a brain that does not read, nor one that does not end, nor one with children is left behind, whether it
// errs, is interrupted, or is closed.
func TestProgramLeavesNothing(t *testing.T) {
	g := newGame(t, "mnk:100,100,5")
	big, err := notation.ParseStones(g, "/", notation.StonesOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := program(t, g, "deaf", gomocup.Options{Start: 50 * time.Millisecond}).Move(t.Context(), big, search.Limits{}); !errors.Is(err, player.ErrTimeout) {
		t.Errorf("deaf: %v, want %v", err, player.ErrTimeout)
	}
	g = newGame(t, "gomoku")
	p := program(t, g, "immortal", gomocup.Options{Turn: patience})
	if _, err := p.Move(t.Context(), g.Start(), search.Limits{}); err != nil {
		t.Errorf("immortal: %v", err)
	}
	p.Close()
	if _, err := p.Move(t.Context(), g.Start(), search.Limits{}); err == nil {
		t.Error("a closed program moves")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p = program(t, g, "silent", gomocup.Options{Turn: patience, Margin: 10 * time.Millisecond})
	if _, err := p.Move(ctx, g.Start(), search.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v, want %v", err, context.Canceled)
	}
}

// The children of a brain are killed with it.
func TestProgramChildren(t *testing.T) {
	g := newGame(t, "gomoku")
	var found []string
	var err error
	// On a busy machine the child takes its time to start; the brain never moves.
	for turn := 300 * time.Millisecond; found == nil && turn < patience; turn *= 4 {
		p := program(t, g, "parent", gomocup.Options{Turn: turn})
		if _, err = p.Move(t.Context(), g.Start(), search.Limits{}); err == nil {
			t.Fatal("no error")
		}
		found = regexp.MustCompile(`MESSAGE child (\d+)`).FindStringSubmatch(err.Error())
	}
	if found == nil {
		t.Fatalf("the child did not start: %v", err)
	}
	pid, err := strconv.Atoi(found[1])
	if err != nil {
		t.Fatal(err)
	}
	// It is nobody's to wait for, so its number may stay for a moment.
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		state, err := os.ReadFile("/proc/" + found[1] + "/stat")
		if err != nil || strings.Contains(string(state), ") Z ") {
			return
		}
	}
	syscall.Kill(pid, syscall.SIGKILL)
	t.Errorf("the child %d is still there", pid)
}

// Games that the protocol cannot say are refused, and programs that are not there are an error of the first move.
func TestNewProgram(t *testing.T) {
	for _, spec := range []string{"pente", "connect6", "ultimate", "atarigo"} {
		if _, err := gomocup.NewProgram(newGame(t, spec), gomocup.Options{Path: "x"}); err == nil || !strings.Contains(err.Error(), "cannot be played through the Gomocup protocol") {
			t.Errorf("%s: %v, want that it cannot be played", spec, err)
		}
	}
	g := newGame(t, "gomoku")
	p, err := gomocup.NewProgram(g, gomocup.Options{Path: "/no/such/program"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Move(t.Context(), g.Start(), search.Limits{}); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("Move: %v, want that there is no such file", err)
	}
	p.Close()
}

// A program answers swap2 as the player that it is would, and plays on from there; one that does not know the rule errs.
func TestProgramSwap2(t *testing.T) {
	g := newGame(t, "gomoku:9")
	p := program(t, g, "player=greedy", gomocup.Options{Turn: patience})
	same, err := krow.Player(g, "greedy", 1)
	if err != nil {
		t.Fatal(err)
	}
	direct := opening.Swapper{Analyze: opening.By(same.(player.Analyst)), Seed: 1}
	for _, moves := range []string{"", "e5 d5 c5", "a1 b1 c1", "e5 d5 c5 f5 g7", "a1 e5 i9 e4 e6"} {
		b := g.Start().(game.Board)
		if err := notation.Play(b, moves); err != nil {
			t.Fatal(err)
		}
		got, err := p.Swap2(t.Context(), b, search.Limits{Nodes: 1000})
		if err != nil {
			t.Fatalf("%q: %v", moves, err)
		}
		want, err := direct.Swap2(t.Context(), b, search.Limits{Nodes: 1000})
		if err != nil || got.Swap != want.Swap || !slices.Equal(got.Moves, want.Moves) {
			t.Errorf("%q: the program answers %+v, and its player %+v, %v", moves, got, want, err)
		}
		if err := notation.Play(b, "i1"); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Move(t.Context(), b, search.Limits{}); err != nil {
			t.Errorf("%q: the move after it: %v", moves, err)
		}
	}
	b := g.Start().(game.Board)
	for kind, want := range map[string]string{"garbage": "answered .*neither SWAP nor moves", "off": "illegal move 99,-1 at ply 1", "crash": "engine stopped"} {
		_, err := program(t, g, kind, gomocup.Options{Turn: patience}).Swap2(t.Context(), b, search.Limits{})
		if err == nil || !regexp.MustCompile(want).MatchString(err.Error()) {
			t.Errorf("%s: %v, want %s", kind, err, want)
		}
	}
	if err := notation.Play(b, "a1 b2 c3"); err != nil {
		t.Fatal(err)
	}
	if a, err := program(t, g, "whose", gomocup.Options{Turn: patience}).Swap2(t.Context(), b, search.Limits{}); err != nil || !a.Swap {
		t.Errorf("one that must know whose the stones are: %+v, %v", a, err)
	}
}
