// SPDX-License-Identifier: Apache-2.0

package mnk

import "math/bits"

// vcf searches for wins of a side by fours alone: stones that leave the other side one answer. A four is k-1 stones in a
// line, whatever k is.
//
// CITE: Allis, van den Herik and Huntjens, Go-Moku and Threat-Space Search, 1996.
type vcf struct {
	*prover
	by    side
	left  int // positions it may still look at
	used  set // cells that the win needs, whichever side takes them
	given set // those of them that the other side takes
}

// wins says whether by, to move, wins by fours, and adds the cells of the win to used.
func (v *vcf) wins() bool {
	n := v.now
	if !n.win[v.by].empty() {
		v.used.add(n.win[v.by].first())
		return true
	}
	forced := n.win[v.by^1]
	if forced.count() > 1 {
		return false
	}
	tried := set{}
	if !forced.empty() {
		tried = v.all.minus(forced)
	}
	for i := range n.blocks {
		for m := n.blocks[i].lacking(v.by, 2); m != 0; m &= m - 1 {
			for cells := v.lines[i<<6+bits.TrailingZeros64(m)].minus(n.stones[v.by]); !cells.empty(); {
				c := cells.pop()
				if tried.has(c) {
					continue
				}
				tried.add(c)
				if v.left <= 0 {
					return false
				}
				if v.four(c) {
					return true
				}
			}
		}
	}
	return false
}

func (v *vcf) four(c int) bool {
	v.left--
	v.Step()
	v.threaten(c, v.by)
	won := v.follow()
	v.undo()
	if won {
		v.used.add(c)
	}
	return won
}

func (v *vcf) follow() bool {
	mine := v.now.win[v.by]
	if !v.now.win[v.by^1].empty() || mine.empty() {
		return false
	}
	if mine.count() > 1 {
		v.used = v.used.or(mine)
		return true
	}
	d := mine.first()
	v.threaten(d, v.by^1)
	won := v.wins()
	v.undo()
	if won {
		v.used.add(d)
		v.given.add(d)
	}
	return won
}

// zone returns the cells on which s, to move and not forced, can stop the other side from winning by fours: those that the
// win would use if s passed, and those on lines by which s gets a four itself meanwhile. Where there is no such win these
// are all cells.
// CITE: Wu and Lin, Relevance-Zone-Oriented Proof Search for Connect6, 2010.
func (p *prover) zone(s side) set {
	v := vcf{prover: p, by: s ^ 1, left: mostFours}
	if !v.wins() {
		return p.all
	}
	zone := v.used
	for i := range p.now.blocks {
		for m := p.now.blocks[i].live[s]; m != 0; m &= m - 1 {
			l := p.lines[i<<6+bits.TrailingZeros64(m)]
			if l.and(p.now.stones[s].or(v.given)).count()+1 >= p.k-1 {
				zone = zone.or(l)
			}
		}
	}
	return zone
}
