// SPDX-License-Identifier: Apache-2.0

package published

import (
	"bytes"
	"encoding/csv"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// rows returns rows of three tables, as if the player had won wherever its opponent is a rival, and lost
// elsewhere.
func rows(t *testing.T) []Row {
	var out []Row
	for _, table := range []string{"4.1", "4.8", "4.30"} {
		for _, size := range []int{6, 7} {
			r := Row{Cell: find(t, table, size), Result: Result{
				Verdict: Loss, Moves: []string{"a1", "b1", "a2"},
				Player:   Effort{Moves: 1, Nodes: 100},
				Opponent: Effort{Moves: 2, Nodes: 150},
			}}
			if r.Cell.Opponent == Shevchenko {
				r.Result.Verdict = Win
			} else {
				r.Explanation = &Explanation{Ply: 2, Learned: "b1", Fixed: "c1", Changed: []string{"own open 1", "enemy open 1"}, Deciders: []string{"own open 1"}, Makers: []string{"enemy open 1"}}
			}
			out = append(out, r)
		}
	}
	return out
}

func TestAgree(t *testing.T) {
	tables, all := Agree(rows(t))
	want := []Agreement{
		{"4.1", 0, 2, Tally{Loss: 2}, Tally{Win: 2}},
		{"4.8", 1, 2, Tally{Win: 2}, Tally{Win: 1, Loss: 1}},
		{"4.30", 1, 2, Tally{Loss: 2}, Tally{Draw: 1, Loss: 1}},
		{"", 2, 6, Tally{Win: 2, Loss: 4}, Tally{Win: 3, Draw: 1, Loss: 2}},
	}
	if d := cmp.Diff(want, append(tables, all)); d != "" {
		t.Errorf("agreement (-want +got):\n%s", d)
	}
}

// TestTable compares the table with what is kept in testdata; -update rewrites that.
func TestTable(t *testing.T) {
	table := Table(rows(t))
	var got bytes.Buffer
	w := csv.NewWriter(&got)
	if err := w.WriteAll(append([][]string{table.Columns}, table.Rows...)); err != nil {
		t.Fatal(err)
	}
	if len(table.Rows) != 6 || table.Rows[0][0] != "4.1" {
		t.Errorf("%d rows, want 6, and the first cell of 4.1 before the others", len(table.Rows))
	}
	const file = "testdata/cells.csv"
	if *update {
		if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got.String()); d != "" {
		t.Errorf("%s (-want +got):\n%s", file, d)
	}
}
