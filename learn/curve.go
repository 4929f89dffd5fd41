// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/krow-lab/krow/internal/humanize"
)

// CurvePoint is a point of a learning curve.
type CurvePoint struct {
	Step   int                `json:"step" doc:"number of the step, from 1"`
	Games  uint64             `json:"games" doc:"number of games played since the beginning of the run"`
	Values map[string]float64 `json:"values" doc:"values to plot, by name"`
}

// names returns the names of the values. Values that measure the strength of the learned player come first.
func (p CurvePoint) names() []string {
	first := []string{"score", "best", "mean", "worst", "fitness", "loss"}
	return slices.SortedFunc(maps.Keys(p.Values), func(a, b string) int {
		rank := func(name string) int { return slices.Index(first, name) & math.MaxInt } // other names get -1 & MaxInt, which is MaxInt, and come last
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
	})
}

// Progress returns the progress of a run of total steps as text, with the first few values of the point. The steps after the
// step begun took the given time.
//
//	[######..............] 9/30   27.0 k games   1m20s left   best 0.91   mean 0.702   worst 0.41
func (p CurvePoint) Progress(begun, total int, took time.Duration) string {
	const width, most = 20, 3
	filled := width * p.Step / max(total, 1)
	left := time.Duration(float64(took) / float64(p.Step-begun) * float64(total-p.Step)).Round(time.Second)
	text := fmt.Sprintf("[%s%s] %d/%d   %s games   %s left", strings.Repeat("#", filled), strings.Repeat(".", width-filled),
		p.Step, total, humanize.Count(p.Games), left)
	names := p.names()
	for _, name := range names[:min(len(names), most)] {
		text += fmt.Sprintf("   %s %.4g", name, p.Values[name])
	}
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf("   and %d more", more)
	}
	return text
}
