// SPDX-License-Identifier: Apache-2.0

package widening

import (
	"cmp"
	"iter"
	"slices"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// cells is a set of cells, by index.
type cells []bool

func (c cells) add(other cells) {
	for i, in := range other {
		c[i] = c[i] || in
	}
}

// result is an answer of worker.win: the first move of a win, and its trace, which is nil if there is no win.
type result struct {
	move  int
	trace cells
}

// worker holds the board of one search.
type worker struct {
	k       int
	board   []byte   // the stone on each cell, as a game.Stone
	windows [][]int  // the cells of each window; a window is a line of k cells
	through [][]int  // the windows that contain each cell
	stones  [2][]int // number of stones by side and window
	full    [2]int   // number of windows that each side has filled
	known   map[string]result
	budget  *search.Budget
	stop    bool
}

// maxKnown is the maximum number of results that a worker stores.
const maxKnown = 1 << 18

func newWorker(p game.Lined, budget *search.Budget) *worker {
	columns, rows := p.Size()
	w := &worker{k: p.K(), board: make([]byte, columns*rows), through: make([][]int, columns*rows), known: map[string]result{}, budget: budget}
	for cell := range w.board {
		x, y := cell%columns, cell/columns
		for _, d := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
			if ex, ey := x+(w.k-1)*d[0], y+(w.k-1)*d[1]; ex < 0 || ex >= columns || ey >= rows {
				continue
			}
			window := make([]int, w.k)
			for i := range window {
				window[i] = cell + i*(d[0]+d[1]*columns)
				w.through[window[i]] = append(w.through[window[i]], len(w.windows))
			}
			w.windows = append(w.windows, window)
		}
	}
	w.stones = [2][]int{make([]int, len(w.windows)), make([]int, len(w.windows))}
	for cell, stone := range p.Cells() {
		for s := game.First; s <= game.Second; s++ {
			if stone == s.Stone() {
				w.put(cell, s, 1)
			}
		}
	}
	return w
}

// put places a stone of s on a cell if n is 1, and takes it away if n is -1.
func (w *worker) put(cell int, s game.Side, n int) {
	w.board[cell] += byte(n * int(s.Stone()))
	for _, i := range w.through[cell] {
		before := w.stones[s][i]
		if w.stones[s][i] += n; max(before, before+n) == w.k {
			w.full[s] += n
		}
	}
}

// win looks for a win of side a, which is to move, that takes at most n of a's own moves.
func (w *worker) win(a game.Side, n int) (r result) {
	key := string(append(slices.Clone(w.board), byte(a), byte(n)))
	if r, ok := w.known[key]; ok {
		return r
	}
	for _, m := range w.candidates(a, n) {
		if w.stop = w.budget.Step() || w.stop; w.stop {
			return result{}
		}
		w.put(m, a, 1)
		r = result{m, w.threat(m, a, n)}
		w.put(m, a, -1)
		if r.trace != nil {
			break
		}
	}
	if len(w.known) == maxKnown {
		clear(w.known)
	}
	if !w.stop {
		w.known[key] = r
	}
	return r
}

// threat returns the trace of a win of side a that begins with the move m, takes at most n of a's moves and succeeds against
// every answer. It returns nil if there is no such win.
func (w *worker) threat(m int, a game.Side, n int) cells {
	trace := make(cells, len(w.board))
	trace[m] = true
	if w.full[a] > 0 {
		return trace
	}
	if n == 1 {
		return nil
	}
	passed := w.win(a, n-1).trace
	if passed == nil {
		return nil
	}
	trace.add(passed)
	for answer := range w.answers(a.Other(), n-1, passed) {
		below := w.after(answer, a.Other(), n-1)
		if below == nil {
			return nil
		}
		trace[answer] = true
		trace.add(below)
	}
	return trace
}

// after returns the trace of a win of order n that d's opponent has after d has played m. It returns nil if there is no such win.
func (w *worker) after(m int, d game.Side, n int) (trace cells) {
	w.put(m, d, 1)
	if w.full[d] == 0 {
		trace = w.win(d.Other(), n).trace
	}
	w.put(m, d, -1)
	return trace
}

// answers yields the moves of d that can prevent a win of order n with this trace: the moves in the trace, and the moves on
// the lines that d can complete with at most n stones. Since d moves first, such a line is complete before the opponent
// makes its n-th move.
func (w *worker) answers(d game.Side, n int, trace cells) iter.Seq[int] {
	all := slices.Clone(trace)
	for i, window := range w.windows {
		if w.stones[d.Other()][i] == 0 && w.stones[d][i]+n >= w.k {
			for _, cell := range window {
				all[cell] = true
			}
		}
	}
	return func(yield func(int) bool) {
		for cell, in := range all {
			if in && w.board[cell] == byte(game.Empty) && !yield(cell) {
				return
			}
		}
	}
}

// defend returns the moves after which the opponent of me has no win of order n.
func (w *worker) defend(me game.Side, n int, moves []game.Move) (left []game.Move) {
	trace := w.win(me.Other(), n).trace
	if trace == nil {
		return moves
	}
	for m := range w.answers(me, n, trace) {
		if w.after(m, me, n) == nil {
			left = append(left, game.Move(m))
		}
	}
	slices.SortFunc(left, func(a, b game.Move) int { return cmp.Compare(slices.Index(moves, a), slices.Index(moves, b)) })
	return left
}

// candidates returns the moves with which a win of side a in at most n moves can begin, the most promising moves first.
// These are the moves on the lines that a can complete in n moves, and on the lines that the opponent can complete in n-1
// moves, before a wins. If a cannot complete any line, there are no candidates.
func (w *worker) candidates(a game.Side, n int) (moves []int) {
	worth := make([]int, len(w.board))
	can := false
	for i, window := range w.windows {
		own, enemy := w.stones[a][i], w.stones[a.Other()][i]
		attack := enemy == 0 && own+n >= w.k
		can = can || attack
		if !attack && (own > 0 || enemy+n-1 < w.k) {
			continue
		}
		for _, cell := range window {
			worth[cell] = max(worth[cell], own+enemy+1)
		}
	}
	for cell, x := range worth {
		if can && x > 0 && w.board[cell] == byte(game.Empty) {
			moves = append(moves, cell)
		}
	}
	slices.SortStableFunc(moves, func(x, y int) int { return cmp.Compare(worth[y], worth[x]) })
	return moves
}
