// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"strings"
	"testing"
)

// TestProvedValueIsPlayed goes from the studies to a proved value, and from there to a game against the solver.
func TestProvedValueIsPlayed(t *testing.T) {
	t.Parallel()
	p := open(t, "/reports")
	p.click(`a[href="/values"]`)
	p.until(`document.querySelector('.one [role=grid]')`)
	if got := p.text(".one"); !strings.Contains(got, "The side that moves first wins.") || !strings.Contains(got, "41 plies") || !strings.Contains(got, "Allis 1988") {
		t.Errorf("7x6 is told as %q", got)
	}
	p.click(`button[aria-label="k in a row 4 × 3, 3 in a row: win"]`)
	p.until(`location.search.includes('mnk') && document.querySelectorAll('.one [data-cell]').length == 12`)
	p.click(`.one a.main`)
	p.until(`document.querySelector('input[value="mnk:time=10s"]')?.checked`)
	p.click(`button[type=submit]`)
	p.until(mine)
	p.cell(0)
	p.until(plies + ` == 2`)
}
