// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/krow-lab/krow/docs/measurements"
)

// table returns the rows of the first table below a heading of a page, each as its cells, with the head of the table first.
func table(t *testing.T, file, heading string) (rows [][]string) {
	data, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut("\n"+string(data), "\n"+heading+"\n")
	for l := range strings.SplitSeq(text, "\n") {
		if !strings.HasPrefix(l, "|") {
			if rows != nil {
				break
			}
			continue
		}
		cells := strings.Split(strings.Trim(l, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if !strings.HasPrefix(cells[0], "--") {
			rows = append(rows, cells)
		}
	}
	if !ok || len(rows) < 2 {
		t.Fatalf("%s has no table below %q", file, heading)
	}
	return rows
}

// TestReadmeRepeatsMeasurements: the tables of README hold the figures of the pages that they cite.
func TestReadmeRepeatsMeasurements(t *testing.T) {
	const readme, strength, solving = "README.md", "docs/measurements/strength.md", "docs/measurements/solve.md"
	tests := []struct{ heading, file, source string }{
		{"## How strong", strength, "## Against other programs"},
		{"## What is solved", solving, "# Solving, measured"},
	}
	for _, tc := range tests {
		got, want := table(t, readme, tc.heading), table(t, tc.file, tc.source)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("README has below %q\n%q\nbut %s has\n%q", tc.heading, got, tc.file, want)
		}
	}

	// Speeds: krow's figure and the other program's, with the unit of the README.
	fast := table(t, readme, "## How fast")
	row := func(rows [][]string, first string) []string {
		for _, r := range rows {
			if strings.HasPrefix(r[0], first) {
				return r
			}
		}
		t.Fatalf("no row begins with %q: %q", first, rows)
		return nil
	}
	rules, got := row(table(t, strength, "## Speed of the rules"), "gomoku"), row(fast, "rules of gomoku")
	if want := []string{rules[1] + " k", "OpenSpiel (C++): " + rules[2] + " k"}; !slices.Equal(got[1:], want) {
		t.Errorf("README has the speeds %q, want %q", got[1:], want)
	}
	solved := table(t, solving, "# Solving, measured")
	for _, board := range []string{"Connect Four 7x6", "five in a row on 8x8"} {
		short := strings.NewReplacer("seconds", "s", " of a core", "").Replace(row(solved, board)[2])
		if got := row(fast, board)[1]; !strings.HasSuffix(short, " "+got) {
			t.Errorf("README says that %s takes %s, but its proof is %q", board, got, short)
		}
	}
	published := row(table(t, solving, "## What others published"), "five in a row on 8x8")[2]
	if _, hours, ok := strings.Cut(row(fast, "five in a row")[2], ": "); !ok || !strings.HasSuffix(published, " "+hours) {
		t.Errorf("README compares with %s, but solve.md has %q", hours, published)
	}
}

// TestSolvedBoardsAreValues: the table of solved boards agrees with the list of values.
func TestSolvedBoardsAreValues(t *testing.T) {
	boards := map[string]string{
		"gomoku 15x15": "gomoku", "standard gomoku 15x15 (exactly five)": "standard", "gomoku 13x13": "gomoku:13",
		"five in a row on 8x8": "mnk:8,8,5", "Connect Four 7x6": "connect4",
	}
	values := map[string]measurements.Value{}
	for _, v := range measurements.Values() {
		values[v.Game] = v
	}
	for _, r := range table(t, "docs/measurements/solve.md", "# Solving, measured")[1:] {
		v, ok := values[boards[r[0]]]
		if !ok {
			t.Errorf("%s is not in the list of values", r[0])
			continue
		}
		if want := map[string]string{"win": "the first player wins", "draw": "draw"}[v.Value]; r[1] != want {
			t.Errorf("%s has the value %q, want %q", r[0], r[1], want)
		}
		nodes := strconv.FormatFloat(float64(v.Nodes)/1e9, 'f', 1, 64) + " G"
		if v.Nodes < 1e9 {
			nodes = strconv.FormatFloat(float64(v.Nodes)/1e6, 'f', 0, 64) + " M"
		}
		if v.Nodes < 1e8 {
			nodes = strconv.FormatFloat(float64(v.Nodes)/1e6, 'f', 1, 64) + " M"
		}
		if !strings.HasPrefix(r[2], nodes+" nodes") {
			t.Errorf("%s took %q, want %s nodes", r[0], r[2], nodes)
		}
		if size := strconv.FormatFloat(float64(v.Bytes)/1e6, 'f', 1, 64) + " MB"; r[3] != "" && r[3] != size {
			t.Errorf("the certificate of %s has %s, want %s", r[0], r[3], size)
		}
	}
}
