// SPDX-License-Identifier: Apache-2.0

// Package alphabeta searches full width with alpha-beta. Each classical technique that makes it faster has a switch.
//
// # Basics
//
//	s, err := alphabeta.New(g, alphabeta.Options{Depth: 4, Eval: threats, Killer: true})
//	info, err := s.Search(ctx, p, search.Limits{}, nil)
//
// With any switches, a search that is not stopped returns the value of plain minimax to the same depth, and the same move: the
// first best one in move order. The switches change only the number of nodes.
//
// # How the move stays the same
//
// Scores are integers. At the root a move that comes after the best move so far in move order must be better than it, so it is
// searched with alpha = best. A move that comes before the best one in move order, but is searched later, need only be as good:
// alpha = best-1. Inside the tree only values matter. A table entry cuts only if its value must equal the value of the search it
// replaces: at the same depth, or when all lines below it have ended.
//
// # Views
//
// The heuristic always evaluates for the side to move at the root, as in the published searches; at nodes of the other side its
// value is negated. A node's score is for the side to move there. On the way up it is negated only if that side differs from the
// side above: in Connect6 it may be the same. The root's side is part of the key in the table.
//
// # Caveats
//
// A Searcher keeps its table from one search to the next. Call Clear when the heuristic has changed. A heuristic may use the last
// move made to value a leaf: that move is below every node that the table keeps. A heuristic that uses earlier moves has the method
// PathDependent, and is not allowed with a table.
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

// Terminal returns the value of a finished game, as in plain minimax.
type Terminal = minimax.Terminal

// The two ways to value a finished game.
const (
	Exact = minimax.Exact
	Eval  = minimax.Eval
)

// Options say how to search. The zero value is plain alpha-beta to depth 4 without a heuristic.
type Options struct {
	// Depth is in plies. 0 means 4, or no limit of depth if Deepening is set and the search has another limit.
	Depth int
	// AdaptiveDepth chooses the depth by the position in each search, at most Depth if that is not 0.
	AdaptiveDepth bool
	Eval          eval.Evaluator // nil means eval.None
	Terminal      Terminal

	// Deepening searches to depth 1, 2, ... in turn, and each time tries the best line of the previous depth first.
	// CITE: Slate and Atkin, CHESS 4.5, 1977.
	Deepening bool
	// Order scores the moves, which are tried from the highest score down. nil leaves them in move order.
	Order eval.MoveScorer
	// TT is the size in bytes of a transposition table, or 0 for none.
	// CITE: Greenblatt, Eastlake and Crocker, The Greenblatt Chess Program, 1967.
	TT int
	// Killer first tries the moves that most recently caused a cutoff at the same ply.
	// CITE: Akl and Newborn, The Principal Continuation and the Killer Heuristic, 1977.
	Killer bool
	// Refutation first tries the reply that most recently caused a cutoff after the same move. CITE: Akl and Newborn, 1977;
	// Uiterwijk, The Countermove Heuristic, 1992.
	Refutation bool
	// History sorts moves with the same score of Order by how many cutoffs each has caused anywhere in the tree, most first.
	// CITE: Schaeffer, The History Heuristic, 1983.
	History bool
	// Aspiration, if above 0, makes each depth first search a window of this width on either side of the previous depth's score.
	// CITE: Baudet, The Design and Analysis of Algorithms for Asynchronous Multiprocessors, 1978.
	Aspiration eval.Score
	// PVS searches all moves of a node except the first with a null window, which only shows whether they are better.
	// CITE: Marsland and Campbell, Parallel Search of Strongly Ordered Game Trees, 1982.
	PVS bool
	// Trace is told about each node of the search; it may be nil.
	Trace search.Tracer
}

const maxTable = 1 << 40

// New returns a Searcher for positions of g.
func New(g game.Game, o Options) (*Searcher, error) {
	switch {
	case o.Depth < 0:
		return nil, fmt.Errorf("a depth of %d", o.Depth)
	case o.Aspiration < 0 || o.Aspiration > eval.WinBound:
		return nil, fmt.Errorf("an aspiration window of %d", o.Aspiration)
	case o.TT < 0 || o.TT > maxTable:
		return nil, fmt.Errorf("a table of %d bytes", o.TT)
	case o.TT > 0 && g.Moves() > maxMoves:
		return nil, fmt.Errorf("%s has %d moves, and a table entry knows %d", g, g.Moves(), maxMoves)
	case o.TT > 0 && dependsOnPath(o.Eval):
		return nil, errors.New("the heuristic values the path to a position, which a table does not know: it needs hash=0")
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

// dependsOnPath reports whether the values of e depend on more than the position and the last move.
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
