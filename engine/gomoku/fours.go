// SPDX-License-Identifier: Apache-2.0

package gomoku

import "github.com/krow-lab/krow/game"

// byFours returns in how many plies the side to move wins by fours, or 0 when it does not or was not found to. It
// leaves the zone of the win in zones[ply] and the line in pv[ply]. deep counts the fours before.
func (w *worker) byFours(ply, deep int) int {
	w.pv[ply][0] = 0
	if w.over() || ply >= proofPly {
		return 0
	}
	w.proof.zones[ply] = zone{}
	if plies := w.fiveOrOpenFour(ply); plies > 0 {
		return plies
	}
	key := w.proofKey()
	if deep >= w.proof.wide {
		key ^= 0xa0761d6478bd642f // fewer fours are tried here
	}
	slot := &w.proof.fours[key&uint64(len(w.proof.fours)-1)]
	if *slot == key {
		return 0
	}
	if plies := w.someFour(ply, deep); plies > 0 {
		return plies
	}
	if !w.stop.Load() && w.visited < w.proof.budget && ply < proofPly/2 {
		*slot = key
	}
	return 0
}

// fiveOrOpenFour is byFours by a five or an open four and nothing else.
func (w *worker) fiveOrOpenFour(ply int) int {
	me, foe := w.turn, w.turn.Other()
	z := &w.proof.zones[ply]
	if w.counts[me][makesFive] > 0 {
		c := w.find(me, makesFive)
		z.add(c)
		w.pv[ply][0], w.pv[ply][1] = uint16(c), 0
		return 1
	}
	if w.counts[me][openFours] == 0 || w.counts[foe][makesFive] > 0 || w.rule.side[0].blocked {
		return 0
	}
	c := w.find(me, openFours)
	w.addFours(z, foe)
	w.play(c)
	w.addFives(z, c)
	w.undo()
	w.pv[ply][0], w.pv[ply][1] = uint16(c), 0
	return 3
}

// someFour is byFours by the first four that is found to win. With many fours before, only those near the last one
// are tried.
func (w *worker) someFour(ply, deep int) int {
	me := w.turn
	threatened := w.counts[w.turn.Other()][makesFive] > 0
	list := &w.lists[ply]
	var n int
	if threatened {
		n = w.blocks(list)
	} else {
		n = w.fours(list)
	}
	for i := range n {
		m := list.pick(i, n)
		c := int(m.cell)
		if w.cells[c&cellMask].class[me] < makesFour || !w.mayPlay(c) ||
			deep >= w.proof.wide && !threatened && !inReach(c, w.last(2)) {
			continue
		}
		if plies := w.fourAt(c, ply, deep); plies > 0 {
			return plies
		}
	}
	return 0
}

// proofKey is the hash of the position and of how wide the prover looks.
func (w *worker) proofKey() uint64 { return w.hash() ^ uint64(w.proof.wide)*0xe7037ed1a0b428db }

// fourAt is byFours by a four on c.
func (w *worker) fourAt(c, ply, deep int) int {
	me, foe := w.turn, w.turn.Other()
	z := zone{}
	w.addFours(&z, foe)
	if w.doubtful(c) {
		z.fill()
	}
	w.play(c)
	plies := 0
	if w.addFives(&z, c); w.counts[foe][makesFive] == 0 && w.counts[me][makesFive] > 0 {
		plies = w.answersFail(&z, ply+1, deep+1)
	}
	w.undo()
	if plies == 0 {
		return 0
	}
	w.proof.zones[ply] = z
	w.setPV(ply, uint16(c))
	return plies + 1
}

// answersFail returns in how many plies the side to move loses, to fours alone, whatever stops the five that its
// enemy threatens, or 0. It adds to z what that depends on.
func (w *worker) answersFail(z *zone, ply, deep int) int {
	list := &w.lists[ply]
	n := w.blocks(list)
	if n == 0 {
		z.fill() // a forbidden answer may become allowed by a stone far away
	}
	longest := 2
	w.pv[ply][0] = 0
	for i := range n {
		r := int(list[i].cell)
		w.play(r)
		plies := w.byFours(ply+1, deep)
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

// doubtful says whether a stone far away might make c forbidden to the side to move.
func (w *worker) doubtful(c int) bool {
	return w.turn == game.First && w.rule.side[0].renju && w.kinds[0][w.cells[c&cellMask].code&0xffff].doubt
}
