// SPDX-License-Identifier: Apache-2.0

package regression

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// flat is no belief at all.
func flat(columns int, least float64) prior {
	p := prior{mean: make([]float64, columns), l2: make([]float64, columns), least: make([]float64, columns)}
	for j := range p.least {
		p.least[j] = least
	}
	return p
}

// TestFitKnown draws results with known coefficients and finds them again.
func TestFitKnown(t *testing.T) {
	tests := []struct {
		name  string
		true  []float64
		least float64
		want  []float64
	}{
		{"free", []float64{1.5, -0.7, 0, 0.2}, math.Inf(-1), []float64{1.5, -0.7, 0, 0.2}},
		// The second is independent of the others, so that they can do without it.
		{"bounded", []float64{0.4, -0.05, 0.3, 0.2}, 0, []float64{0.4, 0, 0.3, 0.2}},
		{"nothing to learn", []float64{0, 0, 0, 0}, math.Inf(-1), []float64{0, 0, 0, 0}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 2))
			d := &samples{columns: 4}
			for range 40_000 {
				a := float64(rng.IntN(3)) // counts, the third with a part of the first
				x := []float64{a, float64(rng.IntN(3) - 1), a + float64(rng.IntN(4)), 1}
				y := 0.0
				if rng.Float64() < logistic(dot(tc.true, x)) {
					y = 1
				}
				d.x, d.y = append(d.x, x...), append(d.y, y)
			}
			got := d.fit(flat(4, tc.least))
			if diff := cmp.Diff(tc.want, got, cmpopts.EquateApprox(0, 0.07)); diff != "" {
				t.Errorf("coefficients (-true +fitted):\n%s", diff)
			}
		})
	}
}

// TestFitClosed compares with what paper gives: of a constant alone the coefficient is the log odds.
func TestFitClosed(t *testing.T) {
	constant := &samples{columns: 1, x: []float64{1, 1, 1, 1, 1}, y: []float64{1, 1, 1, 0, 0.5}}
	separable := &samples{columns: 1, x: []float64{-1, 1}, y: []float64{0, 1}}
	tests := []struct {
		name            string
		t               *samples
		mean, l2, least float64
		want            float64
	}{
		{"log odds", constant, 0, 0, math.Inf(-1), math.Log(3.5 / 1.5)},
		{"from afar", constant, 30, 0, math.Inf(-1), math.Log(3.5 / 1.5)},
		{"sure before", constant, 3, 1e9, math.Inf(-1), 3},
		{"bounded", constant, 3, 0, 2, 2},
		{"no rows", &samples{columns: 1}, 3, 1, 0, 3},
		// b = 2/(1+exp(b))
		{"separable", separable, 0, 1, math.Inf(-1), 0.6748316},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got := tc.t.fit(prior{[]float64{tc.mean}, []float64{tc.l2}, []float64{tc.least}})[0]
			if math.Abs(got-tc.want) > 1e-6 {
				t.Errorf("coefficient %.8f, want %.8f", got, tc.want)
			}
		})
	}
}

// TestFitLeast checks on any samples that no coefficient can move alone and lower the cost, which is enough as
// the cost is convex.
func TestFitLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "columns")
		d := &samples{columns: n}
		for range rapid.IntRange(0, 12).Draw(t, "rows") {
			for range n {
				d.x = append(d.x, float64(rapid.IntRange(-3, 3).Draw(t, "x")))
			}
			d.y = append(d.y, float64(rapid.IntRange(0, 2).Draw(t, "y"))/2)
		}
		p := flat(n, 0)
		for j := range n {
			p.mean[j] = rapid.Float64Range(-2, 5).Draw(t, "mean")
			p.l2[j] = rapid.Float64Range(0.1, 3).Draw(t, "l2")
			if rapid.Bool().Draw(t, "free") {
				p.least[j] = math.Inf(-1)
			}
		}
		b := d.fit(p)
		cost := d.cost(b, p)
		for j := range b {
			for _, step := range []float64{-1e-3, 1e-3} {
				old := b[j]
				b[j] = max(old+step, p.least[j])
				if c := d.cost(b, p); c < cost-1e-9*(1+cost) {
					t.Fatalf("coefficient %d: %g costs %g, %g only %g", j, old, cost, b[j], c)
				}
				b[j] = old
			}
			if b[j] < p.least[j] {
				t.Fatalf("coefficient %d is %g", j, b[j])
			}
		}
	})
}

// TestLossFinite checks that rows which cannot be do not overflow.
func TestLossFinite(t *testing.T) {
	for _, z := range []float64{-1e4, -1, 0, 1, 1e4} {
		for _, y := range []float64{0, 0.5, 1} {
			d := &samples{columns: 1, x: []float64{z}, y: []float64{y}}
			want := y*softplus(-z) + (1-y)*softplus(z)
			if got := d.loss([]float64{1}); math.Abs(got-want) > 1e-9*(1+want) {
				t.Errorf("loss of %g at %g is %g, want %g", y, z, got, want)
			}
		}
	}
}

// softplus returns log(1+exp(z)).
func softplus(z float64) float64 {
	if z > 100 {
		return z
	}
	return math.Log(1 + math.Exp(z))
}

func BenchmarkFit(b *testing.B) {
	for _, rows := range []int{1000, 10_000} {
		b.Run(fmt.Sprintf("columns=17/rows=%d", rows), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(3, 4))
			d := &samples{columns: 17}
			for range rows {
				for range d.columns {
					d.x = append(d.x, float64(rng.IntN(5)/3))
				}
				d.y = append(d.y, float64(rng.IntN(2)))
			}
			p := flat(17, 0)
			for b.Loop() {
				d.fit(p)
			}
		})
	}
}
