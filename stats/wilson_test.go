// SPDX-License-Identifier: Apache-2.0

package stats

import (
	"math"
	"testing"
)

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
