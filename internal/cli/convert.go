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

	"github.com/krow-lab/krow/app/gamefile"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/internal/wholefile"
)

type convertCommand struct {
	from, to, game, out string
	merge               bool
}

func newConvert() *cobra.Command {
	var o convertCommand
	formats := gamefile.Names()
	cmd := &cobra.Command{
		Use:   "convert IN",
		Short: "Convert files of games between formats",
		Long: `Read games in one format and write them in another: sgf (FF[4], GM[4]), psq (Piskvork), binpack
(c-gomoku-cli), renlib (RenLib's .lib, a tree with comments, which sgf keeps), games (what krow match writes), position (a drawn board, the last position of one game) and moves (a
list, of one game). The format of IN follows from the end of its name, or from its look. Damage of any kind is an
error that names the line; nothing is written then.`,
		Example: `  krow convert games.jsonl --to sgf --out games.sgf
  krow convert final.psq --to games --out final.jsonl --game standard:20
  krow convert problem.txt --game renju --to sgf --out problem.sgf`,
		RunE: func(_ *cobra.Command, args []string) error { return o.run(args[0]) },
	}
	f := cmd.Flags()
	f.StringVar(&o.to, "to", "", "format to write: "+strings.Join(formats, ", "))
	f.StringVar(&o.from, "from", "", "format of IN (default by the end of its name, or by its look)")
	f.StringVar(&o.game, "game", "", "game of IN, where the file does not say it")
	f.BoolVar(&o.merge, "merge", false, "of a tree: make variations one that are the same up to symmetry")
	f.StringVar(&o.out, "out", "", "file to write")
	completeFlag(cmd, "to", fixed(formats...))
	completeFlag(cmd, "from", fixed(formats...))
	return cmd
}

func (o *convertCommand) run(in string) error {
	if o.to == "" || o.out == "" {
		return misusef("for example --to sgf --out games.sgf", "convert needs --to and --out")
	}
	for _, flag := range [][2]string{{"from", o.from}, {"to", o.to}} {
		if all := gamefile.Names(); flag[1] != "" && !slices.Contains(all, flag[1]) {
			return misusef(spec.Hint(flag[1], all), "--%s needs %s, not %q", flag[0], strings.Join(all, ", "), flag[1])
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
	written, err := gamefile.Write(o.to, games)
	if err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	return wholefile.Write(o.out, written)
}
