// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/search"
)

// TestEmptyStandardBoardIsKnown: the columns of the empty board of 7 x 6 have the values that Allis and Allen proved in 1988, and
// the distances that Tromp found later. The solver finds them without a search, and mirror images are equal.
func TestEmptyStandardBoardIsKnown(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.Connect4(7, 6, 4))
	s, err := NewSearcher(g, Options{Hash: 1 << 20}, nil)
	if err != nil {
		t.Fatal(err)
	}
	plies := make([]int, 7)
	_, err = s.Search(t.Context(), g.Start(), search.Limits{Lines: 7, Depth: 1}, func(i search.Info) {
		n, sign := i.Score.Distance()
		if plies[i.PV[0]] = n * sign; !i.Solved || i.Nodes > 0 {
			t.Errorf("%+v of a book", i)
		}
	})
	if want := []int{-40, -42, 0, 41, 0, -42, -40}; err != nil || !slices.Equal(plies, want) {
		t.Errorf("columns %v, %v, want %v", plies, err, want)
	}
}

// TestStandardAgrees: the entries of each level were solved independently. If all moves of a position are in the book, its score
// must be the score of the best move.
func TestStandardAgrees(t *testing.T) {
	_, s := solver(t, 7, 6, 4, Options{Hash: 1})
	b := standard()
	levels, err := b.levels(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	agree, found := 0, 0
	for _, l := range levels {
		for k, p := range l {
			v, ok := b.scores[k]
			if !ok {
				continue
			}
			found++
			if !b.movesOf(p) {
				continue
			}
			agree++
			if got := b.fromMoves(p); got != int(v) {
				t.Errorf("position %x is worth %+d, and its best move %+d", k, v, got)
			}
		}
	}
	if found != b.Len() || !b.Finished() || agree != found-len(levels[b.Plies]) {
		t.Errorf("%d entries, %d of which are positions; %d looked at", b.Len(), found, agree)
	}
}

func (b *Book) movesOf(p Position) bool {
	for _, q := range p.children() {
		if _, ok := b.score(q); !ok && !q.over() {
			return false
		}
	}
	return true
}

// TestStandardAgain proves entries of the last level again with a solver that works in another way, as tools/books -verify
// does with all of them in a day or so: with KROW_LONG 100 of them.
func TestStandardAgain(t *testing.T) {
	_, s := solver(t, 7, 6, 4, Options{NoParity: true})
	b := standard()
	levels, err := b.levels(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	last, count, r := levels[b.Plies], 1, rand.New(rand.NewPCG(7, 6))
	if os.Getenv("KROW_LONG") != "" {
		count = 100
	}
	keys := slices.Sorted(maps.Keys(last))
	for range count {
		k := keys[r.IntN(len(keys))]
		s.Clear()
		v := int(b.scores[k])
		// Two windows prove a score that is known: it is neither less nor more.
		if s.atMost(t.Context(), last[k], v-1) || !s.atMost(t.Context(), last[k], v) {
			t.Errorf("position %x is not worth %+d", k, v)
		}
	}
	t.Logf("%d of %d entries, %d nodes", count, len(keys), s.spent)
}

// TestMirrorScores: a position and its image have the same scores, from the other side.
func TestMirrorScores(t *testing.T) {
	_, s := solver(t, 7, 6, 4, Options{Hash: 1 << 20})
	for _, line := range []string{"1234567123456712345671", "44444422222266", "4453566726676534777112"} {
		p, q := s.Start(), s.Start()
		for _, c := range line {
			p, _ = p.Play(int(c - '1'))
			q, _ = q.Play(int('7' - c))
		}
		for c, next := range p.children() {
			image, ok := q.Play(6 - c)
			if got, want := s.Solve(t.Context(), next), s.Solve(t.Context(), image); !ok || got.Lower != want.Lower || !got.Exact() {
				t.Errorf("%s, column %d: %+v, and its image %+v", line, c+1, got, want)
			}
		}
	}
}

// TestBestInBook: if the moves of a position are in the book, the engine plays one of the best.
func TestBestInBook(t *testing.T) {
	_, s := solver(t, 7, 6, 4, Options{Hash: 1})
	b := standard()
	s.Book = b
	levels, err := b.levels(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, l := range levels {
		for k, p := range l {
			v, ok := b.scores[k]
			if !ok || !b.movesOf(p) {
				continue
			}
			n++
			q, _ := p.Play(s.Best(t.Context(), p, int(v)))
			if got := s.Solve(t.Context(), q); got.Lower != -int(v) || !got.Exact() {
				t.Errorf("position %x is worth %+d, and the move leads to %+v", k, v, got)
			}
		}
	}
	t.Logf("%d positions of the book looked at", n)
	if s.spent > 0 {
		t.Errorf("%d nodes were searched", s.spent)
	}
}

// TestBeyondBook: the engine's move beyond the book keeps the win or the draw, with no more nodes than the top level of the page
// can search in its five seconds on a slow machine. With KROW_LONG it asks about many positions, and prints the nodes for all
// columns of a position, and the number of moves that win later or lose sooner than necessary.
func TestBeyondBook(t *testing.T) {
	const limit = 9_000_000 // two thirds are the solver's
	g := gametest.Must[*mnk.Game](t)(mnk.Connect4(7, 6, 4))
	count, from := 1, 10
	if os.Getenv("KROW_LONG") != "" {
		count, from = 40, 6
	}
	for ply := from; ply <= 14; ply++ {
		r := rand.New(rand.NewPCG(uint64(ply), 1))
		var costs []uint64
		slow := 0
		for n := 0; n < count; {
			p := g.Start()
			for p.Ply() < ply && p.Outcome() == game.Ongoing {
				all := p.AppendMoves(nil)
				p.Play(all[r.IntN(len(all))])
			}
			if p.Outcome() != game.Ongoing {
				continue
			}
			n++
			columns := map[game.Move]eval.Score{}
			all, err := NewSearcher(g, Options{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			best, _ := all.Search(t.Context(), p, search.Limits{Lines: 7, Depth: 1}, func(i search.Info) { columns[i.PV[0]] = i.Score })
			costs = append(costs, best.Nodes)
			one, _ := NewSearcher(g, Options{}, nil)
			move, _ := one.Search(t.Context(), p, search.Limits{Nodes: limit, Depth: 1}, nil)
			_, got := columns[move.PV[0]].Distance()
			if _, want := best.Score.Distance(); columns[move.PV[0]] != best.Score {
				slow++
				if got == want {
					continue
				}
				t.Errorf("%v: move %d is worth %d, and the best %d", p.AppendHistory(nil), move.PV[0], columns[move.PV[0]], best.Score)
			}
		}
		slices.Sort(costs)
		t.Logf("%d plies: all columns cost %d k nodes at the middle, %d k for 95 %%, %d k at most; %d of %d moves are slow", ply, costs[len(costs)/2]/1000, costs[len(costs)*95/100]/1000, costs[len(costs)-1]/1000, slow, count)
	}
}
