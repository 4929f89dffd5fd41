// SPDX-License-Identifier: Apache-2.0

// Code generated from look.go; DO NOT EDIT.
// SHA-256 of that: 5922157fc73945cad6865a95235221c10587ec2d7d2996c74090f0db92c6296f

package connect4

type wideNode struct {
	turn, other wideBoard
	wins, fears wideBoard
	mixed       wideHashed
	lower       int8
	upper       int8
	ply         uint8
	same        bool
	order       int32
}

func (c *wideNode) bounds() (lower, upper int) {
	if c.same {
		return int(c.lower), int(c.upper)
	}
	return -int(c.upper), -int(c.lower)
}

func (w *wideWorker) look(n, c *wideNode, m wideBoard, beta int) {
	g := &w.wideGeometry
	c.other = n.turn.or(m)
	c.turn = n.other
	c.ply = n.ply + 1
	c.same = false
	c.wins = n.fears.not(m)
	c.fears = g.wins(c.other).and(g.all.not(c.turn.or(c.other)))
	w.settle(c, 1-beta)
}

func (w *wideWorker) settle(c *wideNode, beta int) {
	g := &w.wideGeometry
	turn, other, fears := c.turn, c.other, c.fears
	stones := turn.or(other)
	playable := g.playable(stones)
	for {
		t := fears.and(playable)
		if t.empty() {
			break
		}
		if t.many() || !t.up(1).and(fears).empty() {
			c.loses(g)
			return
		}
		turn, other = other, turn.or(t)
		stones = stones.or(t)
		playable = g.playable(stones)
		c.turn, c.other, c.wins = turn, other, fears.not(t)
		fears = g.wins(other).and(g.all.not(stones))
		c.fears = fears
		c.ply++
		c.same = !c.same
		beta = 1 - beta
	}
	left := g.cells - int(c.ply)
	if left == 0 {
		c.lower, c.upper = 0, 0
		return
	}
	if playable.not(fears.down(1)).empty() {
		c.loses(g)
		return
	}
	c.lower, c.upper = -int8(max(left-2, 0)/2), int8((left-1)/2)
	if !w.o.NoParity && int(c.lower) < beta && beta <= int(c.upper) {
		w.parity(c, playable, left, beta)
	}
}

func (c *wideNode) loses(g *wideGeometry) {
	c.lower = -int8((g.cells - int(c.ply)) / 2)
	c.upper = c.lower
}

func (w *wideWorker) key(c *wideNode) wideHashed {
	k := c.turn.plus(c.turn.or(c.other))
	if m := w.mirror(k); m.less(k) {
		k = m
	}
	return w.wideTable.mix(k)
}
