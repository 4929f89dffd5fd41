// SPDX-License-Identifier: Apache-2.0

// Package spsa learns by simultaneous perturbation: it changes all parameters at once, in a random direction and in the opposite
// direction, and the two resulting players play against each other.
//
// # Basics
//
//	l, err := spsa.New(t, spsa.Options{Seed: 1})  // t of package learn/target
//	err = learn.Run(ctx, l, save)                 // a step is an iteration
//	err = l.Save("learned.json")
//
// Let x be the vector of coordinates, c the size of the perturbation, and d a vector of random signs, each +1 or -1. The start
// is the initial x:
//
//	x + c d  plays  x - c d      a few pairs of games; s, from -1 to 1, is the first player's share of the points minus the second's
//	or both play the start       with Options.Start: from the same openings; s is the difference of their shares
//	x <- x + a s / (2 c d)       each coordinate by its own sign
//
// a and c decrease with the number k = 0, 1, ... of the iteration, as Spall recommends. A is a tenth of the number of iterations.
// a0 is chosen so that the first iteration moves each coordinate by Options.Rate if one player wins all games.
//
//	a = a0 / (A + k + 1)^0.602      c = c0 / (k + 1)^0.101
//
// # Caveats
//
// If x + c d and x - c d play against each other, the parameters become better against similar players, but not necessarily
// against the start. For the learning curve, x itself plays against the start after each tenth of the iterations. These games
// do not influence x, and do not count in Options.Games.
//
// CITE: Spall, Implementation of the Simultaneous Perturbation Algorithm for Stochastic Optimization, 1998.
package spsa

import (
	"cmp"
	"context"
	"fmt"
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
	Games int // total number of learning games: 2000
	Pairs int // number of pairs of games in an iteration: 2. With Start the number must be even
	// If Start is true, the two changed players, x + c d and x - c d, do not play against each other. Each plays half of the
	// pairs against a player with the initial parameters.
	Start bool
	C     float64 // the perturbation c of the first iteration: 3
	Rate  float64 // the maximum distance by which the first iteration moves a coordinate: 0.4
	// Ten times in a run, the learned parameters x play against the initial parameters for the learning curve. Measure is the
	// number of pairs of games each time: 10; -1 means none.
	Measure int
	Plies   int // number of random plies at the beginning of each pair
	Seed    uint64
	Jobs    int // number of pairs played at once: the number of processors
}

// alpha and gamma are the exponents that Spall recommends for a and c. stability is A as a share of the number of iterations.
const (
	alpha     = 0.602
	gamma     = 0.101
	stability = 0.1
)

const (
	maxGames = 100_000_000
	points   = 10 // number of times that the learned parameters play against the initial ones in a run
)

// Learner is a learn.Learner.
type Learner struct {
	t     *target.Target
	o     Options
	total int // number of iterations
	done  int
	x     []float64
}

// New returns a learner of t. It returns an error if an option is invalid.
func New(t *target.Target, o Options) (*Learner, error) {
	o.Games, o.Pairs, o.Measure = cmp.Or(o.Games, 2000), cmp.Or(o.Pairs, 2), cmp.Or(o.Measure, 10)
	o.C, o.Rate = cmp.Or(o.C, 3), cmp.Or(o.Rate, 0.4)
	if err := o.checkSettings(); err != nil {
		return nil, err
	}
	return &Learner{t: t, o: o, total: o.Games / (2 * o.Pairs), x: make([]float64, len(t.Params))}, nil
}

func (o Options) checkSettings() error {
	if o.Start && o.Pairs%2 != 0 {
		return fmt.Errorf("pairs must be even where both neighbours meet the start, not %d", o.Pairs)
	}
	return cmp.Or(
		learn.Within("pairs", o.Pairs, 1, maxGames/2), learn.Within("games", o.Games, 2*o.Pairs, maxGames),
		learn.Positive("the perturbation", o.C, 1000), learn.Positive("the rate", o.Rate, 1000),
		learn.Within("pairs to measure", o.Measure, -1, maxGames),
		learn.Within("random plies", o.Plies, 0, target.MaxPlies), learn.Within("jobs", o.Jobs, 0, learn.MaxJobs),
	)
}

// Steps returns the number of completed iterations, and of all iterations.
func (l *Learner) Steps() (done, total int) { return l.done, l.total }

// Step makes the next iteration. The returned point of the learning curve contains the parameters and "fitness", which is
// (1+s)/2 for the s of the package comment: without Options.Start this is the share of the points that the player x + c d
// won. After each tenth of the iterations the point also contains "score", the share of the points that x won against the
// start.
func (l *Learner) Step(ctx context.Context) (learn.CurvePoint, error) {
	a, c := l.gains(l.done)
	signs := l.signs(l.done)
	plus, minus := slices.Clone(l.x), slices.Clone(l.x)
	for i, d := range signs {
		plus[i] += c * d
		minus[i] -= c * d
	}
	won, err := l.compare(ctx, plus, minus)
	if err != nil {
		return learn.CurvePoint{}, err
	}
	x := slices.Clone(l.x)
	for i, d := range signs {
		x[i] += a * (2*won - 1) / (2 * c * d)
	}
	l.t.Clamp(x)
	values := map[string]float64{"fitness": won}
	if k := l.done + 1; l.o.Measure > 0 && k*points/l.total > l.done*points/l.total {
		if values["score"], err = l.playPairs(ctx, x, make([]float64, len(x)), l.o.Measure, 1); err != nil {
			return learn.CurvePoint{}, err
		}
	}
	l.x, l.done = x, l.done+1
	return learn.CurvePoint{Step: l.done, Games: uint64(l.done) * uint64(2*l.o.Pairs), Values: l.t.Curve(x, values)}, nil
}

func (l *Learner) gains(k int) (a, c float64) {
	stable := stability * float64(l.total)
	a0 := l.o.Rate * 2 * l.o.C * math.Pow(stable+1, alpha)
	return a0 / math.Pow(stable+float64(k)+1, alpha), l.o.C / math.Pow(float64(k)+1, gamma)
}

func (l *Learner) signs(k int) []float64 {
	dice := rand.New(learn.NewSource(rng.Mix(l.o.Seed, uint64(k))))
	d := make([]float64, len(l.x))
	for i := range d {
		d[i] = float64(2*dice.IntN(2) - 1)
	}
	return d
}

func (l *Learner) compare(ctx context.Context, plus, minus []float64) (float64, error) {
	if !l.o.Start {
		return l.playPairs(ctx, plus, minus, l.o.Pairs, 0)
	}
	start := make([]float64, len(plus))
	up, err := l.playPairs(ctx, plus, start, l.o.Pairs/2, 0)
	if err != nil {
		return 0, err
	}
	down, err := l.playPairs(ctx, minus, start, l.o.Pairs/2, 0)
	return (1 + up - down) / 2, err
}

// playPairs returns the share of the points that a wins against b in n pairs. The openings of the pairs depend on kind,
// which is 0 for the games from which x is learned and 1 for the games of the learning curve.
func (l *Learner) playPairs(ctx context.Context, a, b []float64, n int, kind uint64) (float64, error) {
	pairs := make([]target.Pair, n)
	for i := range pairs {
		pairs[i] = target.Pair{A: a, B: b, Seed: rng.Mix(l.o.Seed, uint64(l.done), kind, uint64(i))}
	}
	scores, err := l.t.Play(ctx, pairs, target.Playing{Plies: l.o.Plies, Jobs: l.o.Jobs})
	sum := 0.0
	for _, s := range scores {
		sum += s
	}
	return sum / float64(n), err
}

// Save writes the learned parameters to a file of weights.
func (l *Learner) Save(name string) error { return l.t.Save(name, l.x, l.origin()) }

// state is the saved state of a Learner, without its target and options.
type state struct {
	Done int       `json:"done"`
	X    []float64 `json:"x"` // the coordinates
}

// State returns the coordinates.
func (l *Learner) State() ([]byte, error) { return learn.Encode(l.origin(), state{l.done, l.x}) }

// Restore continues from a state of a learner of the same target and options. Jobs may differ.
func (l *Learner) Restore(data []byte) error {
	var s state
	if err := learn.Decode(data, l.origin(), &s); err != nil {
		return err
	}
	if s.Done < 0 || s.Done > l.total || !l.t.Fits(s.X) {
		return learn.ErrDamaged
	}
	l.done, l.x = s.Done, s.X
	return nil
}

func (l *Learner) origin() weights.Origin {
	o := l.o
	return l.t.Origin("spsa", o.Seed, map[string]any{
		"games": o.Games, "pairs": o.Pairs, "start": o.Start, "c": o.C, "rate": o.Rate, "measure": o.Measure, "plies": o.Plies,
	})
}
