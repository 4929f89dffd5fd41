// SPDX-License-Identifier: Apache-2.0

package genetic

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/eval/indicators"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/learn"
)

// play lets every member of the colony play its games, several members at once, and sets their scores.
func (l *Learner) play(ctx context.Context, colony []member) error {
	scorers := make([]*indicators.Scorer, len(colony))
	for i, m := range colony {
		o := l.o.Indicators
		o.Weights = l.weights(m.Genes)
		s, err := indicators.New(l.g, o)
		if err != nil {
			return err
		}
		scorers[i] = s
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(l.o.Jobs, len(colony)) {
		wg.Go(func() {
			w := worker{l: l}
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
	l     *Learner
	pcg   rand.PCG
	rng   *rand.Rand // of pcg
	moves []game.Move
}

// score plays the games of a player of the next generation and returns its score, which means nothing when
// ctx is done.
func (w *worker) score(ctx context.Context, player int, s *indicators.Scorer) float64 {
	o := w.l.o
	total := 0.0
	for n := 0; n < o.Games && ctx.Err() == nil; n++ {
		w.pcg.Seed(o.Seed, learn.Mix(o.Seed, uint64(w.l.done), uint64(player), uint64(n)))
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
	p := w.l.g.Start().(*ultimate.Position)
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
