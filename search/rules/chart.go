// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"math"
	"slices"

	"github.com/krow-lab/krow/game"
)

// chart describes, for each cell, the lines through it. A line is k cells next to each other in a row, a column or a
// diagonal:
//
//	. X . X . . O .      k = 5, X to move
//	[       ]            own stones 2, enemy stones none: a way to win for each of its cells
//	  [       ]          the same
//	    [       ]        an enemy stone: nothing
type chart struct {
	columns, rows, k int
	cells            []game.Stone
	ways             []int32 // by cell: the lines through it without an enemy stone
	own              []int32 // by cell: own stones in these lines; a stone counts once for each line
	// two contains, by side and cell, the number of lines through the cell that lack two stones of the side and contain no stone
	// of the other side.
	two [2][]int32
	// near contains, by cell, the number of the lines counted in two, of both sides together, that contain the cell or end next
	// to it.
	near     []int32
	fillable []int32 // by cell: the lines through it that the opponent could complete in his next turn
}

var directions = [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}}

// draw counts the lines of p, in which me is to move. theirs is the number of stones in the opponent's next turn. It costs O(cells
// k).
func (c *chart) draw(p game.Lined, me game.Side, theirs int) {
	c.columns, c.rows = p.Size()
	c.k, c.cells = p.K(), p.Cells()
	for _, counts := range []*[]int32{&c.ways, &c.own, &c.two[0], &c.two[1], &c.near, &c.fillable} {
		*counts = slices.Grow((*counts)[:0], len(c.cells))[:len(c.cells)]
		clear(*counts)
	}
	for _, d := range directions {
		for cell := range c.cells {
			if x, y := cell%c.columns, cell/c.columns; c.on(x+(c.k-1)*d[0], y+(c.k-1)*d[1]) {
				c.line(cell, d, me, theirs)
			}
		}
	}
}

func (c *chart) on(x, y int) bool { return x >= 0 && x < c.columns && y >= 0 && y < c.rows }

func (c *chart) line(first int, d [2]int, me game.Side, theirs int) {
	step := d[0] + d[1]*c.columns
	last := first + (c.k-1)*step
	var stones [3]int
	for cell := first; cell != last+step; cell += step {
		if stones[c.cells[cell]]++; stones[1] > 0 && stones[2] > 0 {
			return // nobody can complete a line with stones of both sides
		}
	}
	mine, enemy := stones[me.Stone()], stones[me.Other().Stone()]
	if enemy == 0 {
		c.mark(c.ways, first, last, step, 1)
		c.mark(c.own, first, last, step, int32(mine))
	}
	if mine == 0 && enemy >= c.k-theirs {
		c.mark(c.fillable, first, last, step, 1)
	}
	for s := game.First; s <= game.Second; s++ {
		if n := stones[s.Stone()]; n != c.k-2 || n != mine+enemy {
			continue
		}
		c.mark(c.two[s], first, last, step, 1)
		from, to := first, last
		if x, y := first%c.columns-d[0], first/c.columns-d[1]; c.on(x, y) {
			from -= step
		}
		if x, y := last%c.columns+d[0], last/c.columns+d[1]; c.on(x, y) {
			to += step
		}
		c.mark(c.near, from, to, step, 1)
	}
}

// mark adds n to the counts of the empty cells from first to last.
func (c *chart) mark(counts []int32, first, last, step int, n int32) {
	for cell := first; cell != last+step; cell += step {
		if c.cells[cell] == game.Empty {
			counts[cell] += n
		}
	}
}

// reach counts the stones of a kind in a row, starting next to x, y in the direction dx, dy.
func (c *chart) reach(x, y, dx, dy int, stone game.Stone) int {
	n := 0
	for x, y = x+dx, y+dy; c.on(x, y) && c.cells[x+y*c.columns] == stone; x, y = x+dx, y+dy {
		n++
	}
	return n
}

// appendGaps appends to dst each empty cell on which a stone of s would complete a row of at least k stones, if s also had a
// stone on cell.
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

// completes reports whether a stone of s on the empty cell would complete a row of k or more.
func (c *chart) completes(cell int, s game.Side) bool {
	x, y, stone := cell%c.columns, cell/c.columns, s.Stone()
	for _, d := range directions {
		if c.reach(x, y, d[0], d[1], stone)+1+c.reach(x, y, -d[0], -d[1], stone) >= c.k {
			return true
		}
	}
	return false
}

// distance returns a number that increases with the distance of a cell from the centre of the board.
func distance(b game.Board, cell int) int {
	columns, rows := b.Size()
	x, y := 2*(cell%columns)-columns+1, 2*(cell/columns)-rows+1
	return x*x + y*y
}

// win applies rule 1. It returns the move that wins, or the two moves of a turn that win together, or nil if there is no win.
func (w *worker) win() []game.Move {
	for _, m := range w.moves {
		if w.stop {
			return nil
		}
		if w.wins(m) {
			return []game.Move{m}
		}
	}
	if w.lined == nil || w.ours < 2 {
		return nil
	}
	for _, m := range w.moves {
		cell := w.board.Cell(m)
		if w.stop || w.chart.two[w.me][cell] == 0 {
			continue
		}
		if second, ok := w.second(m, cell); ok {
			return []game.Move{m, second}
		}
	}
	return nil
}

// second returns a move that wins after m in the same turn.
func (w *worker) second(m game.Move, cell int) (second game.Move, ok bool) {
	w.playMove(m)
	if w.p.Outcome() == game.Ongoing && w.p.Turn() == w.me {
		for _, s := range w.gaps(cell, w.me) {
			if w.wins(s) {
				second, ok = s, true
				break
			}
		}
	}
	w.p.Undo()
	return second, ok
}

// gaps returns the moves that may win for s after it has placed a stone on cell. Complete lines do not win under every rule, so the
// caller must play each move to see whether it wins. If stones fall, the stone on cell may have made the cell above it
// playable; gaps also returns that move if it may win.
func (w *worker) gaps(cell int, s game.Side) []game.Move {
	var moves []game.Move
	if !w.direct {
		w.buf = w.p.AppendMoves(w.buf[:0])
		for _, m := range w.buf {
			if w.chart.completes(w.board.Cell(m), s) {
				moves = append(moves, m)
			}
		}
		return moves
	}
	var cells [8]int
	for _, gap := range w.chart.appendGaps(cells[:0], cell, s) {
		moves = append(moves, game.Move(gap))
	}
	return moves
}

// maxThreats is the maximum number of winning moves of the opponent that are examined. More need not be examined, because
// one move of ours rarely stops more than one of them.
const maxThreats = 16

// parry applies rule 2. It returns the number of ways to win that the opponent keeps after each of the remaining moves.
func (w *worker) parry() int {
	if w.direct {
		w.findThreats()
		if len(w.threats) == 0 {
			return 0
		}
	}
	return w.keep(func(m game.Move) int {
		if w.stop {
			return math.MaxInt // the limit is reached, so this move counts as the worst
		}
		w.playMove(m)
		n := w.exposed()
		w.p.Undo()
		if w.stop {
			return math.MaxInt
		}
		return n
	})
}

// exposed returns the number of the opponent's ways to win at once, in a position with him to move.
func (w *worker) exposed() int {
	if w.p.Outcome() != game.Ongoing {
		return 0
	}
	if !w.direct {
		var replies [game.MaxSide]game.Move
		return w.count(w.p.AppendMoves(replies[:0]), -1)
	}
	n := 0
	for _, m := range w.threats {
		if w.board.Cells()[m] == game.Empty && w.wins(m) {
			n++
		}
	}
	return n
}

// findThreats lists the moves with which the opponent may win at once: moves that complete lines, and moves that win in another
// way, such as by captures. To find a win in another way, it plays a move of its own side and tries all answers of the
// opponent. It does this for two moves that are far apart, since one of these moves might stop the threat.
func (w *worker) findThreats() {
	w.threats = w.threats[:0]
	for _, m := range w.moves {
		if w.chart.fillable[m] > 0 {
			w.addThreat(m)
		}
	}
	for _, m := range []game.Move{w.moves[0], w.moves[len(w.moves)-1]} {
		if w.stop {
			return
		}
		w.playMove(m)
		w.buf = w.p.AppendMoves(w.buf[:0])
		for _, r := range w.buf {
			if w.wins(r) {
				w.addThreat(r)
			}
		}
		w.p.Undo()
	}
}

func (w *worker) addThreat(m game.Move) {
	if len(w.threats) < maxThreats && !slices.Contains(w.threats, m) {
		w.threats = append(w.threats, m)
	}
}
