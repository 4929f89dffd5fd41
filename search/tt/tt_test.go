// SPDX-License-Identifier: Apache-2.0

package tt

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// TestSizeIsPowerOfTwo asks for a power of two of buckets within the bytes given.
func TestSizeIsPowerOfTwo(t *testing.T) {
	for _, tc := range []struct{ bytes, want int }{
		{-5, 64}, {0, 64}, {64, 64}, {127, 64}, {128, 128}, {1000, 512}, {1 << 20, 1 << 20}, {3 << 20, 2 << 20},
	} {
		if got := len(New(tc.bytes).buckets) * bucketBytes; got != tc.want {
			t.Errorf("New(%d) has %d bytes, want %d", tc.bytes, got, tc.want)
		}
	}
}

// TestFree: a table that takes the memory of another one is empty.
func TestFree(t *testing.T) {
	for range 3 {
		a := New(largeBytes)
		if data, ok := a.Probe(7); ok {
			t.Fatalf("a new table knows %d", data)
		}
		a.Store(7, 77)
		a.Age()
		a.Free()
	}
}

// TestTouch: a large table keeps what is stored while its pages are touched.
func TestTouch(t *testing.T) {
	table := New(largeBytes)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(table.touch)
	}
	for n := range uint64(1000) {
		table.Store(n<<40|n<<8, n+1)
	}
	wg.Wait()
	for n := range uint64(1000) {
		if got, ok := table.Probe(n<<40 | n<<8); !ok || got != n+1 {
			t.Fatalf("Probe %d = %d, %v", n, got, ok)
		}
	}
}

// TestTableEqualsMap holds the table to a map: it may forget, but what it says was stored last under that key.
func TestTableEqualsMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table, model := New(rapid.SampledFrom([]int{64, 256, 4096}).Draw(t, "bytes")), map[uint64]uint64{}
		// Few keys, so that they meet, and apart in the bits that are kept.
		key := rapid.Map(rapid.Uint64Range(0, 40), func(n uint64) uint64 { return n<<8 | n&3 })
		t.Repeat(map[string]func(*rapid.T){
			"store": func(t *rapid.T) {
				k, v := key.Draw(t, "key"), rapid.Uint64Min(1).Draw(t, "data")
				table.Store(k, v)
				model[k] = v
				if got, ok := table.Probe(k); !ok || got != v {
					t.Fatalf("Probe(%x) = %x, %v just after Store of %x", k, got, ok, v)
				}
			},
			"probe": func(t *rapid.T) {
				k := key.Draw(t, "key")
				if got, ok := table.Probe(k); ok && got != model[k] {
					t.Fatalf("Probe(%x) = %x, want %x or a miss", k, got, model[k])
				}
			},
			"age": func(*rapid.T) { table.Age() },
			"clear": func(t *rapid.T) {
				table.Clear()
				for k := range model {
					if _, ok := table.Probe(k); ok {
						t.Fatalf("Probe(%x) hits after Clear", k)
					}
				}
				clear(model)
			},
		})
	})
}

// TestZeroKey: the key 0, which a game's start may have, is not found in an empty table.
func TestZeroKey(t *testing.T) {
	table := New(64)
	if data, ok := table.Probe(0); ok {
		t.Errorf("Probe(0) = %x in an empty table", data)
	}
	table.Store(0, 7)
	if data, ok := table.Probe(0); !ok || data != 7 {
		t.Errorf("Probe(0) = %x, %v, want 7", data, ok)
	}
}

// TestReplacementOrder fills the one bucket of a table and looks who has to go.
func TestReplacementOrder(t *testing.T) {
	key := func(i int) uint64 { return uint64(i+1) << 8 }
	missing := func(table *Table) (gone []int) {
		for i := range 4 {
			if _, ok := table.Probe(key(i)); !ok {
				gone = append(gone, i)
			}
		}
		return gone
	}
	t.Run("the least worthy", func(t *testing.T) {
		table := New(64)
		for i, worth := range []uint64{9, 3, 7, 5} {
			table.Store(key(i), worth)
		}
		table.Store(key(4), 1)
		if got := fmt.Sprint(missing(table)); got != "[1]" {
			t.Errorf("replaced %s, want [1]", got)
		}
	})
	t.Run("the oldest", func(t *testing.T) {
		table := New(64)
		for i := range 4 {
			table.Store(key(i), 10-uint64(i))
			table.Age()
		}
		table.Store(key(4), 1)
		if got := fmt.Sprint(missing(table)); got != "[0]" {
			t.Errorf("replaced %s, want [0]", got)
		}
	})
	t.Run("its own", func(t *testing.T) {
		table := New(64)
		for i := range 4 {
			table.Store(key(i), 9)
		}
		table.Store(key(2), 1)
		if got := missing(table); len(got) != 0 {
			t.Errorf("replaced %v, want none", got)
		}
	})
}

// TestTornEntryIsIgnored writes half an entry, as a thread that was overtaken would.
func TestTornEntryIsIgnored(t *testing.T) {
	table := New(64)
	table.Store(1<<8, 77)
	table.buckets[0][0].data.Store(78)
	if data, ok := table.Probe(1 << 8); ok {
		t.Errorf("a torn entry was read as %x", data)
	}
}

// TestThreadsReadWholeEntries lets threads write and read the same few entries; data tells for which key it was written.
func TestThreadsReadWholeEntries(t *testing.T) {
	table := New(256)
	var wg sync.WaitGroup
	for n := range uint64(4) {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(n, 0))
			for range 50_000 {
				key := (rng.Uint64N(64) + 1) * 0x9e3779b97f4a7c15
				if data, ok := table.Probe(key); ok && data>>16 != key>>16 {
					t.Errorf("Probe(%x) = %x, written for another key", key, data)
					return
				}
				table.Store(key, key&^0xffff|rng.Uint64N(255)+1)
			}
		})
	}
	wg.Wait()
}

func BenchmarkTable(b *testing.B) {
	for _, mib := range []int{1, 256} {
		b.Run(fmt.Sprintf("size=%dMiB", mib), func(b *testing.B) {
			table, key := New(mib<<20), uint64(0)
			for b.Loop() {
				key += 0x9e3779b97f4a7c15
				if _, ok := table.Probe(key); !ok {
					table.Store(key, key|1)
				}
			}
		})
	}
}
