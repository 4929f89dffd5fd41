// SPDX-License-Identifier: Apache-2.0

// Package plans learns which states of the board usually lead to a win of a side. A state consists of the threats on the board.
// For each state the package counts the results of the games in which the state occurs. The games are games of a player against
// itself, or games of a file.
//
// # Basics
//
//	l, err := plans.New(g, plans.Options{Games: 2000, Plies: 8, Player: newPlayer, Name: "alphabeta:2", Seed: 1})
//	err = learn.Run(ctx, l, save)  // a step is a twentieth of the games
//	err = l.Save("plans.json")     // alphabeta:depth=4,eval=plans(weights=plans.json)
//
// Package eval/plans describes the counts, and how its heuristic uses them.
//
// # Caveats
//
// A game begins with 1 to Plies random moves; positions before the last random move are not counted. The random numbers of a game
// are computed from the seed and the number of the game, so the result does not depend on Jobs, unless the player has a time
// limit.
//
// A game from a file is counted if it has the rules and the board of the learner's game, and if it ended by the rules or by
// resignation. Games lost on time are not counted, because the loser may have had the better position.
package plans

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"runtime"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/plans"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/target"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// Options are the settings.
type Options struct {
	Games  int                                      // total number of games
	Plies  int                                      // maximum number of random moves at the beginning of a game
	Player func(seed uint64) (player.Player, error) // returns a player, which plays both sides of a game
	Name   string                                   // spec of the player
	// Records holds the games to count. If Records is not empty, Games, Plies, Player and Name are ignored.
	Records []record.Game
	Seed    uint64
	Jobs    int // number of games played at the same time; 0: the number of processors
}

const (
	maxGames = 1_000_000
	maxSteps = 20
)

// Learner is a learn.Learner.
type Learner struct {
	g       game.Game
	o       Options
	table   *plans.Table
	done    int
	records []finished
}

var _ learn.Learner = (*Learner)(nil)

// finished is a finished game.
type finished struct {
	moves   []game.Move
	from    int // number of random moves at the beginning of the game
	outcome game.Outcome
}

// New returns a learner for a game of k in a row. It returns an error for other games.
func New(g game.Game, o Options) (*Learner, error) {
	k, err := generic.K(g)
	if err != nil {
		return nil, err
	}
	o.Jobs = cmp.Or(o.Jobs, runtime.GOMAXPROCS(0))
	l := &Learner{g: g, table: plans.NewTable(k)}
	if len(o.Records) > 0 {
		if l.records, err = counted(g, o.Records); err != nil {
			return nil, err
		}
		o.Games, o.Plies, o.Name = len(l.records), 0, name(l.records)
	}
	l.o = o
	return l, cmp.Or(learn.Within("games", o.Games, 1, maxGames), learn.Within("random plies", o.Plies, 0, target.MaxPlies),
		learn.Within("jobs", o.Jobs, 0, learn.MaxJobs))
}

// counted selects the records that the learner counts, and converts them to finished games.
func counted(g game.Game, records []record.Game) (all []finished, err error) {
	for _, r := range records {
		if r.Rules.String() == g.String() && (!r.Forfeited() || r.Reason == record.ReasonForfeit) {
			all = append(all, finished{r.Moves, r.Opening, r.Outcome})
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no game of %s to learn from", g)
	}
	return all, nil
}

// name returns a text that identifies the given games.
func name(games []finished) string {
	h := fnv.New64a()
	for _, f := range games {
		fmt.Fprintln(h, f.moves, f.from, f.outcome)
	}
	return fmt.Sprintf("games %016x", h.Sum64())
}

// Steps returns the number of completed steps, and of all steps.
func (l *Learner) Steps() (done, total int) { return l.done, min(maxSteps, l.o.Games) }

// games returns the total number of games after the given number of steps.
func (l *Learner) games(steps int) int {
	_, total := l.Steps()
	return int(int64(l.o.Games) * int64(steps) / int64(total))
}

// Step gets the games of the next step and adds their results to the table. The returned point of the learning curve
// contains the mean squared error of the table's predictions for these games, made before the games are counted; the share
// of games that are not draws; the mean length of the games; and the numbers of states and openings in the table.
func (l *Learner) Step(ctx context.Context) (learn.CurvePoint, error) {
	done, _ := l.Steps()
	games, err := l.next(ctx, l.games(done), l.games(done+1))
	if err != nil {
		return learn.CurvePoint{}, err
	}
	asked, err := plans.New(l.g, l.table)
	if err != nil {
		return learn.CurvePoint{}, err
	}
	adder := plans.NewAdder(l.g, l.table)
	var wrong, positions, decided, plies float64
	for _, f := range games {
		if f.outcome != game.Draw {
			decided++
		}
		plies += float64(len(f.moves))
		n, off := asked.Error(l.g.Start(), f.moves, f.from, f.outcome)
		positions, wrong = positions+float64(n), wrong+off
	}
	for _, f := range games {
		adder.Add(l.g.Start(), f.moves, f.from, f.outcome)
	}
	l.done++
	return learn.CurvePoint{Step: l.done, Games: uint64(l.games(l.done)), Values: map[string]float64{
		"error": wrong / max(1, positions), "decided": decided / float64(len(games)), "plies": plies / float64(len(games)),
		"states": float64(len(l.table.States)), "openings": float64(len(l.table.Openings)),
	}}, nil
}

// next returns the games i with from <= i < end.
func (l *Learner) next(ctx context.Context, from, end int) ([]finished, error) {
	if l.records != nil {
		return l.records[from:end], ctx.Err()
	}
	games := make([]finished, end-from)
	err := learn.Parallel(ctx, len(games), l.o.Jobs, func(ctx context.Context) (func(int) error, error) {
		return func(i int) (err error) {
			games[i], err = l.playGame(ctx, uint64(from+i))
			return err
		}, nil
	})
	return games, err
}

// playGame plays a game of the player against itself.
func (l *Learner) playGame(ctx context.Context, number uint64) (f finished, err error) {
	seed := rng.Mix(l.o.Seed, number)
	who, err := l.o.Player(seed)
	if err != nil {
		return f, err
	}
	defer player.Close(who)
	dice := rand.New(rand.NewPCG(l.o.Seed, seed))
	p := l.g.Start()
	if l.o.Plies > 0 {
		game.PlayRandom(p, 1+dice.IntN(l.o.Plies), dice.IntN)
	}
	f.from = p.Ply()
	for p.Outcome() == game.Ongoing {
		m, err := who.Move(ctx, p, search.Limits{})
		if err == nil {
			err = ctx.Err() // a stopped search returns a move without an error
		}
		if err == nil {
			err = game.Play(p, m)
		}
		if err != nil {
			return f, err
		}
	}
	f.moves, f.outcome = p.AppendHistory(nil), p.Outcome()
	return f, nil
}

func (l *Learner) origin() weights.Origin {
	return weights.Origin{Game: l.g.String(), Learner: "plans", Seed: l.o.Seed, Settings: map[string]any{
		"games": l.o.Games, "plies": l.o.Plies, "player": l.o.Name,
	}}
}

// Save writes the table to a file that the heuristic can load.
func (l *Learner) Save(name string) error { return l.table.Save(name, l.origin()) }

// state is the saved state of a Learner, without its game and options.
type state struct {
	Done  int          `json:"done"`
	Table *plans.Table `json:"table"`
}

// State returns the table.
func (l *Learner) State() ([]byte, error) { return learn.Encode(l.origin(), state{l.done, l.table}) }

// Restore continues from a state of a learner of the same game and options. Jobs may differ.
func (l *Learner) Restore(data []byte) error {
	var s state
	if err := learn.Decode(data, l.origin(), &s); err != nil {
		return err
	}
	if _, total := l.Steps(); s.Done < 0 || s.Done > total || s.Table == nil || s.Table.K != l.table.K {
		return learn.ErrDamaged
	}
	l.done, l.table = s.Done, s.Table
	return nil
}
