// SPDX-License-Identifier: Apache-2.0

// Puzzles generates and measures the collection of puzzles in app/puzzles:
//
//	go run ./tools/puzzles -count 5050 -seed 16 mine.jsonl mine          finds and grades puzzles for six games
//	go run ./tools/puzzles -game caro -count 505 mine.jsonl mine         only for one game
//	go run ./tools/puzzles -game caro -count 250 quiet.jsonl quiet       positions without a win, with the best move of a long search
//	go run ./tools/puzzles -every 50 "" verify                           replays wins of the collection by the rules
//	go run ./tools/puzzles -every 5 -nodes 20000 "" run                  counts the solutions that the best player finds in a sample
//
// The same seed finds the same puzzles. If the file exists, the program continues it. The empty name stands for the collection
// that is built into krow.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"time"

	"github.com/krow-lab/krow/app/puzzles"
)

type options struct {
	file, game         string
	seed, nodes        uint64
	count, every, jobs int
	time               time.Duration
}

func main() {
	var o options
	flag.StringVar(&o.game, "game", "", "only puzzles of this game")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the games that are mined, or of the sample to run")
	flag.IntVar(&o.count, "count", 10, "number of puzzles to find")
	flag.IntVar(&o.every, "every", 1, "verify every n-th puzzle, or run one in n")
	flag.IntVar(&o.jobs, "jobs", 1, "games played at once")
	flag.Uint64Var(&o.nodes, "nodes", 0, "nodes of the engine for each puzzle")
	flag.DurationVar(&o.time, "time", 0, "time of the engine for each puzzle")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	verb := map[string]func(context.Context, options, []puzzles.Puzzle) error{"mine": mine, "quiet": quiet, "verify": verify, "run": measure}[flag.Arg(1)]
	if verb == nil || flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "puzzles: it needs a file and one of mine, quiet, verify and run")
		os.Exit(2)
	}
	o.file = flag.Arg(0)
	all, err := puzzles.Load(o.file)
	appends := flag.Arg(1) == "mine" || flag.Arg(1) == "quiet"
	if appends && errors.Is(err, fs.ErrNotExist) {
		err = nil
	} else if err == nil && !appends && o.game != "" {
		all, err = puzzles.Select(all, o.game)
	}
	if err == nil {
		err = verb(ctx, o, all)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "puzzles:", err)
		os.Exit(1)
	}
}
