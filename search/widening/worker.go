// SPDX-License-Identifier: Apache-2.0

package widening

import (
	"cmp"
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

// result is an answer of worker.win.
type result struct {
	move  int
	trace cells // nil if there is no win
}

// worker holds the board of one search.
type worker struct {
	k       int
	board   []byte   // by cell: a game.Stone
	windows [][]int  // the cells of each line of k cells
	through [][]int  // by cell: the windows that contain it
	stones  [2][]int // by side and window
	rows    [2]int   // by side: the number of windows that it has filled
	known   map[string]result
	key     []byte
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
				w.place(cell, s)
			}
		}
	}
	return w
}

func (w *worker) place(cell int, s game.Side) {
	w.board[cell] = byte(s.Stone())
	for _, i := range w.through[cell] {
		if w.stones[s][i]++; w.stones[s][i] == w.k {
			w.rows[s]++
		}
	}
}

func (w *worker) take(cell int) {
	s := game.First
	if w.board[cell] != byte(s.Stone()) {
		s = game.Second
	}
	w.board[cell] = byte(game.Empty)
	for _, i := range w.through[cell] {
		if w.stones[s][i] == w.k {
			w.rows[s]--
		}
		w.stones[s][i]--
	}
}

// win reports whether a, who is to move, wins within n of its moves. If so, it returns the first move, and the trace of the win.
func (w *worker) win(a game.Side, n int) (move int, trace cells, won bool) {
	w.key = append(append(w.key[:0], w.board...), byte(a), byte(n))
	if r, ok := w.known[string(w.key)]; ok {
		return r.move, r.trace, r.trace != nil
	}
	key := string(w.key)
	for _, m := range w.candidates(a, n) {
		if w.stop = w.budget.Step() || w.stop; w.stop {
			return 0, nil, false
		}
		w.place(m, a)
		trace = w.threat(m, a, n)
		w.take(m)
		if trace != nil {
			move = m
			break
		}
	}
	if w.stop {
		return 0, nil, false
	}
	if len(w.known) == maxKnown {
		clear(w.known)
	}
	w.known[key] = result{move, trace}
	return move, trace, trace != nil
}

// threat returns the trace of the win that a has after its move m, the first of n moves, against every answer; or nil.
func (w *worker) threat(m int, a game.Side, n int) cells {
	trace := make(cells, len(w.board))
	trace[m] = true
	if w.rows[a] > 0 {
		return trace
	}
	if n == 1 {
		return nil
	}
	_, passed, won := w.win(a, n-1)
	if !won {
		return nil
	}
	trace.add(passed)
	for answer, in := range w.answers(a.Other(), n-1, passed) {
		if !in {
			continue
		}
		w.place(answer, a.Other())
		var below cells
		if w.rows[a.Other()] == 0 {
			_, below, won = w.win(a, n-1)
		} else {
			won = false
		}
		w.take(answer)
		if !won {
			return nil
		}
		trace[answer] = true
		trace.add(below)
	}
	return trace
}

// answers returns the moves of d that can prevent a win of order n with this trace: those in the trace, and those on a line that d
// can complete before, with this move and n-1 more.
func (w *worker) answers(d game.Side, n int, trace cells) cells {
	all := slices.Clone(trace)
	for i, window := range w.windows {
		if w.stones[d.Other()][i] == 0 && w.stones[d][i]+n >= w.k {
			for _, cell := range window {
				all[cell] = true
			}
		}
	}
	for cell, stone := range w.board {
		all[cell] = all[cell] && stone == byte(game.Empty)
	}
	return all
}

// candidates returns the moves that can begin a win of a within n moves, the most promising first: those on a line that a can
// complete in n moves, and those on a line that the opponent can complete before. There is none if a can complete no line.
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
