// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// gallery has every kind of block, with what is hard to draw.
func gallery() *Document {
	rng := rand.New(rand.NewPCG(1, 2))
	d := &Document{Title: "A *gallery* & <more>", Blocks: []Block{
		Text("Made by `krow study`, *not* tuned; see [the source](https://example.org/a?b=1&c=2).\n\n" +
			"1. No list, <b>no bold</b>, a|b, snake_case, [bad](javascript:alert(1))."),
		Code("krow study --seed 1\n```\n<pre>"),
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
			s.Lo, s.Hi = append(s.Lo, y-size/5), append(s.Hi, y+size/5)
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
		if i == 0 {
			for k := range 100 {
				s.Lo, s.Hi = append(s.Lo, s.Y[k]-0.02), append(s.Hi, s.Y[k]+0.02)
			}
		}
		together.Series = append(together.Series, s)
	}
	raw := Curves{Name: "raw", Caption: "The same six on one axis.", X: "games", Y: "value", Series: apart.Series}
	elo := Intervals{Name: "elo", Caption: "Elo of sixteen players, with 95 % intervals.", Axis: "Elo against the mean"}
	for i := range 16 {
		v := 400 - 52*float64(i) + 10*rng.NormFloat64()
		elo.Items = append(elo.Items, Interval{fmt.Sprintf("alphabeta:depth=%d,eval=shevchenko,order=history+killer,tt=%d", i, 1<<i), v, v - 30 - 3*float64(i), v + 30 + 3*float64(i)})
	}
	t := Table{Name: "cells", Caption: "All cells.", Columns: []string{"game", "nodes", "score", "note"}, MarkdownRows: 3}
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
	if dir := os.Getenv("KROW_GALLERY"); dir != "" {
		one = dir
	}
	for _, dir := range []string{one, two, two} {
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
