// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestSoosyrvOfTwoPeople opens a game by Soosyrv-8 between two people: three stones, a swap, a fourth with two fifths, and one of them.
func TestSoosyrvOfTwoPeople(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := s.ready("/opening?game=renju&rule=soosyrv8&player=human")
	says := func(text string) {
		p.t.Helper()
		p.until(`document.querySelector('.status')?.innerText.startsWith('` + text + `')`)
	}
	says("Place three stones")
	for _, cell := range []int{112, 127, 128} {
		p.cell(cell)
	}
	p.press("Done (3 of 3)")
	says("Place a stone anywhere, and choose")
	p.press("Swap colours")
	p.until(`location.search.endsWith('swap') && ![...document.querySelectorAll('button')].some(b => b.innerText === 'Swap colours')`)
	p.choose(`.choices select`, "2")
	p.cell(0)
	p.press("Done (1 of 1)")
	says("Offer 2 places for the fifth stone")
	p.cell(1)
	p.cell(5)
	p.press("Done (2 of 2)")
	says("Choose one of the marked places")
	p.cell(5)
	p.until(`location.pathname.startsWith('/play/')`)
	p.until(plies + ` == 5`)
}

// TestSwap2NamesColours: after the opening the board says which side the reader plays.
func TestSwap2NamesColours(t *testing.T) {
	t.Parallel()
	p := newSite(t).ready("/opening?game=gomoku&rule=swap2&player=level:4")
	for _, cell := range []int{112, 128, 96} {
		p.until(mine)
		p.cell(cell)
	}
	p.press("Done (3 of 3)")
	p.until(`location.pathname.startsWith('/play/') && /You play (White, Mara plays Black|Black, Mara plays White)\./.test(document.querySelector('.players')?.innerText)`)
	p.do(chromedp.Reload())
	p.until(`document.querySelector('.players')?.innerText.includes('You play ')`)
}

// TestSwapInPente opens a game of pente by the rule swap, after which nobody may place two more stones.
func TestSwapInPente(t *testing.T) {
	t.Parallel()
	p := newSite(t).ready("/play?game=pente")
	p.choose(`select:has(option[value=swap])`, "swap")
	p.press("Play · Pente")
	p.until(`location.pathname === '/opening' && document.querySelector('.status')?.innerText === 'Stones to place: 3'`)
	for _, cell := range []int{180, 160, 220} {
		p.cell(cell)
	}
	p.press("Done (3 of 3)")
	p.until(`location.pathname.startsWith('/play/') && /You play (White|Black)/.test(document.querySelector('.players')?.innerText)`)
}

// TestTaraguchiByEngine lets the engine answer the first question.
func TestTaraguchiByEngine(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := s.ready("/opening?game=renju&rule=taraguchi10&player=alphabeta:depth=1,eval=shevchenko")
	p.until(`document.querySelector('.status')?.innerText.length > 0 && location.search.includes('answers=')`)
}
