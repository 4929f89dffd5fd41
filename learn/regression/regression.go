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
// For games of k in a row the learner fits the generic heuristic: the weights of own and enemy threats are not negative, and the
// weight of a row of k does not change. For ultimate tic-tac-toe it fits the indicators. An iteration has six parts:
//
//	play    games of the weights against themselves, with random plies at first and a few later
//	read    the features of each position after the last random move, and the result of the game
//	scale   the weights w by the constant s for which 1/(1+exp(-s w·x)) suits the results best
//	fit     coefficients to the results, with the penalty L2/2 times the squared distance from s w, in logits
//	return  to the heuristic's unit: the greatest weight is as great as at the start
//	average all fits so far, where the n-th counts n times; the next iteration plays with the average
//
// # Point of view
//
// Own and enemy threats have different weights, and a search values all positions for the side to move at its root. So the
// features of a position are read for the side that was to move Depth plies earlier, as at a leaf of a search of this depth.
// The weights therefore suit searches of this depth, or at least searches with an even depth if Depth is even, and with an odd
// depth if Depth is odd.
//
// # Caveats
//
// Positions with pending threats are also used, because they can be leaves of a search without quiescence. All positions of a
// game have the same result, so they are not independent samples, and the loss is a poor estimate of the error of the weights.
// Each fit has one more feature, a constant for the advantage of the side to move; its coefficient is discarded after the fit.
//
// The random numbers of a game are computed from the seed and the number of the game, so the result does not depend on Jobs.
//
// CITE: Österlund, Texel's tuning method, Chess Programming Wiki, 2014. CITE: Hosmer, Lemeshow and Sturdivant,
// Applied Logistic Regression, 2013, chapter 1. CITE: Polyak and Juditsky, Acceleration of Stochastic
// Approximation by Averaging, 1992.
package regression

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"

	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/target"
	"github.com/krow-lab/krow/search/minimax"
)

// Options are the settings. If a field is 0, its default is used. The comment of the field gives the default after a colon.
type Options struct {
	Games       int     // total number of games: 4000
	Iterations  int     // number of iterations, to which these games are distributed equally: 10
	Depth       int     // depth of the alpha-beta search: 2
	RandomPlies int     // number of random plies at the beginning of each game
	Epsilon     float64 // the share of random moves after the first RandomPlies plies
	L2          float64 // the strength of the penalty for changes of the weights: 1
	Seed        uint64
	Reading     threat.Reading // how threats are counted; not for ultimate
	Jobs        int            // number of games played at the same time: the number of processors
}

const maxGames = 10_000_000

// Learner is a learn.Learner.
type Learner struct {
	g    game.Game
	o    Options
	m    model
	done int
	w    []float64 // the current weights, in the order of the model's features
}

var _ learn.Learner = (*Learner)(nil)

// New returns a learner for a game of k in a row or of ultimate tic-tac-toe. It returns an error for other games.
func New(g game.Game, o Options) (*Learner, error) {
	o.Games, o.Iterations, o.Depth = cmp.Or(o.Games, 4000), cmp.Or(o.Iterations, 10), cmp.Or(o.Depth, 2)
	o.L2, o.Jobs = cmp.Or(o.L2, 1), cmp.Or(o.Jobs, runtime.GOMAXPROCS(0))
	if err := o.checkSettings(); err != nil {
		return nil, err
	}
	m, err := newModel(g, o.Depth, o.Reading)
	if err != nil {
		return nil, err
	}
	return &Learner{g: g, o: o, m: m, w: m.start()}, nil
}

// Plies returns the number of random plies for a game: a fifth of its cells, at most 16.
func Plies(g game.Game) int {
	cells := g.Moves()
	if b, ok := g.Start().(game.Board); ok {
		cells = len(b.Cells())
	}
	return min(cells/5, 16)
}

func (o Options) checkSettings() error {
	return cmp.Or(
		learn.Within("games", o.Games, 1, maxGames), learn.Within("iterations", o.Iterations, 1, o.Games),
		learn.Within("the depth", o.Depth, 1, minimax.MaxDepth), learn.Within("random plies", o.RandomPlies, 0, target.MaxPlies),
		learn.Within("epsilon", o.Epsilon, 0, 1), learn.Positive("l2", o.L2, 1e9), learn.Within("jobs", o.Jobs, 0, learn.MaxJobs),
	)
}

// Steps returns the number of completed iterations, and of all iterations.
func (l *Learner) Steps() (done, total int) { return l.done, l.o.Iterations }

// Weights returns the current weights, with the names that they have in the learning curve.
func (l *Learner) Weights() (names []string, w []float64) { return l.m.Names(), slices.Clone(l.w) }

// Save writes the weights to a file that the heuristic can load.
func (l *Learner) Save(name string) error { return l.m.SaveValues(name, l.w, l.origin()) }

// Step plays the games of an iteration with the current weights and fits the weights to the results. The returned point of the
// learning curve contains the mean loss of a position before and after the fit, in nats; the share of decided games; the mean
// length of the games in plies; the scaling constant; and all weights.
func (l *Learner) Step(ctx context.Context) (learn.CurvePoint, error) {
	from, end := l.played(l.done), l.played(l.done+1)
	s, sum, err := l.playGames(ctx, from, end)
	if err != nil {
		return learn.CurvePoint{}, err
	}
	before, scale := l.scaled(s)
	after := s.fit(l.belief(before))
	l.w, l.done = l.averaged(l.normal(after[:len(l.w)])), l.done+1
	p := learn.CurvePoint{Step: l.done, Games: uint64(end), Values: map[string]float64{
		"loss-before": s.loss(before) / max(1, float64(s.rows())),
		"loss":        s.loss(after) / max(1, float64(s.rows())),
		"decided":     float64(sum.decided) / float64(sum.games),
		"plies":       float64(sum.plies) / float64(sum.games),
		"scale":       scale,
	}}
	for i, name := range l.m.Names() {
		p.Values[name] = l.w[i]
	}
	return p, nil
}

func (l *Learner) played(iterations int) int {
	return int(int64(l.o.Games) * int64(iterations) / int64(l.o.Iterations))
}

// weak is the strength of a penalty so small that it matters only for coefficients about which the games contain no information.
const weak = 1e-6

// scaled returns the coefficients with which the fit begins, and a scale. The scale is the factor, not negative, with which the
// current weights fit the results best. The coefficients are the current weights multiplied by the scale, followed by the
// coefficient of the constant feature.
func (l *Learner) scaled(s *samples) (b []float64, scale float64) {
	unit := greatest(l.w)
	small := &samples{columns: 2, y: s.y}
	for i := range s.y {
		small.x = append(small.x, dot(l.w, s.row(i)[:len(l.w)])/unit, 1)
	}
	c := small.fit(prior{mean: []float64{0, 0}, l2: []float64{weak, weak}, least: []float64{0, math.Inf(-1)}})
	scale = c[0] / unit
	for _, x := range l.w {
		b = append(b, scale*x)
	}
	return append(b, c[1]), scale
}

func (l *Learner) belief(mean []float64) prior {
	p := prior{mean: mean}
	for range l.w {
		p.l2, p.least = append(p.l2, l.o.L2), append(p.least, l.m.least)
	}
	p.l2, p.least = append(p.l2, weak), append(p.least, math.Inf(-1))
	return p
}

// normal returns b multiplied by a factor, which makes the greatest weight equal to the greatest weight at the start of
// learning. If all coefficients in b are 0, it returns the current weights.
func (l *Learner) normal(b []float64) []float64 {
	unit := greatest(b)
	if unit == 0 {
		return l.w
	}
	unit = greatest(l.m.start()) / unit
	w := make([]float64, len(b))
	for i, x := range b {
		w[i] = x * unit
	}
	return w
}

// averaged returns the average of all fits, in which the n-th fit counts n times. w is the latest fit.
func (l *Learner) averaged(w []float64) []float64 {
	share := 2 / float64(l.done+2)
	next := make([]float64, len(w))
	for i, x := range w {
		next[i] = l.w[i] + share*(x-l.w[i])
	}
	return next
}

func greatest(w []float64) float64 {
	top := 0.0
	for _, x := range w {
		top = max(top, math.Abs(x))
	}
	return top
}

func (l *Learner) origin() weights.Origin {
	o := l.o
	settings := map[string]any{
		"games": o.Games, "iterations": o.Iterations, "depth": o.Depth, "random_plies": o.RandomPlies,
		"epsilon": o.Epsilon, "l2": o.L2,
	}
	for _, name := range []string{"gap", "cap"} {
		if value, ok := l.m.Settings[name]; ok {
			settings[name] = value
		}
	}
	return weights.Origin{Game: l.g.String(), Learner: "regression", Seed: o.Seed, Settings: settings}
}

// state is the saved state of a Learner, without its game and options.
type state struct {
	Done    int       `json:"done"`
	Weights []float64 `json:"weights"` // in the order of the features
}

// State returns the weights.
func (l *Learner) State() ([]byte, error) { return learn.Encode(l.origin(), state{l.done, l.w}) }

// Restore continues from a state of a learner of the same game and options. Jobs may differ.
func (l *Learner) Restore(data []byte) error {
	var s state
	if err := learn.Decode(data, l.origin(), &s); err != nil {
		return err
	}
	damaged := s.Done < 0 || s.Done > l.o.Iterations || len(s.Weights) != len(l.w)
	for _, x := range s.Weights {
		damaged = damaged || x < l.m.least
	}
	if !damaged { // Evaluator returns an error for weights that the heuristic cannot use
		_, err := l.m.Evaluator(s.Weights)
		damaged = err != nil
	}
	if damaged {
		return learn.ErrDamaged
	}
	l.done, l.w = s.Done, s.Weights
	return nil
}
