// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"math/bits"

	"github.com/krow-lab/krow/game"
)

// A prover looks for wins by threats alone, and what it finds is one, whatever the defender does: the search leaves
// out moves that it takes for bad, the prover only moves that it knows to fail.
//
//	attack   the attacker wins by fours, or makes a four or another threat, after which the defence
//	defence  answers a four; or, where the attacker would win by fours if the defender passed, tries each
//	         stone that may spoil that win (its zone) and each that makes a four itself. All must fail.
//
// The zone of a win by fours holds all cells that the line uses, and at each step of it the cells where the
// defender would make a four: any other stone leaves every four of the line a four, with the same answer, and
// gives the defender no five on the way. Where rules make distant stones matter, the zone is the whole board.
//
// A win with few threats that are not fours is looked for before one with more: fours have one answer, so that it is the
// other threats that make a search wide. Proof numbers in place of that needed up to four times as many nodes: to look at a
// position again is dear here.
//
// CITE: Allis, van den Herik and Huntjens, Go-Moku Solved by New Search Techniques, 1996.
// CITE: Thomsen, Lambda-Search in Game Trees, 2000.
type prover struct {
	budget uint64 // of visited nodes: beyond it nothing is found any more
	wide   int    // after so many fours each must be near the one before
	quiet  bool   // moves that may threaten to win by fours, and are no threats to the eye, are tried as two threats
	zones  [maxPly + 8]zone
	fours  [1 << 14]uint64 // hashes of positions without a win by fours
	table  []verdict
}

// verdict is what is known of a position: that the attacker wins, or that he does not with so many threats.
//
//	key       plies  move  left
//	........  ..     ..    ..     bytes
type verdict struct {
	key   uint64
	plies uint16 // to the win; 0: none
	move  uint16 // the winning move, or the defence that holds, or the one that holds out longest; 0: any
	left  int16  // threats that do not win
}

// The longest lines of the prover, how many threats that are not fours it tries in one, and how many positions it remembers.
const (
	proofPly   = 100
	maxThreats = 12
	proofTable = 1 << 15
)

// over counts a node and says whether the prover must give up.
func (w *worker) over() bool { return w.visit() || w.spent() }

// spent says whether nothing that is not found yet may be concluded.
func (w *worker) spent() bool { return w.visited >= w.proof.budget || w.stop.Load() }

// attack returns in how many plies the side to move wins with at most so many threats other than fours, or 0. The line
// is in pv[ply].
func (w *worker) attack(left, ply int) int {
	w.pv[ply][0] = 0
	x, known := w.recall(w.verdictKey())
	if known && x.plies > 0 {
		w.pv[ply][0], w.pv[ply][1] = x.move, 0
		return int(x.plies)
	}
	if known && int(x.left) >= left || ply >= proofPly {
		return 0
	}
	if plies := w.byFours(ply, 0); plies > 0 {
		w.learn(verdict{w.verdictKey(), uint16(plies), w.pv[ply][0], 0})
		return plies
	}
	if w.over() {
		return 0
	}
	if threatened := w.counts[w.turn.Other()][makesFive] > 0; left > 0 || threatened {
		if plies := w.attackBy(left, ply, threatened); plies > 0 {
			w.learn(verdict{w.verdictKey(), uint16(plies), w.pv[ply][0], 0})
			return plies
		}
	}
	if !w.spent() {
		w.learn(verdict{w.verdictKey(), 0, 0, int16(left)})
	}
	return 0
}

// attackBy is attack by other moves than fours alone.
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
		w.play(c)
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

// attacks fills l with the moves that the attacker tries: what makes a three or more, and what the table holds;
// only what stops a five where there is one to be stopped.
func (w *worker) attacks(l *moveList) int {
	if w.counts[w.turn.Other()][makesFive] > 0 {
		return w.blocks(l)
	}
	me, n := w.turn&1, 0
	e, _ := w.probe(w.hash(), 0)
	for y := margin; y < margin+w.rule.rows; y++ {
		row := w.hot[me][y]
		if w.proof.quiet {
			row |= w.near[y]
		}
		for row &= w.free[y]; row != 0; row &= row - 1 {
			c := y*stride + bits.TrailingZeros32(row)
			q := &w.cells[c&cellMask]
			if q.class[me] < makesThree && !(w.proof.quiet && promising(q, me)) || uint16(c) == e.move {
				continue
			}
			l[n] = scored{w.appearance(c), uint16(c)}
			n++
		}
	}
	if e.move != 0 {
		l[n] = scored{scoreTable, e.move}
		n++
	}
	return n
}

// promising says whether a stone there makes an open two or a closed three.
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

// defence returns in how many plies the side to move loses, whatever it does, to an enemy with so many threats
// left, or 0. The line is in pv[ply].
func (w *worker) defence(left, ply int) int {
	w.pv[ply][0] = 0
	key := w.verdictKey() ^ defended
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
	w.learn(verdict{key, uint16(plies), hold, int16(left)})
	return plies
}

// answers returns in how many plies the side to move loses, or 0 and the move that holds if there is one. It tries the
// move first before all others.
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
		w.play(int(c))
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

// spoilers fills the list of the ply with the stones that spoil the win by fours that the enemy would have after a
// pass, and leave him none: those in the zone of the win, and fours. It returns in how many plies the others lose, or
// 0, with the move that holds if no threats are left. The zone of a win that a stone does not spoil bounds the
// stones that are left, too: what that win does not depend on does not spoil it either.
func (w *worker) spoilers(left, ply int, first uint16) (n, plies int, hold uint16) {
	w.pass()
	plies = w.byFours(ply+1, 0)
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
		w.play(c)
		after := w.byFours(ply+1, 0)
		w.undo()
		if after > 0 {
			if !four && !w.rule.side[foe&1].renju {
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

// inZone fills l with the stones of a zone, and fours; one of them first.
func (w *worker) inZone(l *moveList, z *zone, first uint16) int {
	own, n := *z, 0
	w.addFours(&own, w.turn)
	for y := margin; y < margin+w.rule.rows; y++ {
		for row := own[y] & w.free[y]; row != 0; row &= row - 1 {
			c := y*stride + bits.TrailingZeros32(row)
			l[n] = scored{w.appearance(c), uint16(c)}
			if uint16(c) == first {
				l[n].score = scoreTable
			}
			n++
		}
	}
	return n
}

// proveWin looks for a proof that the side to move wins, with ever more threats, and says in how many plies, or 0: the
// line is in pv[0]. proveLoss does so for its enemy.
func (w *worker) proveWin(budget uint64) int {
	return w.proveAt(budget, true)
}

func (w *worker) proveLoss(budget uint64) int {
	return w.proveAt(budget, false)
}

// proveQuietWin is proveWin with quiet moves, too.
func (w *worker) proveQuietWin(budget uint64) int {
	w.proof.quiet = true
	defer func() { w.proof.quiet = false }()
	return w.proveWin(budget)
}

func (w *worker) proveAt(budget uint64, attacks bool) (plies int) {
	w.proof.wide, w.proof.budget = proofPly, w.visited+budget
	for left := 0; left <= maxThreats && !w.over() && plies == 0; left++ {
		if attacks {
			plies = w.attack(left, 0)
		} else {
			plies = w.defence(left, 0)
		}
	}
	if plies > 0 {
		w.follow(attacks)
	}
	return plies
}
