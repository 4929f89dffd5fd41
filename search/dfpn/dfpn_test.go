// SPDX-License-Identifier: Apache-2.0

package dfpn_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/dfpn"
)

// graph is a game: positions by number, whose moves lead to greater numbers. A position without moves is won or not.
type graph struct {
	moves [][]int
	wins  []bool // of the attacker, where there is no move
}

func random(rng *rand.Rand) *graph {
	n := 2 + rng.IntN(60)
	g := &graph{make([][]int, n), make([]bool, n)}
	for i := range n {
		for range min(rng.IntN(5), n-1-i) {
			g.moves[i] = append(g.moves[i], i+1+rng.IntN(min(n-1-i, 9)))
		}
		g.wins[i] = rng.IntN(2) == 0
	}
	return g
}

// truth is whether the attacker wins, by looking at everything.
func (g *graph) truth(i int, attacker bool) bool {
	if len(g.moves[i]) == 0 {
		return g.wins[i]
	}
	for _, j := range g.moves[i] {
		if g.truth(j, !attacker) == attacker {
			return attacker
		}
	}
	return !attacker
}

// walk is a Position of a graph, with a table of a few goals by position and side.
type walk struct {
	dfpn.Core[int]
	*graph
	path     []int
	attacker bool // to move
	table    map[[2]int]uint64
	forgets  int // beyond so many goals
	plays    int
}

func (w *walk) at() int { return w.path[len(w.path)-1] }

func (w *walk) name(i int, attacker bool) [2]int {
	if attacker {
		return [2]int{i, 1}
	}
	return [2]int{i, 0}
}

func (w *walk) Expand(children []dfpn.Child[int]) []dfpn.Child[int] {
	for m, i := range w.moves[w.at()] {
		w.Step()
		c := dfpn.Child[int]{Key: i, Numbers: dfpn.Numbers{Phi: 1, Delta: 1}, Move: uint8(m)}
		if len(w.moves[i]) == 0 {
			c.Numbers = dfpn.For(w.wins[i]).Numbers(!w.attacker)
		} else if e, ok := w.table[w.name(i, !w.attacker)]; ok {
			c.Numbers, c.Work = dfpn.Unpack(e)
		}
		children = append(children, c)
	}
	return children
}

func (w *walk) Play(child *dfpn.Child[int]) {
	if w.plays++; w.moves[w.at()][child.Move] != child.Key {
		panic("the move of a child is not that of its key")
	}
	w.path, w.attacker = append(w.path, child.Key), !w.attacker
}

func (w *walk) Undo() { w.path, w.attacker = w.path[:len(w.path)-1], !w.attacker }

func (w *walk) Store(g dfpn.Numbers, nodes uint64) {
	if len(w.table) < w.forgets {
		w.table[w.name(w.at(), w.attacker)] = g.Pack(nodes)
	}
}

// TestRandomGraphsAreTrue holds the answers on random graphs to the truth, with and without a table, all at once and in small steps.
func TestRandomGraphsAreTrue(t *testing.T) {
	played := 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		g := random(rng)
		w := &walk{graph: g, path: []int{0}, attacker: rng.IntN(2) == 0, table: map[[2]int]uint64{}, forgets: 1000 * rng.IntN(2)}
		w.Deep, w.Overlap = rng.IntN(2) == 0, uint64(rng.IntN(4)*20)
		if len(g.moves[0]) == 0 {
			continue
		}
		b, nodes := search.NewBudget(t.Context(), search.Limits{}), uint64(10_000_000)
		if w.forgets > 0 && rng.IntN(2) == 0 {
			nodes = 1
		}
		goal := w.Ask(w, b, nodes)
		for goal.Verdict(w.attacker) == dfpn.Unknown {
			nodes *= 2
			goal = w.Ask(w, b, nodes)
		}
		if got, want := goal.Verdict(w.attacker), dfpn.For(g.truth(0, w.attacker)); got != want || len(w.path) != 1 {
			t.Fatalf("seed %d: %d, want %d: %+v", seed, got, want, g)
		}
		good := 0
		for _, c := range w.Children[0] {
			if c.Delta == 0 {
				good++
				if g.truth(c.Key, !w.attacker) != w.attacker {
					t.Fatalf("seed %d: move %d is not as good as it is said to be: %+v", seed, c.Move, g)
				}
			}
		}
		if (goal == dfpn.Achieved) != (good > 0) {
			t.Fatalf("seed %d: %d moves get the side to move its way, goal %v", seed, good, goal)
		}
		played += w.plays
	}
	if played < 5000 {
		t.Errorf("%d positions were entered: this tests too little", played)
	}
}

// TestHaltEndsSearch: the search ends within the nodes of one position.
func TestHaltEndsSearch(t *testing.T) {
	for seed := range uint64(200) {
		g := random(rand.New(rand.NewPCG(seed, 2)))
		if len(g.moves[0]) == 0 {
			continue
		}
		w := &walk{graph: g, path: []int{0}, table: map[[2]int]uint64{}}
		b := search.NewBudget(t.Context(), search.Limits{})
		if w.Ask(w, b, 7); b.Nodes > 7+4 {
			t.Errorf("seed %d: %d nodes, want 7 or little more", seed, b.Nodes)
		}
	}
}

func TestPack(t *testing.T) {
	for _, g := range []dfpn.Numbers{dfpn.Achieved, dfpn.Missed, {Phi: 1, Delta: 1}, {Phi: dfpn.Infinite - 1, Delta: 77}} {
		for _, nodes := range []uint64{0, 1, 255, 1 << 40} {
			word := g.Pack(nodes)
			if got, work := dfpn.Unpack(word); word == 0 || got != g || 1<<work <= nodes {
				t.Errorf("%v after %d nodes becomes %v and %d", g, nodes, got, work)
			}
		}
	}
}

func TestBest(t *testing.T) {
	for _, tc := range []struct {
		most   []dfpn.Number
		best   int
		second dfpn.Number
	}{
		{[]dfpn.Number{5}, 0, dfpn.Infinite},
		{[]dfpn.Number{5, 3, 9}, 1, 5},
		{[]dfpn.Number{3, 3}, 0, 3},
		{[]dfpn.Number{dfpn.Infinite, 4, 7, 5}, 1, 5},
	} {
		t.Run(fmt.Sprint(tc.most), func(t *testing.T) {
			var children []dfpn.Child[struct{}]
			for _, n := range tc.most {
				children = append(children, dfpn.Child[struct{}]{Numbers: dfpn.Numbers{Phi: 1, Delta: n}})
			}
			if best, second := dfpn.Best(children); best != tc.best || second != tc.second {
				t.Errorf("%d, %d, want %d, %d", best, second, tc.best, tc.second)
			}
		})
	}
}
