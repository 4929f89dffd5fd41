// SPDX-License-Identifier: Apache-2.0

// Package greedy plays the move with the best value after one ply.
//
// A Searcher made by [New] ranks the moves by an [eval.MoveScorer], which values them without playing them. With the indicators
// of ultimate tic-tac-toe (package eval/indicators), this Searcher is the heuristic player of Eustache and Genuyt's report. A
// Searcher made by [NewEval] plays each move and values the position after it by an [eval.Evaluator].
//
// # Basics
//
//	s := greedy.New(scorer)
//	info, err := s.Search(ctx, p, search.Limits{}, nil)
//
// # Caveats
//
// If moves have equal scores, the move with the lowest number is chosen. The score of a MoveScorer is not checked: it may be
// in the range of won games although nothing is proved. With an Evaluator, a finished game is valued by its result, not by
// the heuristic.
//
// A forbidden move (Renju) is played only if there is no other move.
//
// # Speed
//
// Each legal move is scored once. An [eval.Incremental] is updated for each move, so that it need not scan the board.
//
// CITE: Russell and Norvig, Artificial Intelligence: A Modern Approach, 2020, section 3.5.1.
package greedy

import (
	"cmp"
	"context"
	"slices"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// Searcher plays greedily. Only one goroutine may use it.
type Searcher struct {
	scorer eval.MoveScorer
	moves  []game.Move
	ranked []ranked
}

type ranked struct {
	move  game.Move
	score eval.Score
}

// New returns a Searcher that plays the move with the best score of scorer.
func New(scorer eval.MoveScorer) *Searcher { return &Searcher{scorer: scorer} }

// NewEval returns a Searcher that plays the move after which ev gives the position the greatest value for the mover.
func NewEval(ev eval.Evaluator) *Searcher {
	a := &afterwards{ev: ev}
	a.inc, _ = ev.(eval.Incremental)
	return New(a)
}

// Search scores the moves until a limit is reached and returns the best. It ignores lim.Depth. The answer is Solved if the move
// wins at once.
func (s *Searcher) Search(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	budget := search.NewBudget(ctx, lim)
	if a, ok := s.scorer.(*afterwards); ok && a.inc != nil {
		a.inc.Reset(p)
	}
	s.moves = game.AppendSound(s.moves[:0], p)
	s.ranked = s.ranked[:0]
	for _, m := range s.moves {
		s.ranked = append(s.ranked, ranked{m, s.scorer.ScoreMove(p, m)})
		// Scoring a move takes far longer than reading the clock, so the clock is read before each move.
		if budget.Step() || budget.Stopped() {
			break
		}
	}
	// The sort is stable so that moves with equal scores stay in increasing order.
	slices.SortStableFunc(s.ranked, func(a, b ranked) int { return cmp.Compare(b.score, a.score) })
	if report != nil {
		for line := range min(max(lim.Lines, 1), len(s.ranked)) {
			report(s.info(line, budget))
		}
	}
	return s.info(0, budget), nil
}

func (s *Searcher) info(line int, budget *search.Budget) search.Info {
	r := s.ranked[line]
	_, proved := s.scorer.(*afterwards)
	return search.Info{
		Line: line + 1, Depth: 1, Score: r.score, PV: []game.Move{r.move},
		Nodes: budget.Nodes, Time: budget.Elapsed(),
		Solved: proved && r.score == eval.Win(1),
	}
}

// afterwards is a MoveScorer that uses an Evaluator: the score of a move is the value of the position after it.
type afterwards struct {
	ev  eval.Evaluator
	inc eval.Incremental // ev, if it is Incremental; otherwise nil
}

// ScoreMove plays m, evaluates the position for the side that played m, and takes m back.
func (a *afterwards) ScoreMove(p game.Position, m game.Move) eval.Score {
	side := p.Turn()
	if a.inc != nil {
		a.inc.Play(m)
	}
	p.Play(m)
	score := eval.Outcome(p.Outcome(), side, 1)
	if p.Outcome() == game.Ongoing {
		score = a.ev.Evaluate(p, side)
	}
	p.Undo()
	if a.inc != nil {
		a.inc.Undo()
	}
	return score
}
