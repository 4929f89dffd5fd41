// SPDX-License-Identifier: Apache-2.0

package mics

import "github.com/krow-lab/krow/game"

// place is where a cell lies on its line in one direction.
type place struct{ at, length uint8 }

// places returns the place of each cell in direction d.
func places(d, columns, rows int) []place {
	ps := make([]place, 0, columns*rows)
	for row := range rows {
		for column := range columns {
			left, right, below, above := column, columns-1-column, row, rows-1-row
			at, rest := left, right
			switch d {
			case 1:
				at, rest = below, above
			case 2:
				at, rest = min(left, below), min(right, above)
			case 3:
				at, rest = min(right, below), min(left, above)
			}
			ps = append(ps, place{uint8(at), uint8(at + rest + 1)})
		}
	}
	return ps
}

// fullest is the most stones in any live window of a range, plus one, and how many windows have it.
type fullest struct{ best, many uint8 }

// add widens the range by a window: v is its stones plus one, or 0 when it is dead.
func (f *fullest) add(v uint8) {
	switch {
	case v > f.best:
		*f = fullest{v, 1}
	case v == f.best && v > 0:
		f.many++
	}
}

// join returns the fullest of two ranges together.
func (f fullest) join(g fullest) fullest {
	switch {
	case f.best > g.best:
		return f
	case f.best < g.best:
		return g
	}
	f.many += g.many
	return f
}

// scratch is a line around a cell that changed, gathered into a row.
type scratch struct {
	stones  [game.MaxSide]game.Stone // of the line
	windows [3 * game.MaxSide]uint8
	suffix  [2 * game.MaxSide]fullest
	fullest [2 * game.MaxSide]fullest // of each changed cell
	before  [game.MaxSide + 1]uint8   // own stones before each place of the line
	wall    [game.MaxSide]uint8       // the first enemy at or after each place, or the end of the line
}

// shift adds n stones of s to all windows through the cell in direction d. O(k).
func (e *Evaluator) shift(cell, d int, s game.Side, n uint8) {
	pl, step := e.lines[d][cell], e.steps[d]
	x, length := int(pl.at), int(pl.length)
	first := cell - x*step
	for i := max(0, x-e.k+1); i <= min(x, length-e.k); i++ {
		e.counts[d][first+i*step][s] += n
	}
}

// refresh brings the summaries of all cells within k-1 of a cell in direction d up to date. O(k).
func (e *Evaluator) refresh(cell, d int) {
	pl, step := e.lines[d][cell], e.steps[d]
	x, length := int(pl.at), int(pl.length)
	if length < e.k {
		return
	}
	first := cell - x*step
	sc := &e.scratch
	for i := max(0, x-2*e.k+1); i < min(length, x+2*e.k); i++ {
		sc.stones[i] = e.stones[first+i*step]
	}
	for s := game.First; s <= game.Second; s++ {
		e.slide(first, d, x, length, s)
		e.walls(x, length, s)
		e.summarize(first, d, x, length, s)
	}
}

// slide finds the fullest windows of each changed cell. With k = 3, the cell at x changed, windows named by
// their first place and cells by theirs:
//
//	window    x-4 x-3 x-2 x-1  x  x+1 x+2      i = 0 .. 3k-3
//	cell x-2   [-------|]                      j = 0 .. 2k-2 sees the windows i = j .. j+k-1
//	cell x-1       [---|---]
//	cell x             [|------]
//	cell x+1               [---|---]
//	cell x+2                   [|------]
//
// Every range of the first k cells spans the bar left of window x-2, every other the bar right of window
// x. A range is the tail of what lies left of its bar joined to the head of what lies right of it, so heads
// and tails, grown one window at a time, give them all in O(k).
//
// CITE: van Herk, A fast algorithm for local minimum and maximum filters, 1992; Gil and Werman, Computing 2-D
// min, median, and max filters, 1993. The counts beside the maxima are ours.
func (e *Evaluator) slide(first, d, x, length int, s game.Side) {
	k, step, sc := e.k, e.steps[d], &e.scratch
	counts := e.counts[d]
	windows := sc.windows[:3*k-2]
	clear(windows)
	low := x - 2*k + 2
	for i := max(0, low); i <= min(length-k, x+k-1); i++ {
		if c := &counts[first+i*step]; c[s^1] == 0 {
			windows[i-low] = c[s] + 1
		}
	}
	sc.span(windows, k, 0, k)
	sc.span(windows, k, k, k-1)
}

// span finds the fullest windows of n cells, from cell j on; all their ranges span or touch one bar.
func (sc *scratch) span(windows []uint8, k, j, n int) {
	bar := j + k - 1
	tail := fullest{}
	for i := bar - 1; i >= j; i-- {
		tail.add(windows[i])
		sc.suffix[i] = tail
	}
	head := fullest{}
	for c := j; c < j+n; c++ {
		head.add(windows[c+k-1])
		sc.fullest[c] = head
		if c < bar {
			sc.fullest[c] = head.join(sc.suffix[c])
		}
	}
}

// walls counts the stones of s along the line, and finds the enemy stones that end its reach.
func (e *Evaluator) walls(x, length int, s game.Side) {
	sc, own, enemy := &e.scratch, s.Stone(), s.Other().Stone()
	low, high := max(0, x-2*e.k+1), min(length, x+2*e.k)
	n := uint8(0)
	for i := low; i < high; i++ {
		sc.before[i] = n
		if sc.stones[i] == own {
			n++
		}
	}
	sc.before[high] = n
	wall := uint8(high)
	for i := high - 1; i >= low; i-- {
		if sc.stones[i] == enemy {
			wall = uint8(i)
		}
		sc.wall[i] = wall
	}
}

// summarize sets the summaries of the changed cells. A cell's live windows are those between the enemy stones,
// or the ends of the line, left and right of it.
func (e *Evaluator) summarize(first, d, x, length int, s game.Side) {
	k, step, sc, own, enemy := e.k, e.steps[d], &e.scratch, s.Stone(), s.Other().Stone()
	open := max(0, x-2*k+1) // the first place after the last enemy
	for i := open; i < min(length, x+k); i++ {
		if sc.stones[i] == enemy {
			open = i + 1
		}
		if i < x-k+1 {
			continue
		}
		v := summary{}
		from, to := max(open, i-k+1), min(int(sc.wall[i]), i+k)
		if to-from >= k {
			f := sc.fullest[i-(x-k+1)]
			v = summary{
				reach: sc.before[to] - sc.before[from],
				live:  uint8(to - from - k + 1),
				best:  f.best - 1,
				many:  f.many,
				adjacent: k > 1 && (i > 0 && sc.stones[i-1] == own ||
					i+1 < length && sc.stones[i+1] == own),
			}
		}
		e.set(first+i*step, d, s, v)
	}
}
