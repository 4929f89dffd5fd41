// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/internal/wholefile"
)

type converting struct{ from, to, game, out string }

// formats are the kinds of files of games, each with the ends of their names.
var formats = []struct {
	name  string
	ends  []string
	read  func(data []byte, name, game string) ([]converted, error)
	write func(games []converted) ([]byte, error)
}{
	{"sgf", []string{".sgf"}, readSGF, writeSGF},
	{"psq", []string{".psq"}, readPSQ, writePSQ},
	{"binpack", []string{".binpack"}, readBinpack, writeBinpack},
	{"games", []string{".jsonl", ".json"}, readGames, writeGames},
	{"position", []string{".txt", ".pos"}, readPosition, writePosition},
}

func formatNames() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// converted is a game between two formats.
type converted struct {
	position game.Board   // at the end
	moves    []game.Move  // since the start, or since the position that was set up
	opening  int          // how many of them were given
	names    [2]string    // of the first side and the second; may be empty
	outcome  game.Outcome // Ongoing where the game is not finished
	reason   string       // as in package record; empty where the game is not finished
	micros   []int64      // of each move after the opening, as far as they are known
	seed     uint64
}

func newConvert() *cobra.Command {
	var o converting
	cmd := &cobra.Command{
		Use:   "convert IN",
		Short: "Convert files of games between formats",
		Long: `Read games in one format and write them in another: sgf (FF[4], GM[4]), psq (Piskvork), binpack
(c-gomoku-cli), games (what krow match writes), and position (a drawn board, the last position of one
game). The format of IN follows from the end of its name. Damage of any kind is an error that names the line; nothing is written then.`,
		Example: `  krow convert games.jsonl --to sgf --out games.sgf
  krow convert final.psq --to games --out final.jsonl --game standard:20
  krow convert problem.txt --game renju --to sgf --out problem.sgf`,
		Args: exactly("IN"),
		RunE: func(_ *cobra.Command, args []string) error { return o.run(args[0]) },
	}
	f := cmd.Flags()
	f.StringVar(&o.to, "to", "", "format to write: "+strings.Join(formatNames(), ", "))
	f.StringVar(&o.from, "from", "", "format of IN (default by the end of its name)")
	f.StringVar(&o.game, "game", "", "game of IN, where the file does not say it")
	f.StringVar(&o.out, "out", "", "file to write")
	completeFlag(cmd, "to", fixed(formatNames()...))
	completeFlag(cmd, "from", fixed(formatNames()...))
	completeFlag(cmd, "game", completeGames)
	return cmd
}

func (o *converting) run(in string) error {
	from, err := o.source(in)
	if err != nil {
		return err
	}
	if o.to == "" || o.out == "" {
		return misusef("for example --to sgf --out games.sgf", "convert needs --to and --out")
	}
	to, err := format("to", o.to)
	if err != nil {
		return err
	}
	if err := checkOut(o.out); err != nil {
		return err
	}
	data, err := os.ReadFile(in)
	if err != nil {
		return err
	}
	if from != slices.Index(formatNames(), "binpack") {
		data = bytes.TrimPrefix(data, []byte("\ufeff")) // some editors begin a text with it
	}
	games, err := formats[from].read(data, in, o.game)
	switch {
	case err != nil:
		return err
	case len(games) == 0:
		return fmt.Errorf("%s: no game in it", in)
	}
	written, err := formats[to].write(games)
	if err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	return wholefile.Write(o.out, written)
}

// source returns the format of the file that is read.
func (o *converting) source(in string) (int, error) {
	if o.from != "" {
		return format("from", o.from)
	}
	end := strings.ToLower(filepath.Ext(in))
	for i, f := range formats {
		if slices.Contains(f.ends, end) {
			return i, nil
		}
	}
	return 0, misusef("give --from "+strings.Join(formatNames(), "|"), "%s does not end as a file of games does", in)
}

func format(flag, name string) (int, error) {
	i := slices.Index(formatNames(), name)
	if i < 0 {
		return 0, misusef(spec.Hint(name, formatNames()), "--%s needs %s, not %q", flag, strings.Join(formatNames(), ", "), name)
	}
	return i, nil
}

// moveTo returns the legal move that places a stone on the cell.
func moveTo(b game.Board, cell int) (game.Move, bool) {
	for _, m := range b.AppendMoves(nil) {
		if b.Cell(m) == cell {
			return m, true
		}
	}
	return game.NoMove, false
}

// playCell plays a stone on the cell.
func playCell(b game.Board, cell int) error {
	m, ok := moveTo(b, cell)
	if !ok {
		columns, _ := b.Size()
		return fmt.Errorf("move %d: no stone can be placed on %s", len(b.AppendHistory(nil))+1, game.FormatCell(cell, columns))
	}
	b.Play(m)
	return nil
}

// board returns the position as one with cells.
func board(p game.Position) (game.Board, error) {
	b, ok := p.(game.Board)
	if !ok {
		return nil, fmt.Errorf("%s has no board of stones", p.Game())
	}
	return b, nil
}

// fits returns an error unless the board is of this size.
func fits(b game.Board, columns, rows int) error {
	if c, r := b.Size(); c != columns || r != rows {
		return fmt.Errorf("%s has %d x %d cells, and the game %d x %d", b.Game(), c, r, columns, rows)
	}
	return nil
}
