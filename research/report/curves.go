// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Curves are series of points with a common x axis.
type Curves struct {
	Caption string   `json:"caption"`
	X       string   `json:"x"` // name of the horizontal axis
	Y       string   `json:"y"`
	Series  []Series `json:"series"`
}

// Series is a curve through the points X[i], Y[i]. X must not decrease.
type Series struct {
	Name string    `json:"name"`
	X    []float64 `json:"x" nullable:"false"`
	Y    []float64 `json:"y" nullable:"false"`
}

// plotWidth is the number of characters of a plot's widest line.
const plotWidth = 60

func (v Curves) check() error {
	for _, s := range v.Series {
		if err := s.check(); err != nil {
			return fmt.Errorf("curves %q: %s: %w", v.Caption, s.Name, err)
		}
	}
	return nil
}

func (s Series) check() error {
	n := len(s.X)
	if len(s.Y) != n {
		return fmt.Errorf("found %d x values, but %d y values", n, len(s.Y))
	}
	for _, x := range slices.Concat(s.X, s.Y) {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("%v cannot be drawn", x)
		}
	}
	if !slices.IsSorted(s.X) {
		return fmt.Errorf("x falls")
	}
	return nil
}

// bars are the characters for the heights of a curve's points, from its least value to its greatest.
var bars = []rune("▁▂▃▄▅▆▇█")

// render draws each series as a line of bars:
//
//	episode 1 to 10
//	▁▃▅▆▇▇█▇██  best: 0.61 to 0.93
//	▁▂▃▄▅▅▆▇▇█  mean: 0.5 to 0.84
func (v Curves) render() (r rendered, err error) {
	if err := v.check(); err != nil {
		return r, err
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, s := range v.Series {
		if n := len(s.X); n > 0 {
			lo, hi = min(lo, s.X[0]), max(hi, s.X[n-1])
		}
	}
	text := "no data\n"
	if lo <= hi {
		text = fmt.Sprintf("%s %.6g to %.6g\n", oneLine(v.X), lo, hi)
	}
	for _, s := range v.Series {
		if len(s.Y) == 0 {
			continue
		}
		least, most := slices.Min(s.Y), slices.Max(s.Y)
		var line strings.Builder
		for i := range min(len(s.Y), plotWidth) {
			y := s.Y[i*len(s.Y)/min(len(s.Y), plotWidth)]
			line.WriteRune(bars[place(y, least, most, len(bars))])
		}
		text += fmt.Sprintf("%s  %s: %.4g to %.4g\n", line.String(), oneLine(s.Name), least, most)
	}
	r, err = Code(text).render()
	r.markdown = captionText(v.Caption) + r.markdown
	return r, err
}

// place divides the range from lo to hi evenly by n points, and returns the number of the point nearest to x. Point 0 is at lo,
// and point n-1 is at hi.
func place(x, lo, hi float64, n int) int {
	if lo >= hi {
		return 0
	}
	return int(math.Round((x/2 - lo/2) / (hi/2 - lo/2) * float64(n-1))) // halves are used so that no difference overflows
}

// Intervals is a plot of values with error bars. Each value is on a separate line, in the given order. A vertical line marks
// zero.
type Intervals struct {
	Caption string     `json:"caption"`
	Axis    string     `json:"axis"` // name of the axis, such as "Elo"
	Items   []Interval `json:"items"`
}

// Interval is a value with an interval from Lo to Hi. All three numbers are finite.
type Interval struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Lo    float64 `json:"low"`
	Hi    float64 `json:"high"`
}

func (v Intervals) check() error {
	for _, i := range v.Items {
		if !(i.Lo <= i.Value && i.Value <= i.Hi) || math.IsInf(i.Lo, 0) || math.IsInf(i.Hi, 0) {
			return fmt.Errorf("intervals %q: %s: %v from %v to %v cannot be drawn", v.Caption, i.Name, i.Value, i.Lo, i.Hi)
		}
	}
	return nil
}

// render draws the intervals in characters:
//
//	Elo
//	            ├──┼──●──────┤  name: 12 [−18, 42]
//	├───●───┤      │            other: −60 [−90, −30]
func (v Intervals) render() (r rendered, err error) {
	if err := v.check(); err != nil {
		return r, err
	}
	lo, hi := 0.0, 0.0
	for _, i := range v.Items {
		lo, hi = min(lo, i.Lo), max(hi, i.Hi)
	}
	text := oneLine(v.Axis) + "\n"
	for _, i := range v.Items {
		line := []rune(strings.Repeat(" ", plotWidth))
		at := func(x float64) *rune { return &line[place(x, lo, hi, plotWidth)] }
		*at(0) = '│'
		for k := place(i.Lo, lo, hi, plotWidth); k <= place(i.Hi, lo, hi, plotWidth); k++ {
			line[k] = '─'
		}
		if i.Lo <= 0 && i.Hi >= 0 {
			*at(0) = '┼'
		}
		*at(i.Lo), *at(i.Hi) = '├', '┤'
		*at(i.Value) = '●'
		text += fmt.Sprintf("%s  %s: %s\n", string(line), oneLine(i.Name), i.figure())
	}
	r, err = Code(text).render()
	r.markdown = captionText(v.Caption) + r.markdown
	return r, err
}

// figure returns the text of a value and its interval. The number of digits depends on the width of the
// interval.
func (i Interval) figure() string {
	digits := 0
	for step := i.Hi - i.Lo; step > 0 && step < 2 && digits < 9; step *= 10 {
		digits++
	}
	f := func(x float64) string { return strings.Replace(fmt.Sprintf("%.*f", digits, x), "-", "−", 1) }
	return fmt.Sprintf("%s [%s, %s]", f(i.Value), f(i.Lo), f(i.Hi))
}
