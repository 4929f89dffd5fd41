// SPDX-License-Identifier: Apache-2.0

package gomoku

import "github.com/krow-lab/krow/internal/cpu"

// Margins of the search, in hundredths of a unit. The margins of futility pruning and the number of late moves were tuned by
// matches; the other margins were chosen by reasoning.
const (
	razorDepth, razorMargin       = 2, 60
	futilityDepth, futility       = 7, 65
	nullDepth, nullMargin         = 6, 0
	singularDepth, singularMargin = 7, 6
	countDepth, pvCount           = 9, 12
	reductionDepth, iirDepth      = 2, 4
	historyUnit                   = 2048
	policyDepth                   = 3
)

// search returns the score of the position at ply, for the window from alpha to beta, by a search of depth plies. cut means that
// a cutoff is expected. The comment of each step contains in brackets the name of its switch and its worth. The worth is the Elo,
// with its 95 % interval, against the engine without this step, from 2000 games at 5000 nodes a move
// (research/reports/gomoku-techniques).
// CITE: Marsland, A Review of Game-Tree Pruning, 1986 (principal variation search).
func (w *worker) search(alpha, beta int32, depth, ply int, cut bool) int32 {
	// Step 1. If no ply is left, search only fours.
	if depth <= 0 {
		return w.quiesce(alpha, beta, ply)
	}
	w.pv[ply][0] = 0
	if w.visit() {
		return 0
	}
	if w.empty == 0 {
		return 0
	}
	if ply >= maxPly {
		return w.evaluate()
	}
	pv := beta-alpha > 1
	me, foe := w.turn, w.turn.Other()

	// Step 2. Return if there is an immediate win. Mate distance pruning: return if no line from here can be better than the best
	// known line.
	if v, ok := w.settled(ply); ok {
		return v
	}
	alpha, beta = max(alpha, lossIn(ply)), min(beta, winIn(ply+1))
	if alpha >= beta {
		return alpha
	}

	// Step 3 (four, +21 ± 12 Elo). A four has only one answer, so the answer costs no depth.
	if w.counts[foe][makesFive] > 0 {
		return w.answerFour(alpha, beta, depth, ply, cut)
	}

	// Step 4 (table, +95 ± 13 Elo). Probe the transposition table.
	skip := w.skip[ply]
	key := w.hash()
	if skip != 0 {
		key ^= uint64(skip) * 0xd6e8feb86659fd93
	}
	e, hit := w.probe(key, ply)
	if hit && !pv && e.depth >= depth &&
		(e.bound == exact || e.bound == lower && e.score >= beta || e.bound == upper && e.score <= alpha) {
		return e.score
	}
	onPV := pv || hit && e.pv

	// Step 5. Compute the static evaluation, and whether it is better than two plies ago.
	static := e.static
	if static == noStatic {
		static = w.evaluate()
	}
	w.evals[ply] = static
	guess := static
	if hit && (e.bound == exact || e.bound == lower && e.score > static || e.bound == upper && e.score < static) {
		guess = e.score
	}
	improving := ply >= 2 && static > w.evals[ply-2]
	threatened := w.counts[foe][openFours] > 0 // whether the next stone of the enemy can make an open four or two fours

	// Steps 6 to 8. Return if the moves of the node need no search.
	if !pv && skip == 0 {
		if v, ok := w.pruned(alpha, beta, depth, ply, guess, improving, cut); ok {
			return v
		}
	}

	// Step 9 (iir, -7 ± 12 Elo). Without a move from the table, the order of moves is unreliable, so search less deep.
	if w.o.uses(techIIR) && e.move == 0 && depth >= iirDepth && skip == 0 {
		depth--
	}

	// Step 10 (policy, +10 ± 12 Elo; history, +7 ± 11 Elo; counter, +7 ± 11 Elo). Order the moves: first the move from the table,
	// then by the network's policy, or by shapes, by history, and by earlier good answers to the last stone.
	list := &w.lists[ply]
	n := w.generate(list)
	ordered := w.order(list[:n], e.move, depth)

	best, bestMove, bound := int32(-infinity), uint16(0), uint8(upper)
	searched, quiets := 0, w.tried[ply][:0]
	for i := range n {
		if i == 1 && !ordered {
			w.order(list[1:n], 0, depth)
		}
		m := list.pick(i, n)
		c := int(m.cell)
		if m.cell == skip || !w.mayPlay(c) {
			continue
		}
		forces := w.cells[c&cellMask].class[me] >= makesFour
		stops := w.cells[c&cellMask].class[foe] >= makesThree
		searched++

		// Step 11 (count, +95 ± 13 Elo; window, +95 ± 34 Elo in 306 games). At low depth, do not search late moves. If the window
		// is wider than a null window, search more moves.
		if w.o.uses(techCount) && (!pv || w.o.uses(techWindow)) && !forces && depth <= countDepth && best > -mateBound && !threatened {
			limit := 3 + depth*depth*2/5
			if improving {
				limit += limit / 2
			}
			if pv {
				limit = max(limit, pvCount)
			}
			if searched > limit {
				break
			}
		}

		// Step 12 (singular, 0 ± 10 Elo). A shallower search without the table's move tests whether all other moves are worse by
		// a margin. If they are, search the table's move deeper. If instead another move reaches beta in the shallower search,
		// the node is expected to fail high.
		// CITE: Anantharaman, Campbell and Hsu, Singular extensions, 1990.
		extension := 0
		if w.o.uses(techSingular) && skip == 0 && depth >= singularDepth && m.cell == e.move && e.depth >= depth-3 &&
			e.bound&lower != 0 && e.score < mateBound && e.score > -mateBound {
			limit := e.score - singularMargin*int32(depth)
			w.skip[ply] = m.cell
			v := w.search(limit-1, limit, (depth-1)/2, ply, cut)
			w.skip[ply] = 0
			switch {
			case v < limit:
				extension = 1
			case limit >= beta:
				return limit
			case e.score >= beta:
				extension = -1
			}
			// The search of the other moves has overwritten the list, so make it again.
			n = w.generate(list)
			ordered = w.order(list[:n], e.move, depth)
			list.pick(i, n)
			w.evals[ply] = static
		}

		if depth > 1 {
			cpu.Prefetch(w.table.Place(w.hashAfter(c)))
		}
		w.playStone(c)
		next := depth - 1 + extension
		// Step 13 (reduction, +14 ± 12 Elo). Search late moves less deep, and again with more depth if they are better than
		// expected.
		r := 0
		if w.o.uses(techReduction) && depth >= reductionDepth && searched > 1 && !forces {
			r = min(w.reduction(c, depth, searched, cut, onPV, improving, stops), max(0, next-1))
		}
		v := w.after(alpha, beta, next, r, ply, searched == 1, pv, cut)
		w.undo()
		if w.stop.Load() {
			return 0
		}
		if v > best {
			best = v
			if v > alpha {
				bestMove, alpha, bound = m.cell, v, exact
				w.setPV(ply, m.cell)
				if v >= beta {
					bound = lower
					break
				}
			}
		}
		if !forces && len(quiets) < cap(quiets) {
			quiets = append(quiets, m.cell)
		}
	}
	if searched == 0 {
		switch {
		case skip != 0:
			return alpha
		case threatened:
			return lossIn(ply + 4)
		}
		// All listed moves are forbidden, which is possible only for Black in renju.
		return max(alpha, min(static, beta))
	}
	if bound == lower && w.o.uses(techHistory) {
		w.remember(bestMove, quiets, depth)
	}
	if skip == 0 {
		if bestMove == 0 {
			bestMove = e.move
		}
		w.keep(key, ply, entry{best, static, bestMove, depth, bound, onPV})
	}
	return best
}

// pruned returns the score of a node whose moves need not be searched, or false if they must be searched.
func (w *worker) pruned(alpha, beta int32, depth, ply int, guess int32, improving, cut bool) (int32, bool) {
	// Step 6 (razor, +4 ± 12 Elo). If the evaluation is far below alpha, only fours can help.
	// CITE: Birmingham and Kent, Tree-searching and Tree-pruning Techniques, 1977.
	if w.o.uses(techRazor) && depth <= razorDepth && guess+razorMargin*int32(depth) <= alpha {
		if v := w.quiesce(alpha, beta, ply); v <= alpha || depth == 1 {
			return v, true
		}
	}
	if w.counts[w.turn.Other()][openFours] > 0 || beta <= -mateBound {
		return 0, false
	}
	// Step 7 (futility, +86 ± 13 Elo). If the evaluation is far above beta, the opponent will not be able to catch up.
	// CITE: Heinz, Extended Futility Pruning, 1998.
	margin := futility * int32(depth)
	if improving {
		margin -= futility
	}
	if w.o.uses(techFutility) && depth <= futilityDepth && guess-margin >= beta && guess < mateBound {
		return guess, true
	}
	// Step 8 (null, 0 ± 2 Elo). If passing fails high, some move will also fail high, because an additional stone never hurts a
	// side, except Black in renju. CITE: Donninger, Null Move and Deep Search, 1993.
	if w.o.uses(techNull) && depth >= nullDepth && w.last(1) != 0 && guess >= beta+nullMargin {
		w.pass()
		v := -w.search(-beta, -beta+1, depth-3-depth/4, ply+1, !cut)
		w.undo()
		if v >= beta && !w.stop.Load() {
			return min(v, mateBound), true
		}
	}
	return 0, false
}

// reduction returns the number of plies by which the search depth of a late move is reduced. The move on c has just been played;
// searched is the number of moves up to and including it.
func (w *worker) reduction(c, depth, searched int, cut, onPV, improving, stops bool) int {
	me := w.turn.Other() & 1
	r := int(reductions[min(depth, 63)][min(searched, 63)])
	if cut {
		r++
	}
	if onPV {
		r--
	}
	if !improving {
		r++
	}
	if stops {
		r--
	}
	if w.cells[c&cellMask].class[me] >= makesThree {
		r--
	}
	return max(0, r-int(w.history[me][c&cellMask]/historyUnit))
}

// after searches the move that was just played at ply and returns its value. The parameter next is the search depth. The first
// move of a node is searched with the whole window. Each other move is first searched with a null window and r plies less; if
// it is better than expected, it is searched again.
func (w *worker) after(alpha, beta int32, next, r, ply int, first, pv, cut bool) int32 {
	if first {
		return -w.search(-beta, -alpha, next, ply+1, !pv && !cut)
	}
	v := -w.search(-alpha-1, -alpha, next-r, ply+1, r > 0 || !cut)
	if v > alpha && r > 0 {
		v = -w.search(-alpha-1, -alpha, next, ply+1, !cut)
	}
	if v > alpha && pv {
		v = -w.search(-beta, -alpha, next, ply+1, false)
	}
	return v
}

// answerFour is used instead of search in a position in which a five of the enemy must be stopped.
func (w *worker) answerFour(alpha, beta int32, depth, ply int, cut bool) int32 {
	list := &w.lists[ply]
	n := w.blocks(list)
	best := lossIn(ply + 2)
	w.evals[ply] = w.evals[max(ply-2, 0)]
	if !w.o.uses(techFour) {
		depth--
	}
	for i := range n {
		m := list.pick(i, n)
		w.playStone(int(m.cell))
		v := -w.search(-beta, -alpha, depth, ply+1, !cut)
		w.undo()
		if w.stop.Load() {
			return 0
		}
		if v > best {
			best = v
			if v > alpha {
				alpha = v
				w.setPV(ply, m.cell)
			}
			if v >= beta {
				break
			}
		}
	}
	return best
}

// order sets the scores of the moves, by the policy if the network has one and the remaining depth is large enough. If the moves
// are ordered by policy and the move from the table is among them, only that move gets a score, and order returns false, because
// the other scores may not be needed.
func (w *worker) order(list []scored, table uint16, depth int) bool {
	if depth >= policyDepth && w.net != nil && w.net.Ordered() && w.o.uses(techPolicy) {
		for i := range list {
			if list[i].cell == table {
				list[i].score = scoreTable
				return false
			}
		}
		w.scoreByPolicy(list)
	}
	w.rank(list, table)
	return true
}

// rank adds history scores and the bonuses of the counter move and the table's move to the ratings.
func (w *worker) rank(list []scored, table uint16) {
	me := w.turn & 1
	counter := w.counter[me][w.last(1)&cellMask]
	for i := range list {
		m := &list[i]
		if w.o.uses(techHistory) {
			m.score += w.history[me][m.cell&cellMask] / 32
		}
		if m.cell == counter && w.o.uses(techCounter) {
			m.score += scoreCounter
		}
		if m.cell == table {
			m.score += scoreTable
		}
	}
}
