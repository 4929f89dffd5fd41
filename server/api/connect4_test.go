// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/krow-lab/krow/app/analysis"
)

// TestEndless: an analysis without a time goes on until its client leaves.
func TestEndless(t *testing.T) {
	s := newSite(t)
	s.stream("/api/analysis?game=gomoku:9&moves=e5+e6&seconds=0&lines=2", func(e event) bool {
		if e.name == "done" {
			t.Errorf("it ended: %s", e.data)
		}
		return e.name == "lines"
	})
	s.metric("krow_analyses_running", "0")
}

// TestColumnsOfConnectFour: what the page asks about a position of the public sets is exact, for all columns at once. With KROW_LONG it
// asks about all of them, and tells how long the first exact answer takes: docs/measurements/solve.md.
func TestColumnsOfConnectFour(t *testing.T) {
	for name, every := range map[string]int{"end-easy": 50, "middle-easy": 200, "begin-easy": 500} {
		t.Run(name, func(t *testing.T) {
			f, err := os.Open("../../engine/connect4/testdata/" + name + ".txt")
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if os.Getenv("KROW_LONG") != "" {
				every = 1
			}
			s := newSite(t)
			var waits, columns []time.Duration
			var nodes []uint64
			in := bufio.NewScanner(f)
			for n := 0; in.Scan(); n++ {
				if n%every > 0 {
					continue
				}
				var moves string
				var score int
				if _, err := fmt.Sscan(in.Text(), &moves, &score); err != nil {
					t.Fatal(err)
				}
				value, all, n := s.columns(t, moves, score)
				nodes = append(nodes, n)
				waits, columns = append(waits, value), append(columns, all)
			}
			slices.Sort(nodes)
			t.Logf("nodes for the value: %d k at the middle, %d k for 95 %%, %d k at most", nodes[len(nodes)/2]/1000, nodes[len(nodes)*95/100]/1000, nodes[len(nodes)-1]/1000)
			for what, waits := range map[string][]time.Duration{"the value": waits, "all columns": columns} {
				slices.Sort(waits)
				at := func(share float64) time.Duration {
					return waits[int(share*float64(len(waits)-1))].Round(time.Millisecond)
				}
				t.Logf("%d positions, %s exact after %v at the middle, %v for 95 %%, %v for 99 %%, %v at most", len(waits), what, at(.5), at(.95), at(.99), at(1))
			}
		})
	}
}

// columns asks about all columns of a position of that score, and returns how long it took until the best was exact, and
// until all were, however long that is.
func (s *site) columns(t *testing.T, moves string, score int) (value, all time.Duration, nodes uint64) {
	t.Helper()
	start, left, legal := time.Now(), 42-len(moves), 0
	for _, column := range "1234567" {
		if strings.Count(moves, string(column)) < 6 {
			legal++
		}
	}
	var best analysis.Info
	s.stream("/api/analysis?game=connect4&lines=7&seconds=0&moves="+url.QueryEscape(moves), func(e event) bool {
		var l analysis.Lines
		if e.name != "lines" {
			return e.name == "done"
		}
		if err := json.Unmarshal(e.data, &l); err != nil {
			t.Fatal(err)
		}
		exact := func(i analysis.Info) bool { return i.Solved && i.Bound == "" }
		if exact(l.Lines[0]) && value == 0 {
			value, nodes = time.Since(start), l.Lines[0].Nodes
		}
		if len(l.Lines) < legal || slices.ContainsFunc(l.Lines, func(i analysis.Info) bool { return !exact(i) }) {
			return false
		}
		best, all = l.Lines[0], time.Since(start)
		return true
	})
	got := 0
	switch {
	case best.WinIn != nil:
		got = (left+1)/2 - (*best.WinIn-1)/2
	case best.LossIn != nil:
		got = *best.LossIn/2 - left/2 - 1
	}
	if !best.Solved || got != score {
		t.Errorf("%s is worth %+d, and the page is told %+d: %+v", moves, score, got, best.Answer)
	}
	return value, all, nodes
}
