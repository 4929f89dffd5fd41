// SPDX-License-Identifier: Apache-2.0

// Levels chooses and measures the players of the levels in ladders.jsonl, and generates docs/measurements/levels.md from this
// file:
//
//	go run ./tools/levels fit gomoku              # chooses new players for the levels, by 100 games for each guess
//	go run ./tools/levels -jobs 2 measure         # plays 400 games between neighbouring levels whose players have changed
//	go run ./tools/levels page                    # only writes the page
//
// Run it in the root of a clone. After an interruption, the next run continues with the first missing match. Players are limited
// by nodes, not by time, so the load of the machine does not matter.
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
	"time"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/atomicfile"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/opening"
	"github.com/krow-lab/krow/server/match"
)

const (
	file = "ladders.jsonl"
	page = "docs/measurements/levels.md"
)

func main() {
	var l ladders
	flag.IntVar(&l.games, "games", 400, "games of each step")
	flag.IntVar(&l.tries, "tries", 100, "games of each guess of a fit")
	flag.IntVar(&l.jobs, "jobs", 1, "games played at once")
	flag.Uint64Var(&l.seed, "seed", 1, "seed of openings and players")
	flag.Parse()
	if !slices.Contains([]string{"fit", "measure", "page"}, flag.Arg(0)) {
		fmt.Fprintln(os.Stderr, "levels: fit, measure or page?")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := l.runVerb(ctx, flag.Arg(0), flag.Args()[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "levels:", err)
		os.Exit(1)
	}
}

// ladders contains the levels of all games, and the settings of the measurement.
type ladders struct {
	games, tries, jobs int
	seed               uint64
	steps              []krow.Step
	even               map[string][][]game.Move // even openings, by game, count and seed
}

func (l *ladders) runVerb(ctx context.Context, verb string, names []string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if l.steps, err = krow.ReadLadders(data); err != nil {
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
	return atomicfile.Write(page, []byte(l.page()))
}

// measure plays a match between each level of a game and the level below, unless a match between the current players of both
// levels is already stored.
func (l *ladders) measure(ctx context.Context, r route) error {
	last := ""
	for i := range l.steps {
		s := &l.steps[i]
		if s.Game != r.game {
			continue
		}
		if against := last; s.Level > 1 && (s.Against != against || s.Games < l.games) {
			took := time.Now()
			sum, err := l.playMatch(ctx, r, s.Measured(), against, l.games, l.seed)
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

// playMatch plays a match between two specs. Half of the games begin with the sides exchanged.
func (l *ladders) playMatch(ctx context.Context, r route, a, b string, games int, seed uint64) (sum arena.Summary, err error) {
	g, err := krow.Game(r.game)
	if err != nil {
		return sum, err
	}
	m := &arena.Match{Game: g, A: factory(g, a), B: factory(g, b), Games: games, Seed: seed, RandomPlies: r.plies, Jobs: l.jobs}
	if r.even {
		if m.Openings, err = l.evenOpenings(ctx, g, games/2, seed); err != nil {
			return sum, err
		}
	}
	err = arena.Play(ctx, l.jobs, m)
	return m.Summary(), err
}

func factory(g game.Game, spec string) arena.Factory {
	return arena.Factory{Name: spec, New: func(seed uint64) (player.Player, error) { return krow.Player(g, spec, seed) }}
}

// evenOpenings returns openings of five stones that are balanced according to a short search of the strongest player.
func (l *ladders) evenOpenings(ctx context.Context, g game.Game, count int, seed uint64) (all [][]game.Move, err error) {
	o := match.Openings{Game: g, Player: "best", Count: count, Plies: 5, Seed: seed, Nodes: 3000, Within: 0.5}
	if all = l.even[o.String()]; all == nil {
		err = o.Find(ctx, func(found opening.Opening) error {
			all = append(all, found.Moves)
			return nil
		})
		if err == nil {
			l.even = map[string][][]game.Move{o.String(): all} // only these openings are kept, because the next match uses them again
		}
	}
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
	return atomicfile.Write(file, []byte(b.String()))
}
