// SPDX-License-Identifier: Apache-2.0

package mnk

import (
	"math/bits"

	"github.com/krow-lab/krow/search/dfpn"
)

// The weight of an open line is halved for each stone that it lacks. A line that lacks more than far stones has the weight of a
// line that lacks far stones. This weight is too great, which is safe.
const (
	whole = 1 << far
	half  = whole / 2
)

func (b *board) sum(s side) uint32 {
	sum := 0
	for i := range b.now.blocks {
		k := &b.now.blocks[i]
		for n := 1; n <= min(far, b.k); n++ {
			sum += bits.OnesCount64(k.lacking(s, n)) << (far - n)
		}
	}
	return uint32(sum)
}

func (b *board) worth(c int, s side) uint32 {
	sum := 0
	for i := range b.now.blocks {
		k := &b.now.blocks[i]
		if x := b.through[c*b.blocks+i] & k.live[s]; x != 0 {
			for n := 1; n <= min(far, b.k); n++ {
				sum += bits.OnesCount64(x&k.lack[s][n]) << (far - n)
			}
		}
	}
	return uint32(sum)
}

func (b *board) judge(s side) dfpn.Verdict {
	n := b.now
	switch {
	case s == attacker && !n.win[attacker].empty():
		return dfpn.Proven
	case s == defender && !n.win[defender].empty():
		return dfpn.Refuted
	case s == attacker && n.win[defender].count() > 1:
		return dfpn.Refuted
	case s == defender && n.win[attacker].count() > 1:
		return dfpn.Proven
	case b.hopeless(), b.breaks(s), s == attacker && b.answers():
		return dfpn.Refuted
	}
	return dfpn.Unknown
}

// answers reports whether the defender can break every line by a method that needs no search, with the attacker to move.
func (b *board) answers() bool {
	if b.plan != nil {
		return b.planned(set{})
	}
	return b.paired()
}

// breaks reports whether the defender breaks every line by always taking the most valuable cell. An open line is worth 2^-(stones
// that it lacks). The attacker's next move can increase the sum of these values at most by as much as the defender's move has
// decreased it. So if the sum is below one half with the attacker to move, it never reaches 1, the value of a full line.
// CITE: Erdős and Selfridge, On a Combinatorial Game, 1973.
func (b *board) breaks(s side) bool {
	sum := b.sum(attacker)
	if s == attacker {
		return sum < half
	}
	if forced := b.now.win[attacker]; !forced.empty() {
		return sum-b.worth(forced.first(), attacker) < half
	}
	if sum >= 4*half {
		return false
	}
	for free := b.free().minus(b.now.dead); !free.empty(); {
		if sum-b.worth(free.pop(), attacker) < half {
			return true
		}
	}
	return false
}

func (b *board) hopeless() bool {
	for i := range b.now.blocks {
		if b.now.blocks[i].live[attacker] != 0 {
			return false
		}
	}
	return true
}

// pairing gives each group of lines two cells that belong to no other group.
//
//	. . . . .     two open lines of four in a row of five have three cells in common;
//	  a a         a pair of these cells breaks both lines
type pairing struct {
	owner []int16 // by cell: the group to whose pair the cell belongs, or -1
	// A group is a set of lines that one pair breaks. groups contains, for each group, the free cells that are on all its lines.
	groups []set
	seen   set
}

// paired reports whether disjoint pairs of free cells break all open lines of the attacker. If the attacker takes one cell of a
// pair, the defender then takes the other.
// CITE: Hales and Jewett, Regularity and Positional Games, 1963.
func (b *board) paired() bool {
	p, free := &b.pairs, b.free()
	p.groups = p.groups[:0]
	room := free.count()
	for i := range b.now.blocks {
		for m := b.now.blocks[i].live[attacker]; m != 0; m &= m - 1 {
			cells := b.lines[i<<6+bits.TrailingZeros64(m)].and(free)
			if last := len(p.groups) - 1; last >= 0 {
				if both := p.groups[last].and(cells); both.several() {
					p.groups[last] = both
					continue
				}
			}
			if p.groups = append(p.groups, cells); 2*len(p.groups) > room {
				return false
			}
		}
	}
	for i := range p.owner {
		p.owner[i] = -1
	}
	for i := range p.groups {
		for range 2 {
			if p.seen = (set{}); !p.give(i) {
				return false
			}
		}
	}
	return true
}

// give finds another cell for group i. It may take the cell of another group if that group can get a different cell.
func (p *pairing) give(i int) bool {
	for rest := p.groups[i].minus(p.seen); !rest.empty(); rest = rest.minus(p.seen) {
		c := rest.pop()
		p.seen.add(c)
		if o := p.owner[c]; o != int16(i) && (o < 0 || p.give(int(o))) {
			p.owner[c] = int16(i)
			return true
		}
	}
	return false
}

// moves returns the moves of s that the search must try; the position must not be decided. If the other side threatens to
// win at once, the only move is the answer to this threat. Otherwise the moves are the cells that are on an open line and
// are not dominated.
func (b *board) moves(s side, dst []uint8) []uint8 {
	n := b.now
	b.better = set{}
	if forced := n.win[s^1]; !forced.empty() {
		return append(dst, uint8(forced.first()))
	}
	free := b.free().minus(n.dead)
	for rest := free; !rest.empty(); {
		c := rest.pop()
		if !b.dominated(c, free) {
			dst = append(dst, uint8(c))
		}
	}
	return dst
}

// dominated reports whether another free cell is on all live lines through c. A line is live if it is open for at least one
// side. If two cells are on exactly the same live lines, only the cell with the greater number is dominated.
func (b *board) dominated(c int, free set) bool {
	common := free
	common.remove(c)
	for i := range b.now.blocks {
		k := &b.now.blocks[i]
		for m := (k.live[0] | k.live[1]) & b.through[c*b.blocks+i]; m != 0; m &= m - 1 {
			if common = common.and(b.lines[i<<6+bits.TrailingZeros64(m)]); common.empty() {
				return false
			}
		}
	}
	for !common.empty() {
		if x := common.pop(); x < c || b.lively(x) != b.lively(c) {
			b.better.add(x)
			return true
		}
	}
	return false
}

// lively returns the number of live lines through a cell.
func (b *board) lively(c int) int {
	sum := 0
	for i := range b.now.blocks {
		k := &b.now.blocks[i]
		sum += bits.OnesCount64((k.live[0] | k.live[1]) & b.through[c*b.blocks+i])
	}
	return sum
}
