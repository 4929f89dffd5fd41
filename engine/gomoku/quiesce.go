// SPDX-License-Identifier: Apache-2.0

package gomoku

import "github.com/krow-lab/krow/game"

// The most stones of a sequence of fours, and how many of them may be far from the one before.
const (
	mostFours = 24
	wideFours = 4
)

// quiesce returns the score of a leaf: a win if the side to move wins by fours alone, which is certain since each four
// has one answer, and otherwise the static evaluation.
func (w *worker) quiesce(alpha, beta int32, ply int) int32 {
	w.pv[ply][0] = 0
	if w.visit() || w.empty == 0 {
		return 0
	}
	if v, ok := w.settled(ply); ok {
		return v
	}
	if ply >= maxPly {
		return w.evaluate()
	}
	me, foe := w.turn, w.turn.Other()
	if w.counts[foe][makesFive] > 0 {
		return w.answer(alpha, beta, 0, ply, false)
	}
	static := w.evaluate()
	if counts := &w.counts[me]; static >= beta || counts[makesFour]+counts[makesFour2]+counts[fourThree] == 0 {
		return static
	}
	if plies := w.fourByFour(ply, 0); plies > 0 {
		return winIn(ply + plies)
	}
	return static
}

// fourByFour returns in how many plies the side to move wins by fours, or 0. The position is not settled; deep fours
// were made before.
func (w *worker) fourByFour(ply, deep int) int {
	key := w.hash()
	if deep >= wideFours {
		key ^= 0xa0761d6478bd642f // fewer fours are tried here
	}
	slot := &w.barren[key&uint64(len(w.barren)-1)]
	if *slot == key || deep >= mostFours || ply+2 >= maxPly {
		return 0
	}
	list := &w.lists[ply]
	n := w.fours(list)
	for i := range n {
		c := int(list.pick(i, n).cell)
		if deep >= wideFours && !inReach(c, w.last(2)) || !w.mayPlay(c) {
			continue
		}
		if w.visit() {
			return 0
		}
		w.play(c)
		plies := w.afterFour(ply+1, deep+1)
		w.undo()
		if plies > 0 {
			w.setPV(ply, uint16(c))
			return plies + 1
		}
	}
	if !w.stop.Load() {
		*slot = key
	}
	return 0
}

// afterFour returns in how many plies the side to move loses to fours, or 0, after one of them.
func (w *worker) afterFour(ply, deep int) int {
	me, foe := w.turn, w.turn.Other()
	w.pv[ply][0] = 0
	if w.counts[me][makesFive] > 0 {
		return 0
	}
	list, longest := &w.lists[ply], 2
	n := w.blocks(list)
	for i := range n {
		w.play(int(list[i].cell))
		plies := w.nextFour(ply+1, deep, foe)
		w.undo()
		if plies == 0 {
			return 0
		}
		longest = max(longest, plies+1)
		w.setPV(ply, list[i].cell)
	}
	return longest
}

// nextFour is fourByFour after an answer to a four, which may be a four itself.
func (w *worker) nextFour(ply, deep int, me game.Side) int {
	w.pv[ply][0] = 0
	if v, ok := w.settled(ply); ok {
		if v < 0 {
			return 0
		}
		return int(mate-v) - ply
	}
	if w.counts[me.Other()][makesFive] == 0 {
		return w.fourByFour(ply, deep)
	}
	// The answer made a four: the stone against it must be a four itself.
	list := &w.lists[ply]
	if n := w.blocks(list); n == 0 {
		return 0
	}
	c := int(list[0].cell)
	if w.cells[c&cellMask].class[me&1] < makesFour || w.visit() {
		return 0
	}
	w.play(c)
	plies := w.afterFour(ply+1, deep+1)
	w.undo()
	if plies > 0 {
		w.setPV(ply, uint16(c))
		plies++
	}
	return plies
}

// inReach says whether two cells are in one line, no more than four apart.
func inReach(a, b int) bool {
	dx, dy := a%stride-b%stride, a/stride-b/stride
	return max(dx, -dx, dy, -dy) <= 4 && (dx == 0 || dy == 0 || dx == dy || dx == -dy)
}
