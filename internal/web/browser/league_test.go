// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"fmt"
	"testing"
)

// TestLeague makes a league on the page, adds a player, plays it, looks at a game, and asks why somebody lost.
func TestLeague(t *testing.T) {
	s := newSite(t)
	p := s.english("/league")
	p.until(`document.querySelectorAll('form option').length > 5`)
	js[bool](p, `(() => { const i = document.querySelector('form input'); i.value = 'lunch'; i.dispatchEvent(new Event('input', { bubbles: true })); return true })()`)
	p.choose("form select:first-of-type", "tictactoe")
	p.press("Make the league")
	p.until(`document.querySelector('h1')?.innerText === 'lunch' && document.querySelectorAll('tbody tr').length >= 3`)
	before := js[int](p, `document.querySelectorAll('tbody tr').length`)
	js[bool](p, `(() => { const i = document.querySelector('input[placeholder]'); i.value = 'random'; i.dispatchEvent(new Event('input', { bubbles: true })); return true })()`)
	p.press("Add")
	p.until(fmt.Sprintf(`document.querySelectorAll('tbody tr').length > %d`, before))
	p.press("Play")
	p.until(`Number(document.querySelector('.head .soft').innerText.match(/[\d,]+/)?.[0].replace(',', '')) >= 4`)
	p.press("Stop")
	p.press("Each against each")
	p.until(`document.querySelector('td button')`)
	p.click("td button")
	p.until(`document.querySelector('[role=grid]') && document.querySelectorAll('ol button').length > 0`)
	p.press("All games")
	p.until(`document.querySelector('.why a')?.getAttribute('href').includes('review=') || [...document.querySelectorAll('ol li')].some(e => !e.innerText.includes('½'))`)
	js[bool](p, `([...document.querySelectorAll('ol button')].find(e => !e.innerText.includes('½')).click(), true)`)
	p.click(".why a")
	p.until(`location.pathname === '/analyze' && document.querySelector('.review')`)
}
