// SPDX-License-Identifier: Apache-2.0

// Package cmaes learns by CMA-ES, the covariance matrix adaptation evolution strategy. It draws a population of candidates
// from a normal distribution and lets each candidate play. Then it moves the mean of the distribution towards the better half
// of the candidates, and changes the covariance so that candidates like the better half become more likely.
//
// # Basics
//
//	l, err := cmaes.New(t, cmaes.Options{Seed: 1})  // t of package learn/target
//	err = learn.Run(ctx, l, save)                   // a step is a generation
//	err = l.Save("learned.json")                    // the mean of the distribution
//
// A generation has three parts:
//
//	draw     about 12 candidates from the distribution
//	play     each candidate against the initial parameters and against the mean, all from the same openings
//	move     the mean to the weighted mean of the better half, then adapt step size and covariance
//
// # Caveats
//
// The fitness of a candidate comes from few games and is mostly chance. Only the mean of many candidates improves reliably. The
// best candidate of a generation is usually only the luckiest, so it is not kept.
//
// A saved state of a Learner contains the fitness of the candidates of all past generations. Restore recomputes these
// generations from the fitness without playing games, which takes microseconds for each generation.
//
// CITE: Hansen and Ostermeier, Completely Derandomized Self-Adaptation in Evolution Strategies, 2001.
package cmaes

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/target"
)

// Options are the settings. If a field is 0, its default is used. The comment of the field gives the default after a colon.
type Options struct {
	Games      int     // total number of learning games: 2000
	Population int     // number of candidates in a generation: 4 + 3 ln(number of parameters)
	Pairs      int     // number of pairs of games of a candidate against the initial parameters, and also against the mean: 1
	Sigma      float64 // the step size of the first generation: 1.5
	Plies      int     // number of random plies at the beginning of each pair
	Seed       uint64
	Jobs       int // number of pairs played at once: the number of processors
}

const (
	maxGames      = 100_000_000
	maxPopulation = 10_000
)

// Learner is a learn.Learner.
type Learner struct {
	t       *target.Target
	o       Options
	total   int         // number of generations
	fitness [][]float64 // fitness of the candidates, by generation
	rng     *rand.Rand
	d       *distribution
	next    []sample // the candidates of the next generation
}

// New returns a learner of t. It returns an error if an option is invalid.
func New(t *target.Target, o Options) (*Learner, error) {
	o.Population = cmp.Or(o.Population, 4+int(3*math.Log(float64(len(t.Params)))))
	o.Games, o.Pairs, o.Sigma = cmp.Or(o.Games, 2000), cmp.Or(o.Pairs, 1), cmp.Or(o.Sigma, 1.5)
	if err := o.checkSettings(); err != nil {
		return nil, err
	}
	l := &Learner{t: t, o: o, total: o.Games / o.generation()}
	l.reset()
	return l, nil
}

func (l *Learner) reset() {
	l.fitness, l.rng = nil, rand.New(learn.NewSource(l.o.Seed))
	l.d = newDistribution(len(l.t.Params), l.o.Population, l.o.Sigma)
	l.draw()
}

func (o Options) generation() int { return 4 * o.Pairs * o.Population }

func (o Options) checkSettings() error {
	return cmp.Or(
		learn.Within("the population", o.Population, 4, maxPopulation),
		learn.Within("pairs", o.Pairs, 1, maxGames/maxPopulation),
		learn.Within("games", o.Games, o.generation(), maxGames), learn.Positive("the step size", o.Sigma, 1000),
		learn.Within("random plies", o.Plies, 0, target.MaxPlies), learn.Within("jobs", o.Jobs, 0, learn.MaxJobs),
	)
}

// Steps returns the number of completed generations, and of all generations.
func (l *Learner) Steps() (done, total int) { return len(l.fitness), l.total }

// Step plays the games of the next generation. The returned point of the learning curve contains the mean of the distribution,
// the step size, and three scores. Each score is a share of game points: the score of the best candidate ("best"), the average
// of all candidates ("fitness"), and the average of all candidates in the games against the initial parameters ("score").
func (l *Learner) Step(ctx context.Context) (learn.CurvePoint, error) {
	fitness, score, err := l.playGeneration(ctx)
	if err != nil {
		return learn.CurvePoint{}, err
	}
	l.updateDistribution(fitness)
	values := map[string]float64{"best": slices.Max(fitness), "fitness": mean(fitness), "score": score, "sigma": l.d.sigma}
	done := len(l.fitness)
	return learn.CurvePoint{Step: done, Games: uint64(done) * uint64(l.o.generation()), Values: l.t.Curve(l.d.mean, values)}, nil
}

// playGeneration plays the games of a generation. It returns the fitness of each candidate, and the share of the points that
// all candidates together won in the games against the initial parameters.
func (l *Learner) playGeneration(ctx context.Context) (fitness []float64, score float64, err error) {
	start := make([]float64, len(l.d.mean))
	var pairs []target.Pair
	for _, c := range l.next {
		for i := range l.o.Pairs {
			seed := func(opponent uint64) uint64 { return rng.Mix(l.o.Seed, uint64(len(l.fitness)), uint64(i), opponent) }
			pairs = append(pairs, target.Pair{A: c.x, B: start, Seed: seed(0)}, target.Pair{A: c.x, B: l.d.mean, Seed: seed(1)})
		}
	}
	scores, err := l.t.Play(ctx, pairs, target.Playing{Plies: l.o.Plies, Jobs: l.o.Jobs})
	if err != nil {
		return nil, 0, err
	}
	for own := range slices.Chunk(scores, 2*l.o.Pairs) {
		fitness = append(fitness, mean(own))
	}
	for i := 0; i < len(scores); i += 2 {
		score += scores[i] / float64(len(scores)/2)
	}
	return fitness, score, nil
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

func (l *Learner) updateDistribution(fitness []float64) {
	l.d.update(l.next, fitness)
	l.t.Clamp(l.d.mean)
	l.fitness = append(l.fitness, fitness)
	l.draw()
}

func (l *Learner) draw() {
	l.next = make([]sample, l.o.Population)
	for i := range l.next {
		l.next[i] = l.d.draw(l.rng)
	}
}

// Save writes the mean of the distribution to a file of weights.
func (l *Learner) Save(name string) error { return l.t.Save(name, l.d.mean, l.origin()) }

// state is the saved state of a Learner, without its target and options.
type state struct {
	Fitness [][]float64 `json:"fitness"` // fitness of the candidates, by generation
}

// State returns the fitness of the candidates of all past generations.
func (l *Learner) State() ([]byte, error) { return learn.Encode(l.origin(), state{l.fitness}) }

// Restore continues from a state of a learner with the same target and options. Jobs may differ.
func (l *Learner) Restore(data []byte) error {
	var s state
	if err := learn.Decode(data, l.origin(), &s); err != nil {
		return err
	}
	if len(s.Fitness) > l.total {
		return learn.ErrDamaged
	}
	for _, f := range s.Fitness {
		if len(f) != l.o.Population || slices.Min(f) < 0 || slices.Max(f) > 1 {
			return learn.ErrDamaged
		}
	}
	l.reset()
	for _, f := range s.Fitness {
		l.updateDistribution(f)
	}
	return nil
}

func (l *Learner) origin() weights.Origin {
	o := l.o
	return l.t.Origin("cmaes", o.Seed, map[string]any{
		"games": o.Games, "population": o.Population, "pairs": o.Pairs, "sigma": o.Sigma, "plies": o.Plies,
	})
}
