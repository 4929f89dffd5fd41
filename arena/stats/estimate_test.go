// SPDX-License-Identifier: Apache-2.0

package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func near(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }

func TestElo(t *testing.T) {
	tests := []struct{ elo, score float64 }{
		{0, 0.5},
		{400, 10.0 / 11},
		{-400, 1.0 / 11},
		{400 * math.Log10(3), 0.75},
		{190.848501887865, 0.75},
	}
	for _, tc := range tests {
		if got := Score(tc.elo); !near(got, tc.score, 1e-12) {
			t.Errorf("Score(%v) = %v, want %v", tc.elo, got, tc.score)
		}
		if got := Elo(tc.score); !near(got, tc.elo, 1e-9) {
			t.Errorf("Elo(%v) = %v, want %v", tc.score, got, tc.elo)
		}
	}
}

// The wanted numbers were computed result by result outside this package. The first by hand: 125 points in 230
// games, variance (100 (105/230)^2 + 50 (10/230)^2 + 80 (125/230)^2) / 230 = 0.19376, so the score is
// 0.54348 ± 1.96 sqrt(0.19376/230), from 0.48659 to 0.60037.
func TestEstimate(t *testing.T) {
	tests := []struct {
		name   string
		counts Counts
		want   Estimate
	}{
		{
			"+100 =50 -80",
			Counts{Singles: [3]int{80, 50, 100}},
			Estimate{230, 0.5434782608695652, 30.288285575247322, -9.320057967919784, 70.70142535929843, 40.0107416636091, 0.9329289709286953},
		},
		{
			"62 pairs",
			Counts{Pairs: Pentanomial{3, 10, 30, 14, 5}},
			Estimate{124, 0.532258064516129, 22.446376791572533, -18.316771896847182, 63.83908697169684, 41.07792943427201, 0.8597142179891575},
		},
		{
			"430 pairs",
			Counts{Pairs: Pentanomial{20, 80, 200, 100, 30}},
			Estimate{860, 0.5232558139534884, 16.171462822243296, 0.800229224875267, 31.606260447335117, 15.403015611229925, 0.9803998157348673},
		},
		{
			"pairs and a single",
			Counts{Pairs: Pentanomial{1, 0, 2, 0, 1}, Singles: [3]int{0, 0, 1}},
			Estimate{9, 0.5555555555555556, 38.76400520322261, -210.77047943076627, 349.42143804159, 280.09595873617815, 0.6306450241332884},
		},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got := tc.counts.Estimate()
			g, w := numbers(got), numbers(tc.want)
			for i := range g {
				if !near(g[i], w[i], 1e-9) {
					t.Fatalf("got  %+v\nwant %+v", got, tc.want)
				}
			}
		})
	}
}

func numbers(e Estimate) []float64 {
	return []float64{float64(e.Games), e.Score, e.Elo, e.Lo, e.Hi, e.Error, e.LOS}
}

// Pairs that are spread as two independent games are have the error bars of independent games.
func TestIndependentPairs(t *testing.T) {
	// Of 400 pairs of games that are won or lost evenly, 100 are 0-2, 200 are 1-1, 100 are 2-0.
	pairs := Counts{Pairs: Pentanomial{100, 0, 200, 0, 100}}.Estimate()
	games := Counts{Singles: [3]int{400, 0, 400}}.Estimate()
	if !near(pairs.Error, games.Error, 1e-9) {
		t.Errorf("pairs %+v, games %+v", pairs, games)
	}
	balanced := Counts{Pairs: Pentanomial{10, 0, 380, 0, 10}}.Estimate()
	if balanced.Error > games.Error/2 {
		t.Errorf("400 balanced pairs: ± %.1f, want less than half of ± %.1f", balanced.Error, games.Error)
	}
}

func TestEstimateOfOneSidedMatches(t *testing.T) {
	tests := []struct {
		name   string
		counts Counts
		elo    float64
		los    [2]float64 // between
	}{
		{"none", Counts{}, 0, [2]float64{0.5, 0.5}},
		{"a win", Counts{Singles: [3]int{0, 0, 1}}, 400 * math.Log10(3), [2]float64{0.6, 0.99}},
		{"a loss", Counts{Singles: [3]int{1, 0, 0}}, -400 * math.Log10(3), [2]float64{0.01, 0.4}},
		{"a draw", Counts{Singles: [3]int{0, 1, 0}}, 0, [2]float64{0.5, 0.5}},
		{"a pair won", Counts{Pairs: Pentanomial{4: 1}}, 400 * math.Log10(7), [2]float64{0.6, 0.99}},
		{"100 pairs won", Counts{Pairs: Pentanomial{4: 100}}, 400 * math.Log10(799), [2]float64{1, 1}},
		{"100 pairs lost", Counts{Pairs: Pentanomial{100}}, -400 * math.Log10(799), [2]float64{0, 1e-9}},
		{"100 pairs drawn", Counts{Pairs: Pentanomial{2: 100}}, 0, [2]float64{0.5, 0.5}},
		{"100 pairs 1.5-0.5", Counts{Pairs: Pentanomial{3: 100}}, 400 * math.Log10(3), [2]float64{1, 1}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			e := tc.counts.Estimate()
			if !near(e.Elo, tc.elo, 1e-9) || e.LOS < tc.los[0] || e.LOS > tc.los[1] {
				t.Errorf("got %+v, want Elo %v, LOS in %v", e, tc.elo, tc.los)
			}
			if pulled := max(e.Hi-e.Elo, e.Elo-e.Lo); e.Games > 0 && (e.Error <= 0 || e.Error < 0.8*pulled) {
				t.Errorf("got %+v: an error bar that hides its interval", e)
			}
		})
	}
}

// However the counts fall, the numbers are finite and turn around with the sides.
func TestEstimateTurnsAround(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCounts(t)
		e := c.Estimate()
		for i, x := range numbers(e) {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				t.Fatalf("number %d of %+v", i, e)
			}
		}
		r := c.reversed().Estimate()
		if !near(e.Elo, -r.Elo, 1e-6) || !near(e.Error, r.Error, 1e-6) || !near(e.LOS, 1-r.LOS, 1e-9) {
			t.Fatalf("%+v\nturned around %+v", e, r)
		}
		if e.Lo > e.Elo || e.Elo > e.Hi || e.Error < 0 {
			t.Fatalf("%+v: not an interval", e)
		}
	})
}

func drawCounts(t *rapid.T) Counts {
	var c Counts
	for i := range c.Pairs {
		c.Pairs[i] = rapid.IntRange(0, 40).Draw(t, "pairs")
	}
	for i := range c.Singles {
		c.Singles[i] = rapid.IntRange(0, 3).Draw(t, "singles")
	}
	return c
}

func (c Counts) reversed() Counts {
	p, s := c.Pairs, c.Singles
	return Counts{Pentanomial{p[4], p[3], p[2], p[1], p[0]}, [3]int{s[2], s[1], s[0]}}
}

// Winning one more game than before never lowers the Elo of a match that had no loss.
func TestPerfectScoresGrow(t *testing.T) {
	before := -math.MaxFloat64
	for n := 1; n < 200; n++ {
		almost := Counts{Singles: [3]int{0, 1, n - 1}}.Estimate().Elo
		perfect := Counts{Singles: [3]int{0, 0, n}}.Estimate().Elo
		if perfect <= before || perfect <= almost {
			t.Fatalf("%d wins: %v; a game fewer %v; one drawn %v", n, perfect, before, almost)
		}
		before = perfect
	}
}

// The 95 % interval holds the true Elo in about 95 % of matches.
func TestIntervalHoldsTrueElo(t *testing.T) {
	tests := []struct {
		name  string
		probs [5]float64
	}{
		{"even", [5]float64{0.05, 0.2, 0.5, 0.2, 0.05}},
		{"stronger", [5]float64{0.05, 0.1, 0.25, 0.35, 0.25}},
		{"decisive", [5]float64{0.1, 0, 0.6, 0, 0.3}},
	}
	const matches, pairs = 4000, 200
	for _, tc := range tests {
		t.Run(fmt.Sprintf("%s/seed=1", tc.name), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 0))
			truth := Elo(expectation(tc.probs[:]))
			inside := 0
			for range matches {
				e := Counts{Pairs: sample(rng, tc.probs, pairs)}.Estimate()
				if e.Lo <= truth && truth <= e.Hi {
					inside++
				}
			}
			// One standard deviation of the frequency is 0.0034.
			if got := float64(inside) / matches; !near(got, 0.95, 0.012) {
				t.Errorf("%.4f of the intervals hold the truth, want 0.95", got)
			}
		})
	}
}

func sample(rng *rand.Rand, probs [5]float64, n int) Pentanomial {
	var c Pentanomial
	for range n {
		x, i := rng.Float64(), 0
		for i < 4 && x >= probs[i] {
			x -= probs[i]
			i++
		}
		c[i]++
	}
	return c
}

func expectation(probs []float64) float64 {
	sum := 0.0
	for i, p := range probs {
		sum += p * score(i, len(probs))
	}
	return sum
}

func TestWilson(t *testing.T) {
	tests := []struct {
		hits, n int
		lo, hi  float64
	}{
		{0, 0, 0, 1},
		{5, 10, 0.2366, 0.7634}, // by hand from the formula, as in many textbooks
		{0, 10, 0, 0.2775},
		{10, 10, 0.7225, 1},
		{181, 200, 0.8564, 0.9383},
	}
	for _, tc := range tests {
		lo, hi := Wilson(tc.hits, tc.n)
		if math.Abs(lo-tc.lo) > 1e-4 || math.Abs(hi-tc.hi) > 1e-4 {
			t.Errorf("Wilson(%d, %d) = %.4f, %.4f, want %.4f, %.4f", tc.hits, tc.n, lo, hi, tc.lo, tc.hi)
		}
	}
}
