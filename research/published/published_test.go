// SPDX-License-Identifier: Apache-2.0

package published

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// byTable returns the cells by table.
func byTable() map[string][]Cell {
	m := map[string][]Cell{}
	for _, c := range Cells() {
		m[c.Table] = append(m[c.Table], c)
	}
	return m
}

// TestCells holds the data to the plan of the experiment: which tables there are, who meets whom, and that
// each has all sizes from k to 11.
func TestCells(t *testing.T) {
	if n := len(Cells()); n != 240 {
		t.Errorf("%d cells, want 240", n)
	}
	groups := []struct {
		family, opponent string
		paper            int // the paper's first table, 0 for none
	}{{"gomoku", Brute, 0}, {"gomoku", Shevchenko, 1}, {"tictactoe", Brute, 0}, {"tictactoe", Chua, 7}, {"connect4", Brute, 0}}
	tables := byTable()
	for i := range 30 {
		group, in := groups[i/6], i%6
		for j, c := range tables[fmt.Sprintf("4.%d", i+1)] {
			want := Cell{
				Table: fmt.Sprintf("4.%d", i+1), Family: group.family, Player: Improved, Opponent: group.opponent,
				K: 3 + in/2, Size: 3 + in/2 + j, MovesFirst: in%2 == 0,
			}
			if group.paper > 0 {
				want.PaperTable = fmt.Sprint(group.paper + in)
			}
			if want.Game = fmt.Sprintf("mnk:%d,%d,%d", want.Size, want.Size, want.K); group.family == "connect4" {
				want.Game = fmt.Sprintf("connect4:%dx%d", want.Size, want.Size)
				if want.K != 4 {
					want.Game += fmt.Sprintf(",k=%d", want.K)
				}
			}
			if d := cmp.Diff(want, c, cmpopts.IgnoreFields(Cell{}, "Published", "Note")); d != "" {
				t.Errorf("cell %d of 4.%d (-want +got):\n%s", j, i+1, d)
			}
			if !slices.Contains([]Verdict{Win, Draw, Loss}, c.Published) {
				t.Errorf("4.%d, size %d: %q was published", i+1, c.Size, c.Published)
			}
		}
		if n, want := len(tables[fmt.Sprintf("4.%d", i+1)]), 12-(3+in/2); n != want {
			t.Errorf("4.%d has %d cells, want %d", i+1, n, want)
		}
	}
}

// TestSameTables checks that 4.13 to 4.18 are 4.1 to 4.6, as the thesis says: in what was published, and in the
// game that we play for them.
func TestSameTables(t *testing.T) {
	tables := byTable()
	for i := 1; i <= 6; i++ {
		a, b := tables[fmt.Sprintf("4.%d", i)], tables[fmt.Sprintf("4.%d", i+12)]
		if d := cmp.Diff(a, b, cmpopts.IgnoreFields(Cell{}, "Table", "Family", "Note")); d != "" {
			t.Errorf("4.%d and 4.%d differ:\n%s", i, i+12, d)
		}
	}
}

// TestCellsOwn checks that a caller's changes stay its own.
func TestCellsOwn(t *testing.T) {
	Cells()[0].Published = "nonsense"
	if got := Cells()[0].Published; got != Draw {
		t.Errorf("4.1, size 3: %s, want draw", got)
	}
}
