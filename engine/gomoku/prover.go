// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"context"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/tt"
)

// Proof is a win by threats, which holds whatever the defender does.
type Proof struct {
	Plies int         // to the win, at most
	Line  []game.Move // one that the win may take; it may end where any move loses the same way
	Fours bool        // by fours alone (VCF), and not by other threats too (VCT)
}

// Prover looks for wins by threats without a search beside it. It belongs to one goroutine at a time, and remembers the wins
// that it finds.
type Prover struct {
	// Quiet lets it try moves, too, that are no threats to the eye but may threaten to win by fours: slower, and it finds
	// more. It must be set before the first use.
	Quiet bool
	w     *worker
}

// proverTable is how many positions a Prover remembers.
const proverTable = 1 << 17

// NewProver returns the prover of g, or an error in one line that says why the engine does not play it.
func NewProver(g game.Game) (*Prover, error) {
	s, err := New(g, Options{Hash: 1 << 16, NoTable: true})
	if err != nil {
		return nil, err
	}
	w := s.workers[0]
	w.proof.table = make([]verdict, proverTable)
	return &Prover{w: w}, nil
}

// Win looks for a win of the side to move in p, which must be ongoing and of the prover's game, visiting some nodes at most,
// and says whether it found one.
func (p *Prover) Win(ctx context.Context, pos game.Position, nodes uint64) (Proof, bool) {
	return p.prove(ctx, pos, nodes, true)
}

// Loss looks for a win of the side that is not to move.
func (p *Prover) Loss(ctx context.Context, pos game.Position, nodes uint64) (Proof, bool) {
	return p.prove(ctx, pos, nodes, false)
}

func (p *Prover) prove(ctx context.Context, pos game.Position, nodes uint64, attacks bool) (Proof, bool) {
	w := p.w
	w.begin(&shared{table: tt.New(0), ctx: ctx}, pos)
	w.proof.wide, w.proof.budget, w.proof.quiet = proofPly, nodes, p.Quiet
	fours := attacks && w.byFours(0, 0) > 0
	plies := w.proveAt(nodes, attacks)
	proof := Proof{Plies: plies, Fours: fours}
	if plies == 0 {
		return proof, false
	}
	for _, c := range w.pv[0] {
		if c == 0 {
			break
		}
		proof.Line = append(proof.Line, w.move(int(c)))
	}
	return proof, true
}
