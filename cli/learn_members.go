// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/server/runs"
)

func newLearnMembers() *cobra.Command {
	return aboutRun(&cobra.Command{
		Use:   "members RUN",
		Short: "List the members that a genetic run has bred",
		Long: `List the members of the last generation of a genetic run; the best member comes first. A line shows the share of
its games that the member won, the generation in which it was bred, and its weights. As a player, member 2 of run 1 is
run:1,member=2.`,
		Example: "  krow learn members 1\n  krow match ultimate run:1,member=2 random",
	}, listMembers)
}

type memberJSON struct {
	Run        int64              `json:"run"`
	Member     int                `json:"member"`
	Fitness    float64            `json:"fitness"`
	Born       int                `json:"born"`
	Generation int                `json:"generation"`
	Weights    map[string]float64 `json:"weights"`
}

// listMembers prints a line for each member of the last generation of a learning run.
//
//	run 1   genetic ultimate seed=7   generation 30 of 30
//	member  fitness  born  corner  centre  edge  ...
//	1       0.95     22    4.31    7.2     -1.5
func listMembers(cmd *cobra.Command, r *runs.Run) error {
	l, err := r.At(0)
	if err != nil {
		return err
	}
	c, err := l.Colony()
	if err != nil {
		return err
	}
	var rows []memberJSON
	for n, m := range c.Members {
		weights := map[string]float64{}
		for i, trait := range c.Traits {
			weights[trait] = m.Values[i]
		}
		rows = append(rows, memberJSON{r.ID, n + 1, m.Fitness, m.Born, r.Step, weights})
	}
	w, json := cmd.OutOrStdout(), asJSON(cmd)
	if !json {
		fmt.Fprintf(w, "run %d   %s   generation %d of %d\n", r.ID, r.Key, r.Step, r.Steps)
	}
	return printRows(w, json, "member\tfitness\tborn\t"+strings.Join(c.Traits, "\t"), rows, func(m memberJSON) string {
		line := fmt.Sprintf("%d\t%.4g\t%d", m.Member, m.Fitness, m.Born)
		for _, trait := range c.Traits {
			line += fmt.Sprintf("\t%.3g", m.Weights[trait])
		}
		return line
	})
}

func newLearnExport() *cobra.Command {
	var db databaseFlag
	var out outFlag
	var member int
	cmd := &cobra.Command{
		Use:   "export RUN",
		Short: "Write the weights of a run to a file",
		Long: `Write the weights that a run has learned to a file, and print the player that loads them. For a genetic run choose
a member; member 1 is the best.`,
		Example: "  krow learn export 1 --member 2 --out second.json",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cmp.Or(checkWeights(&out, &db), out.checkFile()); err != nil {
				return err
			}
			return db.lookAt(args[0], func(r *runs.Run) error { return exportLearned(cmd, r, member, out.name) })
		},
	}
	db.add(cmd)
	out.add(cmd, "out", "`FILE` for the weights")
	_ = cmd.MarkFlagRequired("out")
	addNumber(cmd, &member, "member", 0, 1, 0, "number of the member; 1 is the best")
	return cmd
}

type exportedJSON struct {
	Final  bool   `json:"final"`
	Run    int64  `json:"run"`
	Member int    `json:"member,omitempty"`
	Out    string `json:"out"`
	Player string `json:"player"` // spec of a player that loads the file of weights
}

func exportLearned(cmd *cobra.Command, r *runs.Run, member int, out string) error {
	l, err := r.At(0)
	if err != nil {
		return err
	}
	if err := l.Save(out, member); err != nil {
		return err
	}
	player, err := l.Spec(out)
	if err != nil {
		return err
	}
	return printAnswer(cmd, exportedJSON{true, r.ID, member, out, player}, "wrote %s   player %s\n", out, player)
}
