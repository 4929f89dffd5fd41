// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"cmp"
	"slices"

	"github.com/krow-lab/krow/game"
)

// compare orders moves by rule 5, the better first: more ways to win, more own stones in them, nearer to the
// centre, earlier in move order.
func (w *worker) compare(a, b game.Move) int {
	if w.board == nil {
		return cmp.Compare(a, b)
	}
	x, y := w.board.Cell(a), w.board.Cell(b)
	if w.lined != nil {
		if c := cmp.Or(cmp.Compare(w.chart.ways[y], w.chart.ways[x]), cmp.Compare(w.chart.own[y], w.chart.own[x])); c != 0 {
			return c
		}
	}
	return cmp.Or(cmp.Compare(distance(w.board, x), distance(w.board, y)), cmp.Compare(a, b))
}

// best returns the best of the moves left by rule 5.
func (w *worker) best() game.Move { return slices.MinFunc(w.moves, w.compare) }

// maxTrials bounds the moves that one rule tries out: a few milliseconds' worth.
const maxTrials = 1 << 17

// safest returns the best move by rule 5 of those that leave the opponent the fewest moves that win at once.
// It is rule 2 where no lines tell which moves to look at.
func (w *worker) safest() game.Move {
	slices.SortFunc(w.moves, w.compare)
	best, least, trials := w.moves[0], -1, 0
	for _, m := range w.moves {
		if w.stop || trials > maxTrials {
			break
		}
		w.play(m)
		w.buf = w.p.AppendMoves(w.buf[:0])
		n := w.count(w.buf, least)
		w.p.Undo()
		trials += len(w.buf) + 1
		if w.stop {
			break
		}
		if least < 0 || n < least {
			best, least = m, n
		}
		if n == 0 {
			break
		}
	}
	return best
}

// count returns how many of the moves win at once for the side to move, once it is as many as enough no more
// than that; a negative enough never is.
func (w *worker) count(moves []game.Move, enough int) int {
	n := 0
	for _, m := range moves {
		if n == enough {
			break
		}
		if w.wins(m) {
			n++
		}
	}
	return n
}
