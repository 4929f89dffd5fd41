// SPDX-License-Identifier: Apache-2.0

package stats

import "math"

// Glicko is the rating of a player in Glicko-2: the strength, its deviation, and its volatility. The deviation is a
// standard error on the same scale.
//
// CITE: Glickman, Example of the Glicko-2 system, 2013.
type Glicko struct {
	Rating     float64 `json:"rating"`
	Deviation  float64 `json:"deviation"`
	Volatility float64 `json:"volatility"`
}

// NewGlicko returns the initial rating of a new player.
func NewGlicko() Glicko { return Glicko{1500, 350, 0.06} }

// Encounter is a game against an opponent. Score is 1 for a win, 0.5 for a draw, 0 for a loss.
type Encounter struct {
	Opponent Glicko
	Score    float64
}

const (
	glickoScale  = 173.7178
	glickoTau    = 0.5  // the constant tau of Glickman's paper: a greater value lets the volatility change more
	glickoSmall  = 1e-6 // accuracy of the logarithm of the variance
	maxDeviation = 350
	minDeviation = 30 // minimum of the deviation, so that the rating of a player with many games still changes
)

// After returns the rating after the games of one rating period. The ratings of the opponents are their ratings before the
// period.
func (r Glicko) After(games []Encounter) Glicko {
	if len(games) == 0 {
		return r.Idle(1)
	}
	mu, phi := (r.Rating-1500)/glickoScale, r.Deviation/glickoScale
	var information, gain float64
	for _, e := range games {
		other := e.Opponent.Deviation / glickoScale
		g := 1 / math.Sqrt(1+3*other*other/(math.Pi*math.Pi))
		expected := 1 / (1 + math.Exp(-g*(mu-(e.Opponent.Rating-1500)/glickoScale)))
		information += g * g * expected * (1 - expected)
		gain += g * (e.Score - expected)
	}
	v := 1 / information
	sigma := volatility(r.Volatility, phi, v, v*gain)
	before := phi*phi + sigma*sigma
	phi = 1 / math.Sqrt(1/before+1/v)
	return Glicko{
		1500 + glickoScale*(mu+phi*phi*gain), min(max(phi*glickoScale, minDeviation), maxDeviation), sigma,
	}
}

// volatility returns the new volatility, by step 5 of Glickman's paper: the Illinois method finds the zero of f; this zero is the
// logarithm of the square of the new volatility.
func volatility(sigma, phi, v, delta float64) float64 {
	a := math.Log(sigma * sigma)
	f := func(x float64) float64 {
		e := math.Exp(x)
		d := phi*phi + v + e
		return e*(delta*delta-d)/(2*d*d) - (x-a)/(glickoTau*glickoTau)
	}
	low, high := a, math.Log(max(delta*delta-phi*phi-v, glickoSmall))
	if delta*delta <= phi*phi+v {
		k := 1.0
		for f(a-k*glickoTau) < 0 {
			k++
		}
		high = a - k*glickoTau
	}
	fLow, fHigh := f(low), f(high)
	for math.Abs(high-low) > glickoSmall {
		x := low + (low-high)*fLow/(fHigh-fLow)
		fx := f(x)
		if fx*fHigh <= 0 {
			low, fLow = high, fHigh
		} else {
			fLow /= 2
		}
		high, fHigh = x, fx
	}
	return math.Exp(low / 2)
}

// Idle returns the rating after the given number of periods without games: the strength is unchanged, and its deviation grows.
func (r Glicko) Idle(periods float64) Glicko {
	phi := r.Deviation / glickoScale
	r.Deviation = min(glickoScale*math.Sqrt(phi*phi+periods*r.Volatility*r.Volatility), maxDeviation)
	return r
}
