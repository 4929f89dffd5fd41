// SPDX-License-Identifier: Apache-2.0

package mcts

import (
	"math"

	"github.com/krow-lab/krow/game"
)

// play plays on at random to the end, or as far as a playout goes, and returns how it ended and after how
// many plies.
func (w *worker) play() (o game.Outcome, plies int) {
	for ; plies < w.playout; plies++ {
		if o := w.p.Outcome(); o != game.Ongoing {
			return o, plies
		}
		w.p.Play(w.draw())
	}
	if o := w.p.Outcome(); o != game.Ongoing {
		return o, plies
	}
	return game.Draw, plies
}

// tries is how often a cell is drawn blindly before the free ones are listed.
const tries = 8

// draw returns a legal move, each with the same probability. Where every empty cell is a move, cells are
// drawn until one is empty; each that is, is as likely as any other.
func (w *worker) draw() game.Move {
	if w.board != nil {
		cells := w.board.Cells()
		for range tries {
			if i := w.dice.Below(len(cells)); cells[i] == game.Empty {
				return game.Move(i)
			}
		}
	}
	w.moves = w.p.AppendMoves(w.moves[:0])
	return w.moves[w.dice.Below(len(w.moves))]
}

// spreads holds sqrt(ln n) for the many nodes of few visits.
var spreads = func() (table [4096]float32) {
	for n := 1; n < len(table); n++ {
		table[n] = float32(math.Sqrt(math.Log(float64(n))))
	}
	return table
}()

// spread returns sqrt(ln visits).
func spread(visits uint32) float32 {
	if int(visits) < len(spreads) {
		return spreads[visits]
	}
	return float32(math.Sqrt(math.Log(float64(visits))))
}
