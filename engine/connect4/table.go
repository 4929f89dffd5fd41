// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"encoding/binary"
	"io"
	"math/bits"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/krow-lab/krow/internal/cpu"
	"github.com/krow-lab/krow/search/tt"
)

// table stores bounds of positions. Threads share it without locks, because an entry is one word.
//
//	bucket   | the entry with the most work | the latest of the others |
//
//	entry    63           20 19    14 13   7 6    0
//	         | tag          | work   | upper | lower |
//
// mix multiplies a key by an odd number modulo 2^keyBits, so different keys have different products. The high bits of the
// product select the bucket, and all lower bits are the tag. So an entry never matches another position. Work is the binary
// logarithm of the number of nodes that were needed to find the bounds.
type table struct {
	entries
	shift uint   // number of bits by which a product is shifted right to give the bucket
	tags  uint64 // mask of the bits of a product that are the tag
	keys  hashed // mask of the lowest keyBits bits, which reduces a product modulo 2^keyBits
	// used contains the buckets written since the last clear. When the list is full, no bucket is added, and clear empties the
	// whole table. Otherwise clear empties only these buckets, which is fast and leaves the processor's caches unchanged. A table
	// that several threads share has no such list.
	used []uint64
}

const (
	spread    = 0x9e3779b97f4a7c15
	tagAt     = 20
	workAt    = 14
	upperAt   = 7
	field     = 0x7f
	works     = 0x3f
	noBound   = 64 // greater than every score
	bucketLen = 2
	usedLen   = 1 << 13
	nearBytes = 512 << 10
)

// hashed is the number that mix makes from a key.
type hashed = uint64

// newTable returns a table of at most the given number of bytes, or a larger table if the tag would otherwise be too long for
// an entry. shared means that several threads write to the table.
func newTable(bytes, keyBits int, shared bool) *table {
	n := max(bits.Len(uint(max(bytes, 1)/(8*bucketLen)))-1, keyBits-(64-tagAt), 0)
	n = min(n, keyBits)
	t := &table{entries: make(entries, bucketLen<<n), shift: uint(keyBits - n)}
	t.tags = 1<<t.shift - 1
	t.keys = 1<<(keyBits-1)<<1 - 1
	tt.HugePages(t.entries)
	if !shared {
		t.used = make([]uint64, 0, usedLen)
	}
	return t
}

// near returns a table for one thread that is small enough for a fast cache of the processor, or t if t is not larger than
// such a table.
func (t *table) near(keyBits int) *table {
	if n := newTable(nearBytes, keyBits, false); len(n.entries) < len(t.entries) {
		return n
	}
	return t
}

func (t *table) clear() {
	if len(t.used) == cap(t.used) {
		clear(t.entries)
	}
	for _, i := range t.used {
		t.entries[i], t.entries[i+1] = 0, 0
	}
	t.used = t.used[:0]
}

// mix spreads the bits of a key. All other methods take the result of mix and not the key.
func (t *table) mix(key board) hashed { return hashed(key) * spread & t.keys }

// probe returns the known bounds: lower <= score <= upper. An empty entry has the tag 0, and its bounds exclude no score.
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
	return unpack(e)
}

// pack returns the low bits of an entry, and unpack returns the bounds in them.
func pack(lower, upper int, work uint64) uint64 {
	return work<<workAt | uint64(noBound-upper)<<upperAt | uint64(lower+noBound)
}

func unpack(e uint64) (lower, upper int) {
	return int(e&field) - noBound, noBound - int(e>>upperAt&field)
}

func (t *table) name(mixed hashed) uint64 { return mixed }

func (t *table) fetch(mixed hashed) {
	cpu.Prefetch(unsafe.Pointer(&t.entries[mixed>>t.shift*bucketLen]))
}

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
	entry := tag<<tagAt | pack(lower, upper, work)
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

func (t *table) load(r io.Reader) error {
	t.used = t.used[:cap(t.used)] // if the list is full, the method clear empties all buckets
	return t.entries.load(r)
}

// entries are the words of a table or of a wideTable.
type entries []uint64

func (e entries) save(w io.Writer) error {
	for part := range slices.Chunk(e, 1<<12) {
		if err := binary.Write(w, binary.LittleEndian, []uint64(part)); err != nil {
			return err
		}
	}
	return nil
}

func (e entries) load(r io.Reader) error {
	for part := range slices.Chunk(e, 1<<12) {
		if err := binary.Read(r, binary.LittleEndian, []uint64(part)); err != nil {
			return err
		}
	}
	return nil
}

// wideTable is a table for keys of more than 64 bits. An entry has two words.
//
//	bucket   | the entry with the most work | the latest of the others |
//
//	entry    127    64   63           20 19    14 13   7 6    0
//	         | tag, high | tag, low     | work   | upper | lower |
//
// If a bucket is being written, another thread does not write to it. While an entry is being written, its lower word is 0; so a
// reader checks the lower word again after it has read the higher word.
type wideTable struct {
	entries
	busy  []uint32 // a bit for each bucket: whether a thread is writing to the bucket
	shift uint     // number of bits by which a product is shifted right to give the bucket
	keys  wideBoard
}

// wideHashed is the result of mix for a key: the bucket, and the two words of the tag. The low word is already shifted to
// its place in an entry.
type wideHashed struct{ bucket, low, high uint64 }

// newWideTable returns a wideTable of a size that is chosen as in newTable.
func newWideTable(bytes, keyBits int, _ bool) *wideTable {
	n := max(bits.Len(uint(max(bytes, 1)/(16*bucketLen)))-1, keyBits-(128-tagAt), 0)
	n = min(n, keyBits)
	t := &wideTable{entries: make(entries, 2*bucketLen<<n), busy: make([]uint32, 1<<n>>5+1), shift: uint(keyBits - n)}
	t.keys = wideBoard{}.minus(wideBoard{low: 1}).down(uint(wideBoardBits - keyBits))
	tt.HugePages(t.entries)
	return t
}

// near returns t and makes no small table. A worker uses the result of mix for both of its tables. For a wideTable this
// result depends on the size of the table, so both tables must be the same.
func (t *wideTable) near(int) *wideTable { return t }

func (t *wideTable) clear() { clear(t.entries) }

// mix multiplies a key by an odd number of 128 bits, modulo 2^keyBits.
func (t *wideTable) mix(key wideBoard) wideHashed {
	const spreadHigh = 0x2545f4914f6cdd1d
	high, low := bits.Mul64(key.low, spread)
	high += key.low*spreadHigh + key.high*spread
	p := wideBoard{low, high}.and(t.keys)
	bucket := p.down(t.shift)
	tag := p.minus(bucket.up(t.shift))
	return wideHashed{bucket.low, tag.low << tagAt, tag.high<<tagAt | tag.low>>(64-tagAt)}
}

func (t *wideTable) entry(mixed wideHashed) uint64 { return mixed.bucket * 2 * bucketLen }

func (t *wideTable) probe(mixed wideHashed) (lower, upper int) {
	i := t.entry(mixed)
	for range bucketLen {
		e := atomic.LoadUint64(&t.entries[i])
		if e != 0 && e>>tagAt<<tagAt == mixed.low && atomic.LoadUint64(&t.entries[i+1]) == mixed.high &&
			atomic.LoadUint64(&t.entries[i]) == e {
			return unpack(e)
		}
		i += 2
	}
	return -noBound, noBound
}

func (t *wideTable) name(mixed wideHashed) uint64 { return mixed.low ^ mixed.high ^ mixed.bucket }

func (t *wideTable) fetch(mixed wideHashed) { cpu.Prefetch(unsafe.Pointer(&t.entries[t.entry(mixed)])) }

func (t *wideTable) store(mixed wideHashed, lower, upper int, nodes uint64) {
	lock, bit := &t.busy[mixed.bucket>>5], uint32(1)<<(mixed.bucket&31)
	if atomic.OrUint32(lock, bit)&bit != 0 {
		return
	}
	i := t.entry(mixed)
	work := uint64(bits.Len64(nodes))
	entry := mixed.low | pack(lower, upper, work)
	old, oldHigh := t.entries[i], t.entries[i+1]
	switch {
	case old>>tagAt<<tagAt == mixed.low && oldHigh == mixed.high:
	case work >= old>>workAt&works:
		t.write(i+2, old, oldHigh)
	default:
		i += 2
	}
	t.write(i, entry, mixed.high)
	atomic.AndUint32(lock, ^bit)
}

func (t *wideTable) write(i, low, high uint64) {
	atomic.StoreUint64(&t.entries[i], 0)
	atomic.StoreUint64(&t.entries[i+1], high)
	atomic.StoreUint64(&t.entries[i], low)
}
