// SPDX-License-Identifier: Apache-2.0

// A side that answers each stone of the opponent with a stone on top of it gets every second cell of a column. If the number of
// empty cells is even, the other side can always answer the side to move, here called the mover, in this way:
//
//	6  r   an even column: the cells r of the answering side, and m of the mover
//	5  m
//	4  r   an odd column begins with its base, an r. Odd columns are paired, and each side gets
//	3  m   one base of a pair. After the base the column is even.
//
// So the mover can get no other cells than the cells m and one base of each pair. If these cells contain no line, the mover
// cannot win. If the answering side also threatens to win on a cell r, it wins: in the end all other cells are full, and the
// mover must play on the cell below r. So the mover also cannot get the cells above r.
//
// CITE: Allis, A Knowledge-based Approach of Connect-Four, 1988 (claimeven, baseinverse, zugzwang).

package connect4

// parity sets bounds of the score of c if a bound can help to decide whether the score is at least beta. In c the side to move
// cannot win at once, and left is the number of empty cells.
func (c *node) parity(g *geometry, playable board, left, beta int) {
	empty := g.all.not(c.turn.or(c.other))
	base := playable.and(g.reply)
	if left&1 == 0 {
		threats := c.fears.and(g.reply)
		if beta < 0 && threats.empty() {
			return
		}
		used := g.from(threats)
		a := c.turn.or(empty.and(g.mine).not(used))
		if !g.paired(a, base) {
			return
		}
		c.upper = min(c.upper, int8(-g.waits(c.other, empty.and(g.reply).not(base), used)))
		return
	}
	if beta <= 1 || !c.wins.and(g.reply).empty() {
		c.takesBase(g, empty, base)
	}
	c.zugzwang(g, empty, base)
}

// paired reports whether the given cells of the mover contain no line, even together with one base of each pair of odd columns.
func (g *geometry) paired(mover, base board) bool {
	one := base.lowest()
	other := base.not(one)
	// More than two bases can be paired in several ways. Instead of testing each way, suppose that the mover gets all bases.
	if other.many() {
		one, other = base, base
	}
	return !g.hasLines(mover.or(one), mover.or(other))
}

// waits returns a lower bound of the score of a side that answers every stone with a stone on top of it. replies contains the
// cells that the side gets in this way. used contains the cells that stay empty because of the side's threats.
func (g *geometry) waits(answering, replies, used board) int {
	if !used.empty() {
		return g.waited(used)
	}
	if g.hasLine(answering.or(replies)) {
		return 1
	}
	return 0
}

// takesBase raises the lower bound of c if the side to move can take a base, the lowest empty cell of an odd column, and then
// answer every stone.
func (c *node) takesBase(g *geometry, empty, base board) {
	used := g.from(c.wins.and(g.reply))
	a := c.other.or(empty.and(g.mine).not(used))
	if g.hasLine(a) {
		return
	}
	for b := base; !b.empty(); b = b.rest() {
		first := b.lowest()
		others := base.not(first)
		if g.paired(a, others) {
			v := g.waits(c.turn.or(first), empty.and(g.reply).not(base), used)
			c.lower = max(c.lower, int8(v))
			return
		}
	}
}

// zugzwang lowers the upper bound of c, in which the number of empty cells is odd, if the other side can answer every stone. For
// this the other side must threaten to win on a cell that it gets in an odd column. Then this column is never filled, and the
// number of other empty cells is even.
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

func (g *geometry) from(t board) board { return g.top.minus(t).or(t).not(g.top) }

// waited returns the score of a side that wins as late as possible: when all cells are full except the cells in used, and the
// cell below them in each of their columns.
func (g *geometry) waited(used board) int {
	columns := used.not(used.up(1))
	return (used.count() + columns.count()) / 2
}
