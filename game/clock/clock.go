// SPDX-License-Identifier: Apache-2.0

// Package clock implements the clock of one side of a game. It counts the remaining time, and plans the time for the next move.
//
// # Basics
//
//	control, err := clock.Parse("60s+1s") // a minute for the game, plus a second after each move
//	c := clock.New(control)
//	plan, most := c.Budget(cells) // the time to plan for the next move, and the maximum if no move is clearly best
//	inTime := c.Spend(took)       // false: the side has lost on time
//
// # Limits
//
// Turn and Match limit a move, and the smaller of the two limits counts; Increment adds to the time for the match:
//
//	Turn       |-----------|                     for each move, even if more is left of the match
//	Match      |--------------------------...--| for all moves of the side together
//	Increment                        |--|        added to the match time after each move
//
// # Caveats
//
// This package does not read the system clock: the caller measures the time of a move. A budget is the time that a search
// may plan to use. It does not include Reserve, the time from the end of the search until the referee receives the move. The
// referee's clock runs during this time.
package clock

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Unlimited means that there is no limit.
const Unlimited = time.Duration(math.MaxInt64)

// Least is the smallest budget of a move: with less time no search could answer in time.
const Least = time.Millisecond

// Control is a time control. A zero Turn or Match means no limit.
type Control struct {
	Turn      time.Duration // maximum time for a move
	Match     time.Duration // maximum time for all moves of a side together
	Increment time.Duration // added to the time of a side after each of its moves, if Match is set
	Margin    time.Duration // a move may exceed the limits by this time without a time loss
	Reserve   time.Duration // subtracted from each budget; 0 means a twentieth of the move's time, at least 15 and at most 30 ms
}

// leastReserve and mostReserve are the bounds of the default reserve. The reserve covers the time that a move needs to get from
// the search to the referee on a busy machine.
const leastReserve, mostReserve = 15 * time.Millisecond, 30 * time.Millisecond

// longest is the maximum of Match and of Increment that Parse accepts, so that no sum of times overflows or reaches Unlimited.
const longest = 10_000 * time.Hour

// Parse reads a time control: the time of a side for the game, optionally followed by + and an increment, as in 5m or 60s+1s. A
// number without a unit is in seconds.
func Parse(text string) (Control, error) {
	base, increment, both := strings.Cut(text, "+")
	c := Control{}
	var err error
	if c.Match, err = parseTime(base); err == nil && both {
		c.Increment, err = parseTime(increment)
	}
	if err != nil || c.Match <= 0 || c.Increment < 0 || max(c.Match, c.Increment) > longest {
		return Control{}, fmt.Errorf("%q is not a clock: write the time of a side, and after a + the time that each move adds", text)
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

// String returns Match and Increment in the form that Parse reads, such as 1m0s+1s.
func (c Control) String() string {
	if c.Increment == 0 {
		return c.Match.String()
	}
	return c.Match.String() + "+" + c.Increment.String()
}

// Clock counts the time of one side. New makes a Clock.
type Clock struct {
	control Control
	left    time.Duration // remaining match time; negative after a time loss
}

// New returns a clock on which the whole time of c is left.
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

// Set sets the time left for the match to left, which a referee has measured.
func (c *Clock) Set(left time.Duration) { c.left = left }

// Spend subtracts the time of a move from the match time and adds the increment. If the move exceeded Most by more than the
// margin of the time control, Spend returns false and adds no increment. A smaller excess is no time loss: if the match time is
// exceeded, it becomes zero before the increment is added.
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

// Most returns the maximum time for the next move, without the margin, or Unlimited.
func (c *Clock) Most() time.Duration { return max(min(c.control.Turn, c.left), 0) }

// The remaining time is divided by an estimate of the number of moves that the side still has to make. The estimate is a
// quarter of the number of free cells, but at least fewestMoves and at most mostMoves: a game may fill half of the free cells,
// and the other side makes half of the moves.
const (
	fewestMoves = 7
	mostMoves   = 25
)

// If no move is clearly the best, a search may use more than the planned time: at most stretch times the planned time, and at
// most 1/mostPart of the remaining time.
const (
	stretch  = 4
	mostPart = 5
)

// Budget returns two times for the next move in a position with the given number of free cells. plan is the time that the
// search should use. most is the time that the search may use if no move is clearly best; it exceeds plan only if there is
// match time to distribute over the moves. Neither time is less than Least. Both times are Unlimited if the move has no limit.
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
