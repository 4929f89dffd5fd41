// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/wholefile"
	"github.com/krow-lab/krow/proof"
)

type proving struct {
	results, certificates, hash string
	threads, sizes              int
	time                        time.Duration
	out                         *wholefile.File // of the results
}

func newValues() *cobra.Command {
	var v proving
	cmd := &cobra.Command{
		Use:   "values [GAME...]",
		Short: "Prove values of games, and list those proved",
		Long: `Prove the value of the empty board of each GAME, write its certificate, check that, and add a line to the file of
results. Games that are in it already are left out, so a run that was ended goes on. Without a GAME it prints
the results as the page docs/values.md.`,
		Example: `  krow values --results docs/values.jsonl > docs/values.md
  krow values --results mine.jsonl connect4:5x4 mnk:4,3,3
  krow values --results mine.jsonl --sizes 11 --time 5m`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: complete(completeGames),
		RunE:              func(cmd *cobra.Command, args []string) error { return v.run(cmd, args) },
	}
	flags := cmd.Flags()
	v.results = "values.jsonl"
	flags.Var((*path)(&v.results), "results", "file of results")
	flags.Var((*path)(&v.certificates), "certificates", "directory to keep the certificates in")
	flags.StringVar(&v.hash, "hash", "64M", "size of the table, such as 64M or 1G")
	flags.IntVar(&v.threads, "threads", 1, "threads that share the table")
	flags.IntVar(&v.sizes, "sizes", 0, "and every Connect Four from 4x4 whose columns and rows are so many in all at most, 8 to 21")
	flags.DurationVar(&v.time, "time", 0, "time for each game, such as 30s or 2h")
	flags.Lookup("time").DefValue = ""
	return cmd
}

func (v *proving) run(cmd *cobra.Command, texts []string) error {
	o, games, err := v.plan(cmd, texts)
	if err != nil {
		return err
	}
	if len(games) > 0 {
		if v.out, err = wholefile.Open(v.results); err != nil {
			return err
		}
		defer v.out.Close()
	}
	rows, err := readValues(cmd.Context(), v.results)
	if err != nil {
		return err
	}
	if len(games) == 0 {
		return writeValues(cmd.OutOrStdout(), rows)
	}
	var failed []error
	for _, g := range games {
		if known(rows, g.String()) {
			continue
		}
		row, err := v.prove(cmd.Context(), g, o)
		if err == nil {
			rows = append(rows, row)
			err = together(v.save(rows), row.print(cmd))
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", g, err))
		}
		if cmd.Context().Err() != nil {
			break
		}
	}
	return together(failed...)
}

// plan returns the games to prove, each of which has a solver with certificates.
func (v *proving) plan(cmd *cobra.Command, texts []string) (o solveOptions, games []game.Game, err error) {
	s := solving{threads: v.threads, hash: v.hash, time: v.time}
	if o, err = s.options(); err != nil {
		return o, nil, err
	}
	if cmd.Flags().Changed("sizes") && (v.sizes < 8 || v.sizes > 21) {
		return o, nil, misusef("", "--sizes is 8 to 21, not %d", v.sizes)
	}
	for _, text := range append(texts, boardsUpTo(v.sizes)...) {
		g, err := catalog.Game(text)
		if err != nil {
			return o, nil, err
		}
		solver, err := solverOf(g, solveOptions{threads: o.threads, hash: 1}) // a small one: it is not to solve
		if err != nil {
			return o, nil, err
		}
		if _, ok := solver.(certifier); !ok {
			return o, nil, misusef("", "there are no certificates of %s yet", g)
		}
		games = append(games, g)
	}
	return o, games, nil
}

// boardsUpTo returns the Connect Fours of which columns and rows are n in all at most, small ones first.
func boardsUpTo(n int) (games []string) {
	for sum := 8; sum <= n; sum++ {
		for columns := 4; columns <= sum-4; columns++ {
			games = append(games, fmt.Sprintf("connect4:%dx%d", columns, sum-columns))
		}
	}
	return games
}

// prove solves a game, writes its certificate and checks it.
func (v *proving) prove(ctx context.Context, g game.Game, o solveOptions) (row valueRow, err error) {
	if v.time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, v.time)
		defer cancel()
	}
	name, drop, err := v.file(g)
	if err != nil {
		return row, err
	}
	defer drop()
	certificate, err := wholefile.Open(name)
	if err != nil {
		return row, err
	}
	defer certificate.Close()
	solver, err := solverOf(g, o)
	if err != nil {
		return row, err
	}
	_, weak := solver.(mnkSolver)
	p, began := g.Start(), cpuSeconds()
	sol := solver.Solve(ctx, p, func(solution) {})
	row = valueRow{Game: g.String(), Value: sol.Value, Nodes: sol.Nodes, SolveS: since(began), Hash: v.hash, Threads: v.threads}
	if err := unproved(ctx, weak, sol); err != nil {
		return row, err
	}
	if sol.Exact && !weak {
		row.Plies, row.Score = &sol.Plies, &sol.Score
	}
	began = cpuSeconds()
	if err := certify(ctx, solver.(certifier), p, certificate); err != nil {
		return row, err
	}
	row.WriteS = since(began)
	return row, row.verify(ctx, name)
}

// since returns the seconds of the processor since then, to the millisecond.
func since(began float64) float64 { return math.Round(1e3*(cpuSeconds()-began)) / 1e3 }

// file returns the name of the file for a certificate, and what to do when it is no longer needed.
func (v *proving) file(g game.Game) (name string, drop func(), err error) {
	dir := v.certificates
	drop = func() {}
	if dir == "" {
		if dir, err = os.MkdirTemp("", "krow-values-"); err != nil {
			return "", nil, err
		}
		drop = func() { os.RemoveAll(dir) }
	} else if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", nil, err
	}
	return filepath.Join(dir, strings.NewReplacer(":", "-", ",", "-", "=", "").Replace(g.String())+".proof"), drop, nil
}

// verify checks the certificate in a file and notes down what that took.
func (r *valueRow) verify(ctx context.Context, name string) error {
	f, err := openInput(ctx, name)
	if err != nil {
		return err
	}
	defer f.Close()
	began := cpuSeconds()
	checked, err := proof.Verify(ctx, f)
	r.CheckS = since(began)
	if ctx.Err() != nil {
		return fmt.Errorf("%s: the certificate is not checked to its end", stopped(ctx))
	}
	if err != nil {
		return fmt.Errorf("the certificate: %w", err)
	}
	if checked.Claim.Value != r.Value {
		return fmt.Errorf("the certificate proves a %s, not a %s", checked.Claim.Value, r.Value)
	}
	r.Bytes, r.Steps = checked.Bytes, checked.Positions
	return nil
}

// readValues reads a file of results; one that does not exist holds none.
func readValues(ctx context.Context, name string) ([]valueRow, error) {
	f, err := openInput(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := parseValues(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return rows, nil
}

func known(rows []valueRow, game string) bool {
	for _, r := range rows {
		if r.Game == game {
			return true
		}
	}
	return false
}
