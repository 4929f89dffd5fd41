// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"github.com/krow-lab/krow/game"
)

// verdict is a result for a position: either the attacker wins, or the attacker does not win with the given number of threats.
//
//	key       plies  move  left
//	........  ..     ..    ..     bytes
type verdict struct {
	key   uint64
	plies uint16 // number of plies to the win; 0 if the attacker does not win
	// move is the winning move of the attacker or the best defence: a defence that avoids the loss or, if none does, the defence
	// that delays it longest. 0 means any move.
	move uint16
	left int16 // if plies is 0: the attacker does not win with this number of threats
}

// bucket is the number of places in the table at which a verdict may be stored.
const bucket = 4

// verdictKey returns the key under which the table stores the verdict on the position. The key depends on the position, on the
// role of the side to move (attacks), on whether quiet moves are tried, and on the number of plies that a win may still take.
func (w *worker) verdictKey(attacks bool, ply int) uint64 {
	key := w.proof.salt(w.hash(), ply)
	if w.proof.quiet {
		key ^= 0x5bf0a8b1457e3c19
	}
	if !attacks {
		key ^= 0x8ebc6af09c88c6e3
	}
	return key
}

func (w *worker) recall(key uint64) (verdict, bool) {
	t := w.proof.table
	at := key & uint64(len(t)-1)
	for i := range uint64(bucket) {
		if x := &t[at^i]; x.key == key {
			return *x, true
		}
	}
	return verdict{left: -1}, false
}

// storeVerdict replaces the verdict with the same key or, if there is none, the least valuable verdict of the bucket.
func (w *worker) storeVerdict(x verdict) {
	t := w.proof.table
	at := x.key & uint64(len(t)-1)
	place := &t[at]
	for i := range uint64(bucket) {
		y := &t[at^i]
		if y.key == x.key {
			place = y
			break
		}
		if y.worth() < place.worth() {
			place = y
		}
	}
	*place = x
}

// worth estimates how much work it would be to find a verdict again. A win is worth most, because it stays valid for every
// limit of threats.
func (x *verdict) worth() int {
	if x.plies > 0 {
		return 2 + maxThreats
	}
	return int(x.left)
}

// attack returns the number of plies in which the side to move wins by fours and at most the given number of other threats, or 0
// if it does not. It stores the line in pv[ply].
func (w *worker) attack(left, ply int) int {
	w.pv[ply][0] = 0
	key := w.verdictKey(true, ply)
	x, known := w.recall(key)
	if known && x.plies > 0 {
		w.pv[ply][0], w.pv[ply][1] = x.move, 0
		return int(x.plies)
	}
	if known && int(x.left) >= left || ply >= proofPly || w.proof.tooLong(ply, 1) {
		return 0
	}
	plies := w.byFours(ply)
	if plies == 0 {
		if w.over() {
			return 0
		}
		if threatened := w.counts[w.turn.Other()][makesFive] > 0; (left > 0 || threatened) && !w.proof.tooLong(ply, 3) {
			plies = w.attackBy(left, ply, threatened)
		}
	}
	switch {
	case plies > 0:
		w.storeVerdict(verdict{key, uint16(plies), w.pv[ply][0], 0})
	case !w.spent():
		w.storeVerdict(verdict{key, 0, 0, int16(left)})
	}
	return plies
}

// attackBy is attack without its first step, the search for wins that need only fours. threatened means that the side to move
// must stop a five.
func (w *worker) attackBy(left, ply int, threatened bool) int {
	list := &w.lists[ply]
	n := w.attacks(list)
	for i := range n {
		c := int(list.pick(i, n).cell)
		cost := 1
		switch k := w.cells[c&cellMask].class[w.turn&1]; {
		case threatened || k >= makesFour:
			cost = 0
		case w.proof.quiet && k < makesThree:
			cost = 2
		}
		if cost > left || !w.mayPlay(c) {
			continue
		}
		w.playStone(c)
		plies := w.defence(left-cost, ply+1)
		w.undo()
		if plies > 0 {
			w.setPV(ply, uint16(c))
			return plies + 1
		}
		if w.spent() {
			return 0
		}
	}
	return 0
}

// attacks fills l with the attacker's moves: the moves that make a three or more, and the move from the table. If the enemy
// can make five, attacks instead fills l with the moves that stop the five.
func (w *worker) attacks(l *moveList) int {
	if w.counts[w.turn.Other()][makesFive] > 0 {
		return w.blocks(l)
	}
	me, n := w.turn&1, 0
	z := w.hot[me]
	if w.proof.quiet {
		z.join(&w.near)
	}
	e, _ := w.probe(w.hash(), 0)
	for _, m := range l[:w.list(l, &z)] {
		q := &w.cells[m.cell&cellMask]
		if m.cell != e.move && (q.class[me] >= makesThree || promising(q, me)) {
			l[n] = m
			n++
		}
	}
	if e.move != 0 {
		l[n] = scored{scoreTable, e.move}
		n++
	}
	return n
}

func promising(q *cellState, me game.Side) bool {
	if q.class[me&1] >= makesTwo {
		return true
	}
	for code := q.code >> (16 * uint(me)) & 0xffff; code != 0; code >>= 4 {
		if shape(code&15) == three {
			return true
		}
	}
	return false
}

// defence returns the number of plies in which the side to move loses to an enemy who may make the given number of further
// threats, or 0 if it does not lose. It stores the line in pv[ply].
func (w *worker) defence(left, ply int) int {
	w.pv[ply][0] = 0
	key := w.verdictKey(false, ply)
	x, known := w.recall(key)
	if known && x.plies > 0 {
		w.pv[ply][0], w.pv[ply][1] = x.move, 0
		return int(x.plies)
	}
	if known && int(x.left) >= left || ply >= proofPly || w.over() {
		return 0
	}
	plies, hold := w.answers(left, ply, x.move)
	if plies == 0 && w.spent() {
		return 0
	}
	if plies > 0 {
		hold = w.pv[ply][0]
	}
	w.storeVerdict(verdict{key, uint16(plies), hold, int16(left)})
	return plies
}

// answers returns the number of plies in which the side to move loses, or 0 and a move that avoids the loss. It tries the move
// in the parameter first before all other moves.
func (w *worker) answers(left, ply int, first uint16) (plies int, hold uint16) {
	me, foe := w.turn, w.turn.Other()
	list, n := &w.lists[ply], 0
	switch {
	case w.counts[me][makesFive] > 0:
		return 0, 0
	case w.counts[foe][makesFive] > 0:
		n, plies = w.blocks(list), 2
	case w.counts[me][openFours] > 0:
		return 0, 0
	default:
		n, plies, hold = w.spoilers(left, ply, first)
		if plies == 0 {
			return 0, hold
		}
	}
	for i := range n {
		c := list.pick(i, n).cell
		w.playStone(int(c))
		after := w.attack(left, ply+1)
		w.undo()
		if after == 0 {
			return 0, c
		}
		if after+1 >= plies || w.pv[ply][0] == 0 {
			plies = max(plies, after+1)
			w.setPV(ply, c)
		}
	}
	return plies, 0
}

// spoilers fills the move list of this ply with the spoilers. A spoiler is a move after which the enemy has no win by fours.
// spoilers tries fours, and the cells in the zone of the win that the enemy would have after a pass. It returns the number of
// plies in which all moves except the spoilers lose, or 0 if the enemy has no win by fours after a pass. If the search may make
// no more threats, one spoiler is enough to avoid the loss: spoilers then stops at the first spoiler, and returns 0 plies and
// this move.
//
// If the enemy still has a win after a stone, the stone is no spoiler. Only stones in the zone of this win can prevent this
// win. Therefore every spoiler is also in this zone, and the cells outside it need not be tried.
func (w *worker) spoilers(left, ply int, first uint16) (n, plies int, hold uint16) {
	w.pass()
	plies = w.byFours(ply + 1)
	w.undo()
	w.pv[ply][0] = 0
	if plies == 0 {
		return 0, 0, 0
	}
	plies++
	foe, list, z := w.turn.Other(), &w.lists[ply], w.proof.zones[ply+1]
	total := w.inZone(list, &z, first)
	for i := range total {
		m := list.pick(i, total)
		c := int(m.cell)
		four := w.cells[c&cellMask].class[w.turn&1] >= makesFour
		if !four && !z.has(c) || !w.mayPlay(c) {
			continue
		}
		after := 0
		if !w.failedBefore(w.hashAfter(c), ply+1) {
			w.playStone(c)
			after = w.byFours(ply + 1)
			w.undo()
		}
		if after > 0 {
			if !four && (w.strict || !w.rule.side[foe&1].renju) {
				z.meet(&w.proof.zones[ply+1], c, w.rule.side[w.turn&1].exact)
			}
			if after+1 >= plies || w.pv[ply][0] == 0 {
				plies = max(plies, after+1)
				w.setPV(ply, m.cell)
			}
			continue
		}
		if w.spent() || left == 0 && !four {
			return 0, 0, m.cell
		}
		list[n] = m
		n++
	}
	return n, plies, 0
}

// inZone fills l with the cells of a zone and the fours of the side to move. The move in the parameter first gets the best
// rating, so that it is picked before all other moves.
func (w *worker) inZone(l *moveList, z *zone, first uint16) int {
	own := *z
	w.addFours(&own, w.turn)
	n := w.list(l, &own)
	for i := range l[:n] {
		if l[i].cell == first {
			l[i].score = scoreTable
		}
	}
	return n
}
