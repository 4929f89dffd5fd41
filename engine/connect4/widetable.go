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

// wideTable is table for keys of more than 64 bits.
//
//	bucket   | the dearest entry | the latest of the others |
//
//	entry    127    64   63           20 19    14 13   7 6    0
//	         | tag, high | tag, low     | work   | upper | lower |
//
// Its entries are of two words. Threads write to a bucket one at a time, who finds it taken leaves it; and they read
// the lower word again after the higher, since it is 0 while an entry is written.
type wideTable struct {
	entries []uint64 // the lower word of each first
	busy    []uint32 // a bit for each bucket
	shift   uint     // from the product to the bucket
	keys    wideBoard
}

// wideHashed is what mix makes of a key: the bucket and the tag's words, the lower one as it stands in an entry.
type wideHashed struct{ bucket, low, high uint64 }

const wideTagBits = 128 - tagAt

// newWideTable returns a table of at most so many bytes for keys of so many bits, and of no fewer than it takes for
// the tag to fit into an entry.
func newWideTable(bytes, keyBits int, _ bool) *wideTable {
	n := max(bits.Len(uint(max(bytes, 1)/(16*bucketLen)))-1, keyBits-wideTagBits, 0)
	n = min(n, keyBits)
	t := &wideTable{entries: make([]uint64, 2*bucketLen<<n), busy: make([]uint32, 1<<n>>5+1), shift: uint(keyBits - n)}
	t.keys = wideBoard{}.minus(wideBoard{low: 1}).down(uint(wideBoardBits - keyBits))
	tt.HugePages(t.entries)
	return t
}

// near returns t: what mix makes of a key is good for one table only.
func (t *wideTable) near(int) *wideTable { return t }

func (t *wideTable) bytes() int { return 8*len(t.entries) + 4*len(t.busy) }

func (t *wideTable) clear() { clear(t.entries) }

func (t *wideTable) save(w io.Writer) error { return saveWords(w, t.entries) }
func (t *wideTable) load(r io.Reader) error { return loadWords(r, t.entries) }

// mix spreads a key: it is multiplied by an odd number of 128 bits, modulo two to the bits of a key.
func (t *wideTable) mix(key wideBoard) wideHashed {
	const spreadHigh = 0x2545f4914f6cdd1d
	high, low := bits.Mul64(key.low, spread)
	high += key.low*spreadHigh + key.high*spread
	p := wideBoard{low, high}.and(t.keys)
	bucket := p.down(t.shift)
	tag := p.minus(bucket.up(t.shift))
	return wideHashed{bucket.low, tag.low << tagAt, tag.high<<tagAt | tag.low>>(64-tagAt)}
}

// entry returns the index of a bucket's first word.
func (t *wideTable) entry(mixed wideHashed) uint64 { return mixed.bucket * 2 * bucketLen }

// probe returns what is known of a position: lower <= score <= upper.
func (t *wideTable) probe(mixed wideHashed) (lower, upper int) {
	i := t.entry(mixed)
	for range bucketLen {
		e := atomic.LoadUint64(&t.entries[i])
		if e != 0 && e>>tagAt<<tagAt == mixed.low && atomic.LoadUint64(&t.entries[i+1]) == mixed.high &&
			atomic.LoadUint64(&t.entries[i]) == e {
			return int(e&field) - noBound, noBound - int(e>>upperAt&field)
		}
		i += 2
	}
	return -noBound, noBound
}

// name returns a number that hardly any other position has.
func (t *wideTable) name(mixed wideHashed) uint64 { return mixed.low ^ mixed.high ^ mixed.bucket }

// fetch begins to bring the bucket near for a probe to come.
func (t *wideTable) fetch(mixed wideHashed) {
	cpu.Prefetch(unsafe.Pointer(&t.entries[t.entry(mixed)]))
}

// store keeps the bounds of a position that took so many nodes.
func (t *wideTable) store(mixed wideHashed, lower, upper int, nodes uint64) {
	lock, bit := &t.busy[mixed.bucket>>5], uint32(1)<<(mixed.bucket&31)
	if atomic.OrUint32(lock, bit)&bit != 0 {
		return
	}
	i := t.entry(mixed)
	work := uint64(bits.Len64(nodes))
	entry := mixed.low | work<<workAt | uint64(noBound-upper)<<upperAt | uint64(lower+noBound)
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
