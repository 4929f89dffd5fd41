// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/clock"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/opening"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/record"
	"github.com/krow-lab/krow/stats"
)

type matching struct {
	limit       limitFlags
	games       int
	seed        uint64
	openings    string
	random      int
	swap2       bool
	concurrency int
	sprt        string
	out         string
	times       bool
	margin      time.Duration
	clock       string
}

func newMatch() *cobra.Command {
	var o matching
	cmd := &cobra.Command{
		Use:   "match GAME A B",
		Short: "Play a match between two players and measure the difference",
		Long: `Play a match. Every opening is played twice with sides exchanged; with --swap2 the players open each game
themselves, A in the first of two, and "first" in the games says who then played Black. With --clock each player
has a clock for the whole game, of which it plans its moves; --time is then the most for a move. Elo is A's, with its
95 % interval from pairs of games. A player that errs, runs out of time or plays an illegal move forfeits that
game. With --out the games are written to FILE.part, which becomes FILE after the last; a match that was
interrupted or killed goes on where it was when the same command is given again.`,
		Example: `  krow match tictactoe random rules --games 100
  krow match connect4 mcts:sims=1000 alphabeta:depth=4 --games 200 --random-plies 2 --concurrency 2
  krow match gomoku best program:./pbrain-other --swap2 --time 500ms --games 20
  krow match gomoku mics:nodes=2000 alphabeta:depth=2 --sprt 0,50 --games 1000 --out games.jsonl`,
		Args:              exactly("GAME", "A", "B"),
		ValidArgsFunction: complete(completeGames, completePlayers(isMachine), completePlayers(isMachine)),
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0], args[1], args[2]) },
	}
	o.limit.add(cmd, "for each move")
	f := cmd.Flags()
	f.IntVar(&o.games, "games", 100, "number of games")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the openings and of players that draw lots")
	f.StringVar(&o.openings, "openings", "", "file of openings, a list of moves or offsets on each line; see krow openings")
	f.IntVar(&o.random, "random-plies", 0, "random moves at the start of each pair of games")
	f.BoolVar(&o.swap2, "swap2", false, "the players open each game by the rule of swap2, A first")
	f.IntVar(&o.concurrency, "concurrency", 1, "games played at once")
	f.StringVar(&o.sprt, "sprt", "", "stop when decided whether A is ELO0 or ELO1 stronger, such as 0,10")
	f.StringVar(&o.out, "out", "", "file to write the games to, as JSON lines")
	f.StringVar(&o.clock, "clock", "", "time of each player for a game, such as 5m, or 60s+1s with an increment")
	f.DurationVar(&o.margin, "margin", arena.DefaultMargin, "how much longer than its time a player may take")
	f.BoolVar(&o.times, "times", false, "write the time of each move to the games")
	for _, name := range []string{"games", "seed", "random-plies", "concurrency", "sprt", "clock"} {
		completeFlag(cmd, name, nothing)
	}
	return cmd
}

// match returns the match that the flags describe.
func (o *matching) match(text, a, b string) (*arena.Match, error) {
	g, err := catalog.Game(text)
	if err != nil {
		return nil, err
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	m := &arena.Match{Game: g, Games: o.games, Seed: o.seed, RandomPlies: o.random, Swap2: o.swap2, Jobs: o.concurrency, Margin: o.margin}
	if m.Limits, err = o.limit.limits(); err != nil {
		return nil, err
	}
	if o.clock != "" {
		if m.Clock, err = clock.Parse(o.clock); err != nil {
			return nil, misusef("for example --clock 60s+1s", "--clock: %w", err)
		}
	}
	for _, side := range []struct {
		f    *arena.Factory
		spec string
	}{{&m.A, a}, {&m.B, b}} {
		if err := factory(g, side.spec, side.f); err != nil {
			return nil, err
		}
		if o.swap2 {
			if err := knowsSwap2(side.f); err != nil {
				return nil, err
			}
		}
	}
	if m.SPRT, err = parseSPRT(o.sprt); err != nil {
		return nil, err
	}
	if o.openings != "" {
		if m.Openings, err = readOpenings(g, o.openings); err != nil {
			return nil, err
		}
	}
	if err := m.Check(); err != nil {
		return nil, &misuse{err: err}
	}
	return m, nil
}

// maxConcurrency bounds the games played at once, each of which costs memory before it begins.
const maxConcurrency = 1024

// check names the flag whose value makes no sense.
func (o *matching) check() error {
	switch {
	case o.games < 1:
		return misusef("", "--games must be at least 1, not %d", o.games)
	case o.margin <= 0:
		return misusef("", "--margin must be longer than nothing: %v", o.margin)
	case o.random < 0:
		return misusef("", "--random-plies cannot be negative: %d", o.random)
	case o.concurrency < 1 || o.concurrency > maxConcurrency:
		return misusef("", "--concurrency must be from 1 to %d, not %d", maxConcurrency, o.concurrency)
	case o.swap2 && (o.openings != "" || o.random > 0):
		return misusef("", "either --swap2 or openings, not both")
	case o.openings != "" && o.random > 0:
		return misusef("", "either --openings or --random-plies, not both")
	}
	return checkOut(o.out)
}

// checkOut refuses what the finished file must not replace: directories, devices and the like.
func checkOut(name string) error {
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir() || strings.HasSuffix(name, "/"):
		return misusef("", "--out needs a file, and %s is a directory", name)
	case err == nil && !info.Mode().IsRegular():
		return misusef("", "--out needs a file, and %s is a device or the like", name)
	}
	return nil
}

// factory fills f, after making one player to find a wrong spec now and not in the first game.
func factory(g game.Game, text string, f *arena.Factory) error {
	f.Name = text
	f.New = func(seed uint64) (player.Player, error) { return catalog.Player(g, text, seed) }
	p, err := f.New(0)
	if err == nil && player.IsHuman(p) {
		return misusef("use krow play", "a person cannot play a match")
	}
	return err
}

// knowsSwap2 returns an error where the players of a factory cannot open a game by swap2.
func knowsSwap2(f *arena.Factory) error {
	p, err := f.New(0)
	if err != nil {
		return err
	}
	if _, err := opening.For(p, 0); err != nil {
		return misusef("players that search do, such as best", "%w", err)
	}
	return nil
}

func parseSPRT(text string) (*stats.SPRTParams, error) {
	if text == "" {
		return nil, nil
	}
	lo, hi, ok := strings.Cut(text, ",")
	elo0, err0 := strconv.ParseFloat(strings.TrimSpace(lo), 64)
	elo1, err1 := strconv.ParseFloat(strings.TrimSpace(hi), 64)
	if !ok || err0 != nil || err1 != nil {
		return nil, misusef("for example --sprt 0,10", "--sprt needs two numbers, not %q", text)
	}
	return &stats.SPRTParams{Elo0: elo0, Elo1: elo1}, nil
}

func (o *matching) run(cmd *cobra.Command, text, a, b string) (err error) {
	m, err := o.match(text, a, b)
	if err != nil {
		return err
	}
	var file *record.Writer
	if o.out != "" {
		var played []record.Game
		file, played, err = record.Open(o.out, m.String(), catalog.Game)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		if err := resume(cmd.ErrOrStderr(), m, played); err != nil {
			return err
		}
	}
	w, json := cmd.OutOrStdout(), asJSON(cmd)
	bar := newProgress(cmd.ErrOrStderr(), m)
	m.OnGame = func(r arena.Result) error {
		g := m.Record(r, o.times)
		bar.add(r)
		if file != nil {
			if err := file.Write(g); err != nil {
				return err
			}
		}
		if json {
			return printJSON(w, g)
		}
		return nil
	}
	sum, err := m.Run(cmd.Context())
	bar.clear()
	if errors.Is(err, context.Canceled) {
		err = fmt.Errorf("%w after %d games", errInterrupted, sum.Games)
	}
	if err == nil && file != nil {
		err = file.Commit()
	}
	if e := o.print(w, m, sum, err, json); err == nil {
		err = e
	}
	return err
}

// resume gives the match the games of an earlier run.
func resume(w io.Writer, m *arena.Match, played []record.Game) error {
	for _, g := range played {
		r, err := arena.FromRecord(m.Game, g)
		if err != nil {
			return err
		}
		m.Played = append(m.Played, r)
	}
	if len(played) > 0 {
		fmt.Fprintf(w, "going on after %d games\n", len(played))
	}
	return nil
}

type summaryJSON struct {
	Final bool   `json:"final"`
	Game  string `json:"game"`
	A     string `json:"a"`
	B     string `json:"b"`
	Seed  uint64 `json:"seed"`
	arena.Summary
	Error string `json:"error,omitempty"`
}

// print shows what came of the match, up to the error that ended it if there was one.
func (o *matching) print(w io.Writer, m *arena.Match, s arena.Summary, failed error, json bool) error {
	if json {
		final := summaryJSON{Final: true, Game: m.Game.String(), A: m.A.Name, B: m.B.Name, Seed: m.Seed, Summary: s}
		if failed != nil {
			final.Error = failed.Error()
		}
		return printJSON(w, final)
	}
	if failed != nil && s.Games == 0 {
		return nil
	}
	fmt.Fprintf(w, "A %s\nB %s\n", m.A.Name, m.B.Name)
	fmt.Fprintf(w, "games %d   +%d =%d -%d   first wins %d, second %d\n", s.Games, s.AWins, s.Draws, s.BWins, s.FirstWins, s.SecondWins)
	fmt.Fprintf(w, "Elo %+.1f ± %.1f (95 %%)   LOS %.1f %%   pairs %v\n", s.Elo, s.EloError, 100*s.LOS, s.Pentanomial)
	if s.LLR != nil {
		lower, upper := m.SPRT.Bounds()
		fmt.Fprintf(w, "SPRT [%g, %g]   LLR %.2f (%.2f, %.2f)   %s\n", m.SPRT.Elo0, m.SPRT.Elo1, *s.LLR, lower, upper, orElse(s.SPRT, "undecided"))
	}
	if s.Forfeits > 0 {
		fmt.Fprintf(w, "forfeits: A %d, B %d\n", s.AForfeits, s.BForfeits)
	}
	return nil
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
