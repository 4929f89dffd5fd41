// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestTableHoldsOnlyStoredBounds compares the table with a map: the table may lose entries, but the bounds that it returns are the
// last ones stored for that key.
func TestTableHoldsOnlyStoredBounds(t *testing.T) {
	for _, tc := range []struct{ bytes, keyBits int }{{1, 8}, {1 << 10, 16}, {1 << 12, 49}, {1, 56}, {1 << 24, 64}} {
		t.Run(fmt.Sprintf("%+v", tc), func(t *testing.T) {
			table := newTable(tc.bytes, tc.keyBits, false)
			if table.shift > 64-tagAt {
				t.Errorf("tags of %d bits", table.shift)
			}
			holdToMap(t, table, tc.keyBits, func(rng *rand.Rand) hashed {
				return table.mix(board(rng.Uint64N(5000)) << (tc.keyBits - min(tc.keyBits, 13)))
			})
		})
	}
}

// TestWideTable is TestTable for keys of more than 64 bits.
func TestWideTable(t *testing.T) {
	for _, tc := range []struct{ bytes, keyBits int }{{1, 72}, {1 << 10, 100}, {1 << 12, 108}, {1, 30}} {
		t.Run(fmt.Sprintf("%+v", tc), func(t *testing.T) {
			table := newWideTable(tc.bytes, tc.keyBits, false)
			holdToMap(t, table, tc.keyBits, func(rng *rand.Rand) wideHashed {
				return table.mix(wideBoard{low: rng.Uint64N(5000)}.up(uint(rng.IntN(2) * (tc.keyBits - 13))))
			})
		})
	}
}

// holdToMap stores bounds under keys that draw returns.
func holdToMap[K comparable](t *testing.T, table interface {
	probe(K) (int, int)
	store(K, int, int, uint64)
}, seed int, draw func(*rand.Rand) K,
) {
	rng := rand.New(rand.NewPCG(1, uint64(seed)))
	model, found := map[K][2]int{}, 0
	for range 20_000 {
		key := draw(rng)
		lower, upper := table.probe(key)
		want, ok := model[key]
		switch {
		case lower == -noBound && upper == noBound:
		case !ok || want != [2]int{lower, upper}:
			t.Fatalf("probe(%v) = %d, %d, want %v or nothing", key, lower, upper, want)
		default:
			found++
		}
		lower = rng.IntN(2*noBound-1) - noBound + 1
		upper = lower + rng.IntN(noBound-lower)
		table.store(key, lower, upper, rng.Uint64N(1000))
		model[key] = [2]int{lower, upper}
		if l, u := table.probe(key); l != lower || u != upper {
			t.Fatalf("probe(%v) = %d, %d just after store of %d, %d", key, l, u, lower, upper)
		}
	}
	if found == 0 {
		t.Error("nothing was ever found again")
	}
}

// TestWideBoard compares boards of two words with boards of one word and with big integers.
func TestWideBoard(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	whole := new(big.Int).Lsh(big.NewInt(1), wideBoardBits)
	for range 5000 {
		b := wideBoard{rng.Uint64() & rng.Uint64(), rng.Uint64() & rng.Uint64() << rng.IntN(128)}
		c := wideBoard{rng.Uint64(), rng.Uint64()}
		n := uint(rng.IntN(300))
		x, y := b.big(), c.big()
		low := new(big.Int).And(x, new(big.Int).Neg(x))
		for _, tc := range []struct {
			name string
			got  wideBoard
			want *big.Int
		}{
			{"and", b.and(c), new(big.Int).And(x, y)},
			{"or", b.or(c), new(big.Int).Or(x, y)},
			{"not", b.not(c), new(big.Int).AndNot(x, y)},
			{"plus", b.plus(c), new(big.Int).Add(x, y)},
			{"minus", b.minus(c), new(big.Int).Sub(x, y)},
			{"up", b.up(n), new(big.Int).Lsh(x, n)},
			{"down", b.down(n), new(big.Int).Rsh(x, n)},
			{"lowest", b.lowest(), low},
			{"rest", b.rest(), new(big.Int).Sub(x, low)},
			{"below", b.below(), new(big.Int).Sub(low, big.NewInt(1))},
		} {
			if want := tc.want.Mod(tc.want, whole); tc.got.big().Cmp(want) != 0 {
				t.Fatalf("%s of %x, %x, %d: %x, want %x", tc.name, b, c, n, tc.got, want)
			}
		}
		if !b.empty() && (uint(b.first()) != x.TrailingZeroBits() || b.many() != (b.count() > 1)) {
			t.Fatalf("%x: first %d, many %v, count %d", b, b.first(), b.many(), b.count())
		}
		if b.less(c) != (x.Cmp(y) < 0) {
			t.Fatalf("%x less than %x: %v", b, c, b.less(c))
		}
	}
}

func (b wideBoard) big() *big.Int {
	r := new(big.Int).Lsh(new(big.Int).SetUint64(b.high), 64)
	return r.Or(r, new(big.Int).SetUint64(b.low))
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
			if stores > usedLen {
				table.store(table.mix(1<<40), 1, 2, 3)
				table.clear()
			}
			for i, e := range table.entries {
				if e != 0 {
					t.Fatalf("%d stores, shared %v: entry %d is %x after clear", stores, shared, i, e)
				}
			}
		}
	}
}

// TestMirrorImagesShareAKey: a position and its mirror image have one key, and no other position has it.
func TestMirrorImagesShareAKey(t *testing.T) {
	for _, size := range [][2]int{{4, 3}, {9, 2}, {3, 9}, {8, 7}} {
		_, s := solver(t, size[0], size[1], 4, Options{Hash: 1 << 16})
		w := s.workers[0].(*worker)
		rng := rand.New(rand.NewPCG(3, uint64(size[0])))
		met := map[hashed]Position{}
		for range 3000 {
			p, q := s.Start(), s.Start()
			for range rng.IntN(s.g.cells + 1) {
				c := rng.IntN(s.g.columns)
				if next, legal := p.Play(c); legal {
					p = next
					q, _ = q.Play(s.g.columns - 1 - c)
				}
			}
			k := w.key(&node{turn: narrow(p.turn), other: narrow(p.other)})
			if m := w.key(&node{turn: narrow(q.turn), other: narrow(q.other)}); m != k {
				t.Fatalf("%v: keys %x and %x of mirror images", size, k, m)
			}
			if old, ok := met[k]; ok && old != p && old != q {
				t.Fatalf("%v: one key %x for %+v and %+v", size, k, old, p)
			}
			met[k] = p
		}
	}
}
