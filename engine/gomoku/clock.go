// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"time"

	"github.com/krow-lab/krow/search"
)

// clock ends a search in time. If the clock is read at long intervals, as on a busy machine, the search ends earlier by twice the
// longest interval: one interval may pass before the next reading, and another before the caller receives the answer.
//
// If time can be saved for later moves (search.Limits.Most), the clock judges after each iteration how clear the best
// move is:
//
//	0          wanted             Time                                   Most
//	├─────────────┼────────────────┼───────────────────────────────────────┤
//	              └ no further iteration begins        whatever happens ┘
type clock struct {
	begun, deadline, last time.Time
	gap                   time.Duration // the longest time between two readings; the next search begins with half of it
	slack                 time.Duration // the greatest time by which the search ends before the deadline
	plan, most            time.Duration // Time and Most of the limits; most is 0 if no time can be saved
	instability           instability
}

// start begins a search within lim.
func (c *clock) start(now time.Time, lim search.Limits) {
	c.begun, c.last, c.gap, c.instability = now, now, c.gap/2, instability{}
	c.plan, c.most = lim.Time, 0
	if lim.Most > lim.Time && lim.Time > 0 && lim.Lines <= 1 {
		c.most = lim.Most
	}
	c.deadline = time.Time{}
	if lim.Time > 0 {
		c.end(max(c.plan, c.most))
	}
}

// end sets the deadline d after the start of the search, less a margin.
func (c *clock) end(d time.Duration) {
	c.deadline, c.slack = c.begun.Add(d-min(max(d/40, 2*time.Millisecond), d/2, 50*time.Millisecond)), d/3
}

// out reports whether the search must end.
func (c *clock) out() bool {
	if c.deadline.IsZero() {
		return false
	}
	now := time.Now()
	c.gap, c.last = max(c.gap, now.Sub(c.last)), now
	return now.Add(min(2*c.gap, c.slack)).After(c.deadline)
}

// enough reports after an iteration whether the search should end: the best move is clear enough and time can be saved, or it is
// the only move (only). share is the share of the search's nodes that lie below the best move.
func (c *clock) enough(best uint16, score int32, share float64, only bool) bool {
	if c.plan == 0 || c.most == 0 && !only {
		return false
	}
	c.instability.after(best, score)
	wanted := c.plan / onlyPart
	if !only {
		wanted = time.Duration(float64(c.plan) * c.instability.worth(share))
		c.end(min(c.most, max(cutAfter*wanted, c.plan/2)))
	}
	return time.Since(c.begun) >= min(wanted, max(c.plan, c.most))
}

// extend lets the search use all the time allowed. It is called when the best move turns out to be worse than it seemed.
func (c *clock) extend() {
	if c.most > 0 {
		c.end(c.most)
	}
}

// instability measures how unclear the best move is, from the best moves and scores of the iterations.
type instability struct {
	best    uint16
	score   int32   // after this iteration
	mean    float64 // of the scores; later scores have more weight
	changes float64 // of the best move; each iteration halves the count
	depth   int     // iterations so far
}

// The constants by which worth turns instability into time.
const (
	onlyPart            = 20   // with a single move, 1/onlyPart of the plan suffices
	cutAfter            = 2    // an iteration that takes longer than this multiple of the wanted time is cut short
	calm                = 0.65 // share of the plan for a move that stayed best
	changeWorth         = 1.1  // added to calm for a change of the best move in the last iteration
	drop                = 75   // a score so far below the mean of the scores, in hundredths of a unit, doubles the time
	leastFall, mostFall = 0.8, 1.8
)

func (d *instability) after(best uint16, score int32) {
	d.changes /= 2
	if d.depth > 0 && best != d.best {
		d.changes++
	}
	if d.depth == 0 {
		d.mean = float64(score)
	}
	d.mean += (float64(score) - d.mean) / 2
	d.best, d.score = best, score
	d.depth++
}

// worth returns the factor by which the search should shorten or extend the planned time.
func (d *instability) worth(share float64) float64 {
	fall := min(max(1+(d.mean-float64(d.score))/drop, leastFall), mostFall)
	return (calm + changeWorth*d.changes) * fall * (1.6 - share)
}
