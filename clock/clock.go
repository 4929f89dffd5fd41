// SPDX-License-Identifier: Apache-2.0

// Package clock keeps the time of one side of a game, and says how much of it the next move may take.
//
// # Basics
//
//	c := clock.New(clock.Control{Turn: 5 * time.Second, Match: 2 * time.Minute})
//	budget := c.Budget(cells) // of the move to come
//	ok := c.Spend(took)       // false: the side has lost on time
//
// # Three limits
//
// A move is bound by whichever is the tightest:
//
//	Turn       |-----------|                     each move, however much is left of the match
//	Match      |--------------------------...--| all moves of the side together
//	Increment                        |--|        given back after each move
//
// # Caveats
//
// Nothing here reads a clock: the caller measures. A budget is what a search may plan for; Reserve of it is kept back
// for whatever lies between the search and the one who measures.
package clock

import (
	"math"
	"time"
)

// Unlimited is a limit that bounds nothing.
const Unlimited = time.Duration(math.MaxInt64)

// Least is the smallest budget of a move: a search that is given less cannot answer in time anyway.
const Least = time.Millisecond

// Control is a time control. A field of zero or less is no time at all, not no limit: that is Unlimited.
type Control struct {
	Turn      time.Duration // the most a move may take
	Match     time.Duration // the most all moves of a side may take
	Increment time.Duration // what a side gets back for each move made, where Match is limited; zero is none
	// Reserve is kept back from every move; zero stands for DefaultReserve.
	Reserve time.Duration
}

// DefaultReserve covers the way of a move from a search to a referee on a busy machine.
const DefaultReserve = 30 * time.Millisecond

// Clock is the time of one side. The zero Clock has none.
type Clock struct {
	control Control
	left    time.Duration // of the match; below zero the side is out of time
}

// New returns a clock that is full.
func New(c Control) *Clock { return &Clock{control: c, left: c.Match} }

// Left returns what is left of the match, or Unlimited.
func (c *Clock) Left() time.Duration { return c.left }

// Set makes left what is left of the match, as a referee says who measures for himself.
func (c *Clock) Set(left time.Duration) { c.left = left }

// Spend takes the time of a move from the clock and gives the increment. It returns false, and gives nothing, when
// the move took longer than was left, or than a turn.
func (c *Clock) Spend(took time.Duration) bool {
	inTime := took <= c.control.Turn
	if c.left == Unlimited {
		return inTime
	}
	c.left -= took
	if c.left < 0 || !inTime {
		return false
	}
	c.left += min(max(c.control.Increment, 0), Unlimited-1-c.left)
	return true
}

// Most returns the longest the next move may take without a loss on time, or Unlimited.
func (c *Clock) Most() time.Duration { return max(min(c.control.Turn, c.left), 0) }

// The share of a match for one move: a game has perhaps half of the free cells still to come, half of those are of
// the other side, and the early moves decide it.
const (
	fewestMoves = 7
	mostMoves   = 25
)

// Budget returns the time to plan for the next move of a game in which cells are still free: at least Least,
// and Unlimited where nothing bounds the move.
func (c *Clock) Budget(cells int) time.Duration {
	most := c.Most()
	if most == Unlimited {
		return Unlimited
	}
	budget := most
	if c.left != Unlimited {
		moves := time.Duration(min(max(cells/4, fewestMoves), mostMoves))
		share := max(c.left, 0)/moves + max(c.control.Increment, 0)/2
		budget = min(budget, share)
	}
	return max(min(budget, most-c.reserve(most)), Least)
}

// reserve returns what is kept back of a move that may take most: no more than half of it.
func (c *Clock) reserve(most time.Duration) time.Duration {
	r := c.control.Reserve
	if r == 0 {
		r = DefaultReserve
	}
	return min(r, most/2)
}
