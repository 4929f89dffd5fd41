// SPDX-License-Identifier: Apache-2.0

package stats

import (
	"fmt"
	"math"
)

// SPRT is a sequential probability ratio test of H0, that A is Elo0 stronger, against H1, that A is Elo1 stronger. If
// one is true, the other is accepted in at most 5 % of matches.
type SPRT struct{ Elo0, Elo1 float64 }

// SPRTBound is how far from 0 the log-likelihood ratio is when the test ends.
// CITE: Wald, Sequential Tests of Statistical Hypotheses, 1945.
var SPRTBound = math.Log(0.95 / 0.05)

// maxElo bounds the hypotheses: a score near it is still a number between 0 and 1.
const maxElo = 2000

// Check returns an error in one line when s is no test.
func (s SPRT) Check() error {
	switch {
	case !(s.Elo0 < s.Elo1):
		return fmt.Errorf("sprt: elo0 must be less than elo1, not %g and %g", s.Elo0, s.Elo1)
	case s.Elo0 < -maxElo || s.Elo1 > maxElo:
		return fmt.Errorf("sprt: elo0 and elo1 must lie between -%d and %d", maxElo, maxElo)
	}
	return nil
}

// The decisions of a test.
const (
	AcceptedH0 = "accepted H0"
	AcceptedH1 = "accepted H1"
)

// Decide returns what a log-likelihood ratio decides, or "" for nothing yet.
func (s SPRT) Decide(llr float64) string {
	switch {
	case llr <= -SPRTBound:
		return AcceptedH0
	case llr >= SPRTBound:
		return AcceptedH1
	}
	return ""
}

// LLR returns the generalised log-likelihood ratio of H1 to H0: a hypothesis is as likely as the likeliest distribution
// over the results with its mean. LLR counts the pairs, or the singles where there are no pairs.
//
// A result that has not come up yet counts as a thousandth of one (as in fishtest), so that the ratio of a one-sided match
// is finite.
func (c Counts) LLR(s SPRT) float64 {
	if c.Pairs != (Pentanomial{}) {
		return llr(c.Pairs[:], Score(s.Elo0), Score(s.Elo1))
	}
	if c.Singles != ([3]int{}) {
		return llr(c.Singles[:], Score(s.Elo0), Score(s.Elo1))
	}
	return 0
}

// unseen stands in for a count of zero.
const unseen = 1e-3

// llr compares the means s1 and s0 of a distribution over len(counts) scores evenly spaced from 0 to 1.
//
// The likeliest distribution with mean s, after counts n[i] of scores a[i] with sum n, is
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

// halvings shrink an interval below what a float can tell apart.
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
