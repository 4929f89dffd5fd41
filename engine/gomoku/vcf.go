// SPDX-License-Identifier: Apache-2.0

package gomoku

import "github.com/krow-lab/krow/game"

// byFours returns the number of plies in which the side to move wins by fours, or 0 if it does not. It stores the zone of the win
// in zones[ply] and the line in pv[ply].
func (w *worker) byFours(ply int) int {
	w.pv[ply][0] = 0
	if w.over() || ply >= proofPly || w.proof.tooLong(ply, 1) {
		return 0
	}
	w.proof.zones[ply] = zone{}
	if plies := w.fiveOrOpenFour(ply); plies > 0 {
		return plies
	}
	if w.failedBefore(w.hash(), ply) || w.proof.tooLong(ply, 3) {
		return 0
	}
	if plies := w.someFour(ply); plies > 0 {
		return plies
	}
	if !w.stop.Load() && w.visited < w.proof.budget && ply < proofPly/2 {
		keySet(w.proof.fours[:]).add(w.proof.salt(w.hash(), ply))
	}
	return 0
}

// failedBefore reports whether byFours is known to find no win in the position with this hash.
func (w *worker) failedBefore(hash uint64, ply int) bool {
	return keySet(w.proof.fours[:]).has(w.proof.salt(hash, ply))
}

// fiveOrOpenFour is the part of byFours for wins by a five or an open four.
func (w *worker) fiveOrOpenFour(ply int) int {
	me, foe := w.turn, w.turn.Other()
	z := &w.proof.zones[ply]
	if w.counts[me][makesFive] > 0 {
		c := w.find(me, makesFive)
		z.add(c)
		w.pv[ply][0], w.pv[ply][1] = uint16(c), 0
		return 1
	}
	if w.counts[me][openFours] == 0 || w.proof.tooLong(ply, 3) || w.counts[foe][makesFive] > 0 || w.rule.side[0].blocked {
		return 0
	}
	c := w.find(me, openFours)
	w.addFours(z, foe)
	w.playStone(c)
	w.addFives(z, c)
	w.undo()
	w.pv[ply][0], w.pv[ply][1] = uint16(c), 0
	return 3
}

// someFour is the part of byFours for longer wins: it tries the fours until one of them wins.
func (w *worker) someFour(ply int) int {
	me, list := w.turn, &w.lists[ply]
	var n int
	threatened := w.counts[me.Other()][makesFive] > 0
	if threatened {
		n = w.blocks(list)
	} else {
		n = w.fours(list)
	}
	for i := range n {
		c := int(list.pick(i, n).cell)
		if w.cells[c&cellMask].class[me] < makesFour || !w.mayPlay(c) ||
			!threatened && w.cannotWin(c, list[:n], w.proof.fours[:], w.proof.salt(0, ply+2), false) {
			continue
		}
		if plies := w.fourAt(c, ply); plies > 0 {
			return plies
		}
	}
	return 0
}

func (w *worker) fourAt(c, ply int) int {
	me, foe := w.turn, w.turn.Other()
	z := zone{}
	w.addFours(&z, foe)
	if w.mayBecomeForbidden(c) {
		z.fill()
	}
	w.playStone(c)
	plies := 0
	if w.addFives(&z, c); w.counts[foe][makesFive] == 0 && w.counts[me][makesFive] > 0 {
		plies = w.answersFail(&z, ply+1)
	}
	w.undo()
	if plies == 0 {
		return 0
	}
	w.proof.zones[ply] = z
	w.setPV(ply, uint16(c))
	return plies + 1
}

// answersFail is called if the side to move must stop a five of the enemy. It returns the number of plies in which this side
// loses to fours after every answer, or 0 if an answer avoids the loss. It adds to z the cells on which this result depends.
func (w *worker) answersFail(z *zone, ply int) int {
	list := &w.lists[ply]
	n := w.blocks(list)
	if n == 0 {
		// There is no answer if the enemy has two fives, or in renju if the answers are forbidden for Black. A stone anywhere
		// may make a forbidden answer allowed, so the result depends on all cells; for two fives this is more than needed.
		z.fill()
	}
	longest := 2
	w.pv[ply][0] = 0
	for i := range n {
		r := int(list[i].cell)
		w.playStone(r)
		plies := w.byFours(ply + 1)
		w.undo()
		if plies == 0 {
			return 0
		}
		z.add(r)
		z.join(&w.proof.zones[ply+1])
		if plies+1 > longest || i == 0 {
			longest = max(longest, plies+1)
			w.setPV(ply, uint16(r))
		}
	}
	return longest
}

// mayBecomeForbidden reports whether a stone at a distance might make c forbidden for the side to move.
func (w *worker) mayBecomeForbidden(c int) bool {
	return w.turn == game.First && !w.strict && w.rule.side[0].renju && w.kindOf(game.First, c).maybeForbidden
}

// meet keeps only the cells of z that are also in o. If exact is true, it also keeps the cells of z that are on a line with c.
func (z *zone) meet(o *zone, c int, exact bool) {
	keep := *o
	if exact {
		keep.addLines(c)
	}
	for i := range z {
		z[i] &= keep[i]
	}
}

// addFours adds to z the cells on which the defender would make a four. If Black in renju is the defender and has a forbidden
// cell, addFours adds the whole board, because the class forbidden does not show whether a stone also makes a four.
func (w *worker) addFours(z *zone, foe game.Side) {
	if w.rule.side[foe].renju && w.counts[foe][forbidden] > 0 {
		z.fill()
		return
	}
	fours := w.making(foe, makesFour)
	z.join(&fours)
}

// addFives adds to z the cell c of the stone just placed, and the cells on which the side of this stone can now make five. In
// caro it also adds all cells on a line with c, because stones on these cells may affect a five.
func (w *worker) addFives(z *zone, c int) {
	me := w.turn.Other()
	z.add(c)
	fives := w.making(me, makesFive)
	z.join(&fives)
	if w.rule.side[me&1].blocked {
		z.addLines(c)
	}
}
