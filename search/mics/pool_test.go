// SPDX-License-Identifier: Apache-2.0

package mics

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
)

// change is a take or a give of a cell.
type change struct {
	cell game.Move
	give bool
}

// TestPoolsUndoChanges makes and undoes random changes, in the reverse order, on both kinds of pool and on a plain set.
func TestPoolsUndoChanges(t *testing.T) {
	const n = 12
	rng := rand.New(rand.NewPCG(1, 9))
	var a array
	var l list
	for range 50 {
		in := map[game.Move]bool{}
		var free []game.Move
		for c := range game.Move(n) {
			if rng.IntN(3) > 0 {
				in[c] = true
				free = append(free, c)
			}
		}
		a.load(n, free)
		l.load(n, free)
		var done []change
		for range 200 {
			if len(done) > 0 && rng.IntN(2) == 0 {
				x := done[len(done)-1]
				done = done[:len(done)-1]
				in[x.cell] = !x.give
				if x.give {
					a.ungive(x.cell)
					l.ungive(x.cell)
				} else {
					a.untake(x.cell)
					l.untake(x.cell)
				}
			} else {
				c := game.Move(rng.IntN(n))
				x := change{c, !in[c]}
				done = append(done, x)
				in[c] = x.give
				if x.give {
					a.give(c)
					l.give(c)
				} else {
					a.take(c)
					l.take(c)
				}
			}
			checkPools(t, &a, &l, in)
		}
		for i := len(done) - 1; i >= 0; i-- {
			if done[i].give {
				a.ungive(done[i].cell)
			} else {
				a.untake(done[i].cell)
			}
		}
		if !slices.Equal(a.cells[:a.free], free) {
			t.Fatalf("all undone: %v, want %v", a.cells[:a.free], free)
		}
	}
}

func checkPools(t *testing.T, a *array, l *list, in map[game.Move]bool) {
	t.Helper()
	var want, linked []game.Move
	for c := range game.Move(len(a.cells)) {
		if in[c] {
			want = append(want, c)
		}
	}
	for x := l.head.next; x != &l.head; x = x.next {
		linked = append(linked, x.cell)
	}
	got := slices.Clone(a.cells[:a.free])
	slices.Sort(got)
	slices.Sort(linked)
	if !slices.Equal(got, want) || !slices.Equal(linked, want) {
		t.Fatalf("array %v, list %v, want %v", got, linked, want)
	}
	for i, c := range a.cells {
		if int(a.at[c]) != i {
			t.Fatalf("cell %d is at %d, not at %d", c, i, a.at[c])
		}
	}
}

// TestHeap holds the heap equal to sorting everything, ties included.
func TestHeap(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 500 {
		all := make([]ranked, rng.IntN(30))
		for i := range all {
			all[i] = ranked{eval.Score(rng.IntN(8)), game.Move(i)}
		}
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		q := 1 + rng.IntN(9)
		h := heap{max: q}
		for _, r := range all {
			h.offer(r)
		}
		got := h.drain(nil)
		slices.SortFunc(all, compare)
		if want := all[:min(q, len(all))]; !slices.Equal(got, want) {
			t.Fatalf("q=%d: %v, want %v", q, got, want)
		}
	}
}

func TestDeal(t *testing.T) {
	for _, total := range []uint64{0, 1, 5, 6, 1000, 12345, unlimited - 1} {
		for _, n := range []int{1, 2, 3, 9, 21} {
			sum := uint64(0)
			shares := deal(total, n, false)
			for i, s := range shares {
				sum += s
				if i > 0 && s > shares[i-1] {
					t.Errorf("deal(%d, %d) = %v grows", total, n, shares)
				}
			}
			if sum != total {
				t.Errorf("deal(%d, %d) = %v, which is %d", total, n, shares, sum)
			}
		}
	}
	for quarter, want := range map[bool][]uint64{false: {400, 300, 200, 100}, true: {250, 250, 250, 250}} {
		if got := deal(1000, 4, quarter); !slices.Equal(got, want) {
			t.Errorf("deal(1000, 4, %t) = %v, want %v", quarter, got, want)
		}
	}
	if got, want := deal(1000, 7, true), []uint64{250, 125, 125, 125, 125, 125, 125}; !slices.Equal(got, want) {
		t.Errorf("deal(1000, 7, true) = %v, want %v", got, want)
	}
}

// compare is before as slices.SortFunc wants it.
func compare(r, s ranked) int {
	return cmp.Or(cmp.Compare(s.score, r.score), cmp.Compare(r.move, s.move))
}

// node is a cell of a list. While it is out of the list it remembers its neighbours, so that the changes can
// be undone in the reverse order.
type node struct {
	cell       game.Move
	prev, next *node
}

// list keeps the cells in play as a doubly linked list, each node allocated by itself: what the text compares
// its array with.
type list struct {
	head  node // before the first cell and after the last one
	nodes []*node
	trail []node // the neighbours that a given cell had when it was taken
}

func (l *list) load(n int, free []game.Move) {
	if len(l.nodes) != n {
		l.nodes = make([]*node, n)
		for c := range l.nodes {
			l.nodes[c] = &node{cell: game.Move(c)}
		}
	}
	l.head.prev, l.head.next, l.trail = &l.head, &l.head, l.trail[:0]
	for _, c := range free {
		x := l.nodes[c]
		x.prev, x.next = l.head.prev, &l.head
		x.link()
	}
}

func (x *node) link()   { x.prev.next, x.next.prev = x, x }
func (x *node) unlink() { x.prev.next, x.next.prev = x.next, x.prev }

func (l *list) take(c game.Move)   { l.nodes[c].unlink() }
func (l *list) untake(c game.Move) { l.nodes[c].link() }

func (l *list) give(c game.Move) {
	x := l.nodes[c]
	l.trail = append(l.trail, *x)
	x.prev, x.next = &l.head, l.head.next
	x.link()
}

func (l *list) ungive(c game.Move) {
	x := l.nodes[c]
	x.unlink()
	last := len(l.trail) - 1
	x.prev, x.next = l.trail[last].prev, l.trail[last].next
	l.trail = l.trail[:last]
}
