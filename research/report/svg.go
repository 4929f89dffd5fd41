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

// picture renders what was checked.
func picture(err error, draw func() plot) (rendered, error) {
	if err != nil {
		return rendered{}, err
	}
	return draw().rendered(), nil
}

// rendered returns the picture in every form. On narrow screens it shrinks to three quarters and then scrolls.
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

// pageStyle lets what is too wide for a phone scroll by itself, not the page.
const pageStyle = `:root{color-scheme:light dark}
body{margin:0;background:#fff;color:#1f2328;font:16px/1.55 system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif}
main{max-width:58rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1,h2,h3,h4{line-height:1.25;margin:2em 0 .6em}
h1{margin-top:.5em}
h2{padding-bottom:.3em;border-bottom:1px solid #d8dee4}
p,ul{max-width:44rem}
a{color:#0a5cc0}
code,pre{font:.875em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:#f3f5f7;border-radius:5px}
code{padding:.15em .35em;overflow-wrap:anywhere}
pre{padding:.8em 1em;overflow-x:auto}
figure{margin:1.5em 0}
figcaption{font-size:.9em;color:#57606a;margin:.5em 0;max-width:44rem}
.wide{overflow-x:auto}
.rows{max-height:85vh;overflow-y:auto}
.wide .plot{max-width:100%}
table{border-collapse:collapse;font-size:.875em;line-height:1.4}
th,td{padding:.3em .8em;text-align:left;vertical-align:top;border-bottom:1px solid #e3e7eb}
thead th{position:sticky;top:0;background:#fff;border-bottom:2px solid #c4cbd2;white-space:nowrap}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
summary{cursor:pointer;padding:.3em 0}
@media (prefers-color-scheme:dark){
body{background:#14171b;color:#dde2e8}
h2,th,td{border-color:#30363d}
thead th{background:#14171b;border-color:#484f58}
a{color:#6cb0ff}
code,pre{background:#20252b}
figcaption{color:#9aa4af}
}
`

// palette counts the colours of plotStyle; series beyond it are dashed.
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
