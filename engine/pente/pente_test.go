// SPDX-License-Identifier: Apache-2.0

package pente

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/krow-lab/krow/engine/score"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/searchtest"
)

func newGame(t testing.TB, size int) *mnk.Game {
	t.Helper()
	g, err := mnk.Pente(size)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func newSearcher(t testing.TB, g game.Game) *Searcher {
	t.Helper()
	s, err := New(g, Options{Hash: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestConformance(t *testing.T) {
	of := func(g game.Game) search.Searcher {
		if !Plays(g) {
			return nil
		}
		return newSearcher(t, g)
	}
	searchtest.Run(t, of)
	must := gametest.Must[*mnk.Game](t)
	searchtest.RunOn(t, of, newGame(t, 2), newGame(t, 19), must(mnk.PenteBy(9, true, 4)))
}

func TestPlays(t *testing.T) {
	for size, want := range map[int]bool{1: true, 19: true, maxSide: true, maxSide + 1: false} {
		if _, err := New(newGame(t, size), Options{}); (err == nil) != want {
			t.Errorf("size %d: %v", size, err)
		}
	}
	if Plays(gametest.Must[*mnk.Game](t)(mnk.Gomoku(15))) {
		t.Error("the engine plays gomoku")
	}
}

// scattered returns a position after some random moves, or nil if the game is over.
func scattered(t testing.TB, size int, seed uint64) *mnk.Position {
	p := gametest.Must[*mnk.Game](t)(mnk.PenteBy(size, seed%3 == 0, 0)).Start().(*mnk.Position)
	dice := rand.New(rand.NewPCG(seed, 3))
	for range 8 + dice.IntN(20) {
		if p.Play(choose(p, dice)); p.Outcome() != game.Ongoing {
			return nil
		}
	}
	return p
}

// plain replays a claimed win of side over the rules.
type plain struct {
	side game.Side
	seen map[uint64]bool
}

// holds reports whether side wins within the given number of plies: side plays the engine's moves, and the enemy each move.
func (c *plain) holds(t *testing.T, p *mnk.Position, depth int) bool {
	if p.Outcome() != game.Ongoing || depth == 0 {
		return p.Outcome() == game.WinFor(c.side)
	}
	key := p.Key()
	if v, ok := c.seen[key]; ok {
		return v
	}
	v := true
	if p.Turn() == c.side {
		m, ok := atOnce(p)
		if !ok {
			info, err := newSearcher(t, p.Game()).Search(t.Context(), p, search.Limits{Nodes: 20_000}, nil)
			if err != nil {
				t.Fatal(err)
			}
			m = info.PV[0]
		}
		p.Play(m)
		v = c.holds(t, p, depth-1)
		p.Undo()
	} else {
		for _, m := range p.AppendMoves(nil) {
			if p.Play(m); v {
				v = c.holds(t, p, depth-1)
			}
			p.Undo()
		}
	}
	c.seen[key] = v
	return v
}

// atOnce returns a move that wins at once.
func atOnce(p *mnk.Position) (game.Move, bool) {
	side := p.Turn()
	for _, m := range p.AppendMoves(nil) {
		p.Play(m)
		won := p.Outcome() == game.WinFor(side)
		p.Undo()
		if won {
			return m, true
		}
	}
	return 0, false
}

// TestProvedWins replays claimed wins against every answer: 20 wins, or 500 with KROW_LONG.
func TestProvedWins(t *testing.T) {
	long, captured, all, wanted := 0, 0, 0, 20
	if os.Getenv("KROW_LONG") != "" {
		wanted = 500
	}
	for seed := uint64(0); all < wanted; seed++ {
		p := scattered(t, 9, seed)
		if p == nil {
			continue
		}
		if _, ok := atOnce(p); ok {
			info, err := newSearcher(t, p.Game()).Search(t.Context(), p, search.Limits{Nodes: 1000, Lines: 3}, nil)
			if err != nil || info.Score != eval.Win(1) {
				t.Errorf("seed %d: %v with three lines, %v, want a win in 1", seed, info.Score, err)
			}
			continue
		}
		info, err := newSearcher(t, p.Game()).Search(t.Context(), p, search.Limits{Nodes: 10_000}, nil)
		if err != nil {
			t.Fatal(err)
		}
		plies, sign := info.Score.Distance()
		if !info.Solved || sign <= 0 {
			continue
		}
		if all++; plies > 5 {
			long++
		}
		if p.Captured(game.First)+p.Captured(game.Second) > 0 {
			captured++
		}
		q := p.Clone()
		for _, m := range info.PV {
			if err := game.Play(q, m); err != nil {
				t.Fatal(err)
			}
		}
		if q.Outcome() != game.WinFor(p.Turn()) || len(info.PV) > plies {
			t.Errorf("seed %d: the line %v of a win in %d ends with %v", seed, info.PV, plies, q.Outcome())
		}
		c := &plain{side: p.Turn(), seen: map[uint64]bool{}}
		if !c.holds(t, p, plies+4) {
			t.Errorf("seed %d: %s\n%v %v does not win in %d", seed, gametest.Picture(p), p.Game().Format(info.PV[0]), info.Score, plies)
		}
	}
	if long == 0 || captured == 0 {
		t.Errorf("%d wins of more than one threat, %d with captures: too few", long, captured)
	}
}

func TestNoAllocation(t *testing.T) {
	p := scattered(t, 19, 1)
	s := newSearcher(t, p.Game())
	s.w.load(p)
	count := func(nodes uint64) float64 {
		return testing.AllocsPerRun(2, func() {
			s.w.budget, s.w.stopped = search.NewBudget(t.Context(), search.Limits{Nodes: nodes}), false
			s.w.table.Clear()
			s.w.search(-score.Infinity, score.Infinity, 6, 0)
		})
	}
	if few, many := count(10), count(5000); many > few {
		t.Errorf("%v allocations in 10 nodes, %v in 5000", few, many)
	}
}

func BenchmarkSearch(b *testing.B) {
	p := newGame(b, 19).Start()
	s := newSearcher(b, p.Game())
	for b.Loop() {
		_ = s.Close() // each search begins with an empty table
		if _, err := s.Search(b.Context(), p, search.Limits{Nodes: 20_000}, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(20_000*b.N)/b.Elapsed().Seconds(), "nodes/s")
}
