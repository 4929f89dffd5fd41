// SPDX-License-Identifier: Apache-2.0

package connect6

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
	tempo      = 40 // of the side to move
	maxTurns   = 24 // of a search, extensions included
	rootDepth  = 16
	proofDepth = 12 // turns of the attacker
)

func winIn(ply int) int32 { return mate - int32(ply) }

// worker searches. It holds everything that a node needs.
type worker struct {
	board
	table     *tt.Table
	budget    *search.Budget
	stopped   bool
	allowance int // nodes left to the attack that is in progress
	moves     [maxTurns + 1]pairs
	attacks   [proofDepth + 1]pairs
	answers   [proofDepth + 1]pairs
}

func (w *worker) spent() {
	w.allowance--
	w.stopped = w.budget.Step() || w.stopped
}

// attackWithin is attack with a limit of nodes.
func (w *worker) attackWithin(nodes, depth, ply, left int) int32 {
	w.allowance = nodes
	return w.attack(depth, ply, left)
}

// The bounds of an entry of the table.
const (
	exact = iota + 1
	lower
	upper
)

// entry is an entry of the table, in the data of package tt:
//
//	bit  0         8            24      26    36
//	     | depth+1 | score+2^15 | bound | a   | b
type entry struct {
	depth int
	score int32
	bound int
	move  pair
}

func (e entry) pack() uint64 {
	return uint64(e.depth+1) | uint64(uint16(e.score+1<<15))<<8 | uint64(e.bound)<<24 | uint64(e.move.a)<<26 | uint64(e.move.b)<<36
}

func unpack(d uint64) entry {
	return entry{
		depth: int(d&255) - 1, score: int32(d>>8&0xffff) - 1<<15, bound: int(d >> 24 & 3),
		move: pair{a: uint16(d >> 26 & 1023), b: uint16(d >> 36 & 1023)},
	}
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

// width is how many cells are paired, and how many pairs are searched, with so many turns left.
func width(depth int) (cells, moves int) {
	if depth >= 2 {
		return 10, 24
	}
	return 8, 12
}

// search returns the value of the position before a whole turn.
func (w *worker) search(alpha, beta int32, depth, turns, ply int) int32 {
	if w.spent(); w.stopped {
		return 0
	}
	me, foe := w.turn, w.turn.Other()

	// Step 1. The side to move completes six, or the board is full.
	if n := w.needs(me); n <= 2 {
		return winIn(ply + n)
	}
	if w.empty == 0 {
		return 0
	}

	// Step 2. Threats that two stones cannot stop lose. Others must be covered, which costs no depth if it takes both stones.
	forced := 0
	if w.threats[foe].n > 0 {
		if forced = w.cover(foe); forced > 2 {
			return -winIn(ply + 4)
		}
	}
	if turns == maxTurns {
		return w.static()
	}

	// Step 3. The table.
	key := w.hash()
	var known entry
	if d, ok := w.table.Probe(key); ok {
		known = unpack(d)
		v := fromRoot(known.score, ply)
		settled := v > mateBound && known.bound != upper || v < -mateBound && known.bound != lower
		if settled || known.depth >= depth && (known.bound == exact || known.bound == lower && v >= beta || known.bound == upper && v <= alpha) {
			return v
		}
	}

	// Step 4. A win by double threats. It is searched wider where more depends on it.
	nodes, far := 12, 3
	if depth > 0 {
		nodes, far = 60, 6
	}
	if v := w.attackWithin(nodes, far, ply, 2); v > 0 {
		w.table.Store(key, entry{depth, toNode(v, ply), lower, w.attacks[far].list[0]}.pack())
		return v
	}

	// Step 5. The static value, unless there is a threat to cover.
	if depth <= 0 && forced == 0 {
		return w.static()
	}

	// Step 6. The moves: all covers, or pairs of the best cells.
	l := &w.moves[turns]
	l.n = 0
	cells, most := width(depth)
	all := false
	if forced > 0 {
		if depth <= 0 {
			cells, most = 4, 4
		}
		all = w.covers(l, 2, cells)
	} else {
		w.quiet(l, 2, cells)
	}
	if l.n > most {
		l.n, all = most, false
	}
	if known.bound != 0 {
		l.first(known.move)
	}

	// Step 7. The search of the moves, the first with the whole window.
	next := depth - 1
	if forced == 2 {
		next = depth
	}
	best, from, chosen := int32(-infinity), alpha, l.list[0]
	for i := range l.n {
		p := l.list[i]
		w.play(p)
		v := int32(0)
		if i == 0 {
			v = -w.search(-beta, -alpha, next, turns+1, ply+2)
		} else {
			less := 0
			if i >= 6 && next >= 2 && forced == 0 {
				less = 1
			}
			v = -w.search(-alpha-1, -alpha, next-less, turns+1, ply+2)
			if v > alpha && (less > 0 || v < beta) {
				v = -w.search(-beta, -alpha, next, turns+1, ply+2)
			}
		}
		w.undo(p)
		if w.stopped {
			return 0
		}
		if v > best {
			best, chosen = v, p
		}
		if alpha = max(alpha, v); alpha >= beta {
			break
		}
	}

	// Step 8. A loss is proved only if every move was searched.
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

// static values the windows of both sides.
func (w *worker) static() int32 {
	v := w.value[w.turn&1] - w.value[w.turn&1^1] + tempo
	return min(max(v, -maxValue), maxValue)
}
