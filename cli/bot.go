// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/atomicfile"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/bot"
)

func newBotNew() *cobra.Command {
	var from, kit string
	var lesson int
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "Write a program to begin with",
		Long: `Write the file NAME.star, which contains a program to start from: an example, or the final program of a lesson. If
the file exists already, the command fails. The examples are ` + strings.Join(bot.ExampleNames(), ", ") + `. With --kit the folder NAME is written, with
a program in ` + strings.Join(bot.Kits(), ", ") + ` to compile to WebAssembly, and instructions for compiling it.`,
		Example: "  krow bot new mine\n  krow bot new deep --from alphabeta\n  krow bot new learner --lesson 7\n  krow bot new fast --kit c",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := bot.CheckName(args[0]); err != nil {
				return misusef("", "%v", err)
			}
			if kit != "" {
				if err := bot.WriteKit(args[0], kit); err != nil {
					return err
				}
				return printAnswer(cmd, map[string]string{"folder": args[0]}, "%s written; %s says how it is built\n", args[0], filepath.Join(args[0], "README.md"))
			}
			file := args[0] + ".star"
			if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("%s exists already", file)
			}
			if err := atomicfile.Write(file, []byte(bot.StartingSource(from, lesson))); err != nil {
				return err
			}
			return printAnswer(cmd, map[string]string{"file": file}, "%s written; krow bot play %s plays it\n", file, file)
		},
	}
	from = "win-block"
	addChoice(cmd, &from, "from", "`EXAMPLE` to start from", bot.ExampleNames()...)
	addNumber(cmd, &lesson, "lesson", 0, 1, len(bot.Lessons()), fmt.Sprintf("start from the final program of this lesson, 1 to %d", len(bot.Lessons())))
	addChoice(cmd, &kit, "kit", "`LANGUAGE` of a starter kit: "+strings.Join(bot.Kits(), ", "), bot.Kits()...)
	cmd.MarkFlagsMutuallyExclusive("from", "lesson", "kit")
	return cmd
}

func newBotTest() *cobra.Command {
	return &cobra.Command{
		Use:   "test FILE",
		Short: "Find errors in a program, and run its tests",
		Long: `Print the errors of a program, line by line, without running it: syntax, unknown names, missing functions. If there are
none, run the tests that the program declares in its list tests. Each test has three parts: a game, the moves that lead to a
position, and the moves of which the program should play one, such as ("gomoku", "h8 a1 i8 b1 j8 c1 k8 d1", "g8|l8").`,
		Example: "  krow bot test mine.star",
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := bot.Read(args[0])
			if err != nil {
				return err
			}
			if faults := bot.Check(p); len(faults) > 0 {
				err := printRows(cmd.OutOrStdout(), asJSON(cmd), "", faults, func(f bot.Fault) string {
					return fmt.Sprintf("%s:%d:%d: %s", args[0], f.Line, f.Column, f.Text)
				})
				return cmp.Or(err, fmt.Errorf("%s: lines with errors: %d", filepath.Base(args[0]), len(faults)))
			}
			all, err := request.RunTests(cmd.Context(), p)
			if err != nil {
				return err
			}
			failed := 0
			for _, t := range all {
				if !t.Passed {
					failed++
				}
			}
			if err := printRows(cmd.OutOrStdout(), asJSON(cmd), "", all, request.Tested.String); err != nil {
				return err
			}
			if failed > 0 {
				return fmt.Errorf("%s: %d of %d tests failed", p.Name, failed, len(all))
			}
			return nil
		},
	}
}

type botPlayCommand struct {
	game, against string
	second        bool
	seed          uint64
	db            databaseFlag
}

func newBotPlay() *cobra.Command {
	var c botPlayCommand
	cmd := &cobra.Command{
		Use:   "play FILE [GAME]",
		Short: "Play a game with a program, and show what it prints and draws",
		Long: `Play a game between a program and another player. For each move of the program, the command first shows the
lines that the program printed and the cells that it marked, and then the move, the number of computation steps and the
time. The last position is printed at the end.`,
		Example: "  krow bot play mine.star\n  krow bot play mine.star connect4 --against rules --second",
		RunE: func(cmd *cobra.Command, args []string) error {
			c.game = cmp.Or(strings.Join(args[1:], ""), "gomoku")
			return c.playTrial(cmd, args[0])
		},
	}
	cmd.Flags().StringVar(&c.against, "against", "random", "the other `PLAYER`: see krow list players")
	cmd.Flags().BoolVar(&c.second, "second", false, "the program moves second")
	cmd.Flags().Uint64Var(&c.seed, "seed", 1, "seed of both players")
	c.db.add(cmd)
	return cmd
}

func (c *botPlayCommand) playTrial(cmd *cobra.Command, file string) error {
	g, err := krow.Game(c.game)
	if err != nil {
		return err
	}
	p, err := bot.Read(file)
	if err != nil {
		return err
	}
	board, ok := g.Start().(game.Board)
	if !ok {
		return misusef("", "%s has no board", g)
	}
	_, open, err := c.db.players(cmd, g, c.against)
	if err != nil {
		return err
	}
	opponent := func(seed uint64) (player.Player, error) { return open(g, c.against, seed) }
	if other, err := opponent(c.seed); err != nil {
		return err
	} else if player.Close(other); player.IsHuman(other) {
		return misusef("krow play GAME bot:FILE", "a person cannot play here")
	}
	t := request.Trial{Position: board, Side: game.First, Bot: p, Opponent: opponent, Seed: c.seed}
	if c.second {
		t.Side = game.Second
	}
	out, json := cmd.OutOrStdout(), asJSON(cmd)
	end, err := t.Play(cmd.Context(), func(m request.TrialMove) error {
		if json {
			return printJSON(out, m)
		}
		_, err := fmt.Fprintln(out, m)
		return err
	})
	switch {
	case err != nil:
		return err
	case json:
		err = printJSON(out, end)
	default:
		columns, _ := t.Position.Size()
		fmt.Fprintf(out, "%s\n%s\n%s\n", request.LinesText(end.Lines, columns), notation.FormatBoard(t.Position), end.Outcome)
	}
	if end.Bot {
		return fmt.Errorf("%s forfeits: %s", p.Name, end.Reason)
	}
	if end.Reason != "" {
		return errors.New(end.Reason)
	}
	return err
}
