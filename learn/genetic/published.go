// SPDX-License-Identifier: Apache-2.0

package genetic

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/eval/indicators"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/rng"
)

// published is the indicators of ultimate, bred against random moves.
type published struct {
	g   *ultimate.Game
	o   Options
	all []indicators.Indicator // whose weights are bred
}

func newPublished(g *ultimate.Game, o Options) *published {
	f := &published{g: g, o: o}
	for i := range indicators.Indicator(indicators.Count) {
		if i == indicators.Win || i == indicators.Block && !o.Indicators.Block || i == indicators.Either && !o.Indicators.Either {
			continue
		}
		f.all = append(f.all, i)
	}
	return f
}

func (f *published) genes() int                       { return len(f.all) }
func (f *published) values(genes []float64) []float64 { return slices.Clone(genes) }

func (f *published) curve(_ []float64, more map[string]float64) map[string]float64 { return more }

// clamp keeps weights such that they can be saved, however long the run.
func (f *published) clamp(genes []float64) {
	for i, x := range genes {
		genes[i] = min(max(x, -indicators.MaxWeight), indicators.MaxWeight)
	}
}

// weights returns the weights of all indicators.
func (f *published) weights(genes []float64) indicators.Weights {
	var w indicators.Weights
	w[indicators.Win] = math.Inf(1)
	for i, x := range genes {
		w[f.all[i]] = x
	}
	return w
}

func (f *published) save(file string, genes []float64, o weights.Origin) error {
	return f.weights(genes).Save(file, o)
}

// origin tells of the learner in files.
func (f *published) origin() weights.Origin {
	o := f.o
	return weights.Origin{Game: f.g.String(), Learner: name, Seed: o.Seed, Settings: map[string]any{
		"players": o.Players, "games": o.Games, "generations": o.Generations,
		"random_range": o.RandomRange, "mut_range": o.MutRange, "half_draws": o.HalfDraws, "literal": o.Literal,
		"block": o.Indicators.Block, "either": o.Indicators.Either, "ever": o.Indicators.Ever,
	}}
}

// play lets several members play at once.
func (f *published) play(ctx context.Context, generation int, colony []member) error {
	scorers := make([]*indicators.Scorer, len(colony))
	for i, m := range colony {
		o := f.o.Indicators
		o.Weights = f.weights(m.Genes)
		s, err := indicators.New(f.g, o)
		if err != nil {
			return err
		}
		scorers[i] = s
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(f.o.Jobs, len(colony)) {
		wg.Go(func() {
			w := worker{f: f, generation: generation}
			w.rng = rand.New(&w.pcg)
			for i := int(next.Add(1)) - 1; i < len(colony) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				colony[i].Score = w.score(ctx, i, scorers[i])
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

// worker plays one game after the other.
type worker struct {
	f          *published
	generation int
	pcg        rand.PCG
	rng        *rand.Rand // of pcg
	moves      []game.Move
}

// score plays the games of a player of the next generation and returns its score, which means nothing when
// ctx is done.
func (w *worker) score(ctx context.Context, player int, s *indicators.Scorer) float64 {
	o := w.f.o
	total := 0.0
	for n := 0; n < o.Games && ctx.Err() == nil; n++ {
		w.pcg.Seed(o.Seed, rng.Mix(o.Seed, uint64(w.generation), uint64(player), uint64(n)))
		seat := game.Second
		if o.Literal && o.Games%2 == 1 || !o.Literal && n%2 == 1 {
			seat = game.First
		}
		switch w.game(s, seat) {
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

// game plays one game of the indicators in a seat against random moves.
func (w *worker) game(s *indicators.Scorer, seat game.Side) game.Outcome {
	p := w.f.g.Start().(*ultimate.Position)
	for p.Outcome() == game.Ongoing {
		w.moves = p.AppendMoves(w.moves[:0])
		if p.Turn() == seat {
			p.Play(best(s, p, w.moves))
			continue
		}
		p.Play(w.moves[w.rng.IntN(len(w.moves))])
	}
	return p.Outcome()
}

// best returns the first of the moves with the best score: what greedy search plays.
func best(s *indicators.Scorer, p *ultimate.Position, moves []game.Move) game.Move {
	at, top := game.NoMove, -eval.Infinity
	for _, m := range moves {
		if v := s.ScoreMove(p, m); v > top {
			at, top = m, v
		}
	}
	return at
}
