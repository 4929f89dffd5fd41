// SPDX-License-Identifier: Apache-2.0

package ugi_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/ugi"
	"github.com/krow-lab/krow/search"
)

// patience is a time for what takes some milliseconds, on a machine however slow.
const patience = time.Hour

// The test binary is also the engines that the tests play against: "engine KIND" in its arguments.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "engine" {
		engine(os.Args[2])
		return
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // or each engine sleeps for a second as it ends
	goleak.VerifyTestMain(m)
}

// engine is an engine of some kind; all but the first do not keep the protocol.
func engine(kind string) {
	if spec, ok := strings.CutPrefix(kind, "player="); ok {
		_ = krow.Engine("gomoku", spec, "test", 1).Run(context.Background(), os.Stdin, os.Stdout)
		return
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		word, _, _ := strings.Cut(in.Text(), " ")
		switch {
		case kind == "deaf":
			time.Sleep(patience)
		case word == "ugi" && kind == "choosy":
			fmt.Println("option name Game type string default x\nugiok")
		case word == "ugi":
			fmt.Println("ugiok")
		case word == "isready" && kind == "choosy":
			fmt.Println("info string error: no such game\nreadyok")
		case word == "isready":
			fmt.Println("readyok")
		case word == "go" && kind == "silent":
			time.Sleep(patience)
		case word == "go" && kind == "crash":
			fmt.Fprintln(os.Stderr, "out of cheese")
			os.Exit(3)
		case word == "go" && kind == "wrong":
			fmt.Println("bestmove z99")
		case word == "go" && kind == "flood":
			for {
				fmt.Println(strings.Repeat("x", 1<<20))
			}
		case word == "go" && kind == "liar":
			fmt.Println("info depth x score mate 99999999999 nodes -3 time -1 pv q9\ninfo depth 7 score cp -50 pv a1 a1\nbestmove a1")
		}
	}
}

func gameOf(t testing.TB, spec string) game.Game {
	t.Helper()
	g, err := krow.Game(spec)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func program(t testing.TB, g game.Game, kind string, o ugi.Options) *ugi.Program {
	t.Helper()
	o.Path, o.Args = os.Args[0], []string{"engine", kind}
	if o.Start == 0 {
		o.Start = patience
	}
	p := ugi.NewProgram(g, o)
	t.Cleanup(func() { p.Close() })
	return p
}

// talk returns what the engine says to lines. A line "wait" waits for a move.
func talk(t *testing.T, lines string) string {
	t.Helper()
	in, send := io.Pipe()
	receive, out := io.Pipe()
	done := make(chan error)
	go func() {
		err := krow.Engine("tictactoe", "minimax", "test", 1).Run(t.Context(), in, out)
		out.Close()
		done <- err
	}()
	moved, said := make(chan struct{}, 100), &strings.Builder{}
	heard := make(chan struct{})
	go func() {
		defer close(heard)
		for s := bufio.NewScanner(receive); s.Scan(); {
			if !strings.HasPrefix(s.Text(), "info depth") {
				fmt.Fprintln(said, s.Text())
			}
			if strings.HasPrefix(s.Text(), "bestmove") {
				moved <- struct{}{}
			}
		}
	}()
	for line := range strings.SplitSeq(lines, "\n") {
		if line == "wait" {
			<-moved
			continue
		}
		fmt.Fprintln(send, line)
	}
	send.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
	<-heard
	return strings.TrimSuffix(said.String(), "\n")
}

const introduction = `id name krow test
id author the krow authors
option name Game type string default tictactoe
option name Player type string default minimax
option name Hash type spin default 0 min 0 max 1048576
option name Threads type spin default 0 min 0 max 1024
option name MultiPV type spin default 1 min 1 max 256
ugiok`

func TestEngine(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"ugi", "ugi\nisready", introduction + "\nreadyok"},
		{"a win at once", "position startpos moves a1 a2 b1 b2\nquery p1turn\nquery gameover\nquery result\ngo depth 9\nwait\nposition startpos moves a1 a2 b1 b2 c1\nquery gameover\nquery result", `response true
response false
response none
bestmove c1
response true
response p1win`},
		{"fen", "position fen 3/oo1/xx1 x 4 moves c3\nquery p1turn\ngo nodes 100000\nwait", "response false\nbestmove c2"},
		{"draw", "position startpos moves b2 a1 a2 c2 c1 a3 b3 b1 c3\nquery result\ngo\nwait", "response draw\ninfo string error: the game is over\nbestmove 0000"},
		{"another game", "setoption name Game value mnk:1,4,2\nsetoption name Player value greedy\nposition startpos moves a4\ngo\nwait", "bestmove a3"},
		{"clock", "position startpos moves a1 a2 b1 b2\ngo p1time 60000 p2time 1 p1inc 0 p2inc 0\nwait", "bestmove c1"},
		// In this order cutegames, the referee of the protocol's author, asks; as its source of 2024-10-16 has it.
		{
			"cutegames", "ugi\nsetoption name Hash value 1\nisready\nuginewgame\nposition startpos\nquery p1turn\nposition startpos\nquery gameover\n" +
				"position startpos moves b2 a1\ngo p1time 1000 p2time 1000 p1inc 10 p2inc 10\nwait\nposition startpos moves b2 a1 a2 c2 c1\nquery result\nquit",
			introduction + "\nreadyok\nresponse true\nresponse false\nbestmove b1\nresponse none",
		},
		{"infinite", "position startpos moves a1 a2 b1 b2\ngo infinite\ngo\nisready\nstop\nwait\nstop", "info string error: a search is running: send stop first\nreadyok\nbestmove c1"},
		{"the end of the input ends a search", "setoption name Game value gomoku\nsetoption name Player value mcts\nposition startpos moves h8\ngo infinite\nquit", ""},
		{"nonsense", strings.Join([]string{
			"", "Bonjour \x01", "position", "position fen", "position fen 3/3/3 x", "position startpos moves a1 a1", "position startpos moves q",
			"query", "query why", "setoption", "setoption name Hash value -1", "setoption name Hash value 1e3", "setoption name Why value 1",
			"setoption name Game value chess", "setoption name MultiPV value 0", "go depth", "wait", "go depth x", "wait", "go why 3", "wait", "query p1turn",
		}, "\n"), `info string error: unknown command "Bonjour ?"
info string error: write position startpos or position fen FEN, and then moves MOVES
info string error: a position must be the rows, x or o to move, and the number of plies, not ""
info string error: a position must be the rows, x or o to move, and the number of plies, not "3/3/3 x"
info string error: move "a1": illegal move a1 at ply 2: the cell is taken
info string error: move "q": "q" is not a cell of this board
info string error: unknown question ""
info string error: unknown question "why"
info string error: write setoption name NAME value VALUE
info string error: Hash must be an integer from 0 to 1048576, not "-1"
info string error: Hash must be an integer from 0 to 1048576, not "1e3"
info string error: unknown option "Why"
info string error: unknown game "chess"
info string error: MultiPV must be an integer from 1 to 256, not "0"
info string error: "depth" needs an integer
bestmove 0000
info string error: "depth" needs an integer
bestmove 0000
info string error: go: unknown word "why"
bestmove 0000
response true`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := talk(t, tc.in)
			if tc.name == "the end of the input ends a search" {
				if !strings.HasPrefix(got, "bestmove ") {
					t.Errorf("it says %q", got)
				}
				return
			}
			if got != tc.want {
				t.Errorf("it says\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

// TestMatchOverUGIHasSameGames: a match over UGI has the games of the match without it, in every game.
func TestMatchOverUGIHasSameGames(t *testing.T) {
	for _, spec := range []string{"tictactoe", "gomoku:9", "renju:9", "connect4", "pente:9", "connect6:9", "atarigo:5", "ultimate", "mnk:1,6,3"} {
		t.Run(spec, func(t *testing.T) {
			t.Parallel()
			g := gameOf(t, spec)
			direct := func(uint64) (player.Player, error) { return krow.Player(g, "alphabeta:depth=1", 1) }
			over := func(uint64) (player.Player, error) {
				return program(t, g, "player=alphabeta:depth=1", ugi.Options{Turn: patience}), nil
			}
			play := func(first func(uint64) (player.Player, error)) (games []string) {
				m := arena.Match{
					Game: g, Games: 4, Seed: 1, Jobs: 1, RandomPlies: 2,
					A: arena.Factory{Name: "a", New: first}, B: arena.Factory{Name: "b", New: direct},
				}
				m.OnGame = func(r record.Game) error {
					games = append(games, notation.FormatMoves(g, r.Moves)+" "+r.Reason)
					return nil
				}
				if _, err := m.Run(t.Context()); err != nil {
					t.Fatal(err)
				}
				return games
			}
			if got, want := play(over), play(direct); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("over UGI\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// TestSetUp: a position without its past, and one with moves after it, reach the program as they are.
func TestSetUp(t *testing.T) {
	g := gameOf(t, "tictactoe")
	p, err := notation.ParseFEN(g, "3/1o1/x1x o 3")
	if err != nil {
		t.Fatal(err)
	}
	q := program(t, g, "player=minimax", ugi.Options{Turn: patience})
	if i, err := q.Analyze(t.Context(), p, search.Limits{}, nil); err != nil || g.Format(i.PV[0]) != "b1" || i.Nodes == 0 {
		t.Errorf("%+v, %v, want b1", i, err)
	}
	p.Play(mustParse(t, g, "b1"))
	if m, err := q.Move(t.Context(), p, search.Limits{Depth: 9}); err != nil || g.Format(m) != "b3" {
		t.Errorf("%v, %v, want b3", m, err)
	}
}

func mustParse(t testing.TB, g game.Game, name string) game.Move {
	t.Helper()
	m, err := g.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestFaultsEndTheProgram: whatever a program does wrong is an error in one line, and the program is gone.
func TestFaultsEndTheProgram(t *testing.T) {
	g := gameOf(t, "gomoku:9")
	for _, tc := range []struct {
		kind, says string
		is         error
		o          ugi.Options
	}{
		{"silent", "out of time", player.ErrTimeout, ugi.Options{Turn: time.Millisecond, Margin: time.Millisecond}},
		{"deaf", "out of time", player.ErrTimeout, ugi.Options{Start: 50 * time.Millisecond}},
		{"crash", "out of cheese", player.ErrCrashed, ugi.Options{Turn: patience}},
		{"wrong", "z99", nil, ugi.Options{Turn: patience}},
		{"choosy", "no such game", nil, ugi.Options{}},
		{"flood", "out of time", player.ErrTimeout, ugi.Options{Turn: 50 * time.Millisecond, Margin: time.Millisecond}},
	} {
		t.Run(tc.kind, func(t *testing.T) {
			t.Parallel()
			p := program(t, g, tc.kind, tc.o)
			_, err := p.Move(t.Context(), g.Start(), search.Limits{})
			if err == nil || !strings.Contains(err.Error(), tc.says) || strings.Contains(err.Error(), "\n") || tc.is != nil && !errors.Is(err, tc.is) {
				t.Fatalf("the error is %v, want %v and %q", err, tc.is, tc.says)
			}
			if _, again := p.Move(t.Context(), g.Start(), search.Limits{}); again == nil || again.Error() != err.Error() {
				t.Errorf("asked again: %v, want %v", again, err)
			}
		})
	}
	p := program(t, g, "liar", ugi.Options{Turn: patience})
	if i, err := p.Analyze(t.Context(), g.Start(), search.Limits{}, nil); err != nil || len(i.PV) != 1 || i.Depth != 7 || i.Score.Units() != -0.5 {
		t.Errorf("%+v, %v", i, err)
	}
}

// TestCancelStopsSearch: a search that is cancelled is stopped, and the program lives on.
func TestCancelStopsSearch(t *testing.T) {
	g := gameOf(t, "gomoku:9")
	p := program(t, g, "player=mcts", ugi.Options{Turn: patience, Margin: patience})
	ctx, cancel := context.WithCancel(t.Context())
	i, err := p.Analyze(ctx, g.Start(), search.Limits{}, func(search.Info) { cancel() })
	if err != nil || len(i.PV) == 0 {
		t.Fatalf("%+v, %v", i, err)
	}
	if _, err := p.Move(t.Context(), g.Start(), search.Limits{Nodes: 10}); err != nil {
		t.Error(err)
	}
}

func FuzzEngine(f *testing.F) {
	f.Add("ugi\nposition startpos moves a1\ngo nodes 5\nquery result")
	f.Add("position fen 3/3/3 x 0\ngo depth 2 movetime 1\nstop\nstop\nquit")
	f.Fuzz(func(t *testing.T, lines string) {
		if strings.Contains(lines, "option") {
			return // a player may read files, and a game be large
		}
		if err := krow.Engine("tictactoe", "greedy", "test", 1).Run(t.Context(), strings.NewReader(lines), io.Discard); err != nil {
			t.Error(err)
		}
	})
}
