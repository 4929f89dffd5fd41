// SPDX-License-Identifier: Apache-2.0

// Code generated from parity.go; DO NOT EDIT.
// SHA-256 of that: c10ea3b6b137b9ddcd5273dad9597a245c576eb55bbd3652acbe47855c9bccd9

package connect4

func (w *wideWorker) parity(c *wideNode, playable wideBoard, left int) {
	g := &w.wideGeometry
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

func (g *wideGeometry) answered(mover, other, empty, base, threats wideBoard) (score int, ok bool) {
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

func (c *wideNode) takesBase(g *wideGeometry, empty, base wideBoard) {
	for b := base; !b.empty(); b = b.rest() {
		first := b.lowest()
		v, ok := g.answered(c.other, c.turn.or(first), empty.not(first), base.not(first), c.wins.not(first))
		if ok {
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
