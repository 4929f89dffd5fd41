// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/internal/store"
	"github.com/krow-lab/krow/learn/colony"
)

func newColony() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "colony",
		Short: "Look at a bred colony, and let its members play",
		Long: `A colony is what "krow learn genetic" bred for ultimate tic-tac-toe: its number is that of the run, its
members count from 1, the best. They can be listed, written to files that players load, and meet each other and
anybody else in a tournament.`,
		Example: `  krow colony list 1
  krow colony export 1 2 --out second.json
  krow colony tournament 1/1-5 random mcts:sims=100`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return misusef("there are list, export and tournament", "%s needs to know what to do", cmd.CommandPath())
		},
	}
	cmd.AddCommand(newColonyList(), newColonyExport(), newColonyTournament())
	return cmd
}

// colonyOf returns the colony of a run, as it is after its last step.
func colonyOf(r *store.Run) (*colony.Colony, error) {
	id, err := identityOf(r)
	if err != nil {
		return nil, err
	}
	l, err := id.learner(id.Learner)
	if err == nil && r.State != nil {
		err = restore(l, r)
	}
	if err != nil {
		return nil, err
	}
	g, err := catalog.Game(id.Game)
	if err != nil {
		return nil, err
	}
	c, err := colony.New(g, l)
	if err != nil {
		return nil, fmt.Errorf("run %d, %s: %w", r.ID, r.Key, err)
	}
	return c, nil
}

func newColonyList() *cobra.Command {
	var db databaseFlag
	cmd := &cobra.Command{
		Use:   "list RUN",
		Short: "List the members of a colony",
		Long: `List the members of a colony after its last generation, the best first: the share of its games that each
won, the generation it was born in, and its weights. "krow learn list" lists the runs.`,
		Example: "  krow colony list 1",
		Args:    exactly("RUN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return db.lookAt(args[0], func(_ *store.Store, r *store.Run) error {
				c, err := colonyOf(r)
				if err != nil {
					return err
				}
				if asJSON(cmd) {
					return listMembersJSON(cmd.OutOrStdout(), r, c)
				}
				return listMembers(cmd.OutOrStdout(), r, c)
			})
		},
	}
	db.add(cmd)
	return cmd
}

// listMembers prints a line for each member.
//
//	run 1   genetic ultimate seed=7   generation 30 of 30
//	member  fitness  born  corner  centre  edge  ...
//	1       0.95     22    4.31    7.2     -1.5
func listMembers(w io.Writer, r *store.Run, c *colony.Colony) error {
	fmt.Fprintf(w, "run %d   %s   generation %d of %d\n", r.ID, r.Key, r.Step, r.Steps)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "member\tfitness\tborn")
	for _, i := range c.Indicators() {
		fmt.Fprintf(t, "\t%s", i)
	}
	fmt.Fprintln(t)
	for n, m := range c.Members {
		fmt.Fprintf(t, "%d\t%.4g\t%d", n+1, m.Fitness, m.Born)
		for _, i := range c.Indicators() {
			fmt.Fprintf(t, "\t%.3g", m.Weights[i])
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

type memberJSON struct {
	Run        int64              `json:"run"`
	Member     int                `json:"member"`
	Fitness    float64            `json:"fitness"`
	Born       int                `json:"born"`
	Generation int                `json:"generation"`
	Weights    map[string]float64 `json:"weights"`
}

func listMembersJSON(w io.Writer, r *store.Run, c *colony.Colony) error {
	for n, m := range c.Members {
		weights := map[string]float64{}
		for _, i := range c.Indicators() {
			weights[i.String()] = m.Weights[i]
		}
		if err := printJSON(w, memberJSON{r.ID, n + 1, m.Fitness, m.Born, r.Step, weights}); err != nil {
			return err
		}
	}
	return nil
}

func newColonyExport() *cobra.Command {
	var db databaseFlag
	var out string
	cmd := &cobra.Command{
		Use:     "export RUN MEMBER",
		Short:   "Write the weights of a member to a file",
		Long:    "Write the weights of a member, from 1, the best, to a file, and say which player loads it.",
		Example: "  krow colony export 1 2 --out second.json",
		Args:    exactly("RUN", "MEMBER"),
		RunE: func(cmd *cobra.Command, args []string) error {
			member, err := strconv.Atoi(args[1])
			if err != nil {
				return misusef("the best is 1", "MEMBER must be the number of a member, not %q", args[1])
			}
			if out == "" {
				return misusef("for example --out second.json", "%s needs --out", cmd.CommandPath())
			}
			if err := (&learning{out: out, db: db}).checkFiles(); err != nil {
				return err
			}
			return db.lookAt(args[0], func(_ *store.Store, r *store.Run) error {
				return exportMember(cmd, r, member, out)
			})
		},
	}
	db.add(cmd)
	cmd.Flags().StringVar(&out, "out", "", "file to write the weights to")
	return cmd
}

type exportedJSON struct {
	Final  bool   `json:"final"`
	Run    int64  `json:"run"`
	Member int    `json:"member"`
	Out    string `json:"out"`
	Player string `json:"player"` // the spec of who plays as the member does
}

func exportMember(cmd *cobra.Command, r *store.Run, member int, out string) error {
	c, err := colonyOf(r)
	if err != nil {
		return err
	}
	if err := c.Check(member); err != nil {
		return &misuse{err: fmt.Errorf("run %d: %w", r.ID, err)}
	}
	if err := c.Save(member, out); err != nil {
		return err
	}
	if asJSON(cmd) {
		return printJSON(cmd.OutOrStdout(), exportedJSON{true, r.ID, member, out, c.Spec(out)})
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "wrote %s   player %s\n", out, c.Spec(out))
	return err
}
