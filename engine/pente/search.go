// SPDX-License-Identifier: Apache-2.0

package pente

import (
	"github.com/krow-lab/krow/engine/score"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/tt"
)

const (
	maxDepth   = 40
	proofDepth = 24 // maximum number of the attacker's threats in an attack
	// maxPly is the maximum number of moves that the board can take back: the moves of the longest line of a search, and the moves
	// of an attack that begins after this line.
	maxPly = maxDepth + 2*proofDepth
)

// worker contains everything that the search of a node needs.
type worker struct {
	board
	order     []uint16 // the cells, from the center to the edge
	distance  int      // minimum distance of the third stone from the center: see mnk.Rules
	placed    int      // number of stones before the root
	table     *tt.Table
	budget    *search.Budget
	stopped   bool
	allowance int // number of nodes that the current attack may still visit
	buffer    []uint16
	liked     [2][cells]int32  // by side: history scores of moves that caused cutoffs
	killers   [maxDepth]uint16 // by ply: the last move that caused a cutoff
	moves     [maxDepth]moves
	attacks   [proofDepth + 1]moves
	answers   [proofDepth + 1]moves
}

func (w *worker) spent() {
	w.allowance--
	w.stopped = w.budget.Step() || w.stopped
}

// widths are the numbers of moves that are searched; the index is the remaining depth.
var widths = [...]int{8, 12, 16, 20, 24, 28, 32}

// search returns the value of the position.
func (w *worker) search(alpha, beta int32, depth, ply int) int32 {
	if w.spent(); w.stopped {
		return 0
	}

	// Step 1. Return if the side to move wins at once, or if the board is full.
	me, foe := w.turn, w.turn.Other()
	if w.winning(me) != 0 {
		return score.WinIn(ply + 1)
	}
	if w.empties == 0 {
		return 0
	}
	if ply >= maxDepth-1 {
		return w.static()
	}

	// Step 2. Probe the table.
	key := w.key
	known, ok := score.Probe(w.table, key, ply)
	if ok && known.Decides(alpha, beta, depth) {
		return known.Score
	}

	// Step 3. Search for a win by threats. The node limit of this search is larger at inner nodes than at leaves.
	threatened := w.winning(foe) != 0
	nodes, far := 40, 5
	if depth > 0 {
		nodes, far = 100, 9
	}
	if v := w.attackWithin(nodes, far, ply); v > 0 {
		score.Store(w.table, key, ply, score.Entry{Depth: depth, Score: v, Move: uint64(w.attacks[far].list[0].cell)}, -score.Infinity, v)
		return v
	}
	if depth <= 0 && !threatened {
		return w.static()
	}

	// Step 4. List the moves: all moves that stop the enemy from winning at once, or the most promising ones.
	l := &w.moves[ply]
	all := false
	if threatened {
		all = w.forced(l)
	} else {
		all = w.promising(l, widths[min(depth, len(widths)-1)])
		l.first(w.killers[ply])
	}
	if ok {
		l.first(uint16(known.Move))
	}

	// Step 5. Search the moves, the first of them with the full window. If only one move answers the enemy's threat,
	// the depth is not reduced for this move.
	next := depth - 1
	if threatened && l.n == 1 {
		next = depth
	}
	best, from, chosen := int32(-score.Infinity), alpha, uint16(0)
	for i := range l.n {
		c := l.list[i].cell
		w.play(int(c))
		v := int32(0)
		if i == 0 {
			v = -w.search(-beta, -alpha, next, ply+1)
		} else {
			less := 0
			if i >= 3 && next >= 2 && !threatened {
				less = 1 + i/10
			}
			v = -w.search(-alpha-1, -alpha, next-less, ply+1)
			if v > alpha && (less > 0 || v < beta) {
				v = -w.search(-beta, -alpha, next, ply+1)
			}
		}
		w.undo()
		if w.stopped {
			return 0
		}
		if v > best {
			best, chosen = v, c
		}
		if alpha = max(alpha, v); alpha >= beta {
			if !threatened {
				w.killers[ply] = c
				w.liked[me][c] += (maxLiked - w.liked[me][c]) * int32(min(depth, 8)) / 32
			}
			break
		}
	}

	// Step 6. A loss is proved only if every move was searched.
	best = score.Opinion(best, all)
	score.Store(w.table, key, ply, score.Entry{Depth: depth, Score: best, Move: uint64(chosen)}, from, beta)
	return best
}

const maxLiked = 120

// Constants of the evaluation.
const tempo = 200 // added to the value for the side to move

// pairs contains the value of captures; the index is the number of captures in fifths of the target.
var pairs = [...]int32{0, 380, 780, 1240, 1900, 2600}

// static returns the value of the position for the side to move. It is computed from the captures, and from the effects that a
// stone of each side would have on each empty cell.
func (w *worker) static() int32 {
	s := w.turn & 1
	v := w.worth[s] - w.worth[s^1] + w.captured(w.taken[s]) - w.captured(w.taken[s^1]) + tempo
	return min(max(v, -score.Max), score.Max)
}

// captured returns the value of n captures, which depends on their share of the target.
func (w *worker) captured(n int) int32 {
	return pairs[min(n*(len(pairs)-1)/w.target, len(pairs)-1)]
}
