// SPDX-License-Identifier: Apache-2.0

package alphabeta

import (
	"slices"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
)

// tables contains the moves that have caused cutoffs.
type tables struct {
	killers    [][2]game.Move  // by ply: two moves that caused cutoffs, the most recent first
	refutation [2][]game.Move  // by side to move and previous move (index 0 is for NoMove): the reply that caused a cutoff
	history    [2][]eval.Score // by side to move and move: the sum of depth*depth over its cutoffs
}

// forget clears the tables for a search of the given number of plies.
func (t *tables) forget(plies int) {
	t.killers = slices.Grow(t.killers[:0], plies)[:plies]
	for i := range t.killers {
		t.killers[i] = [2]game.Move{game.NoMove, game.NoMove}
	}
	for s := range t.history {
		clear(t.history[s])
		for i := range t.refutation[s] {
			t.refutation[s][i] = game.NoMove
		}
	}
}

// rank determines the order of moves: the move with the greater first comes first; if these are equal, the move with the
// greater second, and if these are equal too, the move with the lower number.
type rank struct{ first, second eval.Score }

// The move of the table and moves that caused cutoffs come before all moves that only have a score.
const (
	rankBest eval.Score = 1<<60 - iota // the move of the table, or the best move of the previous depth
	rankKiller
	rankOldKiller
	rankRefutation
)

// order appends the legal moves to t.moves (at the root without forbidden moves), ranks them, and returns the index in t.moves
// of the first appended move.
func (t *tree) order(best, last game.Move) int {
	start := len(t.moves)
	if t.ply == 0 {
		t.moves = game.AppendSound(t.moves, t.p)
	} else {
		t.moves = t.p.AppendMoves(t.moves)
	}
	if !t.ordered {
		return start
	}
	n := len(t.moves)
	t.budget.Work(n - start)
	t.ranks = slices.Grow(t.ranks[:start], n-start)[:n]
	side := t.p.Turn()
	killers, refutation := t.killers[t.ply], t.refutation[side][last+1]
	for i, m := range t.moves[start:] {
		r := rank{}
		switch {
		case m == best:
			r.first = rankBest
		case m == killers[0]:
			r.first = rankKiller
		case m == killers[1]:
			r.first = rankOldKiller
		case m == refutation:
			r.first = rankRefutation
		case t.Order != nil:
			r.first = t.Order.ScoreMove(t.p, m)
		}
		if t.History {
			r.second = t.history[side][m]
		}
		t.ranks[start+i] = r
	}
	return start
}

// pick finds the move that is first in the order among the indices i to end-1, moves it to index i and returns it. So at a node
// that is cut off early, only few moves have been sorted.
func (t *tree) pick(i, end int) game.Move {
	if !t.ordered {
		return t.moves[i]
	}
	at := i
	for j := i + 1; j < end; j++ {
		if a, b := &t.ranks[j], &t.ranks[at]; a.first > b.first || a.first == b.first && a.second > b.second {
			at = j
		}
	}
	m, r := t.moves[at], t.ranks[at]
	// Each move from index i to at-1 is moved to the next higher index, so that moves of equal rank stay in increasing order.
	copy(t.moves[i+1:at+1], t.moves[i:at])
	copy(t.ranks[i+1:at+1], t.ranks[i:at])
	t.moves[i], t.ranks[i] = m, r
	return m
}

// recordCutoff records that m, played after the move last, caused a cutoff at a node depth plies above the leaves.
func (t *tree) recordCutoff(m, last game.Move, depth int) {
	side := t.p.Turn()
	if k := &t.killers[t.ply]; t.Killer && k[0] != m {
		k[0], k[1] = m, k[0]
	}
	if t.Refutation {
		t.refutation[side][last+1] = m
	}
	if t.History {
		t.history[side][m] += eval.Score(depth * depth)
	}
}
