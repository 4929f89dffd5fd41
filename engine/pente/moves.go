// SPDX-License-Identifier: Apache-2.0

package pente

import "github.com/krow-lab/krow/game"

const maxMoves = 64

// moves is a list of cells.
type moves struct {
	n    int
	list [maxMoves]scored
}

type scored struct {
	cell  uint16
	score int32
}

// add adds a cell to the list, which is sorted by score, the greatest first. The parameter most limits the length of the
// list: if the list is full, the cell with the smallest score is dropped. Cells with equal scores stay in the order in which
// they were added.
func (l *moves) add(c uint16, score int32, most int) {
	i := l.n
	if i == most {
		if i--; l.list[i].score >= score {
			return
		}
	} else {
		l.n++
	}
	for ; i > 0 && l.list[i-1].score < score; i-- {
		l.list[i] = l.list[i-1]
	}
	l.list[i] = scored{c, score}
}

// first moves a cell to the front of the list, if the list contains it.
func (l *moves) first(c uint16) {
	for i := range l.n {
		if q := l.list[i]; q.cell == c {
			copy(l.list[1:i+1], l.list[:i])
			l.list[0] = q
			return
		}
	}
}

// rate returns how promising an empty cell is for the side to move.
func (w *worker) rate(c int) int32 {
	own, foe := w.cells[c].summary[w.turn&1], w.cells[c].summary[w.turn&1^1]
	v := own.urgency()*4 + foe.urgency()*3 + w.liked[w.turn&1][c]
	if (own|foe)&masks[takes] != 0 {
		v += int32(own.captures()*w.taken[w.turn&1]+foe.captures()*w.taken[w.turn&1^1]) * nearlyTaken / int32(w.target)
	}
	return v
}

// nearlyTaken is added to the rating of a capture for each earlier capture of its side.
const nearlyTaken = 300

// forced lists the moves that can stop the enemy from winning at once. It reports whether the list is complete.
func (w *worker) forced(l *moves) (all bool) {
	l.n = 0
	w.buffer = w.appendForced(w.buffer[:0])
	for _, c := range w.buffer {
		l.add(c, w.rate(int(c)), maxMoves)
	}
	return len(w.buffer) <= maxMoves
}

// promising lists the best cells, and reports whether the list contains all cells. Cells far from all stones come last; among
// these the central ones come first.
func (w *worker) promising(l *moves, most int) (all bool) {
	l.n = 0
	order := w.order
	// The opening rule: the first stone must be in the center, and the third stone outside a square around the center. The slice
	// order contains the cells from the center to the edge.
	if w.distance > 0 {
		switch w.placed + w.ply {
		case 0:
			order = order[:1]
		case 2:
			order = order[(2*w.distance-1)*(2*w.distance-1):]
		}
	}
	for _, c := range order {
		if w.cells[c].stone == game.Empty {
			l.add(c, w.rate(int(c)), most)
		}
	}
	return w.empties <= most
}
