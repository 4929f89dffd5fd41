// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"io"
	"math/bits"
	"sync/atomic"
	"unsafe"

	"github.com/krow-lab/krow/internal/cpu"
	"github.com/krow-lab/krow/tt"
)

// table remembers bounds of positions. Threads share it without locks: an entry is one word.
//
//	bucket   | the dearest entry | the latest of the others |
//
//	entry    63           20 19    14 13   7 6    0
//	         | tag          | work   | upper | lower |
//
// A key is multiplied by an odd number modulo 2^keyBits, which loses nothing. The product's high bits choose
// the bucket and all the lower ones are the tag, so that two positions are never taken for one another.
// Work is the binary logarithm of the nodes that the bounds took.
type table struct {
	entries []uint64
	shift   uint   // from the product to the bucket
	tags    uint64 // mask of the tag
	keys    hashed // mask of the product
	// used lists the buckets written since clear, until it is full: to empty those alone is quick, and leaves
	// the caches as they are. Threads that share a table keep no list.
	used []uint64
}

const (
	spread    = 0x9e3779b97f4a7c15
	tagAt     = 20
	workAt    = 14
	upperAt   = 7
	field     = 0x7f
	works     = 0x3f
	noBound   = 64 // beyond every score
	bucketLen = 2
	usedLen   = 1 << 13
	nearBytes = 512 << 10
)

// hashed is what mix makes of a key.
type hashed = uint64

// newTable returns a table of at most so many bytes for keys of so many bits, and of no fewer than it takes
// for the tag to fit into an entry. shared says that several threads write to it.
func newTable(bytes, keyBits int, shared bool) *table {
	n := max(bits.Len(uint(max(bytes, 1)/(8*bucketLen)))-1, keyBits-(64-tagAt), 0)
	n = min(n, keyBits)
	t := &table{entries: make([]uint64, bucketLen<<n), shift: uint(keyBits - n)}
	t.tags = 1<<t.shift - 1
	t.keys = 1<<(keyBits-1)<<1 - 1
	tt.HugePages(t.entries)
	if !shared {
		t.used = make([]uint64, 0, usedLen)
	}
	return t
}

// near returns a table for what one thread alone remembers, which stays in a cache near the processor; or t itself,
// where that is as small.
func (t *table) near(keyBits int) *table {
	if n := newTable(nearBytes, keyBits, false); n.bytes() < t.bytes() {
		return n
	}
	return t
}

// clear empties the table.
func (t *table) clear() {
	if len(t.used) == cap(t.used) {
		clear(t.entries)
	}
	for _, i := range t.used {
		t.entries[i], t.entries[i+1] = 0, 0
	}
	t.used = t.used[:0]
}

// mix spreads a key. All other methods take what it returns.
func (t *table) mix(key board) hashed { return hashed(key) * spread & t.keys }

// probe returns what is known of a position: lower <= score <= upper. What an empty entry says, whose tag is 0, is
// nothing.
func (t *table) probe(mixed hashed) (lower, upper int) {
	i := mixed >> t.shift * bucketLen
	if i+1 >= uint64(len(t.entries)) {
		return -noBound, noBound
	}
	e := atomic.LoadUint64(&t.entries[i])
	if e>>tagAt != mixed&t.tags {
		if e = atomic.LoadUint64(&t.entries[i+1]); e>>tagAt != mixed&t.tags {
			return -noBound, noBound
		}
	}
	return int(e&field) - noBound, noBound - int(e>>upperAt&field)
}

// name returns a number that hardly any other position has.
func (t *table) name(mixed hashed) uint64 { return mixed }

// fetch begins to bring the bucket near for a probe to come.
func (t *table) fetch(mixed hashed) {
	cpu.Prefetch(unsafe.Pointer(&t.entries[mixed>>t.shift*bucketLen]))
}

// store keeps the bounds of a position that took so many nodes.
func (t *table) store(mixed hashed, lower, upper int, nodes uint64) {
	i := mixed >> t.shift * bucketLen
	if i+1 >= uint64(len(t.entries)) {
		return
	}
	if len(t.used) < cap(t.used) {
		t.used = append(t.used, i)
	}
	tag := mixed & t.tags
	work := uint64(bits.Len64(nodes))
	entry := tag<<tagAt | work<<workAt | uint64(noBound-upper)<<upperAt | uint64(lower+noBound)
	old := atomic.LoadUint64(&t.entries[i])
	switch {
	case old>>tagAt == tag:
	case work >= old>>workAt&works:
		atomic.StoreUint64(&t.entries[i+1], old)
	default:
		i++
	}
	atomic.StoreUint64(&t.entries[i], entry)
}

func (t *table) bytes() int { return 8 * len(t.entries) }

// save writes all entries, and load reads back those of a table of the same size and keys.
func (t *table) save(w io.Writer) error { return saveWords(w, t.entries) }

func (t *table) load(r io.Reader) error {
	t.used = t.used[:cap(t.used)] // clear empties all
	return loadWords(r, t.entries)
}
