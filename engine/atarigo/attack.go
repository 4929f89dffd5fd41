// SPDX-License-Identifier: Apache-2.0

package atarigo

import (
	"math/bits"

	"github.com/krow-lab/krow/engine/score"
)

// If the method attack finds no win in a position, it stores in the table the depth of its search, plus 1. The key of such
// an entry is the key of the position combined with attackKey, so that it differs from the key of the main search's entry.
const attackKey = 0x6a09e667f3bcc908

// attackWithin calls attack with a limit of nodes.
func (w *worker) attackWithin(nodes, depth, ply int) int32 {
	w.allowance = nodes
	return w.attack(depth, ply)
}

// shortest returns the first move of a win with the fewest threats, and the number of plies of this win, or 0 if there is no win.
func (w *worker) shortest(nodes int) (c, plies int) {
	for depth := range proofDepth + 1 {
		if v := w.attackWithin(nodes, depth, 0); v > 0 {
			return int(w.attacks[depth].list[0].cell), score.Mate - int(v)
		}
		if nodes = w.allowance; nodes <= 0 || w.stopped {
			break
		}
	}
	return 0, 0
}

// attack searches for a win of the side to move by threats to capture; depth is the maximum number of these threats. It returns
// the score of the win, which is proved, or 0 if it finds no win. It stores the first move in w.attacks[depth].
//
// The enemy has at most one answer to a threat: the last liberty of the threatened group.
func (w *worker) attack(depth, ply int) int32 {
	if w.spent(); w.stopped {
		return 0
	}
	l := &w.attacks[depth]
	if c := w.capture(w.turn); c != 0 {
		l.list[0].cell = uint16(c)
		return score.WinIn(ply + 1)
	}
	if depth == 0 {
		return 0
	}
	key := w.key ^ attackKey
	if d, ok := w.table.Probe(key); ok && int(d) > depth {
		return 0
	}
	w.threats(l)
	for i := range l.n {
		c := int(l.list[i].cell)
		w.play(c)
		v := score.WinIn(ply + 3)
		answer := w.escape()
		if answer != 0 {
			w.play(answer)
			v = w.attack(depth-1, ply+2)
			w.undo()
		}
		w.undo()
		if v > 0 {
			l.list[0].cell = uint16(c)
			return v
		}
		if w.stopped || w.allowance <= 0 {
			return 0
		}
	}
	w.table.Store(key, uint64(depth+1))
	return 0
}

// threats lists the moves that leave an enemy group with one liberty. If the enemy threatens a capture, only a move that also
// stops this capture is listed.
func (w *worker) threats(l *moves) {
	l.n = 0
	only := -1
	if w.heads[w.turn&1][0] != (set{}) {
		only = w.escape()
	}
	for i, heads := range w.heads[w.turn&1^1][1] {
		for ; heads != 0; heads &= heads - 1 {
			g := &w.groups[i<<6|bits.TrailingZeros64(heads)]
			for j := range w.words {
				for cells := g.liberties[j]; cells != 0; cells &= cells - 1 {
					c := j<<6 | bits.TrailingZeros64(cells)
					if (only < 0 || only == c) && !l.has(c) && w.room(c, 2) >= 2 {
						// The answer is the other liberty. The fewer liberties it gives, the more promising is the move.
						l.add(c, int32(-w.gain(g, c)))
					}
				}
			}
		}
	}
	l.sort()
}
