// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"context"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/search/tt"
)

// prover searches only for wins by threats. It tries every defence that may succeed, so its wins are proved. In contrast, the
// engine's main search (search.go) leaves out moves that may be good.
//
//	attack   the attacker wins by fours, or makes a four or another threat after which the defence fails
//	defence  the defender answers a four; or, if the attacker would win by fours after a pass, he tries each
//	         stone that may spoil that win (its zone) and each that makes a four itself. All must fail.
//
// The zone of a win by fours contains the cells of all its moves, and the cells on which the defender would make a four before
// the win. Suppose that the defender has an additional stone outside the zone. Then each move of the win still makes a four,
// each four still has the same answers, and the defender still makes no five. In renju, where a distant stone can make a cell
// forbidden or allowed, the zone may be the whole board.
//
// The prover first searches for wins with few threats other than fours, because such a threat has several answers, which must
// all be searched.
//
// CITE: Allis, van den Herik and Huntjens, Go-Moku Solved by New Search Techniques, 1996. CITE: Thomsen, Lambda-Search
// in Game Trees, 2000.
type prover struct {
	budget uint64 // number of visited nodes at which the prover gives up
	// quiet is set if the attacker also tries moves that make no three but may threaten to win by fours. Such a move counts as
	// two threats.
	quiet bool
	most  int // maximum number of plies of a win, or 0 if there is no limit
	zones [maxPly + 8]zone
	fours [1 << 14]uint64 // hashes of positions that have no win by fours
	table []verdict
}

// The limits of the prover.
const (
	proofPly   = 100     // maximum number of plies in a line
	maxThreats = 12      // maximum number of threats other than fours in a line
	proofTable = 1 << 15 // number of verdicts in the table of a search
	ownTable   = 1 << 17 // number of verdicts in the table of a Prover
	lineNodes  = 2000    // maximum number of nodes of the search for fours at the end of a line
)

// over counts a node and reports whether the prover must give up.
func (w *worker) over() bool { return w.visit() || w.spent() }

// spent reports whether the budget is used up or the search was stopped; if so, results are meaningless.
func (w *worker) spent() bool { return w.visited >= w.proof.budget || w.stop.Load() }

// tooLong reports whether a win that takes the given number of plies from ply on takes more plies than are allowed.
func (p *prover) tooLong(ply, plies int) bool { return p.most > 0 && ply+plies > p.most }

// salt changes a key, so that results that were found with a limit of plies are found again only with the same limit.
func (p *prover) salt(key uint64, ply int) uint64 {
	if p.most > 0 {
		key ^= uint64(p.most-ply) * rng.Golden
	}
	return key
}

// prove searches for a proof that the side to move wins if attacks is true, and for a proof that this side loses if attacks is
// false. It allows first only fours, then fours and 1, 2, ... other threats. It returns the length of the win in plies, or 0 if
// it finds no proof. It stores the line of the win in pv[0].
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

// follow writes the line of a proved win to pv[0]: first the moves that are stored in the table of verdicts, and then the final
// win by fours.
func (w *worker) follow(attacks bool) {
	line, n := &w.pv[0], 0
	for n < proofPly {
		x, known := w.recall(w.verdictKey(attacks, n))
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
		// The last stone is taken back, because it may be the first move of the final win by fours, which is searched again
		// below.
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

// Proof is a win by threats, which works against every defence.
type Proof struct {
	Plies int         // maximum number of plies to the win
	Line  []game.Move // a line of the win; it may end before the last ply, when all further moves of the loser lose in the same way
	Fours bool        // whether the win needs only fours (VCF) and no other threats (VCT)
	Nodes uint64      // number of nodes that were visited to find the proof
}

// Prover searches for wins by threats, without the engine's search. Only one goroutine may use it. It stores the wins that it has
// found.
type Prover struct {
	// If Quiet is set, the Prover also tries moves that make no three but may threaten to win by fours. This is slower and
	// finds more wins. Quiet must be set before the first use.
	Quiet bool
	w     *worker
}

// NewProver returns a prover for g, or an error if the engine does not play g.
func NewProver(g game.Game) (*Prover, error) {
	s, err := New(g, Options{Hash: 1 << 16, off: techTable})
	if err != nil {
		return nil, err
	}
	w := s.workers[0]
	w.proof.table = make([]verdict, ownTable)
	return &Prover{w: w}, nil
}

// Win searches for a win of the side to move in pos, within the given number of nodes. pos must be a position of the prover's game
// that is not over.
func (p *Prover) Win(ctx context.Context, pos game.Position, nodes uint64) (Proof, bool) {
	return p.prove(ctx, pos, nodes, true)
}

// Loss searches for a win of the side that is not to move.
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
