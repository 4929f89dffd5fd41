// SPDX-License-Identifier: Apache-2.0

package mnk

import (
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/dfpn"
)

// question asks whether the attacker, which is the side stored in the field by, gets k in a row.
type question struct {
	cells  []game.Stone
	turn   game.Side
	by     game.Side
	budget *search.Budget
	before uint64 // number of nodes of the earlier work that was loaded
}

const (
	leastSlice = 1 << 13 // number of nodes of the first turn; ask divides it by weakShare or strongShare
	// The searches of the strong and of the weak game take turns: see ask. mostSlice is the maximum number of nodes of a turn.
	mostSlice = 1 << 22
	// If k is at most 4, the search stays long below one move before it compares it with the other moves (see dfpn.Core), but
	// only during its first deepNodes nodes. Afterwards it begins again with an empty table and compares the moves more often.
	deepNodes = 12_000_000
)

// ask answers a question. The last result is true if the answer comes from the search of the weak game, in which only the
// attacker can win. The attacker's goal is k in a row, and the defender's goal is to prevent it. The returned move reaches
// the goal of the side to move; it is NoMove if that side cannot reach its goal. If the answer is not found, the move is
// only an estimate, or NoMove.
//
// The searches of the two games, strong and weak, take turns, and each turn has twice as many nodes as the previous one, up
// to mostSlice. If k is at most 4, the attacker usually wins the weak game. Such a win proves nothing about the strong game, so the weak game
// gets only an eighth of the strong game's nodes. If k is greater than 4, the attacker usually does not win the weak game,
// so the strong game gets only a quarter of the weak game's nodes. If the function known is not nil, ask calls it after each
// round of turns that gives no answer. In standard gomoku and caro, in which some rows of k do not win, only the weak game
// is searched.
func (s *Solver) ask(q question, known func()) (dfpn.Verdict, game.Move, bool) {
	weakShare, strongShare := uint64(8), uint64(1)
	if s.g.k > 4 || s.rule != "" {
		weakShare, strongShare = 1, 4
	}
	// If the board already contains a row of k that did not win under the rule, no search can answer the question, because this
	// row would win in the weak game.
	if s.rule != "" && s.g.holdsLine(q.cells) {
		return dfpn.Unknown, game.NoMove, false
	}
	weakOpen := true
	for nodes := uint64(leastSlice); ; nodes = min(2*nodes, mostSlice) {
		deep := s.g.k <= 4 && q.before+q.budget.Nodes < deepNodes
		if s.strong[0].Deep && !deep {
			s.Clear()
			nodes, weakOpen = leastSlice, true
		}
		s.strong.deep(deep)
		s.weak.deep(deep)
		if weakOpen {
			v, m := s.weak.askAll(q, nodes/weakShare)
			if v == dfpn.Refuted {
				return v, m, true
			}
			weakOpen = v == dfpn.Unknown
		}
		if s.rule != "" {
			if !weakOpen || q.budget.Stopped() {
				return dfpn.Unknown, game.NoMove, false
			}
			report(known)
			continue
		}
		v, hint := s.strong.askAll(q, nodes/strongShare)
		if v != dfpn.Unknown {
			return v, hint, false
		}
		report(known)
		if q.budget.Stopped() {
			return dfpn.Unknown, hint, false
		}
	}
}

func report(known func()) {
	if known != nil {
		known()
	}
}

// settled returns the number of root moves that are proved not to reach the goal of the side to move, and the number of all
// root moves. Each is counted in the strong and in the weak game, and settled returns the greater of the two counts.
func (s *Solver) settled() (failed, moves int) {
	for _, p := range []*prover{s.strong[0], s.weak[0]} {
		n := 0
		for _, c := range p.Children[0] {
			if c.Phi == 0 {
				n++
			}
		}
		failed, moves = max(failed, n), max(moves, len(p.Children[0]))
	}
	return failed, moves
}

// searchQuestion searches for the given number of nodes. The returned move has the same meaning as in ask.
func (p *prover) searchQuestion(q question, nodes uint64) (dfpn.Verdict, game.Move) {
	p.set(q)
	if v, m := p.atOnce(); v != dfpn.Unknown {
		return v, m
	}
	g := p.Ask(p, q.budget, nodes)
	if p.proof, p.disproof = g.Phi, g.Delta; p.turn == defender {
		p.proof, p.disproof = p.disproof, p.proof
	}
	v, m := g.Verdict(p.turn == attacker), game.NoMove
	switch {
	case g.Phi == 0:
		m = p.easiest()
	case v == dfpn.Unknown && len(p.Children[0]) > 0:
		best, _ := dfpn.Best(p.Children[0])
		m = game.Move(p.Children[0][best].Move)
	}
	return v, m
}

func (p *prover) set(q question) {
	p.load(q.cells, q.by)
	if p.turn = attacker; q.turn != q.by {
		p.turn = defender
	}
}

// easiest returns the move whose proof took the least work, among the moves that reach the goal.
func (p *prover) easiest() game.Move {
	best, least, most := game.NoMove, 256, uint32(0)
	for _, c := range p.Children[0] {
		if c.Delta == 0 {
			best = game.Move(c.Move)
		}
	}
	p.Children[0] = p.Expand(p.Children[0][:0])
	for _, c := range p.Children[0] {
		if c.Delta != 0 {
			continue
		}
		w := p.worth(int(c.Move), attacker) + p.worth(int(c.Move), defender)
		if int(c.Work) < least || int(c.Work) == least && w > most {
			best, least, most = game.Move(c.Move), int(c.Work), w
		}
	}
	return best
}

// known returns a move with which the defender prevents k in a row, if it finds one without a search, and otherwise NoMove.
// It first looks among the six most valuable moves for a move after which the method judge refutes the attacker's win. Then
// it looks among the moves that the table proves to reach this goal, for the one whose proof took the least work. Finally it
// tries all moves with judge.
func (p *prover) known(q question) game.Move {
	p.set(q)
	p.moves = p.board.moves(p.turn, p.moves[:0])
	p.weigh()
	p.sort()
	if m := p.judgedGood(p.moves[:min(6, len(p.moves))]); m != game.NoMove {
		return m
	}
	best, least := game.NoMove, uint8(255)
	for _, m := range p.moves {
		p.playMove(m)
		e, ok := p.table.Probe(p.key())
		p.back()
		if g, work := dfpn.Unpack(e); ok && g.Delta == 0 && work < least {
			best, least = game.Move(m), work
		}
	}
	if best != game.NoMove {
		return best
	}
	return p.judgedGood(p.moves)
}

// judgedGood returns the first of the defender's given moves after which judge refutes the attacker's win, or NoMove.
func (p *prover) judgedGood(moves []uint8) game.Move {
	for _, m := range moves {
		p.playMove(m)
		v := p.judge(p.turn)
		p.back()
		if v == dfpn.Refuted {
			return game.Move(m)
		}
	}
	return game.NoMove
}

func (b *board) load(cells []game.Stone, by game.Side) {
	var stones [2]set
	for c, st := range cells {
		if st != game.Empty {
			stones[(game.Side(st-1)^by)&1].add(c)
		}
	}
	b.reset(stones[attacker], stones[defender])
}

// atOnce returns the answer and the move if no search is needed.
func (p *prover) atOnce() (dfpn.Verdict, game.Move) {
	n, mine := p.now, dfpn.For(p.turn == attacker)
	if !n.win[p.turn].empty() {
		return mine, game.Move(n.win[p.turn].first())
	}
	v := p.judge(p.turn)
	if v != mine {
		return v, game.NoMove
	}
	// Here the method judge has found that the defender prevents k in a row. He takes the cell on which the attacker would win at
	// once or, if there is none, the most valuable cell.
	if forced := n.win[attacker]; !forced.empty() {
		return v, game.Move(forced.first())
	}
	best, most := game.NoMove, uint32(0)
	for free := p.free(); !free.empty(); {
		c := free.pop()
		if w := p.worth(c, attacker); best == game.NoMove || w > most {
			best, most = game.Move(c), w
		}
	}
	return v, best
}
