// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/mcts"
	"github.com/krow-lab/krow/search/searchtest"
)

// TestSolverSolvesPublicSets solves the public sets of positions, "moves score" a line, all with KROW_LONG and a part without.
func TestSolverSolvesPublicSets(t *testing.T) {
	for name, lines := range map[string]int{"end-easy": 1000, "middle-easy": 300, "begin-easy": 80} {
		t.Run(name, func(t *testing.T) {
			f, err := os.Open("testdata/" + name + ".txt")
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			g, s := solver(t, 7, 6, 4, Options{Hash: 4 << 20})
			_, weak := solver(t, 7, 6, 4, Options{Weak: true, Hash: 4 << 20})
			in, n := bufio.NewScanner(f), 0
			for in.Scan() && (n < lines || os.Getenv("KROW_LONG") != "") {
				var moves string
				var want int
				if _, err := fmt.Sscan(in.Text(), &moves, &want); err != nil {
					t.Fatal(err)
				}
				p := g.Start()
				if err := notation.Play(p, moves); err != nil {
					t.Fatal(err)
				}
				check(t, s, p, want)
				check(t, weak, p, want)
				n++
			}
			if n < lines {
				t.Errorf("%d lines, want %d", n, lines)
			}
		})
	}
}

// TestEmptyBoards solves boards from the start. CITE: Tromp, John's Connect Four Playground, 2006 (values);
// Steininger, c4, 2025 (last plies).
func TestEmptyBoards(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	for _, tc := range []struct{ columns, rows, plies, sign int }{
		{4, 4, 16, 0},
		{5, 4, 20, 0},
		{6, 4, 24, -1},
		{4, 5, 20, 0},
		{5, 5, 25, 0},
		{4, 6, 24, 0},
		{4, 7, 28, 0},
		{4, 8, 32, 0},
		{7, 4, 28, 0},
		{6, 5, 30, 0},
	} {
		t.Run(fmt.Sprintf("%dx%d", tc.columns, tc.rows), func(t *testing.T) {
			_, s := solver(t, tc.columns, tc.rows, 4, Options{})
			p := s.Start()
			r := s.Solve(t.Context(), p)
			sign, known := r.Sign()
			if !r.Exact() || !known || sign != tc.sign || p.Plies(r.Lower) != tc.plies {
				t.Fatalf("score %d to %d, %d plies, want sign %d and %d plies", r.Lower, r.Upper, p.Plies(r.Lower), tc.sign, tc.plies)
			}
			line := s.Line(t.Context(), p, r.Lower)
			if len(line) != tc.plies {
				t.Errorf("best play %v has %d moves, want %d", line, len(line), tc.plies)
			}
			if again := s.Line(t.Context(), p, r.Lower); fmt.Sprint(again) != fmt.Sprint(line) {
				t.Errorf("best play is %v, then %v", line, again)
			}
		})
	}
}

// TestOneThreadIsDeterministic: with one thread a new solver enters the same positions.
func TestOneThreadIsDeterministic(t *testing.T) {
	_, a := solver(t, 5, 5, 4, Options{})
	_, b := solver(t, 5, 5, 4, Options{})
	x, y := a.Solve(t.Context(), a.Start()), b.Solve(t.Context(), b.Start())
	if x != y || x.Nodes == 0 {
		t.Errorf("%+v, then %+v", x, y)
	}
	a.Clear()
	if z := a.Solve(t.Context(), a.Start()); z != x {
		t.Errorf("%+v, and %+v after Clear", x, z)
	}
}

// TestLimits: bounds proved before the limit are true, and the solver can continue from them.
func TestLimits(t *testing.T) {
	_, s := solver(t, 6, 5, 4, Options{})
	for nodes := uint64(1); ; nodes *= 4 {
		s.LimitNodes(nodes)
		r := s.Solve(t.Context(), s.Start())
		if r.Lower > 0 || r.Upper < 0 {
			t.Fatalf("%d nodes: score %d to %d, want 0 within", nodes, r.Lower, r.Upper)
		}
		if r.Nodes > nodes {
			t.Errorf("%d nodes for a limit of %d", r.Nodes, nodes)
		}
		if r.Exact() {
			break
		}
	}
	s.LimitNodes(0)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.Clear()
	if r := s.Solve(ctx, s.Start()); r.Exact() {
		t.Errorf("%+v without any time", r)
	}
}

// lastsFor is a context that is done after the given number of questions.
type lastsFor struct {
	context.Context
	looks int
}

func (c *lastsFor) Err() error {
	if c.looks--; c.looks < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestLooksAtClockDoNotChangeSearch: if nodes take long, the solver tests the limits more often, and this does not change its
// search.
func TestLooksAtClockDoNotChangeSearch(t *testing.T) {
	_, s := solver(t, 63, 1, 63, Options{})
	if r := s.Solve(&lastsFor{t.Context(), 3}, s.Start()); r.Exact() || r.Nodes > 30 {
		t.Errorf("%+v for three looks", r)
	}
	_, s = solver(t, 4, 6, 4, Options{})
	want := s.Solve(t.Context(), s.Start())
	if want.Nodes <= growAfter {
		t.Fatalf("%+v uses one table", want)
	}
	for _, every := range []uint64{1, 1000, 1 << 30} {
		s.Clear()
		s.workers[0].self().every = every
		if got := s.Solve(t.Context(), s.Start()); got != want {
			t.Errorf("a look every %d nodes: %+v, want %+v", every, got, want)
		}
	}
}

func TestPlay(t *testing.T) {
	_, s := solver(t, 2, 2, 2, Options{})
	p := s.Start()
	for _, tc := range []struct {
		column int
		legal  bool
	}{{2, false}, {-1, false}, {0, true}, {0, true}, {0, false}, {1, true}, {1, false}} {
		q, legal := p.Play(tc.column)
		if legal != tc.legal {
			t.Errorf("Play(%d): %t, want %t", tc.column, legal, tc.legal)
		}
		if legal {
			p = q
		}
	}
	for _, b := range [][3]int{{0, 5, 4}, {5, 0, 4}, {5, 5, 1}} {
		if _, err := newSolver(b[0], b[1], b[2], Options{}); err == nil || strings.Contains(err.Error(), "too large") {
			t.Errorf("New(%v): %v", b, err)
		}
	}
	if _, err := newSolver(16, 8, 4, Options{}); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("16x8: %v, want that it is too large", err)
	}
}

func TestConformance(t *testing.T) {
	searchtest.Run(t, func(g game.Game) search.Searcher {
		s, err := NewSearcher(g, Options{Hash: 1 << 20}, nil)
		if err != nil {
			return nil
		}
		return s
	})
}

// TestSearcher asks for values and lines that are known.
func TestSearcher(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.Connect4(7, 6, 4))
	p := g.Start()
	if err := notation.Play(p, "2252576253462244111563365343671351441"); err != nil {
		t.Fatal(err)
	}
	o := Options{Hash: 1 << 20}
	s, err := NewSearcher(g, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	info, err := s.Search(t.Context(), p, search.Limits{}, nil)
	if plies, sign := info.Score.Distance(); err != nil || !info.Solved || sign != -1 || plies != 4 || len(info.PV) != 4 {
		t.Errorf("%+v, %v, want a loss in 4", info, err)
	}
	if _, err := NewSearcher(gametest.Must[*mnk.Game](t)(mnk.Gomoku(9)), o, nil); err == nil {
		t.Error("gomoku is no Connect Four")
	}
}

// TestReportsComeBeforeTheEndAndWithinBounds: a long search sends reports before its end, and their scores are within the proved
// bounds.
func TestReportsComeBeforeTheEndAndWithinBounds(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.Connect4(8, 7, 4))
	for _, tc := range []struct {
		name   string
		unsure search.Searcher
		lines  int
	}{
		{"alone", nil, 1},
		{"alone, all moves", nil, 8},
		{"another search", mcts.New(mcts.Defaults()), 1},
		{"another search, all moves", mcts.New(mcts.Defaults()), 8},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, err := NewSearcher(g, Options{}, tc.unsure)
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			heard := map[int]game.Move{}
			info, err := s.Search(ctx, g.Start(), search.Limits{Lines: tc.lines}, func(i search.Info) {
				heard[i.Line] = i.PV[0]
				if tc.unsure == nil || len(heard) == tc.lines { // the first words may be about some of the moves
					stop()
				}
				if i.Solved || i.Nodes == 0 {
					t.Errorf("%+v before the end", i)
				}
			})
			if err != nil || info.PV[0] != heard[1] {
				t.Errorf("the answer is %+v, %v, after %v", info, err, heard)
			}
			if tc.unsure != nil && len(heard) != tc.lines {
				t.Errorf("heard of %d moves, want %d", len(heard), tc.lines)
			}
		})
	}
}

// TestOtherSearchIsMovedIntoBounds: the score of the other search is limited to the proved bounds.
func TestOtherSearchIsMovedIntoBounds(t *testing.T) {
	_, s := solver(t, 7, 6, 4, Options{})
	for _, tc := range []struct {
		lower, upper int
		word, want   eval.Score
		bound        search.Bound
	}{
		{-21, 21, 7, 7, search.Exact},
		{-3, 0, 7, 0, search.Upper},
		{-3, 0, -7, -7, search.Exact},
		{0, 3, -7, 0, search.Lower},
		{0, 0, -7, 0, search.Exact},
		{1, 3, -7, eval.Win(41), search.Lower},
		{-3, -1, -7, eval.Loss(42), search.Upper},
	} {
		task := task{p: s.Start(), bounds: Result{Lower: tc.lower, Upper: tc.upper}}
		if got := task.within(search.Info{Score: tc.word}); got.Score != tc.want || got.Bound != tc.bound {
			t.Errorf("%d to %d: %d becomes %d, bound %d, want %d, bound %d", tc.lower, tc.upper, tc.word, got.Score, got.Bound, tc.want, tc.bound)
		}
	}
}

// TestSolvedMovesStandBesideOthers: if only some of the moves are solved, the answers hold them together with the other search's
// moves.
func TestSolvedMovesStandBesideOthers(t *testing.T) {
	move := func(c int, score eval.Score, solved bool) search.Info {
		return search.Info{PV: []game.Move{game.Move(c)}, Score: score, Solved: solved}
	}
	_, s := solver(t, 7, 6, 4, Options{})
	for _, tc := range []struct {
		name          string
		proved, words []search.Info
		want          []game.Move
		solved        bool
		bound         search.Bound
	}{
		{"a word", []search.Info{move(3, 0, true)}, []search.Info{move(2, 50, false), move(3, 70, false), move(1, -9, false)}, []game.Move{2, 3, 1}, false, search.Exact},
		{"a draw", []search.Info{move(3, 0, true)}, []search.Info{move(3, 70, false), move(1, -9, false)}, []game.Move{3, 1}, false, search.Lower},
		{"a win", []search.Info{move(3, eval.Win(9), true), move(1, 0, true)}, []search.Info{move(2, 99, false)}, []game.Move{3, 2, 1}, true, search.Lower},
		{"all", []search.Info{move(3, 0, true), move(1, eval.Win(9), true)}, nil, []game.Move{1, 3}, true, search.Exact},
	} {
		t.Run(tc.name, func(t *testing.T) {
			task := task{p: s.Start(), bounds: Unknown(), lines: 7, proved: tc.proved, words: tc.words}
			var got []game.Move
			all := task.answers()
			for i, info := range all {
				got = append(got, info.PV[0])
				if info.Line != i+1 {
					t.Errorf("%+v is line %d", info, i+1)
				}
			}
			if !slices.Equal(got, tc.want) || all[0].Solved != tc.solved || all[0].Bound != tc.bound {
				t.Errorf("%v, the best %+v, want %v", got, all[0], tc.want)
			}
		})
	}
}
