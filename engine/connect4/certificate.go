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

// CheckerPositions is how many moves at a time the checker of a certificate may have to find by itself. More make
// certificates smaller and checks longer: on 6x5 14 kB and 1.4 s with 100, 7 kB and 2.3 s with 400.
const CheckerPositions = 100

// Certify writes the certificate of the value of p, whose side to move is turn, for proof.Verify: win, draw or
// loss, not the score. It is an error if ctx is done before all is written.
func (s *Solver) Certify(ctx context.Context, p Position, turn game.Side, w io.Writer) error {
	return s.certify(ctx, p, turn, CheckerPositions, w)
}

func (s *Solver) certify(ctx context.Context, p Position, turn game.Side, search int, w io.Writer) error {
	r := s.Solve(ctx, p)
	sign, known := r.Sign()
	if !known {
		return errUncertified
	}
	c := proof.Claim{
		Columns: s.g.columns, Rows: s.g.rows, K: s.g.k, Gravity: true, Turn: turn.String(),
		Value: [...]string{"loss", "draw", "win"}[sign+1], Search: search,
	}
	stone := [3]byte{'.', "XO"[turn], "XO"[turn.Other()]}
	for row := range s.g.rows {
		for column := range s.g.columns {
			c.Cells += string(stone[p.at(column, row)])
		}
	}
	s.LimitNodes(0)
	return proof.Write(w, c, &witness{s, ctx})
}

// at returns 1 for a stone of the side to move, 2 for one of the other side, or 0.
func (p Position) at(column, row int) int {
	b := wideBit(column*int(p.g.stride) + row)
	switch {
	case !p.turn.and(b).empty():
		return 1
	case !p.other.and(b).empty():
		return 2
	}
	return 0
}

var errUncertified = errors.New("there is no certificate without a value")

// witness tells the moves of a certificate.
type witness struct {
	*Solver
	ctx context.Context
}

// Root implements proof.Chooser: where stones fall nobody asks.
func (w *witness) Root(proof.Position) (bool, error) { return false, nil }

// Move implements proof.Chooser. Of the moves that reach the goal it takes the one that is proved in the fewest
// nodes, roughly: each gets some, and then all get more.
func (w *witness) Move(q proof.Position) (int, error) {
	p := w.SetUp(func(column, row int) int {
		switch q.Cells[column+row*w.g.columns] {
		case game.Empty:
			return 0
		case q.Turn.Stone():
			return 1
		}
		return 2
	})
	goal := 0
	if q.Wins {
		goal = 1
	}
	defer w.LimitNodes(0)
	for nodes := uint64(100); w.ctx.Err() == nil; nodes *= 8 {
		w.LimitNodes(nodes)
		if c := w.Best(w.ctx, p, goal); c >= 0 {
			return c + w.g.columns*p.height(c), nil
		}
		if nodes > 1<<40 {
			return 0, errors.New("a position of the certificate is not worth what its solver took it for")
		}
	}
	return 0, fmt.Errorf("the certificate is not finished: %w", w.ctx.Err())
}

// height returns how many stones there are in a column.
func (p Position) height(column int) int { return p.stones().and(p.g.column[column]).count() }
