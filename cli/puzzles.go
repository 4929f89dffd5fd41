// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/puzzles"
	"github.com/krow-lab/krow/notation"
)

func newPuzzles() *cobra.Command {
	var file, theme string
	var count int
	var seed uint64
	cmd := &cobra.Command{
		Use:   "puzzles [GAME]",
		Short: "Solve positions with one right move",
		Long: `Solve puzzles: positions in which only one move wins, or only one move does not lose. Type your move, or one of
these words: "hint" shows the theme, a second "hint" the move; "skip" shows the solution; "quit" ends. krow contains
puzzles of nine games. The page (krow serve) also rates you and repeats puzzles that you did not solve.`,
		Example: "  krow puzzles\n  krow puzzles renju --theme vcf",
		RunE: func(cmd *cobra.Command, args []string) error {
			all, err := puzzles.Load(file)
			if err != nil {
				return err
			}
			if all, err = puzzles.Select(all, strings.Join(args, ""), puzzles.Theme(theme)); err != nil {
				return err
			}
			rng := rand.New(rand.NewPCG(seed, 0))
			lines := bufio.NewScanner(cmd.InOrStdin())
			for range count {
				t := trainer{&all[rng.IntN(len(all))], cmd.OutOrStdout(), lines}
				if err := t.solve(cmd.Context()); err != nil {
					if errors.Is(err, io.EOF) {
						return nil
					}
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&file, "file", "", "read the puzzles from this `FILE`")
	var themes []string
	for _, t := range puzzles.Themes() {
		themes = append(themes, string(t))
	}
	addChoice(cmd, &theme, "theme", "only puzzles of this `THEME`: "+strings.Join(themes, ", "), themes...)
	addNumber(cmd, &count, "count", 10, 1, 0, "number of puzzles")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the choice of puzzles")
	return cmd
}

// trainer lets the user solve one puzzle on the command line.
type trainer struct {
	*puzzles.Puzzle
	out   io.Writer
	lines *bufio.Scanner
}

// solve asks for moves until the puzzle is solved or skipped. At the end of the input, or if the user types
// quit, it returns io.EOF.
func (t *trainer) solve(ctx context.Context) error {
	played, hints := "", 0
	for shown := false; ; {
		if !shown {
			if err := t.printPosition(played); err != nil {
				return err
			}
			shown = true
		}
		fmt.Fprint(t.out, "move: ")
		if !t.lines.Scan() {
			fmt.Fprintln(t.out)
			return cmp.Or(t.lines.Err(), io.EOF)
		}
		switch word := strings.TrimSpace(t.lines.Text()); word {
		case "":
		case "quit":
			return io.EOF
		case "skip":
			fmt.Fprintf(t.out, "the move was %s\n", t.Line)
			return nil
		case "hint":
			hints++
			h, err := t.Hint(ctx, played, min(hints, 2)*2-1)
			if err != nil {
				return err
			}
			fmt.Fprintln(t.out, strings.TrimSpace(string(h.Theme)+" "+h.Move))
		default:
			a, err := t.Answer(ctx, played, word)
			if ctx.Err() != nil {
				return errInterrupted
			}
			if err != nil {
				fmt.Fprintln(t.out, err)
				continue
			}
			t.printAnswer(word, a)
			if a.Why == puzzles.Solved {
				return nil
			}
			if a.Why == puzzles.Goes {
				played, shown = strings.TrimSpace(played+" "+word+" "+a.Reply), false
			}
		}
	}
}

func (t *trainer) printPosition(played string) error {
	g, err := krow.Game(t.Game)
	if err != nil {
		return err
	}
	p := g.Start()
	if err := notation.Play(p, t.Moves+" "+played); err != nil {
		return err
	}
	what := "one move wins"
	switch {
	case played != "":
		what = "your next move"
	case t.Theme == puzzles.Defence:
		what = "one move saves the game"
	}
	_, err = fmt.Fprintf(t.out, "%s%s, difficulty %d, %s to move: %s\n", notation.FormatBoard(p), t.Game, t.Grade, p.Turn(), what)
	return err
}

// printAnswer prints the result of a move.
func (t *trainer) printAnswer(move string, a puzzles.Answer) {
	line := strings.Join(a.Line, " ")
	switch a.Why {
	case puzzles.Solved:
		fmt.Fprintln(t.out, strings.TrimSpace("solved "+line))
	case puzzles.Goes:
		if a.Reply == "" {
			fmt.Fprintln(t.out, "right; now the second stone")
			return
		}
		fmt.Fprintf(t.out, "right; the answer is %s\n", a.Reply)
	case puzzles.Loses:
		fmt.Fprintln(t.out, strings.TrimSpace(move+" loses to "+line))
	case puzzles.Draws:
		fmt.Fprintln(t.out, strings.TrimSpace(move+" is a draw: "+line))
	default:
		fmt.Fprintf(t.out, "%s does not win: %s\n", move, line)
	}
}
