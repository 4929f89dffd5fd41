// SPDX-License-Identifier: Apache-2.0

package gomoku

import "math"

// ScoreScale is the score, in hundredths of a unit, at which a side wins e games for each that it loses.
const ScoreScale = 200

// Fitting says how weights are fitted.
type Fitting struct {
	Rounds int     // of the descent
	Spread float64 // of what a pattern has of its own, in hundredths of a unit
	Blend  float64 // how much of what is learned is the score, and not the result
	Share  float64 // what a sample counts: less than 1, since those of a game are much alike
}

// Fit returns weights that explain what became of the samples: a logistic regression that begins at prior, whose order
// of moves it keeps. Renju has a row for each side.
func Fit(samples []Sample, prior *Weights, renju bool, f Fitting) *Weights {
	row := newRow(prior.evalRow(), evalTraits(renju), f.Spread, traitSpread)
	x, gradient := make([]float64, 2*evalSide), make([]float64, 2*evalSide)
	for round := range f.Rounds {
		row.values(x)
		clear(gradient)
		for i := range samples {
			s := &samples[i]
			d := f.Share * (chance(s.sum(x)) - s.target(f.Blend)) / ScoreScale
			for _, t := range s.terms {
				gradient[t.at] += d * float64(t.n)
			}
		}
		row.step(gradient, 3*(1-float64(round)/float64(f.Rounds)))
	}
	row.values(x)
	w := *prior
	w.setEval(x, renju)
	return &w
}

// traitSpread is the spread of the values of traits: all but free.
const traitSpread = 200

// target is what a sample's chance should be.
func (s *Sample) target(blend float64) float64 {
	if !s.Played {
		blend = 1
	}
	return (1-blend)*s.Result + blend*chance(s.Score)
}

// sum returns what the evaluation with parameters x takes the sample for.
func (s *Sample) sum(x []float64) (v float64) {
	for _, t := range s.terms {
		v += float64(t.n) * x[t.at]
	}
	return v
}

// chance returns the chance of a score to win.
func chance(score float64) float64 { return 1 / (1 + math.Exp(-score/ScoreScale)) }

func evalTraits(renju bool) [][]uint16 {
	const each = patternTraits + numThreats + 1
	var all [][]uint16
	for side := range 2 {
		all = append(all, traitsOf(renju && side == 0, side*each)...)
		all = append(all, maskTraits(side*each+patternTraits)...)
	}
	return all
}

// evalRow returns the parameters of the evaluation.
func (w *Weights) evalRow() (x []float64) {
	for s := range w.Side {
		for _, v := range w.Side[s].Value {
			x = append(x, float64(v))
		}
		for _, v := range w.Side[s].Threat {
			x = append(x, float64(v))
		}
	}
	return x
}

// setEval sets the parameters of the evaluation. Without sides of their own both have the first one's.
func (w *Weights) setEval(x []float64, apart bool) {
	for s := range w.Side {
		own := x
		if apart {
			own = x[s*evalSide:]
		}
		for p := range w.Side[s].Value {
			w.Side[s].Value[p] = toWeight(own[p])
		}
		w.Side[s].Value[0] = 0 // as in the samples
		for m := range w.Side[s].Threat {
			w.Side[s].Threat[m] = toWeight(own[numPatterns+m])
		}
	}
}

func toWeight(x float64) int16 { return int16(math.Round(max(-3000, min(x, 3000)))) }

// Loss returns how far the chances that w gives are from what became of the samples: the mean cross entropy in bits,
// of the result, and of the chance that the search gave less its own entropy.
func (w *Weights) Loss(samples []Sample) (result, score float64) {
	x, games := w.evalRow(), 0
	for i := range samples {
		s := &samples[i]
		p := max(1e-9, min(chance(s.sum(x)), 1-1e-9))
		q := max(1e-9, min(chance(s.Score), 1-1e-9))
		score += entropy(q, p) - entropy(q, q)
		if s.Played {
			result, games = result+entropy(s.Result, p), games+1
		}
	}
	return result / float64(max(games, 1)), score / float64(max(len(samples), 1))
}

// entropy is the cross entropy of a chance p where the truth is y, in bits.
func entropy(y, p float64) float64 { return -y*math.Log2(p) - (1-y)*math.Log2(1-p) }

// Spread returns the standard deviation of what w takes the samples for, no more than four units.
func (w *Weights) Spread(samples []Sample) float64 {
	x, sum, square := w.evalRow(), 0.0, 0.0
	for i := range samples {
		v := max(-400, min(samples[i].sum(x), 400))
		sum, square = sum+v, square+v*v
	}
	n := float64(max(len(samples), 1))
	return math.Sqrt(square/n - sum/n*sum/n)
}

// Scale multiplies the evaluation.
func (w *Weights) Scale(factor float64) {
	for s := range w.Side {
		for p, v := range w.Side[s].Value {
			w.Side[s].Value[p] = toWeight(float64(v) * factor)
		}
		for m, v := range w.Side[s].Threat {
			w.Side[s].Threat[m] = toWeight(float64(v) * factor)
		}
	}
}
