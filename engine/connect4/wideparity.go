// SPDX-License-Identifier: Apache-2.0

// Code generated from parity.go; DO NOT EDIT.
// SHA-256 of that: 4ed2a9bde9e85fe4689a75a46cc73af297cd6fbdc26fa9ea3b56b3c078c3cb70

package connect4

func (w *wideWorker) parity(c *wideNode, playable wideBoard, left, beta int) {
	g := &w.wideGeometry
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

func (g *wideGeometry) paired(mover, base wideBoard) bool {
	one := base.lowest()
	other := base.not(one)
	if other.many() {
		one, other = base, base
	}
	return !g.hasLines(mover.or(one), mover.or(other))
}

func (g *wideGeometry) waits(answering, replies, used wideBoard) int {
	if !used.empty() {
		return g.waited(used)
	}
	if g.hasLine(answering.or(replies)) {
		return 1
	}
	return 0
}

func (c *wideNode) takesBase(g *wideGeometry, empty, base wideBoard) {
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

func (c *wideNode) zugzwang(g *wideGeometry, empty, base wideBoard) {
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

func (g *wideGeometry) from(t wideBoard) wideBoard { return g.top.minus(t).or(t).not(g.top) }

func (g *wideGeometry) waited(used wideBoard) int {
	columns := used.not(used.up(1))
	return (used.count() + columns.count()) / 2
}
