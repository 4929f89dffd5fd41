// SPDX-License-Identifier: Apache-2.0

package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// slowLikelihood climbs to the greatest sum of n[i] log p[i] over all p with sum 1 and the given mean, and
// knows nothing of multipliers. Any three scores can trade probability without changing sum or mean:
//
//	a < b < c:  p[b] -= d,  p[a] += d (c-b)/(c-a),  p[c] += d (b-a)/(c-a)
//
// The sum is concave, so the best d of each trade in turn, again and again, leads to the maximum.
func slowLikelihood(n []float64, mean float64) float64 {
	p := spread(len(n), mean)
	at := func(i int) float64 { return float64(i) / float64(len(n)-1) }
	value := func(d float64, i, j, k int) float64 {
		w := (at(k) - at(j)) / (at(k) - at(i))
		return n[i]*math.Log(p[i]+d*w) + n[j]*math.Log(p[j]-d) + n[k]*math.Log(p[k]+d*(1-w))
	}
	for range 300 {
		for i := range n {
			for j := i + 1; j < len(n); j++ {
				for k := j + 1; k < len(n); k++ {
					w := (at(k) - at(j)) / (at(k) - at(i))
					lo, hi := -min(p[i]/w, p[k]/(1-w)), p[j]
					for range 60 {
						a, b := lo+(hi-lo)/3, hi-(hi-lo)/3
						if value(a, i, j, k) < value(b, i, j, k) {
							lo = a
						} else {
							hi = b
						}
					}
					d := (lo + hi) / 2
					p[i], p[j], p[k] = p[i]+d*w, p[j]-d, p[k]+d*(1-w)
				}
			}
		}
	}
	sum := 0.0
	for i, k := range n {
		sum += k * math.Log(p[i])
	}
	return sum
}

// spread returns a distribution without zeros that has the mean: half of it even, or what the mean allows,
// the rest at the ends.
func spread(n int, mean float64) []float64 {
	p := make([]float64, n)
	even := min(mean, 1-mean)
	for i := range p {
		p[i] = even / float64(n)
	}
	p[n-1] += mean - even/2
	p[0] += 1 - mean - even/2
	return p
}

func TestLLRAgainstSlowMaximum(t *testing.T) {
	tests := []struct {
		counts     []int
		elo0, elo1 float64
	}{
		{[]int{80, 50, 100}, 0, 10},
		{[]int{80, 50, 100}, -5, 60},
		{[]int{3, 10, 30, 14, 5}, 0, 5},
		{[]int{20, 80, 200, 100, 30}, 0, 10},
		{[]int{20, 80, 200, 100, 30}, -50, 100},
		{[]int{1, 2, 3, 2, 40}, 0, 200},
	}
	for _, tc := range tests {
		t.Run(fmt.Sprint(tc), func(t *testing.T) {
			n := make([]float64, len(tc.counts))
			for i, k := range tc.counts {
				n[i] = float64(k)
			}
			s0, s1 := Score(tc.elo0), Score(tc.elo1)
			want := slowLikelihood(n, s1) - slowLikelihood(n, s0)
			if got := llr(tc.counts, s0, s1); !near(got, want, 1e-6) {
				t.Errorf("llr = %.9f, want %.9f", got, want)
			}
		})
	}
}

// With two results the mean leaves no choice: p = s and 1-s, and the ratio is that of coins.
func TestLLRAgainstCoins(t *testing.T) {
	s0, s1 := 0.5, 0.6
	want := 70*math.Log(s1/s0) + 50*math.Log((1-s1)/(1-s0)) // 1.6048...
	if got := llr([]int{50, 70}, s0, s1); !near(got, want, 1e-9) {
		t.Errorf("llr = %.9f, want %.9f", got, want)
	}
}

// Van den Bergh's approximation, pairs (s1-s0) (2s-s0-s1) / (2 variance), is close where the hypotheses are.
func TestLLRAgainstApproximation(t *testing.T) {
	c := Counts{Pairs: Pentanomial{200, 800, 2000, 1000, 300}}
	test := SPRT{Elo0: 0, Elo1: 5}
	e := c.Estimate()
	s0, s1, dev := Score(0), Score(5), c.deviation(e.Score)
	want := (s1 - s0) * (2*e.Score - s0 - s1) / (2 * dev * dev)
	if got := c.LLR(test); !near(got, want, 0.02*want) {
		t.Errorf("llr = %v, want about %v", got, want)
	}
}

func TestLLRExtremes(t *testing.T) {
	test := SPRT{Elo0: 0, Elo1: 10}
	tests := []struct {
		name   string
		counts Counts
		want   string
	}{
		{"nothing", Counts{}, ""},
		{"a pair won", Counts{Pairs: Pentanomial{4: 1}}, ""},
		{"all won", Counts{Pairs: Pentanomial{4: 1000}}, AcceptedH1},
		{"all lost", Counts{Pairs: Pentanomial{1000}}, AcceptedH0},
		{"all drawn", Counts{Pairs: Pentanomial{2: 1000}}, AcceptedH0},
		{"singles won", Counts{Singles: [3]int{0, 0, 1000}}, AcceptedH1},
		{"singles lost", Counts{Singles: [3]int{1000, 0, 0}}, AcceptedH0},
		{"pairs come first", Counts{Pairs: Pentanomial{2: 1}, Singles: [3]int{0, 0, 1000}}, ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			llr := tc.counts.LLR(test)
			if got := test.Decide(llr); got != tc.want || math.IsNaN(llr) || math.IsInf(llr, 0) {
				t.Errorf("LLR %v: %v, want %v", llr, got, tc.want)
			}
		})
	}
}

// The ratio of exchanged hypotheses is the negative, and turning the sides around exchanges their signs.
func TestLLRTurnsAround(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCounts(t)
		a, b := rapid.Float64Range(-maxElo, maxElo).Draw(t, "elo0"), rapid.Float64Range(-maxElo, maxElo).Draw(t, "elo1")
		got := c.LLR(SPRT{Elo0: a, Elo1: b})
		if math.IsNaN(got) || math.IsInf(got, 0) {
			t.Fatalf("LLR = %v", got)
		}
		tolerance := 1e-6 * (1 + math.Abs(got))
		if back := c.LLR(SPRT{Elo0: b, Elo1: a}); !near(got, -back, tolerance) {
			t.Fatalf("LLR = %v, exchanged %v", got, back)
		}
		if other := c.reversed().LLR(SPRT{Elo0: -a, Elo1: -b}); !near(got, other, tolerance) {
			t.Fatalf("LLR = %v, turned around %v", got, other)
		}
	})
}

func TestCheck(t *testing.T) {
	tests := []struct {
		params SPRT
		want   string
	}{
		{SPRT{Elo0: 0, Elo1: 5}, ""},
		{SPRT{Elo0: -5, Elo1: 0}, ""},
		{SPRT{Elo0: 5, Elo1: 5}, "sprt: elo0 must be less than elo1, not 5 and 5"},
		{SPRT{Elo0: math.NaN(), Elo1: 5}, "sprt: elo0 must be less than elo1, not NaN and 5"},
		{SPRT{Elo0: 0, Elo1: 1e9}, "sprt: elo0 and elo1 must lie between -2000 and 2000"},
	}
	for _, tc := range tests {
		got := ""
		if err := tc.params.Check(); err != nil {
			got = err.Error()
		}
		if got != tc.want {
			t.Errorf("%+v: %q, want %q", tc.params, got, tc.want)
		}
	}
}

// Where a hypothesis is true, the test accepts the other one in about 5 % of matches.
func TestErrorRates(t *testing.T) {
	test := SPRT{Elo0: 0, Elo1: 40}
	even := [5]float64{0.1, 0.2, 0.4, 0.2, 0.1}
	tests := []struct {
		name  string
		probs [5]float64
		wrong string
	}{
		{"H0", even, AcceptedH1},
		{"H1", shifted(even, Score(40)), AcceptedH0},
	}
	const matches = 500
	for _, tc := range tests {
		t.Run(tc.name+"/seed=2", func(t *testing.T) {
			rng := rand.New(rand.NewPCG(2, 0))
			wrong := 0
			for range matches {
				if runTest(rng, test, tc.probs) == tc.wrong {
					wrong++
				}
			}
			if got := float64(wrong) / matches; got < 0.02 || got > 0.075 {
				t.Errorf("%.3f of the tests end wrongly, want about 0.05", got)
			}
		})
	}
}

// shifted moves probability from the loss of a pair to its win until the mean is s.
func shifted(probs [5]float64, s float64) [5]float64 {
	d := s - expectation(probs[:])
	probs[0] -= d
	probs[4] += d
	return probs
}

func runTest(rng *rand.Rand, test SPRT, probs [5]float64) string {
	var c Counts
	for {
		one := sample(rng, probs, 1)
		for i := range one {
			c.Pairs[i] += one[i]
		}
		if d := test.Decide(c.LLR(test)); d != "" {
			return d
		}
	}
}

func BenchmarkLLR(b *testing.B) {
	c, test := Counts{Pairs: Pentanomial{20, 80, 200, 100, 30}}, SPRT{Elo1: 5}
	for b.Loop() {
		c.LLR(test)
	}
}
