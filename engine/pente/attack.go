// SPDX-License-Identifier: Apache-2.0

package pente

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

// shortest returns the first move of a win with the fewest threats, and the maximum number of plies of this win, or 0 if there
// is no win.
func (w *worker) shortest(nodes int) (c uint16, plies int) {
	for depth := range proofDepth + 1 {
		if v := w.attackWithin(nodes, depth, 0); v > 0 {
			return w.attacks[depth].list[0].cell, score.Mate - int(v)
		}
		if nodes = w.allowance; nodes <= 0 || w.stopped {
			break
		}
	}
	return 0, 0
}

// attack searches for a win of the side to move by threats to win at once; depth is the maximum number of these threats. It
// returns the score of the win, which is proved, or 0 if it finds no win. It stores the move in w.attacks[depth]. The win may
// take fewer plies than the score says.
//
// After a threat the enemy has few answers, and all of them are examined.
func (w *worker) attack(depth, ply int) int32 {
	if w.spent(); w.stopped {
		return 0
	}
	l := &w.attacks[depth]
	if c := w.winning(w.turn); c != 0 {
		l.list[0].cell = uint16(c)
		return score.WinIn(ply + 1)
	}
	if depth == 0 || w.ply >= maxPly-2 {
		return 0
	}
	key := w.key ^ attackKey
	if d, ok := w.table.Probe(key); ok && int(d) > depth {
		return 0
	}
	me, foe := w.turn, w.turn.Other()
	if w.winning(foe) != 0 {
		w.forced(l)
	} else {
		w.threats(l)
	}
	for i := range l.n {
		c := l.list[i].cell
		w.play(int(c))
		v := int32(0)
		if w.winning(me) != 0 && w.winning(foe) == 0 {
			v = w.defend(depth, ply+1)
		}
		w.undo()
		if v > 0 {
			l.list[0].cell = c
			return v
		}
		if w.stopped || w.allowance <= 0 {
			return 0
		}
	}
	w.table.Store(key, uint64(depth+1))
	return 0
}

// threats lists moves that may threaten to win at once: fours, captures and, if few captures are missing, moves that threaten
// the missing captures.
func (w *worker) threats(l *moves) {
	l.n = 0
	s := &w.sets[w.turn&1]
	near := w.taken[w.turn&1] >= w.target-2*w.lines.counts(3)
	for i := range s[makesFour] {
		cells := s[makesFour][i] | s[takes][i]
		if near {
			cells |= s[threatens][i]
		}
		for ; cells != 0; cells &= cells - 1 {
			c := i<<6 | bits.TrailingZeros64(cells)
			l.add(uint16(c), w.rate(c), maxMoves)
		}
	}
}

// defend returns the score of the attacker's win after a threat, or 0 if the enemy, who is to move, has a defence. It tries
// every answer of the enemy.
func (w *worker) defend(depth, ply int) int32 {
	if w.allowance <= 0 {
		return 0
	}
	l := &w.answers[depth]
	if !w.forced(l) {
		return 0
	}
	slowest := score.WinIn(ply + 2)
	for i := range l.n {
		w.play(int(l.list[i].cell))
		v := w.attack(depth-1, ply+1)
		w.undo()
		if v == 0 {
			return 0
		}
		slowest = min(slowest, v)
	}
	return slowest
}
