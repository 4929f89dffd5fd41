// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/krow-lab/krow/game"

// chart tells of each cell what the lines through it are like. A line is k cells in a row, a window that
// slides along a row, a column or a diagonal:
//
//	. X . X . . O .      k = 5, X to move
//	[       ]            own stones 2, enemy stones none: a way to win for each of its cells
//	  [       ]          the same
//	    [       ]        an enemy stone: nothing
type chart struct {
	columns, rows, k int
	cells            []game.Stone
	ways             []int32    // lines without an enemy stone
	own              []int32    // own stones in those, each counted in each line
	two              [2][]int32 // for each side, lines that lack two stones of it and hold no other
	near             []int32    // such lines of either side, with the cell beyond each end
	fillable         []int32    // lines that the opponent could fill in his turn
	// waysEnd and ownEnd are by how much more the i-th cell of a row has than the one before it.
	waysEnd, ownEnd []int32
}

// directions are the four in which lines run.
var directions = [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}}

// draw counts the lines of p, at which me is to move; the opponent's next turn has so many stones.
func (c *chart) draw(p game.Lined, me game.Side, theirs int) {
	c.columns, c.rows = p.Size()
	c.k, c.cells = p.K(), p.Cells()
	n := len(c.cells)
	for _, counts := range []*[]int32{&c.ways, &c.own, &c.two[0], &c.two[1], &c.near, &c.fillable} {
		*counts = zeros(*counts, n)
	}
	for _, d := range directions {
		for cell := range n {
			if x, y := cell%c.columns, cell/c.columns; !c.on(x-d[0], y-d[1]) {
				c.row(cell, d[0]+d[1]*c.columns, c.steps(x, y, d), me, theirs)
			}
		}
	}
}

// zeros returns n zeros, in the room of s if it is enough.
func zeros(s []int32, n int) []int32 {
	if cap(s) < n {
		return make([]int32, n)
	}
	s = s[:n]
	clear(s)
	return s
}

func (c *chart) on(x, y int) bool { return x >= 0 && x < c.columns && y >= 0 && y < c.rows }

// steps returns how many cells there are from x, y to the edge.
func (c *chart) steps(x, y int, d [2]int) int {
	n := c.columns - x
	switch {
	case d[0] == 0:
		n = c.rows - y
	case d[1] > 0:
		n = min(n, c.rows-y)
	case d[1] < 0:
		n = min(n, y+1)
	}
	return n
}

// row slides the window along the n cells from start.
func (c *chart) row(start, step, n int, me game.Side, theirs int) {
	if n < c.k {
		return
	}
	c.waysEnd, c.ownEnd = zeros(c.waysEnd, n+1), zeros(c.ownEnd, n+1)
	var stones [3]int
	for i := range n {
		stones[c.cells[start+i*step]]++
		if i >= c.k {
			stones[c.cells[start+(i-c.k)*step]]--
		}
		if i < c.k-1 {
			continue
		}
		mine, enemy := stones[me.Stone()], stones[me.Other().Stone()]
		if enemy == 0 {
			first := i - c.k + 1
			c.waysEnd[first]++
			c.waysEnd[i+1]--
			c.ownEnd[first] += int32(mine)
			c.ownEnd[i+1] -= int32(mine)
		}
		if mine == 0 && enemy >= c.k-theirs {
			c.mark(c.fillable, start, step, i-c.k+1, i)
		}
		if enemy == 0 && mine == c.k-2 {
			c.mark(c.two[me], start, step, i-c.k+1, i)
			c.mark(c.near, start, step, max(i-c.k, 0), min(i+1, n-1))
		}
		if mine == 0 && enemy == c.k-2 {
			c.mark(c.two[me.Other()], start, step, i-c.k+1, i)
			c.mark(c.near, start, step, max(i-c.k, 0), min(i+1, n-1))
		}
	}
	c.lay(start, step, n)
}

// lay adds the counts of a row, which stand in waysEnd and ownEnd, to those of its cells.
func (c *chart) lay(start, step, n int) {
	ways, own := int32(0), int32(0)
	for i := range n {
		ways, own = ways+c.waysEnd[i], own+c.ownEnd[i]
		c.ways[start+i*step] += ways
		c.own[start+i*step] += own
	}
}

// mark counts a line at the empty ones of its cells, the first to the last of a row.
func (c *chart) mark(counts []int32, start, step, first, last int) {
	for cell := start + first*step; first <= last; first, cell = first+1, cell+step {
		if c.cells[cell] == game.Empty {
			counts[cell]++
		}
	}
}

// reach counts the stones of a kind in a row next to x, y.
func (c *chart) reach(x, y, dx, dy int, stone game.Stone) int {
	n := 0
	for x, y = x+dx, y+dy; c.on(x, y) && c.cells[x+y*c.columns] == stone; x, y = x+dx, y+dy {
		n++
	}
	return n
}

// appendGaps appends the empty cells that would make a row of k or more out of stones of s and one at cell.
func (c *chart) appendGaps(dst []int, cell int, s game.Side) []int {
	x, y, stone := cell%c.columns, cell/c.columns, s.Stone()
	for _, d := range directions {
		for _, sign := range [2]int{1, -1} {
			dx, dy := sign*d[0], sign*d[1]
			ahead := c.reach(x, y, dx, dy, stone)
			gx, gy := x+(ahead+1)*dx, y+(ahead+1)*dy
			if !c.on(gx, gy) || c.cells[gx+gy*c.columns] != game.Empty {
				continue
			}
			if c.reach(x, y, -dx, -dy, stone)+1+ahead+1+c.reach(gx, gy, dx, dy, stone) >= c.k {
				dst = append(dst, gx+gy*c.columns)
			}
		}
	}
	return dst
}

// completes says whether a stone of s on the empty cell would make a row of k or more.
func (c *chart) completes(cell int, s game.Side) bool {
	x, y, stone := cell%c.columns, cell/c.columns, s.Stone()
	for _, d := range directions {
		if c.reach(x, y, d[0], d[1], stone)+1+c.reach(x, y, -d[0], -d[1], stone) >= c.k {
			return true
		}
	}
	return false
}

// distance grows with the way from the centre of a board to a cell of it.
func distance(b game.Board, cell int) int {
	columns, rows := b.Size()
	x, y := 2*(cell%columns)-columns+1, 2*(cell/columns)-rows+1
	return x*x + y*y
}
