// SPDX-License-Identifier: Apache-2.0

package prover

import (
	"math"
	"math/bits"

	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/dfpn"
)

// With won boards open the first side can hold the second in the middle small board: it plays in the middle of each
// small board that it is sent to. When the middle small board is full, the second side has eight stones there and none
// elsewhere, and the search proves that the first wins.
//
//	. . . | . . . | . . .
//	. X . | . X . | . X .
//	. . . | . . . | . . .
//	------+-------+------
//	. . . | O O O | . . .
//	. X . | O X O | . X .
//	. . . | O O O | . . .
//	------+-------+------
//	. . . | . . . | . . .
//	. X . | . X . | . . .   X is to move here, if O has played lower right last
//	. . . | . . . | . . .
//
// CITE: Bertholon, Géraud-Stewart, Kugelmann, Lenoir and Naccache, At Most 43 Moves, At Least 29, 2020 (the idea).

const middle = 4 // the middle small board, and the middle cell of each

// plan tries the plan against every answer.
type plan struct {
	seen map[uint16]bool // by the small board to play in and the second side's stones: won, or being tried
	wins func(end ultimate.Board) bool
}

// planned says whether b, with the first side to move, may have come about by the plan, and whether the plan goes on.
func planned(b *ultimate.Board) (fits, on bool) {
	if !b.Rules.Open || b.Turn != 0 {
		return false, false
	}
	if b.Ply == 0 {
		return true, true
	}
	var own, other uint16
	for i, set := range b.Stones[0] {
		if set&^(1<<middle) != 0 || i != middle && b.Stones[1][i] != 0 {
			return false, false
		}
		own |= set >> middle << i
	}
	other = b.Stones[1][middle]
	// It has played where it was sent to, but for the last time, and in the middle.
	if b.Forced >= ultimate.Any || other>>b.Forced&1 == 0 || own != other&^(1<<b.Forced)|1<<middle {
		return false, false
	}
	return true, bits.OnesCount16(other) < 8
}

// planMove is the move of the plan.
func planMove(b *ultimate.Board) uint8 {
	if b.Ply == 0 {
		return 9*middle + middle
	}
	return 9*b.Forced + middle
}

// holds says whether the first side wins each position in which the plan, followed from b, ends.
func (l *plan) holds(b ultimate.Board) bool {
	if b.Turn == 1 {
		return l.answered(b)
	}
	fits, on := planned(&b)
	key := uint16(b.Forced)<<9 | b.Stones[1][middle]
	switch {
	case !fits:
		return false
	case l.seen[key]:
		return true
	case !on:
		l.seen[key] = l.wins(b)
		return l.seen[key]
	}
	l.seen[key] = true
	b.Play(planMove(&b))
	return l.answered(b)
}

// answered is holds with the second side to move.
func (l *plan) answered(b ultimate.Board) bool {
	for free := b.Free(middle); free != 0; free &= free - 1 {
		next := b
		next.Play(9*middle + uint8(bits.TrailingZeros16(free)))
		if !l.holds(next) {
			return false
		}
	}
	return true
}

// follow returns what b is worth if the plan wins from there, which takes some minutes; false if it has another worth, or
// the budget is used up.
func (p *Prover) follow(b ultimate.Board, budget *search.Budget) (a Answer, ok bool) {
	if fits, on := planned(&b); !(fits && on) && (!b.Rules.Open || b.Turn == 0 || b.Forced != middle) {
		return a, false
	}
	l := &plan{seen: map[uint16]bool{}, wins: func(end ultimate.Board) bool {
		s := newState(end)
		v := p.asked[0].ask(&s, budget, math.MaxInt64)
		if p.Report != nil {
			p.Report(Answer{Low: -1, High: 1, Best: -1, Nodes: budget.Nodes})
		}
		return v == dfpn.Proven
	}}
	if !l.holds(b) {
		return a, false
	}
	if b.Turn == 0 {
		return Answer{Low: 1, High: 1, Best: int(planMove(&b)), Nodes: budget.Nodes}, true
	}
	return Answer{Low: -1, High: -1, Best: 9*middle + bits.TrailingZeros16(b.Free(middle)), Nodes: budget.Nodes}, true
}
