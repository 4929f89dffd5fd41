// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// plot is what pictures have in common.
type plot struct {
	name, caption string
	canvas        *canvas
}

// rendered returns the picture in every form. The page has it inside, with the style of the page; on narrow screens it
// shrinks to three quarters and then scrolls.
func (p plot) rendered() rendered {
	r := rendered{name: p.name + ".svg", data: p.canvas.svg("", p.title(), "<style>"+plotStyle+"</style>\n")}
	r.markdown = fmt.Sprintf("![%s](%s)\n", escapeMarkdown(p.title()), r.name)
	r.html = "<figure>\n<div class=\"wide\">\n" + p.canvas.svg(fmt.Sprintf(` style="min-width:%spx"`, num(0.75*p.canvas.w)), p.title(), "") + "</div>\n"
	if p.caption != "" {
		r.markdown += "\n" + toMarkdown(p.caption) + "\n"
		r.html += "<figcaption>" + toHTML(p.caption) + "</figcaption>\n"
	}
	r.html += "</figure>\n"
	return r
}

// title is read out in place of the picture.
func (p plot) title() string {
	if p.caption == "" {
		return p.name
	}
	return plain(p.caption)
}

// canvas collects the marks of a picture: w by h units, y downwards, one unit a pixel where there is room.
type canvas struct {
	w, h float64
	b    strings.Builder
}

// num writes a coordinate to a tenth of a pixel.
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

// anchor says which part of a text stands at its x.
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

// turned writes s turned by degrees around x, y.
func (c *canvas) turned(class string, a anchor, x, y, degrees float64, s string) {
	fmt.Fprintf(&c.b, "<text class=\"%s\" text-anchor=\"%s\" transform=\"translate(%s %s) rotate(%s)\">%s</text>\n",
		class, a, num(x), num(y), num(degrees), escape(s))
}

// svg returns the picture. The title is for those who cannot see it.
func (c *canvas) svg(attr, title, style string) string {
	w, h := num(c.w), num(c.h)
	return fmt.Sprintf("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" role=\"img\" "+
		"width=\"%s\" height=\"%s\" viewBox=\"0 0 %s %s\"%s>\n<title>%s</title>\n%s"+
		"<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n%s</svg>\n",
		w, h, w, h, attr, escape(title), style, c.b.String())
}

// width estimates how wide s is at 12 px in the widest of the usual fonts.
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

// short cuts the middle out of a name longer than n runes: specs differ at their ends.
func short(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	r := []rune(s)
	head := (n - 1) / 2
	return string(r[:head]) + "…" + string(r[len(r)-(n-1-head):])
}
