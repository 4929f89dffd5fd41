// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"time"

	"github.com/krow-lab/krow/search"
)

// clock ends a search in time. If the clock is read at long intervals, as on a busy machine, the search ends earlier by twice the
// longest interval: one interval may pass until the next reading, and one until the answer has arrived.
//
// If time can be saved for later moves (search.Limits.Most), the clock judges after each iteration how clear the best
// move is:
//
//	0          wanted             Time                                   Most
//	├─────────────┼────────────────┼───────────────────────────────────────┤
//	              └ no further iteration begins        whatever happens ┘
type clock struct {
	begun, deadline, last time.Time
	gap                   time.Duration // the greatest between two looks; half as much counts in the next search
	slack                 time.Duration // by which it ends earlier at most
	plan, most            time.Duration // most is 0 where no time can be saved
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

// enough reports after an iteration whether the search should end: the best move is clear enough and time can be saved,
// or it is the only move. share is the part of the search's nodes below the best move.
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

// extend lets the search take as long as allowed: the best move has just turned out to be worse than it seemed.
func (c *clock) extend() {
	if c.most > 0 {
		c.end(c.most)
	}
}

// instability is how unclear the best move is, by how it came about.
type instability struct {
	best    uint16
	score   int32   // after this iteration
	mean    float64 // of the scores, later ones weighing more
	changes float64 // of the best move, halved by each iteration
	depth   int     // iterations so far
}

// The numbers by which instability becomes time.
const (
	onlyPart            = 20   // this part of the plan suffices where there is one move
	cutAfter            = 2    // an iteration that takes longer than this multiple of the wanted time is cut short
	calm                = 0.65 // of the plan, for a move that stayed best
	changeWorth         = 1.1  // more, for a change of the best move in the iteration
	drop                = 75   // hundredths of a unit below the mean of the scores for as much again
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

// worth returns the part of the planned time that the move should get.
func (d *instability) worth(share float64) float64 {
	fall := min(max(1+(d.mean-float64(d.score))/drop, leastFall), mostFall)
	return (calm + changeWorth*d.changes) * fall * (1.6 - share)
}
