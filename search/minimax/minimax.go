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
// All values are for the side to move at the root. If that side moves, the value of a position is the greatest value of
// its successors; if the other side moves, the least. Depth plies below the root the heuristic gives the value of a
// position. Among equal moves the root plays the first in move order.
//
// # Caveats
//
// The side to move is asked of the position: in Connect6 two plies in a row may belong to one side. The heuristic is
// always asked for the view of the root's side, since the published ones differ between the views.
//
// CITE: Abdoulaye, Détermination des paramètres d'une heuristique générique pour les jeux de type
// « n-alignés », 2017, algorithm 3. CITE: Shannon, Programming a Computer for Playing Chess, 1950.
package minimax

import (
	"cmp"
	"context"
	"slices"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// Terminal returns the value of a finished game.
type Terminal uint8

// The readings of a finished game.
const (
	// Exact values it as won, lost or drawn at its distance in plies from the root.
	Exact Terminal = iota
	// Eval leaves it to the heuristic, as if it were any leaf: algorithm 3, read literally.
	Eval
)

// DefaultDepth is the depth of a search without limits: the depth of the published experiments.
const DefaultDepth = 4

// MaxDepth is the greatest depth, whatever was asked for. A full tree this deep has no end; the bound is for the memory
// of its first line, which grows with the square of the depth.
const MaxDepth = 512

// Options say how to search.
type Options struct {
	Depth    int            // in plies; 0 means DefaultDepth
	Eval     eval.Evaluator // nil means eval.None
	Terminal Terminal
	Trace    search.Tracer // watches the search; may be nil
}

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

// value is algorithm 3. It returns the value of the position, searched to depth, and leaves the best line in pv[ply].
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

func (t *tree) finished() eval.Score {
	if t.Terminal == Eval {
		return t.Eval.Evaluate(t.p, t.root).Opinion()
	}
	return eval.Outcome(t.p.Outcome(), t.root, t.ply)
}

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

// Searcher is a search.Searcher. It remembers nothing.
type Searcher struct{ o Options }

// New returns a Searcher.
func New(o Options) *Searcher {
	if o.Depth <= 0 {
		o.Depth = DefaultDepth
	}
	if o.Eval == nil {
		o.Eval = eval.None{}
	}
	return &Searcher{o}
}

// Search searches p to the depth of the limits, or else of the options. When it is stopped it answers with the best of
// the root moves that it has finished, whose score is then a lower bound. When it has finished none, it answers with
// the first move and the heuristic's opinion of p, at depth 0.
//
// An answer is solved when finished games are valued as such and either all lines of the tree end in them, or the score
// is a forced win or loss.
func (s *Searcher) Search(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	if report == nil {
		report = func(search.Info) {}
	}
	depth := s.o.Depth
	if lim.Depth > 0 {
		depth = lim.Depth
	}
	depth = min(depth, MaxDepth)
	t := &tree{Options: s.o, p: p, root: p.Turn(), budget: search.NewBudget(ctx, lim), pv: make([][]game.Move, depth+1)}
	if t.inc, _ = s.o.Eval.(eval.Incremental); t.inc != nil {
		t.inc.Reset(p)
	}
	moves := game.AppendSound(nil, p)
	answer := search.Info{Line: 1, PV: moves[:1], Score: t.leaf()}
	t.stopped = t.budget.Stopped()
	var lines []search.Info // of the root moves finished
	for _, m := range moves {
		var info search.Info
		if !t.stopped {
			info = t.line(m, depth)
		}
		if t.stopped {
			answer.Nodes, answer.Time = t.budget.Nodes, t.budget.Elapsed()
			report(answer)
			return answer, nil
		}
		if lines = append(lines, info); len(lines) == 1 || info.Score > answer.Score {
			answer = info
			t.keep(m)
			answer.Bound = search.Lower // the other moves may be better
			answer.Solved = info.Score > eval.WinBound && s.o.Terminal == Exact
			report(answer)
		}
	}
	return t.best(lines, lim.Lines, report), nil
}

func (t *tree) line(m game.Move, depth int) search.Info {
	t.horizon = 0
	score := t.after(m, depth)
	_, sign := score.Distance()
	return search.Info{
		Line: 1, Depth: depth, Score: score, PV: append([]game.Move{m}, t.pv[1]...),
		Nodes: t.budget.Nodes, Time: t.budget.Elapsed(),
		Solved: t.Terminal == Exact && (t.horizon == 0 || sign != 0),
	}
}

// best reports the n best lines of all, the first in move order first among equals.
func (t *tree) best(lines []search.Info, n int, report func(search.Info)) search.Info {
	unsolved := slices.ContainsFunc(lines, func(i search.Info) bool { return !i.Solved })
	slices.SortStableFunc(lines, func(a, b search.Info) int { return cmp.Compare(b.Score, a.Score) })
	// Short of a win, a solved move is the best only if no other can be worth more.
	if lines[0].Score <= eval.WinBound && unsolved {
		lines[0].Solved = false
	}
	for i := range lines[:min(max(n, 1), len(lines))] {
		lines[i].Line, lines[i].Nodes, lines[i].Time = i+1, t.budget.Nodes, t.budget.Elapsed()
		report(lines[i])
	}
	return lines[0]
}
