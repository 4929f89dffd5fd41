// SPDX-License-Identifier: Apache-2.0

package report

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// gallery has every kind of block, with what is hard to draw.
func gallery() *Document {
	rng := rand.New(rand.NewPCG(1, 2))
	d := &Document{Title: "A *gallery* & <more>", Blocks: []Block{
		Text("Made by `krow study`, *not* tuned; see [the source](https://example.org/a?b=1&c=2).\n\n" +
			"1. No list, <b>no bold</b>, a|b, snake_case, [bad](javascript:alert(1))."),
		Code("krow experiment --seed 1\n```\n<pre>"),
		List{"one `code`", "- two"},
		Heading{2, "Agreement of `shevchenko`"},
	}}
	g := Grid{Name: "agreement", Caption: "Cells that agree with the *published* ones."}
	for j := range 9 {
		g.Columns = append(g.Columns, fmt.Sprintf("%dx%d", j+3, j+3))
	}
	for i := range 30 {
		g.Rows = append(g.Rows, fmt.Sprintf("4.%d %s first, k=%d", i+1, []string{"Shevchenko", "Chua Hock Chuan"}[i%2], i%3+3))
		row := make([]Cell, 9)
		for j := range row {
			if j >= i%3 {
				row[j] = Cell{[]string{"W", "L", "D"}[rng.IntN(3)], []Tone{Agree, Agree, Agree, Differ, NoTone}[rng.IntN(5)]}
			}
		}
		g.Cells = append(g.Cells, row)
	}
	tilted := Grid{Name: "tilted", Rows: []string{"one"}, Columns: []string{"alphabeta:depth=4", "mcts:playouts=10000,prior=eval", "random"}, Cells: [][]Cell{{{"12", Agree}, {"7/12", Differ}, {"", NoTone}}}}
	apart := Curves{Name: "parameters", Caption: "Six parameters while learning.", X: "games", Y: "value", Apart: true}
	for i := range 6 {
		s := Series{Name: fmt.Sprintf("parameter %d", i+1)}
		size := math.Pow(10, float64(2*i-4))
		for k := range 100 {
			s.X = append(s.X, float64(100*k))
			y := size * (1 - math.Exp(-float64(k)/20) + 0.1*rng.NormFloat64())
			s.Y = append(s.Y, y)
		}
		apart.Series = append(apart.Series, s)
	}
	together := Curves{Name: "together", Caption: "Score against random.", X: "episodes", Y: "score per game"}
	for i := range 9 {
		s := Series{Name: fmt.Sprintf("qlearning:alpha=0.%d,lambda=0.8", i)}
		for k := range 100 {
			s.X = append(s.X, float64(k*20000))
			s.Y = append(s.Y, 0.5+0.03*float64(i%5)*(1-math.Exp(-float64(k)/15))+0.004*rng.NormFloat64())
		}
		together.Series = append(together.Series, s)
	}
	raw := Curves{Name: "raw", Caption: "The same six on one axis.", X: "games", Y: "value", Series: apart.Series}
	elo := Intervals{Name: "elo", Caption: "Elo of sixteen players, with 95 % intervals.", Axis: "Elo against the mean"}
	for i := range 16 {
		v := 400 - 52*float64(i) + 10*rng.NormFloat64()
		elo.Items = append(elo.Items, Interval{fmt.Sprintf("alphabeta:depth=%d,eval=shevchenko,order=history+killer,tt=%d", i, 1<<i), v, v - 30 - 3*float64(i), v + 30 + 3*float64(i)})
	}
	t := Table{Name: "cells", Caption: "All cells.", Columns: []string{"game", "nodes", "score", "note"}}
	for i := range 60 {
		t.Rows = append(t.Rows, []string{fmt.Sprintf("mnk:%d,%d,5", i, i), fmt.Sprint(i * i * 1000), fmt.Sprintf("+%d.5 ± 3", i), "a|b\n<c>"})
	}
	d.Blocks = append(d.Blocks, g, tilted, Heading{2, "Curves"}, apart, together, raw,
		Curves{Name: "few", X: "games", Y: "Elo", Series: []Series{{Name: "five points", X: []float64{1, 2, 3, 4, 5}, Y: []float64{-1e6, 2e6, 3, 4e6, 5e6}}}},
		Heading{2, "Intervals"}, elo, Heading{3, "Table"}, t, Heading{2, "Degenerate"},
		Grid{Name: "grid-none"}, Curves{Name: "curves-none", X: "x", Y: "y"}, Intervals{Name: "intervals-none", Axis: "Elo"},
		Curves{Name: "curves-empty", X: "x", Y: "y", Apart: true, Series: []Series{{Name: "empty"}, {Name: "one", X: []float64{3}, Y: []float64{7}}}},
		Curves{Name: "curves-equal", X: "x", Y: "y", Series: []Series{{Name: "a", X: []float64{0, 1}, Y: []float64{1e9, 1e9}}, {Name: "b", X: []float64{0, 1}, Y: []float64{1e9, 1e9}}}},
		Intervals{Name: "intervals-one", Axis: "Elo", Items: []Interval{{"a", 0, 0, 0}}},
		Intervals{Name: "intervals-equal", Axis: "Elo", Items: []Interval{{"a", 120, 120, 120}, {"b", 120, 120, 120}}},
		Intervals{Name: "intervals-tiny", Axis: "share", Items: []Interval{{"a", 0.012, 0.0119, 0.0123}, {"b", -0.001, -0.002, 1e-9}}},
	)
	d.Blocks = append(d.Blocks, Table{Name: "hidden", Caption: "More.", Columns: []string{"a", "b"}, Rows: [][]string{{"1", "x"}, {"", "y"}}, HideInText: true})
	return d
}

// Twice the same document makes the same bytes.
func TestWriteTwice(t *testing.T) {
	one, two := filepath.Join(t.TempDir(), "a", "b"), t.TempDir()
	dirs := []string{one, two, two}
	if dir := os.Getenv("KROW_GALLERY"); dir != "" { // to be looked at
		dirs = append(dirs, dir)
	}
	for _, dir := range dirs {
		if err := Write(dir, gallery()); err != nil {
			t.Fatal(err)
		}
	}
	files, err := os.ReadDir(one)
	if err != nil || len(files) != 19 {
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

![The Elo](elo.svg)

The *Elo*
`

func TestReadmeOfReport(t *testing.T) {
	dir := t.TempDir()
	cells := Table{Name: "cells", Caption: "All.", Columns: []string{"game", "nodes | time"}, Rows: [][]string{{"a|b", "12"}, {"c\n\"d\",", "–"}}}
	d := &Document{Title: "A _b_", Made: "2026-11-22", Blocks: []Block{
		Text("One.\n\n\nTwo *of* `two`."),
		Heading{2, "Cells"},
		cells,
		Table{Name: "hidden", Columns: []string{"x"}, Rows: [][]string{{"1"}}, HideInText: true},
		Intervals{Name: "elo", Caption: "The *Elo*", Axis: "Elo"},
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
		{[]Block{Grid{}}, `block 1: grid: name "": want 1 to 64 characters`},
		{[]Block{Table{Columns: []string{"x"}, Rows: [][]string{{"1", "2"}}}}, `block 1: table "": row 1 has 2 cells, want 1`},
		{[]Block{Table{Columns: []string{"x"}, Rows: [][]string{{"1"}}, HideInText: true}}, "block 1: a table that is not in the text needs a name for its file"},
		{[]Block{Intervals{Name: "a"}, Grid{Name: "a"}}, "block 2: a second a.svg"},
		{[]Block{Intervals{Name: "a", Items: []Interval{{"b", nan, 0, 0}}}}, "block 1: intervals a: b: NaN cannot be drawn"},
		{[]Block{Intervals{Name: "a", Items: []Interval{{"b", 0, 0, inf}}}}, "block 1: intervals a: b: +Inf cannot be drawn"},
		{[]Block{Intervals{Name: "a", Items: []Interval{{"b", 3, 0, 2}}}}, "block 1: intervals a: b: 3 is not from 0 to 2"},
		{[]Block{Curves{Name: "a", Series: []Series{{Name: "b", X: one, Y: []float64{nan}}}}}, "block 1: curves a: b: NaN cannot be drawn"},
		{[]Block{Curves{Name: "a", Series: []Series{{Name: "b", X: []float64{-inf}, Y: one}}}}, "block 1: curves a: b: -Inf cannot be drawn"},
		{[]Block{Curves{Name: "a", Series: []Series{{Name: "b", X: one}}}}, "block 1: curves a: b: 1 x, 0 y: want as many"},
		{[]Block{Curves{Name: "a", Series: []Series{{Name: "b", X: []float64{2, 1}, Y: []float64{2, 1}}}}}, "block 1: curves a: b: x falls"},
		{[]Block{Grid{Name: "a", Rows: []string{"r"}}}, "block 1: grid a: 0 rows of cells, want 1"},
		{[]Block{Grid{Name: "a", Rows: []string{"r"}, Cells: [][]Cell{{{}}}}}, "block 1: grid a: row r has 1 cells, want 0"},
		{[]Block{Grid{Name: "a", Rows: []string{"r"}, Columns: []string{"c"}, Cells: [][]Cell{{{"x", 3}}}}}, "block 1: grid a: row r: no tone 3"},
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
