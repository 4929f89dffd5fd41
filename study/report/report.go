// SPDX-License-Identifier: Apache-2.0

// Package report writes the documents of studies: text, tables and plots, once as Markdown with files beside
// it and once as a page that needs nothing else.
//
// # Basics
//
//	d := &report.Document{Title: "A study", Blocks: []report.Block{
//		report.Text("Made by `krow study`; see [the source](https://example.org)."),
//		report.Code("krow study --seed 1"),
//		report.Heading{Level: 2, Text: "Strength"},
//		report.Intervals{Name: "elo", Caption: "Elo with 95 % intervals.", Axis: "Elo", Items: items},
//		report.Table{Name: "cells", Columns: []string{"game", "nodes"}, Rows: rows, MarkdownRows: 20},
//	}}
//	err := report.Write("studies/first", d)
//
// The folder then holds
//
//	README.md      the text, the tables, and the plots as pictures
//	cells.csv      each named table, whole
//	elo.svg        each plot
//	index.html     all of it in one file, for light and dark screens, wide and narrow
//
// The same document makes the same bytes.
//
// # Text
//
// [Text], headings and captions know three marks of Markdown and no more: `code`, *emphasis* and
// [links](https://example.org), which do not nest. Everything else, HTML too, is shown as it was written. A
// link goes to http, https or a relative address; any other stays text. Cells of tables and names in plots
// are plain.
//
// # Caveats
//
// Files of an earlier document with other names are left in the folder. The widths of words are estimated,
// generously, since there is no font to measure them with.
package report

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/krow-lab/krow/internal/wholefile"
)

// Document is what a study has to tell, from top to bottom.
type Document struct {
	Title  string // plain text
	Blocks []Block
}

// Block is one of Heading, Text, Code, List, Table, Grid, Curves and Intervals.
type Block interface {
	check() error     // what is wrong with the block, in one line
	markdown() string // ends with a newline
	html() string
	file() (name, data string) // what lies beside the README, or nothing
}

// Write checks d and makes README.md, index.html and a file for each named table and plot in dir, which is
// made where it is missing. An error leaves every file whole, though some may be new already.
func Write(dir string, d *Document) error {
	if err := d.check(); err != nil {
		return fmt.Errorf("report %q: %w", d.Title, err)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("report %q: %w", d.Title, err)
	}
	if err := d.write(dir); err != nil {
		return fmt.Errorf("report %q: %w", d.Title, err)
	}
	return nil
}

// write writes the files, until one cannot be written.
func (d *Document) write(dir string) error {
	write := func(name, data string) error {
		return wholefile.Write(filepath.Join(dir, name), []byte(data))
	}
	for _, b := range d.Blocks {
		if name, data := b.file(); name != "" {
			if err := write(name, data); err != nil {
				return err
			}
		}
	}
	if err := write("README.md", d.markdown()); err != nil {
		return err
	}
	return write("index.html", d.html())
}

// check refuses blocks that cannot be shown and two files of one name.
func (d *Document) check() error {
	seen := map[string]bool{}
	for i, b := range d.Blocks {
		if b == nil {
			return fmt.Errorf("block %d is nil", i+1)
		}
		if err := b.check(); err != nil {
			return fmt.Errorf("block %d: %w", i+1, err)
		}
		name, _ := b.file()
		if name != "" && seen[name] {
			return fmt.Errorf("block %d: a second %s", i+1, name)
		}
		seen[name] = true
	}
	return nil
}

// checkName refuses what is no name of a file everywhere: lowercase letters, digits, - and _, at most 64.
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
