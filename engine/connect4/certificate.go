// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/proof"
)

// checkerPositions is how many moves at a time the checker may have to find by itself: more make certificates smaller
// and checks longer.
const checkerPositions = 100

// Certify writes the certificate of the value of p, which is of the solver's game: win, draw or loss, not the score.
// It is an error if ctx is done before all is written.
func (s *Solver) Certify(ctx context.Context, p game.Position, w io.Writer) error {
	return s.certify(ctx, p, checkerPositions, w)
}

func (s *Solver) certify(ctx context.Context, p game.Position, search int, w io.Writer) error {
	sign, known := s.Solve(ctx, s.FromGame(p)).Sign()
	if !known {
		return errors.New("there is no certificate without a value")
	}
	c := proof.NewClaim(p.(game.Lined), sign)
	c.Gravity, c.Search = true, search
	s.LimitNodes(0)
	return proof.Write(w, c, &witness{s, ctx})
}

type witness struct {
	*Solver
	ctx context.Context
}

// Root implements proof.Chooser. Where stones fall nobody asks.
func (w *witness) Root(proof.Position) (bool, error) { return false, nil }

// Move implements proof.Chooser. All moves get more and more nodes, so that it takes the one that is proved in about the
// fewest.
func (w *witness) Move(q proof.Position) (int, error) {
	p, goal := w.position(q.Cells, q.Turn), 0
	if q.Wins {
		goal = 1
	}
	defer w.LimitNodes(0)
	for nodes := uint64(100); w.ctx.Err() == nil; nodes *= 8 {
		w.LimitNodes(nodes)
		if c := w.Best(w.ctx, p, goal); c >= 0 {
			return c + w.g.columns*p.stones().and(w.g.column[c]).count(), nil
		}
		if nodes > 1<<40 {
			return 0, errors.New("a position of the certificate is not worth what its solver took it for")
		}
	}
	return 0, fmt.Errorf("the certificate is not finished: %w", w.ctx.Err())
}
