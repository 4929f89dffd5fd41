// SPDX-License-Identifier: Apache-2.0

package mnk

import (
	"context"
	"errors"
	"io"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/proof"
	"github.com/krow-lab/krow/search"
)

// Certify writes the certificate of p's value, which it finds out first where it does not know it. It returns
// an error when a limit was reached before all was written.
func (s *Solver) Certify(ctx context.Context, p game.Position, lim search.Limits, w io.Writer) error {
	a, err := s.Solve(ctx, p, lim)
	if err != nil {
		return err
	}
	if !a.Solved() {
		return errors.New("there is no certificate without a value")
	}
	c := proof.Claim{
		Columns: s.g.columns, Rows: s.g.rows, K: s.g.k, Turn: p.Turn().String(),
		Value: [...]string{"loss", "draw", "win"}[a.Low+1],
	}
	for _, st := range p.(game.Board).Cells() {
		c.Cells += string(".XO"[st])
	}
	return proof.Write(w, c, &witness{s, search.NewBudget(ctx, lim)})
}

var errShort = errors.New("a limit was reached while the certificate was written")

// witness tells the moves of a certificate.
type witness struct {
	*Solver
	budget *search.Budget
}

// Root implements proof.Chooser.
func (w *witness) Root(p proof.Position) (bool, error) {
	v, _, weak := w.ask(question{p.Cells, p.Turn, p.Hero.Other(), w.budget, 0}, nil)
	if v != refuted {
		return false, errShort
	}
	return weak, nil
}

// Move implements proof.Chooser.
func (w *witness) Move(p proof.Position) (int, error) {
	by := p.Hero
	if !p.Wins {
		by = by.Other()
	}
	pr := w.strong
	if p.Weak {
		pr = w.weak
	}
	v, m := pr.answer(question{p.Cells, p.Turn, by, w.budget, 0}, 1<<60)
	switch {
	case v == unknown:
		return 0, errShort
	case m == game.NoMove:
		return 0, errors.New("a position of the certificate is not worth what its solver took it for")
	}
	return int(m), nil
}
