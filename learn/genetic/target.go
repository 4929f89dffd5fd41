// SPDX-License-Identifier: Apache-2.0

package genetic

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/krow-lab/krow/eval/indicators"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/target"
)

// targeted is a target, bred against the parameters that it starts with. The methods of
// Target are those of a field.
type targeted struct {
	*target.Target
	o     Options
	plies int
}

// NewTarget returns a learner of a target. Each pair of games begins with this many random plies, and Options.Games
// must be even. HalfDraws, Literal and Indicators are of the published field alone.
func NewTarget(t *target.Target, o Options, plies int) (*Learner, error) {
	o = o.withDefaults()
	if err := cmp.Or(o.check(), learn.Within("random plies", plies, 0, target.MaxPlies)); err != nil {
		return nil, err
	}
	switch {
	case o.Games%2 != 0:
		return nil, fmt.Errorf("games must be even, not %d", o.Games)
	case o.HalfDraws || o.Literal || o.Indicators != indicators.Options{}:
		return nil, errors.New("half draws, literal and indicators are options of the published field alone")
	}
	return newLearner(o, &targeted{t, o, plies}), nil
}

func (f *targeted) origin() weights.Origin {
	o := f.o
	return f.Origin(name, o.Seed, map[string]any{
		"players": o.Players, "games": o.Games, "generations": o.Generations,
		"random_range": o.RandomRange, "mut_range": o.MutRange, "plies": f.plies,
	})
}

// play lets all members play the same openings.
func (f *targeted) play(ctx context.Context, generation int, colony []member) error {
	start, n := make([]float64, len(f.Params)), f.o.Games/2
	var pairs []target.Pair
	for _, m := range colony {
		for i := range n {
			pairs = append(pairs, target.Pair{A: m.Genes, B: start, Seed: rng.Mix(f.o.Seed, uint64(generation), uint64(i))})
		}
	}
	scores, err := f.Play(ctx, pairs, target.Playing{Plies: f.plies, Jobs: f.o.Jobs})
	if err != nil {
		return err
	}
	for i := range colony {
		colony[i].Score = 0
		for _, s := range scores[i*n : (i+1)*n] {
			colony[i].Score += 2 * s
		}
	}
	return nil
}
