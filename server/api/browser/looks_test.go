// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"strings"
	"testing"
)

// TestPictureKeepsLooks saves a board as SVG: its names have the font and the size that they have on the screen, and every program
// can read its colours. The PNG is a picture.
func TestPictureKeepsLooks(t *testing.T) {
	t.Parallel()
	p := newSite(t).ready("/analyze?game=tictactoe&moves=b2+a1+a2+c2+b1+b3+c3")
	p.until(`document.querySelector('.cross')`)
	js[bool](p, `(window.saved = [], URL.createObjectURL = (old => b => { if (b.size && b.type !== 'text/javascript') window.saved.push(b); return old.call(URL, b) })(URL.createObjectURL), true)`)
	p.press("Share, files and pictures")
	p.press("SVG")
	p.until(`window.saved.length`)
	svg := js[string](p, `window.saved[0].text()`)
	screen := js[string](p, `getComputedStyle(document.querySelector('[role=grid] .name')).fontSize`)
	if !strings.Contains(svg, `font-size="`+screen+`"`) || !strings.Contains(svg, "font-family=") || !strings.Contains(svg, `text-anchor="middle"`) {
		t.Errorf("the names have not the %s of the screen: %.600s", screen, svg)
	}
	if strings.Contains(svg, "color(") || strings.Contains(svg, "gridcell") {
		t.Errorf("the picture has what not every program reads")
	}
	p.press("PNG")
	p.until(`window.saved.some(b => b.type === 'image/png' && b.size > 1000)`)
}

// TestGroundOfBoards changes what boards are made of, and keeps it.
func TestGroundOfBoards(t *testing.T) {
	t.Parallel()
	p := newSite(t).ready("/play")
	const wood = `getComputedStyle(document.querySelector('.stage .wood')).fill`
	p.until(`document.querySelector('.stage .wood')`)
	before := js[string](p, wood)
	p.click("header > details summary")
	js[bool](p, `(() => { const s = [...document.querySelectorAll('header select')].at(-1); s.value = 'slate'; s.dispatchEvent(new Event('change', {bubbles: true})); return true })()`)
	p.until(wood + ` !== '` + before + `'`)
	p.visit("/play")
	p.until(`document.querySelector('.stage .wood') && ` + wood + ` !== '` + before + `'`)
}
