// SPDX-License-Identifier: Apache-2.0

package prover

import (
	"math/bits"

	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/tt"
)

// number is a proof or disproof number; infinite is that of what cannot be.
type number = uint32

const infinite number = 1<<26 - 1

// goal holds both numbers of a position, from the view of the side to move in it: least is how many more leaves must
// at least be settled for that side to get its way, most for the other.
type goal struct{ least, most number }

var (
	achieved = goal{0, infinite}
	missed   = goal{infinite, 0}
)

// entry keeps a key and what is known of it. Its third word is 0 where there is none.
//
//	63     38 37    12 11   7 6    0
//	|  least  |  most  |  c  | work |    work is the number of bits of the nodes it took
type entry struct{ a, b, rest uint64 }

// bucket is a cache line of entries. The one with less work makes room.
type bucket struct {
	entries [2]entry
	_       [2]uint64
}

const bucketBytes = 64

// table is a table of a fixed size, for positions of one game.
type table struct {
	buckets []bucket
	of      ultimate.Rules
}

func newTable(bytes int) *table {
	t := &table{buckets: make([]bucket, max(1, bytes/bucketBytes))}
	tt.HugePages(t.buckets)
	return t
}

func (t *table) clear() { clear(t.buckets) }

// rules makes the table one of these rules, under which keys of others mean nothing.
func (t *table) rules(r ultimate.Rules) {
	if t.of != r {
		t.clear()
		t.of = r
	}
}

func (t *table) bucket(k *key) *bucket {
	h := (k.a^uint64(k.c))*0x9e3779b97f4a7c15 ^ bits.RotateLeft64(k.b*0xbf58476d1ce4e5b9, 32)
	h *= 0x94d049bb133111eb
	i, _ := bits.Mul64(h^h>>29, uint64(len(t.buckets)))
	return &t.buckets[i]
}

// probe returns what is known of k, and the work behind it.
func (t *table) probe(k *key) (g goal, work uint8, ok bool) {
	b := &t.bucket(k).entries
	for i := range b {
		e := &b[i]
		if e.a == k.a && e.b == k.b && e.rest>>7&31 == uint64(k.c) && e.rest != 0 {
			return goal{number(e.rest >> 38), number(e.rest>>12) & infinite}, uint8(e.rest & 127), true
		}
	}
	return goal{}, 0, false
}

// store keeps what is known of k after so many nodes.
func (t *table) store(k *key, g goal, nodes uint64) {
	b := &t.bucket(k).entries
	rest := uint64(g.least)<<38 | uint64(g.most)<<12 | uint64(k.c)<<7 | uint64(bits.Len64(nodes))
	worst := &b[0]
	for i := range b {
		e := &b[i]
		if e.a == k.a && e.b == k.b && e.rest>>7&31 == uint64(k.c) {
			worst = e
			break
		}
		if e.rest&127 < worst.rest&127 {
			worst = e
		}
	}
	*worst = entry{k.a, k.b, rest}
}
