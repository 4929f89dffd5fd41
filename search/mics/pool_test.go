// SPDX-License-Identifier: Apache-2.0

package mics

import (
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
