// SPDX-License-Identifier: Apache-2.0

package connect4

// Whoever answers each stone with one on top of it gets every second cell of a column. On an even number of
// empty cells the side to move, here the mover, cannot prevent that:
//
//	6  r   an even column, the answering side's cells r, the mover's m
//	5  m
//	4  r   an odd column begins with its base, an r; odd columns are paired, and each side gets
//	3  m   one base of a pair. After the base it is even.
//
// What the mover may get at most is known then, and if there is no line in it, the mover does not win. If
// besides the answering side already threatens to win on an r cell, it does win: the cells beside are used up
// at last and the mover has to play below it. Nor does the mover get what is above such a cell.
//
// CITE: Allis, A Knowledge-based Approach of Connect-Four, 1988 (claimeven, baseinverse, zugzwang).

// parity bounds the score of c, in which so many cells are left and neither side can win at once.
func (w *worker) parity(c *node, playable board, left int) {
	g := &w.geometry
	empty := g.all.not(c.turn.or(c.other))
	base := playable.and(g.reply)
	if left&1 == 0 {
		v, ok := g.answered(c.turn, c.other, empty, base, c.fears)
		if ok {
			c.upper = min(c.upper, int8(-v))
		}
		return
	}
	c.takesBase(g, empty, base)
	c.zugzwang(g, empty, base)
}

// answered returns what other is sure to score at least if it answers everything, and whether it is sure to score
// anything. threats are the cells on which it wins.
func (g *geometry) answered(mover, other, empty, base, threats board) (score int, ok bool) {
	threats = threats.and(g.reply)
	used := g.from(threats)
	a := mover.or(empty.and(g.mine).not(used))
	if g.hasLine(a) {
		return 0, false
	}
	if !base.empty() && g.hasLine(a.or(base)) {
		first := base.lowest()
		second := base.not(first)
		if second.many() || g.hasLine(a.or(first)) || g.hasLine(a.or(second)) {
			return 0, false
		}
	}
	if !threats.empty() {
		return g.waited(used), true
	}
	if g.hasLine(other.or(empty.and(g.reply).not(base))) {
		return 1, true
	}
	return 0, true
}

// takesBase bounds the score of c by what the side to move scores if it takes a base and answers from then on.
func (c *node) takesBase(g *geometry, empty, base board) {
	for b := base; !b.empty(); b = b.rest() {
		first := b.lowest()
		v, ok := g.answered(c.other, c.turn.or(first), empty.not(first), base.not(first), c.wins.not(first))
		if ok {
			c.lower = max(c.lower, int8(v))
			return
		}
	}
}

// zugzwang bounds the score of c by what happens if the other side answers everything though the number of empty
// cells is odd: it may if it threatens to win on a cell that it gets in one of the odd columns, which is
// never filled then.
func (c *node) zugzwang(g *geometry, empty, base board) {
	for t := c.fears.and(g.mine); !t.empty(); t = t.rest() {
		x := t.lowest()
		column := g.columnAt[x.first()]
		b := base.and(column)
		if b.empty() {
			continue
		}
		rest := empty.not(column)
		threats := c.fears.and(g.reply).not(column)
		used := g.from(threats)
		below := empty.and(column).and(g.reply).and(x.below())
		if !g.hasLine(c.turn.or(rest.and(g.mine).not(used)).or(base.not(b)).or(below)) {
			c.upper = min(c.upper, int8(-g.waited(used.or(g.from(x)))))
			return
		}
	}
}

// from returns the cells of t and all those above them.
func (g *geometry) from(t board) board { return g.top.minus(t).or(t).not(g.top) }

// waited returns the score of a side that wins at the latest when all cells are used up but those in used and
// one below them in each of their columns; the mover chooses the column.
func (g *geometry) waited(used board) int {
	columns := used.not(used.up(1))
	return (used.count() + columns.count()) / 2
}
