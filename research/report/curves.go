// SPDX-License-Identifier: Apache-2.0

package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Curves are series of points with a common x axis.
type Curves struct {
	Name    string   `json:"-"` // of the SVG file
	Caption string   `json:"caption"`
	X       string   `json:"x"` // names of the axes
	Y       string   `json:"y"`
	Series  []Series `json:"series"`
	// Apart draws every series in a panel of its own with its own y axis, for values of different magnitudes.
	Apart bool `json:"-"`
}

// Series is a curve through the points X[i], Y[i]. X must not decrease.
type Series struct {
	Name string    `json:"name"`
	X    []float64 `json:"x" nullable:"false"`
	Y    []float64 `json:"y" nullable:"false"`
}

func (v Curves) check() error {
	if err := checkName(v.Name); err != nil {
		return fmt.Errorf("curves: %w", err)
	}
	for _, s := range v.Series {
		if err := s.check(); err != nil {
			return fmt.Errorf("curves %s: %s: %w", v.Name, s.Name, err)
		}
	}
	return nil
}

func (s Series) check() error {
	n := len(s.X)
	if len(s.Y) != n {
		return fmt.Errorf("%d x, %d y: want as many", n, len(s.Y))
	}
	for _, x := range slices.Concat(s.X, s.Y) {
		if err := checkValue(x); err != nil {
			return err
		}
	}
	if !slices.IsSorted(s.X) {
		return fmt.Errorf("x falls")
	}
	return nil
}

func (v Curves) render() (rendered, error) { return picture(v.check(), v.plot) }

// panel is a frame with some of the series, whose names stand at its right.
//
//	  y
//	4 ┤      ╱──  one
//	2 ┤ ───╱────  two
//	0 ┼────┼────┼
//	  0   50  100
//	        x
type panel struct {
	series []Series
	colour int // of the first series
	x, y   axis
}

func (v Curves) plot() plot {
	const wide, between = 520.0, 20.0
	var names []string
	var xs []float64
	for _, s := range v.Series {
		names = append(names, short(s.Name, 40))
		xs = append(xs, s.X...)
	}
	parts := [][]Series{v.Series}
	high := max(280, 19*float64(len(names)))
	if v.Apart && len(v.Series) > 0 {
		parts, high = slices.Collect(slices.Chunk(v.Series, 1)), 96
	}
	var panels []panel
	var labels []string
	top := 34.0
	for i, part := range parts {
		p := panel{series: part, colour: i}
		var ys []float64
		for _, s := range part {
			ys = append(ys, s.Y...)
		}
		p.y = newAxis(ys, top+high, top, min(44, high/4)).rounded()
		labels = append(labels, p.y.labels()...)
		panels = append(panels, p)
		top += high + between
	}
	left := max(24+widest(labels), 60) // at least half the width of an x label
	x := newAxis(xs, left, left+wide, 80).spaced()
	bottom := top - between
	c := &canvas{w: max(left+wide+60, left+wide+46+widest(names), 24+width(short(v.Y, 80))), h: bottom + 50}
	c.text("soft", start, 12, 18, short(v.Y, 80))
	for _, p := range panels {
		p.x = x
		p.draw(c)
	}
	for _, t := range x.ticks() {
		c.text("soft", middle, x.at(t), bottom+18, x.label(t))
	}
	c.text("soft", middle, left+wide/2, bottom+39, short(v.X, 70))
	return plot{v.Name, v.Caption, c}
}

func (p panel) draw(c *canvas) {
	for _, t := range p.x.ticks() {
		c.line("rule", p.x.at(t), p.y.to, p.x.at(t), p.y.from)
	}
	for _, t := range p.y.ticks() {
		c.line("rule", p.x.from, p.y.at(t), p.x.to, p.y.at(t))
		c.text("soft", end, p.x.from-8, p.y.at(t)+4, p.y.label(t))
	}
	c.line("axis", p.x.from, p.y.from, p.x.to, p.y.from)
	empty := true
	for i, s := range p.series {
		p.curve(c, s, p.class(i))
		empty = empty && len(s.X) == 0
	}
	if empty {
		c.text("soft", middle, (p.x.from+p.x.to)/2, (p.y.from+p.y.to)/2, "no data")
	}
	p.names(c)
}

// class returns the CSS classes of the panel's i-th series: its colour, and dashes if the palette has no further colour.
func (p panel) class(i int) string {
	i += p.colour
	if i/palette%2 == 1 {
		return fmt.Sprintf("dash s%d", i%palette)
	}
	return fmt.Sprintf("s%d", i%palette)
}

// to extends the path d to the point x, y.
func (p panel) to(d *strings.Builder, x, y float64) {
	letter := "L"
	if d.Len() == 0 {
		letter = "M"
	}
	d.WriteString(letter + num(p.x.at(x)) + " " + num(p.y.at(y)))
}

// dots is the maximum length of a series whose points are marked.
const dots = 20

func (p panel) curve(c *canvas, s Series, class string) {
	var d strings.Builder
	for i, x := range s.X {
		p.to(&d, x, s.Y[i])
		if len(s.X) <= dots {
			c.dot("dot "+class, p.x.at(x), p.y.at(s.Y[i]), 2.8)
		}
	}
	if len(s.X) > 1 {
		fmt.Fprintf(&c.b, "<path class=\"line %s\" d=\"%s\"/>\n", class, d.String())
	}
}

// names writes the names of the series at their right ends, moved apart where they would overlap, each with a line to its curve.
func (p panel) names(c *canvas) {
	const line = 17.0
	order := make([]int, len(p.series))
	ends, at := make([]float64, len(order)), make([]float64, len(order))
	for i, s := range p.series {
		order[i], ends[i] = i, (p.y.from+p.y.to)/2
		if n := len(s.Y); n > 0 {
			ends[i] = p.y.at(s.Y[n-1])
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ends[a], ends[b]) })
	for k, i := range order { // from top to bottom: inside the frame and below the previous name
		at[i] = max(ends[i], p.y.to+6)
		if k > 0 {
			at[i] = max(at[i], at[order[k-1]]+line)
		}
	}
	floor := p.y.from - 2
	for _, i := range slices.Backward(order) { // and from bottom to top, so that none is below the frame
		at[i] = min(at[i], floor)
		floor = at[i] - line
	}
	for i, s := range p.series {
		if n := len(s.X); n > 0 {
			x := p.x.at(s.X[n-1])
			c.line("lead "+p.class(i), x, ends[i], p.x.to+14, at[i])
		}
		c.line("line "+p.class(i), p.x.to+14, at[i], p.x.to+26, at[i])
		c.text("", start, p.x.to+32, at[i]+4, short(s.Name, 40))
	}
}

// Intervals is a plot of values with error bars, one on each line in the given order, and a vertical line at zero.
type Intervals struct {
	Name    string     `json:"-"` // of the SVG file
	Caption string     `json:"caption"`
	Axis    string     `json:"axis"` // name of the axis, such as "Elo"
	Items   []Interval `json:"items"`
}

// Interval is a value from Lo to Hi, all finite.
type Interval struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Lo    float64 `json:"low"`
	Hi    float64 `json:"high"`
}

func (v Intervals) check() error {
	if err := checkName(v.Name); err != nil {
		return fmt.Errorf("intervals: %w", err)
	}
	for _, item := range v.Items {
		for _, x := range []float64{item.Value, item.Lo, item.Hi} {
			if err := checkValue(x); err != nil {
				return fmt.Errorf("intervals %s: %s: %w", v.Name, item.Name, err)
			}
		}
		if item.Lo > item.Value || item.Value > item.Hi {
			return fmt.Errorf("intervals %s: %s: %v is not from %v to %v", v.Name, item.Name, item.Value, item.Lo, item.Hi)
		}
	}
	return nil
}

func (v Intervals) render() (rendered, error) { return picture(v.check(), v.plot) }

// plot draws
//
//	name  ────●────      +12 ± 30
//	name      ──●──
//	     ┼────┼────┼
//	         axis
func (v Intervals) plot() plot {
	const row, top, wide = 24.0, 14.0, 460.0
	var names, figures []string
	values := []float64{0}
	for _, item := range v.Items {
		names = append(names, short(item.Name, 60))
		figures = append(figures, v.figure(item))
		values = append(values, item.Lo, item.Hi)
	}
	left := max(widest(names)+26, 60) // half a tick label at least
	bottom := top + row*float64(max(1, len(names)))
	x := newAxis(values, left, left+wide, 70).spaced().rounded()
	c := &canvas{w: left + wide + 22 + widest(figures) + 14, h: bottom + 48}
	for i := range names {
		if i%2 == 0 {
			c.rect("stripe", 0, top+row*float64(i), c.w, row)
		}
	}
	for _, t := range x.ticks() {
		c.line("rule", x.at(t), top, x.at(t), bottom)
		c.text("soft", middle, x.at(t), bottom+17, x.label(t))
	}
	c.line("axis", left, bottom, left+wide, bottom)
	c.text("soft", middle, left+wide/2, bottom+37, short(v.Axis, 60))
	if len(v.Items) == 0 {
		c.text("soft", middle, left+wide/2, top+row/2+4, "no data")
		return plot{v.Name, v.Caption, c}
	}
	c.line("zero", x.at(0), top, x.at(0), bottom)
	for i, item := range v.Items {
		y := top + row*(float64(i)+0.5)
		c.text("", end, left-12, y+4, names[i])
		c.line("line s0", x.at(item.Lo), y, x.at(item.Hi), y)
		c.line("line s0", x.at(item.Lo), y-4, x.at(item.Lo), y+4)
		c.line("line s0", x.at(item.Hi), y-4, x.at(item.Hi), y+4)
		c.dot("dot s0", x.at(item.Value), y, 4)
		c.text("soft figure", end, c.w-14, y+4, figures[i])
	}
	return plot{v.Name, v.Caption, c}
}

// figure returns the text of a value and its interval, with as many digits as the interval's width needs.
func (Intervals) figure(item Interval) string {
	digits := 0
	for step := item.Hi - item.Lo; step > 0 && step < 2 && digits < 9; step *= 10 {
		digits++
	}
	f := func(x float64) string { return minus(fmt.Sprintf("%.*f", digits, x)) }
	return fmt.Sprintf("%s  [%s, %s]", f(item.Value), f(item.Lo), f(item.Hi))
}
