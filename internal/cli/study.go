// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/wholefile"
	"github.com/krow-lab/krow/learn/qlearning"
	"github.com/krow-lab/krow/study/published"
)

// studySeed is fixed before any run.
const studySeed = 1

type studying struct {
	out      string
	jobs     int
	terminal string
	quick    bool
}

func newStudy() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "study",
		Short:   "Play published experiments again",
		Long:    "Play published experiments again, and set what comes out beside what was published.",
		Example: "  krow study list\n  krow study run published --out study --jobs 2",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return misusef("there are list and run", "%s needs to know what to do", cmd.CommandPath())
		},
	}
	cmd.AddCommand(newStudyList(), newStudyRun())
	return cmd
}

// studyDoc says what the one study is.
const studyDoc = "the thirty tables of the thesis, each player with parameters learned for its board"

func newStudyList() *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the studies",
		Long:    "List the studies that can be run.",
		Example: "  krow study list",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON(cmd) {
				return printJSON(cmd.OutOrStdout(), map[string]any{"kind": "study", "name": "published", "doc": studyDoc, "cells": len(published.Cells())})
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "published  %s\n", studyDoc)
			return err
		},
	}
}

func newStudyRun() *cobra.Command {
	var o studying
	cmd := &cobra.Command{
		Use:   "run STUDY",
		Short: "Play a study, cell by cell",
		Long: `Play a study, cell by cell, and write cells.csv and README.md into a directory. Each finished piece of
work is kept in its folder parts, so that a run that was interrupted goes on.`,
		Example: `  krow study run published --out study --jobs 2
  krow study run published --out exact --terminal exact --quick`,
		Args: exactly("STUDY"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if args[0] != "published" {
				return misusef("see krow study list", "unknown study %q", args[0])
			}
			return o.run(cmd)
		},
	}
	cmd.Flags().StringVar(&o.out, "out", "", "directory to write to")
	cmd.Flags().IntVar(&o.jobs, "jobs", 1, "games played at once")
	cmd.Flags().StringVar(&o.terminal, "terminal", "eval", "what finished games are worth to the searches: eval or exact")
	cmd.Flags().BoolVar(&o.quick, "quick", false, "only boards of up to 5 columns")
	return cmd
}

// cells returns the cells to play.
func (o *studying) cells() []published.Cell {
	all := published.Cells()
	if o.quick {
		all = slices.DeleteFunc(all, func(c published.Cell) bool { return c.Size > 5 })
	}
	return all
}

func (o *studying) run(cmd *cobra.Command) error {
	switch {
	case o.out == "":
		return misusef("for example --out study", "%s needs --out", cmd.CommandPath())
	case o.jobs < 1 || o.jobs > 1024:
		return misusef("", "--jobs must be from 1 to 1024, not %d", o.jobs)
	case o.terminal != "eval" && o.terminal != "exact":
		return misusef("", "--terminal must be eval or exact, not %q", o.terminal)
	}
	var v published.Variant
	if o.terminal == "exact" {
		v.Terminal = published.Exact
	}
	work := folder(filepath.Join(o.out, "parts"))
	if err := os.MkdirAll(string(work), 0o777); err != nil {
		return err
	}
	start, last := time.Now(), time.Now()
	rows, err := published.Run(cmd.Context(), published.Options{
		Cells: o.cells(), Jobs: o.jobs, Variant: v, Store: work, Learner: fmt.Sprintf("qlearning seed=%d", studySeed),
		Learn: func(g game.Game) (published.Learner, error) {
			return qlearning.New(g, qlearning.Options{Seed: studySeed})
		},
		Progress: func(done, total int, r published.Row) {
			if time.Since(last) >= quiet || done == total {
				last = time.Now()
				fmt.Fprintf(cmd.ErrOrStderr(), "%d/%d cells   %s   last: table %s, %s\n", done, total, time.Since(start).Round(time.Second), r.Cell.Table, r.Cell.Game)
			}
		},
	})
	if err != nil {
		return err
	}
	_, all := published.Agree(rows)
	if err := errors.Join(
		writeReport(filepath.Join(o.out, "cells.csv"), func(w io.Writer) error { return published.WriteCSV(w, rows) }),
		writeReport(filepath.Join(o.out, "README.md"), func(w io.Writer) error { return published.WriteMarkdown(w, v, rows) }),
	); err != nil {
		return err
	}
	if asJSON(cmd) {
		return printJSON(cmd.OutOrStdout(), map[string]any{"final": true, "study": "published", "cells": all.Cells, "agree": all.Agree, "out": o.out})
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d of %d cells agree; see %s\n", all.Agree, all.Cells, filepath.Join(o.out, "README.md"))
	return err
}

// writeReport writes a file as a whole or not at all.
func writeReport(name string, write func(io.Writer) error) error {
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return err
	}
	return wholefile.Write(name, text.Bytes())
}

// folder is a published.Store: a file for each key.
type folder string

func (f folder) file(key string) string {
	return filepath.Join(string(f), fmt.Sprintf("%x.json", sha256.Sum256([]byte(key))))
}

// Get returns the value of a key, or nil.
func (f folder) Get(key string) ([]byte, error) {
	value, err := os.ReadFile(f.file(key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return value, err
}

// Put makes value the key's.
func (f folder) Put(key string, value []byte) error { return wholefile.Write(f.file(key), value) }
