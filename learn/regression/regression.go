// SPDX-License-Identifier: Apache-2.0

// Package regression learns the weights of a heuristic from the results of self-play by logistic regression, the
// method that chess programmers call Texel tuning.
//
// # Basics
//
//	l, err := regression.New(g, regression.Options{RandomPlies: regression.Plies(g), Epsilon: 0.05, Seed: 1})
//	err = learn.Run(ctx, l, save)  // a step is an iteration: games, then a fit
//	err = l.Save("fitted.json")    // alphabeta:depth=2,eval=generic(weights=fitted.json)
//
// Games of k in a row fit the generic heuristic, weights of own and enemy threats alike 0 or more and the row of k
// as it was; ultimate tic-tac-toe fits the indicators. An iteration is
//
//	play    games of the weights against themselves, each with random plies at first and now and then later
//	read    at each position after the last random move what the heuristic weighs, and who won in the end
//	scale   the weights w by the constant s for which 1/(1+exp(-s w·x)) suits the results best
//	fit     coefficients near s w to the results: penalized by L2/2 times the squared distance, in logits
//	return  to the heuristic's unit: the greatest weight is as great as at the start
//	average all fits up to here, the n-th counting n times; the next iteration plays with that
//
// # Whose view
//
// The search asks for the view of the side at its root, and own and enemy threats weigh differently: who is to
// move decides what a threat is worth. A search of an even depth ends with the root's side to move, whose
// four wins at once; after an odd depth the other side moves, and the same four can be blocked. So a position is
// read for the side that was to move Depth plies before it: positions are like the leaves of a search of that
// depth, and the weights are for searches of that depth, or at least of its parity.
//
// # Caveats
//
// No position is left out for not being quiet: a search without quiescence values the others too, and its leaves are
// seldom quiet. The positions of a game share one result, so the loss tells little of the error of the
// weights. A constant stands beside the features in each fit, for the advantage of the move; it is the same
// at all leaves and not kept.
//
// Self-play is deterministic but for the random plies: without RandomPlies and Epsilon all games of an iteration
// are the same.
//
// # Speed
//
// The random numbers of a game are made of the seed and its number: the result does not depend on Jobs.
//
// CITE: Österlund, Texel's tuning method, Chess Programming Wiki, 2014. CITE: Hosmer, Lemeshow and Sturdivant,
// Applied Logistic Regression, 2013, chapter 1. CITE: Polyak and Juditsky, Acceleration of Stochastic
// Approximation by Averaging, 1992.
package regression

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/search/minimax"
)

// Options are the settings. Where a default is told, zero stands for it.
type Options struct {
	Games       int     // in all: 4000
	Iterations  int     // that share them: 10
	Depth       int     // of the alpha-beta search: 2
	RandomPlies int     // at the beginning of each game
	Epsilon     float64 // the share of random moves after them
	L2          float64 // the precision of the belief in the last weights: 1
	Seed        uint64
	Jobs        int // games at once: the number of processors
}

const (
	maxGames = 10_000_000
	maxPlies = 128 * 128
)

// Learner is a learn.Learner.
type Learner struct {
	g    game.Game
	o    Options
	m    model
	done int
	w    []float64 // of the model's features
}

var _ learn.Learner = (*Learner)(nil)

// New returns a learner for a game of k in a row or of ultimate tic-tac-toe, or an error in one line.
func New(g game.Game, o Options) (*Learner, error) {
	m, err := newModel(g)
	if err != nil {
		return nil, err
	}
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	return &Learner{g: g, o: o, m: m, w: m.start()}, nil
}

// Plies returns how many random plies suit a game: a fifth of its cells, and 16 at most.
func Plies(g game.Game) int {
	cells := g.Moves()
	if b, ok := g.Start().(game.Board); ok {
		cells = len(b.Cells())
	}
	return min(cells/5, 16)
}

func (o Options) withDefaults() Options {
	for _, d := range []struct {
		field *int
		value int
	}{{&o.Games, 4000}, {&o.Iterations, 10}, {&o.Depth, 2}, {&o.Jobs, runtime.GOMAXPROCS(0)}} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	if o.L2 == 0 {
		o.L2 = 1
	}
	return o
}

func (o Options) check() error {
	switch {
	case o.Games < 1 || o.Games > maxGames:
		return fmt.Errorf("%d games, not 1 to %d", o.Games, maxGames)
	case o.Iterations < 1 || o.Iterations > o.Games:
		return fmt.Errorf("%d iterations for %d games", o.Iterations, o.Games)
	case o.Depth < 1 || o.Depth > minimax.MaxDepth:
		return fmt.Errorf("a depth of %d, not 1 to %d", o.Depth, minimax.MaxDepth)
	case o.RandomPlies < 0 || o.RandomPlies > maxPlies:
		return fmt.Errorf("%d random plies, not 0 to %d", o.RandomPlies, maxPlies)
	case !(o.Epsilon >= 0 && o.Epsilon <= 1):
		return fmt.Errorf("an epsilon of %g, not 0 to 1", o.Epsilon)
	case !(o.L2 > 0 && o.L2 <= 1e9):
		return fmt.Errorf("an l2 of %g, which must be above 0 and at most 1e9", o.L2)
	case o.Jobs < 0:
		return fmt.Errorf("%d jobs", o.Jobs)
	}
	return nil
}

// Steps returns how many iterations are done, and how many there are.
func (l *Learner) Steps() (done, total int) { return l.done, l.o.Iterations }

// played returns how many games have been played after so many iterations.
func (l *Learner) played(iterations int) int {
	return int(int64(l.o.Games) * int64(iterations) / int64(l.o.Iterations))
}

// Weights returns the weights as they are now, by the names of the learning curve.
func (l *Learner) Weights() (names []string, w []float64) { return l.m.names(), slices.Clone(l.w) }

// Save writes the weights to a file that the heuristic can load.
func (l *Learner) Save(name string) error { return l.m.save(name, l.w, l.origin()) }

// origin tells of the learner in files.
func (l *Learner) origin() weights.Origin {
	o := l.o
	return weights.Origin{Game: l.g.String(), Learner: "regression", Seed: o.Seed, Settings: map[string]any{
		"games": o.Games, "iterations": o.Iterations, "depth": o.Depth, "random_plies": o.RandomPlies,
		"epsilon": o.Epsilon, "l2": o.L2,
	}}
}
