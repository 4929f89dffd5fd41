// SPDX-License-Identifier: Apache-2.0

package humanize

import (
	"math"
	"slices"
	"strings"
)

// Known returns the values without NaN. NaN marks a step that has no value.
func Known(values []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(values), math.IsNaN)
}

// Sparkline draws values as at most width block characters. The height of a character shows where its value lies between the
// lowest and the highest value. If there are more values than characters, a character shows the mean of several values.
// Equal values are drawn at half height, and NaN as a space.
func Sparkline(values []float64, width int) string {
	blocks := []rune("▁▂▃▄▅▆▇█")
	known := Known(values)
	if len(known) == 0 {
		return ""
	}
	lo, hi := slices.Min(known), slices.Max(known)
	n := min(width, len(values))
	var b strings.Builder
	for i := range n {
		share := Known(values[i*len(values)/n : (i+1)*len(values)/n])
		if len(share) == 0 {
			b.WriteByte(' ')
			continue
		}
		mean := 0.0
		for _, v := range share {
			mean += v / float64(len(share))
		}
		level := 0.5
		if hi > lo {
			level = (mean/2 - lo/2) / (hi/2 - lo/2) // halves are used because their difference cannot overflow
		}
		b.WriteRune(blocks[int(math.Round(min(max(level, 0), 1)*float64(len(blocks)-1)))])
	}
	return b.String()
}
