// SPDX-License-Identifier: Apache-2.0

// Package stats turns counts of games into strengths: Elo with error bars, likelihood of superiority, and a sequential test
// that decides when a match has enough games.
//
// # Basics
//
//	c := stats.Counts{Pairs: stats.Pentanomial{3, 10, 30, 14, 5}}
//	e := c.Estimate()
//	fmt.Printf("%+.1f ± %.1f, LOS %.3f\n", e.Elo, e.Error, e.LOS)
//
//	test := stats.SPRT{Elo0: 0, Elo1: 10}
//	decision := test.Decide(c.LLR(test)) // accepted H0, accepted H1, or "" while undecided
//
// All counts and strengths are A's: a win is a win of A. Elo is logistic: a player stronger by d has the expected score
// 1/(1+10^(-d/400)).
//
// # Pairs
//
// The two games of a pair share their opening, with sides exchanged, so their results depend on each other: if the opening
// decides the game, each player makes one point in the pair, however strong. Therefore package stats counts pairs and not
// games. It sorts the pairs by the points that A made:
//
//	Pentanomial   [0]   [1]   [2]   [3]   [4]        Singles     [0]    [1]    [2]
//	points         0    1/2    1    3/2    2         points       0     1/2     1
//	games         LL    LD   LW DD  WD    WW         game        lost  drawn   won
//
// The points in pairs have a smaller variance than the points in the same number of independent games, and therefore smaller
// error bars.
//
// # Caveats
//
// Error bars assume that the mean is normally distributed: with fewer than about twenty pairs they are only a hint. If all
// results are equal, their variance is zero, and a perfect score has no finite Elo; [Counts.Estimate] describes the values used
// instead. The error bars of a match that a sequential test stopped are too small, since the test stops when luck has moved the
// score towards a bound.
//
// CITE: Michel Van den Bergh, A Practical Introduction to the GSPRT; Maximum likelihood estimation of a
// multinomial distribution with a given expectation; Comments on Normalized Elo. The wiki of fishtest,
// "Fishtest Mathematics", has the pentanomial model.
package stats

import "math"

// z95 is half of the width, in standard deviations, of the interval around the mean that contains 95 % of a normal
// distribution.
const z95 = 1.959963984540054

// Elo returns the difference in Elo at which a player's expected score is score, a number between 0 and 1.
func Elo(score float64) float64 { return 400 * math.Log10(score/(1-score)) }

// Score returns the expected score of a player who is stronger by elo.
func Score(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// normal is the cumulative distribution function of the normal distribution.
func normal(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

// Pentanomial counts pairs of games by A's points: 0, 1/2, 1, 3/2, 2.
type Pentanomial [5]int

// Counts are the results of a match: complete pairs, and single games, such as the last game of an odd number.
type Counts struct {
	Pairs   Pentanomial
	Singles [3]int // numbers of single games in which A made 0, 1/2 and 1 points
}

// Games returns the number of games.
func (c Counts) Games() int {
	n := 0
	for _, k := range c.Pairs {
		n += 2 * k
	}
	for _, k := range c.Singles {
		n += k
	}
	return n
}

// halves returns twice A's points.
func (c Counts) halves() int {
	n := 0
	for i, k := range c.Pairs {
		n += i * k
	}
	for i, k := range c.Singles {
		n += i * k
	}
	return n
}

// Estimate is the estimate of A's strength from a match.
type Estimate struct {
	Games int
	Score float64 // A's points per game, between 0 and 1
	Elo   float64
	Lo    float64 // lower end of the 95 % interval of Elo; Hi is the upper end
	Hi    float64
	Error float64 // half of the width of the interval from Lo to Hi
	LOS   float64 // likelihood of superiority: the probability that A is the stronger
}

// Estimate returns the estimate from c. The variance of the score is computed from clusters: each pair and each single game is
// a cluster.
//
// All numbers are finite, because of these rules:
//   - Without games the result is the zero Estimate, except that LOS is 1/2.
//   - In n games, the points used for the score and for the ends of its interval are at least 1/4 and at most n - 1/4. So a
//     player who won all n games gets the Elo of n - 1/4 points in n games, more than for any other score.
//   - If an end of the interval was moved by this rule, Error is the distance from Elo to the farther end.
//   - If all results are equal, the variance is computed as if half a result of no points and half a result of all points were
//     added (Jeffreys' prior).
func (c Counts) Estimate() Estimate {
	n := c.Games()
	if n == 0 {
		return Estimate{LOS: 0.5}
	}
	e := Estimate{Games: n, Score: float64(c.halves()) / float64(2*n)}
	dev := c.deviation(e.Score)
	margin := 1 / float64(4*n)
	clamp := func(s float64) float64 { return min(max(s, margin), 1-margin) }
	lo, hi := e.Score-z95*dev, e.Score+z95*dev
	e.Elo, e.Lo, e.Hi = Elo(clamp(e.Score)), Elo(clamp(lo)), Elo(clamp(hi))
	e.Error = (e.Hi - e.Lo) / 2
	if lo != clamp(lo) || hi != clamp(hi) {
		e.Error = max(e.Hi-e.Elo, e.Elo-e.Lo)
	}
	e.LOS = normal((e.Score - 0.5) / dev)
	return e
}

// deviation returns the standard deviation of the mean score of c: it takes the sum of (points - games*mean)^2 over all
// clusters, and divides the square root of this sum by the number of games. c must contain at least one game.
func (c Counts) deviation(mean float64) float64 {
	sum, clusters := 0.0, 0
	for i, k := range c.Pairs {
		d := float64(i)/2 - 2*mean
		sum += float64(k) * d * d
		clusters += k
	}
	for i, k := range c.Singles {
		d := float64(i)/2 - mean
		sum += float64(k) * d * d
		clusters += k
	}
	if sum == 0 {
		return jeffreys(mean, float64(clusters))
	}
	return math.Sqrt(sum) / float64(c.Games())
}

// jeffreys returns the standard deviation of the mean for n results that are all equal to mean. It first adds half a result
// with the score 0 and half a result with the score 1.
func jeffreys(mean, n float64) float64 {
	m := (n*mean + 0.5) / (n + 1)
	variance := (n*(mean-m)*(mean-m) + 0.5*m*m + 0.5*(1-m)*(1-m)) / (n + 1)
	return math.Sqrt(variance / (n + 1))
}

// Wilson returns the 95 % interval of the probability of an event that occurred hits times in n independent trials. This is
// Wilson's score interval, which never exceeds the range from 0 to 1. If n is 0, the interval is from 0 to 1.
//
// CITE: Wilson, Probable Inference, the Law of Succession, and Statistical Inference, 1927.
func Wilson(hits, n int) (lo, hi float64) {
	if n <= 0 {
		return 0, 1
	}
	z, p, m := z95, float64(hits)/float64(n), float64(n)
	middle := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return max(middle-half, 0), min(middle+half, 1)
}
