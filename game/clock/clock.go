// SPDX-License-Identifier: Apache-2.0

// Package clock keeps the time of one side of a game, and says how much of it the next move may take.
//
// # Basics
//
//	control, err := clock.Parse("60s+1s") // a minute for the game, a second back after each move
//	c := clock.New(control)
//	plan, most := c.Budget(cells) // what a search may plan for the next move, and the most while it is in doubt
//	inTime := c.Spend(took)       // false: the side has lost on time
//
// # Three limits
//
// The tightest one bounds the move:
//
//	Turn       |-----------|                     each move, however much is left of the match
//	Match      |--------------------------...--| all moves of the side together
//	Increment                        |--|        given back after each move
//
// # Caveats
//
// Nothing here reads a clock: the caller measures. A budget is the time for which a search may plan. Reserve is kept
// back from it, for the way between the search and the referee who measures.
package clock

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Unlimited is a limit that bounds nothing.
const Unlimited = time.Duration(math.MaxInt64)

// Least is the smallest budget of a move: a search that is given less cannot answer in time anyway.
const Least = time.Millisecond

// Control is a time control. A field that is zero bounds nothing.
type Control struct {
	Turn      time.Duration // the most a move may take
	Match     time.Duration // the most all moves of a side may take
	Increment time.Duration // what a side gets back for each move, where Match is limited
	Margin    time.Duration // how late a move may be without a loss on time
	Reserve   time.Duration // kept back from the budget of each move; zero: a twentieth, 15 to 30 ms
}

// A reserve covers the way of a move from a search to a referee on a busy machine.
const leastReserve, mostReserve = 15 * time.Millisecond, 30 * time.Millisecond

// longest is the most of Match and of Increment that Parse takes: sums stay far below Unlimited.
const longest = 10_000 * time.Hour

// Parse reads the time of a side for a game, and after a + the increment: 5m, 60s+1s. A number without a unit counts
// seconds.
func Parse(text string) (Control, error) {
	base, increment, both := strings.Cut(text, "+")
	c := Control{}
	var err error
	if c.Match, err = parseTime(base); err == nil && both {
		c.Increment, err = parseTime(increment)
	}
	if err != nil || c.Match <= 0 || c.Increment < 0 || max(c.Match, c.Increment) > longest {
		return Control{}, fmt.Errorf("%q is no clock: the time of a side, and after a + what it gets back for each move", text)
	}
	return c, nil
}

func parseTime(text string) (time.Duration, error) {
	text = strings.TrimSpace(text)
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		text += "s"
	}
	return time.ParseDuration(text)
}

// String returns the time of a side and its increment as Parse reads them: 1m0s+1s.
func (c Control) String() string {
	if c.Increment == 0 {
		return c.Match.String()
	}
	return c.Match.String() + "+" + c.Increment.String()
}

// Clock is the time of one side. Use New.
type Clock struct {
	control Control
	left    time.Duration // of the match; below zero the side is out of time
}

// New returns a clock that is full.
func New(c Control) *Clock {
	for _, limit := range []*time.Duration{&c.Turn, &c.Match} {
		if *limit == 0 {
			*limit = Unlimited
		}
	}
	return &Clock{control: c, left: c.Match}
}

// Control returns the time control, with Unlimited for limits that are not set.
func (c *Clock) Control() Control { return c.control }

// Left returns the time left for the match, or Unlimited.
func (c *Clock) Left() time.Duration { return c.left }

// Set makes left the time left for the match, as reported by a referee who measures it.
func (c *Clock) Set(left time.Duration) { c.left = left }

// Spend takes the time of a move from the clock and gives the increment. It returns false, and gives nothing, when
// the move took longer than Most and the margin. A move within the margin leaves no less than nothing.
func (c *Clock) Spend(took time.Duration) bool {
	late := took-c.Most() > c.control.Margin
	if c.left == Unlimited {
		return !late
	}
	if c.left -= took; late {
		return false
	}
	c.left = max(c.left, 0)
	c.left += min(max(c.control.Increment, 0), Unlimited-1-c.left)
	return true
}

// Most returns the longest the next move may take without a loss on time, or Unlimited.
func (c *Clock) Most() time.Duration { return max(min(c.control.Turn, c.left), 0) }

// The share of the remaining time for one move: a game may last for half of the free cells, half of its moves are the other
// side's, and early moves are the most important.
const (
	fewestMoves = 7
	mostMoves   = 25
)

// A move whose search finds no clear best move may take this multiple of the planned time, and this part of the
// remaining time.
const (
	stretch  = 4
	mostPart = 5
)

// Budget returns the time to plan for the next move of a game in which cells are still free, and the most that its search
// may take while no move is clearly best: at least plan, and more only where time can be saved for later moves. Both are
// at least Least, and Unlimited where nothing bounds the move.
func (c *Clock) Budget(cells int) (plan, most time.Duration) {
	whole := c.Most()
	if whole == Unlimited {
		return Unlimited, Unlimited
	}
	reserve := c.control.Reserve
	if reserve == 0 {
		reserve = max(leastReserve, min(whole/20, mostReserve))
	}
	limit := max(whole-min(reserve, whole/2), Least)
	if c.left == Unlimited {
		return limit, limit
	}
	left := max(c.left, 0)
	moves := time.Duration(min(max(cells/4, fewestMoves), mostMoves))
	share := left/moves + max(c.control.Increment, 0)/2
	plan = min(max(share, Least), limit)
	return plan, min(max(plan, min(stretch*share, left/mostPart)), limit)
}
