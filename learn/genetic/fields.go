// SPDX-License-Identifier: Apache-2.0

package genetic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/eval/indicators"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/target"
)

type published struct {
	*target.Target
	g *ultimate.Game
	o Options
}

// Curve returns its argument more and adds nothing: the learning curve of the published experiment does not contain the
// weights.
func (f *published) Curve(_ []float64, more map[string]float64) map[string]float64 { return more }

// First returns Options.Start in the order of the genes.
func (f *published) First() (genes []float64) {
	if f.o.Start == (indicators.Weights{}) {
		return nil
	}
	for _, i := range f.o.Indicators.Learned() {
		genes = append(genes, f.o.Start[i])
	}
	return genes
}

func (f *published) origin() weights.Origin {
	o := f.o
	from := weights.Origin{Game: f.g.String(), Learner: name, Seed: o.Seed, Settings: map[string]any{
		"players": o.Players, "games": o.Games, "generations": o.Generations,
		"random_range": o.RandomRange, "mut_range": o.MutRange, "half_draws": o.HalfDraws, "literal": o.Literal,
		"block": o.Indicators.Block, "either": o.Indicators.Either, "ever": o.Indicators.Ever,
	}}
	// These settings are written only if they differ from their defaults: older files do not contain these settings, and must
	// still match the default settings.
	if first := f.First(); first != nil {
		from.Settings["start"] = first
	}
	if o.Losers {
		from.Settings["losers"] = "own"
	}
	return from
}

func (f *published) playGames(ctx context.Context, generation int, colony []member) error {
	return learn.Parallel(ctx, len(colony), f.o.Jobs, func(ctx context.Context) (func(int) error, error) {
		return func(i int) error {
			e, err := f.Evaluator(colony[i].Genes)
			if err == nil {
				colony[i].Score = f.score(ctx, generation, i, e.(*indicators.Scorer))
			}
			return err
		}, nil
	})
}

// score plays the games of a member of the colony and returns its score. If ctx is done, the result is meaningless.
func (f *published) score(ctx context.Context, generation, member int, s *indicators.Scorer) (total float64) {
	var pcg rand.PCG
	var moves []game.Move
	o, random := f.o, rand.New(&pcg)
	for n := 0; n < o.Games && ctx.Err() == nil; n++ {
		pcg.Seed(o.Seed, rng.Mix(o.Seed, uint64(generation), uint64(member), uint64(n)))
		seat := game.Second
		if o.Literal && o.Games%2 == 1 || !o.Literal && n%2 == 1 {
			seat = game.First
		}
		p := f.g.Start().(*ultimate.Position)
		for p.Outcome() == game.Ongoing {
			moves = p.AppendMoves(moves[:0])
			if p.Turn() == seat {
				p.Play(best(s, p, moves))
			} else {
				p.Play(moves[random.IntN(len(moves))])
			}
		}
		switch p.Outcome() {
		case game.WinFor(seat):
			total++
		case game.Draw:
			if o.HalfDraws {
				total += 0.5
			}
		}
	}
	return total
}

func best(s *indicators.Scorer, p *ultimate.Position, moves []game.Move) game.Move {
	at, top := game.NoMove, -eval.Infinity
	for _, m := range moves {
		if v := s.ScoreMove(p, m); v > top {
			at, top = m, v
		}
	}
	return at
}

// targeted implements field for a target: every player plays against the initial parameters of the target.
type targeted struct {
	*target.Target
	o     Options
	plies int
}

// First returns nil, so the players of the first generation are drawn at random.
func (*targeted) First() []float64 { return nil }

// NewTarget returns a genetic learner for a target. The parameter plies is the number of random plies at the beginning of each
// pair of games. Options.Games must be even. NewTarget returns an error if HalfDraws, Literal, Start, Losers or Indicators is
// set, because these options belong to the published experiment.
func NewTarget(t *target.Target, o Options, plies int) (*Learner, error) {
	o = o.withDefaults()
	if err := cmp.Or(o.checkSettings(), learn.Within("random plies", plies, 0, target.MaxPlies)); err != nil {
		return nil, err
	}
	switch {
	case o.Games%2 != 0:
		return nil, fmt.Errorf("games must be even, not %d", o.Games)
	case o.HalfDraws || o.Literal || o.Losers || o.Start != indicators.Weights{} || o.Indicators != indicators.Options{}:
		return nil, errors.New("half draws, literal, start, losers and indicators are options of the published field alone")
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

func (f *targeted) playGames(ctx context.Context, generation int, colony []member) error {
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
