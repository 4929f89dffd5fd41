// SPDX-License-Identifier: Apache-2.0

// Package stats turns counts of games into strengths: Elo with error bars, likelihood of superiority, and a
// sequential test that says when enough has been played.
//
// # Basics
//
//	c := stats.Counts{Pairs: stats.Pentanomial{3, 10, 30, 14, 5}}
//	e := c.Estimate()
//	fmt.Printf("%+.1f ± %.1f, LOS %.3f\n", e.Elo, e.Error, e.LOS)
//
//	test := stats.SPRT{Elo0: 0, Elo1: 10}
//	decision := test.Decide(c.LLR(test)) // accepted H0, accepted H1, or nothing yet
//
// All numbers are from A's view. Elo is logistic: a difference d scores 1/(1+10^(-d/400)).
//
// # Pairs
//
// The two games of a pair share their opening, with sides exchanged, so their results depend on each other: where the
// opening decides, a pair scores one point for any players. So pairs are counted and not games, by the points that A made:
//
//	Pentanomial   [0]   [1]   [2]   [3]   [4]        Singles     [0]    [1]    [2]
//	points         0    1/2    1    3/2    2         points       0     1/2     1
//	games         LL    LD   LW DD  WD    WW         game        lost  drawn   won
//
// Balanced pairs have a smaller variance than as many independent games, and so smaller error bars.
//
// # Caveats
//
// Error bars assume a normal mean: below some twenty pairs they are a hint. Equal results have no variance, and a perfect
// score has no finite Elo; [Counts.Estimate] says what it takes instead. Error bars of a match that a sequential test
// stopped are too small, since such a test stops on luck more readily than on bad luck.
//
// CITE: Michel Van den Bergh, A Practical Introduction to the GSPRT; Maximum likelihood estimation of a
// multinomial distribution with a given expectation; Comments on Normalized Elo. The wiki of fishtest,
// "Fishtest Mathematics", has the pentanomial model.
package stats

import "math"

// z95 bounds the central 95 % of the normal distribution.
const z95 = 1.959963984540054

// Elo returns the difference in Elo at which a player expects score, which lies between 0 and 1.
func Elo(score float64) float64 { return 400 * math.Log10(score/(1-score)) }

// Score returns the score that a player expects who is elo stronger.
func Score(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// normal is the cumulative distribution function of the normal distribution.
func normal(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }
