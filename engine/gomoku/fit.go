// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// numWeights is how many parameters Weights have, in the order of their fields.
const numWeights = int(numShapes) + int(numClasses) + numTempos

// ScoreScale is the score, in hundredths of a unit, at which a side wins e games for each that it loses.
const ScoreScale = 200

// Sample is a position of a game, as the evaluation sees it, and how the game ended for the side to move.
type Sample struct {
	Features [numWeights]int16
	Result   float32 // 1 won, 0.5 drawn, 0 lost
	Choice   []Option
}

// Option is a move worth a look in a sample, as the places in an orderModel of the weights that bear on it. The first
// one of a sample is what the engine played.
type Option [10]uint8

// SelfPlay plays games of the engine against itself, nodes a move, from openings of some stones at random close to
// each other, and returns their positions but those that need no search. The same seed gives the same samples,
// whatever jobs, the games played at once.
func SelfPlay(ctx context.Context, g game.Game, o Options, games, jobs int, nodes, seed uint64) ([]Sample, error) {
	if _, err := New(g, o); err != nil {
		return nil, err
	}
	found := make([][]Sample, games)
	var wg sync.WaitGroup
	for job := range jobs {
		wg.Go(func() {
			for i := job; i < games && ctx.Err() == nil; i += jobs {
				found[i] = playOne(ctx, g, o, nodes, rand.New(rand.NewPCG(seed, uint64(i))))
			}
		})
	}
	wg.Wait()
	var all []Sample
	for _, s := range found {
		all = append(all, s...)
	}
	return all, ctx.Err()
}

// playOne plays one game and returns its samples.
func playOne(ctx context.Context, g game.Game, o Options, nodes uint64, rng *rand.Rand) (samples []Sample) {
	r, _ := newRule(g)
	s, err := New(g, o)
	if err != nil {
		return nil
	}
	b, p, list := newBoard(&r, o.Weights), g.Start(), new(moveList)
	var sides []game.Side
	for left := 3 + rng.IntN(5); p.Outcome() == game.Ongoing; left-- {
		var m game.Move
		switch {
		case left > 0:
			m = stray(rng, p, &r)
		default:
			info, err := s.Search(ctx, p, search.Limits{Nodes: nodes}, nil)
			if err != nil || ctx.Err() != nil {
				return nil
			}
			m = info.PV[0]
			if _, ok := b.settled(0); !ok && b.counts[b.turn.Other()][makesFive] == 0 {
				samples = append(samples, Sample{b.features(), 0, b.options(list, b.cellAt(int(m)%r.columns, int(m)/r.columns))})
				sides = append(sides, p.Turn())
			}
		}
		p.Play(m)
		b.play(b.cellAt(int(m)%r.columns, int(m)/r.columns))
	}
	for i := range samples {
		samples[i].Result = 0.5
		if w, won := p.Outcome().Winner(); won {
			samples[i].Result = 0
			if w == sides[i] {
				samples[i].Result = 1
			}
		}
	}
	return samples
}

// stray returns a move at random, no more than two cells from the middle or three from a stone.
func stray(rng *rand.Rand, p game.Position, r *rule) game.Move {
	cells := p.(game.Board).Cells()
	for {
		x, y := rng.IntN(r.columns), rng.IntN(r.rows)
		m := game.Move(x + y*r.columns)
		near := max(x-r.columns/2, r.columns/2-x, y-r.rows/2, r.rows/2-y) <= 2
		for c, stone := range cells {
			dx, dy := c%r.columns-x, c/r.columns-y
			near = near || stone != game.Empty && max(dx, -dx, dy, -dy) <= 3 && rng.IntN(4) == 0
		}
		if f, ok := p.(game.Forbidder); near && game.Legal(p, m) && (!ok || f.Forbidden(m) == "") {
			return m
		}
	}
}

// features returns what each weight is multiplied with in the evaluation.
func (b *board) features() (f [numWeights]int16) {
	b.each(func(c int) {
		if b.stones[c] != codeEmpty {
			return
		}
		q := &b.cells[c]
		for s := range 2 {
			sign := int16(1)
			if game.Side(s) != b.turn {
				sign = -1
			}
			for d := range 4 {
				f[q.code>>(16*s+4*d)&15] += sign
			}
			f[int(numShapes)+int(q.class[s])] += sign
		}
	})
	// What is nothing is worth nothing: the others are counted from it.
	f[dead], f[int(numShapes)+int(quiet)] = 0, 0
	for i, has := range b.tempos() {
		if has {
			f[int(numShapes)+int(numClasses)+i] = 1
		}
	}
	return f
}

// flat returns the weights in the order of features.
func (w *Weights) flat() (x [numWeights]float64) {
	for i, v := range w.Line {
		x[i] = float64(v)
	}
	for i, v := range w.Class {
		x[int(numShapes)+i] = float64(v)
	}
	for i, v := range w.Tempo {
		x[int(numShapes)+int(numClasses)+i] = float64(v)
	}
	return x
}

// fromFlat returns the weights with the order of moves of prior.
func fromFlat(x *[numWeights]float64, prior *Weights) *Weights {
	w := &Weights{Attack: prior.Attack, Defend: prior.Defend}
	at := func(i int) int16 { return int16(math.Round(max(-3000, min(x[i], 3000)))) }
	for i := range w.Line {
		w.Line[i] = at(i)
	}
	for i := range w.Class {
		w.Class[i] = at(int(numShapes) + i)
	}
	for i := range w.Tempo {
		w.Tempo[i] = at(int(numShapes) + int(numClasses) + i)
	}
	return w
}

// Fit returns the weights that explain the results best: a logistic regression, by Newton's method, in which ridge
// holds each weight near that of prior. It also returns the mean loss in bits a position under prior and under the
// weights.
func Fit(samples []Sample, prior *Weights, ridge float64) (w *Weights, before, after float64) {
	center := prior.flat()
	x := center
	before = loss(samples, &x)
	for range 12 {
		var hessian [numWeights][numWeights + 1]float64
		for i := range x {
			hessian[i][i] = ridge
			hessian[i][numWeights] = ridge * (center[i] - x[i])
		}
		for i := range samples {
			s := &samples[i]
			p := chance(dot(s, &x))
			for j, fj := range s.Features {
				if fj == 0 {
					continue
				}
				hessian[j][numWeights] += (float64(s.Result) - p) * float64(fj) / ScoreScale
				for k, fk := range s.Features {
					hessian[j][k] += p * (1 - p) * float64(fj) * float64(fk) / (ScoreScale * ScoreScale)
				}
			}
		}
		step := solve(&hessian)
		for i := range x {
			x[i] += step[i]
		}
	}
	return fromFlat(&x, prior), before, loss(samples, &x)
}

func chance(score float64) float64 { return 1 / (1 + math.Exp(-score/ScoreScale)) }

func dot(s *Sample, x *[numWeights]float64) (sum float64) {
	for i, f := range s.Features {
		sum += float64(f) * x[i]
	}
	return sum
}

// loss is the mean cross entropy in bits.
func loss(samples []Sample, x *[numWeights]float64) (sum float64) {
	for i := range samples {
		p := max(1e-9, min(chance(dot(&samples[i], x)), 1-1e-9))
		y := float64(samples[i].Result)
		sum -= y*math.Log2(p) + (1-y)*math.Log2(1-p)
	}
	return sum / float64(max(len(samples), 1))
}

// solve returns the solution of a positive definite system, the right side in the last column.
func solve(a *[numWeights][numWeights + 1]float64) (x [numWeights]float64) {
	for i := range a {
		for j := i + 1; j < numWeights; j++ {
			f := a[j][i] / a[i][i]
			for k := i; k <= numWeights; k++ {
				a[j][k] -= f * a[i][k]
			}
		}
	}
	for i := numWeights - 1; i >= 0; i-- {
		x[i] = a[i][numWeights]
		for j := i + 1; j < numWeights; j++ {
			x[i] -= a[i][j] * x[j]
		}
		x[i] /= a[i][i]
	}
	return x
}
