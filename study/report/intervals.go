// SPDX-License-Identifier: Apache-2.0

package report

import "fmt"

// Intervals are values with their error bars, one a line, as given, beside a line at zero.
type Intervals struct {
	Name    string     `json:"-"` // of the SVG file
	Caption string     `json:"caption"`
	Axis    string     `json:"axis"` // what the values are, such as "Elo"
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

func (v Intervals) render() (rendered, error) {
	if err := v.check(); err != nil {
		return rendered{}, err
	}
	return v.plot().rendered(), nil
}

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

// figure writes an item's numbers, with as many digits as tell its ends apart.
func (Intervals) figure(item Interval) string {
	digits := 0
	for step := item.Hi - item.Lo; step > 0 && step < 2 && digits < 9; step *= 10 {
		digits++
	}
	f := func(x float64) string { return minus(fmt.Sprintf("%.*f", digits, x)) }
	return fmt.Sprintf("%s  [%s, %s]", f(item.Value), f(item.Lo), f(item.Hi))
}
