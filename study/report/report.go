// SPDX-License-Identifier: Apache-2.0

// Package report writes the documents of studies: text, tables and plots, as Markdown with files beside it, and as one
// page that needs nothing else.
//
// # Basics
//
//	d := &report.Document{Title: "A study", Blocks: []report.Block{
//		report.Text("Made by `krow study`."),
//		report.Heading{Level: 2, Text: "Strength"},
//		report.Intervals{Name: "elo", Caption: "Elo with 95 % intervals.", Axis: "Elo", Items: items},
//		report.Table{Name: "cells", Columns: []string{"game", "nodes"}, Rows: rows},
//	}}
//	err := report.Write("studies/first", d)
//
// The folder then holds README.md, index.html, report.json ([Data]), a CSV file for each named table (cells.csv) and an SVG
// file for each plot (elo.svg). The same document makes the same bytes.
//
// # Caveats
//
// [Text], headings and captions know two marks of Markdown: `code` and *emphasis*. They do not nest. Everything else, HTML
// too, is shown as it was written. Cells of tables and names in plots have no marks.
//
// Files of an earlier document with other names stay in the folder. The widths of words are estimated generously, since
// there is no font to measure them with.
package report

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/krow-lab/krow/internal/wholefile"
)

// Document is the report of a study, from top to bottom.
type Document struct {
	Title  string // plain text
	Made   string // when and by what; it stands in report.json alone, as Cost does
	Cost   Cost
	Blocks []Block
}

// Block is one of Heading, Text, Code, List, Table, Grid, Curves and Intervals.
type Block interface {
	// render returns the block in every form, or says in one line why it cannot be shown.
	render() (rendered, error)
}

// rendered is a block in every form. name and data are of the file beside the README, if there is one.
type rendered struct{ markdown, html, name, data string }

// Write makes README.md, index.html, report.json and a file for each named table and plot in dir, which it makes if missing. A
// document that cannot be shown changes nothing. After another error every file is whole, but some may be new.
func Write(dir string, d *Document) error {
	files, err := d.files()
	if err == nil {
		err = os.MkdirAll(dir, 0o777)
	}
	for _, f := range files {
		if err == nil {
			err = wholefile.Write(filepath.Join(dir, f.name), []byte(f.data))
		}
	}
	if err != nil {
		return fmt.Errorf("report %q: %w", d.Title, err)
	}
	return nil
}

// files renders a document; the last files are the JSON, the README and the page.
func (d *Document) files() (files []rendered, err error) {
	var page strings.Builder
	title := oneLine(d.Title)
	readme := "# " + escapeMarkdown(title) + "\n"
	page.WriteString("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
		"<title>" + escape(title) + "</title>\n<style>\n" + pageStyle + plotStyle + "</style>\n</head>\n<body>\n<main>\n" +
		"<h1>" + escape(title) + "</h1>\n")
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
				return nil, fmt.Errorf("block %d: a second %s", i+1, r.name)
			}
			seen[r.name] = true
			files = append(files, r)
		}
		readme += "\n" + r.markdown
		page.WriteString(r.html)
	}
	page.WriteString("</main>\n</body>\n</html>\n")
	data, err := json.Marshal(d.Data())
	if err != nil {
		return nil, err
	}
	return append(files, rendered{name: "report.json", data: string(data) + "\n"}, rendered{name: "README.md", data: readme}, rendered{name: "index.html", data: page.String()}), nil
}

// checkName refuses what is not a file name everywhere: lowercase letters, digits, - and _, at most 64.
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
