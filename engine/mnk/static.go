// SPDX-License-Identifier: Apache-2.0

package mnk

// verdict is what is known about the question: whether the attacker gets k in a row.
type verdict int8

const (
	unknown verdict = iota
	proven          // he does, whatever the defender plays
	refuted         // he does not
)

// judge looks at a position with s to move, and says what needs no search.
func (b *board) judge(s side, o *Options) verdict {
	n := b.now
	switch {
	case s == attacker && !n.win[attacker].empty():
		return proven
	case s == defender && !n.win[defender].empty():
		return refuted
	case s == attacker && n.win[defender].count() > 1:
		return refuted
	case s == defender && n.win[attacker].count() > 1:
		return proven
	case n.sum[attacker] == 0:
		return refuted
	case !o.NoPotential && b.breaks(s):
		return refuted
	case !o.NoPairing && s == attacker && n.win[attacker].empty() && b.paired():
		return refuted
	}
	return unknown
}

// breaks says whether the defender, by always taking the cell worth most, keeps every line from being
// completed. Each open line is worth 2^-(cells left); what his move takes off the sum, the attacker's next
// cannot put back. If the sum is below one half with the attacker to move, it never gets to one.
// CITE: Erdős and Selfridge, On a Combinatorial Game, 1973.
func (b *board) breaks(s side) bool {
	if b.k > maxWeight {
		return false
	}
	sum, half := b.now.sum[attacker], weight(uint8(b.k-1))
	if s == attacker {
		return sum < half
	}
	if forced := b.now.win[attacker]; !forced.empty() {
		return sum-b.now.worth[forced.first()]&^countMask < half
	}
	for free := b.all.minus(b.now.stones[attacker]).minus(b.now.stones[defender]); !free.empty(); {
		if sum-b.now.worth[free.pop()]&^countMask < half {
			return true
		}
	}
	return false
}

// pairing gives two cells of its own to each group of lines.
//
//	. . . . .     two open lines of four in a row of five: one pair on the three cells
//	  a a         that are on both keeps both of them
type pairing struct {
	owner  []int16 // of each cell: the group it is given to, -1 for none
	groups []set   // lines that one pair breaks, as the free cells on all of them
	seen   set
}

// paired says whether all open lines of the attacker can be broken by pairs of free cells that have none in common.
// The defender then answers one cell of a pair with the other.
// CITE: Hales and Jewett, Regularity and Positional Games, 1963.
func (b *board) paired() bool {
	n, p := b.now, &b.pairs
	free := b.all.minus(n.stones[attacker]).minus(n.stones[defender])
	p.groups = p.groups[:0]
	room := free.count()
	for l := range b.lines {
		if n.held[l]&closed != 0 || n.held[len(b.lines)+l]&^closed != 0 {
			continue
		}
		cells := b.lines[l].and(free)
		if last := len(p.groups) - 1; last >= 0 {
			if both := p.groups[last].and(cells); both.count() > 1 {
				p.groups[last] = both
				continue
			}
		}
		if p.groups = append(p.groups, cells); 2*len(p.groups) > room {
			return false
		}
	}
	for i := range p.owner {
		p.owner[i] = -1
	}
	for i := range p.groups {
		for range 2 {
			p.seen = set{}
			if !p.give(i) {
				return false
			}
		}
	}
	return true
}

// give finds group i one more cell, where need be by finding another for the group that has it.
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

// moves lists what s has to look at with the position not decided: the answer to a threat if there is one;
// otherwise the cells on open lines that no other cell makes needless.
func (b *board) moves(s side, o *Options, dst []uint8) []uint8 {
	n := b.now
	if forced := n.win[s^1]; !forced.empty() {
		return append(dst, uint8(forced.first()))
	}
	free := b.all.minus(n.stones[0]).minus(n.stones[1])
	for rest := free; !rest.empty(); {
		c := rest.pop()
		if n.worth[c]|n.worth[b.cells+c] != 0 && (o.NoDominated || !b.dominated(c, free)) {
			dst = append(dst, uint8(c))
		}
	}
	return dst
}

// dominated says whether another free cell is on all the open lines that c is on, so that a stone there does
// all that one here does; of two that are on the same ones, the first is kept.
func (b *board) dominated(c int, free set) bool {
	n := b.now
	common := free
	common.remove(c)
	for _, l := range b.through[c] {
		if !b.openTo(l) {
			continue
		}
		if common = common.and(b.lines[l]); common.empty() {
			return false
		}
	}
	lines := (n.worth[c] + n.worth[b.cells+c]) & countMask
	for !common.empty() {
		x := common.pop()
		if x < c || (n.worth[x]+n.worth[b.cells+x])&countMask != lines {
			return true
		}
	}
	return false
}

// openTo says whether l is open to either side.
func (b *board) openTo(l line) bool {
	a, d := b.now.held[l], b.now.held[len(b.lines)+int(l)]
	return a&closed == 0 && d&^closed == 0 || d&closed == 0 && a&^closed == 0
}
