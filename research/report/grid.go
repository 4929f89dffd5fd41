// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"strings"
)

// Tone is the result of a comparison of the value in a grid's cell with another value, such as a published one. It determines
// the colour of the cell.
type Tone uint8

// The tones.
const (
	noTone Tone = iota
	Agree
	Differ
)

// Cell is a short text, usually a letter, on a background whose colour depends on the tone. The zero Cell is empty.
type Cell struct {
	Text string `json:"text"`
	Tone Tone   `json:"tone" maximum:"2" doc:"colour of the cell: 0 none, 1 the result agrees with the published one, 2 it differs"`
}

// Grid is a table whose cells have tones, so that it can be read at a glance.
type Grid struct {
	Caption string   `json:"caption"`
	Rows    []string `json:"rows" nullable:"false"` // names of the rows, from top to bottom
	Columns []string `json:"columns" nullable:"false"`
	Cells   [][]Cell `json:"cells" nullable:"false"` // for each row, a list with one cell for each column
	// Tones are the names of noTone, Agree and Differ in the legend. If a name is empty, the legend shows the default: "not
	// compared" for noTone, "agree" for Agree, "differ" for Differ.
	Tones [3]string `json:"tones" doc:"legend of the colours"`
}

func (g Grid) check() error {
	if len(g.Cells) != len(g.Rows) {
		return fmt.Errorf("grid %q: %d rows of cells, want %d", g.Caption, len(g.Cells), len(g.Rows))
	}
	for i, row := range g.Cells {
		if len(row) != len(g.Columns) {
			return fmt.Errorf("grid %q: row %s has %d cells, want %d", g.Caption, g.Rows[i], len(row), len(g.Columns))
		}
		for _, cell := range row {
			if cell.Tone > Differ {
				return fmt.Errorf("grid %q: row %s: unknown tone %d", g.Caption, g.Rows[i], cell.Tone)
			}
		}
	}
	return nil
}

// render writes the grid as a table with a legend. Cells that differ are bold.
func (g Grid) render() (r rendered, err error) {
	if err := g.check(); err != nil {
		return r, err
	}
	rows := [][]string{append([]string{""}, escapeCells(g.Columns)...)}
	var count [3]int
	for i, cells := range g.Cells {
		row := escapeCells(g.Rows[i : i+1])
		for _, c := range cells {
			text := escapeMarkdown(oneLine(c.Text))
			if c.Tone == Differ && text != "" {
				text = "**" + text + "**"
			}
			if c != (Cell{}) {
				count[c.Tone]++
			}
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	var legend []string
	for t, usual := range [3]string{"not compared", "agree", "**differ**"} {
		if name := g.Tones[t]; name != "" {
			usual = escapeMarkdown(name)
			if Tone(t) == Differ {
				usual = "**" + usual + "**"
			}
		}
		if count[t] > 0 {
			legend = append(legend, fmt.Sprintf("%s: %d", usual, count[t]))
		}
	}
	r.markdown = captionText(g.Caption) + markdownTable(rows, make([]bool, len(rows[0])))
	if len(legend) > 0 {
		r.markdown += "\n" + strings.Join(legend, ", ") + "\n"
	}
	return r, nil
}
