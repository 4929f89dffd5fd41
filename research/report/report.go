// SPDX-License-Identifier: Apache-2.0

// Package report writes the reports of studies, which consist of text, tables and plots. It writes Markdown with files next to it,
// and JSON, which krow's web page shows.
//
// # Basics
//
//	d := &report.Document{Title: "A study", Blocks: []report.Block{
//		report.Text("Made by `krow study`."),
//		report.Heading{Level: 2, Text: "Strength"},
//		report.Intervals{Caption: "Elo with 95 % intervals.", Axis: "Elo", Items: items},
//		report.Table{Name: "cells", Columns: []string{"game", "nodes"}, Rows: rows},
//	}}
//	err := report.Write("studies/first", d)
//
// After this call the folder contains README.md, report.json ([Data]) and a CSV file for each named table (cells.csv). The same
// document always produces the same bytes. In README.md plots are drawn with characters; the web page draws them from
// report.json.
//
// # Caveats
//
// [Text], headings and captions support two marks of Markdown: `code` and *emphasis*. The marks cannot be nested. Everything else,
// including HTML, is shown literally. Cells of tables and names in plots support no marks.
//
// A file of an earlier document stays in the folder if the new document has no file with the same name.
package report

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/krow-lab/krow/internal/atomicfile"
)

// Document is the report of a study, from top to bottom.
type Document struct {
	Title  string // plain text
	Made   string // time and version; only report.json contains Made and Cost
	Cost   Cost
	Blocks []Block
}

// Block is one of Heading, Text, Code, List, Table, Grid, Curves and Intervals.
type Block interface {
	// render returns the block as Markdown, with its file, or an error if the block cannot be shown.
	render() (rendered, error)
}

// rendered is a block as Markdown. If the block has a file next to the README, name and data are the name and the content of that
// file.
type rendered struct{ markdown, name, data string }

// Write writes README.md, report.json and a file for each named table to dir, which it creates if necessary. If a block cannot
// be shown, Write changes nothing. After any other error every file is complete, but some files may be new and others old.
func Write(dir string, d *Document) error {
	files, err := d.files()
	if err == nil {
		err = os.MkdirAll(dir, 0o777)
	}
	for _, f := range files {
		if err == nil {
			err = atomicfile.Write(filepath.Join(dir, f.name), []byte(f.data))
		}
	}
	if err != nil {
		return fmt.Errorf("report %q: %w", d.Title, err)
	}
	return nil
}

// files renders a document. The last two files are the JSON and the README.
func (d *Document) files() (files []rendered, err error) {
	readme := "# " + escapeMarkdown(oneLine(d.Title)) + "\n"
	seen := map[string]bool{"": true}
	for i, b := range d.Blocks {
		if b == nil {
			return nil, fmt.Errorf("block %d is nil", i+1)
		}
		r, err := b.render()
		if err != nil {
			return nil, fmt.Errorf("block %d: %w", i+1, err)
		}
		if r.name != "" {
			if seen[r.name] {
				return nil, fmt.Errorf("block %d: %s is already used", i+1, r.name)
			}
			seen[r.name] = true
			files = append(files, r)
		}
		readme += "\n" + r.markdown
	}
	data, err := json.Marshal(d.Data())
	if err != nil {
		return nil, err
	}
	return append(files, rendered{name: "report.json", data: string(data) + "\n"}, rendered{name: "README.md", data: readme}), nil
}

// checkName returns an error unless name is a valid file name on all systems: 1 to 64 lowercase letters, digits, - and _.
func checkName(name string) error {
	if name == "" || len(name) > 64 {
		return fmt.Errorf("name %q: want 1 to 64 characters", name)
	}
	for _, r := range name {
		if !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789-_", r) {
			return fmt.Errorf("name %q: want only a-z, 0-9, - and _", name)
		}
	}
	return nil
}

// Data is the JSON form of a document. It is the content of report.json, and the web page shows it.
type Data struct {
	Title  string      `json:"title"`
	Made   string      `json:"made,omitempty" doc:"date and build, if the report is part of krow"`
	Cost   *Cost       `json:"cost,omitempty"`
	Blocks []DataBlock `json:"blocks" nullable:"false"`
}

// Cost is the effort of computing the contents of a document.
type Cost struct {
	Seconds float64 `json:"seconds" doc:"processor time"`
	Small   float64 `json:"small,omitempty" doc:"processor time of the small version of the study"`
	Machine string  `json:"machine" doc:"the processor's name"`
}

// DataBlock is a block of a document. Its kind determines which fields are set.
type DataBlock struct {
	Kind      string     `json:"kind" enum:"heading,text,code,list,table,grid,curves,intervals"`
	Level     int        `json:"level,omitempty" doc:"level of a heading"`
	Text      string     `json:"text,omitempty" doc:"text of a heading, a paragraph or a piece of code"`
	Items     []string   `json:"items,omitempty" doc:"items of a list"`
	Table     *Table     `json:"table,omitempty"`
	Grid      *Grid      `json:"grid,omitempty"`
	Curves    *Curves    `json:"curves,omitempty"`
	Intervals *Intervals `json:"intervals,omitempty"`
}

// Data returns the JSON form of the document. It contains no file names.
func (d *Document) Data() Data {
	data := Data{Title: d.Title, Made: d.Made, Blocks: []DataBlock{}}
	if d.Cost != (Cost{}) {
		data.Cost = &d.Cost
	}
	for _, b := range d.Blocks {
		data.Blocks = append(data.Blocks, dataBlock(b))
	}
	return data
}

func dataBlock(b Block) DataBlock {
	switch b := b.(type) {
	case Heading:
		return DataBlock{Kind: "heading", Level: b.Level, Text: b.Text}
	case Text:
		return DataBlock{Kind: "text", Text: string(b)}
	case Code:
		return DataBlock{Kind: "code", Text: string(b)}
	case List:
		return DataBlock{Kind: "list", Items: b}
	case Table:
		return DataBlock{Kind: "table", Table: &b}
	case Grid:
		return DataBlock{Kind: "grid", Grid: &b}
	case Curves:
		return DataBlock{Kind: "curves", Curves: &b}
	case Intervals:
		return DataBlock{Kind: "intervals", Intervals: &b}
	}
	panic(fmt.Sprintf("report: block %T has no kind", b))
}
