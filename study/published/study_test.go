// SPDX-License-Identifier: Apache-2.0

package published

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/learn/qlearning"
)

// study is where the report of the whole study goes: the texts' variant, in directories below it the others, and
// times.md.
//
//	go test ./study/published -run TestStudy -v -timeout 30m -study ../../docs/studies/published
var study = flag.String("study", "", "play all cells and write the report to this directory")

// published returns the options of the study with the published learner, over cells.
func published(cells []Cell) Options { return trained(cells, "qlearning", qlearning.Options{Seed: 1}) }

// trained returns options with a learner of that name.
func trained(cells []Cell, name string, o qlearning.Options) Options {
	return Options{
		Cells: cells, Jobs: 2, Learner: name, Store: &memory{data: map[string][]byte{}, room: -1},
		Learn: func(g game.Game) (Learner, error) { return qlearning.New(g, o) },
	}
}

// variant is a reading of the study.
type variant struct {
	dir string // of its report, below that of the texts' variant
	Options
}

// variants returns every reading of the study over cells: finished games valued by the heuristic or exactly, in play
// and in learning, and parameters frozen or learned on during play.
func variants(cells []Cell) (all []variant) {
	asWritten := published(cells)
	exactTrained := trained(cells, "qlearning exact", qlearning.Options{Seed: 1, Exact: true})
	exactTrained.Store = asWritten.Store
	for _, v := range []variant{{"", asWritten}, {"exact", asWritten}, {"exact-trained", exactTrained}} {
		if v.dir != "" {
			v.Variant.Terminal = Exact
		}
		all = append(all, v)
		v.dir = strings.TrimPrefix(v.dir+"-online", "-")
		v.Variant.Update = qlearning.Options{}.Update
		all = append(all, v)
	}
	control := asWritten
	control.Cells = slices.Clone(cells)
	for i := range control.Cells {
		control.Cells[i].Player = Brute
	}
	return append(all, variant{"control", control})
}

// TestStudy plays the cells on small boards twice in each variant, with what Q-learning really learns; with -study all
// cells once.
func TestStudy(t *testing.T) {
	if *study != "" {
		writeStudy(t)
		return
	}
	cells := slices.DeleteFunc(Cells(), func(c Cell) bool { return c.Size > 4 })
	second := variants(cells)
	for i, v := range variants(cells) {
		first, err := Run(t.Context(), v.Options)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Run(t.Context(), second[i].Options)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(first, again); d != "" {
			t.Errorf("%s: two runs differ (-first +second):\n%s", v.dir, d)
		}
		_, all := Agree(first)
		t.Logf("%s: %d of %d cells up to 4 x 4 agree", v.dir, all.Agree, all.Cells)
	}
}

func writeStudy(t *testing.T) {
	for _, v := range variants(Cells()) {
		writeVariant(t, filepath.Join(*study, v.dir), v.Options)
		if v.dir == "online" {
			times, err := Time(t.Context(), v.Options)
			if err != nil {
				t.Fatal(err)
			}
			create(t, filepath.Join(*study, "times.md"), func(w io.Writer) error { return WriteTimes(w, times) })
		}
	}
}

func writeVariant(t *testing.T, dir string, o Options) {
	start := time.Now()
	rows, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	_, all := Agree(rows)
	t.Logf("%s: %d of %d cells agree, won, drawn, lost %s, in %v", dir, all.Agree, all.Cells, all.Ours, time.Since(start).Round(time.Second))
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
