// SPDX-License-Identifier: Apache-2.0

package stats

import (
	"fmt"
	"math"
)

// SPRTParams are the hypotheses of a sequential probability ratio test, H0 that A is Elo0 stronger and H1
// that A is Elo1 stronger, and how often it may be wrong.
type SPRTParams struct {
	Elo0, Elo1 float64
	Alpha      float64 // probability of accepting H1 where H0 is true; 0 means 0.05
	Beta       float64 // probability of accepting H0 where H1 is true; 0 means 0.05
}

// maxElo bounds the hypotheses: a score near it is still a number between 0 and 1.
const maxElo = 2000

// Check returns an error in one line when s is no test.
func (s SPRTParams) Check() error {
	switch a, b := s.errors(); {
	case !(s.Elo0 < s.Elo1):
		return fmt.Errorf("sprt: elo0 must be less than elo1, not %g and %g", s.Elo0, s.Elo1)
	case s.Elo0 < -maxElo || s.Elo1 > maxElo:
		return fmt.Errorf("sprt: elo0 and elo1 must lie between -%d and %d", maxElo, maxElo)
	case !(a > 0 && b > 0 && a+b < 1):
		return fmt.Errorf("sprt: alpha and beta must be positive and less than 1 together, not %g and %g", a, b)
	}
	return nil
}

func (s SPRTParams) errors() (alpha, beta float64) {
	alpha, beta = s.Alpha, s.Beta
	if alpha == 0 {
		alpha = 0.05
	}
	if beta == 0 {
		beta = 0.05
	}
	return alpha, beta
}

// Bounds returns the log-likelihood ratios at and beyond which the test ends: Wald's, ±2.944 by default.
// CITE: Wald, Sequential Tests of Statistical Hypotheses, 1945.
func (s SPRTParams) Bounds() (lower, upper float64) {
	a, b := s.errors()
	return math.Log(b / (1 - a)), math.Log((1 - b) / a)
}

// Decision is how a sequential test stands.
type Decision uint8

// The decisions.
const (
	Undecided Decision = iota
	AcceptedH0
	AcceptedH1
)

// String returns "undecided", "accepted H0" or "accepted H1".
func (d Decision) String() string {
	return [...]string{"undecided", "accepted H0", "accepted H1"}[d%3]
}

// Decide says what a log-likelihood ratio decides.
func (s SPRTParams) Decide(llr float64) Decision {
	switch lower, upper := s.Bounds(); {
	case llr <= lower:
		return AcceptedH0
	case llr >= upper:
		return AcceptedH1
	}
	return Undecided
}

// LLR returns the generalised log-likelihood ratio of H1 to H0: of all distributions over the results that
// have the mean a hypothesis states, the likeliest stands for that hypothesis. It looks at the pairs, or at
// the singles where there are no pairs, and is 0 where there is neither.
//
// A result that has not come up yet counts as a thousandth of one (as in fishtest), so that one-sided
// matches have a finite ratio too.
func (c Counts) LLR(s SPRTParams) float64 {
	if c.Pairs != (Pentanomial{}) {
		return llr(c.Pairs[:], Score(s.Elo0), Score(s.Elo1))
	}
	if c.Singles != (Trinomial{}) {
		return llr(c.Singles[:], Score(s.Elo0), Score(s.Elo1))
	}
	return 0
}

// unseen stands in for a count of zero.
const unseen = 1e-3

// llr compares the means s1 and s0 of a distribution over len(counts) scores evenly spaced from 0 to 1.
//
// Of the distributions with mean s the likeliest, after counts n[i] of scores a[i] with sum n, is
//
//	p[i] = (n[i]/n) / (1 + x (a[i] - s)),
//
// where x is the multiplier that makes the mean s. The ratio needs the denominators alone.
// CITE: Van den Bergh, Maximum likelihood estimation of a multinomial distribution with a given
// expectation, Proposition 1.1.
func llr(counts []int, s0, s1 float64) float64 {
	n := make([]float64, len(counts))
	for i, k := range counts {
		n[i] = max(float64(k), unseen)
	}
	x0, x1 := multiplier(n, s0), multiplier(n, s1)
	sum := 0.0
	for i, k := range n {
		a := score(i, len(n))
		sum += k * (math.Log1p(x0*(a-s0)) - math.Log1p(x1*(a-s1)))
	}
	return sum
}

func score(i, n int) float64 { return float64(i) / float64(n-1) }

// halvings leaves of an interval far less than a float can tell apart.
const halvings = 64

// multiplier solves sum n[i] (a[i]-s) / (1 + x (a[i]-s)) = 0 for x. All n[i] are positive, so the left side
// falls from +infinity to -infinity between the two x that make a denominator zero.
func multiplier(n []float64, s float64) float64 {
	lo, hi := -1/(1-s), 1/s
	for range halvings {
		x := lo + (hi-lo)/2
		f := 0.0
		for i, k := range n {
			d := score(i, len(n)) - s
			f += k * d / (1 + x*d)
		}
		if f > 0 {
			lo = x
		} else {
			hi = x
		}
	}
	return lo + (hi-lo)/2
}
