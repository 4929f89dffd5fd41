// SPDX-License-Identifier: Apache-2.0

package atarigo

import (
	"github.com/krow-lab/krow/engine/score"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/tt"
)

const (
	maxDepth   = 100 // maximum depth of a search, and the maximum number of plies of a line
	proofDepth = 60  // maximum number of the attacker's threats in an attack
	smallSize  = 6   // maximum size of a board on which the search does not try to pass
)

// worker contains everything that the search of a node needs.
type worker struct {
	board
	table     *tt.Table
	budget    *search.Budget
	stopped   bool
	allowance int              // number of nodes that the current attack may still visit
	central   [cells]int32     // by cell: a value for the move ordering, larger near the center
	liked     [2][cells]int32  // by side: history scores of moves that caused cutoffs
	killers   [maxDepth][2]int // by ply: the last moves that caused a cutoff
	moves     [maxDepth]moves
	attacks   [proofDepth + 1]moves
}

func (w *worker) spent() {
	w.allowance--
	w.stopped = w.budget.Step() || w.stopped
}

// few is the number of moves that are searched near the leaves; the index is the remaining depth.
var few = [...]int{8, 8, 14}

// search returns the value of the position.
func (w *worker) search(alpha, beta int32, depth, ply int) int32 {
	if w.spent(); w.stopped {
		return 0
	}

	// Step 1. Return if the side to move captures. If the enemy threatens a capture, there is at most one move that stops it.
	if w.capture(w.turn) != 0 {
		return score.WinIn(ply + 1)
	}
	only := 0
	if w.heads[w.turn&1][0] != (set{}) {
		if only = w.escape(); only == 0 {
			return -score.WinIn(ply + 2)
		}
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
	nodes, far := 30, 12
	if depth > 0 {
		nodes, far = 100, 30
	}
	if v := w.attackWithin(nodes, far, ply); v > 0 {
		won := score.Entry{Depth: depth, Score: v, Move: uint64(w.attacks[far].list[0].cell)}
		score.Store(w.table, key, ply, won, -score.Infinity, v)
		return v
	}
	if depth <= 0 && only == 0 {
		v := w.static()
		w.pass()
		if w.attackWithin(15, 8, ply) > 0 {
			v -= danger
		}
		w.pass()
		return v
	}

	// Step 4. If the side to move is better even after passing, do not search its moves. On small boards, where a move can do harm
	// and the search can reach the end of the game, passing is not tried.
	if only == 0 && depth >= 2 && beta-alpha == 1 && max(beta, -beta) < score.WinBound && w.size > smallSize && w.static() >= beta {
		w.pass()
		v := -w.search(-beta, -beta+1, depth-3, ply+1)
		w.pass()
		if w.stopped {
			return 0
		}
		if v >= beta {
			return min(v, score.WinBound)
		}
	}

	// Step 5. List the moves. If all of them lose at once, or if there is none, the side to move loses.
	l := &w.moves[ply]
	next, most := depth-1, len(l.list)
	if only != 0 {
		l.n = 0
		l.add(only, 0)
		next = depth
	} else {
		w.listMoves(l)
		if l.n == 0 {
			return -score.WinIn(ply + 2)
		}
		if depth < len(few) {
			most = few[depth]
		}
		for i := range l.n {
			m := &l.list[i]
			switch c := int(m.cell); {
			case ok && c == int(known.Move):
				m.score += 1 << 20
			case c == w.killers[ply][0]:
				m.score += 200
			case c == w.killers[ply][1]:
				m.score += 150
			}
		}
	}

	// Step 6. Search the moves, the first of them with the full window.
	best, from, chosen, all := int32(-score.Infinity), alpha, 0, true
	for i := range l.n {
		if i >= most && best > -score.WinBound {
			all = false
			break
		}
		c := l.pick(i)
		w.play(c)
		v := int32(0)
		if i == 0 {
			v = -w.search(-beta, -alpha, next, ply+1)
		} else {
			less := 0
			if i >= 3 && next >= 2 {
				less = min(1+i/12, 3, next-1)
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
			if only == 0 {
				if k := &w.killers[ply]; k[0] != c {
					k[0], k[1] = c, k[0]
				}
				side := w.turn & 1
				w.liked[side][c] += (maxLiked - w.liked[side][c]) * int32(min(depth, 8)) / 32
				for _, m := range l.list[:i] {
					w.liked[side][m.cell] -= (maxLiked + w.liked[side][m.cell]) * int32(min(depth, 8)) / 64
				}
			}
			break
		}
	}

	// Step 7. A loss is proved only if every move was searched.
	best = score.Opinion(best, all)
	score.Store(w.table, key, ply, score.Entry{Depth: depth, Score: best, Move: uint64(chosen)}, from, beta)
	return best
}

const maxLiked = 120 // maximum history score of a move
