// SPDX-License-Identifier: Apache-2.0

//go:build unix

// Levels fits and measures the ladders of graded players in catalog/ladders.jsonl, and makes docs/measurements/levels.md of
// them:
//
//	go run ./tools/levels fit gomoku              # new players for the levels, from 100 games for each guess
//	go run ./tools/levels measure                 # 400 games for each step that was not measured with these players
//	go run ./tools/levels page                    # the page alone
//
// Run it in the root of a clone. A run that was ended goes on with the first step that is missing. Players are limited by
// nodes and not by time, so that a busy machine changes nothing.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/wholefile"
	"github.com/krow-lab/krow/opening"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

const (
	file = "catalog/ladders.jsonl"
	page = "docs/measurements/levels.md"
)

func main() {
	l := ladders{openings: map[string][][]game.Move{}}
	flags := flag.NewFlagSet("levels", flag.ExitOnError)
	flags.IntVar(&l.games, "games", 400, "games of each step")
	flags.IntVar(&l.tries, "tries", 100, "games of each guess of a fit")
	flags.IntVar(&l.jobs, "jobs", 1, "games at once")
	flags.Uint64Var(&l.seed, "seed", 1, "seed of openings and players")
	if len(os.Args) < 2 || !slices.Contains([]string{"fit", "measure", "page"}, os.Args[1]) {
		fmt.Fprintln(os.Stderr, "levels: fit, measure or page?")
		os.Exit(2)
	}
	_ = flags.Parse(os.Args[2:]) // exits
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := l.run(ctx, os.Args[1], flags.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "levels:", err)
		os.Exit(1)
	}
}

// ladders are the steps of all games and how they are measured.
type ladders struct {
	games, tries, jobs int
	seed               uint64
	steps              []catalog.Step
	openings           map[string][][]game.Move // that were found already
}

func (l *ladders) run(ctx context.Context, verb string, names []string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if l.steps, err = catalog.ReadLadders(data); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
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
	return wholefile.Write(page, []byte(l.page()))
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
			*s = catalog.Step{
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

// play plays a match between two specs. Half of the games begin with the sides exchanged.
func (l *ladders) play(ctx context.Context, r route, a, b string, games int, seed uint64) (arena.Summary, error) {
	g, err := catalog.Game(r.game)
	if err != nil {
		return arena.Summary{}, err
	}
	m := arena.Match{Game: g, A: factory(g, a), B: factory(g, b), Games: games, Seed: seed, Jobs: l.jobs, RandomPlies: r.plies}
	if r.even {
		m.RandomPlies = 0
		if m.Openings, err = l.even(ctx, g, games/2, seed); err != nil {
			return arena.Summary{}, err
		}
	}
	return m.Run(ctx)
}

func factory(g game.Game, spec string) arena.Factory {
	return arena.Factory{Name: spec, New: func(seed uint64) (player.Player, error) { return catalog.Player(g, spec, seed) }}
}

// even returns openings of five stones that leave both sides the same chances, as far as the strongest player sees within
// a few nodes.
func (l *ladders) even(ctx context.Context, g game.Game, count int, seed uint64) (all [][]game.Move, err error) {
	key := fmt.Sprint(g, count, seed)
	if known := l.openings[key]; known != nil {
		return known, nil
	}
	p, err := catalog.Player(g, "best", seed)
	if err != nil {
		return nil, err
	}
	defer player.Close(p)
	w := opening.Wanted{Count: count, Plies: 5, Seed: seed, Limits: search.Limits{Nodes: 3000}, Within: eval.Unit / 2}
	err = opening.Find(ctx, g, opening.By(p.(player.Analyst)), w, func(o opening.Opening) error {
		all = append(all, o.Moves)
		return nil
	})
	l.openings[key] = all
	return all, err
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
	return wholefile.Write(file, []byte(b.String()))
}
