// SPDX-License-Identifier: Apache-2.0

package mnk

import "math/bits"

// vcf searches for wins of a side by nothing but fours: stones that leave the other one answer.
// ("Four" is the word of gomoku; for other k it is k-1 in a line.)
//
// CITE: Allis, van den Herik and Huntjens, Go-Moku and Threat-Space Search, 1996.
type vcf struct {
	*prover
	by    side
	left  int // positions it may still look at
	used  set // cells that the win needs, whoever takes them
	given set // the other side's answers among them
}

// wins says whether by, to move, wins by fours; it then tells the cells used.
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

// four says whether by wins by fours beginning with the one at c.
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

// follow says whether by wins after its move.
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

// zone returns where s, to move and not forced, must put its stone lest the other side wins by fours as if s had
// passed: on a cell that the win uses, or on a line of its own that would give it a four during it. Where
// the other side has no such win that is everywhere.
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
