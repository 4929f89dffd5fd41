// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/app/export"
	"github.com/krow-lab/krow/app/gamefile"
	"github.com/krow-lab/krow/internal/atomicfile"
)

type convertCommand struct {
	from, to, game, out string
	merge               bool
}

func newConvert() *cobra.Command {
	var o convertCommand
	cmd := &cobra.Command{
		Use:   "convert FILE",
		Short: "Convert files of games between formats",
		Long: `Read games in one format and write them in another: sgf (FF[4], GM[4]), psq (Piskvork), binpack (c-gomoku-cli), renlib
(RenLib's .lib, a tree with comments, which sgf keeps), games (the format of krow match), position (a drawn board, the last
position of one game), moves (the moves of one game) and html (write only: a page to step through the games, which needs no
server). The format of FILE follows from its extension or its content. If the file is corrupt, the error names the line and
nothing is written.`,
		Example: `  krow convert games.jsonl --to sgf --out games.sgf
  krow convert final.psq --to games --out final.jsonl --game standard:20
  krow convert problem.txt --game renju --to sgf --out problem.sgf`,
		RunE: func(_ *cobra.Command, args []string) error { return o.convertFile(args[0]) },
	}
	f := cmd.Flags()
	addChoice(cmd, &o.to, "to", "`FORMAT` to write: "+strings.Join(writable(), ", "), writable()...)
	addChoice(cmd, &o.from, "from", "`FORMAT` of the file that is read (default by its name or content)", gamefile.Names()...)
	f.StringVar(&o.game, "game", "", "`GAME` of a file that does not name it")
	f.BoolVar(&o.merge, "merge", false, "merge variations of a tree that are equal by symmetry")
	f.StringVar(&o.out, "out", "", "`FILE` to write")
	_ = cmd.MarkFlagRequired("to")
	_ = cmd.MarkFlagRequired("out")
	return cmd
}

// writable returns the formats that can be written: the file formats and html.
func writable() []string { return append(gamefile.Names(), "html") }

func (o *convertCommand) convertFile(in string) error {
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
