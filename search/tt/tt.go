// SPDX-License-Identifier: Apache-2.0

// Package tt is a transposition table that threads share without locks.
//
// # Basics
//
//	t := tt.New(16 << 20)
//	t.Age() // a new search begins
//	t.Store(key, data)
//	data, ok := t.Probe(key)
//	t.Free() // the next New of this size takes its memory
//
// The low byte of data is the entry's worth, usually the search depth: entries with less worth are replaced first. The caller may
// use the other bytes for any data.
//
// # Layout
//
//	bucket, a cache line     | entry 0 | entry 1 | entry 2 | entry 3 |
//
//	entry, word 1            63                                8 7        0
//	                         | the caller's                     |  worth  |
//	entry, word 0            | bits 8 to 63 of the key          |   age   |   xor spread(word 1)
//
// The two words are written and read one after the other. If they come from two different writers, their xor is a wrong key, so
// Probe does not find the entry. Therefore no locks are needed. Word 1 is multiplied before the xor (spread). Otherwise a wrong
// low byte of word 1 would change only the age, which Probe does not compare.
//
// # Caveats
//
// Two keys that differ only in bits 0 to 7 share an entry in tables of less than 256 buckets. Two positions may have the same key,
// so the caller must check that a move from the table is legal.
//
// CITE: Hyatt and Mann, A Lockless Transposition-Table Implementation for Parallel Search, 2002.
package tt

import (
	"encoding/binary"
	"errors"
	"io"
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"
)

const (
	bucketBytes = 64
	pageBytes   = 4096
	largeBytes  = 8 << 20
	entries     = 4
	lowByte     = 0xff
	// The entry with the least worth, usually the search depth, is replaced first. Each search that begins after an entry was
	// stored lowers the worth of that entry by ageWeight.
	ageWeight = 8
)

// spread multiplies data so that each bit affects all higher bits.
func spread(data uint64) uint64 { return data * 0x9e3779b97f4a7c15 }

type entry struct{ check, data atomic.Uint64 }

// Table is a transposition table. Any goroutine may call its methods at any time, except where the comment on a method says otherwise.
type Table struct {
	buckets [][entries]entry
	mask    uint64
	age     atomic.Uint32
	tasks   sync.WaitGroup // counts the goroutines that run touch
}

// free contains the tables given back by Free; the index is the length of their number of buckets in bits. The garbage
// collector frees tables that stay unused for some time.
var free [64]sync.Pool

func empty(buckets uint64) *Table {
	t := &Table{buckets: make([][entries]entry, buckets), mask: buckets - 1}
	HugePages(t.buckets)
	return t
}

// New returns an empty table. The number of its buckets is the greatest power of two that fits into the given bytes, at
// least 1.
func New(bytes int) *Table {
	n := buckets(bytes)
	if bytes < largeBytes {
		t := empty(n)
		t.touch()
		return t
	}
	if t, ok := free[bits.Len64(n)].Get().(*Table); ok {
		clear(t.buckets)
		t.age.Store(0)
		return t
	}
	t := empty(n)
	// touch runs in the background, because it takes a second for a large table on a busy machine, and a game's clock may be
	// running.
	t.tasks.Go(t.touch)
	return t
}

// buckets returns the number of buckets of a table with the given number of bytes.
func buckets(bytes int) uint64 {
	if b := uint64(max(bytes, 0)) / bucketBytes; b > 1 {
		return 1 << (bits.Len64(b) - 1)
	}
	return 1
}

// Free makes the memory of the table available to the next New of the same size. The table must not be used afterwards.
func (t *Table) Free() {
	if len(t.buckets)*bucketBytes < largeBytes {
		return // a small table is not kept, because a new one is made just as quickly
	}
	t.tasks.Wait()
	free[bits.Len64(t.mask+1)].Put(t)
}

// touch writes to each page of the memory without changing it, because the first write to a page is slow.
func (t *Table) touch() {
	for i := 0; i < len(t.buckets); i += pageBytes / bucketBytes {
		t.buckets[i][0].data.Add(0)
	}
}

// Age makes all entries older by one search, so that they are replaced earlier.
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

// Place returns the address at which Probe will look for key, so that the caller can prefetch the memory.
func (t *Table) Place(key uint64) unsafe.Pointer { return unsafe.Pointer(&t.buckets[key&t.mask]) }

// Probe returns the value that was stored last under key, and reports whether it is still in the table.
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

// Store stores data, which must not be 0, under key. It replaces an entry with the same key. If there is none, it replaces an
// empty entry, or else the entry with the least worth in the bucket.
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

// Save writes the table in a form that Load reads. No other goroutine may store data during Save.
func (t *Table) Save(w io.Writer) error {
	var b [bucketBytes]byte
	for i := range t.buckets {
		for j := range t.buckets[i] {
			e := &t.buckets[i][j]
			binary.LittleEndian.PutUint64(b[16*j:], e.check.Load())
			binary.LittleEndian.PutUint64(b[16*j+8:], e.data.Load())
		}
		if _, err := w.Write(b[:]); err != nil {
			return err
		}
	}
	return nil
}

// Load replaces the contents by a table that Save wrote. bytes is the size given to New for that table; it may differ from this
// table's size. A smaller table keeps the entries with the most worth. All entries get the age of new entries.
func (t *Table) Load(r io.Reader, bytes int) error {
	t.Clear()
	var b [bucketBytes]byte
	for i := range buckets(bytes) {
		if _, err := io.ReadFull(r, b[:]); err != nil {
			return errors.New("the table is truncated")
		}
		for j := range entries {
			check, data := binary.LittleEndian.Uint64(b[16*j:]), binary.LittleEndian.Uint64(b[16*j+8:])
			if data != 0 { // an entry does not store the low byte of the key, but the index i contains this byte
				t.Store((check^spread(data))&^lowByte|i&lowByte, data)
			}
		}
	}
	return nil
}

// Claims contains the numbers of the tasks on which threads currently work, so that other threads choose other tasks. The caller
// numbers the tasks; 0 is not allowed. A claim is lost if another claim is stored in the same place.
//
// CITE: Weill, The ABDADA distributed minimax search algorithm, 1996; Kerrigan, Simplified ABDADA, 2018.
type Claims [1 << 10]atomic.Uint64

func (c *Claims) place(n uint64) *atomic.Uint64 { return &c[n*0x9e3779b97f4a7c15>>54] }

// Has reports whether a thread has claimed n.
func (c *Claims) Has(n uint64) bool { return c.place(n).Load() == n }

// Add claims n, and Drop removes the claim.
func (c *Claims) Add(n uint64)  { c.place(n).Store(n) }
func (c *Claims) Drop(n uint64) { c.place(n).CompareAndSwap(n, 0) }
