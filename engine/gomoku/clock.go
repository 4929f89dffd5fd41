// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"time"

	"github.com/krow-lab/krow/search"
)

// clock ends a search at the right time. The interval between two readings of the clock may be long, for example on a busy
// machine. Therefore the search ends earlier by twice the longest interval: one interval may pass before the next reading, and
// another before the caller receives the answer.
//
// If time can be saved for later moves (search.Limits.Most), the clock estimates after each iteration how much time the
// search needs: the clearer the best move, the less time. This estimate is the wanted time:
//
//	0          wanted             Time                                   Most
//	├─────────────┼────────────────┼───────────────────────────────────────┤
//	              └ no further iteration begins           the search ends ┘
type clock struct {
	begun, deadline, last time.Time
	// The longest time between two readings of the clock. At the start of the next search it is halved, so that the effect of one
	// long gap fades.
	gap         time.Duration
	slack       time.Duration // the maximum time by which a search ends before its deadline
	plan, most  time.Duration // the times Time and Most of the limits; most is 0 if no time can be saved
	instability instability
}

// start starts the clock for a search within lim.
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

// end sets the deadline to a moment shortly before the time d after the start of the search.
func (c *clock) end(d time.Duration) {
	c.deadline, c.slack = c.begun.Add(d-min(max(d/40, 2*time.Millisecond), d/2, 50*time.Millisecond)), d/3
}

// resume begins the next interval between two readings now: another search, with a clock of its own, has run since the last reading.
func (c *clock) resume() { c.last = time.Now() }

// out reports whether the search must end.
func (c *clock) out() bool {
	if c.deadline.IsZero() {
		return false
	}
	now := time.Now()
	c.gap, c.last = max(c.gap, now.Sub(c.last)), now
	return now.Add(min(2*c.gap, c.slack)).After(c.deadline)
}

// enough reports, after an iteration, whether the search should end. There are two reasons to end: the best move is clear enough
// and time can be saved, or there is only one move (the parameter only). share is the part of the visited nodes that are in the
// subtree of the best move.
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

// extend allows the search to use all its time. It is called if the best move turns out to be worse than expected.
func (c *clock) extend() {
	if c.most > 0 {
		c.end(c.most)
	}
}

// instability measures how unclear the best move is, from the best moves and scores of all iterations.
type instability struct {
	best    uint16
	score   int32   // score of the last iteration
	mean    float64 // weighted mean of the scores of all iterations; later scores have more weight
	changes float64 // weighted number of changes of the best move: each iteration halves the number, a change adds 1
	depth   int     // number of completed iterations
}

// The methods enough and worth convert the instability of the best move to time with these constants.
const (
	onlyPart    = 20   // if there is only one move, 1/onlyPart of the planned time is enough
	cutAfter    = 2    // an iteration is stopped when the search has taken this many times the wanted time
	calm        = 0.65 // factor of the planned time if the best move has never changed
	changeWorth = 1.1  // added to the factor calm if the best move changed only in the last iteration
	// A falling score multiplies the time by 1 + fall/drop, where fall is the mean score of the iterations, with more weight on
	// the later ones, minus the score of the last iteration. drop and fall are in hundredths of a unit; 200 hundredths multiply
	// the odds of a win by e. leastFall and mostFall limit this factor.
	drop                = 75
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

// worth returns the factor by which the planned time is multiplied to get the wanted time.
func (d *instability) worth(share float64) float64 {
	fall := min(max(1+(d.mean-float64(d.score))/drop, leastFall), mostFall)
	return (calm + changeWorth*d.changes) * fall * (1.6 - share)
}
