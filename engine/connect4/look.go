// SPDX-License-Identifier: Apache-2.0

package connect4

// geometry contains the size of a board, k, and sets of cells that depend on them.
type geometry struct {
	columns, rows, k int
	stride           uint
	cells            int
	// If quick is true, k and the size of the board allow faster functions than winsAny, hasLineAny and mirrorAny.
	quick       bool
	bottom, top board // bottom: the cells of row 0; top: the cells of the spare row above the board
	all         board // all cells
	// Suppose that a side answers each stone of the opponent with a stone on top of it. Then this side gets the cells in reply,
	// and the opponent gets the cells in mine.
	mine, reply board
	shifts      [4]uint // by direction: the number of bits from a cell to the next cell
	column      []board // by column: the cells of the column, and its spare bit
	// By cell: columnAt is the column of the cell, centerAt is the distance of this column from the edge, and weightAt is the
	// number that earlyRank adds to the rank of a stone on the cell.
	columnAt [boardBits]board
	centerAt [boardBits]int8
	weightAt [boardBits]int16
}

// playable returns the lowest empty cell of each column.
func (g *geometry) playable(stones board) board { return stones.plus(g.bottom).and(g.all) }

// winsAny returns the cells of the board that wins returns, but works for any stride and k. Unlike wins it never returns spare bits.
func (g *geometry) winsAny(b board) board {
	var r board
	for _, s := range g.shifts {
		// A line lacks one cell. The variable below is the number of its stones before this cell in the direction of s.
		for below := range g.k {
			gap := g.all
			for i := 1; i <= below && !gap.empty(); i++ {
				gap = gap.and(b.up(uint(i) * s))
			}
			for i := 1; i < g.k-below && !gap.empty(); i++ {
				gap = gap.and(b.down(uint(i) * s))
			}
			r = r.or(gap)
		}
	}
	return r
}

func (g *geometry) hasLineAny(b board) bool {
	for _, s := range g.shifts {
		r := b
		for i := 1; i < g.k && !r.empty(); i++ {
			r = r.and(b.down(uint(i) * s))
		}
		if !r.empty() {
			return true
		}
	}
	return false
}

func (g *geometry) mirrorAny(b board) board {
	var r board
	for range g.columns {
		r = r.up(g.stride).or(b.and(g.column[0]))
		b = b.down(g.stride)
	}
	return r
}

type node struct {
	turn, other board // turn: stones of the side to move; other: stones of the other side
	wins, fears board // wins: empty cells on which the side to move would complete a line; fears: the same for the other side
	move        board // the move from the parent; forced moves may have followed it
	mixed       hashed
	mark
}

// enter sets the root to the position after the forced moves of p, and returns the bounds that are known without a search.
// other reports whether these bounds are for the side that is not to move in p.
func (w *worker) enter(p Position) (r Result, other bool) {
	if p.won() {
		v := -(p.Left() / 2) - 1
		return Result{Lower: v, Upper: v}, false
	}
	n := &w.root
	*n = node{turn: narrow(p.turn), other: narrow(p.other)}
	stones := n.turn.or(n.other)
	empty := w.all.not(stones)
	n.ply = uint8(stones.count())
	n.wins, n.fears = w.wins(n.turn).and(empty), w.wins(n.other).and(empty)
	if !n.wins.and(w.playable(stones)).empty() {
		v := (p.Left() + 1) / 2
		return Result{Lower: v, Upper: v}, false
	}
	w.settle(n, 1)
	n.mixed = w.key(n)
	return Result{Lower: int(n.lower), Upper: int(n.upper)}, n.same
}

// look sets c to the position after a stone on m in n and after the forced moves that follow. The stone on m must not win.
func (w *worker) look(n, c *node, m board, beta int) {
	c.other = n.turn.or(m)
	c.turn = n.other
	c.ply = n.ply + 1
	c.same = false
	c.wins = n.fears.not(m)
	c.fears = w.wins(c.other).and(w.all.not(c.turn.or(c.other)))
	w.settle(c, 1-beta)
}

// settle plays the forced moves of c, in which the side to move cannot win at once, and sets bounds of its score.
func (w *worker) settle(c *node, beta int) {
	g := &w.geometry
	turn, other, fears := c.turn, c.other, c.fears
	stones := turn.or(other)
	playable := g.playable(stones)
	for {
		t := fears.and(playable)
		if t.empty() {
			break
		}
		if t.many() || !t.up(1).and(fears).empty() {
			c.loses(g.cells)
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
		c.loses(g.cells)
		return
	}
	c.lower, c.upper = -int8(max(left-2, 0)/2), int8((left-1)/2)
	if !w.noParity && int(c.lower) < beta && beta <= int(c.upper) {
		c.parity(g, playable, left, beta)
	}
}

// key returns the same number for a position and its mirror image. For each column it adds two sets of cells, read as binary
// numbers: the stones of the side to move and all stones.
func (w *worker) key(c *node) hashed {
	k := c.turn.plus(c.turn.or(c.other))
	if m := w.mirror(k); m.less(k) {
		k = m
	}
	return w.far.mix(k)
}
