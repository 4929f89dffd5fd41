// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"fmt"
	"strings"
	"testing"
)

// TestLeagueOnPage makes a league on the page, adds a player, plays it, looks at a game, and opens the review of one. Then a member
// is taken out, and the league is deleted: both can be taken back.
func TestLeagueOnPage(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	var version, published any
	s.post("/bots/draws", map[string]string{"source": "def choose(position, clock):\n    m = position.near()[0]\n    draw(position.cell(m), \"7\", \"red\")\n    return m\n"}, &version)
	s.post("/bots/draws/publish", map[string]int{"version": 1}, &published)
	p := s.ready("/league")
	p.until(`document.querySelectorAll('form option').length > 5`)
	js[bool](p, `(() => { const i = document.querySelector('form input'); i.value = 'lunch'; i.dispatchEvent(new Event('input', { bubbles: true })); return true })()`)
	p.press("Create the league")
	p.until(`document.querySelector('h1')?.innerText === 'lunch' && document.querySelectorAll('tbody tr').length >= 3`)
	before := js[int](p, `document.querySelectorAll('tbody tr').length`)
	js[bool](p, `(() => { const i = document.querySelector('input[placeholder]'); i.value = 'bot:draws'; i.dispatchEvent(new Event('input', { bubbles: true })); return true })()`)
	p.press("Add")
	p.until(fmt.Sprintf(`document.querySelectorAll('tbody tr').length > %d`, before))
	p.press("Play")
	p.until(`Number(document.querySelector('.head .soft').innerText.match(/[\d,]+/)?.[0].replace(',', '')) >= 4`)
	const row = `[...document.querySelectorAll('tbody tr')].find(r => r.innerText.includes('bot:draws'))`
	p.until(`Number(` + row + `?.querySelectorAll('td.number')[1].innerText) > 0`)
	p.pressBefore("Stop", `[...document.querySelectorAll('.head button')].some(b => b.innerText === 'Play')`) // enough games
	p.press("Each against each")
	p.until(`document.querySelector('td button')`)
	p.click("td button")
	p.until(`document.querySelector('[role=grid]') && document.querySelectorAll('ol button').length > 0`)
	// A replay has what the bot drew.
	const drew = `[...document.querySelectorAll('ol button')].find(b => b.innerText.includes('draws'))`
	p.press("Table")
	p.until(row)
	js[bool](p, `(`+row+`.querySelector('button').click(), true)`)
	p.until(drew)
	js[bool](p, `(`+drew+`.click(), true)`)
	p.until(`document.querySelector('[role=grid]')`)
	p.press("One move back")
	p.until(`document.querySelector('rect.paint')`)
	// The review of who lost shows the move that lost.
	p.visit("/analyze?game=tictactoe&moves=b2+a2+a1+b1+c3&review=second") // as the link below a game does
	p.until(`new URLSearchParams(location.search).get('at') === '1' && document.querySelector('.review')`)
	// The opening moves, which no player chose, are not what lost.
	p.visit("/analyze?game=tictactoe&moves=b2+a2+a1+b1+c3&opening=2&review=second")
	p.until(`document.querySelector('.review')?.innerText.includes('Review again')`)
	if at := js[string](p, `new URLSearchParams(location.search).get('at') ?? 'the end'`); at == "1" {
		t.Error("the review blames a move of the opening")
	}
	if got := p.text(".review"); strings.Contains(got, "2 a2") {
		t.Errorf("the list of the review blames a move of the opening: %s", got)
	}

	// The bot's page in the workshop tells its rank, its results and its losses.
	p.visit("/league/1")
	p.click(`a[href="/workshop/draws?results"]`)
	p.until(`/rank \d+ of \d+/.test(document.querySelector('.bench summary')?.innerText) && document.querySelectorAll('.bench tbody tr').length > 0`)

	p.visit("/league/1")
	p.press("Delete this league")
	p.until(`location.pathname === '/league'`)
	p.press("Undo")
	p.click(`a[href="/league/1"]`)
	const out = `button[aria-label^="Take bot-draws"]`
	p.click(out)
	p.until(`document.querySelector('tbody tr') && !` + row)
	p.press("Undo")
	p.hurry()
	p.click(out)
	p.until(row + ` && !document.querySelector('` + out + `')`) // its games stay in the table
	p.press("Delete this league")
	s.gone("/leagues/1")
}
