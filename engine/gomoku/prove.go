// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"context"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search/tt"
)

// prover looks for wins by threats alone. Unlike the search it leaves out only moves that must fail, so its wins are proved.
//
//	attack   the attacker wins by fours, or makes a four or another threat, after which the defence
//	defence  answers a four; or, where the attacker would win by fours if the defender passed, tries each
//	         stone that may spoil that win (its zone) and each that makes a four itself. All must fail.
//
// The zone of a win by fours holds all cells of the line, and those where the defender would make a four on the way. Any
// other stone leaves every four of the line a four with the same answer, and gives the defender no five. If distant
// stones matter by the rules, the zone is the whole board.
//
// It looks first for wins with few threats other than fours, because these threats have several answers and make a search wide.
//
// CITE: Allis, van den Herik and Huntjens, Go-Moku Solved by New Search Techniques, 1996. CITE: Thomsen, Lambda-Search
// in Game Trees, 2000.
type prover struct {
	budget uint64 // of visited nodes: beyond it nothing is found any more
	quiet  bool   // moves that make no three, but may threaten to win by fours, are tried and count as two threats
	zones  [maxPly + 8]zone
	fours  [1 << 14]uint64 // hashes of positions without a win by fours
	table  []verdict
}

// The limits of the prover.
const (
	proofPly   = 100     // plies of a line
	maxThreats = 12      // threats that are not fours, in a line
	proofTable = 1 << 15 // verdicts that are kept next to a search,
	ownTable   = 1 << 17 // and by a Prover
	lineNodes  = 2000    // for the fours at the end of a line
)

// over counts a node and reports whether the prover must give up.
func (w *worker) over() bool { return w.visit() || w.spent() }

// spent reports whether the budget is used up: then results have no meaning.
func (w *worker) spent() bool { return w.visited >= w.proof.budget || w.stop.Load() }

// prove looks for a proof that the side to move wins or, if attacks is false, that it loses, with ever more threats. It
// returns the plies, or 0. The line is in pv[0].
func (w *worker) prove(budget uint64, attacks, quiet bool) (plies int) {
	w.proof.budget, w.proof.quiet = w.visited+budget, quiet
	for left := 0; left <= maxThreats && !w.over() && plies == 0; left++ {
		if attacks {
			plies = w.attack(left, 0)
		} else {
			plies = w.defence(left, 0)
		}
	}
	if plies > 0 {
		w.follow(attacks)
	}
	return plies
}

// follow extends the line in pv[0] by the verdicts on its positions, and ends it with a win by fours.
func (w *worker) follow(attacks bool) {
	line, n := &w.pv[0], 0
	for n < proofPly {
		x, known := w.recall(w.verdictKey(attacks))
		if !known || x.plies == 0 || x.move == 0 || w.stones[x.move&cellMask] != codeEmpty {
			break
		}
		w.playStone(int(x.move))
		line[n] = x.move
		n++
		attacks = !attacks
	}
	end := n
	if !attacks && n > 0 {
		// That stone may be the first of a win by fours, which is found again.
		w.undo()
		n--
	}
	plies := n
	if attacks || end > n {
		w.proof.budget = w.visited + lineNodes
		if w.byFours(n+1) > 0 {
			n += copy(line[n:len(line)-1], w.line(nil, n+1))
		}
	}
	for range plies {
		w.undo()
	}
	if n = max(n, end); n > 0 {
		line[n] = 0
	}
}

// Proof is a win by threats, which holds whatever the defender does.
type Proof struct {
	Plies int         // to the win, at most
	Line  []game.Move // one of the win's; it may end where all moves lose the same way
	Fours bool        // by fours alone (VCF), and not by other threats too (VCT)
	Nodes uint64      // that were visited to find it
}

// Prover looks for wins by threats without a search. It belongs to one goroutine and remembers the wins that it finds.
type Prover struct {
	// Quiet lets it also try moves that make no three, but may threaten to win by fours. It is slower and finds more. It
	// must be set before the first use.
	Quiet bool
	w     *worker
}

// NewProver returns the prover of g, or an error if the engine does not play g.
func NewProver(g game.Game) (*Prover, error) {
	s, err := New(g, Options{Hash: 1 << 16, off: techTable})
	if err != nil {
		return nil, err
	}
	w := s.workers[0]
	w.proof.table = make([]verdict, ownTable)
	return &Prover{w: w}, nil
}

// Win looks for a win of the side to move in p, which must be ongoing and of the prover's game, within nodes nodes.
func (p *Prover) Win(ctx context.Context, pos game.Position, nodes uint64) (Proof, bool) {
	return p.prove(ctx, pos, nodes, true)
}

// Loss looks for a win of the side that is not to move.
func (p *Prover) Loss(ctx context.Context, pos game.Position, nodes uint64) (Proof, bool) {
	return p.prove(ctx, pos, nodes, false)
}

func (p *Prover) prove(ctx context.Context, pos game.Position, nodes uint64, attacks bool) (Proof, bool) {
	w := p.w
	w.beginSearch(&shared{table: tt.New(0), ctx: ctx}, pos)
	w.proof.budget = nodes
	proof := Proof{Fours: attacks && w.byFours(0) > 0}
	if proof.Plies = w.prove(nodes, attacks, p.Quiet); proof.Plies == 0 {
		return proof, false
	}
	proof.Nodes = w.visited
	for _, c := range w.line(nil, 0) {
		proof.Line = append(proof.Line, w.move(int(c)))
	}
	return proof, true
}
