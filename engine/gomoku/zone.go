// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"math/bits"

	"github.com/krow-lab/krow/game"
)

// zone is a bit set of cells, by rows.
type zone [stride]uint32

func (z *zone) add(c int) { z[c/stride&(stride-1)] |= 1 << (uint(c) % stride) }

func (z *zone) join(o *zone) {
	for i := range z {
		z[i] |= o[i]
	}
}

func (z *zone) has(c int) bool { return z[c/stride&(stride-1)]>>(uint(c)%stride)&1 != 0 }

// meet leaves of z what is in o as well, and with exact what is in a line with c.
func (z *zone) meet(o *zone, c int, exact bool) {
	keep := *o
	for i := 1; exact && i <= maxReach; i++ {
		for _, step := range &steps {
			keep.add((c + i*step) & cellMask)
			keep.add((c - i*step) & cellMask)
		}
	}
	for i := range z {
		z[i] &= keep[i]
	}
}

func (z *zone) fill() {
	for i := range z {
		z[i] = ^uint32(0)
	}
}

// byFours returns in how many plies the side to move wins by fours, or 0 when it does not or was not found to. It
// leaves the zone of the win in zones[ply] and the line in pv[ply]. deep counts the fours before.
func (w *worker) byFours(ply, deep int) int {
	w.pv[ply][0] = 0
	if w.over() || ply >= proofPly {
		return 0
	}
	me, foe := w.turn, w.turn.Other()
	z := &w.proof.zones[ply]
	*z = zone{}
	if w.counts[me][makesFive] > 0 {
		c := w.find(me, makesFive)
		z.add(c)
		w.pv[ply][0], w.pv[ply][1] = uint16(c), 0
		return 1
	}
	threatened := w.counts[foe][makesFive] > 0
	if w.counts[me][openFours] > 0 && !threatened && !w.rule.side[0].blocked {
		c := w.find(me, openFours)
		w.addFours(z, foe)
		w.play(c)
		w.addFives(z, c)
		w.undo()
		w.pv[ply][0], w.pv[ply][1] = uint16(c), 0
		return 3
	}
	key := w.proofKey()
	if deep >= w.proof.wide {
		key ^= 0xa0761d6478bd642f // fewer fours are tried here
	}
	slot := &w.proof.fours[key&uint64(len(w.proof.fours)-1)]
	if *slot == key {
		return 0
	}
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
	if !w.stop.Load() && w.visited < w.proof.budget && ply < proofPly/2 {
		*slot = key
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

// addFours adds the cells where the defender would make a four, and the whole board where what is forbidden to him
// hides some.
func (w *worker) addFours(z *zone, foe game.Side) {
	if w.rule.side[foe].renju && w.counts[foe][forbidden] > 0 {
		z.fill()
		return
	}
	for y := margin; y < margin+w.rule.rows; y++ {
		for row := w.hot[foe&1][y] & w.free[y]; row != 0; row &= row - 1 {
			if c := y*stride + bits.TrailingZeros32(row); w.cells[c&cellMask].class[foe&1] >= makesFour {
				z.add(c)
			}
		}
	}
}

// addFives adds the stone on c just placed, and the cells where its side makes five now. In caro it adds all cells
// of its lines, which may bear on a five.
func (w *worker) addFives(z *zone, c int) {
	me := w.turn.Other()
	z.add(c)
	for y := margin; y < margin+w.rule.rows; y++ {
		for row := w.hot[me&1][y] & w.free[y]; row != 0; row &= row - 1 {
			if e := y*stride + bits.TrailingZeros32(row); w.cells[e&cellMask].class[me&1] == makesFive {
				z.add(e)
			}
		}
	}
	if !w.rule.side[me&1].blocked {
		return
	}
	for _, step := range &steps {
		for i := 1; i <= maxReach; i++ {
			z.add((c + i*step) & cellMask)
			z.add((c - i*step) & cellMask)
		}
	}
}
