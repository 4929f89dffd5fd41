// SPDX-License-Identifier: Apache-2.0

package mics

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/search"
)

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
	for _, s := range grid {
		b.Run(fmt.Sprintf("game=mnk:%d,%d,%d", s[0], s[1], s[2]), func(b *testing.B) {
			g := gametest.Must[*mnk.Game](b)(mnk.MNK(s[0], s[1], s[2]))
			se := searcher(b, g, Options{})
			w := se.workers[0]
			w.load(b.Context(), midgame(b, g, 12), se.o.Branching, 1, time.Time{})
			var dst []ranked
			for b.Loop() {
				dst = w.order(dst[:0], w.q)
			}
		})
	}
}

// walker is a pool that can be looked through. It is called once for a look, not once for a cell.
type walker interface {
	load(n int, free []game.Move)
	take(c game.Move)
	untake(c game.Move)
	give(c game.Move)
	ungive(c game.Move)
	sum() game.Move
}

type (
	walkedArray struct{ array }
	walkedList  struct{ list }
)

func (a *walkedArray) sum() (n game.Move) {
	for _, c := range a.cells[:a.free] {
		n += c
	}
	return n
}

func (l *walkedList) sum() (n game.Move) {
	for x := l.head.next; x != &l.head; x = x.next {
		n += x.cell
	}
	return n
}

// hashSet keeps the cells in play in a hash set, which the text tried and left.
type hashSet map[game.Move]struct{}

func (h hashSet) load(_ int, free []game.Move) {
	clear(h)
	for _, c := range free {
		h[c] = struct{}{}
	}
}
func (h hashSet) take(c game.Move)   { delete(h, c) }
func (h hashSet) untake(c game.Move) { h[c] = struct{}{} }
func (h hashSet) give(c game.Move)   { h[c] = struct{}{} }
func (h hashSet) ungive(c game.Move) { delete(h, c) }

func (h hashSet) sum() (n game.Move) {
	for c := range h {
		n += c
	}
	return n
}

// fresh makes a new array at each change, which the text tried and left.
type fresh struct{ all [][]game.Move }

func (f *fresh) top() []game.Move             { return f.all[len(f.all)-1] }
func (f *fresh) load(_ int, free []game.Move) { f.all = append(f.all[:0], slices.Clone(free)) }
func (f *fresh) untake(game.Move)             { f.all = f.all[:len(f.all)-1] }
func (f *fresh) ungive(game.Move)             { f.all = f.all[:len(f.all)-1] }
func (f *fresh) give(c game.Move)             { f.all = append(f.all, append(slices.Clone(f.top()), c)) }

func (f *fresh) take(c game.Move) {
	old := f.top()
	now := make([]game.Move, 0, len(old))
	for _, d := range old {
		if d != c {
			now = append(now, d)
		}
	}
	f.all = append(f.all, now)
}

func (f *fresh) sum() (n game.Move) {
	for _, c := range f.top() {
		n += c
	}
	return n
}

var pools = []struct {
	name string
	make func() walker
}{
	{"array", func() walker { return &walkedArray{} }},
	{"list", func() walker { return &walkedList{} }},
	{"hashset", func() walker { return hashSet{} }},
	{"fresh", func() walker { return &fresh{} }},
}

// TestPoolsAgree holds that what is measured does the same work.
func TestPoolsAgree(t *testing.T) {
	free := []game.Move{1, 2, 5, 7, 8}
	for _, kind := range pools {
		p := kind.make()
		p.load(9, free)
		p.take(5)
		p.take(8)
		if got := p.sum(); got != 10 {
			t.Errorf("%s: the sum is %d, want 10", kind.name, got)
		}
		p.untake(8)
		p.untake(5)
		if got := p.sum(); got != 23 {
			t.Errorf("%s: the sum is %d, want 23", kind.name, got)
		}
	}
}

// BenchmarkCells takes a few cells out, looks at all remaining cells, and puts the cells back, as the search does along a line.
func BenchmarkCells(b *testing.B) {
	const plies = 8
	for _, kind := range pools {
		for _, n := range []int{49, 100, 361, 2500, 4900} {
			b.Run(fmt.Sprintf("kind=%s/cells=%d", kind.name, n), func(b *testing.B) {
				free := make([]game.Move, n)
				for c := range free {
					free[c] = game.Move(c)
				}
				order := rand.New(rand.NewPCG(6, 6)).Perm(n)
				p := kind.make()
				p.load(n, free)
				at, sum := 0, game.Move(0)
				for b.Loop() {
					at = (at + plies) % (n - plies)
					taken := order[at : at+plies]
					for _, c := range taken {
						p.take(game.Move(c))
						sum += p.sum()
					}
					for _, c := range slices.Backward(taken) {
						p.untake(game.Move(c))
					}
				}
				sink = sum
			})
		}
	}
}

// selected returns the best q of all by quick-select, and sorts them: the other way that the text names.
func selected(all []ranked, q int) []ranked {
	for lo, hi := 0, len(all)-1; lo < hi; {
		pivot, i, j := all[lo+(hi-lo)/2], lo, hi
		for i <= j {
			for all[i].before(pivot) {
				i++
			}
			for pivot.before(all[j]) {
				j--
			}
			if i <= j {
				all[i], all[j] = all[j], all[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case q-1 <= j:
			hi = j
		case q-1 >= i:
			lo = i
		default:
			lo = hi
		}
	}
	best := all[:min(q, len(all))]
	slices.SortFunc(best, compare)
	return best
}

func heaped(all []ranked, q int, h *heap, dst []ranked) []ranked {
	h.items, h.max = h.items[:0], q
	for _, r := range all {
		if len(h.items) < q || r.before(h.items[0]) {
			h.offer(r)
		}
	}
	return h.drain(dst)
}

func sorted(all []ranked, q int) []ranked {
	slices.SortFunc(all, compare)
	return all[:min(q, len(all))]
}

// drawn returns n moves with values of which some are equal.
func drawn(r *rand.Rand, n int) []ranked {
	all := make([]ranked, n)
	for i := range all {
		all[i] = ranked{eval.Score(r.IntN(n)), game.Move(i)}
	}
	return all
}

// TestBestAgree holds that the three ways find the same.
func TestBestAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for range 2000 {
		all, q := drawn(rng, 1+rng.IntN(40)), 1+rng.IntN(8)
		want := slices.Clone(sorted(slices.Clone(all), q))
		if got := selected(slices.Clone(all), q); !slices.Equal(got, want) {
			t.Fatalf("quick-select of %d of %v: %v, want %v", q, all, got, want)
		}
		if got := heaped(all, q, &heap{}, nil); !slices.Equal(got, want) {
			t.Fatalf("heap of %d of %v: %v, want %v", q, all, got, want)
		}
	}
}

// BenchmarkBest finds the best q of n values, which are copied first.
func BenchmarkBest(b *testing.B) {
	for _, way := range []string{"heap", "quickselect", "sort"} {
		for _, size := range [][2]int{{16, 7}, {49, 6}, {100, 5}, {361, 4}, {2500, 3}, {4900, 3}} {
			b.Run(fmt.Sprintf("way=%s/cells=%d/q=%d", way, size[0], size[1]), func(b *testing.B) {
				all := drawn(rand.New(rand.NewPCG(9, 9)), size[0])
				work, dst, h := make([]ranked, len(all)), []ranked(nil), &heap{}
				for b.Loop() {
					copy(work, all)
					switch way {
					case "heap":
						dst = heaped(work, size[1], h, dst[:0])
					case "quickselect":
						dst = selected(work, size[1])
					default:
						dst = sorted(work, size[1])
					}
				}
				sink = dst[0].move
			})
		}
	}
}

// BenchmarkTiming is the timing run of a move of a second: at start-up it can measure the empty board alone, within the
// first search the position at hand. The metric is how many nodes a second each finds.
func BenchmarkTiming(b *testing.B) {
	for _, s := range grid {
		for _, at := range []string{"start", "search"} {
			b.Run(fmt.Sprintf("at=%s/game=mnk:%d,%d,%d", at, s[0], s[1], s[2]), func(b *testing.B) {
				g := gametest.Must[*mnk.Game](b)(mnk.MNK(s[0], s[1], s[2]))
				p := g.Start()
				if at == "search" {
					p = midgame(b, g, 12)
				}
				se, rate := searcher(b, g, Options{}), 0.0
				for b.Loop() {
					w := se.workers[0]
					r := &run{s: se, p: p, start: time.Now(), depth: se.o.Depth, q: se.o.Branching, lines: 1}
					w.load(b.Context(), p.Clone(), r.q, r.depth, deadline(r.start, time.Second))
					r.order(w)
					rate += timing(r, w, time.Second/timingFraction)
				}
				b.ReportMetric(rate/float64(b.N), "nodes/s")
			})
		}
	}
}

var sink game.Move

// BenchmarkSearch is the whole player: the nodes it visits in a second.
func BenchmarkSearch(b *testing.B) {
	for _, s := range grid {
		for threads := 1; threads <= 2; threads++ {
			b.Run(fmt.Sprintf("game=mnk:%d,%d,%d/threads=%d", s[0], s[1], s[2], threads), func(b *testing.B) {
				g := gametest.Must[*mnk.Game](b)(mnk.MNK(s[0], s[1], s[2]))
				se := searcher(b, g, Options{Threads: threads, Authors: true})
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
				b.ReportMetric(float64(nodes)/float64(b.N), "nodes")
			})
		}
	}
}
