// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/proof"
	"github.com/krow-lab/krow/server/match"
	"github.com/krow-lab/krow/server/players"
	"github.com/krow-lab/krow/server/runs"
	"github.com/krow-lab/krow/server/store"
)

type databaseFlag struct{ name string }

func (f *databaseFlag) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.name, "db", "", "`FILE` of the database (default krow/krow.db in the user's data folder)")
}

func (f *databaseFlag) file() (string, error) {
	if f.name != "" {
		return f.name, nil
	}
	return store.DefaultFile()
}

// open opens the database, and creates it if it is missing.
func (f *databaseFlag) open() (*store.Store, error) {
	name, err := f.file()
	if err != nil {
		return nil, err
	}
	return store.Open(name)
}

// openOld opens an existing database. If the file is missing, the error contains the text of the parameter none, for example
// that there are no bots.
func (f *databaseFlag) openOld(none string) (*store.Store, error) {
	name, err := f.file()
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("store %s: there is no such file: %s", name, none)
	}
	return store.Open(name)
}

const noRuns = "nothing has been learned yet"

// lookFor opens an existing database as openOld does, calls do with it, and closes it.
func (f *databaseFlag) lookFor(none string, do func(*store.Store) error) error {
	s, err := f.openOld(none)
	if err != nil {
		return err
	}
	return errors.Join(do(s), s.Close())
}

// withStore adds to cmd the flag --db and the function RunE, which calls do with an existing database. lookFor opens and
// closes the database.
func withStore(cmd *cobra.Command, none string, do func(cmd *cobra.Command, args []string, s *store.Store) error) *cobra.Command {
	var db databaseFlag
	db.add(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return db.lookFor(none, func(s *store.Store) error { return do(cmd, args, s) })
	}
	return cmd
}

// lookAt opens an existing database and calls do with the learning run whose number is the text run.
func (f *databaseFlag) lookAt(run string, do func(*runs.Run) error) error {
	id, err := strconv.ParseInt(run, 10, 64)
	if err != nil || id < 1 {
		return misusef("krow learn list tells the numbers of the runs", "RUN must be the number of a run, not %q", run)
	}
	return f.lookFor(noRuns, func(s *store.Store) error {
		r, err := runs.Open(s, id)
		if err != nil {
			return err
		}
		return do(r)
	})
}

// aboutRun completes a command whose argument is the number of a learning run. It adds the flag --db and the function RunE,
// which calls do with that run.
func aboutRun(cmd *cobra.Command, do func(*cobra.Command, *runs.Run) error) *cobra.Command {
	var db databaseFlag
	db.add(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return db.lookAt(args[0], func(r *runs.Run) error { return do(cmd, r) })
	}
	return cmd
}

// addYes adds the flag --yes to a command that calls deleteAsked.
func addYes(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().Bool("yes", false, "delete without a question")
	return cmd
}

// deleteAsked deletes a thing by a call of the function do. Without the flag --yes it first asks the user on the terminal whether
// to delete the thing, and names the thing by the text what. It calls do only if the user confirms.
func deleteAsked(cmd *cobra.Command, what string, do func() error) error {
	yes, _ := cmd.Flags().GetBool("yes")
	answer := ""
	switch {
	case yes:
	case terminalWidth(cmd.InOrStdin()) == 0:
		return misusef("--yes deletes it", "nobody can be asked whether to delete %s", what)
	default:
		fmt.Fprintf(cmd.ErrOrStderr(), "Delete %s? This cannot be undone. [y/N] ", what)
		_, _ = fmt.Fscanln(cmd.InOrStdin(), &answer)
		yes = strings.HasPrefix(strings.ToLower(answer), "y")
	}
	if !yes {
		return errors.New("nothing was deleted")
	}
	if err := do(); err != nil {
		return err
	}
	return printAnswer(cmd, map[string]any{"deleted": what}, "deleted %s\n", what)
}

// none maps a kind of player that is stored in the database to the explanation that is printed if the database is missing.
var none = map[string]string{players.Run: noRuns, players.Bot: noBots}

// players returns two results for the player that text describes: the spec that is stored with the games of the player, and
// a function that makes the player. text is a spec, which may also name a learning run or a bot in the database.
func (f *databaseFlag) players(cmd *cobra.Command, g game.Game, text string) (settled string, open match.Open, err error) {
	kept := players.Kept(text)
	if kept == "" {
		if name, _, _ := strings.Cut(text, ":"); name == "best" && krow.Best(g) == "mics" {
			fmt.Fprintf(cmd.ErrOrStderr(), "best is mics: no engine of krow plays %s\n", g)
		}
		if name := krow.ProofFile(text); name != "" {
			_, err = readProof(cmd, name) // package krow keeps the certificate for the player that is made later
		}
		return text, krow.Player, err
	}
	err = f.lookFor(none[kept], func(s *store.Store) (err error) {
		if settled, err = players.Settle(s, g, text); err != nil {
			return err
		}
		maker, err := players.Maker(s, nil, g, spec.Trusted, settled)
		open = func(_ game.Game, _ string, seed uint64) (player.Player, error) { return maker(seed) }
		return err
	})
	return settled, open, err
}

// player makes the player that text describes. text is a spec, which may also name a learning run or a bot in the database.
func (f *databaseFlag) player(cmd *cobra.Command, g game.Game, text string, seed uint64) (player.Player, error) {
	_, open, err := f.players(cmd, g, text)
	if err != nil {
		return nil, err
	}
	return open(g, text, seed)
}

// readProof reads the certificate that a player is to follow. It shows progress on the terminal, because a large certificate
// takes half a minute to read.
func readProof(cmd *cobra.Command, name string) (*proof.Strategy, error) {
	return working(cmd, func(line *statusLine) (*proof.Strategy, error) {
		return krow.ReadProof(cmd.Context(), name, func(positions uint64) {
			line.showWhenDue("proof %s: %s positions", name, humanize.Count(positions))
		})
	})
}
