// SPDX-License-Identifier: Apache-2.0

// Package alphabeta searches full width with alpha-beta, each technique of the classics a switch.
//
// # Basics
//
//	s, err := alphabeta.New(g, alphabeta.Options{Depth: 4, Eval: threats, Killer: true})
//	info, err := s.Search(ctx, p, search.Limits{}, nil)
//
// Whatever is switched on, a search that is not stopped has the value of plain minimax to the same depth, and plays
// the same move: the first best one in move order. The switches change how many nodes that takes.
//
// # How the move stays the same
//
// Scores are integers. At the root a move that stands behind the best one so far in move order must be better, so it
// is searched with alpha = best. A move that stands before it, though searched later, need only be as good: alpha =
// best-1. Inside the tree only values count. A table entry cuts only if its value must equal the value of the search
// it replaces: at the same depth, or when all lines below it have ended.
//
// # Views
//
// The heuristic is always asked for the view of the side to move at the root, as in the published searches; at nodes
// of the other side its sign is turned. A node's score is its mover's view. On the way up it is negated only if the
// mover has changed: in Connect6 it need not. The root's side is part of the key in the table.
//
// # Caveats
//
// A Searcher keeps its table from one search to the next. Call Clear when the heuristic has changed. A heuristic may
// value a leaf by the last move made: that move lies inside the tree of every node that the table keeps. A heuristic
// that looks farther back says so by a method PathDependent, and can have no table.
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

// The readings of a finished game.
const (
	Exact = minimax.Exact
	Eval  = minimax.Eval
)

// Options say how to search. The zero value is plain alpha-beta to depth 4 without a heuristic.
type Options struct {
	// Depth is in plies. 0 means no limit with Deepening, if there is any other, and otherwise 4.
	Depth int
	// AdaptiveDepth chooses the depth at each move by the position, up to Depth if that is set.
	AdaptiveDepth bool
	Eval          eval.Evaluator // nil means eval.None
	Terminal      Terminal

	// Deepening searches to depth 1, 2, ... in turn, each time the best line of the last first.
	// CITE: Slate and Atkin, CHESS 4.5, 1977.
	Deepening bool
	// Order puts the moves that it scores high first. nil leaves them in move order.
	Order eval.MoveScorer
	// TT is the size in bytes of a transposition table, or 0 for none.
	// CITE: Greenblatt, Eastlake and Crocker, The Greenblatt Chess Program, 1967.
	TT int
	// Killer tries the moves first that cut last at the same ply.
	// CITE: Akl and Newborn, The Principal Continuation and the Killer Heuristic, 1977.
	Killer bool
	// Refutation tries the reply first that last cut after the same move. CITE: Akl and Newborn, 1977;
	// Uiterwijk, The Countermove Heuristic, 1992.
	Refutation bool
	// History puts the moves first that have cut most often anywhere, among moves that Order scores alike.
	// CITE: Schaeffer, The History Heuristic, 1983.
	History bool
	// Aspiration, if above 0, searches at first only for scores less than this away from the last depth's.
	// CITE: Baudet, The Design and Analysis of Algorithms for Asynchronous Multiprocessors, 1978.
	Aspiration eval.Score
	// PVS searches all but a node's first move with a window of no width, to see that they are not better.
	// CITE: Marsland and Campbell, Parallel Search of Strongly Ordered Game Trees, 1982.
	PVS bool
	// Trace watches the search; it may be nil.
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

// dependsOnPath reports whether e values positions by more than the position and the last move.
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
