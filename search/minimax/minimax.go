// SPDX-License-Identifier: Apache-2.0

// Package minimax searches the whole tree to a fixed depth, in the simplest way.
//
// Read this package before the other searches. Tests compare every other full-width search with it.
//
// # Basics
//
//	s := minimax.New(minimax.Options{Depth: 4, Eval: threats})
//	info, err := s.Search(ctx, p, search.Limits{}, nil)
//
// All values are for the side to move at the root. If that side is to move in a position, the position's value is the greatest
// value of its successors; if the other side is to move, the position's value is the least value of its successors. A
// position that is Depth plies below the root is valued by the heuristic. Among moves with equal values, the search chooses
// the one with the lowest number.
//
// # Caveats
//
// The search asks each position which side is to move, because in Connect6 one side may make two plies in a row. The heuristic
// always evaluates for the side to move at the root, since the published heuristics give different values for the two sides.
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

// Terminal determines the value of a finished game.
type Terminal uint8

// The two ways to value a finished game.
const (
	// Exact values a finished game as won, lost or drawn, with its distance in plies from the root.
	Exact Terminal = iota
	// Eval values a finished game by the heuristic, like any other position at the end of a line. So does algorithm 3 of the
	// thesis, taken literally.
	Eval
)

// DefaultDepth is the depth of a search without limits, and the depth of the published experiments.
const DefaultDepth = 4

// MaxDepth is the greatest depth that a search accepts. A full tree of this depth could never be searched; the maximum limits the
// memory for the best lines, which grows with the square of the depth.
const MaxDepth = 512

// Options are the settings of the search.
type Options struct {
	Depth    int            // in plies; 0 means DefaultDepth
	Eval     eval.Evaluator // nil means eval.None
	Terminal Terminal
	Trace    search.Tracer // called for each node of the search; may be nil
}

type tree struct {
	Options
	p    game.Position
	root game.Side // the side to move at the root; all scores are for this side
	// inc is Eval if Eval is an eval.Incremental, otherwise nil. The search calls inc for each move that it plays, and for each
	// move that it takes back.
	inc     eval.Incremental
	budget  *search.Budget
	stopped bool
	ply     int // number of plies from the root to p
	horizon int // number of leaves in which the game was not over
	moves   []game.Move
	pv      [][]game.Move // pv[i] is the best line from ply i
}

// value implements algorithm 3. It returns the value of the position by a search to depth, and sets pv[ply] to the best line.
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

// after returns the value of the position after m.
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

// keep sets the best line at this ply to m, followed by the best line at the next ply.
func (t *tree) keep(m game.Move) {
	t.pv[t.ply] = append(append(t.pv[t.ply][:0], m), t.pv[t.ply+1]...)
	if t.Trace != nil {
		t.Trace.Best()
	}
}

// Searcher is a search.Searcher. It does not keep results for the next search.
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

// Search searches p to the depth in lim, or, if that is 0, to the depth in the options. If it is stopped, it returns the best root
// move that was searched completely; the score is then a lower bound. If no root move was searched completely, it returns
// the first move with the heuristic's value of p, at depth 0.
//
// An answer is solved if finished games are valued by Exact, and either all lines of the tree end in finished games, or the score
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
	var lines []search.Info // one for each root move that was searched completely
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
			answer.Bound = search.Lower // a lower bound, because the other moves may be better
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

// best reports the n best lines and returns the first. Lines with equal scores stay in the order of their first moves' numbers.
func (t *tree) best(lines []search.Info, n int, report func(search.Info)) search.Info {
	unsolved := slices.ContainsFunc(lines, func(i search.Info) bool { return !i.Solved })
	slices.SortStableFunc(lines, func(a, b search.Info) int { return cmp.Compare(b.Score, a.Score) })
	// If the best solved move does not win, an unsolved move may be better. Then the answer is not solved.
	if lines[0].Score <= eval.WinBound && unsolved {
		lines[0].Solved = false
	}
	for i := range lines[:min(max(n, 1), len(lines))] {
		lines[i].Line, lines[i].Nodes, lines[i].Time = i+1, t.budget.Nodes, t.budget.Elapsed()
		report(lines[i])
	}
	return lines[0]
}
