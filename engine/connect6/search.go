// SPDX-License-Identifier: Apache-2.0

package connect6

import (
	"github.com/krow-lab/krow/engine/score"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/tt"
)

const (
	tempo      = 200 // added to the static value, which is for the side to move
	doubt      = 400 // what a position is worth less if every searched move loses, but some moves were not searched
	maxTurns   = 24  // maximum number of turns in a line, including extensions
	rootDepth  = 16
	proofDepth = 12 // maximum number of turns of the attacker in a search for double threats
)

// worker contains everything that the search of a node needs.
type worker struct {
	board
	table     *tt.Table
	budget    *search.Budget
	stopped   bool
	allowance int // number of nodes that the current search for double threats may still visit
	moves     [maxTurns + 1]pairs
	refuters  [maxTurns + 1][2]pair // the last two turns that ended the search of a node, by the number of turns before the node
	attacks   [proofDepth + 1]pairs
	answers   [proofDepth + 1]pairs
	holesAt   [proofDepth + 1]holes
	placed    [proofDepth + 1][2 * maxThreats]uint16
	exact     bool                    // whether the search for double threats tries the enemy's turns one by one at every depth
	proving   bool                    // whether the search is part of Prove
	exactTo   int                     // otherwise it does so only at remaining depths greater than this
	winners   [proofDepth + 1]pair    // the double threats of the last win that such a search found, by their number in the line
	deepest   int                     // depth at which the current search for double threats began
	zone      zone                    // cells of the last win that the search for double threats found
	failed    [1 << failedBits]uint64 // keys of positions, with the depth in the lowest four bits
	h         holes
	found     [maxSpots]found
	around    [windows][4]uint16        // the empty cells of the windows of two or three stones; the fourth is not used for three
	touched   [maxSide * maxSide]uint16 // empty cells in the windows that findSpots examines
	gathered  [cells]int32              // the sum of the gains of each; 0 outside findSpots
	number    [cells]uint8              // 1 + the index of the cell's spot; 0 outside findSpots
	spots     [maxSpots]spot
}

// found is a cell and its gain.
type found struct {
	cell uint16
	gain int32
}

const (
	failedBits = 17 // binary logarithm of the number of positions whose failed search for double threats is remembered
	exactTurns = 1  // number of first turns after which a search for double threats tries the enemy's turns one by one
)

func (w *worker) spent() {
	w.allowance--
	w.stopped = w.budget.Step() || w.stopped
}

// attackWithin calls attack with a limit of nodes.
func (w *worker) attackWithin(nodes, depth, ply, left int) int32 {
	w.allowance, w.zone, w.exactTo = nodes, zone{}, depth-exactTurns
	if w.exact {
		w.exactTo = 0
	}
	w.bare, w.deepest = true, depth
	v := w.attack(depth, ply, left)
	w.bare = false
	return v
}

// width returns, for the remaining depth in turns, the number of cells for a stone that need not stop a threat, and the number of
// pairs that are searched. If all of these lose, more pairs are searched.
func width(depth int) (cells, moves int) {
	if depth >= 2 {
		return 10, 60
	}
	return 8, 40
}

// search returns the value of the position at the beginning of a turn of two stones.
func (w *worker) search(alpha, beta int32, depth, turns, ply int) int32 {
	if w.spent(); w.stopped {
		return 0
	}
	me, foe := w.turn, w.turn.Other()

	// Step 1. Return if the side to move can complete six, or if the board is full.
	if n := w.needs(me); n <= 2 {
		return score.WinIn(ply + n)
	}
	if w.empty == 0 {
		return 0
	}

	// Step 2. If two stones cannot stop the enemy's threats, the side to move loses. Otherwise the side to move must stop the
	// threats. If this needs both stones, the turn does not reduce the depth.
	forced := 0
	if w.threats[foe].n > 0 {
		if forced = w.cover(foe); forced > 2 {
			return -score.WinIn(ply + 4)
		}
	}
	if turns == maxTurns {
		return w.static()
	}

	// Step 3. Probe the table.
	key := w.hash()
	known, ok := score.Probe(w.table, key, ply)
	if ok && known.Decides(alpha, beta, depth) {
		return known.Score
	}

	// Step 4. Search for a win by double threats. The search for double threats has a larger node limit at inner nodes than at
	// leaves.
	nodes, far := 48, 6
	if depth > 0 {
		nodes, far = 60<<min(2*depth-2, 6), 8
	}
	if v := w.attackWithin(nodes, far, ply, 2); v > 0 {
		score.Store(w.table, key, ply, score.Entry{Depth: depth, Score: v, Move: w.attacks[far].list[0].pack()}, -score.Infinity, v)
		return v
	}

	// Step 5. At a leaf, return the static value, unless there is a threat to stop.
	if depth <= 0 && forced == 0 {
		return w.static()
	}

	// Step 6. List the moves: all turns that stop the threats, or pairs of the best cells.
	l := &w.moves[turns]
	l.n = 0
	cells, most := width(depth)
	all := false
	if forced > 0 {
		if depth <= 0 {
			cells, most = 4, 2
		}
		all = w.covers(l, 2, cells)
	} else if w.menaced(nodes, far, ply) {
		w.meet(l, 2)
	} else {
		w.quiet(l, 2)
	}
	for k, p := range w.refuters[turns] {
		l.rate(p, 1<<29-int32(k))
	}
	if ok {
		l.first(unpack(known.Move))
	}

	// Step 7. Search the moves. Only the first move is searched with the whole alpha-beta window.
	next := depth - 1
	if forced == 2 {
		next = depth
	}
	best, from, chosen := int32(-score.Infinity), alpha, pair{}
	for i := range l.n {
		if i >= most && (best > -score.WinBound || i >= 5*most) {
			all = false
			break
		}
		p := l.pick(i)
		w.play(p)
		v := int32(0)
		if i == 0 {
			v = -w.search(-beta, -alpha, next, turns+1, ply+2)
		} else {
			less := 0
			if i >= 2 && next >= 2 && forced == 0 && best > -score.WinBound {
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
			if k := &w.refuters[turns]; !k[0].same(p) {
				k[0], k[1] = p, k[0]
			}
			break
		}
	}

	// Step 8. A loss is proved only if every move that can stop it was searched. Another loss counts as a bad position, because a
	// move that was not searched often stops it. Counted as a loss, it would let the side to move give up.
	if best < -score.WinBound && !all {
		best = w.static() - doubt
	}
	score.Store(w.table, key, ply, score.Entry{Depth: depth, Score: best, Move: chosen.pack()}, from, beta)
	return best
}

// static returns the difference between the values of both sides' windows, for the side to move.
func (w *worker) static() int32 {
	v := tempo + w.value
	if w.turn == game.Second {
		v = tempo - w.value
	}
	return min(max(v, -score.Max), score.Max)
}
