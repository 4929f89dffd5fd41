// SPDX-License-Identifier: Apache-2.0

// Package tt is a transposition table that threads share without locks.
//
// # Basics
//
//	t := tt.New(16 << 20)
//	t.Age() // a new search begins
//	t.Store(key, data)
//	data, ok := t.Probe(key)
//
// What data holds is the caller's business, but for its low byte, which is its worth: usually the depth.
//
// # Layout
//
//	bucket, a cache line     | entry 0 | entry 1 | entry 2 | entry 3 |
//
//	entry, word 1            63                                8 7        0
//	                         | the caller's                     |  worth  |
//	entry, word 0            | bits 8 to 63 of the key          |   age   |   xor spread(word 1)
//
// The two words are written and read one by one. If they come from different writers, they yield no key
// that anyone asks for, and the entry is a miss: that is what makes locks unnecessary. Word 1 is spread
// first, by a product, because its low byte alone would fall on the age, which nobody compares.
//
// # Caveats
//
// Two keys that differ only in bits 0 to 7 share an entry in tables of less than 256 buckets. Whoever
// takes a move from the table must check it, as two positions may share a key.
//
// CITE: Hyatt and Mann, A Lockless Transposition-Table Implementation for Parallel Search, 2002.
package tt

import (
	"math/bits"
	"sync/atomic"
)

const (
	bucketBytes = 64
	pageBytes   = 4096
	largeBytes  = 8 << 20
	entries     = 4
	lowByte     = 0xff
	// ageWeight is how much worth an entry loses with each search that has begun since it was stored.
	ageWeight = 8
)

// spread lets each bit of data bear on all the higher ones.
func spread(data uint64) uint64 { return data * 0x9e3779b97f4a7c15 }

type entry struct{ check, data atomic.Uint64 }

// Table is a transposition table. All its methods may be called by any goroutine at any time.
type Table struct {
	buckets [][entries]entry
	mask    uint64
	age     atomic.Uint32
}

// New returns an empty table of the greatest power of two of buckets that fits into so many bytes, and of
// one bucket at least.
func New(bytes int) *Table {
	n := uint64(1)
	if b := uint64(max(bytes, 0)) / bucketBytes; b > 1 {
		n = 1 << (bits.Len64(b) - 1)
	}
	t := &Table{buckets: make([][entries]entry, n), mask: n - 1}
	HugePages(t.buckets)
	if bytes < largeBytes {
		t.touch()
	} else {
		go t.touch() // for a large table on a busy machine that takes a second, which may be on somebody's clock
	}
	return t
}

// touch writes to each page, and changes nothing. A page that was never written is slow when it is first used.
func (t *Table) touch() {
	for i := 0; i < len(t.buckets); i += pageBytes / bucketBytes {
		t.buckets[i][0].data.Add(0)
	}
}

// Bytes returns the size of the table.
func (t *Table) Bytes() int { return len(t.buckets) * bucketBytes }

// Age makes what the table holds older by one search, and so the sooner replaced.
func (t *Table) Age() { t.age.Add(1) }

// Clear empties the table.
func (t *Table) Clear() {
	for i := range t.buckets {
		for j := range t.buckets[i] {
			t.buckets[i][j].data.Store(0)
			t.buckets[i][j].check.Store(0)
		}
	}
	t.age.Store(0)
}

// Probe returns what was stored last under key, if that is still there.
func (t *Table) Probe(key uint64) (data uint64, ok bool) {
	b := &t.buckets[key&t.mask]
	for i := range b {
		data := b[i].data.Load()
		if (b[i].check.Load()^spread(data)^key)&^lowByte == 0 && data != 0 {
			return data, true
		}
	}
	return 0, false
}

// Store keeps data, which must not be 0, under key. It takes the place of what the key had; else of an
// empty entry, or of the least worthy one in the bucket.
func (t *Table) Store(key, data uint64) {
	b := &t.buckets[key&t.mask]
	age := uint64(t.age.Load()) & lowByte
	victim, least := 0, 1<<30
	for i := range b {
		old := b[i].data.Load()
		check := b[i].check.Load() ^ spread(old)
		if (check^key)&^lowByte == 0 || old == 0 {
			victim = i
			break
		}
		if worth := int(old&lowByte) - ageWeight*int((age-check)&lowByte); worth < least {
			victim, least = i, worth
		}
	}
	b[victim].data.Store(data)
	b[victim].check.Store((key&^lowByte | age) ^ spread(data))
}
