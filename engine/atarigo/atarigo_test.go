// SPDX-License-Identifier: Apache-2.0

package atarigo

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/krow-lab/krow/engine/score"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/atarigo"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/searchtest"
)

func newGame(t testing.TB, size int) *atarigo.Game {
	t.Helper()
	return gametest.Must[*atarigo.Game](t)(atarigo.New(size))
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
	searchtest.RunOn(t, of, newGame(t, 2), newGame(t, 9), newGame(t, 19))
}

func TestPlays(t *testing.T) {
	for size, want := range map[int]bool{2: true, 19: true, 20: false} {
		if _, err := New(newGame(t, size), Options{}); (err == nil) != want {
			t.Errorf("size %d: %v", size, err)
		}
	}
}

// TestSmallBoardsAreSolved compares the values of small boards with the values that game/atarigo finds.
func TestSmallBoardsAreSolved(t *testing.T) {
	for size, want := range map[int]int{2: -1, 3: 1, 4: -1} {
		g := newGame(t, size)
		info, err := newSearcher(t, g).Search(t.Context(), g.Start(), search.Limits{Nodes: 5_000_000}, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, sign := info.Score.Distance()
		t.Logf("size %d: %v in %d nodes, depth %d", size, info.Score, info.Nodes, info.Depth)
		if !info.Solved || sign != want {
			t.Errorf("size %d: %v, solved: %v", size, info.Score, info.Solved)
		}
	}
}

// scattered returns a position after a number of random moves that do not let the enemy capture, or nil if there is no such move.
func scattered(t testing.TB, size, stones int, seed uint64) *atarigo.Position {
	p, b := newGame(t, size).Start().(*atarigo.Position), newBoard(size)
	random := rand.New(rand.NewPCG(seed, 3))
	for range stones {
		b.load(p)
		moves := slices.DeleteFunc(p.AppendMoves(nil), func(m game.Move) bool {
			return b.captures(b.cell(m)) || b.room(b.cell(m), 2) < 2
		})
		if len(moves) == 0 {
			return nil
		}
		if p.Play(moves[random.IntN(len(moves))]); p.Outcome() != game.Ongoing {
			return nil
		}
	}
	return p
}

// wins reports whether the side to move wins, by the rules alone: it tries every move until the end of the game.
func wins(p *atarigo.Position, known map[uint64]bool) bool {
	if p.Outcome() != game.Ongoing {
		return p.Outcome() == game.WinFor(p.Turn())
	}
	if v, ok := known[p.Key()]; ok {
		return v
	}
	v := false
	for _, m := range p.AppendMoves(nil) {
		p.Play(m)
		v = !wins(p, known)
		p.Undo()
		if v {
			break
		}
	}
	known[p.Key()] = v
	return v
}

// TestSolvedValues compares the values of positions near the end of the game with those that a search of all moves finds.
func TestSolvedValues(t *testing.T) {
	for size, stones := range map[int]int{4: 5, 5: 12} {
		known, solved := map[uint64]bool{}, [2]int{}
		for seed := range uint64(60) {
			p := scattered(t, size, stones, seed)
			if p == nil {
				continue
			}
			info, err := newSearcher(t, p.Game()).Search(t.Context(), p, search.Limits{Nodes: 100_000}, nil)
			if err != nil {
				t.Fatal(err)
			}
			_, sign := info.Score.Distance()
			if !info.Solved {
				t.Errorf("size %d, seed %d: not solved", size, seed)
				continue
			}
			solved[(sign+1)/2]++
			if wins(p, known) != (sign > 0) {
				t.Errorf("%s\n%v, but the search of all moves finds the opposite", gametest.Picture(p), info.Score)
			}
		}
		if min(solved[0], solved[1]) < 5 {
			t.Errorf("size %d: %d losses and wins are too few", size, solved)
		}
	}
}

// plain replays a claimed win of side over the rules.
type plain struct {
	side   game.Side
	engine *Searcher
	seen   map[uint64]bool
}

// holds reports whether side wins within the given number of plies: side plays the engine's moves, and the enemy each move.
func (c *plain) holds(t *testing.T, p *atarigo.Position, depth int) bool {
	if p.Outcome() != game.Ongoing || depth == 0 {
		return p.Outcome() == game.WinFor(c.side)
	}
	key := p.Key()
	if v, ok := c.seen[key]; ok {
		return v
	}
	v := true
	if p.Turn() == c.side {
		info, err := c.engine.Search(t.Context(), p, search.Limits{Nodes: 20_000}, nil)
		if err != nil {
			t.Fatal(err)
		}
		p.Play(info.PV[0])
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

// TestProvedWins replays claimed wins on larger boards against every answer.
func TestProvedWins(t *testing.T) {
	long, cut, all := 0, 0, 0
	for seed := uint64(0); all < 12; seed++ {
		size := []int{6, 9, 13}[seed%3]
		p := scattered(t, size, size*size/4, seed)
		if p == nil {
			continue
		}
		info, err := newSearcher(t, p.Game()).Search(t.Context(), p, search.Limits{Nodes: 5_000}, nil)
		if err != nil {
			t.Fatal(err)
		}
		plies, sign := info.Score.Distance()
		if !info.Solved || sign <= 0 || plies < 5 || plies < 9 && seed%8 != 0 {
			continue
		}
		if all++; plies > 7 {
			long++
		}
		q := p.Clone()
		for _, m := range info.PV {
			if err := game.Play(q, m); err != nil {
				t.Fatal(err)
			}
		}
		if len(info.PV) > plies || q.Outcome() == game.WinFor(p.Turn().Other()) {
			t.Errorf("seed %d: the line of %d moves of a win in %d ends with %v", seed, len(info.PV), plies, q.Outcome())
		}
		if q.Outcome() == game.Ongoing { // the table may have lost a part of the line
			cut++
		}
		c := &plain{p.Turn(), newSearcher(t, p.Game()), map[uint64]bool{}}
		if !c.holds(t, p, plies+4) {
			t.Errorf("seed %d: %s\n%v %v does not win in %d", seed, gametest.Picture(p), p.Game().Format(info.PV[0]), info.Score, plies)
		}
	}
	if long < 3 || cut > all/3 {
		t.Errorf("of %d wins %d have more than seven plies, and %d lines are incomplete", all, long, cut)
	}
}

func TestNoAllocation(t *testing.T) {
	p := scattered(t, 19, 20, 1)
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
	p := newGame(b, 9).Start()
	s := newSearcher(b, p.Game())
	for b.Loop() {
		_ = s.Close() // each search begins with an empty table
		if _, err := s.Search(b.Context(), p, search.Limits{Nodes: 200_000}, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(200_000*b.N)/b.Elapsed().Seconds(), "nodes/s")
}
