// SPDX-License-Identifier: Apache-2.0

// Package minimax searches the whole tree to a fixed depth, as simply as that can be done.
//
// It is the text to read first, and the reference that every other full-width search is held to.
//
// # Basics
//
//	s := minimax.New(minimax.Options{Depth: 4, Eval: threats})
//	info, err := s.Search(ctx, p, search.Limits{}, nil)
//
// A position is worth, to the side that is to move at the root, the most among its successors where that
// side moves and the least where the other one does. Depth plies below the root the heuristic says what a
// position is worth. Among equal moves the root plays the first in move order.
//
// # Caveats
//
// Who moves is asked, not alternated: in Connect6 two plies in a row may belong to one side. The heuristic
// is always asked for the view of the root's side, since the published ones differ between the views.
//
// CITE: Abdoulaye, Détermination des paramètres d'une heuristique générique pour les jeux de type
// « n-alignés », 2017, algorithm 3. CITE: Shannon, Programming a Computer for Playing Chess, 1950.
package minimax

import (
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// Terminal says what a finished game is worth.
type Terminal uint8

// The readings of a finished game.
const (
	// Exact values it as won, lost or drawn so many plies from the root.
	Exact Terminal = iota
	// Eval leaves it to the heuristic, as if it were any leaf: algorithm 3, read literally.
	Eval
)

// DefaultDepth is the depth of a search that nobody limits, the one of the published experiments.
const DefaultDepth = 4

// MaxDepth is the greatest depth, whatever was asked for. A full tree this deep has no end, but its first
// line alone would take memory with the square of its length on a board of 128 x 128.
const MaxDepth = 512

// Options say how to search.
type Options struct {
	Depth    int            // in plies; 0 means DefaultDepth
	Eval     eval.Evaluator // nil means eval.None
	Terminal Terminal
	Trace    search.Tracer // watches the search; may be nil
}

// tree is one search of the tree below p.
type tree struct {
	Options
	p       game.Position
	root    game.Side        // whose view the scores are
	inc     eval.Incremental // Eval, if it follows the position
	budget  *search.Budget
	stopped bool
	ply     int // of p, from the root
	horizon int // leaves that were valued before their game was over
	moves   []game.Move
	pv      [][]game.Move // pv[i] is the best line from ply i
}

// value is algorithm 3. It returns the worth of the position to the root's side, searched to depth, and
// leaves the best line in pv[ply].
func (t *tree) value(depth int) eval.Score {
	t.pv[t.ply] = t.pv[t.ply][:0]
	if t.stopped = t.budget.Step(); t.stopped {
		return 0
	}
	if t.p.Outcome() != game.Ongoing {
		return t.finished()
	}
	if depth == 0 {
		return t.leaf()
	}
	start := len(t.moves)
	t.moves = t.p.AppendMoves(t.moves)
	best, maximise := eval.Infinity, t.p.Turn() == t.root
	if maximise {
		best = -eval.Infinity
	}
	for _, m := range t.moves[start:] {
		v := t.after(m, depth)
		if t.stopped {
			break
		}
		if maximise && v > best || !maximise && v < best {
			best = v
			t.keep(m)
		}
	}
	t.moves = t.moves[:start]
	return best
}

// after returns the worth of the position that m leads to.
func (t *tree) after(m game.Move, depth int) eval.Score {
	if t.inc != nil {
		t.inc.Play(m)
	}
	t.p.Play(m)
	t.ply++
	if t.Trace != nil {
		t.Trace.Enter(m, -eval.Infinity, eval.Infinity)
	}
	v := t.value(depth - 1)
	if t.Trace != nil && !t.stopped {
		t.Trace.Leave(v)
	}
	t.ply--
	t.p.Undo()
	if t.inc != nil {
		t.inc.Undo()
	}
	return v
}

// finished returns the worth of a game that is over.
func (t *tree) finished() eval.Score {
	if t.Terminal == Eval {
		return t.Eval.Evaluate(t.p, t.root).Opinion()
	}
	return eval.Outcome(t.p.Outcome(), t.root, t.ply)
}

// leaf returns the worth of a position that is not looked into.
func (t *tree) leaf() eval.Score {
	t.horizon++
	return t.Eval.Evaluate(t.p, t.root).Opinion()
}

// keep makes m and the best line after it the best line.
func (t *tree) keep(m game.Move) {
	t.pv[t.ply] = append(append(t.pv[t.ply][:0], m), t.pv[t.ply+1]...)
	if t.Trace != nil {
		t.Trace.Best()
	}
}
