// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// TestStatusLine shows lines on a terminal that becomes narrower: none is wider than the terminal is at that moment, so
// that the next one replaces it.
func TestStatusLine(t *testing.T) {
	var out bytes.Buffer
	columns := 30
	s := &statusLine{w: &out, columns: func() int { return columns }}
	for _, text := range []string{"short", "[######..............] 9/30   27.0 k games   1m20s left", "eval=五目並べ五目並べ五目並べ五目並べ"} {
		for _, columns = range []int{80, 30, 9, 2} {
			out.Reset()
			s.show(text)
			shown, ok := strings.CutPrefix(out.String(), "\r\x1b[K")
			if w := ansi.StringWidth(shown); !ok || w >= columns || strings.Contains(shown, "\n") {
				t.Errorf("%q on %d columns is %q, %d wide", text, columns, out.String(), w)
			}
			if ansi.StringWidth(text) < columns && shown != text {
				t.Errorf("%q fits on %d columns, and %q is shown", text, columns, shown)
			}
		}
	}
	out.Reset()
	(&statusLine{w: &out}).show(strings.Repeat("x", 200))
	if out.Len() != 201 {
		t.Errorf("where there is no terminal the line is cut: %q", &out)
	}
}
