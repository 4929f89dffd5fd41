// SPDX-License-Identifier: Apache-2.0

package clock_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/krow-lab/krow/game/clock"
)

const ms = time.Millisecond

func TestBudget(t *testing.T) {
	tests := []struct {
		name    string
		control clock.Control
		left    time.Duration
		cells   int
		plan    time.Duration
		most    time.Duration
	}{
		{"a turn alone", clock.Control{Turn: time.Second, Match: clock.Unlimited}, clock.Unlimited, 225, 970 * ms, 970 * ms},
		{"half of a short turn", clock.Control{Turn: 20 * ms, Match: clock.Unlimited}, clock.Unlimited, 225, 10 * ms, 10 * ms},
		{"a turn of 0.1 s", clock.Control{Turn: 100 * ms, Match: clock.Unlimited}, clock.Unlimited, 225, 85 * ms, 85 * ms},
		{"a turn of 0.4 s", clock.Control{Turn: 400 * ms, Match: clock.Unlimited}, clock.Unlimited, 225, 380 * ms, 380 * ms},
		{"a reserve of one's own", clock.Control{Turn: time.Second, Match: clock.Unlimited, Reserve: 100 * ms}, clock.Unlimited, 225, 900 * ms, 900 * ms},
		{"as fast as possible", clock.Control{Turn: 1, Match: clock.Unlimited}, clock.Unlimited, 225, clock.Least, clock.Least},
		{"no limit", clock.Control{Turn: clock.Unlimited, Match: clock.Unlimited}, clock.Unlimited, 225, clock.Unlimited, clock.Unlimited},
		{"nothing set", clock.Control{}, clock.Unlimited, 225, clock.Unlimited, clock.Unlimited},
		{"ample time", clock.Control{Turn: time.Second, Match: time.Hour}, time.Hour, 225, 970 * ms, 970 * ms},
		{"a share of the match", clock.Control{Turn: time.Minute, Match: 50 * time.Second}, 50 * time.Second, 225, 2 * time.Second, 8 * time.Second},
		{"a full board", clock.Control{Turn: time.Minute, Match: 7 * time.Second}, 7 * time.Second, 3, time.Second, 1400 * ms},
		{"half the increment", clock.Control{Turn: clock.Unlimited, Match: 25 * time.Second, Increment: 4 * time.Second}, 25 * time.Second, 225, 3 * time.Second, 5 * time.Second},
		{"out of time", clock.Control{Turn: time.Second, Match: time.Second}, -5 * ms, 225, clock.Least, clock.Least},
		{"nearly out of time", clock.Control{Turn: time.Second, Match: time.Second, Increment: time.Minute}, 50 * ms, 225, 35 * ms, 35 * ms},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			c := clock.New(tc.control)
			c.Set(tc.left)
			if plan, most := c.Budget(tc.cells); plan != tc.plan || most != tc.most {
				t.Errorf("Budget(%d) with %v left of %+v = %v, %v, want %v, %v", tc.cells, tc.left, tc.control, plan, most, tc.plan, tc.most)
			}
		})
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]clock.Control{
		"5m":          {Match: 5 * time.Minute},
		"60s+1s":      {Match: time.Minute, Increment: time.Second},
		"10+0.1":      {Match: 10 * time.Second, Increment: 100 * ms},
		" 1h + 30s ":  {Match: time.Hour, Increment: 30 * time.Second},
		"1m0s+500ms":  {Match: time.Minute, Increment: 500 * ms},
		"9999h+9999h": {Match: 9999 * time.Hour, Increment: 9999 * time.Hour},
	} {
		got, err := clock.Parse(text)
		if err != nil || got != want {
			t.Errorf("Parse(%q) = %+v, %v, want %+v", text, got, err, want)
		}
		if again, err := clock.Parse(got.String()); err != nil || again != want {
			t.Errorf("Parse(%q) = %+v, %v, want %+v", got, again, err, want)
		}
	}
	for _, text := range []string{"", "+", "5x", "0", "0s+1s", "-5s", "5s+", "5s+-1s", "1m+1s+1s", "NaN", "Inf", "1e300", "20000h", "1s+20000h"} {
		if got, err := clock.Parse(text); err == nil || got != (clock.Control{}) {
			t.Errorf("Parse(%q) = %+v, %v, want an error", text, got, err)
		}
	}
}

func TestSpend(t *testing.T) {
	c := clock.New(clock.Control{Turn: time.Second, Match: 2 * time.Second, Increment: 100 * ms})
	for i, step := range []struct {
		took time.Duration
		ok   bool
		left time.Duration
	}{
		{900 * ms, true, 1200 * ms},
		{time.Second, true, 300 * ms},
		{300 * ms, true, 100 * ms},
		{101 * ms, false, -ms},
	} {
		if ok := c.Spend(step.took); ok != step.ok || c.Left() != step.left {
			t.Errorf("step %d: Spend(%v) = %v, %v left, want %v, %v", i, step.took, ok, c.Left(), step.ok, step.left)
		}
	}
	c = clock.New(clock.Control{Turn: time.Second, Match: clock.Unlimited, Increment: time.Second})
	if c.Spend(1001*ms) || !c.Spend(time.Second) || c.Left() != clock.Unlimited {
		t.Error("a turn longer than its limit is not lost, or one within it is")
	}
	c = clock.New(clock.Control{Match: 2 * time.Second, Margin: 50 * ms, Increment: 100 * ms})
	if !c.Spend(2050*ms) || c.Left() != 100*ms {
		t.Errorf("late by the margin, %v are left, want the increment", c.Left())
	}
	if c.Spend(151*ms) || c.Left() != -51*ms {
		t.Errorf("late by more than the margin, %v are left, want a loss by 51ms", c.Left())
	}
}

// Whoever thinks no longer than the most of the budget and loses no more than the reserve on the way never loses on time,
// down to the last cell, as long as a move has twice the least that there is.
func TestNeverOutOfTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string, least, most time.Duration) time.Duration {
			return time.Duration(rapid.Int64Range(int64(least), int64(most)).Draw(t, name))
		}
		ctl := clock.Control{
			Turn: draw("turn", 2*ms, time.Minute), Match: draw("match", 10*ms, time.Hour), Increment: draw("increment", 0, 10*time.Second),
		}
		c := clock.New(ctl)
		for cells := 400; cells > 0; cells -= 2 {
			whole := c.Most()
			if whole < 2*clock.Least {
				return // nothing can be done in so little time, and nothing was wasted to get here
			}
			plan, most := c.Budget(cells)
			if plan < clock.Least || most < plan || most > whole || most > max(plan, 4*plan, whole/5) {
				t.Fatalf("%d cells: Budget = %v, %v of %v", cells, plan, most, whole)
			}
			lag := min(15*time.Millisecond, whole/2)
			if took := draw("took", 0, most); !c.Spend(took + draw("lag", 0, lag)) {
				t.Fatalf("%d cells: lost on time after %v of a budget of %v, %v of %v", cells, took, plan, most, whole)
			}
		}
	})
}
