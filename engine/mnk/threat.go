// SPDX-License-Identifier: Apache-2.0

package mnk

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
	taken := n.stones[0].or(n.stones[1])
	held, others := v.heldBy(v.by), v.heldBy(v.by^1)
	for l, h := range held {
		if int(h) != v.k-2 || others[l]&^closed != 0 {
			continue
		}
		for cells := v.lines[l].minus(taken); !cells.empty(); {
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
	return false
}

// four says whether by wins by fours beginning with the one at c.
func (v *vcf) four(c int) bool {
	v.left--
	v.step()
	v.place(c, v.by)
	defer v.undo()
	mine := v.now.win[v.by]
	if !v.now.win[v.by^1].empty() || mine.empty() {
		return false
	}
	if mine.count() > 1 {
		v.used = v.used.or(mine)
		v.used.add(c)
		return true
	}
	d := mine.first()
	v.place(d, v.by^1)
	defer v.undo()
	if !v.wins() {
		return false
	}
	v.used.add(c)
	v.used.add(d)
	v.given.add(d)
	return true
}

// zone returns where s, to move and not forced, must put its stone lest the other side wins by fours as if s had
// passed: on a cell that the win uses, or on a line of its own that would give it a four during it. Where
// the other side has no such win that is everywhere.
// CITE: Wu and Lin, Relevance-Zone-Oriented Proof Search for Connect6, 2010.
func (p *prover) zone(s side) set {
	v := vcf{prover: p, by: s ^ 1, left: p.o.Fours}
	if !v.wins() {
		return p.all
	}
	held, others := p.heldBy(s), p.heldBy(s^1)
	zone := v.used
	for l, h := range held {
		if h&closed != 0 || others[l]&^closed != 0 {
			continue
		}
		if int(h)+v.given.and(p.lines[l]).count()+1 >= p.k-1 {
			zone = zone.or(p.lines[l])
		}
	}
	return zone
}
