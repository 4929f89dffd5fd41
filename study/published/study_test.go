// SPDX-License-Identifier: Apache-2.0

package published

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/learn/qlearning"
)

// study is where the report of the whole study goes: the texts' variant, and in directories below it that of
// terminal=exact, and a control in which the player keeps the fixed parameters.
//
//	go test ./study/published -run TestStudy -v -timeout 30m -study ../../docs/studies/published
var study = flag.String("study", "", "play all cells and write the report to this directory")

// published returns the options of the study with the published learner, over cells.
func published(cells []Cell) Options {
	return Options{
		Cells: cells, Jobs: 2, Learner: "qlearning", Store: &memory{data: map[string][]byte{}, room: -1},
		Learn: func(g game.Game) (Learner, error) { return qlearning.New(g, qlearning.Options{Seed: 1}) },
	}
}

// TestStudy plays the cells on small boards twice, with what Q-learning really learns; with -study all cells once.
func TestStudy(t *testing.T) {
	if *study != "" {
		writeStudy(t)
		return
	}
	var cells []Cell
	for _, c := range Cells() {
		if c.Size <= 5 {
			cells = append(cells, c)
		}
	}
	first, err := Run(t.Context(), published(cells))
	if err != nil {
		t.Fatal(err)
	}
	second, err := Run(t.Context(), published(cells))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(first, second, noTime); d != "" {
		t.Errorf("two runs differ (-first +second):\n%s", d)
	}
	_, all := Agree(first)
	t.Logf("%d of %d cells up to 5 x 5 agree", all.Agree, all.Cells)
}

func writeStudy(t *testing.T) {
	o := published(Cells())
	writeVariant(t, *study, o)
	o.Variant.Terminal = Exact
	writeVariant(t, filepath.Join(*study, "exact"), o)
	o.Variant.Terminal = Eval
	for i := range o.Cells {
		o.Cells[i].Player = Brute
	}
	writeVariant(t, filepath.Join(*study, "control"), o)
}

func writeVariant(t *testing.T, dir string, o Options) {
	start := time.Now()
	rows, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d cells in %v", dir, len(rows), time.Since(start).Round(time.Second))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	create(t, filepath.Join(dir, "cells.csv"), func(w io.Writer) error { return WriteCSV(w, rows) })
	create(t, filepath.Join(dir, "README.md"), func(w io.Writer) error { return WriteMarkdown(w, o.Variant, rows) })
}

// create writes a file of the report.
func create(t *testing.T, name string, write func(io.Writer) error) {
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := write(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
