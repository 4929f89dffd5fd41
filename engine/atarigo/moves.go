// SPDX-License-Identifier: Apache-2.0

package atarigo

import (
	"math/bits"

	"github.com/krow-lab/krow/game"
)

// moves is a list of cells.
type moves struct {
	n    int
	list [maxSide * maxSide]scored
}

type scored struct {
	cell  uint16
	score int32
}

func (l *moves) add(c int, score int32) {
	l.list[l.n] = scored{uint16(c), score}
	l.n++
}

func (l *moves) has(c int) bool {
	for i := range l.n {
		if int(l.list[i].cell) == c {
			return true
		}
	}
	return false
}

// pick moves the cell with the greatest score of those from i on to the place i, and returns it.
func (l *moves) pick(i int) int {
	best := i
	for j := i + 1; j < l.n; j++ {
		if l.list[j].score > l.list[best].score {
			best = j
		}
	}
	l.list[i], l.list[best] = l.list[best], l.list[i]
	return int(l.list[i].cell)
}

func (l *moves) sort() {
	for i := range l.n {
		l.pick(i)
	}
}

// gain estimates how many liberties the group g has after an answer of its side on its other liberty than c.
func (b *board) gain(g *group, c int) int {
	other := 0
	for j := range b.words {
		for cells := g.liberties[j]; cells != 0; cells &= cells - 1 {
			if d := j<<6 | bits.TrailingZeros64(cells); d != c {
				other = d
			}
		}
	}
	n := 0
	for _, d := range b.near(other) {
		switch {
		case d == c:
		case b.stone[d] == game.Empty:
			n++
		case b.stone[d] == b.turn.Other().Stone():
			if h := &b.groups[b.head[d]]; h != g {
				n += h.n - 1
			}
		}
	}
	return n
}

// Values of a move for the move ordering, by the number of liberties of an adjacent group, minus 1.
var (
	pressing  = [classes]int32{0, 60, 80, 30} // of the enemy
	extending = [classes]int32{0, 90, 50, 10} // of the own side
)

// listMoves lists all moves that leave their group at least two liberties. After every other move the enemy captures at once.
func (w *worker) listMoves(l *moves) {
	l.n = 0
	me := w.turn & 1
	for i := range w.words {
		for cells := w.empty[i]; cells != 0; cells &= cells - 1 {
			c := i<<6 | bits.TrailingZeros64(cells)
			if w.room(c, 2) >= 2 {
				l.add(c, w.rate(c)+w.liked[me][c])
			}
		}
	}
}

// rate returns how promising a move is.
func (w *worker) rate(c int) int32 {
	own := w.turn.Stone()
	v := w.central[c]
	owns, foes := 0, 0
	var seen [4]uint16
	near := w.near(c)
	for k, d := range near {
		s := w.stone[d]
		if s == game.Empty {
			v += 5
			continue
		}
		if s == edge {
			continue
		}
		h := w.head[d]
		if h == seen[0] || h == seen[1] || h == seen[2] {
			continue
		}
		seen[k] = h
		n := min(w.groups[h].n, classes) - 1
		if s == own {
			owns++
			v += extending[n]
		} else {
			foes++
			v += pressing[n]
		}
	}
	if owns > 1 {
		v += 30
	}
	if foes > 1 {
		v += 50
	}
	return v
}
