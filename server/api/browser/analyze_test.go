// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/krow-lab/krow/proof"
	"github.com/krow-lab/krow/server/api"
)

// stones counts the stones on the board.
const stones = `[...document.querySelectorAll('.cell')].filter(c => !/empty/.test(c.ariaLabel)).length`

// quiet opens a page of the analysis without its engine.
func quiet(t *testing.T, path string) *page {
	p := open(t, path)
	p.until(`document.querySelector('[role=grid]')`)
	p.keys("l")
	return p
}

// keepFiles puts what the page saves into window.saved.
func (p *page) keepFiles() {
	js[bool](p, `(() => { const real = URL.createObjectURL
		URL.createObjectURL = b => { b.text().then(t => window.saved = t); return real.call(URL, b) }
		return true })()`)
}

// press presses the button that says so.
func (p *page) press(name string) { p.t.Helper(); p.pressBefore(name, `false`) }

// pressBefore presses the button that says so, as soon as that is possible, unless the page was faster and there is no button any more.
func (p *page) pressBefore(name, done string) {
	p.t.Helper()
	button := fmt.Sprintf(`[...document.querySelectorAll('button, summary')].find(b => !b.disabled && (b.innerText.trim() === %q || b.ariaLabel === %q))`, name, name)
	p.until(button + ` || ` + done)
	js[bool](p, button+`?.click() || true`)
}

// TestTreeOfVariations branches off, comments, goes through the tree by keys, and takes it out and in again as SGF.
func TestTreeOfVariations(t *testing.T) {
	t.Parallel()
	p := quiet(t, "/analyze?game=gomoku:9&moves=e5+e6+d5")
	p.until(stones + ` === 3`)
	p.keys("[")
	p.until(stones + ` === 2`)
	p.cell(0)
	p.until(`document.querySelector('.variation button[aria-current]')?.innerText === 'a1'`)
	js[bool](p, `(() => { const c = document.querySelector('.edit textarea'); c.value = 'a [corner]'; c.dispatchEvent(new Event('input', {bubbles: true})); c.blur(); return true })()`)
	p.until(`document.querySelector('.variation q')?.innerText === 'a [corner]'`)
	p.do(chromedp.Reload())
	p.until(`document.querySelector('.variation q')?.innerText === 'a [corner]' && ` + stones + ` === 3`)
	js[bool](p, `(document.activeElement.blur(), true)`)
	p.do(chromedp.KeyEvent("l"))
	js[bool](p, `document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowDown', bubbles: true})) || true`)
	p.until(`document.querySelector('nav button[aria-current]')?.innerText.startsWith('d5')`)
	p.keepFiles()
	p.press("Share, files and pictures")
	p.press("SGF")
	p.until(`window.saved?.startsWith('(;FF[4]')`)
	sgf := js[string](p, `window.saved`)
	if !strings.Contains(sgf, `(;B[ai]C[a [corner\]])`) {
		t.Errorf("the file lacks the variation and its comment: %s", sgf)
	}
	js[bool](p, `(sessionStorage.clear(), true)`)
	p.visit("/analyze?game=gomoku:9")
	p.until(`document.querySelector('[role=grid]')`)
	p.press("Share, files and pictures")
	js[bool](p, fmt.Sprintf(`(() => { const a = document.querySelector('details textarea'); a.value = %q; a.dispatchEvent(new Event('input', {bubbles: true})); return true })()`, sgf))
	p.press("Open")
	p.until(`document.querySelector('.variation q')?.innerText === 'a [corner]'`)
	p.keepFiles()
	// A file of two games offers both, with their players, who are written back with the result.
	js[bool](p, `(() => { const a = document.querySelector('details textarea'); a.value = '(;GM[4]SZ[9]PB[Ann]PW[Bob \\] C]RE[W+R];B[ee];W[ef])\n(;GM[4]SZ[9]PB[Cy]PW[Di]RE[B+];B[aa])'; a.dispatchEvent(new Event('input', {bubbles: true})); return true })()`)
	p.press("Open")
	p.until(`document.querySelector('.names')?.innerText === 'Ann against Bob ] C · White won'`)
	p.press("SGF")
	p.until(`window.saved?.includes('PB[Ann]PW[Bob \\] C]RE[W+R]')`)
	p.choose("aside > label select", "1")
	p.until(`document.querySelector('.names')?.innerText === 'Cy against Di · Black won' && ` + stones + ` === 1`)
	// A library does not say its rules: the page names those it was opened by.
	p.visit("/analyze?game=renju&moves=h8+h9")
	p.until(`document.querySelector('[role=grid]')`)
	js[bool](p, `(() => { const real = URL.createObjectURL; URL.createObjectURL = b => (window.lib = b, real.call(URL, b)); return true })()`)
	p.press("Share, files and pictures")
	p.press("RenLib")
	p.until(`window.lib`)
	js[bool](p, `(() => { const d = new DataTransfer(); d.items.add(new File([window.lib], 'x.lib')); const i = document.querySelector('input[type=file]'); i.files = d.files; i.dispatchEvent(new Event('change', {bubbles: true})); return true })()`)
	p.until(`document.querySelector('aside > label')?.innerText.includes('opened as') && document.querySelector('aside > label select').value === 'renju:15'`)
	p.choose("aside > label select", "gomoku:15")
	p.until(`location.search.includes('game=gomoku') && ` + stones + ` === 2`)
}

// TestBoardSavedAsSVG saves the board as SVG.
func TestBoardSavedAsSVG(t *testing.T) {
	t.Parallel()
	p := quiet(t, "/analyze?game=connect4&moves=4+4")
	p.until(stones + ` === 2`)
	p.keepFiles()
	p.press("Share, files and pictures")
	p.press("SVG")
	p.until(`window.saved?.startsWith('<svg')`)
	if svg := js[string](p, `window.saved`); !strings.Contains(svg, `fill="rgb(`) || strings.Contains(svg, "gridcell") {
		t.Errorf("the picture has no colours, or what is no picture: %.300s", svg)
	}
	p.press("PNG")
	p.until(`window.saved?.slice(1, 4) === 'PNG'`)
}

// TestThreatsAreDrawn shows what is on the board: an open three with its two forks, and the values of cells.
func TestThreatsAreDrawn(t *testing.T) {
	t.Parallel()
	p := quiet(t, "/analyze?game=gomoku:9&moves=d5+a1+e5+a3+f5+a9")
	p.keys("x")
	p.until(`document.querySelectorAll('.band.x').length === 1 && document.querySelectorAll('.mark.fork.x').length === 2`)
	p.keys("v")
	p.until(`document.querySelectorAll('.value').length > 30`)
	p.keys("vx")
	p.until(`!document.querySelector('.band, .value')`)
}

// TestReviewFindsMistake judges a finished game and finds the mistake that lost it.
func TestReviewFindsMistake(t *testing.T) {
	t.Parallel()
	p := quiet(t, "/analyze?game=tictactoe&moves=a1+b1+a3+a2+c3")
	p.keys("r")
	p.until(`document.querySelectorAll('ul[aria-label=Mistakes] button').length > 0`)
	if text := p.text("ul[aria-label=Mistakes]"); !strings.HasPrefix(text, "2 b1") {
		t.Errorf("the first mistake is %q, want move 2, b1, which loses", text)
	}

	// Two mistakes follow each other: each can be practised, and the better move stands on the board.
	p.visit("/analyze?game=tictactoe&moves=a1+b1+c1+b2+b3")
	p.until(`document.querySelector('[role=grid]')`)
	p.keys("r")
	const row = `[...document.querySelectorAll('ul[aria-label=Mistakes] button')].find(b => b.innerText.startsWith(%q))`
	for _, mistake := range []string{"2 b1", "3 c1"} { // the review lists them one after the other
		p.until(fmt.Sprintf(row, mistake))
	}
	js[bool](p, fmt.Sprintf(row+`.click() || true`, "2 b1"))
	p.until(`document.querySelector('.mark.hint') && document.querySelector('li.on .practise')?.ariaLabel.endsWith('2 b1')`)
	js[bool](p, fmt.Sprintf(row+`.click() || true`, "3 c1"))
	p.until(`document.querySelector('li.on .practise')?.ariaLabel.endsWith('3 c1')`)
	p.click("li.on .practise")
	p.until(`location.pathname.startsWith('/puzzles/') && ` + stones + ` === 2`)
	// A side that made five moves played at a level.
	p.visit("/analyze?game=tictactoe&moves=a1+b2+c3+b1+b3+a3+c1+a2+c2")
	p.until(`document.querySelector('[role=grid]')`)
	p.keys("r")
	p.until(`[...document.querySelectorAll('.accuracy small')].map(e => e.innerText.replace(/[0-9]/, 'N')).join() === 'like level N'`)
}

// TestSetUp sets up a position by clicks, clears the board, takes that back, and plays from it.
func TestSetUp(t *testing.T) {
	t.Parallel()
	p := quiet(t, "/edit?game=gomoku:9")
	for _, cell := range []int{40, 41, 31} {
		p.cell(cell)
	}
	p.until(stones + ` === 3`)
	p.cell(31)
	p.until(stones + ` === 2`)
	p.press("Clear")
	p.until(stones + ` === 0`)
	p.press("Undo")
	p.until(stones + ` === 2`)
	p.press("Analyse")
	p.until(`location.pathname === '/analyze' && document.querySelector('.cell.legal') && ` + stones + ` === 2`)
}

// TestSwapTwoOfTwoPeople opens a game of two people by swap2.
func TestSwapTwoOfTwoPeople(t *testing.T) {
	t.Parallel()
	p := quiet(t, "/opening?game=gomoku:9&rule=swap2&player=human")
	p.until(`document.querySelector('.cell.legal')`)
	for _, cell := range []int{40, 41, 49} {
		p.cell(cell)
	}
	p.press("Done (3 of 3)")
	p.until(stones + ` === 3 && document.querySelector('.cell.legal')`)
	p.press("Swap colours")
	p.until(`location.pathname.startsWith('/play/') && ` + plies + ` === 3`)
}

// TestClocksAreShown shows the clocks of a game, of which one runs.
func TestClocksAreShown(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	var g api.Game
	s.post("/games", map[string]any{"game": "tictactoe", "first": "human", "second": "human", "clock": map[string]int{"seconds": 60, "increment": 2}}, &g)
	p := s.open("/play/" + g.ID)
	p.until(`document.querySelectorAll('[role=timer]').length === 2`)
	p.cell(4)
	p.until(plies + ` === 1 && document.querySelectorAll('[role=timer]')[1].innerText === '1:02'`)
	p.until(`document.querySelectorAll('[role=timer]')[0].innerText !== '1:00'`)
}

// TestSecondTouchPlays shows a stone at the first touch and plays it at the second. A new game speaks of taps to who points with a finger.
func TestSecondTouchPlays(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	path := s.begin("tictactoe", "human", "human")
	p := s.tab(path, `{"confirm": true}`)
	p.until(mine)
	const touch = `(() => { const e = document.querySelector('[data-cell="4"]'), r = e.getBoundingClientRect()
		const at = {bubbles: true, clientX: r.x + r.width / 2, clientY: r.y + r.height / 2, pointerType: 'touch'}
		e.dispatchEvent(new PointerEvent('pointerdown', at)); e.dispatchEvent(new PointerEvent('click', at)); return true })()`
	js[bool](p, touch)
	p.until(`document.querySelector('.confirm') && document.querySelector('.shadow') && ` + plies + ` === 0`)
	js[bool](p, touch)
	p.until(plies + ` === 1`)
	p.before(`{ const old = matchMedia; window.matchMedia = q => q === '(pointer: coarse)' ? {matches: true} : old.call(window, q) }`)
	p.visit("/play")
	p.until(`document.querySelector('.stage [role=status]')?.innerText === 'Tap the board to begin'`)
}

// TestSolveSavesCertificate solves a position on the page: its value, best play and each move; it saves a certificate that the
// checker accepts, ends when the position changes, and is not there where no solver knows the game.
func TestSolveSavesCertificate(t *testing.T) {
	t.Parallel()
	p := quiet(t, "/analyze?game=connect4:5x4&moves=33")
	p.until(stones + ` === 2`)
	p.choose(".solve select", "600")
	p.press("Solve")
	p.until(`document.querySelector('.solve .value')?.innerText === 'draw in 18'`)
	p.until(`document.querySelectorAll('.solve .pv button').length === 18 && document.querySelectorAll('.solve li').length === 5`)
	p.until(`document.querySelector('.solve li .draw') && document.querySelector('.solve li .loss')`)
	js[bool](p, `(() => { const real = URL.createObjectURL
		URL.createObjectURL = b => { b.arrayBuffer().then(a => window.saved = [...new Uint8Array(a)]); return real.call(URL, b) }
		return true })()`)
	p.press("Save the certificate (connect4-5x4.proof)")
	p.until(`window.saved`)
	certificate, err := base64.StdEncoding.DecodeString(js[string](p, `btoa(String.fromCharCode(...window.saved))`))
	if err != nil {
		t.Fatal(err)
	}
	if r, err := proof.Verify(t.Context(), bytes.NewReader(certificate), proof.Limits{}); err != nil || r.Claim.Value != "draw" || r.Claim.Turn != "first" {
		t.Errorf("the certificate: %+v, %v", r, err)
	}
	js[bool](p, `document.querySelector('.solve li button').click() || true`)
	p.until(stones + ` === 3 && !document.querySelector('.solve .value').innerText`)
	p.visit("/analyze?game=gomoku")
	p.until(`document.querySelector('[role=grid]') && !document.querySelector('.solve')`)
	p.visit("/analyze?game=mnk:3,3,3")
	js[bool](p, `(localStorage.setItem('krow', JSON.stringify({language: 'fr'})), true)`)
	p.do(chromedp.Reload())
	p.press("Résoudre")
	p.until(`document.querySelector('.solve .value')?.innerText === 'nulle' && document.querySelectorAll('.solve li').length === 9`)
}
