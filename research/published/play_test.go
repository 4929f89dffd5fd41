// SPDX-License-Identifier: Apache-2.0

package published

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/krow-lab/krow/eval"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/minimax"
)

// find returns the cell of a table for a size.
func find(t testing.TB, table string, size int) Cell {
	t.Helper()
	for _, c := range Cells() {
		if c.Table == table && c.Size == size {
			return c
		}
	}
	t.Fatalf("table %s has no size %d", table, size)
	return Cell{}
}

// other returns weights that play otherwise than the fixed ones: indifferent to what the enemy is about to do.
func other(k int) generic.Weights {
	w := generic.Fixed(k)
	w.Enemy.Set(1, k-1, threat.HalfOpen, threat.Open)
	w.Own.Set(900, k-1, threat.Open)
	return w
}

// slow plays a cell with plain minimax.
func slow(t *testing.T, c Cell, learned generic.Weights, v Variant) (moves []string, end game.Outcome) {
	t.Helper()
	g, err := c.game()
	if err != nil {
		t.Fatal(err)
	}
	var searches [2]search.Searcher
	for i, name := range []string{c.Player, c.Opponent} {
		w, err := v.weights(name, c.K, learned)
		if err != nil {
			t.Fatal(err)
		}
		e, err := generic.New(g, w)
		if err != nil {
			t.Fatal(err)
		}
		searches[i] = minimax.New(minimax.Options{Depth: 4, Eval: e, Terminal: options(e, v.Exact).Terminal})
	}
	if !c.MovesFirst {
		slices.Reverse(searches[:])
	}
	p := g.Start()
	for p.Outcome() == game.Ongoing {
		info, err := searches[p.Turn()].Search(t.Context(), p, search.Limits{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		moves = append(moves, g.Format(info.PV[0]))
		p.Play(info.PV[0])
	}
	return moves, p.Outcome()
}

// TestGamesEqualMinimax holds the games to those of plain minimax, move by move.
func TestGamesEqualMinimax(t *testing.T) {
	tests := []struct {
		table string
		size  int
	}{{"4.1", 3}, {"4.2", 4}, {"4.4", 4}, {"4.8", 4}, {"4.19", 4}, {"4.25", 4}, {"4.28", 5}, {"4.30", 6}}
	for _, tc := range tests {
		for _, v := range []Variant{{}, {Exact: true}} {
			t.Run(fmt.Sprintf("table=%s/size=%d/%s", tc.table, tc.size, v), func(t *testing.T) {
				c := find(t, tc.table, tc.size)
				r, err := playCell(t.Context(), c, other(c.K), v)
				if err != nil {
					t.Fatal(err)
				}
				moves, end := slow(t, c, other(c.K), v)
				if d := cmp.Diff(moves, r.Moves); d != "" {
					t.Errorf("moves (-minimax +got):\n%s", d)
				}
				w, won := end.Winner()
				if r.Verdict == Draw == won || won && (r.Verdict == Win) != (w == c.seat()) {
					t.Errorf("%s, and the player sits %s: %s", end, c.seat(), r.Verdict)
				}
				if n := r.Player.Moves + r.Opponent.Moves; n != len(r.Moves) || r.Player.Nodes == 0 {
					t.Errorf("%d moves of both in %d plies, nodes %d", n, len(r.Moves), r.Player.Nodes)
				}
			})
		}
	}
}

// TestBlindReadingIsBlocked plays the reading in which Shevchenko never sees the opponent's win: exact values make it block.
func TestBlindReadingIsBlocked(t *testing.T) {
	c := find(t, "4.7", 3)
	verdicts := map[bool]Verdict{}
	for _, exact := range []bool{false, true} {
		r, err := playCell(t.Context(), c, generic.Fixed(3), Variant{Exact: exact})
		if err != nil {
			t.Fatal(err)
		}
		verdicts[exact] = r.Verdict
	}
	if d := cmp.Diff(map[bool]Verdict{false: Win, true: Draw}, verdicts); d != "" {
		t.Errorf("tic-tac-toe against Shevchenko (-want +got):\n%s", d)
	}
}

// TestOnlineUpdates checks when parameters are updated, and that the update is what the player goes on with.
func TestOnlineUpdates(t *testing.T) {
	c := find(t, "4.4", 5)
	frozen, err := playCell(t.Context(), c, generic.Fixed(4), Variant{})
	if err != nil {
		t.Fatal(err)
	}
	plies := []int{}
	keep := func(w generic.Weights, p game.Position) (generic.Weights, error) {
		plies = append(plies, p.Ply())
		return w, nil
	}
	same, err := playCell(t.Context(), c, generic.Fixed(4), Variant{Update: keep})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(frozen.Moves, same.Moves); d != "" {
		t.Errorf("updates that change nothing change the game:\n%s", d)
	}
	if len(plies) != same.Player.Moves || plies[0] != 2 || plies[1] != 4 {
		t.Errorf("updates after plies %v, and the player made %d moves, the second one first", plies, same.Player.Moves)
	}
	change := func(generic.Weights, game.Position) (generic.Weights, error) { return other(4), nil }
	changed, err := playCell(t.Context(), c, generic.Fixed(4), Variant{Update: change})
	if err != nil {
		t.Fatal(err)
	}
	if changed.Moves[1] != frozen.Moves[1] || slices.Equal(changed.Moves, frozen.Moves) {
		t.Errorf("new parameters do not act from the player's second move on: %v, frozen %v", changed.Moves, frozen.Moves)
	}
}

func TestPlayRefuses(t *testing.T) {
	done, cancel := context.WithCancel(t.Context())
	cancel()
	good := find(t, "4.3", 5)
	rival, family := good, good
	rival.Opponent, family.Family = "nobody", "chess"
	broken := Variant{Update: func(generic.Weights, game.Position) (generic.Weights, error) {
		return generic.Weights{}, errors.New("no idea")
	}}
	tests := []struct {
		name string
		ctx  context.Context
		c    Cell
		w    generic.Weights
		v    Variant
		want string
	}{
		{"done", done, good, generic.Fixed(4), Variant{}, "ply 1: context canceled"},
		{"another k", t.Context(), good, generic.Fixed(3), Variant{}, "weights are for 3 in a row, not 4"},
		{"rival", t.Context(), rival, generic.Fixed(4), Variant{}, `the tables have no heuristic "nobody"`},
		{"family", t.Context(), family, generic.Fixed(4), Variant{}, `unknown family of games "chess"`},
		{"update", t.Context(), good, generic.Fixed(4), broken, "ply 1: no idea"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := playCell(tc.ctx, tc.c, tc.w, tc.v); err == nil || err.Error() != tc.want {
				t.Errorf("error %v, want %s", err, tc.want)
			}
		})
	}
}

// BenchmarkPlay plays a game between fixed parameters.
func BenchmarkPlay(b *testing.B) {
	for _, tc := range []struct {
		table string
		size  int
	}{{"4.3", 7}, {"4.5", 9}, {"4.5", 11}, {"4.27", 7}} {
		c := find(b, tc.table, tc.size)
		b.Run(fmt.Sprintf("game=%s", c.Game), func(b *testing.B) {
			nodes := uint64(0)
			for b.Loop() {
				r, err := playCell(b.Context(), c, generic.Fixed(c.K), Variant{})
				if err != nil {
					b.Fatal(err)
				}
				nodes += r.Player.Nodes + r.Opponent.Nodes
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(nodes), "ns/node")
			b.ReportMetric(float64(nodes)/float64(b.N), "nodes")
		})
	}
}

// TestHeuristicSwitches draws one row of cells for each switch of the heuristics, and values it for the first side under both values.
func TestHeuristicSwitches(t *testing.T) {
	tests := []struct {
		name, heuristic string
		k               int
		row             string
		turned          Variant
		text, other     float64
	}{
		// Two closed threes count nothing; a gapped four of six stones is worth 80.
		{"gap", Brute, 5, "XXX.XXX", Variant{Threats: threat.Reading{Least: true}}, 0, 80},
		// A four at the edge: half-open, or open for all the room on its other side.
		{"cap", Brute, 5, "XXXX....", Variant{Threats: threat.Reading{Uncapped: true}}, 80, 250},
		{"closed", Shevchenko, 5, "OXXXXO..", Variant{Closed: true}, 0, 10},
		{"closed, Chua's", Chua, 5, "OXXXXO..", Variant{Closed: true}, 0, 0},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			g := gametest.Must[*mnk.Game](t)(mnk.MNK(len(tc.row), 1, tc.k))
			cells := make([]game.Stone, len(tc.row))
			for i, c := range tc.row {
				cells[i] = map[rune]game.Stone{'X': game.FirstStone, 'O': game.SecondStone}[c]
			}
			p, err := g.SetUp(game.Setup{Cells: cells})
			if err != nil {
				t.Fatal(err)
			}
			for v, want := range map[*Variant]float64{{}: tc.text, &tc.turned: tc.other} {
				w, err := v.weights(tc.heuristic, tc.k, generic.Weights{})
				if err != nil {
					t.Fatal(err)
				}
				e, err := generic.New(g, w)
				if err != nil {
					t.Fatal(err)
				}
				if got := e.Evaluate(p, game.First).Units(); got != want {
					t.Errorf("%s is worth %v, %v, want %v", tc.row, got, v, want)
				}
			}
		})
	}
}

// TestTerminalReadings draws a row of cells in which the first side is about to have three. Shevchenko's heuristic sees its own threats
// alone: it goes on with its own two unless finished games have their result.
func TestTerminalReadings(t *testing.T) {
	const row = "XX....O.." // the second side is to move
	g := gametest.Must[*mnk.Game](t)(mnk.MNK(len(row), 1, 3))
	cells := make([]game.Stone, len(row))
	for i, c := range row {
		cells[i] = map[rune]game.Stone{'X': game.FirstStone, 'O': game.SecondStone}[c]
	}
	p, err := g.SetUp(game.Setup{Cells: cells, Turn: game.Second})
	if err != nil {
		t.Fatal(err)
	}
	for exact, want := range map[bool]string{true: "c1", false: "f1"} {
		w, err := Variant{Exact: exact}.weights(Shevchenko, 3, generic.Weights{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := newSide(g, w, Variant{Exact: exact})
		if err != nil {
			t.Fatal(err)
		}
		if m, err := s.move(t.Context(), p); err != nil || g.Format(m) != want {
			t.Errorf("exact %t: %s on %s, %v; want %s", exact, g.Format(m), row, err, want)
		}
	}
}

// TestSearchPlaysOn compares the moves of searches that play on below a finished game with plain minimax, which asks nobody whether
// the game is over.
func TestSearchPlaysOn(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	for _, g := range []*mnk.Game{m(mnk.MNK(4, 3, 3)), m(mnk.Connect4(4, 4, 3))} {
		w := Variant{}.fixed(3)
		e, err := generic.New(g, w)
		if err != nil {
			t.Fatal(err)
		}
		s, err := newSide(g, w, Variant{Beyond: true})
		if err != nil {
			t.Fatal(err)
		}
		for p := g.Start().(*mnk.Position); p.Outcome() == game.Ongoing; {
			value := func(m game.Move) eval.Score {
				q := beyond{p.Clone().(*mnk.Position)}
				q.Play(m)
				return -slowly(q, e, depth-1, p.Turn())
			}
			best, highest := game.NoMove, -eval.Infinity
			for _, m := range p.AppendMoves(nil) {
				if v := value(m); v > highest {
					best, highest = m, v
				}
			}
			if got, err := s.move(t.Context(), p); err != nil || got != best {
				t.Fatalf("%s, ply %d: %s, %v; want %s", g, p.Ply(), g.Format(got), err, g.Format(best))
			}
			p.Play(best)
		}
	}
}

// slowly returns the value of p for the side to move; root is the side that asks.
func slowly(p beyond, e *generic.Evaluator, depth int, root game.Side) eval.Score {
	if depth == 0 || p.Outcome() != game.Ongoing {
		if p.Turn() == root {
			return e.Evaluate(p, root)
		}
		return -e.Evaluate(p, root)
	}
	best := -eval.Infinity
	for _, m := range p.AppendMoves(nil) {
		q := p.Clone().(beyond)
		q.Play(m)
		best = max(best, -slowly(q, e, depth-1, root))
	}
	return best
}
