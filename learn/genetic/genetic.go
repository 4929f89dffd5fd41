// SPDX-License-Identifier: Apache-2.0

// Package genetic breeds parameters: a colony of players plays, the better half stays, and mutated copies of it take
// the place of the rest. [New] breeds the weights of the indicators of ultimate tic-tac-toe against the random player,
// as published; [NewTarget] breeds any target in the same way, against the parameters that it starts with.
//
// # Basics
//
//	l, err := genetic.New(ultimate.New(ultimate.Rules{}), genetic.Options{Seed: 1})
//	err = learn.Run(ctx, l, save)     // a step is a generation
//	err = l.Save("bred.json")         // greedy:eval=indicators(weights=bred.json)
//	all := l.Colony()                 // best first
//
// The zero [Options] are the published settings: 30 players with weights from [-5,5), 100 games each, 30
// generations, a mutation of each weight by [-3,3).
//
// # How a generation goes
//
// The text breeds at the end of a generation; here it happens at the beginning of the next, so that after each
// step the colony stands sorted, with the scores it was sorted by:
//
//	step 1        draw 30 players              play   sort
//	step 2, ...   keep the best 15, copy and   play   sort
//	              mutate each of them once
//
// All play anew in each generation; of equals the one that was in front stays in front, and so the older ones
// survive. The weight of a won game is infinite in every player. With an odd number of players the middle one
// survives without a copy.
//
// # Caveats
//
// The best player is the best of its last games: by luck in part, and its next score is lower as a rule.
// Weights of indicators that are not asked for (Options.Indicators) are 0.
//
// The genes of a target are its coordinates (see package learn/target). Its players meet one that draws no lots, so
// each pair of games begins with random moves, the same for all players of a generation; a draw is half a win.
//
// # Speed
//
// Each game has a random source of its own, made of the seed, the generation, the player and the game: the
// result does not depend on Jobs. A game costs no allocation but that of its position.
//
// CITE: Eustache and Genuyt, Création d'une intelligence artificielle pour le Tic Tac Toe 9x9, 2018, section 2.3.
package genetic

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"

	"github.com/krow-lab/krow/eval/indicators"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/learn"
)

// Options are the settings. A field that is zero stands for the published value.
type Options struct {
	Players     int     // 30
	Games       int     // of each player in each generation: 100
	Generations int     // 30
	RandomRange float64 // the width of the interval around 0 that the first weights are drawn from: 10
	MutRange    float64 // the width of the interval around 0 that a mutation is drawn from: 6
	HalfDraws   bool    // a draw is half a win, as in the authors' program
	// Literal lets the random player always begin, or with an odd number of Games never, as the printed
	// listing does. Otherwise the players take turns.
	Literal bool
	// Indicators says how the indicators are read, and whether the program's two are bred too. Its
	// Weights must be zero.
	Indicators indicators.Options
	Seed       uint64
	Jobs       int // players that play at once: the number of processors
}

// name is the learner's in files.
const name = "genetic"

// The greatest settings: a colony whose state is some megabytes.
const (
	maxPlayers = 10_000
	maxGames   = 1_000_000
)

// Player is a member of the colony.
type Player struct {
	Values   []float64 // of the parameters that are bred, in the order of the indicators or of the target
	Score    float64   // wins, and half the draws with HalfDraws or of a target, in the last generation
	Survived int       // generations before the last
}

// Learner breeds. It is a learn.Learner.
type Learner struct {
	o      Options
	f      field
	done   int
	rng    learn.Source // of first weights and mutations
	colony []member     // best first; nobody before the first step
}

// field is what is bred, and against whom.
type field interface {
	// genes returns how many genes a player has.
	genes() int
	// clamp moves genes that are out of range to its end.
	clamp(genes []float64)
	// play lets every member of the colony play its games and sets the scores, which mean nothing on an error.
	play(ctx context.Context, generation int, colony []member) error
	// values returns what the genes stand for.
	values(genes []float64) []float64
	// curve returns what is worth plotting: more, and whatever else there is to tell of the best player.
	curve(best []float64, more map[string]float64) map[string]float64
	save(file string, genes []float64, o weights.Origin) error
	origin() weights.Origin
}

// member is a Player in the state of a Learner.
type member struct {
	Genes    []float64 `json:"genes"`
	Score    float64   `json:"score"`
	Survived int       `json:"survived"`
}

// New returns a learner for a variant of ultimate tic-tac-toe, or an error in one line.
func New(g game.Game, o Options) (*Learner, error) {
	u, ok := g.(*ultimate.Game)
	if !ok {
		return nil, fmt.Errorf("the published genetic learner is for ultimate tic-tac-toe, not %s", g)
	}
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	return newLearner(o, newPublished(u, o)), nil
}

func newLearner(o Options, f field) *Learner {
	return &Learner{o: o, f: f, rng: *learn.NewSource(o.Seed)}
}

func (o Options) withDefaults() Options {
	for _, d := range []struct {
		field *int
		value int
	}{{&o.Players, 30}, {&o.Games, 100}, {&o.Generations, 30}, {&o.Jobs, runtime.GOMAXPROCS(0)}} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	if o.RandomRange == 0 {
		o.RandomRange = 10
	}
	if o.MutRange == 0 {
		o.MutRange = 6
	}
	return o
}

func (o Options) check() error {
	switch {
	case o.Players < 2 || o.Players > maxPlayers:
		return fmt.Errorf("a colony of %d players, not 2 to %d", o.Players, maxPlayers)
	case o.Games < 1 || o.Games > maxGames:
		return fmt.Errorf("%d games for each player, not 1 to %d", o.Games, maxGames)
	case o.Generations < 1 || o.Generations > maxGames:
		return fmt.Errorf("%d generations, not 1 to %d", o.Generations, maxGames)
	case !(o.RandomRange > 0 && o.RandomRange <= indicators.MaxWeight):
		return fmt.Errorf("a random range of %g, which must be above 0 and at most %g", o.RandomRange, float64(indicators.MaxWeight))
	case !(o.MutRange > 0 && o.MutRange <= indicators.MaxWeight):
		return fmt.Errorf("a mutation range of %g, which must be above 0 and at most %g", o.MutRange, float64(indicators.MaxWeight))
	case o.Jobs < 0:
		return fmt.Errorf("%d jobs", o.Jobs)
	case o.Indicators.Weights != indicators.Weights{}:
		return errors.New("the weights of the indicators are bred, not given")
	}
	return nil
}

// Steps returns how many generations have played, and how many there are.
func (l *Learner) Steps() (done, total int) { return l.done, l.o.Generations }

// Colony returns the players of the last generation, best first; none before the first step.
func (l *Learner) Colony() []Player {
	all := make([]Player, len(l.colony))
	for i, m := range l.colony {
		all[i] = Player{l.f.values(m.Genes), m.Score, m.Survived}
	}
	return all
}

// Save writes the parameters of the best player to a file of weights.
func (l *Learner) Save(name string) error {
	if len(l.colony) == 0 {
		return errors.New("nothing is bred yet")
	}
	return l.f.save(name, l.colony[0].Genes, l.f.origin())
}

// around returns a number drawn evenly from an interval of this width around 0.
func around(r *rand.Rand, width float64) float64 { return width * (r.Float64() - 0.5) }
