// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/krow-lab/krow/search"
)

// TestClockGivesUnclearMovesMoreTime: a move that stays best, with a steady score and most nodes below it, gets less time than
// planned; a move that has just become best, or whose score falls, gets more.
func TestClockGivesUnclearMovesMoreTime(t *testing.T) {
	type seen struct {
		best  uint16
		score int32
	}
	tests := []struct {
		name        string
		iterations  []seen
		share       float64
		least, most float64
	}{
		{"settled", []seen{{7, 20}, {7, 22}, {7, 21}, {7, 23}, {7, 22}}, 0.95, 0.3, 0.5},
		{"settled, but the nodes are elsewhere", []seen{{7, 20}, {7, 22}, {7, 21}, {7, 23}, {7, 22}}, 0.3, 0.7, 0.95},
		{"just changed", []seen{{7, 20}, {7, 22}, {7, 21}, {8, 23}}, 0.5, 1.5, 2.1},
		{"changed long ago", []seen{{8, 20}, {7, 22}, {7, 21}, {7, 23}, {7, 22}, {7, 22}}, 0.9, 0.4, 0.6},
		{"changes again and again", []seen{{7, 20}, {8, 22}, {7, 21}, {8, 23}, {7, 22}}, 0.4, 2.5, 3.5},
		{"gets worse", []seen{{7, 90}, {7, 80}, {7, 60}, {7, -60}}, 0.9, 0.7, 1},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			var d instability
			for _, i := range tc.iterations {
				d.after(i.best, i.score)
			}
			if got := d.worth(tc.share); got < tc.least || got > tc.most {
				t.Errorf("worth(%v) = %v, want %v to %v", tc.share, got, tc.least, tc.most)
			}
		})
	}
}

// Whatever the results of the iterations, a search ends by Most, and by Time if no time can be saved.
func TestClockWithinLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan := time.Duration(rapid.Int64Range(int64(time.Millisecond), int64(time.Minute)).Draw(t, "time"))
		lim := search.Limits{Time: plan, Most: time.Duration(rapid.Int64Range(0, 8*int64(plan)).Draw(t, "most"))}
		longest := max(lim.Time, lim.Most)
		var c clock
		c.start(time.Now(), lim)
		for range 20 {
			if at := c.deadline.Sub(c.begun); at > longest || at < min(plan/4, longest/2) {
				t.Fatalf("the search ends after %v of %+v", at, lim)
			}
			c.enough(rapid.Uint16Range(1, 3).Draw(t, "best"), rapid.Int32Range(-mate, mate).Draw(t, "score"),
				rapid.Float64Range(0, 1).Draw(t, "share"), false)
			if rapid.IntRange(0, 5).Draw(t, "alarm") == 0 {
				c.extend()
			}
		}
	})
}

// TestTimeOfMove searches positions for which the time of a search is known, even on a busy machine.
func TestTimeOfMove(t *testing.T) {
	g := testGames(t)[0]
	const forced, open = "h8 g8 i8 a3 j8 a5 k8", "h8 i9"
	tests := []struct {
		name, moves string
		lim         search.Limits
		least, most time.Duration
	}{
		{"one move, a clock", forced, search.Limits{Time: 10 * time.Second, Most: 40 * time.Second}, 0, 5 * time.Second},
		{"one move, a time", forced, search.Limits{Time: 10 * time.Second}, 0, 5 * time.Second},
		{"a win, a time", "h8 a1 i8 a3 j8 a5", search.Limits{Time: time.Minute}, 0, 5 * time.Second},
		{"many moves, a time", open, search.Limits{Time: 200 * time.Millisecond}, 100 * time.Millisecond, time.Minute},
		{"many moves, a clock", open, search.Limits{Time: 200 * time.Millisecond, Most: 400 * time.Millisecond}, 40 * time.Millisecond, time.Minute},
		{"lines use their time", open, search.Limits{Time: 200 * time.Millisecond, Most: time.Hour, Lines: 2}, 100 * time.Millisecond, time.Minute},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			s, err := New(g, Options{Hash: 1 << 20})
			if err != nil {
				t.Fatal(err)
			}
			begun := time.Now()
			if _, err := s.Search(t.Context(), played(t, g, tc.moves), tc.lim, nil); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(begun); took < tc.least || took > tc.most {
				t.Errorf("%+v: took %v, want %v to %v", tc.lim, took, tc.least, tc.most)
			}
		})
	}
}

// TestNodesAlone: a search within nodes is the same whether time could be saved or not.
func TestNodesAlone(t *testing.T) {
	g := testGames(t)[0]
	for _, moves := range benchPositions {
		var all [2]search.Info
		for i, lim := range []search.Limits{{Nodes: 5000}, {Nodes: 5000, Most: time.Hour}} {
			s, err := New(g, Options{Hash: 1 << 20})
			if err != nil {
				t.Fatal(err)
			}
			if all[i], err = s.Search(t.Context(), played(t, g, moves), lim, nil); err != nil {
				t.Fatal(err)
			}
			all[i].Time = 0
		}
		if !reflect.DeepEqual(all[0], all[1]) {
			t.Errorf("%s: %+v, and %+v with Most", moves, all[0], all[1])
		}
	}
}
