// SPDX-License-Identifier: Apache-2.0

package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Curves are series over a common x.
type Curves struct {
	Name    string   `json:"-"` // of the SVG file
	Caption string   `json:"caption"`
	X       string   `json:"x"` // what the axes are
	Y       string   `json:"y"`
	Series  []Series `json:"series"`
	// Apart gives every series a panel and a y axis of its own, for values of different sizes.
	Apart bool `json:"-"`
}

// Series is a curve through the points X[i], Y[i]. X never falls.
type Series struct {
	Name string    `json:"name"`
	X    []float64 `json:"x"`
	Y    []float64 `json:"y"`
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

func (v Curves) render() (rendered, error) {
	if err := v.check(); err != nil {
		return rendered{}, err
	}
	return v.plot().rendered(), nil
}

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
	left := max(24+widest(labels), 60) // half a label of x at least
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

// class is the colour of the i-th series here, and beyond the palette dashes too.
func (p panel) class(i int) string {
	i += p.colour
	if i/palette%2 == 1 {
		return fmt.Sprintf("dash s%d", i%palette)
	}
	return fmt.Sprintf("s%d", i%palette)
}

// to goes on to the point x, y.
func (p panel) to(d *strings.Builder, x, y float64) {
	letter := "L"
	if d.Len() == 0 {
		letter = "M"
	}
	d.WriteString(letter + num(p.x.at(x)) + " " + num(p.y.at(y)))
}

// dots is the longest series whose points are marked.
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

// names writes the names of the series beside where they end, pushed apart until each has a line of its own,
// with a lead to the end of the curve.
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
	for k, i := range order { // downwards, none above the frame or over another
		at[i] = max(ends[i], p.y.to+6)
		if k > 0 {
			at[i] = max(at[i], at[order[k-1]]+line)
		}
	}
	floor := p.y.from - 2
	for _, i := range slices.Backward(order) { // and back up, none below it
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
