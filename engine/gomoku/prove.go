// SPDX-License-Identifier: Apache-2.0

package gomoku

import "math/bits"

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
// CITE: Allis, van den Herik and Huntjens, Go-Moku Solved by New Search Techniques, 1996.
// CITE: Thomsen, Lambda-Search in Game Trees, 2000.
type prover struct {
	budget uint64 // of visited nodes: beyond it nothing is found any more
	wide   int    // after so many fours each must be near the one before
	zones  [maxPly + 8]zone
	failed [1 << 12]uint64 // hashes of positions without a win by fours
	known  [1 << 13]verdict
}

// verdict is what is known of a position of the attacker: a win in plies, or none with so many threats.
type verdict struct {
	key     uint64
	plies   int16 // 0: not won
	threats int16
	move    uint16
}

// The longest lines of the prover, and how many threats that are not fours it tries in one.
const (
	proofPly   = 100
	maxThreats = 10
)

// over says whether the prover must give up.
func (w *worker) over() bool { return w.visit() || w.visited >= w.proof.budget }

// attack returns in how many plies the side to move wins with at most so many threats other than fours, or 0.
func (w *worker) attack(threats, ply int) int {
	if plies := w.byFours(ply, 0); plies > 0 {
		return plies
	}
	if w.over() || ply >= proofPly || threats == 0 && w.counts[w.turn.Other()][makesFive] == 0 {
		return 0
	}
	key := w.proofKey()
	v := &w.proof.known[key&uint64(len(w.proof.known)-1)]
	if v.key == key && v.plies > 0 {
		w.pv[ply][0], w.pv[ply][1] = v.move, 0
		return int(v.plies)
	}
	if v.key == key && int(v.threats) >= threats {
		return 0
	}
	list := &w.lists[ply]
	n := w.threats(list)
	for i := range n {
		c := int(list.pick(i, n).cell)
		if !w.mayPlay(c) {
			continue
		}
		cost := 1
		if w.cells[c&cellMask].class[w.turn] >= makesFour || w.counts[w.turn.Other()][makesFive] > 0 {
			cost = 0
		}
		if cost > threats {
			continue
		}
		w.play(c)
		plies := w.defence(threats-cost, ply+1)
		w.undo()
		if plies > 0 {
			w.setPV(ply, uint16(c))
			*v = verdict{key, int16(plies + 1), 0, uint16(c)}
			return plies + 1
		}
	}
	if !w.stop.Load() && w.visited < w.proof.budget {
		*v = verdict{key, 0, int16(threats), 0}
	}
	return 0
}

// threats fills l with the moves that the attacker tries: what makes a three or more, and what the table holds;
// only what stops a five where there is one to be stopped.
func (w *worker) threats(l *moveList) int {
	if w.counts[w.turn.Other()][makesFive] > 0 {
		return w.blocks(l)
	}
	me, n := w.turn&1, 0
	e, _ := w.probe(w.hash(), 0)
	for y := margin; y < margin+w.rule.rows; y++ {
		for row := w.hot[me][y] & w.free[y]; row != 0; row &= row - 1 {
			c := y*stride + bits.TrailingZeros32(row)
			if w.cells[c&cellMask].class[me] < makesThree || uint16(c) == e.move {
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

// defence returns in how many plies the side to move loses, whatever it does, to an enemy with so many threats
// left, or 0.
func (w *worker) defence(threats, ply int) int {
	w.pv[ply][0] = 0
	if w.over() || ply >= proofPly {
		return 0
	}
	me, foe := w.turn, w.turn.Other()
	if w.counts[me][makesFive] > 0 {
		return 0
	}
	list := &w.lists[ply]
	n, longest := 0, 2
	if w.counts[foe][makesFive] > 0 {
		n = w.blocks(list)
	} else {
		if w.counts[me][openFours] > 0 {
			return 0
		}
		w.pass()
		plies := w.byFours(ply+1, 0)
		w.undo()
		if plies == 0 {
			return 0
		}
		w.pv[ply][0] = 0
		longest = plies + 1
		n = w.spoilers(list, &w.proof.zones[ply+1])
	}
	for i := range n {
		c := int(list.pick(i, n).cell)
		if !w.mayPlay(c) {
			continue
		}
		w.play(c)
		plies := w.attack(threats, ply+1)
		w.undo()
		if plies == 0 {
			return 0
		}
		if plies+1 >= longest || w.pv[ply][0] == 0 {
			longest = max(longest, plies+1)
			w.setPV(ply, uint16(c))
		}
	}
	return longest
}

// spoilers fills l with the stones that may spoil a win of that zone: those in it, and fours.
func (w *worker) spoilers(l *moveList, z *zone) int {
	own, n := *z, 0
	w.addFours(&own, w.turn)
	for y := margin; y < margin+w.rule.rows; y++ {
		for row := own[y] & w.free[y]; row != 0; row &= row - 1 {
			c := y*stride + bits.TrailingZeros32(row)
			l[n] = scored{w.appearance(c), uint16(c)}
			n++
		}
	}
	return n
}

// proveWin looks for a proof that the side to move wins, with ever more threats, and says in how many plies: the line is
// in pv[0]. proveLoss does so for its enemy.
func (w *worker) proveWin(budget uint64) int {
	return w.proveAt(budget, (*worker).attack)
}

func (w *worker) proveLoss(budget uint64) int {
	return w.proveAt(budget, (*worker).defence)
}

// proveAt spends a third of the budget on the fours that the search looks at, and the rest on all.
func (w *worker) proveAt(budget uint64, side func(w *worker, threats, ply int) int) int {
	end := w.visited + budget
	for _, pass := range [2]struct {
		wide   int
		budget uint64
	}{{wideFours, w.visited + budget/3}, {proofPly, end}} {
		w.proof.wide, w.proof.budget = pass.wide, pass.budget
		for threats := 0; threats <= maxThreats && !w.over(); threats++ {
			if plies := side(w, threats, 0); plies > 0 {
				return plies
			}
		}
	}
	return 0
}
