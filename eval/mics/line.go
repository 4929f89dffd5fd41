// SPDX-License-Identifier: Apache-2.0

package mics

import "github.com/krow-lab/krow/game"

type place struct{ at, length uint8 }

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

// line is a line of cells, seen by one side: place i is the cell first + i*step.
type line struct {
	d, first, step, length int
	s                      game.Side
}

// fullest describes the fullest windows among several windows: their number of own stones, and the number of windows with this
// number of own stones. The zero value means that there are no windows.
type fullest struct{ best, many uint8 }

// join describes the fullest windows among all windows that f and g describe. If f and g have the same number of stones, the
// numbers of windows are added.
func (f fullest) join(g fullest) fullest {
	switch {
	case f.many == 0 || g.many > 0 && g.best > f.best:
		return g
	case f.best == g.best:
		f.many += g.many
	}
	return f
}

type scratch struct {
	// By place on the line: the number of stones of the side l.s in all places before this place.
	before [game.MaxSide + 1]uint8
	// By the first place of a window: the fullest windows from the start of its block up to this window. For blocks, see segment.
	head [game.MaxSide]fullest
	// By the first place of a window: the fullest windows from this window to the end of its block.
	tail [game.MaxSide]fullest
}

// refresh updates the summaries of the free cells on the line through cell in direction d, up to k-1 cells away, after the
// stone on cell has changed. A live window contains no enemy stone, so refresh looks only at the stretch between the nearest
// enemy stones on both sides. If cell itself now contains an enemy stone, it divides this stretch into two stretches. refresh
// costs O(k).
func (e *Evaluator) refresh(cell, d int) {
	pl := e.lines[d][cell]
	x, length := int(pl.at), int(pl.length)
	if length < e.k {
		return
	}
	step := e.steps[d]
	l := line{d: d, first: cell - x*step, step: step, length: length}
	for l.s = game.First; l.s <= game.Second; l.s++ {
		enemy := l.s.Other().Stone()
		// A cell to update is at most k-1 places away from the changed cell, and its windows reach k-1 places further. So no
		// place is more than 2k-2 places away.
		from, to := x, x+1
		for low := max(0, x-2*e.k+2); from > low && e.stones[l.first+(from-1)*step] != enemy; {
			from--
		}
		for high := min(length, x+2*e.k-1); to < high && e.stones[l.first+to*step] != enemy; {
			to++
		}
		low, high := max(from, x-e.k+1), min(to, x+e.k)
		if e.stones[cell] == enemy {
			e.segment(&l, from, x, low, x)
			e.segment(&l, x+1, to, x+1, high)
			continue
		}
		e.segment(&l, from, to, low, high)
	}
}

func (e *Evaluator) rebuild(first, d int) {
	l := line{d: d, first: first, step: e.steps[d], length: int(e.lines[d][first].length)}
	for l.s = game.First; l.s <= game.Second; l.s++ {
		enemy, from := l.s.Other().Stone(), 0
		for i := 0; i <= l.length; i++ {
			if i == l.length || e.stones[first+i*l.step] == enemy {
				e.segment(&l, from, i, from, i)
				from = i + 1
			}
		}
	}
}

// segment sets the summaries of the free cells low <= i < high of a line. The stretch from <= i < to contains these cells. The
// stretch contains no enemy stone, so all its windows are live. It costs O(to - from).
//
// A window is named by its first place. The windows are cut into blocks of k, here 3:
//
//	place     0   1   2   3   4   5   6   7   8        from = 0, to = 9
//	window  | 0   1   2 | 3   4   5 | 6 |
//	cell 3        [-----|---]                          sees windows 1 to 3
//	cell 5              [-----------]                  3 to 5
//	cell 8                          [---]              6, the rest would leave the stretch
//
// A cell is in k consecutive windows, or fewer near an end of the stretch. These are the last windows of one block (its tail)
// and the first windows of the next block (its head), or only the tail or the head of one block. All heads are computed in one
// pass over the windows, and all tails in another pass.
//
// CITE: van Herk, A fast algorithm for local minimum and maximum filters, 1992; Gil and Werman, Computing 2-D min, median, and max
// filters, 1993. The papers compute the maxima only; counting them is our addition.
func (e *Evaluator) segment(l *line, from, to, low, high int) {
	k := e.k
	last := to - k
	if last < from {
		for i := low; i < high; i++ {
			if at := l.first + i*l.step; e.stones[at] == game.Empty {
				e.set(at, l.d, l.s, summary{})
			}
		}
		return
	}
	e.fill(l, from, to)
	sc, own := &e.scratch, l.s.Stone()
	for i := low; i < high; i++ {
		at := l.first + i*l.step
		if e.stones[at] != game.Empty {
			continue
		}
		a, b := max(from, i-k+1), min(last, i)
		f := sc.tail[a]
		if start := b - (b-from)%k; start > a {
			f = f.join(sc.head[b])
		} else if start == a {
			f = sc.head[b]
		}
		e.set(at, l.d, l.s, summary{
			reach: sc.before[b+k] - sc.before[a], live: uint8(b - a + 1), best: f.best, many: f.many,
			adjacent: k > 1 && (i > from && e.stones[at-l.step] == own || i+1 < to && e.stones[at+l.step] == own),
		})
	}
}

func (e *Evaluator) fill(l *line, from, to int) {
	k, sc, own := e.k, &e.scratch, l.s.Stone()
	n := uint8(0)
	for i, at := from, l.first+from*l.step; i < to; i, at = i+1, at+l.step {
		sc.before[i] = n
		if e.stones[at] == own {
			n++
		}
	}
	sc.before[to] = n
	for start := from; start <= to-k; start += k {
		end := min(start+k, to-k+1)
		f := fullest{}
		for w := start; w < end; w++ {
			f = f.join(fullest{sc.before[w+k] - sc.before[w], 1})
			sc.head[w] = f
		}
		f = fullest{}
		for w := end - 1; w >= start; w-- {
			f = f.join(fullest{sc.before[w+k] - sc.before[w], 1})
			sc.tail[w] = f
		}
	}
}
