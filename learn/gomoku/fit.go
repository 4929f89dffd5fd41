// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"math"
	"slices"

	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation/binpack"
)

// sample is a position with the result of its game. Instead of the stones, a sample contains the parameters whose sum is the
// evaluation of the position.
type sample struct {
	Label
	terms []term
	moves []looks // the candidate moves, with the engine's choice first; empty if the choice is not a candidate
}

type term struct {
	param uint16
	n     int16
}

// looks contains the two parameters that rate a move.
type looks [2]uint16

type sampler struct {
	g       game.Game
	f       *gomoku.Features
	tally   []int16 // number of occurrences of each parameter in the current position; all 0 between positions
	touched []uint16
}

func newSampler(g game.Game, f *gomoku.Features) *sampler {
	return &sampler{g: g, f: f, tally: make([]int16, 2*gomoku.NumWeights)}
}

// add appends a sample for each position of the game b in which the search would call the evaluation.
func (s *sampler) add(dst []sample, b *binpack.Game) ([]sample, error) {
	err := Each(s.g, b, 0, func(p game.Position, l Label) {
		if s.f.Load(p); s.f.Evaluated() {
			dst = append(dst, sample{l, s.terms(), s.moves(l.Best)})
		}
	})
	return dst, err
}

func (s *sampler) terms() (all []term) {
	s.touched = s.touched[:0]
	s.f.Evaluation(func(param, n int) {
		if s.tally[param] == 0 {
			s.touched = append(s.touched, uint16(param))
		}
		s.tally[param] += int16(n)
	})
	slices.Sort(s.touched)
	for _, param := range slices.Compact(s.touched) {
		if n := s.tally[param]; n != 0 {
			all = append(all, term{param, n})
		}
		s.tally[param] = 0
	}
	return all
}

func (s *sampler) moves(best game.Move) (all []looks) {
	found := false
	for _, m := range s.f.Moves(nil) {
		attack, defend, ok := s.f.Looks(m)
		if !ok {
			continue
		}
		all = append(all, looks{uint16(attack), uint16(defend)})
		if m == best {
			last := len(all) - 1
			all[0], all[last], found = all[last], all[0], true
		}
	}
	if !found {
		return nil
	}
	return all
}

// Settings of the gradient descent.
const (
	blend      = 0.8 // weight of the search's score in the label; the result of the game has the weight 1 - blend
	evalShare  = 0.3 // weight of a sample: less than 1, because the samples of a game are similar
	orderShare = 0.5 // weight of a sample in the fit of move ordering
	orderUnit  = 48  // if one move's rating is this much greater than another's, the move is e times as likely to be the best
	// The values of traits are assumed to have a normal distribution with this standard deviation. It is large, so the values are
	// hardly limited.
	traitSpread = 200
	rate        = 3
)

// fit returns weights that explain the samples. A logistic regression fits the evaluation to the results and scores. The
// parameters of move ordering are fitted to the moves that the engine chose: the chance that a move is chosen is proportional
// to exp(s/orderUnit), where s is the sum of the two parameters that rate the move. The descent begins at prior. A small spread
// keeps each parameter near the sum of its traits, the values that it shares with other parameters.
//
// CITE: Coulom, Computing Elo Ratings of Move Patterns in the Game of Go, 2007.
func fit(samples []sample, f *gomoku.Features, prior *gomoku.Weights, rounds int, spread float64) *gomoku.Weights {
	r := newRow(values(prior), f.Traits(), spread)
	x, gradient := make([]float64, len(r.prior)), make([]float64, len(r.prior))
	for round := range rounds {
		r.values(x)
		clear(gradient)
		for i := range samples {
			s := &samples[i]
			d := evalShare * (chance(s.sum(x)) - s.target()) / Scale
			for _, t := range s.terms {
				gradient[t.param] += d * float64(t.n)
			}
			s.surprise(x, gradient)
		}
		r.step(gradient, rate*(1-float64(round)/float64(rounds)))
	}
	r.values(x)
	w := new(gomoku.Weights)
	for i, v := range x {
		w[i/gomoku.NumWeights][i%gomoku.NumWeights] = gomoku.Weight(v)
	}
	if !f.Apart() {
		w[1] = w[0]
	}
	return w
}

func values(w *gomoku.Weights) (x []float64) {
	for s := range w {
		for _, v := range w[s] {
			x = append(x, float64(v))
		}
	}
	return x
}

func chance(score float64) float64 { return 1 / (1 + math.Exp(-score/Scale)) }

func (s *sample) target() float64 {
	said := Chance(s.Score)
	if !s.Final {
		return said
	}
	return (1-blend)*s.Result + blend*said
}

// sum returns the evaluation of the sample under the parameters x.
func (s *sample) sum(x []float64) (v float64) {
	for _, t := range s.terms {
		v += float64(t.n) * x[t.param]
	}
	return v
}

// surprise returns minus the binary logarithm of the chance that the weights x give to the engine's choice, or 0 for a sample
// without candidate moves. If the slice gradient is not nil, surprise adds the derivatives of this value to the slice.
func (s *sample) surprise(x, gradient []float64) float64 {
	if len(s.moves) < 2 {
		return 0
	}
	chances := make([]float64, len(s.moves))
	sum := 0.0
	for j, o := range s.moves {
		chances[j] = math.Exp(min((x[o[0]]+x[o[1]])/orderUnit, 300))
		sum += chances[j]
	}
	for j, o := range s.moves {
		if gradient == nil {
			break
		}
		d := chances[j] / sum
		if j == 0 {
			d--
		}
		gradient[o[0]] += orderShare * d / orderUnit
		gradient[o[1]] += orderShare * d / orderUnit
	}
	return -math.Log2(max(chances[0]/sum, 1e-300))
}

// row is a set of parameters that are learned together. Each parameter is a sum of three parts: its initial value (prior), the
// values of its traits, which other parameters may share, and its own part. The own part is kept near 0. It becomes clearly
// different from 0 only if many samples show that the other two parts do not suffice:
//
//	parameter = prior + its traits + its own part
type row struct {
	prior []float64
	// By parameter: its traits. A trait can be listed several times, for example if several lines of a pattern have the same
	// shape.
	traits [][]uint16
	x      []float64 // the values of the traits, then the own part of each parameter
	// By index in x: the strength with which this number is kept near 0. It is 1 / variance, where the variance is assumed before
	// any sample is seen.
	held   []float64
	m, v   []float64 // moving averages of the gradient and of its square
	rounds int
}

// newRow returns a row in which everything except the prior is 0.
func newRow(prior []float64, traits [][]uint16, spread float64) *row {
	numTraits := 0
	for _, t := range traits {
		numTraits = max(numTraits, int(slices.Max(t))+1)
	}
	n := numTraits + len(prior)
	r := &row{prior: prior, traits: traits, x: make([]float64, n), held: make([]float64, n), m: make([]float64, n), v: make([]float64, n)}
	for i := range r.held {
		r.held[i] = 1 / (traitSpread * traitSpread)
		if i >= numTraits {
			r.held[i] = 1 / (spread * spread)
		}
	}
	return r
}

func (r *row) values(dst []float64) {
	own := r.x[len(r.x)-len(r.prior):]
	for i := range dst {
		dst[i] = r.prior[i] + own[i]
		for _, t := range r.traits[i] {
			dst[i] += r.x[t]
		}
	}
}

// step moves each number in x against the gradient of the loss, by about rate. CITE: Kingma and Ba, Adam: A Method for Stochastic
// Optimization, 2015.
func (r *row) step(gradient []float64, rate float64) {
	const decay1, decay2 = 0.9, 0.99
	g := make([]float64, len(r.x))
	copy(g[len(r.x)-len(r.prior):], gradient)
	for i, d := range gradient {
		for _, t := range r.traits[i] {
			g[t] += d
		}
	}
	r.rounds++
	fix1, fix2 := 1-math.Pow(decay1, float64(r.rounds)), 1-math.Pow(decay2, float64(r.rounds))
	for i := range r.x {
		d := g[i] + r.held[i]*r.x[i]
		r.m[i] = decay1*r.m[i] + (1-decay1)*d
		r.v[i] = decay2*r.v[i] + (1-decay2)*d*d
		r.x[i] -= rate * r.m[i] / fix1 / (math.Sqrt(r.v[i]/fix2) + 1e-9)
	}
}

type losses struct {
	result   float64 // cross entropy of the game results, in bits
	score    float64 // cross entropy of the scores, converted to chances, minus the entropy of these chances
	surprise float64 // mean surprise of the engine's choices, in bits: see the method surprise
	spread   float64 // standard deviation of the evaluation after clipping it to -400..400, in hundredths of a unit
}

func measure(samples []sample, w *gomoku.Weights) losses {
	var result, score, surprise, value, square mean
	x := values(w)
	for i := range samples {
		s := &samples[i]
		v := s.sum(x)
		p := max(1e-9, min(chance(v), 1-1e-9))
		q := max(1e-9, min(Chance(s.Score), 1-1e-9))
		score.add(entropy(q, p) - entropy(q, q))
		if s.Final {
			result.add(entropy(s.Result, p))
		}
		if len(s.moves) > 1 {
			surprise.add(s.surprise(x, nil))
		}
		v = max(-400, min(v, 400))
		value.add(v)
		square.add(v * v)
	}
	return losses{result.of(), score.of(), surprise.of(), math.Sqrt(square.of() - value.of()*value.of())}
}

type mean struct{ sum, n float64 }

func (m *mean) add(x float64) { m.sum, m.n = m.sum+x, m.n+1 }

func (m *mean) of() float64 { return m.sum / max(m.n, 1) }

// entropy returns the cross entropy, in bits, of a predicted chance p and a result y from 0 to 1.
func entropy(y, p float64) float64 { return -y*math.Log2(p) - (1-y)*math.Log2(1-p) }
