// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/app/export"
	"github.com/krow-lab/krow/app/gamefile"
	"github.com/krow-lab/krow/internal/inputfile"
)

type convertCommand struct {
	gamesFlags
	to    string
	out   outFlag
	merge bool
}

func newConvert() *cobra.Command {
	var o convertCommand
	cmd := &cobra.Command{
		Use:   "convert FILE",
		Short: "Convert files of games between formats",
		Long: `Read games in one format and write them in another: sgf (FF[4], GM[4]), psq (Piskvork), binpack
(c-gomoku-cli), renlib (RenLib's .lib, a tree of moves with comments; sgf keeps the tree and the comments), games (the
format of krow match), position (a drawn board, the last position of one game), moves (the moves of one game) and html
(write only: a page to step through the games, which needs no server). krow finds the format of FILE by its extension or
its content; - stands for standard input. If the file is damaged, the error names the line, and nothing is written.`,
		Example: `  krow convert games.jsonl --to sgf --out games.sgf
  krow convert final.psq --to games --out final.jsonl --game standard:20
  krow convert games.jsonl --number 3 --to psq --out third.psq
  krow convert problem.txt --game renju --to sgf > problem.sgf`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.convertFile(cmd, args[0]) },
	}
	addChoice(cmd, &o.to, "to", "`FORMAT` to write: "+strings.Join(writable(), ", "), writable()...)
	o.gamesFlags.add(cmd)
	cmd.Flags().BoolVar(&o.merge, "merge", false, "merge variations of a tree that are equal by symmetry")
	o.out.add(cmd, "out", "`FILE` to write (default standard output)")
	_ = cmd.MarkFlagRequired("to")
	return cmd
}

// writable returns the formats that can be written: the file formats and html.
func writable() []string { return append(gamefile.Names(), "html") }

func (o *convertCommand) convertFile(cmd *cobra.Command, in string) error {
	if err := o.out.checkFile(); err != nil {
		return err
	}
	games, err := o.read(cmd.Context(), in)
	if err != nil {
		return err
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
		return fmt.Errorf("%s: %w", inputfile.Name(in), err)
	}
	return o.out.write(cmd, written)
}
