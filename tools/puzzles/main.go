// SPDX-License-Identifier: Apache-2.0

// Puzzles makes and measures the collection of puzzles in app/puzzles:
//
//	go run ./tools/puzzles -count 5050 -seed 16 mine.jsonl mine          finds and grades puzzles of six games
//	go run ./tools/puzzles -game caro -count 505 mine.jsonl mine         of one game
//	go run ./tools/puzzles -every 50 "" verify                           replays wins of the collection on the rules alone
//	go run ./tools/puzzles -nodes 40000 -game renju mine.jsonl run       counts the wins in five in a row that the engine finds
//
// The same seed finds the same puzzles, and a file that exists is continued. The empty name is the collection of the program.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"

	"github.com/krow-lab/krow/app/puzzles"
	"github.com/krow-lab/krow/arena/work"
	"github.com/krow-lab/krow/search"
)

type options struct {
	game               string
	seed, nodes        uint64
	count, every, jobs int
	time               time.Duration
}

func main() {
	var o options
	flag.StringVar(&o.game, "game", "", "only puzzles of this game")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the games that are mined")
	flag.IntVar(&o.count, "count", 10, "number of puzzles to find")
	flag.IntVar(&o.every, "every", 1, "verify only every so many of the puzzles")
	flag.IntVar(&o.jobs, "jobs", 1, "games played at once")
	flag.Uint64Var(&o.nodes, "nodes", 0, "nodes of the engine for each puzzle")
	flag.DurationVar(&o.time, "time", 0, "time of the engine for each puzzle")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	do := map[string]func(context.Context, options, string) error{"mine": mine, "verify": verify, "run": measure}[flag.Arg(1)]
	if do == nil || flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "puzzles: it needs a file and one of mine, verify and run")
		os.Exit(2)
	}
	if err := do(ctx, o, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "puzzles:", err)
		os.Exit(1)
	}
}

func mine(ctx context.Context, o options, file string) error {
	quotas := puzzles.Collection(o.count)
	if o.game != "" {
		quotas = []puzzles.Quota{{Game: o.game, Count: o.count}}
	}
	m := puzzles.Mine{Quotas: quotas, Seed: o.seed, Queue: work.Pool{Jobs: o.jobs, Kinds: puzzles.Kinds()}}
	_, err := m.File(ctx, puzzles.Out{Name: file, Tell: func(n int, p puzzles.Puzzle) {
		fmt.Fprintf(os.Stderr, "\r%d puzzles, %s %s", n, p.Game, p.From)
	}})
	fmt.Fprintln(os.Stderr)
	return err
}

func loadSome(file, game string) ([]puzzles.Puzzle, error) {
	all, err := puzzles.Load(file)
	if err != nil {
		return nil, err
	}
	return puzzles.Select(all, game, "")
}

func verify(ctx context.Context, o options, file string) error {
	all, err := loadSome(file, o.game)
	if err != nil {
		return err
	}
	var some []puzzles.Puzzle
	for i := 0; i < len(all); i += max(o.every, 1) {
		some = append(some, all[i])
	}
	v, err := puzzles.Verify(ctx, some, func(v puzzles.Verified, refuted error) {
		if refuted != nil {
			fmt.Println(refuted)
		}
	})
	if err != nil {
		return err
	}
	fmt.Printf("%d puzzles, %d wins replayed, %d of them against every answer: %d answers, %d puzzles refuted\n",
		v.Puzzles, v.Wins, v.Full, v.Answers, v.Refuted)
	if v.Refuted > 0 {
		return fmt.Errorf("%d of %d puzzles are refuted", v.Refuted, v.Puzzles)
	}
	return nil
}

func measure(ctx context.Context, o options, file string) error {
	all, err := loadSome(file, o.game)
	if err != nil {
		return err
	}
	rows, err := puzzles.Run(ctx, all, search.Limits{Nodes: o.nodes, Time: o.time}, nil)
	if err != nil {
		return err
	}
	fmt.Println("game\tplies\tpuzzles\tright move\tsolved")
	for _, r := range rows {
		share := func(n int) string { return fmt.Sprintf("%d  %.1f %%", n, 100*float64(n)/float64(r.Puzzles)) }
		fmt.Printf("%s\t%d to %d\t%d\t%s\t%s\n", r.Game, r.Plies, r.Plies+3, r.Puzzles, share(r.Right), share(r.Solved))
	}
	return nil
}
