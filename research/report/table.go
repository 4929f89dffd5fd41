// SPDX-License-Identifier: Apache-2.0

package report

import (
	"encoding/csv"
	"fmt"
	"regexp"
	"strings"
)

// Table contains rows of plain text under column names. A column in which all cells are numbers or empty is aligned to the right.
type Table struct {
	Name    string     `json:"-"` // name of the CSV file; if it is "", no CSV file is written
	Caption string     `json:"caption"`
	Columns []string   `json:"columns" nullable:"false"`
	Rows    [][]string `json:"rows"` // the rows of cells, each as long as Columns
	// If HideInText is true, only the CSV file contains the rows, and not the Markdown.
	HideInText bool `json:"-"`
}

// number matches the text of a cell that may be aligned to the right: signs, digits and separators, or a dash for no value.
var number = regexp.MustCompile(`^[-+−±~≈<>=≤≥()\[\]/.,:;%×eE \d\x{00a0}\x{202f}–—]*$`)

// numeric reports for each column whether at least one cell is a number and every other cell is a number or empty.
func (t Table) numeric() []bool {
	right := make([]bool, len(t.Columns))
	for c := range right {
		all, digits := true, false
		for _, row := range t.Rows {
			all = all && number.MatchString(row[c])
			digits = digits || strings.ContainsAny(row[c], "0123456789")
		}
		right[c] = all && digits
	}
	return right
}

func (t Table) check() error {
	if t.Name != "" {
		if err := checkName(t.Name); err != nil {
			return fmt.Errorf("table: %w", err)
		}
	}
	if len(t.Columns) == 0 {
		return fmt.Errorf("table %q has no columns", t.Name)
	}
	for i, row := range t.Rows {
		if len(row) != len(t.Columns) {
			return fmt.Errorf("table %q: row %d has %d cells, want %d", t.Name, i+1, len(row), len(t.Columns))
		}
	}
	if t.Name == "" && t.HideInText {
		return fmt.Errorf("a table that is not in the text needs a name for its file")
	}
	return nil
}

func (t Table) render() (r rendered, err error) {
	if err := t.check(); err != nil {
		return r, err
	}
	if t.Name != "" {
		var b strings.Builder
		w := csv.NewWriter(&b)
		_ = w.Write(t.Columns) // no error is possible, because a strings.Builder accepts all data
		_ = w.WriteAll(t.Rows)
		r.name, r.data = t.Name+".csv", b.String()
	}
	r.markdown = t.markdown(t.numeric())
	return r, nil
}

func (t Table) markdown(right []bool) string {
	if t.HideInText {
		return captionText(t.Caption) + fmt.Sprintf("Rows in [%s.csv](%s.csv): %d.\n", t.Name, t.Name, len(t.Rows))
	}
	rows := [][]string{escapeCells(t.Columns)}
	for _, cells := range t.Rows {
		rows = append(rows, escapeCells(cells))
	}
	return captionText(t.Caption) + markdownTable(rows, right)
}

// captionText returns a caption as the paragraph above a table or a plot.
func captionText(caption string) string {
	if caption == "" {
		return ""
	}
	return toMarkdown(caption) + "\n\n"
}

func escapeCells(cells []string) []string {
	out := make([]string, len(cells))
	for i, cell := range cells {
		out[i] = escapeMarkdown(oneLine(cell))
	}
	return out
}

// markdownTable returns a table whose cells are Markdown. The first row has the names of the columns; right contains, for each
// column, whether it is aligned to the right.
func markdownTable(rows [][]string, right []bool) string {
	var b strings.Builder
	for i, row := range rows {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i > 0 {
			continue
		}
		for _, r := range right {
			b.WriteString(map[bool]string{true: "|---:", false: "|:---"}[r])
		}
		b.WriteString("|\n")
	}
	return b.String()
}

// Add appends a row. Each cell gets the text that fmt.Sprint returns.
func (t *Table) Add(cells ...any) {
	row := make([]string, len(cells))
	for i, cell := range cells {
		row[i] = fmt.Sprint(cell)
	}
	t.Rows = append(t.Rows, row)
}
