// SPDX-License-Identifier: Apache-2.0

package stats

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// SPRT is a sequential probability ratio test of the hypothesis H0, that A is stronger by Elo0, against H1, that A is stronger
// by Elo1. If one hypothesis is true, the test accepts the other hypothesis in at most 5 % of matches.
type SPRT struct{ Elo0, Elo1 float64 }

// ParseSPRT reads a test such as 0,10.
func ParseSPRT(text string) (*SPRT, error) {
	lo, hi, ok := strings.Cut(text, ",")
	elo0, err0 := strconv.ParseFloat(strings.TrimSpace(lo), 64)
	elo1, err1 := strconv.ParseFloat(strings.TrimSpace(hi), 64)
	if !ok || err0 != nil || err1 != nil {
		return nil, fmt.Errorf("needs two numbers, not %q", text)
	}
	return &SPRT{elo0, elo1}, nil
}

// SPRTBound is the absolute value of the log-likelihood ratio at which the test ends.
// CITE: Wald, Sequential Tests of Statistical Hypotheses, 1945.
var SPRTBound = math.Log(0.95 / 0.05)

// maxElo is the maximum of the absolute values of Elo0 and Elo1. The expected score at maxElo is still a float below 1.
const maxElo = 2000

// Check returns an error if s is not a valid test.
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

// Decide returns the hypothesis that a log-likelihood ratio accepts, or "" if the test continues.
func (s SPRT) Decide(llr float64) string {
	switch {
	case llr <= -SPRTBound:
		return AcceptedH0
	case llr >= SPRTBound:
		return AcceptedH1
	}
	return ""
}

// LLR returns the generalised log-likelihood ratio of H1 to H0: each hypothesis fixes the mean score, and its likelihood is the
// greatest likelihood of any distribution of results with this mean. LLR uses the pairs, or the single games if there are no
// pairs.
//
// A result that has not occurred yet counts as a thousandth of a result (as in fishtest), so that the ratio of a one-sided
// match is finite.
func (c Counts) LLR(s SPRT) float64 {
	if c.Pairs != (Pentanomial{}) {
		return llr(c.Pairs[:], Score(s.Elo0), Score(s.Elo1))
	}
	if c.Singles != ([3]int{}) {
		return llr(c.Singles[:], Score(s.Elo0), Score(s.Elo1))
	}
	return 0
}

// unseen is used in place of a count of zero.
const unseen = 1e-3

// llr returns the log-likelihood ratio of the means s1 and s0 of a distribution over len(counts) scores, which are evenly
// spaced from 0 to 1.
//
// The likeliest distribution with mean s is, for counts n[i] of the scores a[i] and the total count n,
//
//	p[i] = (n[i]/n) / (1 + x (a[i] - s)),
//
// where the multiplier x has the value that gives the distribution the mean s. In the ratio of the likelihoods for s1 and s0,
// all factors cancel except the denominators 1 + x (a[i] - s).
// CITE: Van den Bergh, Maximum likelihood estimation of a multinomial distribution with a given expectation, Proposition 1.1.
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

// halvings is the number of bisections after which the ends of an interval differ by rounding errors only.
const halvings = 64

// multiplier solves sum n[i] (a[i]-s) / (1 + x (a[i]-s)) = 0 for x. All n[i] are positive, and all denominators are positive
// between x = -1/(1-s) and x = 1/s. Therefore the left side falls from +infinity to -infinity between these two values of x.
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

// certainty is the weight of the prior of each player, as a number of drawn games against a player of strength 0. One such game
// gives the strength a standard deviation of 2 in log odds, or 350 Elo.
const certainty = 1.0

// Telling returns up to n different pairs of players, the most informative pair first. A pair is informative if a meeting of
// its players, of two games, would give much information about the strengths of the players.
//
// A meeting of i and j gives more information if the difference of their strengths is uncertain, for example after few games,
// and if both players have a good chance to win. These quantities measure the information:
//
//	w = 2 p (1-p)    Fisher's information of two games, where p is the expected score
//	v                variance of the difference, from the games played
//	log(1 + w v)     reduction of the logarithm of the determinant of the covariance (D-optimality)
//
// After each choice the variances are computed as if the meeting had been played. So the n meetings are distributed over many
// players.
//
// CITE: Glickman and Jensen, Adaptive Paired Comparison Design, 2005; Chaloner and Verdinelli, Bayesian Experimental
// Design: A Review, 1995.
func Telling(players []string, pairings []Pairing, n int) [][2]string {
	d := newDesign(players, pairings)
	var all [][2]string
	for len(all) < n {
		i, j := d.best()
		if i == 0 {
			break
		}
		d.addGame(i, j)
		all = append(all, [2]string{d.names[i], d.names[j]})
	}
	return all
}

// design is the state of Telling: the covariance of the strengths. Player 0 represents the prior: it has strength 0, and every
// other player has drawn games against it.
type design struct {
	*table
	theta      []float64
	covariance [][]float64
	met        [][]bool
}

func newDesign(players []string, pairings []Pairing) *design {
	t := &table{names: append([]string{""}, players...)}
	slices.Sort(t.names)
	for i := range t.names[1:] {
		t.meetings = append(t.meetings, meeting{i: 0, j: i + 1, prior: certainty})
	}
	for _, p := range pairings {
		p.Shared = ""
		t.add(p)
	}
	d := &design{table: t, theta: t.solve()}
	_, information := t.slope(d.theta)
	d.covariance = invert(information)
	d.met = make([][]bool, len(t.names))
	for i := range d.met {
		d.met[i] = make([]bool, len(t.names))
	}
	return d
}

// tells returns the information w of a meeting of i and j, and the variance v of the difference of their strengths.
func (d *design) tells(i, j int) (w, v float64) {
	p := expected(d.theta[i] - d.theta[j])
	return 2 * p * (1 - p), d.covariance[i][i] + d.covariance[j][j] - 2*d.covariance[i][j]
}

// best returns the players of the most informative meeting that has not been chosen, or 0, 0 if there is none.
func (d *design) best() (i, j int) {
	most := 0.0
	for a := 1; a < len(d.names); a++ {
		for b := a + 1; b < len(d.names); b++ {
			if w, v := d.tells(a, b); w*v > most && !d.met[a][b] {
				i, j, most = a, b, w*v
			}
		}
	}
	return i, j
}

// addGame updates the covariance as if i and j had met, by the formula of Sherman and Morrison.
func (d *design) addGame(i, j int) {
	d.met[i][j] = true
	w, v := d.tells(i, j)
	c := make([]float64, len(d.names)) // by player: covariance of the player's strength with the difference of the strengths of i and j
	for k := range c {
		c[k] = d.covariance[k][i] - d.covariance[k][j]
	}
	for a := range c {
		for b := range c {
			d.covariance[a][b] -= w / (1 + w*v) * c[a] * c[b]
		}
	}
}
