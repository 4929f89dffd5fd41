// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"math"
)

// Tone is the result of comparing a grid's cell with another result.
type Tone uint8

// The tones.
const (
	NoTone Tone = iota
	Agree
	Differ
)

// Cell is a short text, usually a letter, on a background by its tone. The zero Cell is empty.
type Cell struct {
	Text string `json:"text"`
	Tone Tone   `json:"tone" maximum:"2" doc:"0 none, 1 agrees, 2 differs"`
}

// Grid is a table whose cells have tones, so that it can be read at a glance.
type Grid struct {
	Name    string   `json:"-"` // of the SVG file
	Caption string   `json:"caption"`
	Rows    []string `json:"rows" nullable:"false"` // names of the rows, from top to bottom
	Columns []string `json:"columns" nullable:"false"`
	Cells   [][]Cell `json:"cells" nullable:"false"` // a line for each row, a cell for each column
	// Tones are the names of NoTone, Agree and Differ in the legend. An empty name means "not compared", "agree" or "differ".
	Tones [3]string `json:"tones" doc:"what the tones mean"`
}

func (g Grid) check() error {
	if err := checkName(g.Name); err != nil {
		return fmt.Errorf("grid: %w", err)
	}
	if len(g.Cells) != len(g.Rows) {
		return fmt.Errorf("grid %s: %d rows of cells, want %d", g.Name, len(g.Cells), len(g.Rows))
	}
	for i, row := range g.Cells {
		if len(row) != len(g.Columns) {
			return fmt.Errorf("grid %s: row %s has %d cells, want %d", g.Name, g.Rows[i], len(row), len(g.Columns))
		}
		for _, cell := range row {
			if cell.Tone > Differ {
				return fmt.Errorf("grid %s: row %s: no tone %d", g.Name, g.Rows[i], cell.Tone)
			}
		}
	}
	return nil
}

func (g Grid) render() (rendered, error) { return picture(g.check(), g.plot) }

func (t Tone) class() string { return [...]string{"none", "agree", "differ"}[t] }

// plot draws
//
//	      5   6   7
//	name  W  [L]  D
//	name  W   W   L
//	▪ agree 5  ▪ differ 1
func (g Grid) plot() plot {
	const row, gap = 22.0, 2.0
	rows, columns := shortened(g.Rows, 48), shortened(g.Columns, 32)
	left := widest(rows) + 26
	column := g.column(columns)
	tilted := widest(columns) > column-8
	top, right := 30.0, 16.0
	if tilted {
		slope := widest(columns) * math.Sqrt2 / 2
		top, right = slope+26, max(16, slope-column/2+16)
	}
	bottom := top + row*float64(max(1, len(rows)))
	wide := max(column*float64(len(columns)), 60)
	c := &canvas{w: max(left+wide+right, g.legend(nil, left, 0)), h: bottom + 42}
	for j, name := range columns {
		x := left + column*(float64(j)+0.5)
		if tilted {
			c.turned("soft", start, x+2, top-8, -45, name)
		} else {
			c.text("soft", middle, x, top-9, name)
		}
	}
	for i, name := range rows {
		y := top + row*float64(i)
		c.text("", end, left-10, y+row/2+4, name)
		for j, cell := range g.Cells[i] {
			if cell == (Cell{}) {
				continue
			}
			x := left + column*float64(j)
			c.rect(cell.Tone.class(), x, y, column-gap, row-gap)
			c.text(letter[cell.Tone], middle, x+(column-gap)/2, y+row/2+3, cell.Text)
		}
	}
	if len(rows) == 0 || len(columns) == 0 {
		c.text("soft", start, left, top+row/2+4, "no data")
	}
	g.legend(c, left, bottom+26)
	return plot{g.Name, g.Caption, c}
}

// letter has the class of the letters on each tone: cells that differ also stand out without their colour.
var letter = [...]string{"soft", "", "bold"}

// column returns the width of a column: it has room for the texts of all cells and, if all column names are short, for these.
func (g Grid) column(names []string) float64 {
	w := 30.0
	if n := widest(names) + 8; n <= 64 {
		w = max(w, n)
	}
	for _, row := range g.Cells {
		for _, cell := range row {
			w = max(w, width(cell.Text)+14)
		}
	}
	return w
}

// legend draws the tones that occur with their counts, from x on, and returns the x where it ends. If c is nil it only measures.
func (g Grid) legend(c *canvas, x, y float64) float64 {
	var count [3]int
	for _, row := range g.Cells {
		for _, cell := range row {
			if cell != (Cell{}) {
				count[cell.Tone]++
			}
		}
	}
	names := [3]string{"not compared", "agree", "differ"}
	for _, t := range []Tone{Agree, Differ, NoTone} {
		if count[t] == 0 {
			continue
		}
		name := names[t]
		if g.Tones[t] != "" {
			name = g.Tones[t]
		}
		text := fmt.Sprintf("%s %d", name, count[t])
		if c != nil {
			c.rect(t.class(), x, y-11, 14, 14)
			c.text("soft", start, x+20, y, text)
		}
		x += 20 + width(text) + 16
	}
	return x
}

func shortened(names []string, n int) []string {
	out := make([]string, len(names))
	for i, s := range names {
		out[i] = short(s, n)
	}
	return out
}
