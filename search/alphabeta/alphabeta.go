// SPDX-License-Identifier: Apache-2.0

// Package alphabeta implements full-width alpha-beta search. Each classical technique that makes it faster can be switched on
// separately.
//
// # Basics
//
//	s, err := alphabeta.New(g, alphabeta.Options{Depth: 4, Eval: threats, Killer: true})
//	info, err := s.Search(ctx, p, search.Limits{}, nil)
//
// With any techniques, a search that is not stopped returns the same value and move as plain minimax to the same depth: the best
// move, and the one with the lowest number if there are several. The techniques change only the number of nodes.
//
// # Why the techniques do not change the move
//
// Scores are integers. At the root, a move with a higher number than the best move so far must be better than that move, so it is
// searched with alpha = best. A move with a lower number that is searched later replaces the best move even if it is only as
// good: alpha = best-1. At other nodes only the best value matters, not which move has it. A value from the table is used
// only if it must equal the value of the search that it replaces: it was found at the same depth, or all lines below the
// node end in finished games.
//
// # Views
//
// The heuristic always evaluates for the side to move at the root, as in the published systems that krow reproduces. At nodes
// with the other side to move, the heuristic's value is negated. A node's score is for the side to move at that node. When a
// score is returned to the parent node, it is negated only if the sides to move at the two nodes differ: in Connect6 the
// same side may be to move at both. The side to move at the root is part of the key in the table.
//
// # Caveats
//
// A Searcher keeps its table for the next search. Call Clear if the heuristic has changed. To value a leaf, a heuristic may use
// the move that led to the leaf. The table contains only scores of nodes above the leaves. The move to a leaf is played at
// or below such a node, so the score of the node does not depend on how the node was reached. A heuristic that uses earlier
// moves must have the method PathDependent, and cannot be used with a table.
//
// CITE: Knuth and Moore, An Analysis of Alpha-Beta Pruning, 1975. CITE: Marsland, A Review of Game-Tree
// Pruning, 1986, for all of the switches.
package alphabeta

import (
	"errors"
	"fmt"
	"slices"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/minimax"
	"github.com/krow-lab/krow/search/tt"
)

// Terminal determines the value of a finished game, as in package minimax.
type Terminal = minimax.Terminal

// The two ways to value a finished game.
const (
	Exact = minimax.Exact
	Eval  = minimax.Eval
)

// Options are the settings of the search. The zero value is plain alpha-beta to depth 4 without a heuristic.
type Options struct {
	// Depth is in plies. 0 means 4, or no limit of depth if Deepening is set and the search has another limit.
	Depth int
	// AdaptiveDepth chooses the depth of each search from the position; Depth, if not 0, is the maximum.
	AdaptiveDepth bool
	Eval          eval.Evaluator // nil means eval.None
	Terminal      Terminal

	// Deepening searches to depth 1, 2, ..., and at each depth tries the best line of the previous depth first.
	// CITE: Slate and Atkin, CHESS 4.5, 1977.
	Deepening bool
	// Order scores the moves; moves with higher scores are tried first. If it is nil, moves with lower numbers are tried first.
	Order eval.MoveScorer
	// TT is the size in bytes of a transposition table, or 0 for none.
	// CITE: Greenblatt, Eastlake and Crocker, The Greenblatt Chess Program, 1967.
	TT int
	// Killer first tries the moves that caused the most recent cutoffs at the same ply.
	// CITE: Akl and Newborn, The Principal Continuation and the Killer Heuristic, 1977.
	Killer bool
	// Refutation first tries the reply that caused the most recent cutoff after the same move. CITE: Akl and Newborn, 1977; Uiterwijk,
	// The Countermove Heuristic, 1992.
	Refutation bool
	// History sorts moves with equal scores of Order: moves that have caused more cutoffs anywhere in the tree are tried first.
	// CITE: Schaeffer, The History Heuristic, 1983.
	History bool
	// If Aspiration is above 0, the search to each depth begins with a window around the score of the previous depth.
	// Aspiration is the width of the window on either side of this score.
	// CITE: Baudet, The Design and Analysis of Algorithms for Asynchronous Multiprocessors, 1978.
	Aspiration eval.Score
	// PVS searches all moves of a node except the first with a null window, which only shows whether a move is better than the
	// best move so far.
	// CITE: Marsland and Campbell, Parallel Search of Strongly Ordered Game Trees, 1982.
	PVS bool
	// Trace is called for each node of the search; it may be nil.
	Trace search.Tracer
}

const maxTable = 1 << 40

// New returns a Searcher for positions of g.
func New(g game.Game, o Options) (*Searcher, error) {
	switch {
	case o.Depth < 0:
		return nil, fmt.Errorf("a depth of %d", o.Depth)
	case o.Aspiration < 0 || o.Aspiration > eval.WinBound:
		return nil, fmt.Errorf("invalid aspiration window %d", o.Aspiration)
	case o.TT < 0 || o.TT > maxTable:
		return nil, fmt.Errorf("invalid table size of %d bytes", o.TT)
	case o.TT > 0 && g.Moves() > maxMoves:
		return nil, fmt.Errorf("%s has %d moves, but a table entry can store only %d", g, g.Moves(), maxMoves)
	case o.TT > 0 && dependsOnPath(o.Eval):
		return nil, errors.New("the heuristic depends on the path to a position, so the search needs hash=0")
	}
	if o.Eval == nil {
		o.Eval = eval.None{}
	}
	s := &Searcher{g: g, tree: tree{Options: o, followers: followers(o)}}
	if o.TT > 0 {
		s.table = tt.New(o.TT)
	}
	s.ordered = o.Deepening || o.Order != nil || o.TT > 0 || o.Killer || o.Refutation || o.History
	for i := range s.history {
		s.history[i] = make([]eval.Score, g.Moves())
		s.refutation[i] = make([]game.Move, g.Moves()+1)
	}
	return s, nil
}

// dependsOnPath reports whether the values of e depend on more than the position and its last move.
func dependsOnPath(e eval.Evaluator) bool {
	_, ok := e.(eval.PathDependent)
	return ok
}

func followers(o Options) (all []eval.Incremental) {
	for _, e := range []any{o.Eval, o.Order} {
		if inc, ok := e.(eval.Incremental); ok && !slices.Contains(all, inc) {
			all = append(all, inc)
		}
	}
	return all
}
