// SPDX-License-Identifier: Apache-2.0

package report

import (
	"encoding/csv"
	"fmt"
	"regexp"
	"strings"
)

// Table is rows of plain text under column names. A column whose cells are all numbers or empty is aligned to the right.
type Table struct {
	Name    string     `json:"-"` // of its CSV file; "" makes none
	Caption string     `json:"caption"`
	Columns []string   `json:"columns" nullable:"false"`
	Rows    [][]string `json:"rows"` // each as long as Columns
	// HideInText leaves the rows out of the Markdown; only the CSV file contains them.
	HideInText bool `json:"-"`
}

// number matches the text of a cell that may be aligned to the right: signs, digits and separators, or a dash for no value.
var number = regexp.MustCompile(`^[-+−±~≈<>=≤≥()\[\]/.,:;%×eE \d\x{00a0}\x{202f}–—]*$`)

// numeric reports for each column whether its cells are numbers or empty, and at least one is a number.
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
		_ = w.Write(t.Columns) // a Builder takes everything
		_ = w.WriteAll(t.Rows)
		r.name, r.data = t.Name+".csv", b.String()
	}
	r.markdown = t.markdown(t.numeric())
	return r, nil
}

func (t Table) markdown(right []bool) string {
	var b strings.Builder
	if t.Caption != "" {
		b.WriteString(toMarkdown(t.Caption) + "\n\n")
	}
	if t.HideInText {
		fmt.Fprintf(&b, "Rows in [%s.csv](%s.csv): %d.\n", t.Name, t.Name, len(t.Rows))
		return b.String()
	}
	row := func(cells []string) {
		for _, cell := range cells {
			b.WriteString("| " + escapeMarkdown(oneLine(cell)) + " ")
		}
		b.WriteString("|\n")
	}
	row(t.Columns)
	for _, right := range right {
		if right {
			b.WriteString("|---:")
		} else {
			b.WriteString("|:---")
		}
	}
	b.WriteString("|\n")
	for _, cells := range t.Rows {
		row(cells)
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
