// SPDX-License-Identifier: Apache-2.0

package mnk

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/proof"
	"github.com/krow-lab/krow/search"
)

// checkerFours is how many positions a certificate lets its checker look at in search of a win by fours.
const checkerFours = 200

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
		Value: [...]string{"loss", "draw", "win"}[a.Low+1], Fours: checkerFours,
	}
	for _, st := range p.(game.Board).Cells() {
		c.Cells += string(".XO"[st])
	}
	return proof.Write(w, c, &witness{s, search.NewBudget(ctx, lim)})
}

// witness tells the moves of a certificate.
type witness struct {
	*Solver
	budget *search.Budget
}

// Root implements proof.Chooser.
func (w *witness) Root(p proof.Position, turn game.Side) (bool, error) {
	v, _, weak := w.ask(p.Cells, turn, p.Hero.Other(), w.budget)
	if v != refuted {
		return false, errors.New("the limit was reached while writing the certificate")
	}
	return weak, nil
}

// Pairs implements proof.Chooser.
func (w *witness) Pairs(p proof.Position) [][2]int {
	b := newBoard(w.g, true, false)
	b.load(p.Cells, p.Hero.Other())
	if b.now.sum[attacker] == 0 || w.o.NoPairing || !b.paired() {
		return nil
	}
	var pairs [][2]int
	for _, l := range b.pairs.needed {
		var pair []int
		for _, c := range b.line(l) {
			if b.pairs.owner[c] == int16(l) {
				pair = append(pair, int(c))
			}
		}
		pairs = append(pairs, [2]int{pair[0], pair[1]})
	}
	return pairs
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
	v, m := pr.answer(p.Cells, p.Hero, by, w.budget, 1<<60)
	switch {
	case v == unknown:
		return 0, errors.New("the limit was reached while writing the certificate")
	case m == game.NoMove:
		return 0, fmt.Errorf("a position of the certificate is not what its solver took it for")
	}
	return int(m), nil
}
