// SPDX-License-Identifier: Apache-2.0

package prover

import (
	"context"
	"math/bits"
	"slices"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/dfpn"
)

// Distance returns the number of plies in which a side wins from the position b, if that side wins as soon as possible and
// the other side resists as long as possible. The game must not be over in b. The winner is the side to move if mine is
// true, otherwise the other side. The result line contains the moves of a game in which both sides play so; it is shorter if
// the later moves were not found. The result plies is 0 if the number of plies is not found within the limits.
func (p *Prover) Distance(ctx context.Context, b ultimate.Board, mine bool, lim search.Limits) (plies int, line []uint8, nodes uint64) {
	attacker := b.Turn & 1
	if !mine {
		attacker ^= 1
	}
	p.mates.use(b.Rules)
	q := &mate{attacker: attacker, table: p.mates, budget: search.NewBudget(ctx, lim)}
	q.states[0] = newState(b)
	q.first = max(q.least(&q.states[0]), 1)
	for n := q.first; n <= ultimate.Moves; n++ {
		// Call the method try, not the method within: within may take the answer from the table, and then it finds no move.
		won := q.try(0, n)
		if q.stopped {
			break
		}
		if won {
			return n, q.line(n), q.budget.Nodes
		}
	}
	return 0, nil, q.budget.Nodes
}

// mate is the question whether the attacker wins within a number of plies.
type mate struct {
	attacker uint8
	// In an entry of the table, Phi is a number of plies within which the attacker wins, and Delta is a number of plies within
	// which the attacker does not win.
	table    *table
	budget   *search.Budget
	stopped  bool  // whether the limits were reached; if so, answers have no meaning
	first    int   // the number of plies that the first iteration tries
	best     uint8 // a root move with which the attacker wins, or with which the defender resists longest
	states   [ultimate.Moves + 1]state
	children [ultimate.Moves + 1][]reply
}

// reply is a move with its sort key; the side to move tries moves with smaller keys first.
type reply struct {
	move uint8
	rank int
}

// within reports whether the attacker wins the position at ply, in which the game is not over, within the given number of plies.
func (q *mate) within(ply, plies int) bool {
	if q.stopped = q.stopped || q.budget.Step(); q.stopped {
		return false
	}
	s := &q.states[ply]
	if q.least(s) > plies {
		return false
	}
	if s.Threats(s.Turn)&s.Open() != 0 {
		return s.Turn == q.attacker
	}
	k := s.key(q.attacker)
	g, _, ok := q.table.probe(&k)
	switch {
	case !ok:
		g.Phi = dfpn.Infinite
	case plies <= int(g.Delta):
		return false
	case plies >= int(g.Phi):
		return true
	}
	won := q.try(ply, plies)
	if won {
		g.Phi = dfpn.Number(plies)
	} else {
		g.Delta = dfpn.Number(plies)
	}
	if !q.stopped {
		q.table.store(&k, g, 1)
	}
	return won
}

func (q *mate) try(ply, plies int) bool {
	attacks := q.states[ply].Turn == q.attacker
	q.order(ply, plies > 2)
	for i, r := range q.children[ply] {
		success := q.after(ply, r.move, plies-1) == attacks
		if q.stopped {
			return false
		}
		if ply == 0 && (success || plies == q.first && i == 0) {
			q.best = r.move
		}
		if success {
			return attacks
		}
	}
	return !attacks
}

func (q *mate) after(ply int, move uint8, plies int) bool {
	next := &q.states[ply+1]
	*next = q.states[ply]
	next.playMove(move)
	if next.Result != game.Ongoing {
		return next.Result == game.WinFor(game.Side(q.attacker))
	}
	return plies > 0 && q.within(ply+1, plies)
}

func (q *mate) order(ply int, sort bool) {
	s := &q.states[ply]
	var moves [ultimate.Moves]uint8
	children := q.children[ply][:0]
	for _, m := range moves[:s.List(&moves)] {
		r := reply{move: m}
		if sort {
			next := &q.states[ply+1]
			*next = *s
			next.playMove(m)
			r.rank = q.rank(next)
		}
		children = append(children, r)
	}
	slices.SortStableFunc(children, func(a, b reply) int { return a.rank - b.rank })
	q.children[ply] = children
}

func (q *mate) rank(s *state) int {
	if s.Turn != q.attacker {
		return s.choices() + 4*q.least(s) // positions with few moves and few plies to a win come first
	}
	if s.Result != game.Ongoing || s.Threats(s.Turn)&s.Open() != 0 {
		return 1000
	}
	k := s.key(q.attacker)
	if g, _, ok := q.table.probe(&k); ok {
		return -int(g.Delta)
	}
	return -q.least(s)
}

func (q *mate) line(plies int) []uint8 {
	line := []uint8{q.best}
	for ply := 1; ply < plies; ply++ {
		q.states[ply] = q.states[ply-1]
		q.states[ply].playMove(line[ply-1])
		attacks, left := q.states[ply].Turn == q.attacker, plies-ply
		q.order(ply, false)
		i := slices.IndexFunc(q.children[ply], func(r reply) bool {
			return q.after(ply, r.move, left-1) && (attacks || left < 2 || !q.after(ply, r.move, left-2))
		})
		if q.stopped || i < 0 {
			break
		}
		line = append(line, q.children[ply][i].move)
	}
	return line
}

// least returns a lower bound of the number of plies that the attacker needs to win, or ultimate.Moves+1 if the attacker cannot
// win.
func (q *mate) least(s *state) int {
	own, other := &s.Stones[q.attacker&1], &s.Stones[q.attacker&1^1]
	var lacks [9]uint8 // by small board: the number of stones that the attacker needs to win it
	for i := range lacks {
		if s.Won[q.attacker&1]>>i&1 == 0 {
			lacks[i] = missing[ultimate.Ternary[own[i]&ultimate.Full]+2*ultimate.Ternary[other[i]&ultimate.Full]]
		}
	}
	stones := ultimate.Moves
	for _, l := range ultimate.Lines {
		if l&^s.reach[q.attacker&1] == 0 {
			n := 0
			for ; l != 0; l &= l - 1 {
				n += int(lacks[bits.TrailingZeros16(l)%9])
			}
			stones = min(stones, n)
		}
	}
	plies := 2 * stones
	if s.Turn == q.attacker {
		plies--
	}
	if s.Rules.Draw == ultimate.Boards {
		plies = min(plies, s.end())
	}
	return min(plies, ultimate.Moves+1)
}

// end returns the minimum number of plies after which every small board is closed.
func (s *state) end() (plies int) {
	for open := ultimate.Full &^ s.Closed; open != 0; open &= open - 1 {
		i := bits.TrailingZeros16(open) % 9
		n := bits.OnesCount16(s.Free(i))
		if !s.Rules.Open {
			first, second := ultimate.Ternary[s.Stones[0][i]&ultimate.Full], ultimate.Ternary[s.Stones[1][i]&ultimate.Full]
			n = min(n, int(missing[first+2*second]), int(missing[second+2*first]))
		}
		plies += n
	}
	return plies
}

// missing contains, by code, the minimum number of stones that First needs to win a small board. If First cannot win it, the
// number is greater than the number of free cells.
var missing = func() (t [ultimate.Codes]uint8) {
	for own := range uint16(ultimate.Full + 1) {
		for other := range subsets(ultimate.Full &^ own) {
			n := ultimate.Moves
			for _, l := range ultimate.Lines {
				if l&other == 0 {
					n = min(n, bits.OnesCount16(l&^own))
				}
			}
			t[ultimate.Ternary[own]+2*ultimate.Ternary[other]] = uint8(n)
		}
	}
	return t
}()
