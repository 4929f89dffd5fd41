// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// axis maps the values from lo to hi to pixels, and has ticks at round numbers.
type axis struct {
	lo, hi   float64
	from, to float64
	step     float64 // between ticks
}

// A value beyond ±largest is an error. Values whose difference is at most smallest count as equal. So the span of an axis is a
// finite number and not 0.
const (
	largest  = 1e100
	smallest = 1e-100
)

func checkValue(x float64) error {
	if !(math.Abs(x) <= largest) {
		return fmt.Errorf("%v cannot be drawn", x)
	}
	return nil
}

// newAxis returns an axis that contains all values, with a tick about every gap pixels. If the values are equal, or there are
// none, it adds space around them.
func newAxis(values []float64, from, to, gap float64) axis {
	lo, hi := 0.0, 1.0
	for i, v := range values {
		if i == 0 {
			lo, hi = v, v
		}
		lo, hi = min(lo, v), max(hi, v)
	}
	size := max(math.Abs(lo), math.Abs(hi))
	if hi-lo <= max(size*1e-9, smallest) {
		room := size * 0.1
		if size <= smallest {
			room = 1
		}
		lo, hi = lo-room, hi+room
	}
	return axis{lo, hi, from, to, nice((hi - lo) * gap / math.Abs(to-from))}
}

// spaced increases the step until the labels fit next to one another, also after rounding.
func (a axis) spaced() axis {
	room := func() float64 { return math.Abs(a.to-a.from) * a.step / (a.hi - a.lo + 2*a.step) }
	for room() < widest(a.labels())+8 && len(a.ticks()) > 2 {
		a.step = nice(a.step * 1.1)
	}
	return a
}

// rounded moves both ends outwards to ticks.
func (a axis) rounded() axis {
	a.lo = math.Floor(a.lo/a.step+1e-6) * a.step
	a.hi = math.Ceil(a.hi/a.step-1e-6) * a.step
	return a
}

// nice returns the smallest of 1, 2 and 5 times a power of ten that is at least x.
// CITE: Heckbert, Nice Numbers for Graph Labels, in Graphics Gems, 1990.
func nice(x float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 5} {
		if m*p >= x*(1-1e-9) {
			return m * p
		}
	}
	return 10 * p
}

func (a axis) at(v float64) float64 { return a.from + (v-a.lo)/(a.hi-a.lo)*(a.to-a.from) }

func (a axis) ticks() []float64 {
	var ts []float64
	first := math.Ceil(a.lo/a.step - 1e-6)
	for i := first; i*a.step <= a.hi+a.step*1e-6 && len(ts) < 100; i++ {
		ts = append(ts, i*a.step)
	}
	return ts
}

// label returns the text of a tick, with as many digits as the step needs: 0.05, −20, 15 k, 2.5 M, 1e-12.
func (a axis) label(v float64) string {
	size := max(math.Abs(a.lo), math.Abs(a.hi))
	unit, name := 1.0, ""
	switch {
	case v == 0:
		return "0"
	case size >= 1e15 || a.step < 1e-6:
		return minus(strconv.FormatFloat(v, 'g', 2+int(math.Ceil(math.Log10(size/a.step))), 64))
	case size >= 1e9:
		unit, name = 1e9, " G"
	case size >= 1e6:
		unit, name = 1e6, " M"
	case size >= 1e4:
		unit, name = 1e3, " k"
	}
	digits := max(0, -int(math.Floor(math.Log10(a.step/unit)+1e-9)))
	return minus(strconv.FormatFloat(v/unit, 'f', digits, 64)) + name
}

func minus(s string) string { return strings.Replace(s, "-", "−", 1) }

func (a axis) labels() []string {
	var ls []string
	for _, t := range a.ticks() {
		ls = append(ls, a.label(t))
	}
	return ls
}
