// SPDX-License-Identifier: Apache-2.0

package mnk

// vcf searches for wins of the attacker by nothing but fours: stones that leave the defender one answer.
// ("Four" is the word of gomoku; for other k it is k-1 in a line.)
//
// CITE: Allis, van den Herik and Huntjens, Go-Moku and Threat-Space Search, 1996.
type vcf struct {
	*prover
	left  int // positions it may still look at
	used  set // cells that the win needs, whoever takes them
	given set // the defender's answers among them
}

// wins says whether the attacker, to move, wins by fours; it then tells the cells used.
func (v *vcf) wins() bool {
	n := v.now
	if !n.win[attacker].empty() {
		v.used.add(n.win[attacker].first())
		return true
	}
	forced := n.win[defender]
	if forced.count() > 1 {
		return false
	}
	tried := set{}
	if !forced.empty() {
		tried = v.all.minus(forced)
	}
	taken := n.stones[0].or(n.stones[1])
	held, others := n.held[:len(v.lines)], n.held[len(v.lines):]
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

// four says whether the attacker wins by fours beginning with the one at c.
func (v *vcf) four(c int) bool {
	v.left--
	v.step()
	v.place(c, attacker)
	defer v.undo()
	n := v.now
	if !n.win[defender].empty() || n.win[attacker].empty() {
		return false
	}
	if n.win[attacker].count() > 1 {
		v.used = v.used.or(n.win[attacker])
		v.used.add(c)
		return true
	}
	d := n.win[attacker].first()
	v.place(d, defender)
	defer v.undo()
	if !v.wins() {
		return false
	}
	v.used.add(c)
	v.used.add(d)
	v.given.add(d)
	return true
}

// zone returns where the defender, to move and not forced, must put his stone lest the attacker wins by fours
// as if he had passed: on a cell that the win uses, or on a line of his own that would give him a four
// during it. Where the attacker has no such win that is everywhere.
// CITE: Wu and Lin, Relevance-Zone-Oriented Proof Search for Connect6, 2010.
func (p *prover) zone() set {
	v := vcf{prover: p, left: p.o.Fours}
	if !v.wins() {
		return p.all
	}
	held, others := p.now.held[len(p.lines):], p.now.held[:len(p.lines)]
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
