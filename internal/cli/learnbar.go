// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/krow-lab/krow/learn"
)

// bar writes how far a learner is: over itself on a terminal, else a line every ten seconds and the last one.
//
//	[######..............] 9/30   27.0 k games   1m20s left   best 0.91   mean 0.702   worst 0.41
type bar struct {
	*statusLine
	begun, done int
	total       int
	start       time.Time
}

func newBar(w io.Writer, done, total int) *bar {
	return &bar{statusLine: newStatusLine(w), begun: done, done: done, total: total, start: time.Now()}
}

// show tells of a point of the curve, unless it has told of one just before.
func (b *bar) show(p learn.Point) {
	b.done = p.Step
	if due := b.due(); !due && b.done < b.total {
		return
	}
	left := time.Duration(float64(time.Since(b.start)) / float64(b.done-b.begun) * float64(b.total-b.done))
	b.statusLine.show(fmt.Sprintf("%s %d/%d   %s games   %s left   %s",
		barText(b.done, b.total), b.done, b.total, count(p.Games), left.Round(time.Second), shownValues(p.Values)))
}

// end leaves the last line of the terminal as it is.
func (b *bar) end() {
	if b.terminal && b.done > b.begun {
		fmt.Fprintln(b.w)
	}
}

func barText(done, total int) string {
	const width = 20
	filled := width * done / max(total, 1)
	return "[" + strings.Repeat("#", filled) + strings.Repeat(".", width-filled) + "]"
}

// shownValues writes the first values of a point: as many as fit on a line.
func shownValues(all map[string]float64) string {
	const most = 3
	names, values := curveNames(all), []string(nil)
	for _, name := range names[:min(len(names), most)] {
		values = append(values, fmt.Sprintf("%s %.4g", name, all[name]))
	}
	if more := len(names) - most; more > 0 {
		values = append(values, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(values, "   ")
}
