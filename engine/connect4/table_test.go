// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"math/rand/v2"
	"testing"
)

// TestTable holds the table to a map: it may forget, but what it says was stored last, for no other key.
func TestTable(t *testing.T) {
	for _, tc := range []struct{ bytes, keyBits int }{{1, 8}, {1 << 10, 16}, {1 << 12, 49}, {1, 56}, {1 << 24, 64}} {
		table := newTable(tc.bytes, tc.keyBits, false)
		if table.shift > 64-tagAt {
			t.Errorf("%+v: tags of %d bits", tc, table.shift)
		}
		rng := rand.New(rand.NewPCG(1, uint64(tc.keyBits)))
		model, found := map[uint64][2]int{}, 0
		for range 20_000 {
			mixed := table.mix(board(rng.Uint64N(5000)) << (tc.keyBits - min(tc.keyBits, 13)))
			lower, upper := table.probe(mixed)
			want, ok := model[mixed]
			switch {
			case lower == -noBound && upper == noBound:
			case !ok || want != [2]int{lower, upper}:
				t.Fatalf("%+v: probe(%x) = %d, %d, want %v or nothing", tc, mixed, lower, upper, want)
			default:
				found++
			}
			lower = rng.IntN(2*noBound-1) - noBound + 1
			upper = lower + rng.IntN(noBound-lower)
			table.store(mixed, lower, upper, rng.Uint64N(1000))
			model[mixed] = [2]int{lower, upper}
			if l, u := table.probe(mixed); l != lower || u != upper {
				t.Fatalf("%+v: probe(%x) = %d, %d just after store of %d, %d", tc, mixed, l, u, lower, upper)
			}
		}
		if found == 0 {
			t.Errorf("%+v: nothing was ever found again", tc)
		}
	}
}

// TestClear empties tables after few stores and after many, alone and shared.
func TestClear(t *testing.T) {
	for _, stores := range []int{0, 5, usedLen, 3 * usedLen} {
		for _, shared := range []bool{false, true} {
			table := newTable(1<<20, 49, shared)
			for i := range stores {
				table.store(table.mix(board(i)), 1, 2, 3)
			}
			table.clear()
			for i, e := range table.entries {
				if e != 0 {
					t.Fatalf("%d stores, shared %v: entry %d is %x after clear", stores, shared, i, e)
				}
			}
		}
	}
}

// TestMirror: a position and its mirror image have one key, and no other position has it.
func TestMirror(t *testing.T) {
	for _, size := range [][2]int{{4, 3}, {9, 2}, {3, 9}, {8, 7}} {
		_, s := solver(t, size[0], size[1], 4, Options{Mirror: true, Hash: 1 << 16})
		w := s.workers[0]
		rng := rand.New(rand.NewPCG(3, uint64(size[0])))
		met := map[uint64]Position{}
		for range 3000 {
			p, q := s.Start(), s.Start()
			for range rng.IntN(s.cells + 1) {
				c := rng.IntN(s.columns)
				if next, err := p.Play(c); err == nil {
					p = next
					q, _ = q.Play(s.columns - 1 - c)
				}
			}
			k := w.key(&node{turn: p.turn, other: p.other})
			if m := w.key(&node{turn: q.turn, other: q.other}); m != k {
				t.Fatalf("%v: keys %x and %x of mirror images", size, k, m)
			}
			if old, ok := met[k]; ok && old != p && old != q {
				t.Fatalf("%v: one key %x for %+v and %+v", size, k, old, p)
			}
			met[k] = p
		}
	}
}
