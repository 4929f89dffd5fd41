// SPDX-License-Identifier: Apache-2.0

package gomocup_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player/gomocup"
	"github.com/krow-lab/krow/search"
)

// ranked is an Analyst that finds the cells of the top row best, from the left on, each with the next of its scores.
type ranked struct {
	scores []eval.Score
	asked  chan<- search.Limits
}

func (ranked) Name() string { return "ranked" }

func (ranked) Move(context.Context, game.Position, search.Limits) (game.Move, error) {
	return game.NoMove, fmt.Errorf("asked to move, not to think")
}

func (r ranked) Analyze(_ context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	if r.asked != nil {
		r.asked <- lim
	}
	var best search.Info
	for line := range min(max(lim.Lines, 1), len(r.scores)) {
		i := search.Info{Line: line + 1, Depth: 3, Score: r.scores[line], PV: []game.Move{game.Move(14*15 + line)}, Nodes: 10}
		report(i)
		if line == 0 {
			best = i
		}
	}
	return best, nil
}

// answerOf begins a game with these commands and returns the move that comes, and what was said before it.
func answerOf(t *testing.T, p ranked, seed uint64, commands ...string) (move, said string) {
	t.Helper()
	k := begin(t, gomocup.Brain{New: with(p), Seed: seed})
	k.send("START 15")
	k.expect("OK")
	for _, c := range commands {
		k.send(c)
	}
	for {
		line := k.next()
		if regexp.MustCompile(`^\d+,\d+$`).MatchString(line) || line == "" {
			k.send("END")
			k.end()
			return line, said
		}
		said += line + "\n"
	}
}

// A blocked move is neither played nor told, and another line takes its place.
func TestBlockedLines(t *testing.T) {
	asked := make(chan search.Limits, 1000)
	p := ranked{[]eval.Score{500, 400, 300, 200}, asked}
	move, said := answerOf(t, p, 1, "INFO show_detail 3", "YXBLOCK", "0,0", "2,0", "DONE", "YXNBEST 2")
	if lim := <-asked; lim.Lines != 4 {
		t.Errorf("asked for %d lines, want two and one for each blocked one", lim.Lines)
	}
	if move != "1,0" || strings.Contains(said, "POS 0,0") || !strings.Contains(said, "BESTLINE 3,0") || strings.Contains(said, "BESTLINE 2,0") {
		t.Errorf("plays %s, and says\n%s", move, said)
	}
	// A player that looks at blocked moves only has to compare the others: 3,0 is as good as any.
	move, _ = answerOf(t, ranked{[]eval.Score{500}, nil}, 1, "YXBLOCK", "0,0", "DONE", "BEGIN")
	if move == "0,0" || move == "" {
		t.Errorf("plays %q, which is blocked", move)
	}
}

// Less strength means fewer nodes and, now and then, a worse move; never one that loses for sure, or gives up a sure win.
func TestStrength(t *testing.T) {
	asked := make(chan search.Limits, 1)
	for strength, want := range map[int]uint64{0: 1024, 50: 32768, 99: 978356, 100: 0, -5: 1024, 1000: 0} {
		answerOf(t, ranked{[]eval.Score{1}, asked}, 1, fmt.Sprintf("INFO strength %d", strength), "BEGIN")
		if got := <-asked; got.Nodes != want {
			t.Errorf("strength %d: %d nodes, want %d", strength, got.Nodes, want)
		}
	}
	answerOf(t, ranked{[]eval.Score{1}, asked}, 1, "INFO strength 50", "INFO max_node 7", "BEGIN")
	if got := <-asked; got.Nodes != 7 || got.Lines != 10 {
		t.Errorf("%d nodes and %d lines, want 7 and 10", got.Nodes, got.Lines)
	}
	const seeds = 200
	count := func(strength string, scores ...eval.Score) map[string]int {
		n := map[string]int{}
		for seed := range uint64(seeds) {
			move, _ := answerOf(t, ranked{scores, nil}, seed, "INFO strength "+strength, "BEGIN")
			n[move]++
		}
		return n
	}
	if n := count("100", 9, 8, 7, 6); n["0,0"] != seeds {
		t.Errorf("full strength plays %v", n)
	}
	if n := count("0", 9, 8, 7, 6); n["0,0"] < 10 || n["0,0"] > 35 || n["1,0"] < 9 || n["2,0"] < 8 || n["3,0"] < 120 {
		t.Errorf("no strength plays %v, want a tenth, a little less, less again, and the rest", n)
	}
	if n := count("60", 9, 8, 7, 6); n["0,0"] < 105 || n["0,0"] > 150 {
		t.Errorf("strength 60 plays %v, want 64 in 100 of the best", n)
	}
	if n := count("0", 9, eval.Loss(4), 7, 6); n["0,0"] != seeds {
		t.Errorf("no strength plays %v, into a sure loss", n)
	}
	if n := count("0", eval.Win(5), 7, 6); n["0,0"] != seeds {
		t.Errorf("no strength plays %v, and gives a win away", n)
	}
}

// Moves that lose for sure are marked on a board that shows the search.
func TestRealtimeLost(t *testing.T) {
	_, said := answerOf(t, ranked{[]eval.Score{5, eval.Loss(6)}, nil}, 1, "INFO show_detail 1", "YXNBEST 2")
	want := `MESSAGE REALTIME REFRESH
MESSAGE REALTIME POS 0,0
MESSAGE REALTIME DONE 0,0
MESSAGE REALTIME BEST 0,0
MESSAGE REALTIME POS 1,0
MESSAGE REALTIME DONE 1,0
MESSAGE REALTIME LOST 1,0
`
	if !strings.HasPrefix(said, want) {
		t.Errorf("says\n%swant\n%s", said, want)
	}
}

// A brain ponders after its move, if it is told to, until the next command. A player that goes on is waited for.
func TestPondering(t *testing.T) {
	for _, wait := range []time.Duration{0, 100 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			p := &ponderer{asked: make(chan search.Limits, 9), wait: wait}
			k := begin(t, gomocup.Brain{New: with(p)})
			k.send("START 15")
			k.expect("OK")
			k.send("INFO pondering 1")
			k.send("INFO timeout_turn 10030")
			k.send("BEGIN")
			k.expect("MESSAGE .*")
			k.expect("0,14")
			synctest.Wait()
			k.send("INFO pondering 0")
			k.send("TURN 7,7")
			k.expect("MESSAGE .*")
			k.expect("1,14")
			synctest.Wait()
			k.send("END")
			k.end()
			close(p.asked)
			want := []time.Duration{10 * time.Second, time.Hour, 10*time.Second - wait}
			for lim := range p.asked {
				if len(want) == 0 || lim.Time != want[0] {
					t.Fatalf("a search of %v, want %v", lim.Time, want)
				}
				want = want[1:]
			}
			if len(want) > 0 {
				t.Errorf("no search of %v", want)
			}
		})
	}
}

// ponderer answers at once. It ponders until it is stopped, and a while longer.
type ponderer struct {
	thinker
	asked chan search.Limits
	wait  time.Duration
}

func (p *ponderer) Analyze(ctx context.Context, pos game.Position, lim search.Limits, _ func(search.Info)) (search.Info, error) {
	p.asked <- lim
	if lim.Time == time.Hour {
		<-ctx.Done()
		time.Sleep(p.wait)
	}
	return search.Info{PV: pos.AppendMoves(nil)[:1]}, nil
}
