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
	// The small boards stand apart, and the frame of the open one has a contrast of 3:1 to the closed ones.
	for _, theme := range []string{"light", "dark", "contrast"} {
		contrast := js[float64](p, `(() => { document.documentElement.dataset.theme = '`+theme+`'
			const light = c => { const [r, g, b] = c.match(/\d+/g).map(v => v / 255 <= 0.04 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05 }
			const [a, b] = [light(getComputedStyle(document.querySelector('.block.active')).stroke), light(getComputedStyle(document.querySelector('.block:not(.active)')).fill)]
			return Math.max(a, b) / Math.min(a, b) })()`)
		if contrast < 3 {
			t.Errorf("%s: the open board has a contrast of %.1f", theme, contrast)
		}
	}
	if gap := js[float64](p, `(([a, b]) => b.left - a.right)([...document.querySelectorAll('.block')].map(e => e.getBoundingClientRect()))`); gap < 10 {
		t.Errorf("the small boards are %v pixels apart", gap)
	}
	p.cell(60)
	p.until(`document.querySelector('.confirm')?.innerText.includes('board with the frame')`)
	p.cell(74) // between the boards, the cells are where they are drawn
	p.until(`location.search.includes('moves=55+51+13')`)
}
