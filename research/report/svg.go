// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

type plot struct {
	name, caption string
	canvas        *canvas
}

// picture draws and renders a plot, unless err is an error.
func picture(err error, draw func() plot) (rendered, error) {
	if err != nil {
		return rendered{}, err
	}
	return draw().rendered(), nil
}

// rendered returns the plot as an SVG file, and the Markdown that shows the file.
func (p plot) rendered() rendered {
	r := rendered{name: p.name + ".svg", data: p.canvas.svg(p.title())}
	r.markdown = fmt.Sprintf("![%s](%s)\n", escapeMarkdown(p.title()), r.name)
	if p.caption != "" {
		r.markdown += "\n" + toMarkdown(p.caption) + "\n"
	}
	return r
}

// title returns the text that screen readers read in place of the picture.
func (p plot) title() string {
	if p.caption == "" {
		return p.name
	}
	return plain(p.caption)
}

// canvas collects the elements of a picture of w by h units, with y downwards. A unit is a pixel if there is room.
type canvas struct {
	w, h float64
	b    strings.Builder
}

// num formats a coordinate to a tenth of a pixel.
func num(x float64) string {
	s := strings.TrimSuffix(strconv.FormatFloat(x, 'f', 1, 64), ".0")
	if s == "-0" {
		return "0"
	}
	return s
}

func (c *canvas) rect(class string, x, y, w, h float64) {
	fmt.Fprintf(&c.b, "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>\n", class, num(x), num(y), num(w), num(h))
}

func (c *canvas) line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(&c.b, "<path class=\"%s\" d=\"M%s %sL%s %s\"/>\n", class, num(x1), num(y1), num(x2), num(y2))
}

func (c *canvas) dot(class string, x, y, r float64) {
	fmt.Fprintf(&c.b, "<circle class=\"%s\" cx=\"%s\" cy=\"%s\" r=\"%s\"/>\n", class, num(x), num(y), num(r))
}

// anchor names the part of a text that is at its x.
type anchor string

const (
	start  anchor = "start"
	middle anchor = "middle"
	end    anchor = "end"
)

// text writes s with its baseline at y.
func (c *canvas) text(class string, a anchor, x, y float64, s string) {
	fmt.Fprintf(&c.b, "<text class=\"%s\" text-anchor=\"%s\" x=\"%s\" y=\"%s\">%s</text>\n", class, a, num(x), num(y), escape(s))
}

// turned writes s rotated by degrees around x, y.
func (c *canvas) turned(class string, a anchor, x, y, degrees float64, s string) {
	fmt.Fprintf(&c.b, "<text class=\"%s\" text-anchor=\"%s\" transform=\"translate(%s %s) rotate(%s)\">%s</text>\n",
		class, a, num(x), num(y), num(degrees), escape(s))
}

// svg returns the picture as SVG. Screen readers read the title.
func (c *canvas) svg(title string) string {
	w, h := num(c.w), num(c.h)
	return fmt.Sprintf("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" role=\"img\" "+
		"width=\"%s\" height=\"%s\" viewBox=\"0 0 %s %s\">\n<title>%s</title>\n<style>%s</style>\n"+
		"<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n%s</svg>\n",
		w, h, w, h, escape(title), plotStyle, c.b.String())
}

// width estimates the width of s at 12 px in the widest of the usual fonts.
func width(s string) float64 {
	w := 0.0
	for _, r := range s {
		switch {
		case strings.ContainsRune("ijl|.,:;'!()[] tfrI", r):
			w += 5
		case strings.ContainsRune("mwMW@%—…", r):
			w += 12
		case r >= 'A' && r <= 'Z':
			w += 9
		case r < 0x20 || r >= 0x2e80: // shown as a box, or as wide as high
			w += 13
		default:
			w += 7.8
		}
	}
	return w
}

func widest(names []string) float64 {
	w := 0.0
	for _, s := range names {
		w = max(w, width(s))
	}
	return w
}

// short cuts the middle out of a name longer than n runes, because specs usually differ at their ends.
func short(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	r := []rune(s)
	head := (n - 1) / 2
	return string(r[:head]) + "…" + string(r[len(r)-(n-1-head):])
}

// palette is the number of colours in plotStyle. Further series have the same colours with dashes.
const palette = 7

// plotStyle has the colours that differ for every kind of sight, except the yellow, which is invisible on white; the
// last is black, or white on dark.
//
// CITE: Okabe and Ito, Color Universal Design, 2008.
const plotStyle = `.plot{display:block;height:auto;font:12px system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif}
.plot text{fill:#1f2328}
.plot .soft{fill:#57606a}
.plot .bold{font-weight:600}
.plot .paper{fill:#fff}
.plot .stripe{fill:#f6f8fa}
.plot .figure{font-variant-numeric:tabular-nums}
.plot .rule{stroke:#e6e9ed;fill:none}
.plot .axis{stroke:#8c959f;fill:none}
.plot .zero{stroke:#57606a;fill:none}
.plot .lead{stroke:currentColor;fill:none;opacity:.45}
.plot .line{stroke:currentColor;fill:none;stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}
.plot .dash{stroke-dasharray:5 4}
.plot .dot{fill:currentColor}
.plot .s0{color:#0072b2}
.plot .s1{color:#d55e00}
.plot .s2{color:#009e73}
.plot .s3{color:#cc79a7}
.plot .s4{color:#e69f00}
.plot .s5{color:#56b4e9}
.plot .s6{color:#1f2328}
.plot .agree{fill:#cfe5f5}
.plot .differ{fill:#f2a65a}
.plot .none{fill:#f1f3f5}
@media (prefers-color-scheme:dark){
.plot text{fill:#dde2e8}
.plot .soft{fill:#9aa4af}
.plot .paper{fill:#14171b}
.plot .stripe{fill:#1a1e23}
.plot .rule{stroke:#2a3037}
.plot .axis{stroke:#6e7681}
.plot .zero{stroke:#b1bac4}
.plot .s0{color:#3b9ad9}
.plot .s6{color:#e8edf2}
.plot .agree{fill:#16486b}
.plot .differ{fill:#b3540e}
.plot .none{fill:#22272d}
}
`
