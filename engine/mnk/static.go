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

// pairing looks for two cells of its own for each line.
type pairing struct {
	owner  []int16 // of each cell: the line it is given to, -1 for none
	seen   []bool
	needed []line
}

// paired says whether each open line of the attacker can be given two empty cells that no other line is given.
// The defender then answers one with the other.
// CITE: Hales and Jewett, Regularity and Positional Games, 1963.
func (b *board) paired() bool {
	n, p := b.now, &b.pairs
	taken := n.stones[0].or(n.stones[1])
	p.needed = p.needed[:0]
	room := 0
	for c, w := range n.worth[:b.cells] {
		if w != 0 && !taken.has(c) {
			room++
		}
		p.owner[c] = -1
	}
	for l := range b.lines {
		if n.held[l]&closed != 0 || n.held[len(b.lines)+l]&^closed != 0 {
			continue
		}
		if p.needed = append(p.needed, line(l)); 2*len(p.needed) > room {
			return false
		}
	}
	for _, l := range p.needed {
		for range 2 {
			clear(p.seen)
			if !b.give(l, taken) {
				return false
			}
		}
	}
	return true
}

// give finds l one more cell, where need be by finding another for the line that has it.
func (b *board) give(l line, taken set) bool {
	p := &b.pairs
	for _, m := range b.line(l) {
		if p.seen[m] || p.owner[m] == int16(l) || taken.has(int(m)) {
			continue
		}
		p.seen[m] = true
		if p.owner[m] < 0 || b.give(line(p.owner[m]), taken) {
			p.owner[m] = int16(l)
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
