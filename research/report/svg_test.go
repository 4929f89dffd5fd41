// SPDX-License-Identifier: Apache-2.0

package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// tester is a *testing.T or a *rapid.T.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// element is a mark of a picture with its attributes and text.
type element struct {
	name string
	attr map[string]string
	text string
}

func (e element) num(t tester, key string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(e.attr[key], 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		t.Fatalf("%+v: %s: %v", e, key, err)
	}
	return x
}

// parse reads a picture as XML and fails where it is none.
func parse(t tester, svg string) []element {
	t.Helper()
	var all []element
	dec := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := dec.Token()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := element{name: token.Name.Local, attr: map[string]string{}}
			for _, a := range token.Attr {
				e.attr[a.Name.Local] = a.Value
			}
			all = append(all, e)
		case xml.CharData:
			all[len(all)-1].text += strings.TrimSpace(string(token))
		}
	}
}

// box returns the corners of an element: of a text as wide as it is estimated.
func (e element) box(t tester) (x0, y0, x1, y1 float64) {
	switch e.name {
	case "text":
		var degrees float64
		x, y := 0.0, 0.0
		if turn, ok := e.attr["transform"]; ok {
			if _, err := fmt.Sscanf(turn, "translate(%f %f) rotate(%f)", &x, &y, &degrees); err != nil {
				t.Fatalf("%s: %v", turn, err)
			}
		} else {
			x, y = e.num(t, "x"), e.num(t, "y")
		}
		w := width(e.text)
		from := map[string]float64{"start": 0, "middle": -w / 2, "end": -w}[e.attr["text-anchor"]]
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		x0, x1 = x+from*cos, x+(from+w)*cos
		y0, y1 = y+from*sin, y+(from+w)*sin
		return x0, min(y0, y1) - 10*cos, x1 - 10*sin, max(y0, y1) + 2
	case "rect":
		x0, y0 = e.num(t, "x"), e.num(t, "y")
		return x0, y0, x0 + e.num(t, "width"), y0 + e.num(t, "height")
	case "circle":
		x, y := e.num(t, "cx"), e.num(t, "cy")
		return x, y, x, y
	}
	x0, y0, x1, y1 = math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for point := range strings.FieldsFuncSeq(e.attr["d"], func(r rune) bool { return strings.ContainsRune("MLZ", r) }) {
		var x, y float64
		if _, err := fmt.Sscanf(point, "%f %f", &x, &y); err != nil {
			t.Fatalf("%s: %v", point, err)
		}
		x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
	}
	return x0, y0, x1, y1
}

// checkPicture fails where a mark leaves the picture, or a text stands on another.
func checkPicture(t tester, svg string) {
	t.Helper()
	all := parse(t, svg)
	w, h := all[0].num(t, "width"), all[0].num(t, "height")
	type box struct {
		x0, y0, x1, y1 float64
		e              element
	}
	var texts []box
	for _, e := range all[1:] {
		if e.name == "title" || e.name == "style" || e.attr["class"] == "paper" {
			continue
		}
		b := box{e: e}
		b.x0, b.y0, b.x1, b.y1 = e.box(t)
		if b.x0 < -0.1 || b.y0 < -0.1 || b.x1 > w+0.1 || b.y1 > h+0.1 {
			t.Errorf("%+v leaves the picture of %v x %v: %v", e, w, h, b)
		}
		if e.name != "text" || e.attr["transform"] != "" {
			continue
		}
		for _, o := range texts {
			if b.x0 < o.x1 && o.x0 < b.x1 && b.y0 < o.y1 && o.y0 < b.y1 {
				t.Errorf("%q stands on %q", e.text, o.e.text)
			}
		}
		texts = append(texts, b)
	}
}

// Everything in the gallery is where it can be seen.
func TestGalleryPictures(t *testing.T) {
	for _, b := range gallery().Blocks {
		if r, err := b.render(); err != nil || strings.HasSuffix(r.name, ".svg") {
			t.Run(r.name, func(t *testing.T) { checkPicture(t, r.data) })
		}
	}
}

func drawValue() *rapid.Generator[float64] {
	return rapid.OneOf(rapid.Float64Range(-largest, largest), rapid.Float64Range(-1e5, 1e5), rapid.SampledFrom([]float64{0, 1, 1e-200, -1e100, 1e9, 1e9 + 7, 99999.1, 99999.2, 1e15, 1e15 + 1e7, -1e9}))
}

func drawName() *rapid.Generator[string] {
	return rapid.OneOf(rapid.StringN(0, 80, -1), rapid.StringMatching(`[a-z]{1,12}:[a-z]{1,30}=[0-9]{1,30}`))
}

// However odd names and values are, they stay inside and apart.
func TestPicturesOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		iv := Intervals{Name: "i", Axis: drawName().Draw(t, "axis")}
		cv := Curves{Name: "c", X: drawName().Draw(t, "x"), Y: drawName().Draw(t, "y"), Apart: rapid.Bool().Draw(t, "apart")}
		gr := Grid{Name: "g", Columns: rapid.SliceOfN(drawName(), 0, 6).Draw(t, "columns")}
		for range rapid.IntRange(0, 5).Draw(t, "n") {
			vs := rapid.SliceOfN(drawValue(), 3, 3).Draw(t, "values")
			lo, hi := min(vs[0], vs[1], vs[2]), max(vs[0], vs[1], vs[2])
			name := drawName().Draw(t, "name")
			iv.Items = append(iv.Items, Interval{name, vs[0] + vs[1] + vs[2] - lo - hi, lo, hi})
			iv.Items[len(iv.Items)-1].Value = min(max(iv.Items[len(iv.Items)-1].Value, lo), hi)
			cv.Series = append(cv.Series, Series{Name: name, X: []float64{lo, hi}, Y: []float64{vs[2], vs[0]}})
			gr.Rows = append(gr.Rows, name)
			row := make([]Cell, len(gr.Columns))
			for j := range row {
				row[j] = Cell{rapid.StringN(0, 4, -1).Draw(t, "cell"), Tone(rapid.IntRange(0, 2).Draw(t, "tone"))}
			}
			gr.Cells = append(gr.Cells, row)
		}
		for _, b := range []Block{iv, cv, gr} {
			r, err := b.render()
			if err != nil {
				t.Fatal(err)
			}
			checkPicture(t, r.data)
		}
	})
}

func TestAxis(t *testing.T) {
	tests := []struct {
		values []float64
		want   string
	}{
		{nil, "0 0.2 0.4 0.6 0.8 1.0"},
		{[]float64{0, 100}, "0 20 40 60 80 100"},
		{[]float64{-31, 42}, "−40 −20 0 20 40 60"},
		{[]float64{0.001, 0.0049}, "0.001 0.002 0.003 0.004 0.005"},
		{[]float64{7, 7}, "6.0 6.5 7.0 7.5 8.0"},
		{[]float64{0, 0}, "−1.0 −0.5 0 0.5 1.0"},
		{[]float64{0, 2e6}, "0 0.5 M 1.0 M 1.5 M 2.0 M"},
		{[]float64{12000, 15500}, "12 k 13 k 14 k 15 k 16 k"},
		{[]float64{1e-9, 4e-9}, "1e−09 2e−09 3e−09 4e−09"},
		{[]float64{-1e100, 1e100}, "−1e+100 −5e+99 0 5e+99 1e+100"},
	}
	for _, tc := range tests {
		a := newAxis(tc.values, 0, 200, 40).rounded()
		if got := strings.Join(a.labels(), " "); got != tc.want {
			t.Errorf("%v: %s, want %s", tc.values, got, tc.want)
		}
	}
}

// Ticks are some, even, inside, and told apart by their labels.
func TestTicks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(drawValue(), 0, 4).Draw(t, "values")
		a := newAxis(values, 50, 450, 60).rounded()
		ticks, labels := a.ticks(), a.labels()
		if len(ticks) < 3 || len(ticks) > 9 {
			t.Fatalf("%+v: %d ticks", a, len(ticks))
		}
		for i := range ticks {
			if x := a.at(ticks[i]); x < 49.9 || x > 450.1 {
				t.Fatalf("%+v: tick %v stands at %v", a, ticks[i], x)
			}
			if i > 0 && labels[i] == labels[i-1] {
				t.Fatalf("%+v: two ticks %s", a, labels[i])
			}
		}
		for _, v := range values {
			if x := a.at(v); x < 49.9 || x > 450.1 {
				t.Fatalf("%+v: %v stands at %v", a, v, x)
			}
		}
	})
}
