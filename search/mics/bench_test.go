// SPDX-License-Identifier: Apache-2.0

package mics

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/search"
)

var ways = []struct {
	name string
	o    Options
}{
	{"order=heap/cells=array", Options{}},
	{"order=sort/cells=array", Options{Sort: true}},
	{"order=heap/cells=list", Options{List: true}},
	{"order=sort/cells=list", Options{Sort: true, List: true}},
}

// midgame plays random moves near the middle, so that there is something to order.
func midgame(b *testing.B, g game.Game, n int) game.Position {
	p := g.Start().(game.Lined)
	rng := rand.New(rand.NewPCG(4, 4))
	columns, rows := p.Size()
	for p.Ply() < n {
		x, y := columns/2+rng.IntN(7)-3, rows/2+rng.IntN(7)-3
		if m := game.Move(x + y*columns); game.Legal(p, m) {
			p.Play(m)
			if p.Outcome() != game.Ongoing {
				p.Undo()
			}
		}
	}
	return p
}

// grid is a board of the benchmarks.
var grid = [][3]int{{7, 7, 5}, {10, 10, 5}, {19, 19, 6}, {50, 50, 10}, {70, 70, 10}}

// BenchmarkOrdering finds the best q cells of one position.
func BenchmarkOrdering(b *testing.B) {
	for _, way := range ways {
		for _, s := range grid {
			b.Run(fmt.Sprintf("%s/game=mnk:%d,%d,%d", way.name, s[0], s[1], s[2]), func(b *testing.B) {
				g := gametest.Must[*mnk.Game](b)(mnk.MNK(s[0], s[1], s[2]))
				se := searcher(b, g, way.o)
				w := se.workers[0]
				w.load(b.Context(), midgame(b, g, 12), se.o.Branching, 1, time.Time{})
				var dst []ranked
				for b.Loop() {
					dst = w.order(dst[:0], w.q)
				}
			})
		}
	}
}

// BenchmarkCells takes a few cells out, looks at all that are left, and puts them back, which is what a line of
// the search does with them.
func BenchmarkCells(b *testing.B) {
	const plies = 8
	for _, kind := range []string{"array", "list"} {
		for _, n := range []int{49, 100, 361, 2500, 4900} {
			b.Run(fmt.Sprintf("kind=%s/cells=%d", kind, n), func(b *testing.B) {
				free := make([]game.Move, n)
				for c := range free {
					free[c] = game.Move(c)
				}
				order := rand.New(rand.NewPCG(6, 6)).Perm(n)
				var a array
				var l list
				a.load(n, free)
				l.load(n, free)
				at, sum := 0, game.Move(0)
				for b.Loop() {
					at = (at + plies) % (n - plies)
					taken := order[at : at+plies]
					for _, c := range taken {
						if kind == "array" {
							a.take(game.Move(c))
							for _, c := range a.cells[:a.free] {
								sum += c
							}
							continue
						}
						l.take(game.Move(c))
						for x := l.head.next; x != &l.head; x = x.next {
							sum += x.cell
						}
					}
					for i := plies - 1; i >= 0; i-- {
						if kind == "array" {
							a.untake(game.Move(taken[i]))
						} else {
							l.untake(game.Move(taken[i]))
						}
					}
				}
				sink = sum
			})
		}
	}
}

var sink game.Move

// BenchmarkSearch is the whole player: the nodes it visits in a second.
func BenchmarkSearch(b *testing.B) {
	for _, way := range ways {
		for _, s := range grid {
			b.Run(fmt.Sprintf("%s/game=mnk:%d,%d,%d", way.name, s[0], s[1], s[2]), func(b *testing.B) {
				g := gametest.Must[*mnk.Game](b)(mnk.MNK(s[0], s[1], s[2]))
				se := searcher(b, g, way.o)
				p := midgame(b, g, 12)
				nodes := uint64(0)
				for b.Loop() {
					info, err := se.Search(b.Context(), p, search.Limits{Nodes: 2000, Depth: 8}, nil)
					if err != nil {
						b.Fatal(err)
					}
					nodes += info.Nodes
				}
				b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
			})
		}
	}
}
