// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"fmt"
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
	followsConnect4Proof(p)
	p.visit("/values")
	p.click(`button[aria-label="k in a row 4 × 3, 3 in a row: win"]`)
	p.until(`location.search.includes('mnk') && document.querySelectorAll('.one [data-cell]').length == 12`)
	p.click(`.one a.main`)
	p.until(`document.querySelector('input[value="mnk:time=10s"]')?.checked`)
	p.click(`button[type=submit]`)
	p.until(mine)
	p.cell(0)
	p.until(plies + ` == 2`)
}

// followsConnect4Proof goes from the proved value of Connect Four to a game against the certificate that comes with krow, plays
// three moves there, and forgets the choices of the setup.
func followsConnect4Proof(p *page) {
	p.t.Helper()
	p.click(`.one a[href*="opponent=proof"]`)
	p.until(`document.querySelector('input[value=proof]')?.checked`)
	p.click(`button[type=submit]`)
	for ply := 1; ply <= 5; ply += 2 {
		p.until(mine + fmt.Sprintf(` && %s === %d`, plies, ply))
		p.until(`document.querySelector('.players').innerText.includes('This move is in the proof. A plan begins later.')`)
		p.cell(0)
	}
	js[bool](p, `(sessionStorage.removeItem('setup'), true)`)
}
