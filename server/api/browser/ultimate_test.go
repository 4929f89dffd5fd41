// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"strings"
	"testing"
)

// TestUltimateNames reads the cells of ultimate: the drawing, the screen reader and the moves name them in the same way.
func TestUltimateNames(t *testing.T) {
	t.Parallel()
	p := newSite(t).ready("/analyze?game=ultimate&moves=55+51")
	p.until(`document.querySelectorAll('[role=gridcell]').length === 81`)
	names := js[[]string](p, `[...document.querySelectorAll('[role=gridcell]')].map(e => e.ariaLabel.split(',')[0]).sort()`)
	drawn := js[[]string](p, `[...document.querySelectorAll('.cell-name')].map(e => e.textContent)`)
	if len(names) != 81 || names[0] != "11" || names[80] != "99" || len(drawn) != 79 || strings.Contains(strings.Join(drawn, " "), "55") {
		t.Errorf("%d cells from %s to %s, %d names drawn", len(names), names[0], names[80], len(drawn))
	}
	if text := p.text("main"); strings.Contains(text, "a1") {
		t.Errorf("letters name cells: %s", text)
	}
}
