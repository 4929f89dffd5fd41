// SPDX-License-Identifier: Apache-2.0

package mnk

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/proof"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/dfpn"
)

// Searcher is a player that uses the solver. If the position cannot be solved in time or is lost, another search chooses the
// move. The answers of a Searcher do not contain the number of plies to a win.
type Searcher struct {
	s      *Solver
	unsure search.Searcher
}

// NewSearcher returns a Searcher for g. It returns an error if New does, and also for standard gomoku and caro, in which the
// solver can prove only draws. If a position is lost, or is not solved in two thirds of the time or nodes, the parameter
// unsure, another search, chooses the move. If unsure is nil, the solver plays the move that it estimates to be best.
func NewSearcher(g game.Game, o Options, unsure search.Searcher) (*Searcher, error) {
	s, err := New(g, o)
	if err == nil && s.rule != "" {
		err = unplayed(g)
	}
	if err != nil {
		return nil, err
	}
	return &Searcher{s, unsure}, nil
}

// Search implements search.Searcher. It ignores lim.Depth, and calls report once, with the answer.
func (s *Searcher) Search(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	start, mine := time.Now(), lim
	if s.unsure != nil {
		mine.Time, mine.Nodes = lim.Time*2/3, (lim.Nodes*2+2)/3
	}
	a, err := s.s.Solve(ctx, p, mine)
	if err != nil {
		return search.Info{}, err
	}
	info := a.info()
	if s.unsure != nil && (a.High < 0 || !a.Solved()) {
		if lim.Time > 0 {
			lim.Time = max(lim.Time-time.Since(start), lim.Time/4)
		}
		if lim.Nodes > 0 {
			lim.Nodes -= min(a.Nodes, lim.Nodes-1)
		}
		rest, err := s.unsure.Search(ctx, p, lim, nil)
		if err != nil {
			return rest, err
		}
		if a.Solved() {
			rest.Score, rest.Bound, rest.Solved, rest.PV = info.Score, info.Bound, true, rest.PV[:1]
		}
		rest.Nodes += a.Nodes
		info = rest
	}
	info.Time = time.Since(start)
	if report != nil {
		report(info)
	}
	return info, nil
}

func (a Answer) info() search.Info {
	info := search.Info{Line: 1, Depth: 1, PV: []game.Move{a.Best}, Nodes: a.Nodes, Solved: a.Solved()}
	switch {
	case a.Low > 0:
		info.Score = eval.Won
	case a.High < 0:
		info.Score = -eval.Won
	case a.Low < 0 && a.High == 0:
		info.Bound = search.Upper
	case !a.Solved():
		info.Bound = search.Lower
	}
	return info
}

// Certify solves p and writes a certificate of its value. It returns an error if a limit is reached before everything is written.
func (s *Solver) Certify(ctx context.Context, p game.Position, lim search.Limits, w io.Writer) error {
	a, err := s.Solve(ctx, p, lim)
	if err != nil {
		return err
	}
	if !a.Solved() {
		return errors.New("a certificate needs a proved value")
	}
	c := proof.NewClaim(p.(game.Lined), a.Low)
	c.Rule = s.rule
	return proof.Write(w, c, &witness{s, search.NewBudget(ctx, lim)})
}

var errShort = errors.New("a limit was reached while the certificate was written")

type witness struct {
	*Solver
	budget *search.Budget
}

// Root implements proof.Chooser.
func (w *witness) Root(p proof.Position) (bool, error) {
	v, _, weak := w.ask(question{p.Cells, p.Turn, p.Prover.Other(), w.budget, 0}, nil)
	if v != dfpn.Refuted {
		return false, errShort
	}
	return weak, nil
}

// Move implements proof.Chooser.
func (w *witness) Move(p proof.Position) (int, error) {
	by := p.Prover
	if !p.Wins {
		by = by.Other()
	}
	pr := w.strong
	if p.Weak {
		pr = w.weak
	}
	q := question{p.Cells, p.Turn, by, w.budget, 0}
	if p.Weak {
		if w.budget.Step() {
			return 0, errShort
		}
		if m := pr[0].known(q); m != game.NoMove {
			return int(m), nil
		}
	}
	v, m := pr.askAll(q, 1<<60)
	switch {
	case v == dfpn.Unknown:
		return 0, errShort
	case m == game.NoMove:
		return 0, errors.New("the value of a position of the certificate differs from the value that the solver assumed")
	}
	return int(m), nil
}
