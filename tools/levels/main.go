// SPDX-License-Identifier: Apache-2.0

//go:build unix

// Levels fits and measures the ladders of graded players in ladders.jsonl, and makes docs/measurements/levels.md of
// them:
//
//	make build                                    # bin/krow plays the matches
//	go run ./tools/levels fit gomoku              # new players for the levels, from 100 games for each guess
//	go run ./tools/levels measure                 # 400 games for each step that was not measured with these players
//	go run ./tools/levels page                    # the page alone
//	go run ./tools/levels measure -- --jobs 2     # what stands after -- goes to krow match
//
// So many machines play a ladder by --cluster or --nats, as in docs/guide/cluster.md: give them a copy of bin/krow.
//
// Run it in the root of a clone. A run that was ended goes on with the first step that is missing. Players are limited by
// nodes and not by time, so that a busy machine changes nothing.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/internal/atomicfile"
)

const (
	file    = "ladders.jsonl"
	page    = "docs/measurements/levels.md"
	program = "bin/krow"
)

func main() {
	l := ladders{openings: map[string]bool{}}
	flags := flag.NewFlagSet("levels", flag.ExitOnError)
	flags.IntVar(&l.games, "games", 400, "games of each step")
	flags.IntVar(&l.tries, "tries", 100, "games of each guess of a fit")
	flags.Uint64Var(&l.seed, "seed", 1, "seed of openings and players")
	if len(os.Args) < 2 || !slices.Contains([]string{"fit", "measure", "page"}, os.Args[1]) {
		fmt.Fprintln(os.Stderr, "levels: fit, measure or page?")
		os.Exit(2)
	}
	args := os.Args[2:]
	if i := slices.Index(args, "--"); i >= 0 {
		args, l.more = args[:i], args[i+1:]
	}
	_ = flags.Parse(args) // exits
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := l.run(ctx, os.Args[1], flags.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "levels:", err)
		os.Exit(1)
	}
}

// ladders are the steps of all games and how they are measured.
type ladders struct {
	games, tries int
	seed         uint64
	more         []string // arguments of krow match
	steps        []krow.Step
	dir          string          // for openings
	openings     map[string]bool // files of dir that are there
}

func (l *ladders) run(ctx context.Context, verb string, names []string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if l.steps, err = krow.ReadLadders(data); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if l.dir, err = os.MkdirTemp("", "krow-levels-"); err != nil {
		return err
	}
	defer os.RemoveAll(l.dir)
	if len(names) == 0 {
		for _, r := range routes {
			names = append(names, r.game)
		}
	}
	for _, name := range names {
		i := slices.IndexFunc(routes, func(r route) bool { return r.game == name })
		if i < 0 {
			return fmt.Errorf("%s has no route; see tools/levels/fit.go", name)
		}
		switch verb {
		case "fit":
			err = l.fit(ctx, routes[i])
		case "measure":
			err = l.measure(ctx, routes[i])
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return atomicfile.Write(page, []byte(l.page()))
}

// measure plays the steps of a game that were not played with their present players.
func (l *ladders) measure(ctx context.Context, r route) error {
	last := ""
	for i := range l.steps {
		s := &l.steps[i]
		if s.Game != r.game {
			continue
		}
		if against := last; s.Level > 1 && (s.Against != against || s.Games < l.games) {
			took := time.Now()
			sum, err := l.play(ctx, r, s.Measured(), against, l.games, l.seed)
			if err != nil {
				return err
			}
			*s = krow.Step{
				Game: s.Game, Level: s.Level, Player: s.Player, As: s.As, Against: against, Games: sum.Games, Won: sum.AWins, Drawn: sum.Draws, Lost: sum.BWins,
				Elo: rounded(sum.Elo), Low: rounded(sum.Elo - sum.EloError), High: rounded(sum.Elo + sum.EloError), Seed: l.seed, Date: time.Now().Format(time.DateOnly),
			}
			fmt.Printf("%s level %d  %s  +%d =%d -%d  %+d [%+d, %+d]  %.0f s\n", s.Game, s.Level, s.Measured(), s.Won, s.Drawn, s.Lost, s.Elo, s.Low, s.High, time.Since(took).Seconds())
			if err := l.write(); err != nil {
				return err
			}
		}
		last = s.Measured()
	}
	return nil
}

func rounded(x float64) int { return int(math.Round(x)) }

// play has krow play a match between two specs. Half of the games begin with the sides exchanged.
func (l *ladders) play(ctx context.Context, r route, a, b string, games int, seed uint64) (sum arena.Summary, err error) {
	args := []string{"match", r.game, a, b, "--json", "--games", fmt.Sprint(games), "--seed", fmt.Sprint(seed)}
	if r.even {
		name, err := l.even(ctx, r.game, games/2, seed)
		if err != nil {
			return sum, err
		}
		args = append(args, "--openings", name)
	} else {
		args = append(args, "--random-plies", fmt.Sprint(r.plies))
	}
	out, err := run(ctx, append(args, l.more...)...)
	if err != nil {
		return sum, err
	}
	out = bytes.TrimSpace(out)
	return sum, json.Unmarshal(out[bytes.LastIndexByte(out, '\n')+1:], &sum)
}

// even returns a file of openings of five stones that leave both sides the same chances, as far as the strongest player sees
// within a few nodes.
func (l *ladders) even(ctx context.Context, game string, count int, seed uint64) (name string, err error) {
	name = filepath.Join(l.dir, fmt.Sprintf("%s-%d-%d", game, count, seed))
	if l.openings[name] {
		return name, nil
	}
	_, err = run(ctx, "openings", game, "--count", fmt.Sprint(count), "--seed", fmt.Sprint(seed), "--nodes", "3000", "--within", "0.5", "--out", name)
	l.openings[name] = err == nil
	return name, err
}

// run returns what krow prints. Where ctx ends it may end well.
func run(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stderr = os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", program, args[0], err)
	}
	return out, nil
}

func (l *ladders) write() error {
	var b strings.Builder
	for _, s := range l.steps {
		line, err := json.Marshal(s)
		if err != nil {
			return err
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	return atomicfile.Write(file, []byte(b.String()))
}
