// SPDX-License-Identifier: Apache-2.0

package gomocup_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/gomocup"
	"github.com/krow-lab/krow/search"
)

// patience is a time for what takes some milliseconds, on a machine however slow.
const patience = time.Hour

// talk is a conversation with a brain.
type talk struct {
	t     *testing.T
	in    *io.PipeWriter
	lines chan string
	ended chan error
}

func begin(t *testing.T, b gomocup.Brain) *talk {
	t.Helper()
	inR, in := io.Pipe()
	out, outW := io.Pipe()
	k := &talk{t, in, make(chan string, 100), make(chan error, 1)}
	go func() {
		err := b.Run(context.Background(), inR, outW)
		outW.Close()
		k.ended <- err
	}()
	go func() {
		defer close(k.lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			k.lines <- s.Text()
		}
	}()
	t.Cleanup(func() {
		in.Close()
		inR.Close() // the brain's reader may be waiting for a line
		for range k.lines {
		}
	})
	return k
}

func (k *talk) send(line string) {
	k.t.Helper()
	if _, err := io.WriteString(k.in, line+"\r\n"); err != nil {
		k.t.Fatalf("sending %q: %v", line, err)
	}
}

// next returns the next line, or "" at the end.
func (k *talk) next() string {
	return <-k.lines
}

func (k *talk) expect(want string) {
	k.t.Helper()
	if got := k.next(); !regexp.MustCompile("^(?:" + want + ")$").MatchString(got) {
		k.t.Fatalf("the brain says %q, want %q", got, want)
	}
}

// end waits for the brain to end.
func (k *talk) end() {
	k.t.Helper()
	if err := <-k.ended; err != nil {
		k.t.Errorf("Run: %v", err)
	}
}

// The transcripts are the manual of the protocol: "> " is what the manager says and "< " the answer, a regular
// expression, without a line between the two.
func TestTranscriptsOfProtocol(t *testing.T) {
	files, err := filepath.Glob("testdata/transcripts/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			k := begin(t, gomocup.Brain{About: `name="test"`, New: newLowest, Seed: 1})
			for line := range strings.Lines(string(text)) {
				line = strings.TrimSuffix(line, "\n")
				if said, ok := strings.CutPrefix(line, "> "); ok {
					k.send(said)
				} else if want, ok := strings.CutPrefix(line, "< "); ok {
					k.expect(want)
				} else if line != "" && line[0] != '#' {
					t.Fatalf("%q is no line of a transcript", line)
				}
			}
			k.send("END")
			if got := k.next(); got != "" {
				t.Errorf("after END the brain says %q", got)
			}
			k.end()
		})
	}
}

// thinker is an Analyst that a test leads by the hand.
type thinker struct {
	reports  []game.Move     // reported at once
	stubborn bool            // goes on when it is told to stop
	free     <-chan struct{} // ends it
	began    chan<- search.Limits
	answer   func(p game.Position) (search.Info, error)
}

func (*thinker) Name() string { return "thinker" }

func (f *thinker) Move(context.Context, game.Position, search.Limits) (game.Move, error) {
	return game.NoMove, errors.New("asked to move, not to think")
}

func (f *thinker) Analyze(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	var last search.Info
	for i, m := range f.reports {
		last = search.Info{Line: 1, Depth: i + 1, Score: 1500, PV: []game.Move{m}, Nodes: 1000, Time: time.Second}
		report(last)
	}
	if f.began != nil {
		f.began <- lim
	}
	if f.answer != nil {
		return f.answer(p)
	}
	done := ctx.Done()
	if f.stubborn {
		done = nil
	}
	select {
	case <-done:
	case <-f.free:
	}
	return last, nil
}

func with(p player.Player) func(game.Game, gomocup.Settings) (player.Player, error) {
	return func(game.Game, gomocup.Settings) (player.Player, error) { return p, nil }
}

// A brain listens while it thinks: STOP brings the move, other commands wait for it.
func TestStopWhileThinking(t *testing.T) {
	for _, word := range []string{"STOP", "yxstop"} {
		began := make(chan search.Limits, 9)
		k := begin(t, gomocup.Brain{New: with(&thinker{reports: []game.Move{0, 7}, began: began})})
		k.send("START 15")
		k.expect("OK")
		k.send("INFO timeout_turn 1000000")
		k.send("BEGIN")
		<-began
		k.send("TAKEBACK 7,14") // the brain's own move, when it has come
		k.send(word)
		for _, want := range []string{
			"MESSAGE depth 2 eval 2 nodes 1000 time 1000 ms pv 7,14", "7,14", "OK",
		} {
			k.expect(regexp.QuoteMeta(want))
		}
		k.send("END")
		k.end()
	}
}

// END ends a brain that thinks, and nothing is said any more; so does the end of its input, if the thinking would
// not end by itself.
func TestEndWhileThinking(t *testing.T) {
	for _, stubborn := range []bool{false, true} {
		began, free := make(chan search.Limits, 1), make(chan struct{})
		k := begin(t, gomocup.Brain{New: with(&thinker{reports: []game.Move{0}, began: began, stubborn: stubborn, free: free})})
		k.send("START 15")
		k.expect("OK")
		k.send("INFO timeout_turn 1000000")
		k.send("BEGIN")
		<-began
		k.send("TURN 3,3")
		k.send("END")
		if got := k.next(); got != "" {
			t.Errorf("stubborn %v: after END the brain says %q", stubborn, got)
		}
		k.end()
		close(free)
	}
}

// TestEndOfInput: the end of the input ends the thinking at once, and the moves that were asked for come.
func TestEndOfInput(t *testing.T) {
	for _, stubborn := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			began, free := make(chan search.Limits, 2), make(chan struct{})
			k := begin(t, gomocup.Brain{New: with(&thinker{reports: []game.Move{0}, began: began, stubborn: stubborn, free: free})})
			k.send("START 15")
			k.expect("OK")
			k.send("INFO timeout_turn 30000")
			k.send("BEGIN")
			<-began
			gone := time.Now()
			k.in.Close()
			if stubborn {
				k.expect("MESSAGE the player exceeded its time")
			}
			k.expect("MESSAGE depth 1 .*")
			k.expect("0,14")
			k.end()
			if took := time.Since(gone); took > 0 && !stubborn || took > time.Second {
				t.Errorf("stubborn %v: it goes on for %v", stubborn, took)
			}
			close(free)
		})
	}
}

// late is an Analyst whose first answer takes a time of its own, whatever it is told.
type late struct {
	thinker
	took  time.Duration
	asked []search.Limits
}

func (l *late) Analyze(_ context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	l.asked = append(l.asked, lim)
	if len(l.asked) == 1 {
		report(search.Info{Line: 1, Depth: 3, PV: []game.Move{30}})
		time.Sleep(l.took)
	}
	return search.Info{Depth: 7, PV: p.AppendMoves(nil)[:1]}, nil
}

// TestLatePlayer: a late move costs its time and nothing else. The last word of the player stands, and the player that
// answers the next question is the same, as soon as it has come back.
func TestLatePlayer(t *testing.T) {
	for _, tc := range []struct {
		name          string
		took, between time.Duration // how long the first answer takes, and how long after it the other side moves
		left          time.Duration // of 285 ms, for the second answer
	}{
		{"back before the next move", 2 * time.Second, 3 * time.Second, 285 * time.Millisecond},
		{"back within the next move", 385 * time.Millisecond, 0, 195 * time.Millisecond},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, made := &late{took: tc.took}, 0
				k := begin(t, gomocup.Brain{New: func(game.Game, gomocup.Settings) (player.Player, error) {
					made++
					return p, nil
				}})
				k.send("START 15")
				k.expect("OK")
				k.send("INFO timeout_turn 300")
				asked := time.Now()
				k.send("BEGIN")
				k.expect("MESSAGE the player exceeded its time")
				k.expect("MESSAGE depth 3 .*")
				k.expect("0,12")
				if took := time.Since(asked); took > 300*time.Millisecond {
					t.Errorf("the move took %v", took)
				}
				time.Sleep(tc.between)
				k.send("TURN 0,13")
				k.expect("MESSAGE depth 7 .*")
				k.expect("0,14")
				k.send("END")
				k.end()
				if made != 1 || len(p.asked) != 2 || p.asked[1].Time != tc.left {
					t.Errorf("%d players were made, and asked %+v; want one, with %v for its second answer", made, p.asked, tc.left)
				}
			})
		})
	}
}

// TestSetUpTakesTime: what a brain does because of INFO belongs to the time of the move that was asked for meanwhile.
func TestSetUpTakesTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := make(chan search.Limits, 1)
		k := begin(t, gomocup.Brain{New: func(_ game.Game, s gomocup.Settings) (player.Player, error) {
			if s.Memory > 0 {
				time.Sleep(200 * time.Millisecond)
			}
			return lowest{asked}, nil
		}})
		k.send("START 15")
		k.expect("OK")
		k.send("INFO timeout_turn 300\r\nINFO max_memory 367001600\r\nINFO game_type 1\r\nINFO rule 0\r\nBEGIN")
		k.expect("MESSAGE .*")
		k.expect("0,14")
		if lim := <-asked; lim.Time != 85*time.Millisecond {
			t.Errorf("a search of %v after 200 ms of set-up, want 85 ms", lim.Time)
		}
		k.send("END")
		k.end()
	})
}

// A player that fails does not lose the game by that alone.
func TestPlayerFails(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer func(game.Position) (search.Info, error)
		want   string
	}{
		{"error", func(game.Position) (search.Info, error) { return search.Info{}, errors.New("no idea") }, "MESSAGE no idea"},
		{"panic", func(game.Position) (search.Info, error) { panic("oh") }, "MESSAGE panic: oh"},
		{"no move", func(game.Position) (search.Info, error) { return search.Info{}, nil }, "MESSAGE the player has no legal move"},
		{"illegal", func(game.Position) (search.Info, error) { return search.Info{PV: []game.Move{999}}, nil }, "MESSAGE the player has no legal move"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			k := begin(t, gomocup.Brain{New: with(&thinker{answer: tc.answer})})
			k.send("START 15")
			k.expect("OK")
			k.send("BEGIN")
			k.expect(tc.want)
			k.expect("MESSAGE depth .*")
			k.expect("7,7")
			k.send("END")
			k.end()
		})
	}
}

// What INFO says of time reaches the player, less what is kept back.
func TestInfoTimeReachesPlayer(t *testing.T) {
	tests := []struct {
		name  string
		info  []string
		least time.Duration // 0 where the player's own limits hold
		most  time.Duration
		saves bool // for later moves
	}{
		{"nothing said", nil, 0, 0, false},
		{"a turn", []string{"timeout_turn 5000"}, 4 * time.Second, 4970 * time.Millisecond, false},
		{"as fast as possible", []string{"timeout_turn 0"}, 1, time.Millisecond, false},
		{"a match", []string{"timeout_turn 100000", "timeout_match 50000"}, time.Second, 2 * time.Second, true},
		{"no match", []string{"timeout_turn 5000", "timeout_match 0"}, 4 * time.Second, 4970 * time.Millisecond, false},
		{"little left", []string{"timeout_turn 100000", "timeout_match 90000", "time_left 2500"}, time.Millisecond, 100 * time.Millisecond, true},
		{"an increment", []string{"timeout_turn 100000", "timeout_match 90000", "time_increment 4000", "time_left 25000"}, 2 * time.Second, 3 * time.Second, true},
		{"nothing left", []string{"timeout_turn 100000", "timeout_match 90000", "time_left -5"}, 1, time.Millisecond, false},
		{"unlimited", []string{"timeout_turn 2147483647", "timeout_match 0", "time_left 2147483647"}, 0, 0, false},
		{"beyond all numbers", []string{"timeout_turn 99999999999999999999"}, 0, 0, false},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asked := make(chan search.Limits, 1)
				k := begin(t, gomocup.Brain{New: with(lowest{asked})})
				k.send("START 15")
				k.expect("OK")
				for _, i := range tc.info {
					k.send("INFO " + i)
				}
				k.send("INFO max_depth 9")
				k.send("INFO max_node 1000")
				k.send("BEGIN")
				got := <-asked
				if got.Time < tc.least || got.Time > tc.most || tc.least > 0 && got.Time == 0 {
					t.Errorf("time %v, want %v to %v", got.Time, tc.least, tc.most)
				}
				if saves := got.Most > got.Time; saves != tc.saves {
					t.Errorf("time %v, at most %v: time is saved %v, want %v", got.Time, got.Most, saves, tc.saves)
				}
				if got.Depth != 9 || got.Nodes != 1000 {
					t.Errorf("limits %+v, want depth 9 and 1000 nodes", got)
				}
				k.expect("MESSAGE .*")
				k.expect("0,14")
				k.send("END")
				k.end()
			})
		})
	}
}

// Memory, table and threads reach whoever makes the player, which is made again when they change.
func TestSettings(t *testing.T) {
	made := make(chan gomocup.Settings, 9)
	k := begin(t, gomocup.Brain{New: func(g game.Game, s gomocup.Settings) (player.Player, error) {
		made <- s
		return lowest{}, nil
	}})
	k.send("START 15")
	k.expect("OK")
	k.send("INFO max_memory 350000000")
	k.send("INFO hash_size 4096")
	k.send("INFO thread_num 3")
	k.send("BEGIN")
	k.expect("MESSAGE .*")
	k.expect("0,14")
	k.send("TURN 5,5")
	k.expect("MESSAGE .*")
	k.expect("1,14")
	k.send("END")
	k.end()
	// At START, and then whenever one of them changes; the moves need no other player.
	for _, want := range []gomocup.Settings{
		{}, {Memory: 350_000_000}, {Memory: 350_000_000, Hash: 4 << 20}, {Memory: 350_000_000, Hash: 4 << 20, Threads: 3},
	} {
		if got := <-made; got != want {
			t.Errorf("made with %+v, want %+v", got, want)
		}
	}
	if len(made) > 0 {
		t.Errorf("made once more, with %+v", <-made)
	}
}

// balanced values a position, for the side to move, at how far the first stone is from the left edge, less three.
func balanced(p game.Position) (search.Info, error) {
	v, m := 0, p.AppendMoves(nil)[0]
	if b, ok := p.(game.Board); ok {
		columns, _ := b.Size()
		for c, stone := range b.Cells() {
			if stone == game.FirstStone {
				v = c%columns - 3
				break
			}
		}
	}
	return search.Info{Score: eval.Score(v) * eval.Unit, PV: []game.Move{m}}, nil
}

// swap2: the brain proposes what its player finds even, takes the better side, and leaves the choice to the other one
// only where there is nothing to choose.
func TestSwap2(t *testing.T) {
	k := begin(t, gomocup.Brain{New: with(&thinker{answer: balanced}), Seed: 5})
	say := func(stones ...string) {
		k.send("SWAP2BOARD")
		for _, s := range stones {
			k.send(s)
		}
		k.send("DONE")
	}
	k.send("START 9")
	k.expect("OK")
	say()
	k.expect(`\d,\d \d,\d \d,\d`)
	say("0,8", "1,1", "2,2") // Black's first stone stands at the edge: White is worse off by three
	k.expect("MESSAGE depth 0 eval -3 .*")
	k.expect("SWAP")
	say("8,8", "1,1", "8,2")
	k.expect("MESSAGE depth 0 eval 5 .*")
	k.expect("0,8")
	say("3,8", "1,1", "8,2")
	k.expect("MESSAGE depth 0 eval 0 .*")
	k.expect(`\d,\d \d,\d`)
	say("3,8", "1,1", "8,2", "4,4", "5,5")
	k.expect("MESSAGE depth 0 eval 0 .*")
	k.expect("0,8")
	say("2,8", "1,1", "8,2", "4,4", "5,5")
	k.expect("MESSAGE depth 0 eval -1 .*")
	k.expect("SWAP")
	k.send("END")
	k.end()
}

// Where there is no book, a proposal is one that the player finds even, not the first that comes.
func TestProposalIsEven(t *testing.T) {
	for seed := range uint64(8) {
		k := begin(t, gomocup.Brain{New: with(&thinker{answer: balanced}), Seed: seed})
		k.send("START 16")
		k.expect("OK")
		k.send("SWAP2BOARD")
		k.send("DONE")
		stones := strings.Fields(k.next())
		if len(stones) != 3 {
			t.Fatalf("seed %d: %q are not three stones", seed, stones)
		}
		// The stone of Black that is counted first stands lowest, then leftmost; among 32 proposals drawn
		// on 16 columns there is always one next to the fourth.
		k.send("BOARD")
		for i, s := range stones {
			k.send(s + "," + []string{"2", "1", "2"}[i])
		}
		k.send("DONE")
		k.expect("MESSAGE depth 0 eval (0|1|-1) .*")
		k.next()
		k.send("END")
		k.end()
	}
}

// hostile is input that no manager sends, each with what must be the answer.
var hostile = []struct{ name, in, want string }{
	{"nothing", "", ""},
	{"empty lines", "\r\n\n\r \n", ""},
	{"binary", "\x00\x01\xff\xfe\r\n", "UNKNOWN ????\n"},
	{"half a line", "STAR", "UNKNOWN STAR\n"},
	{"half a block", "START 15\nBOARD\n7,7,1", "OK\n"},
	{"a block cut off by a command", "START 15\nBOARD\n7,7,1\nSTART 5\n", "OK\nOK\n"},
	{"huge size", "START 99999999999999999999\n", "ERROR \"99999999999999999999\" is not the size of a board\n"},
	{"large size", "START 1000000\n", "ERROR a board must have 1 to 128 columns and rows, not 1000000 x 1...\n"},
	{"negative size", "START -5\n", "ERROR a board must have 1 to 128 columns and rows, not -5 x -5\n"},
	{"no size", "START\n", "ERROR \"\" is not the size of a board\n"},
	{"one side", "RECTSTART 15\n", "ERROR \"15\" is not 2 numbers between commas\n"},
	{"no game", "TURN 7,7\nBEGIN\nBOARD\nTAKEBACK 1,1\nRESTART\nSWAP2BOARD\nYXSHOWFORBID\nPLAY 1,1\n", strings.Repeat("ERROR there is no game: send START first\n", 8)},
	{"off the board", "START 15\nTURN 15,0\nTURN -1,3\nTURN 0,99999999999\n", "OK\nERROR 15,0 is not on the board\nERROR -1,3 is not on the board\nERROR 0,99999999999 is not on the board\n"},
	{"no numbers", "START 15\nTURN\nTURN x,y\nTURN 1;1\nTURN 1,1,1\n", "OK\nERROR \"\" is not 2 numbers between commas\nERROR \"x\" is not a number\nERROR \"1;1\" is not 2 numbers between commas\nERROR \"1,1,1\" is not 2 numbers between commas\n"},
	{"taken", "START 15\nPLAY 7,7\nPLAY 7,7\n", "OK\n7,7\nERROR 7,7 is illegal: the cell is taken\n"},
	{"two stones on a cell", "START 15\nYXBOARD\n1,1,1\n1,1,2\nDONE\n", "OK\nERROR 1,1 has two stones\n"},
	{"a stone of nobody", "START 15\nYXBOARD\n1,1,0\nDONE\n", "OK\nERROR \"1,1,0\" does not say whose stone it is, 1 or 2\n"},
	{"the continuous game", "START 15\nYXBOARD\n1,1,3\nDONE\n", "OK\nERROR the continuous game is not supported\n"},
	{"more stones than cells", "START 1\nYXBOARD\n0,0,1\n0,0,2\n0,0,1\nDONE\n", "OK\nERROR the position has more stones than cells\n"},
	{"both have won", "START 5\nYXBOARD\n0,0,1\n1,0,1\n2,0,1\n3,0,1\n4,0,1\n0,1,2\n1,1,2\n2,1,2\n3,1,2\n4,1,2\nDONE\n", "OK\nERROR both sides have won on this board\n"},
	{"over", "START 5\nYXBOARD\n0,0,1\n1,0,1\n2,0,1\n3,0,1\n4,0,1\n0,1,2\n1,1,2\n2,1,2\n3,1,2\nDONE\nTURN 4,4\n", "OK\nERROR the game is over\n"},
	{"two stones for swap2", "START 15\nSWAP2BOARD\n1,1\n2,2\nDONE\n", "OK\nERROR swap2 expects 0, 3 or 5 stones, not 2\n"},
	{"a rule that nobody has", "INFO rule 77\nSTART 15\nINFO rule -1\nSTART 15\nINFO rule 99999999999999999999999\nINFO rule x\n", "ERROR rule 77 is not supported\nERROR rule -1 is not supported\nERROR INFO rule: \"x\" is not a number\n"},
	{"keys that nobody knows", "INFO\nINFO foo bar\nINFO folder /tmp/x y\nINFO evaluate 3,3\nINFO game_type 1\n", ""},
	{"nothing to take back", "START 15\nTAKEBACK 7,7\nTAKEBACK 77,7\n", "OK\nERROR there is no stone on 7,7\nERROR 77,7 is not on the board\n"},
	{"a megabyte on a line", "START " + strings.Repeat("9", 1<<20) + "\nABOUT\n", "ERROR the line is too long\nname=\"test\"\n"},
	{"a megabyte without an end", strings.Repeat("A", 1<<20), "ERROR the line is too long\n"},
	{"a renju win for White with Black to move", "INFO rule 4\nSTART 5\nYXBOARD\n0,0,2\nDONE\nYXSHOWFORBID\n", "OK\nFORBID .\n"},
	{"swap2 on taken cells", "START 15\nSWAP2BOARD\n1,1\n1,1\n2,2\nDONE\nSWAP2BOARD\n1,1\n99,99\n2,2\nDONE\n", "OK\nERROR 1,1 is illegal: the cell is taken\nERROR 99,99 is not on the board\n"},
	{"swap2 on no board for it", "START 1\nSWAP2BOARD\nDONE\n", "OK\nERROR found no stones after which the game continues\n"},
	{"keys with huge numbers", "INFO pondering 99999999999999999999\nINFO max_node -1\nINFO hash_size 99999999999999999999\nINFO hash_size -1\nINFO thread_num 0\nSTART 5\n", "OK\n"},
	{"half a number", "START\nSTART 1e3\nSTART 15 15\nRECTSTART 15\nRECTSTART 15,\nTURN 7,\nPLAY ,\nTAKEBACK 7\n", "ERROR \"\" is not the size of a board\nERROR \"1e3\" is not the size of a board\nERROR \"15 15\" is not the size of a board\nERROR \"15\" is not 2 numbers between commas\nERROR \"\" is not a number\nERROR there is no game: send START first\nERROR there is no game: send START first\nERROR there is no game: send START first\n"},
}

func TestHostileInput(t *testing.T) {
	for _, tc := range hostile {
		t.Run(tc.name, func(t *testing.T) {
			var out bytes.Buffer
			b := gomocup.Brain{About: `name="test"`, New: newLowest}
			if err := b.Run(context.Background(), strings.NewReader(tc.in), &out); err != nil {
				t.Errorf("Run: %v", err)
			}
			if out.String() != tc.want {
				t.Errorf("the brain says\n%swant\n%s", out.String(), tc.want)
			}
		})
	}
}

// A manager that is gone ends the brain with an error, and one that cancels it without.
func TestRunEnds(t *testing.T) {
	b := gomocup.Brain{New: newLowest}
	gone := errors.New("gone")
	if err := b.Run(context.Background(), strings.NewReader("START 15\n"), failing{gone}); !errors.Is(err, gone) {
		t.Errorf("Run to nobody = %v, want %v", err, gone)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	in, w := io.Pipe()
	if err := b.Run(ctx, in, io.Discard); err != nil {
		t.Errorf("Run cancelled = %v", err)
	}
	w.Close()
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// answers are all that a brain may say.
var answers = regexp.MustCompile(`^(OK|-?\d+,-?\d+( -?\d+,-?\d+)*|SWAP|UNKNOWN .*|ERROR .*|MESSAGE .*|INFO .*|FORBID \d*\.|name=.*)$`)

// FuzzBrain: whatever a manager sends, a brain survives it, and says nothing that the protocol does not know.
func FuzzBrain(f *testing.F) {
	for _, tc := range hostile {
		if len(tc.in) < 1000 {
			f.Add(tc.in)
		}
	}
	f.Add("START 5\nINFO rule 9\nBEGIN\nTURN 1,1\nTAKEBACK 0,4\nSWAP2BOARD\nDONE\nEND\n")
	f.Add("START 6\nINFO pondering 1\nBEGIN\nTURN 3,3\n")
	f.Add("START 7\nyxboard\n1,1,2\n2,2,1\n3,4,2\ndone\nSWAP2BOARD\n1,1\n2,2\n3,3\nDONE\n")
	f.Fuzz(func(t *testing.T, in string) {
		var out bytes.Buffer
		b := gomocup.Brain{About: `name="test"`, New: newLowest}
		if err := b.Run(context.Background(), strings.NewReader(in), &out); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if !answers.MatchString(strings.TrimSuffix(line, "\n")) {
				t.Errorf("the brain says %q", line)
			}
		}
	})
}
