// SPDX-License-Identifier: Apache-2.0

// Package mcts implements Monte Carlo tree search: UCT with random playouts, and a solver that derives proved values from finished
// games.
//
// A simulation has four steps. It begins at the root and chooses the move with the greatest upper confidence bound in each
// position, until it leaves the tree. It adds one position to the tree, plays random moves until the game ends, and counts
// the result at every position on the path:
//
//	root  o            choose: mean + C sqrt(ln N / n), an untried move first
//	      |\
//	      o o
//	       /|\
//	      o o *        add one position
//	          :
//	          :        play at random
//	        1, ½, 0    count
//
// # Basics
//
//	s := mcts.New(mcts.Defaults())
//	info, err := s.Search(ctx, p, search.Limits{Nodes: 100_000}, nil) // nodes are simulations
//
// # Caveats
//
// A score is the expected result in thousandths, from -1000 to +1000; it is an average of simulations, not a proof. If the
// solver has proved a win or a loss, Solved is set. If this win or loss is more than two plies away, the reported distance
// is only an upper bound, and Bound says so, since the search stops at the first win that it can prove.
//
// Limits.Depth limits the depth of the tree, not of the playouts. Without a limit on nodes or time a search makes Options.Sims
// simulations. It ends early if the root is proved. Each search begins with an empty tree. Its random numbers depend only on
// Options.Seed and the position.
//
// Lines are sorted by visits, most first. If a line has a better score than the line before it, the score of the line before it
// is reported instead, as an upper bound.
//
// # Speed
//
// Memory grows with the number of simulations, not with the size of the board. When the tree contains two million positions, it no
// longer grows, and only its statistics change.
//
// CITE: Kocsis and Szepesvári, Bandit Based Monte-Carlo Planning, 2006.
// CITE: Winands, Björnsson and Saito, Monte-Carlo Tree Search Solver, 2008.
package mcts

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// Options control the search. For a number that is zero, the number in [Defaults] is used. The zero Options are plain UCT without
// solver.
type Options struct {
	Sims uint64 // number of simulations of a search without limits
	// C is the exploration constant, for results between 0 and 1. A search with a greater C tries rarely tried moves more often.
	C    float64
	Seed uint64
	// Solver means that proved results are propagated up the tree, and that a move that is proved to lose is never tried again.
	Solver bool
	// Decisive means that, before a position is expanded, the search checks whether a move wins at once. It needs Solver.
	// CITE: Teytaud and Teytaud, On the Huge Impact of Decisive Moves in Monte-Carlo Search Algorithms, 2010.
	Decisive bool
	// Value, unless nil, replaces the playout from a new position: it returns the position's value for side, from 0 (lost) to 1
	// (won).
	Value func(p game.Position, side game.Side) float64

	maxNodes int // maximum number of nodes in the tree; a node takes 32 bytes
	playout  int // number of plies after which a playout counts as a draw
}

// Defaults returns UCT with the solver and decisive moves.
func Defaults() Options {
	return Options{Sims: 10_000, C: 0.5, Solver: true, Decisive: true, maxNodes: 1 << 21, playout: 512}
}

// Searcher is a Monte Carlo tree search. Only one goroutine may use it. It does not keep results for the next search.
type Searcher struct{ w worker }

// New returns a Searcher with the options o.
func New(o Options) *Searcher {
	d := Defaults()
	o.Sims, o.C = cmp.Or(o.Sims, d.Sims), cmp.Or(o.C, d.C)
	o.maxNodes, o.playout = cmp.Or(o.maxNodes, d.maxNodes), cmp.Or(o.playout, d.playout)
	s := &Searcher{worker{Options: o, unit: 1}}
	if o.Value != nil {
		s.w.unit = fine
	}
	return s
}

// fine is the number of parts into which half points are divided if Options.Value is set.
const fine = 1 << 10

// maxSims is the maximum number of simulations: with more, the half points of a node would not fit into 32 bits.
const maxSims = 1<<31 - 1

// clockPlies is the number of plies between two readings of the clock. Playing them takes a fraction of a millisecond.
const clockPlies = 2048

// Search makes simulations until a limit is reached or p is solved. It calls report each time the number of simulations has
// doubled.
func (s *Searcher) Search(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	if lim.Nodes == 0 && lim.Time == 0 {
		lim.Nodes = s.w.Sims
	}
	most := uint64(maxSims / s.w.unit)
	if lim.Nodes == 0 || lim.Nodes > most {
		lim.Nodes = most
	}
	budget := search.NewBudget(ctx, lim)
	s.w.reset(p, cmp.Or(lim.Depth, math.MaxInt))
	next := uint64(1)
	for {
		s.w.simulate()
		stop := budget.Step()
		if s.w.plies >= clockPlies {
			s.w.plies = 0
			stop = stop || budget.Stopped()
		}
		if stop || s.w.nodes[root].outcome != game.Ongoing {
			break
		}
		if budget.Nodes == next {
			s.w.report(budget, lim.Lines, report)
			next *= 2
		}
	}
	return s.w.report(budget, lim.Lines, report), nil
}

// report reports the best moves at the root, and returns the answer for the first of them.
func (w *worker) report(budget *search.Budget, lines int, report func(search.Info)) search.Info {
	side := w.p.Turn()
	taken := []int32{w.best(root, side, nil)}
	first := w.info(taken[0], budget)
	first.Line, first.Solved = 1, first.Solved && w.nodes[root].outcome != game.Ongoing
	if m, ok := w.refuge(taken[0], side); ok {
		first.PV, first.Score, first.Bound = []game.Move{m}, 0, search.Exact
	}
	if report == nil {
		return first
	}
	first.Root = w.candidates(side)
	report(first)
	score := first.Score
	for line := 2; line <= min(lines, int(w.nodes[root].children)); line++ {
		child := w.best(root, side, taken)
		taken = append(taken, child)
		info := w.info(child, budget)
		info.Line = line
		if info.Score > score {
			info.Score, info.Bound = score, search.Upper
		}
		score = info.Score
		report(info)
	}
	return first
}

func (w *worker) candidates(side game.Side) []search.Candidate {
	var all []search.Candidate
	n := &w.nodes[root]
	for _, k := range w.children(n) {
		score := eval.Score(math.Round(float64(2*k.mean-1) * float64(eval.Unit)))
		if w.Solver && k.outcome != game.Ongoing {
			score = eval.Outcome(k.outcome, side, int(k.dist)+1)
		}
		all = append(all, search.Candidate{Move: k.move, Effort: float64(k.visits) / float64(max(n.visits, 1)), Score: score, Scored: k.visits > 0})
	}
	return all
}

func (w *worker) info(child int32, budget *search.Budget) search.Info {
	k := &w.nodes[child]
	info := search.Info{
		Depth: max(w.deepest, 1), Nodes: budget.Nodes, Time: budget.Elapsed(),
		Score: eval.Score(math.Round(float64(2*k.mean-1) * float64(eval.Unit))),
		PV:    w.pv(child),
	}
	if w.Solver && k.outcome != game.Ongoing {
		info.Score, info.Solved = eval.Outcome(k.outcome, w.p.Turn(), int(k.dist)+1), true
		if k.dist > 1 {
			info.Bound = search.Most(info.Score)
		}
	}
	return info
}

func (w *worker) pv(child int32) []game.Move {
	var pv []game.Move
	for {
		pv = append(pv, w.nodes[child].move)
		w.p.Play(w.nodes[child].move)
		if w.nodes[child].children == 0 {
			break
		}
		child = w.best(child, w.p.Turn(), nil)
	}
	for range pv {
		w.p.Undo()
	}
	return pv
}

// best returns the best child of the node with index at, for side, which is to move. Children in taken are not considered. The
// best child is the shortest proved win. Without a proved win, it is the unproved child with the most visits, or a proved draw
// if the draw is worth more. If all children are proved losses, it is the longest loss.
func (w *worker) best(at int32, side game.Side, taken []int32) int32 {
	won, open, drawn, lost := int32(-1), int32(-1), int32(-1), int32(-1)
	n := &w.nodes[at]
	for c := n.first; c < n.first+int32(n.children); c++ {
		if slices.Contains(taken, c) {
			continue
		}
		switch k := &w.nodes[c]; k.outcome {
		case game.WinFor(side):
			if won < 0 || k.dist < w.nodes[won].dist {
				won = c
			}
		case game.Ongoing:
			if open < 0 || k.busier(&w.nodes[open]) {
				open = c
			}
		case game.Draw:
			if drawn < 0 || k.busier(&w.nodes[drawn]) {
				drawn = c
			}
		default:
			if lost < 0 || k.dist > w.nodes[lost].dist {
				lost = c
			}
		}
	}
	switch {
	case won >= 0:
		return won
	case open >= 0 && (drawn < 0 || w.nodes[open].mean >= 0.5):
		return open
	case drawn >= 0:
		return drawn
	}
	return lost
}

func (k *node) busier(other *node) bool {
	return k.visits > other.visits || k.visits == other.visits && k.half > other.half
}

// refuge returns a move that was never tried and does not lose at once, if even best, the best tried child, is a proved loss.
func (w *worker) refuge(best int32, side game.Side) (game.Move, bool) {
	lost := game.WinFor(side.Other())
	n := &w.nodes[root]
	if w.nodes[best].outcome != lost || n.children == n.moves {
		return game.NoMove, false
	}
	for _, m := range w.p.AppendMoves(nil) {
		if slices.ContainsFunc(w.children(n), func(k node) bool { return k.move == m }) {
			continue
		}
		w.p.Play(m)
		o := w.p.Outcome()
		w.p.Undo()
		if o != lost {
			return m, true
		}
	}
	return game.NoMove, false
}
