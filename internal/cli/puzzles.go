// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/engine/gomoku/tactics"
	"github.com/krow-lab/krow/internal/wholefile"
	"github.com/krow-lab/krow/search"
)

func newPuzzles() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "puzzles",
		Short: "Solve, find and check forced wins in five in a row",
		Long: `A puzzle is a position in which one move wins by threats, and no other does. The program brings a collection;
run measures how many the engine solves, mine finds more in games of the engine against itself, and check replays
wins that the engine announces against every defence, on the rules alone.`,
		Example: `  krow puzzles run --time 100ms
  krow puzzles mine renju --count 5 --seed 1
  krow puzzles check gomoku --count 100 --seed 1`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return misusef("there are run, mine and check", "%s needs to know what to do", cmd.CommandPath())
		},
	}
	cmd.AddCommand(newPuzzlesRun(), newPuzzlesMine(), newPuzzlesCheck())
	return cmd
}

// solveJSON is how the puzzles of a game and of a length went, as --json prints it.
type solveJSON struct {
	Game    string `json:"game"`
	Plies   int    `json:"plies"` // the least of the row, which has four lengths
	Puzzles int    `json:"puzzles"`
	Right   int    `json:"right"`
	Solved  int    `json:"solved"`
}

func newPuzzlesRun() *cobra.Command {
	var lim limitFlags
	var file, only string
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Let the engine solve puzzles",
		Long: `Let the engine solve each puzzle with a fresh table, in one thread, and say by game and length how often it
plays the winning move, and how often it announces a win that it has proved.`,
		Example: `  krow puzzles run --time 100ms
  krow puzzles run --nodes 50000 --game renju --file mine.jsonl`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			limits, err := lim.limits()
			if err != nil {
				return err
			}
			if limits == (search.Limits{}) {
				return misusef("--time 100ms is what the collection is measured with", "krow puzzles run needs --time, --nodes or --depth")
			}
			puzzles, err := readPuzzles(file)
			if err != nil {
				return err
			}
			if puzzles, err = onlyOf(puzzles, only); err != nil {
				return err
			}
			return runPuzzles(cmd, puzzles, limits)
		},
	}
	lim.add(cmd, "for each puzzle")
	cmd.Flags().StringVar(&file, "file", "", "read the puzzles from a file instead")
	cmd.Flags().StringVar(&only, "game", "", "only the puzzles of this game")
	completeFlag(cmd, "game", completeGames)
	return cmd
}

// readPuzzles reads a file of puzzles, or the collection.
func readPuzzles(file string) ([]tactics.Puzzle, error) {
	if file == "" {
		return tactics.Puzzles(), nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("puzzles: %w", err)
	}
	all, err := tactics.Read(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return all, nil
}

// onlyOf returns the puzzles of a game, or all where none is named. That there is none is an error.
func onlyOf(puzzles []tactics.Puzzle, name string) ([]tactics.Puzzle, error) {
	if name == "" && len(puzzles) == 0 {
		return nil, errors.New("puzzles: none in the file")
	}
	if name == "" {
		return puzzles, nil
	}
	g, err := catalog.Game(name)
	if err != nil {
		return nil, err
	}
	some := slices.DeleteFunc(puzzles, func(p tactics.Puzzle) bool { return p.Game != g.String() })
	if len(some) == 0 {
		return nil, fmt.Errorf("puzzles: none of %s", g)
	}
	return some, nil
}

func runPuzzles(cmd *cobra.Command, puzzles []tactics.Puzzle, lim search.Limits) error {
	line := newStatusLine(cmd.ErrOrStderr())
	defer line.clear()
	var rows []solveJSON
	for i, p := range puzzles {
		g, err := catalog.Game(p.Game)
		if err != nil {
			return fmt.Errorf("puzzle %d: %v", i+1, err) // of a file, and not of the command line
		}
		engine, err := gomoku.New(g, gomoku.Options{})
		if err != nil {
			return fmt.Errorf("puzzle %d: %w", i+1, err)
		}
		a, err := p.Solve(cmd.Context(), g, engine, lim)
		if err != nil {
			return fmt.Errorf("puzzle %d: %w", i+1, err)
		}
		if cmd.Context().Err() != nil {
			return errInterrupted
		}
		addAnswer(&rows, p, a)
		if line.due() {
			line.show(fmt.Sprintf("%d/%d puzzles", i+1, len(puzzles)))
		}
	}
	line.clear()
	return printSolved(cmd, rows)
}

// addAnswer counts an answer in its row, one of each game and of four lengths.
func addAnswer(rows *[]solveJSON, p tactics.Puzzle, a tactics.Answer) {
	key := solveJSON{Game: p.Game, Plies: 5 + (p.Plies-5)/4*4}
	i, ok := slices.BinarySearchFunc(*rows, key, func(a, b solveJSON) int {
		return cmp.Or(cmp.Compare(a.Game, b.Game), cmp.Compare(a.Plies, b.Plies))
	})
	if !ok {
		*rows = slices.Insert(*rows, i, key)
	}
	r := &(*rows)[i]
	r.Puzzles++
	if a.Right {
		r.Right++
	}
	if a.Solved {
		r.Solved++
	}
}

func printSolved(cmd *cobra.Command, rows []solveJSON) error {
	all := solveJSON{Game: "all"}
	w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 3, ' ', 0)
	if !asJSON(cmd) {
		fmt.Fprintln(w, "game\tplies\tpuzzles\tright move\tsolved")
	}
	for _, r := range rows {
		all.Puzzles, all.Right, all.Solved = all.Puzzles+r.Puzzles, all.Right+r.Right, all.Solved+r.Solved
		if asJSON(cmd) {
			if err := printJSON(cmd.OutOrStdout(), r); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(w, "%s\t%d to %d\t%d\t%s\t%s\n", r.Game, r.Plies, r.Plies+3, r.Puzzles, share(r.Right, r.Puzzles), share(r.Solved, r.Puzzles))
	}
	if asJSON(cmd) {
		return printJSON(cmd.OutOrStdout(), all)
	}
	fmt.Fprintf(w, "all\t\t%d\t%s\t%s\n", all.Puzzles, share(all.Right, all.Puzzles), share(all.Solved, all.Puzzles))
	return w.Flush()
}

// share writes a part of a whole.
func share(n, of int) string {
	return fmt.Sprintf("%d  %.1f %%", n, 100*float64(n)/float64(max(of, 1)))
}

// mineFlags say which games are played.
type mineFlags struct {
	seed         uint64
	count, first int
}

func (f *mineFlags) add(cmd *cobra.Command, what string, count int) {
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "seed of the games")
	cmd.Flags().IntVar(&f.count, "count", count, "how many "+what)
	cmd.Flags().IntVar(&f.first, "first", 0, "number of the first game")
}

// miner returns the miner of a game.
func (f *mineFlags) miner(name string) (*tactics.Miner, error) {
	if f.count < 1 || f.first < 0 {
		return nil, misusef("", "--count begins with 1 and --first with 0, not %d and %d", f.count, f.first)
	}
	g, err := catalog.Game(name)
	if err != nil {
		return nil, err
	}
	m, err := tactics.NewMiner(g, f.seed)
	if err != nil {
		return nil, misusef("", "%w", err)
	}
	return m, nil
}

func newPuzzlesMine() *cobra.Command {
	var at mineFlags
	var out string
	cmd := &cobra.Command{
		Use:   "mine GAME",
		Short: "Find puzzles in games of the engine against itself",
		Long: `Play games of the engine against itself, with stray moves, and print a puzzle for each position in which a win of
5 to 25 plies is announced and proved and no other first move is proved to win, one of either mode from a game. The
same seed finds the same puzzles.`,
		Example: "  krow puzzles mine renju --count 100 --seed 7 --out renju.jsonl",
		Args:    exactly("GAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := at.miner(args[0])
			if err != nil {
				return err
			}
			data, err := minePuzzles(cmd, m, &at)
			if err != nil {
				return err
			}
			if out != "" {
				return wholefile.Write(out, data)
			}
			_, err = cmd.OutOrStdout().Write(data)
			return err
		},
		ValidArgsFunction: complete(completeGames),
	}
	at.add(cmd, "puzzles", 10)
	cmd.Flags().StringVar(&out, "out", "", "write them to a file")
	return cmd
}

func minePuzzles(cmd *cobra.Command, m *tactics.Miner, at *mineFlags) (data []byte, err error) {
	line, n := newStatusLine(cmd.ErrOrStderr()), 0
	defer line.clear()
	failed := m.Puzzles(cmd.Context(), at.first, func(p tactics.Puzzle) bool {
		data, err = p.Append(data)
		if n++; line.due() {
			line.show(fmt.Sprintf("%d/%d puzzles, %s", n, at.count, p.From))
		}
		return err == nil && n < at.count
	})
	if cmd.Context().Err() != nil {
		return nil, errInterrupted
	}
	return data, cmp.Or(err, failed)
}

// replayJSON tells what was replayed, as --json prints it.
type replayJSON struct {
	Game    string `json:"game"`
	Games   int    `json:"games"`
	Wins    int    `json:"wins"`
	Full    int    `json:"full"`
	Longest int    `json:"longest"`
	Answers uint64 `json:"answers"`
	False   int    `json:"false"`
}

func newPuzzlesCheck() *cobra.Command {
	var at mineFlags
	cmd := &cobra.Command{
		Use:   "check GAME",
		Short: "Replay wins that the engine announces against every defence",
		Long: `Play games of the engine against itself, with stray moves, and replay each win that it announces on the rules: up
to 15 plies against every answer, and longer ones against 4 at each position. The first false win ends it, with exit
status 1.`,
		Example: "  krow puzzles check caro --count 500 --seed 1",
		Args:    exactly("GAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := at.miner(args[0])
			if err != nil {
				return err
			}
			return replay(cmd, m, args[0], &at)
		},
		ValidArgsFunction: complete(completeGames),
	}
	at.add(cmd, "announced wins", 100)
	return cmd
}

func replay(cmd *cobra.Command, m *tactics.Miner, name string, at *mineFlags) error {
	line, last := newStatusLine(cmd.ErrOrStderr()), tactics.Tally{}
	defer line.clear()
	err := m.Replay(cmd.Context(), at.first, at.count, func(t tactics.Tally) {
		if last = t; line.due() {
			line.show(fmt.Sprintf("%d/%d wins replayed in %d games", t.Wins, at.count, t.Games))
		}
	})
	if cmd.Context().Err() != nil {
		return errInterrupted
	}
	if err != nil {
		return err
	}
	line.clear()
	if asJSON(cmd) {
		return printJSON(cmd.OutOrStdout(), replayJSON{name, last.Games, last.Wins, last.Full, last.Longest, last.Answers, 0})
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%d wins of %d games, %d of them against every answer: %d answers, no false win; the longest %d plies\n",
		last.Wins, last.Games, last.Full, last.Answers, last.Longest)
	return nil
}
