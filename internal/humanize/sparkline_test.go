// SPDX-License-Identifier: Apache-2.0

package humanize_test

import (
	"math"
	"testing"

	"github.com/krow-lab/krow/internal/humanize"
)

func TestSparkline(t *testing.T) {
	tests := []struct {
		values []float64
		width  int
		want   string
	}{
		{[]float64{3}, 5, "▅"},
		{[]float64{2, 2, 2}, 5, "▅▅▅"},
		{[]float64{0, 1, 2, 3, 4, 5, 6, 7}, 8, "▁▂▃▄▅▆▇█"},
		{[]float64{-7, 0}, 8, "▁█"},
		{[]float64{0, 0, 7, 7}, 2, "▁█"},
		{[]float64{0, 7, 0, 7, 0, 7}, 3, "▅▅▅"}, // means of the shares
		{[]float64{math.NaN(), 0, math.NaN(), 7}, 4, " ▁ █"},
		{[]float64{math.NaN(), 0, math.NaN(), 7}, 2, "▁█"},
		{[]float64{math.NaN()}, 2, ""},
		{nil, 2, ""},
		{[]float64{-1e308, 1e308}, 2, "▁█"},
	}
	for _, tc := range tests {
		if got := humanize.Sparkline(tc.values, tc.width); got != tc.want {
			t.Errorf("Sparkline(%v, %d) = %s, want %s", tc.values, tc.width, got, tc.want)
		}
	}
}
