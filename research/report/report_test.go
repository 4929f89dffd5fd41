// SPDX-License-Identifier: Apache-2.0

package report

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// gallery has every kind of block, with what is hard to draw.
func gallery() *Document {
	points := func(n int, f func(x float64) float64) (s Series) {
		for k := range n {
			s.X, s.Y = append(s.X, float64(100*k)), append(s.Y, f(float64(k)))
		}
		return s
	}
	grows := points(200, func(x float64) float64 { return 1 - math.Exp(-x/20) })
	grows.Name = "grows"
	few := Series{"few | points", []float64{1, 2, 3}, []float64{-1e300, 1e300, 0}}
	return &Document{Title: "A *gallery* & <more>", Blocks: []Block{
		Text("Made by `krow study`, *not* tuned; see [the source](https://example.org/a?b=1&c=2).\n\n" +
			"1. No list, <b>no bold</b>, a|b, snake_case, [bad](javascript:alert(1))."),
		Code("krow experiment --seed 1\n```\n<pre>"),
		List{"one `code`", "- two"},
		Heading{2, "Agreement of `shevchenko`"},
		Grid{
			Caption: "Cells that agree.", Rows: []string{"4.1 k=3", "4.2"}, Columns: []string{"3x3", "a|b"},
			Cells: [][]Cell{{{"W", Agree}, {"L (D)", Differ}}, {{}, {"D", noTone}}}, Tones: [3]string{"", "", "not as *published*"},
		},
		Curves{Caption: "Curves.", X: "games", Y: "value", Series: []Series{grows, few, {Name: "empty"}, {Name: "one", X: []float64{3}, Y: []float64{7}}}},
		Intervals{Caption: "Elo.", Axis: "Elo", Items: []Interval{{"first", 12, -18, 42}, {"second player", -60, -90.4, -30}}},
		Table{Name: "cells", Caption: "All cells.", Columns: []string{"game", "nodes"}, Rows: [][]string{{"mnk:3,3,3", "12"}, {"a|b\n<c>", ""}}},
		Grid{},
		Curves{},
		Intervals{Axis: "share", Items: []Interval{{"a", 0.012, 0.0119, 0.0123}, {"b", 0, 0, 0}}},
		Table{Name: "hidden", Caption: "More.", Columns: []string{"a", "b"}, Rows: [][]string{{"1", "x"}, {"", "y"}}, HideInText: true},
	}}
}

func TestPlotsAreDrawnInCharacters(t *testing.T) {
	var got string
	for _, b := range gallery().Blocks[4:7] {
		r, err := b.render()
		if err != nil {
			t.Fatal(err)
		}
		got += r.markdown
	}
	const want = `Cells that agree.

|  | 3x3 | a\|b |
|:---|:---|:---|
| 4.1 k=3 | W | **L (D)** |
| 4.2 |  | D |

not compared: 1, agree: 1, **not as \*published\***: 1
Curves.

` + "```" + `
games 0 to 19900
▁▂▃▄▄▅▅▆▆▆▇▇▇▇▇▇████████████████████████████████████████████  grows: 0 to 1
▁█▅  few | points: -1e+300 to 1e+300
▁  one: 7 to 7
` + "```" + `
Elo.

` + "```" + `
Elo
                                ├───────┼─────●────────────┤  first: 12 [−18, 42]
├─────────────●────────────┤            │                     second player: −60 [−90, −30]
` + "```\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Twice the same document makes the same bytes.
func TestWriteTwice(t *testing.T) {
	one, two := filepath.Join(t.TempDir(), "a", "b"), t.TempDir()
	for _, dir := range []string{one, two, two} {
		if err := Write(dir, gallery()); err != nil {
			t.Fatal(err)
		}
	}
	files, err := os.ReadDir(one)
	if err != nil || len(files) != 4 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		a, errA := os.ReadFile(filepath.Join(one, f.Name()))
		b, errB := os.ReadFile(filepath.Join(two, f.Name()))
		if errA != nil || errB != nil || string(a) != string(b) || len(a) == 0 {
			t.Errorf("%s differs: %v, %v", f.Name(), errA, errB)
		}
	}
}

const wantReadme = "# A \\_b\\_\n" + `
One.

Two *of* ` + "`two`" + `.

## Cells

All.

| game | nodes \| time |
|:---|---:|
| a\|b | 12 |
| c "d", | – |

Rows in [hidden.csv](hidden.csv): 1.

The *Elo*

` + "```\nElo\n```\n"

func TestReadmeOfReport(t *testing.T) {
	dir := t.TempDir()
	cells := Table{Name: "cells", Caption: "All.", Columns: []string{"game", "nodes | time"}, Rows: [][]string{{"a|b", "12"}, {"c\n\"d\",", "–"}}}
	d := &Document{Title: "A _b_", Made: "2026-11-22", Blocks: []Block{
		Text("One.\n\n\nTwo *of* `two`."),
		Heading{2, "Cells"},
		cells,
		Table{Name: "hidden", Columns: []string{"x"}, Rows: [][]string{{"1"}}, HideInText: true},
		Intervals{Caption: "The *Elo*", Axis: "Elo"},
	}}
	if err := Write(dir, d); err != nil {
		t.Fatal(err)
	}
	var data Data
	if got, err := os.ReadFile(filepath.Join(dir, "report.json")); err != nil || json.Unmarshal(got, &data) != nil || data.Made != d.Made || len(data.Blocks) != 5 || data.Blocks[2].Table.Rows[0][0] != "a|b" {
		t.Errorf("report.json: %s, %v", got, err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "README.md")); err != nil || string(got) != wantReadme {
		t.Errorf("got %s, %v, want %s", got, err, wantReadme)
	}
	f, err := os.Open(filepath.Join(dir, "cells.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := csv.NewReader(f).ReadAll()
	if want := append([][]string{cells.Columns}, cells.Rows...); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

func TestNumeric(t *testing.T) {
	tests := []struct {
		cells []string
		want  bool
	}{
		{[]string{"1", "", "–"}, true},
		{[]string{"+12.5 ± 3", "[−3, 5]", "1e+09", "50 %", "3/4"}, true},
		{[]string{"", "-"}, false},
		{nil, false},
		{[]string{"1", "k=2"}, false},
	}
	for _, tc := range tests {
		table := Table{Columns: []string{"x"}}
		for _, cell := range tc.cells {
			table.Rows = append(table.Rows, []string{cell})
		}
		if got := table.numeric()[0]; got != tc.want {
			t.Errorf("%q: %v, want %v", tc.cells, got, tc.want)
		}
	}
}

func TestBadReportsAreRefused(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	one := []float64{1}
	tests := []struct {
		blocks []Block
		want   string
	}{
		{[]Block{nil}, "block 1 is nil"},
		{[]Block{Text(""), Heading{1, "a"}}, `block 2: heading "a": level 1, want 2 to 4`},
		{[]Block{Table{Name: "a"}}, `block 1: table "a" has no columns`},
		{[]Block{Table{Name: "../a", Columns: []string{"x"}}}, `block 1: table: name "../a": want only a-z, 0-9, - and _`},
		{[]Block{Table{Columns: []string{"x"}, Rows: [][]string{{"1", "2"}}}}, `block 1: table "": row 1 has 2 cells, want 1`},
		{[]Block{Table{Columns: []string{"x"}, Rows: [][]string{{"1"}}, HideInText: true}}, "block 1: a table that is not in the text needs a name for its file"},
		{[]Block{Table{Name: "a", Columns: []string{"x"}}, Table{Name: "a", Columns: []string{"x"}}}, "block 2: a.csv is already used"},
		{[]Block{Intervals{Caption: "a", Items: []Interval{{"b", nan, 0, 0}}}}, `block 1: intervals "a": b: NaN from 0 to 0 cannot be drawn`},
		{[]Block{Intervals{Caption: "a", Items: []Interval{{"b", 0, 0, inf}}}}, `block 1: intervals "a": b: 0 from 0 to +Inf cannot be drawn`},
		{[]Block{Intervals{Caption: "a", Items: []Interval{{"b", 3, 0, 2}}}}, `block 1: intervals "a": b: 3 from 0 to 2 cannot be drawn`},
		{[]Block{Curves{Caption: "a", Series: []Series{{Name: "b", X: one, Y: []float64{nan}}}}}, `block 1: curves "a": b: NaN cannot be drawn`},
		{[]Block{Curves{Caption: "a", Series: []Series{{Name: "b", X: []float64{-inf}, Y: one}}}}, `block 1: curves "a": b: -Inf cannot be drawn`},
		{[]Block{Curves{Caption: "a", Series: []Series{{Name: "b", X: one}}}}, `block 1: curves "a": b: found 1 x values, but 0 y values`},
		{[]Block{Curves{Caption: "a", Series: []Series{{Name: "b", X: []float64{2, 1}, Y: []float64{2, 1}}}}}, `block 1: curves "a": b: x falls`},
		{[]Block{Grid{Caption: "a", Rows: []string{"r"}}}, `block 1: grid "a": 0 rows of cells, want 1`},
		{[]Block{Grid{Caption: "a", Rows: []string{"r"}, Cells: [][]Cell{{{}}}}}, `block 1: grid "a": row r has 1 cells, want 0`},
		{[]Block{Grid{Caption: "a", Rows: []string{"r"}, Columns: []string{"c"}, Cells: [][]Cell{{{"x", 3}}}}}, `block 1: grid "a": row r: unknown tone 3`},
	}
	for _, tc := range tests {
		dir := filepath.Join(t.TempDir(), "none")
		err := Write(dir, &Document{Title: "t", Blocks: tc.blocks})
		if want := `report "t": ` + tc.want; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s: something was written", tc.want)
		}
	}
}
