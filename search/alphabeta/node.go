// SPDX-License-Identifier: Apache-2.0

package alphabeta

import (
	"slices"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/tt"
)

type tree struct {
	Options
	p         game.Position
	root      game.Side // the side for which the heuristic evaluates
	followers []eval.Incremental
	budget    *search.Budget
	stopped   bool
	ply       int // number of plies from the root to p
	// horizon counts the values that are not proved: values of leaves in which the game was not over, and unproved values of the
	// table.
	horizon int
	table   *tt.Table
	ordered bool // whether an option sorts the moves
	tables
	// moves contains the moves of each node on the path from the root to the current node. The moves of the root come first.
	// ranks[i] is the rank of moves[i].
	moves []game.Move
	ranks []rank
	// pv[i] is the best line from ply i: its first move, followed by pv[i+1].
	pv [][]game.Move
}

// search returns the value of the position, in which the game is not over, for the side to move. The value is exact if it is
// between alpha and beta, otherwise a bound outside them. depth is at least 1; last is the move that led to the position.
func (t *tree) search(depth int, alpha, beta eval.Score, last game.Move) eval.Score {
	t.pv[t.ply] = t.pv[t.ply][:0]

	// Step 1. The table may contain the value of the position, or a move to try first.
	known := t.probe()
	if v, ok := t.cut(known, depth, alpha, beta); ok {
		return v
	}

	// Step 2. Try each move, promising moves first.
	before, low := t.horizon, alpha
	best, bestMove := -eval.Infinity, known.move
	start := t.order(known.move, last)
	end := len(t.moves)
	for i := start; i < end; i++ {
		m := t.pick(i, end)
		v := t.after(m, depth, alpha, beta, i > start)
		if t.stopped {
			break
		}
		best = max(best, v)
		if v <= alpha {
			continue
		}
		alpha, bestMove = v, m
		t.keep(m)
		// Step 3. A cutoff: the opponent can avoid this position by an earlier move that is better for him.
		if v >= beta {
			t.recordCutoff(m, last, depth)
			if t.Trace != nil && i+1 < end {
				t.Trace.Cut(end - i - 1)
			}
			break
		}
	}
	t.moves = t.moves[:start]

	// Step 4. A result is stored only if the search was complete.
	if !t.stopped {
		t.store(entry{
			score: best, bound: boundOf(best, low, beta), depth: depth, move: bestMove, proved: t.horizon == before,
		})
	}
	return best
}

// after returns the value of move m for the side that makes it, exact or a bound. later is true unless m is the first move that
// is tried in its node.
func (t *tree) after(m game.Move, depth int, alpha, beta eval.Score, later bool) eval.Score {
	mover := t.p.Turn()
	t.playMove(m)
	if t.Trace != nil {
		t.enter(mover, m, alpha, beta)
	}
	v := t.value(mover, m, depth-1, alpha, beta, later)
	if t.Trace != nil && !t.stopped {
		t.Trace.Leave(t.seenBy(mover, v))
	}
	t.undoMove()
	return v
}

func (t *tree) enter(mover game.Side, m game.Move, alpha, beta eval.Score) {
	if mover != t.root {
		alpha, beta = -beta, -alpha
	}
	t.Trace.Enter(m, alpha, beta)
}

// value returns the value for mover of the position after m. After the search was stopped, the returned value is meaningless.
func (t *tree) value(mover game.Side, m game.Move, depth int, alpha, beta eval.Score, later bool) eval.Score {
	switch {
	case t.stopped:
		return 0
	case t.p.Outcome() != game.Ongoing:
		return t.seenBy(mover, t.finished())
	case depth == 0:
		return t.seenBy(mover, t.leaf())
	}
	if later && t.PVS && beta-alpha > 1 {
		if v := t.below(mover, m, depth, alpha, alpha+1); v <= alpha || v >= beta || t.stopped {
			return v
		}
	}
	return t.below(mover, m, depth, alpha, beta)
}

func (t *tree) below(mover game.Side, m game.Move, depth int, alpha, beta eval.Score) eval.Score {
	if t.p.Turn() == mover {
		return t.search(depth, alpha, beta, m)
	}
	return -t.search(depth, -beta, -alpha, m)
}

func (t *tree) playMove(m game.Move) {
	for _, f := range t.followers {
		f.Play(m)
	}
	t.p.Play(m)
	t.ply++
	t.pv[t.ply] = t.pv[t.ply][:0]
	t.stopped = t.budget.Step()
}

func (t *tree) undoMove() {
	t.ply--
	t.p.Undo()
	for _, f := range t.followers {
		f.Undo()
	}
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

// seenBy converts v, a value for the side to move at the root, to a value for side.
func (t *tree) seenBy(side game.Side, v eval.Score) eval.Score {
	if side != t.root {
		return -v
	}
	return v
}

func (t *tree) keep(m game.Move) {
	t.pv[t.ply] = append(append(t.pv[t.ply][:0], m), t.pv[t.ply+1]...)
	if t.Trace != nil {
		t.Trace.Best()
	}
}

// searchRoot searches the root moves that are not in s.taken, beginning with the move first. It returns the score of the best
// move, and this move; among equally good moves it is the one with the lowest number. If no score is above low, it returns
// NoMove. A score of high or more is a lower bound.
func (s *Searcher) searchRoot(depth int, low, high eval.Score, first game.Move) (eval.Score, game.Move) {
	best, move := low, game.NoMove
	start := s.order(first, game.NoMove)
	end, later := len(s.moves), false
	for i := start; i < end && best < high; i++ {
		m := s.pick(i, end)
		if slices.Contains(s.taken, m) {
			continue
		}
		// If m has a lower number than the best move so far, an equal score is enough for m to replace that move.
		alpha := best
		if m < move {
			alpha--
		}
		v := s.after(m, depth, alpha, high, later)
		if s.stopped {
			break
		}
		later = true
		if v > alpha {
			best, move = v, m
			s.keep(m)
			s.improve(depth, v)
		}
	}
	s.moves = s.moves[:start]
	return best, move
}

// improve sets the answer to the best line found so far at this depth. This line is at least as reliable as the answer of
// the previous depth, because the move of that answer was searched first.
func (s *Searcher) improve(depth int, v eval.Score) {
	if len(s.taken) == 0 {
		s.answer = s.info(depth, v, search.Lower, v > eval.WinBound && s.Terminal == Exact)
		s.report(s.answer)
	}
}

// extend adds moves from the table to the best line, which may end early where a table entry replaced the search.
func (s *Searcher) extend(depth int) {
	line := s.pv[0]
	for _, m := range line {
		s.p.Play(m)
	}
	for s.ply = len(line); s.ply < depth && s.p.Outcome() == game.Ongoing; s.ply++ {
		e := s.probe()
		if !e.fits(depth-s.ply) || e.bound != search.Exact || !game.Legal(s.p, e.move) {
			break
		}
		line = append(line, e.move)
		s.p.Play(e.move)
	}
	for range line {
		s.p.Undo()
	}
	s.pv[0], s.ply = line, 0
}
