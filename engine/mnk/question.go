// SPDX-License-Identifier: Apache-2.0

package mnk

import (
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// question is whether by, the attacker, gets k in a row.
type question struct {
	cells  []game.Stone
	turn   game.Side
	by     game.Side
	budget *search.Budget
	before uint64 // nodes of work that was loaded
}

// The first turns of the two games have leastSlice nodes, and none has more than mostSlice.
const (
	leastSlice = 1 << 13
	mostSlice  = 1 << 22
)

// deepNodes is how long the search for four in a row goes deep first: most games of that size are over by then. The
// others want all moves compared, with numbers that have not been driven up by going deep: the table is cleared.
const deepNodes = 12_000_000

// ask answers a question, and says whether the answer was found in the weak game. The move is one that makes the
// answer so, if it is to the liking of the side to move; a guess where there is no answer; and otherwise none. The
// two games take turns, each as long again as the ones before, so that the better one loses little. With k up to 4
// the weak game is mostly won, and gets an eighth; with more it is mostly not, and the real one gets a quarter. Known,
// if any, is told after each turn.
func (s *Solver) ask(q question, known func()) (verdict, game.Move, bool) {
	weakShare, strongShare := uint64(8), uint64(1)
	if s.g.k > 4 {
		weakShare, strongShare = 1, 4
	}
	weakOpen := true
	for nodes := uint64(leastSlice); ; nodes = min(2*nodes, mostSlice) {
		deep := s.g.k <= 4 && q.before+q.budget.Nodes < deepNodes
		if s.strong.deep && !deep {
			s.Forget()
			nodes, weakOpen = leastSlice, true
		}
		s.strong.deep, s.weak.deep = deep, deep
		if weakOpen {
			v, m := s.weak.answer(q, nodes/weakShare)
			if v == refuted {
				return v, m, true
			}
			weakOpen = v == unknown
		}
		v, hint := s.strong.answer(q, nodes/strongShare)
		if v != unknown {
			return v, hint, false
		}
		if known != nil {
			known()
		}
		if q.budget.Stopped() {
			return unknown, hint, false
		}
	}
}

// settled returns how many of the moves at the root are known not to get the side to move its way, in one game or the
// other, and how many there are.
func (s *Solver) settled() (failed, moves int) {
	for _, p := range []*prover{s.strong, s.weak} {
		n := 0
		for _, c := range p.children[0] {
			if c.least == 0 {
				n++
			}
		}
		failed, moves = max(failed, n), max(moves, len(p.children[0]))
	}
	return failed, moves
}

// answer searches for so many nodes.
func (p *prover) answer(q question, nodes uint64) (verdict, game.Move) {
	p.budget, p.until, p.halted = q.budget, q.budget.Nodes+nodes, false
	p.load(q.cells, q.by)
	s := attacker
	if q.turn != q.by {
		s = defender
	}
	if v, m := p.atOnce(s); v != unknown {
		return v, m
	}
	g := p.search(s, goal{infinite, infinite})
	if p.yes, p.no = g.least, g.most; s == defender {
		p.yes, p.no = p.no, p.yes
	}
	switch {
	case g.least == 0:
		return verdictFor(s), p.easiest(s)
	case g.most == 0:
		return verdictFor(s ^ 1), game.NoMove
	}
	if kids := p.children[0]; len(kids) > 0 {
		best, _ := nextBest(kids)
		return unknown, game.Move(kids[best].move)
	}
	return unknown, game.NoMove
}

// easiest returns a move by which s gets its way, as the search at the root has found, or a better one: that
// with the least work behind it, of those that are known.
func (p *prover) easiest(s side) game.Move {
	best, least, most := game.NoMove, 256, uint32(0)
	for _, c := range p.children[0] {
		if c.most == 0 {
			best = game.Move(c.move)
		}
	}
	kids, _ := p.expand(s)
	for _, c := range kids {
		if c.most != 0 {
			continue
		}
		w := p.worth(int(c.move), attacker) + p.worth(int(c.move), defender)
		if int(c.work) < least || int(c.work) == least && w > most {
			best, least, most = game.Move(c.move), int(c.work), w
		}
	}
	return best
}

// verdictFor returns the verdict to the liking of s.
func verdictFor(s side) verdict {
	if s == attacker {
		return proven
	}
	return refuted
}

// load sets up the stones of side by as the attacker's and the others as the defender's.
func (b *board) load(cells []game.Stone, by game.Side) {
	var stones [2]set
	for c, st := range cells {
		if st != game.Empty {
			stones[(game.Side(st-1)^by)&1].add(c)
		}
	}
	b.reset(stones[attacker], stones[defender])
}

// atOnce answers what needs no search, with the move that goes with it.
func (p *prover) atOnce(s side) (verdict, game.Move) {
	n := p.now
	if !n.win[s].empty() {
		return verdictFor(s), game.Move(n.win[s].first())
	}
	v := p.judge(s)
	if v == unknown || v != verdictFor(s) {
		return v, game.NoMove
	}
	// The defender holds by the cell worth most, as judge has found.
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
