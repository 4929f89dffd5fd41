// SPDX-License-Identifier: Apache-2.0

package prover

import (
	"iter"
	"math/bits"

	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/search/dfpn"
	"github.com/krow-lab/krow/search/tt"
)

// key contains all properties of a position that matter for one question. Positions with the same key have the same answer. Keys
// are not hashed, so an entry of the table never matches another position.
//
//	   63   62    56 55          0
//	a |turn|  r6    | boards 0-3 |     a board takes 14 bits
//	b |    r8       | boards 4-7 |     r6 and r8: board 8
//	c | forced board, and the question |
type key struct {
	a, b uint64
	c    uint8
}

const boardBits = 14

// questionBits is the number of bits that describe a question: the attacking side, and whether this side plays only moves of
// the plan (plan.go).
const questionBits = 2

// The numbers of small boards in a key. There are three kinds of boards: closed boards, open boards that nobody can win any
// more, and boards that can still be won.
const (
	owned     = 0              // closed boards: owned + owner
	spoken    = 3              // boards that nobody can win any more: spoken + 512*owner + free cells
	classless = spoken + 3*512 // boards that can still be won: classless + the index of a class of equivalent boards
)

// nobody is the owner of a small board that nobody has won. It is also the owner of a won board that is in no row that its
// winner can still complete.
const nobody = 2

// numbers contains the number that a small board gets in a key; the index is the code of the board. If somebody has won the
// board, the number is 0 here. Equivalent boards have the same number. A stone is useless if its side can no longer complete
// any row through it. A useless stone counts only as an occupied cell:
//
//	X O X       O . X
//	. . .   =   . . .
//	O X O       X O X
var numbers = func() *[ultimate.Codes]uint16 {
	var ids [ultimate.Codes]uint16
	seen := make(map[[3]uint16]uint16, 1<<13)
	for x := range uint16(ultimate.Full + 1) {
		if ultimate.HasLine(x) {
			continue
		}
		for o := range subsets(ultimate.Full &^ x) {
			if ultimate.HasLine(o) {
				continue
			}
			rows := [2]uint16{within[ultimate.Full&^o], within[ultimate.Full&^x]}
			code := ultimate.Ternary[x] + 2*ultimate.Ternary[o]
			if rows == [2]uint16{} {
				ids[code] = spoken + nobody*512 + ultimate.Full&^(x|o)
				continue
			}
			class := [3]uint16{x & rows[0], o & rows[1], x | o}
			if _, ok := seen[class]; !ok {
				seen[class] = classless + uint16(len(seen))
			}
			ids[code] = seen[class]
		}
	}
	return &ids
}()

// subsets yields all subsets of a set, in increasing order.
func subsets(set uint16) iter.Seq[uint16] {
	return func(yield func(uint16) bool) {
		for part := uint16(0); yield(part) && part != set; {
			part = (part - set) & set
		}
	}
}

func (s *state) use() [2]uint16 {
	if s.Rules.Draw == ultimate.Boards {
		return [2]uint16{ultimate.Full, ultimate.Full}
	}
	return [2]uint16{within[s.reach[0]&ultimate.Full], within[s.reach[1]&ultimate.Full]}
}

func (s *state) key(question uint8) key {
	k, use := key{a: uint64(s.Turn) << 63, c: s.Forced<<questionBits | question}, s.use()
	for i := range 9 {
		k.change(i, s.number(i, use))
	}
	return k
}

// change flips the bits of x in the number of small board i.
func (k *key) change(i int, x uint64) {
	switch {
	case i < 4:
		k.a ^= x << (boardBits * i)
	case i < 8:
		k.b ^= x << (boardBits * (i - 4))
	default:
		k.a ^= x >> 8 << 56
		k.b ^= x << 56
	}
}

// child returns the key of next, the position after the move m in s. k is the key of s.
func (k *key) child(s, next *state, m uint8) key {
	use := next.use()
	if use != s.use() {
		return next.key(k.c & (1<<questionBits - 1))
	}
	c, i := *k, int(m/9)
	c.change(i, s.number(i, use)^next.number(i, use))
	c.a ^= uint64(s.Turn^next.Turn) << 63
	c.c = next.Forced<<questionBits | k.c&(1<<questionBits-1)
	return c
}

func (s *state) number(i int, use [2]uint16) uint64 {
	bit := uint16(1) << i
	owner := uint64(nobody)
	switch {
	case s.Won[0]&use[0]&bit != 0:
		owner = 0
	case s.Won[1]&use[1]&bit != 0:
		owner = 1
	}
	switch {
	case s.Closed&bit != 0:
		return owned + owner
	case s.Rules.Open && ((s.Won[0]|s.Won[1])&bit != 0 || (use[0]|use[1])&bit == 0):
		return spoken + owner*512 + uint64(s.Free(i))
	}
	return uint64(numbers[s.Code(i)])
}

// entry contains a key and its known result, packed by dfpn. known is 0 if there is no entry.
type entry struct {
	key
	known uint64
}

// bucket is a cache line of entries. A new entry replaces the entry with the least work.
type bucket [2]entry

const bucketBytes = 64

// table is a hash table of fixed size for positions of one game.
type table struct {
	buckets []bucket
	rules   ultimate.Rules
}

func newTable(bytes int) *table {
	t := &table{buckets: make([]bucket, max(1, bytes/bucketBytes))}
	tt.HugePages(t.buckets)
	return t
}

func (t *table) clear() { clear(t.buckets) }

func (t *table) use(r ultimate.Rules) {
	if t.rules != r {
		t.clear()
		t.rules = r
	}
}

// hash returns a number in which each bit depends on the whole key.
func (k *key) hash() uint64 {
	h := (k.a^uint64(k.c))*0x9e3779b97f4a7c15 ^ bits.RotateLeft64(k.b*0xbf58476d1ce4e5b9, 32)
	h *= 0x94d049bb133111eb
	return h ^ h>>29
}

func (t *table) bucket(k *key) *bucket {
	i, _ := bits.Mul64(k.hash(), uint64(len(t.buckets)))
	return &t.buckets[i]
}

func (t *table) probe(k *key) (g dfpn.Numbers, work uint8, ok bool) {
	b := t.bucket(k)
	for i := range b {
		if e := &b[i]; e.known != 0 && e.key == *k {
			g, work = dfpn.Unpack(e.known)
			return g, work, true
		}
	}
	return dfpn.Numbers{}, 0, false
}

func (t *table) store(k *key, g dfpn.Numbers, nodes uint64) {
	b := t.bucket(k)
	e := &b[0]
	if other := &b[1]; e.key != *k && (other.key == *k || uint8(other.known) < uint8(e.known)) {
		e = other
	}
	*e = entry{*k, g.Pack(nodes)}
}
