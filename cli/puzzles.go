// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/app/puzzles"
	"github.com/krow-lab/krow/arena/work"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/server/machines"
)

func newPuzzles() *cobra.Command {
	return group(&cobra.Command{
		Use:   "puzzles",
		Short: "Solve, find and verify positions with one right move",
		Long: `A puzzle is a position in which one move wins, or in which one move alone does not lose. The program brings a
collection of six games. train asks them here, the page trains with ratings; mine finds and grades more; verify replays
their wins on the rules alone. In five in a row, run measures how many wins the engine finds, and replay replays wins
that it announces against every defence.`,
		Example: `  krow puzzles train --game renju
  krow puzzles run --time 100ms
  krow puzzles mine renju --count 5 --seed 1
  krow puzzles replay gomoku --count 100 --seed 1`,
	}, newPuzzlesRun(), newPuzzlesMine(), newPuzzlesReplay(), newPuzzlesTrain(), newPuzzlesVerify())
}

// wanted are the puzzles that a command is about.
type wanted struct{ file, game, theme string }

func (w *wanted) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&w.file, "file", "", "read the puzzles from a file instead")
	cmd.Flags().StringVar(&w.game, "game", "", "only the puzzles of this game")
}

func (w *wanted) load() ([]puzzles.Puzzle, error) {
	all, err := puzzles.Load(w.file)
	if err != nil {
		return nil, err
	}
	return puzzles.Select(all, w.game, puzzles.Theme(w.theme))
}

func newPuzzlesRun() *cobra.Command {
	var lim limitFlags
	var of wanted
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Let the engine solve puzzles",
		Long: `Let the engine solve each puzzle with a fresh table, in one thread, and say by game and length how often it
plays the winning move, and how often it announces a win that it has proved.`,
		Example: `  krow puzzles run --time 100ms
  krow puzzles run --nodes 50000 --game renju --file mine.jsonl`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			limits, err := lim.limits()
			if err != nil {
				return err
			}
			if limits == (search.Limits{}) {
				return misusef("--time 100ms is what the collection is measured with", "krow puzzles run needs --time, --nodes or --depth")
			}
			all, err := of.load()
			if err != nil {
				return err
			}
			rows, err := working(cmd, func(line *statusLine) ([]puzzles.Row, error) {
				return puzzles.Run(cmd.Context(), all, limits, func(done, all int) { line.tell("%d/%d puzzles", done, all) })
			})
			if err != nil {
				return err
			}
			return printSolved(cmd.OutOrStdout(), rows, asJSON(cmd))
		},
	}
	lim.add(cmd, "for each puzzle")
	of.add(cmd)
	return cmd
}

func printSolved(out io.Writer, rows []puzzles.Row, json bool) error {
	return printRows(out, json, "game\tplies\tpuzzles\tright move\tsolved", rows, func(r puzzles.Row) string {
		plies := ""
		if r.Plies > 0 {
			plies = fmt.Sprintf("%d to %d", r.Plies, r.Plies+3)
		}
		share := func(n int) string { return fmt.Sprintf("%d  %.1f %%", n, 100*float64(n)/float64(r.Puzzles)) }
		return fmt.Sprintf("%s\t%s\t%d\t%s\t%s", r.Game, plies, r.Puzzles, share(r.Right), share(r.Solved))
	})
}

type mineFlags struct {
	seed         uint64
	count, first int
}

func (f *mineFlags) add(cmd *cobra.Command, what string, count int) {
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "seed of the games")
	cmd.Flags().IntVar(&f.count, "count", count, "how many "+what)
	cmd.Flags().IntVar(&f.first, "first", 0, "number of the first game")
}

func (f *mineFlags) miner(game string) (*puzzles.Miner, error) {
	if f.count < 1 || f.first < 0 {
		return nil, misusef("", "--count begins with 1 and --first with 0, not %d and %d", f.count, f.first)
	}
	m, err := puzzles.NewMiner(game, f.seed)
	if err != nil {
		return nil, misusef("", "%w", err)
	}
	return m, nil
}

func newPuzzlesMine() *cobra.Command {
	var at mineFlags
	var out, again string
	var jobs int
	var on clusterFlags
	cmd := &cobra.Command{
		Use:   "mine [GAME]",
		Short: "Find and grade puzzles",
		Long: `Play games, and print a puzzle for each position in which one move wins in 5 to 25 plies and no other is proved to
win, or in which one move alone does not lose; at most one of a theme from a game. In five in a row the engine plays
against itself, with stray moves, and the prover decides; Connect Four and ultimate have exact solvers. Without a game,
puzzles of six games are found in fixed shares.

The same seed finds the same puzzles. A file that is there is gone on with. With --again, the puzzles of a file are
examined and graded anew.`,
		Example: "  krow puzzles mine --count 5000 --out puzzles.jsonl\n  krow puzzles mine renju --count 100 --seed 7 --out renju.jsonl",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			quotas := puzzles.Collection(at.count)
			if len(args) > 0 {
				quotas = []puzzles.Quota{{Game: args[0], Count: at.count}}
			}
			for _, q := range quotas {
				if _, err := at.miner(q.Game); err != nil {
					return err
				}
			}
			if err := checkJobs(jobs); err != nil {
				return err
			}
			if again != "" && on.asked() {
				return misusef("", "--again examines puzzles on this machine alone")
			}
			run := machines.Run("puzzles", fmt.Sprint(quotas, at.seed, at.first), "puzzles", 0)
			queue, done, err := on.open(cmd, run, work.Pool{Jobs: jobs, Kinds: puzzles.Kinds()})
			if err != nil {
				return err
			}
			defer done()
			data, err := working(cmd, func(line *statusLine) ([]byte, error) {
				file := puzzles.Out{Name: out, Tell: func(n int, p puzzles.Puzzle) { line.tell("%d puzzles, %s %s", n, p.Game, p.From) }}
				if again != "" {
					return file.Again(cmd.Context(), again)
				}
				return puzzles.Mine{Quotas: quotas, Seed: at.seed, First: at.first, Queue: queue}.File(cmd.Context(), file)
			})
			if err == nil && out == "" {
				_, err = cmd.OutOrStdout().Write(data)
			}
			return err
		},
	}
	at.add(cmd, "puzzles", 10)
	cmd.Flags().StringVar(&out, "out", "", "write them to a file, or go on with it")
	cmd.Flags().StringVar(&again, "again", "", "examine the puzzles of this file instead of playing")
	cmd.Flags().IntVar(&jobs, "jobs", 1, "games played at once")
	on.add(cmd)
	return cmd
}

type replayJSON struct {
	Game string `json:"game"`
	puzzles.Tally
	False int `json:"false"`
}

func newPuzzlesReplay() *cobra.Command {
	var at mineFlags
	cmd := &cobra.Command{
		Use:   "replay GAME",
		Short: "Replay wins that the engine announces against every defence",
		Long: `Play games of the engine against itself, with stray moves, and replay each win that it announces on the rules: up
to 15 plies against every answer, and longer ones against 4 at each position. The first false win ends it, with exit
status 1.`,
		Example: "  krow puzzles replay caro --count 500 --seed 1",
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := at.miner(args[0])
			if err != nil {
				return err
			}
			return replay(cmd, m, args[0], &at)
		},
	}
	at.add(cmd, "announced wins", 100)
	return cmd
}

func replay(cmd *cobra.Command, m *puzzles.Miner, name string, at *mineFlags) error {
	t, err := working(cmd, func(line *statusLine) (puzzles.Tally, error) {
		return m.Replay(cmd.Context(), at.first, at.count, func(t puzzles.Tally) {
			line.tell("%d/%d wins replayed in %d games", t.Wins, at.count, t.Games)
		})
	})
	if err != nil {
		return err
	}
	return answer(cmd, replayJSON{name, t, 0},
		"%d wins of %d games, %d of them against every answer: %d answers, no false win; the longest %d plies\n",
		t.Wins, t.Games, t.Full, t.Answers, t.Longest)
}

func newPuzzlesVerify() *cobra.Command {
	var of wanted
	var every int
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Replay the win of every puzzle of a collection",
		Long: `Replay each puzzle on the rules alone: the win against every answer up to 15 plies, and a longer one against 4 at each
position; of a defence, the win of the other side after each wrong move, or 30 of them. The first puzzle that is
refuted is told, and the exit status is 1 then.`,
		Example: "  krow puzzles verify --every 50\n  krow puzzles verify --file mine.jsonl",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if every < 1 {
				return misusef("", "--every begins with 1, not %d", every)
			}
			all, err := of.load()
			if err != nil {
				return err
			}
			var some []puzzles.Puzzle
			for i, p := range all {
				if i%every == 0 {
					some = append(some, p)
				}
			}
			var first error
			v, err := working(cmd, func(line *statusLine) (puzzles.Verified, error) {
				return puzzles.Verify(cmd.Context(), some, func(v puzzles.Verified, refuted error) {
					line.tell("%d/%d puzzles", v.Puzzles, len(some))
					first = cmp.Or(first, refuted)
				})
			})
			if err != nil {
				return err
			}
			if err := answer(cmd, v, "%d puzzles, %d wins replayed, %d of them against every answer: %d answers, %d puzzles refuted\n",
				v.Puzzles, v.Wins, v.Full, v.Answers, v.Refuted); err != nil || v.Refuted == 0 {
				return err
			}
			return fmt.Errorf("%d refuted: %w", v.Refuted, first)
		},
	}
	of.add(cmd)
	cmd.Flags().IntVar(&every, "every", 1, "only every so many of the puzzles")
	return cmd
}
