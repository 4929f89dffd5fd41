// SPDX-License-Identifier: Apache-2.0

package pente

import (
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/tt"
)

// Scores, for the side to move. A proved win in n plies is mate-n. A win that was not proved is likely-n: some answers
// were not examined.
const (
	infinity   = 32000
	mate       = 31000
	mateBound  = 30000 // beyond it, a proved win
	likely     = 25000
	winBound   = 24000 // beyond it, a win
	maxValue   = 20000
	maxDepth   = 40
	proofDepth = 24 // threats of the attacker
	// maxPly is the greatest number of moves that the board can take back: a search and an attack at its end.
	maxPly = maxDepth + 2*proofDepth
)

func winIn(ply int) int32 { return mate - int32(ply) }

// worker searches. It holds everything that a node needs.
type worker struct {
	board
	order     []uint16 // the cells, from the center to the edge
	distance  int      // of the third stone from the center: see mnk.Rules
	placed    int      // stones before the root
	table     *tt.Table
	budget    *search.Budget
	stopped   bool
	allowance int // nodes left to the attack that is in progress
	buffer    []uint16
	liked     [2][cells]int32  // by side: moves that were better than expected
	killers   [maxDepth]uint16 // by ply
	moves     [maxDepth]moves
	attacks   [proofDepth + 1]moves
	answers   [proofDepth + 1]moves
}

func (w *worker) spent() {
	w.allowance--
	w.stopped = w.budget.Step() || w.stopped
}

// The bounds of an entry of the table.
const (
	exact = iota + 1
	lower
	upper
)

// entry is an entry of the table, in the data of package tt:
//
//	bit  0         8            24      26
//	     | depth+1 | score+2^15 | bound | move
type entry struct {
	depth int
	score int32
	bound int
	move  uint16
}

func (e entry) pack() uint64 {
	return uint64(e.depth+1) | uint64(uint16(e.score+1<<15))<<8 | uint64(e.bound)<<24 | uint64(e.move)<<26
}

func unpack(d uint64) entry {
	return entry{depth: int(d&255) - 1, score: int32(d>>8&0xffff) - 1<<15, bound: int(d >> 24 & 3), move: uint16(d >> 26)}
}

// fromRoot converts a score that counts plies from the node to one from the root, and toNode converts it back.
func fromRoot(v int32, ply int) int32 {
	switch {
	case v > winBound:
		return v - int32(ply)
	case v < -winBound:
		return v + int32(ply)
	}
	return v
}

func toNode(v int32, ply int) int32 { return fromRoot(v, -ply) }

// widths are how many moves are searched, by the depth that is left.
var widths = [...]int{8, 12, 16, 20, 24, 28, 32}

// search returns the value of the position.
func (w *worker) search(alpha, beta int32, depth, ply int) int32 {
	if w.spent(); w.stopped {
		return 0
	}

	// Step 1. The side to move wins at once, or the board is full.
	me, foe := w.turn, w.turn.Other()
	if w.winning(me) != 0 {
		return winIn(ply + 1)
	}
	if w.empties == 0 {
		return 0
	}
	if ply >= maxDepth-1 {
		return w.static()
	}

	// Step 2. The table.
	key := w.key
	var known entry
	if d, ok := w.table.Probe(key); ok {
		known = unpack(d)
		v := fromRoot(known.score, ply)
		settled := v > mateBound && known.bound != upper || v < -mateBound && known.bound != lower
		if settled || known.depth >= depth && (known.bound == exact || known.bound == lower && v >= beta || known.bound == upper && v <= alpha) {
			return v
		}
	}

	// Step 3. A win by threats. It is searched wider where more depends on it.
	threatened := w.winning(foe) != 0
	nodes, far := 40, 5
	if depth > 0 {
		nodes, far = 100, 9
	}
	if v := w.attackWithin(nodes, far, ply); v > 0 {
		w.table.Store(key, entry{max(depth, 0), toNode(v, ply), lower, w.attacks[far].list[0].cell}.pack())
		return v
	}
	if depth <= 0 && !threatened {
		return w.static()
	}

	// Step 4. The moves: all that stop the enemy from winning at once, or the most promising ones.
	l := &w.moves[ply]
	all := false
	if threatened {
		all = w.forced(l)
	} else {
		all = w.promising(l, widths[min(depth, len(widths)-1)])
		l.first(w.killers[ply])
	}
	if known.bound != 0 {
		l.first(known.move)
	}

	// Step 5. The search of the moves, the first with the whole window. A single answer costs no depth.
	next := depth - 1
	if threatened && l.n == 1 {
		next = depth
	}
	best, from, chosen := int32(-infinity), alpha, uint16(0)
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
	if best < -mateBound && !all {
		best += mate - likely
	}
	bound := exact
	switch {
	case best >= beta:
		bound = lower
	case best <= from:
		bound = upper
	}
	w.table.Store(key, entry{max(depth, 0), toNode(best, ply), bound, chosen}.pack())
	return best
}

const maxLiked = 120

// Values of the evaluation.
const tempo = 40 // of the side to move

// pairs is the value of captured pairs.
var pairs = [...]int32{0, 80, 200, 380, 640, 900}

// static values what stones of both sides would make, and the captured pairs.
func (w *worker) static() int32 {
	s := w.turn & 1
	v := w.worth[s] - w.worth[s^1] + w.captured(w.taken[s]) - w.captured(w.taken[s^1]) + tempo
	return min(max(v, -maxValue), maxValue)
}

// captured values n captures by their share of what wins.
func (w *worker) captured(n int) int32 {
	return pairs[min(n*(len(pairs)-1)/w.target, len(pairs)-1)]
}
