// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/app/export"
	"github.com/krow-lab/krow/app/gamefile"
	"github.com/krow-lab/krow/internal/atomicfile"
	"github.com/krow-lab/krow/internal/spec"
)

type convertCommand struct {
	from, to, game, out string
	merge               bool
}

func newConvert() *cobra.Command {
	var o convertCommand
	cmd := &cobra.Command{
		Use:   "convert IN",
		Short: "Convert files of games between formats",
		Long: `Read games in one format and write them in another: sgf (FF[4], GM[4]), psq (Piskvork), binpack
(c-gomoku-cli), renlib (RenLib's .lib, a tree with comments, which sgf keeps), games (what krow match writes), position (a
drawn board, the last position of one game), moves (a list, of one game) and html (written only: a page to step through
the games, which needs no server). The format of IN follows from the end of its name, or from its look. Damage of any kind is an
error that names the line; nothing is written then.`,
		Example: `  krow convert games.jsonl --to sgf --out games.sgf
  krow convert final.psq --to games --out final.jsonl --game standard:20
  krow convert problem.txt --game renju --to sgf --out problem.sgf`,
		RunE: func(_ *cobra.Command, args []string) error { return o.run(args[0]) },
	}
	f := cmd.Flags()
	f.StringVar(&o.to, "to", "", "format to write: "+strings.Join(writable(), ", "))
	f.StringVar(&o.from, "from", "", "format of IN (default by the end of its name, or by its look)")
	f.StringVar(&o.game, "game", "", "game of IN, where the file does not say it")
	f.BoolVar(&o.merge, "merge", false, "of a tree: make variations one that are the same up to symmetry")
	f.StringVar(&o.out, "out", "", "file to write")
	require(cmd, "to", "out")
	completeFlag(cmd, "to", fixed(writable()...))
	completeFlag(cmd, "from", fixed(gamefile.Names()...))
	return cmd
}

// writable returns the formats that can be written: those of files of games, and a page.
func writable() []string { return append(gamefile.Names(), "html") }

func (o *convertCommand) run(in string) error {
	for _, flag := range []struct {
		name, value string
		all         []string
	}{{"from", o.from, gamefile.Names()}, {"to", o.to, writable()}} {
		if flag.value != "" && !slices.Contains(flag.all, flag.value) {
			return misusef(spec.Hint(flag.value, flag.all), "--%s needs %s, not %q", flag.name, strings.Join(flag.all, ", "), flag.value)
		}
	}
	if err := checkOut(o.out); err != nil {
		return err
	}
	data, err := os.ReadFile(in)
	if err != nil {
		return err
	}
	from := cmp.Or(o.from, gamefile.ByName(in), gamefile.Look(data))
	games, err := gamefile.Read(data, from, gamefile.Options{Game: o.game})
	switch {
	case errors.Is(err, gamefile.ErrGame) && from == "position":
		return misusef("for example --game renju", "a position needs --game")
	case errors.Is(err, gamefile.ErrGame) && o.from == "moves":
		return misusef("for example --game renju", "a list of moves needs --game")
	case errors.Is(err, gamefile.ErrGame):
		return misusef("give --game, or --from "+strings.Join(gamefile.Names(), "|"), "%s does not look like a file of games", in)
	case err != nil:
		return fmt.Errorf("%s: %w", in, err)
	}
	for i := range games {
		if games[i].Cut > 0 {
			report(os.Stderr, fmt.Errorf("%s: %d moves that the rules refuse are left out", in, games[i].Cut))
		}
		if o.merge {
			games[i].Merge()
		}
	}
	write := func() ([]byte, error) { return gamefile.Write(o.to, games) }
	if o.to == "html" {
		write = func() ([]byte, error) { return export.Write(games) }
	}
	written, err := write()
	if err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	return atomicfile.Write(o.out, written)
}
