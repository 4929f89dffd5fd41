// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// somebody opens a page as another person does: in a browser without the cookies of the others.
func (s *site) somebody(path string) *page {
	s.t.Helper()
	return s.tab(path, "", chromedp.WithNewBrowserContext())
}

// TestMeetPeople goes the whole way of two people and a spectator: an offer by link, a game, away and back, the end by
// agreement, and a rematch.
func TestMeetPeople(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	ann := s.somebody("/lobby?game=tictactoe")
	ann.until(`document.querySelector('form input[autocomplete=nickname]')`)
	ann.do(chromedp.SendKeys(`input[autocomplete=nickname]`, "ann"))
	js[bool](ann, `(() => { const s = [...document.querySelectorAll('form select')].find(s => s.querySelector('option[value=second]')); s.value = 'first'; s.dispatchEvent(new Event('change', { bubbles: true })); return true })()`)
	ann.click(`form button[type=submit]`)
	ann.until(`location.pathname.match(/^\/lobby\/\w+$/) && document.querySelector('code')`)
	link := js[string](ann, `location.pathname`)

	bob := s.somebody(link)
	bob.until(`document.querySelector('input[autocomplete=nickname]')`)
	bob.do(chromedp.SendKeys(`input[autocomplete=nickname]`, "bob"))
	bob.click(`.one button.main`)
	for _, p := range []*page{ann, bob} {
		p.until(`location.pathname.startsWith('/play/') && document.querySelector('[data-act=abort]')`)
		p.until(`document.querySelector('.players').innerText.includes('ann') && document.querySelector('.players').innerText.includes('bob')`)
	}
	game := js[string](ann, `location.pathname`)
	eve := s.somebody(game)
	eve.until(`document.querySelector('[role=grid]')`)
	ann.until(mine)
	ann.cell(4)
	bob.until(mine)
	bob.cell(0)
	for _, p := range []*page{ann, bob, eve} {
		p.until(plies + ` == 2`)
	}
	if js[bool](eve, `!!document.querySelector('[data-act], .cell.legal')`) {
		t.Error("a spectator can do something")
	}

	// The server goes away and comes back, and one of them loads the page again.
	s.stop()
	ann.until(`document.querySelector('[role=alert]')`)
	clocks := `[...document.querySelectorAll('.clock')].map(c => c.innerText).join()`
	stand := js[string](ann, clocks)
	js[bool](ann, `(() => { const now = performance.now.bind(performance); performance.now = () => now() + 60000; setTimeout(() => (window.later = true), 500); return true })()`)
	ann.until(`window.later`)
	if now := js[string](ann, clocks); now != stand {
		t.Errorf("without a server the clocks ran from %s to %s", stand, now)
	}
	s.start()
	bob.visit(game)
	ann.until(mine)
	ann.cell(8)
	bob.until(plies + ` == 3`)
	js[bool](bob, `(() => { const s = document.querySelector('aside select'); s.value = 'nice-move'; s.dispatchEvent(new Event('change', { bubbles: true })); return true })()`)
	ann.until(`document.querySelector('[aria-live=polite] strong')?.innerText == 'bob'`)

	bob.click(`[data-act=draw]`)
	ann.until(`document.querySelector('.offer button.main')`)
	ann.press("Decline")
	bob.until(`document.querySelector('aside').innerText.includes('ann has declined.')`)
	bob.click(`[data-act=draw]`)
	bob.until(`!document.querySelector('aside').innerText.includes('declined')`)
	ann.until(`document.querySelector('.offer button.main')`)
	ann.click(`.offer button.main`)
	for _, p := range []*page{ann, bob, eve} {
		p.until(over)
	}
	ann.click(`[data-act=rematch]`)
	bob.until(`document.querySelector('.offer button.main')`)
	bob.click(`.offer button.main`)
	for _, p := range []*page{ann, bob} {
		p.until(fmt.Sprintf(`location.pathname.startsWith('/play/') && location.pathname != %q && document.querySelector('[data-act=abort]')`, game))
	}
	bob.until(mine) // the colours are exchanged
	rematch := js[string](bob, `location.pathname`)
	eve.until(fmt.Sprintf(`location.pathname == %q`, rematch)) // a spectator follows
	gone := `document.querySelector('.players').innerText.includes('away for')`
	ann.visit("/lobby")
	bob.until(gone)
	ann.visit(rematch)
	bob.until(`!` + gone)
	// An answer that was made while ann was away, and comes after the news that she is there, changes nothing.
	ann.before(`{ const ask = fetch
		window.fetch = async (path, how) => {
			const answer = await ask(path, how)
			if (!/^.api.games.\w+$/.test(path)) return answer
			const game = await answer.json()
			while (!document.querySelector('.players')) await new Promise(next => setTimeout(next, 20))
			game.between.away = [5000, 5000]
			setTimeout(() => (window.late = true), 500)
			return Response.json(game)
		} }`)
	ann.visit(rematch)
	ann.until(`window.late`)
	if js[bool](ann, gone) {
		t.Error("ann is shown as away by an old answer")
	}
	bob.click(`[data-act=abort]`)
	ann.until(over)
}

// TestTournamentIsDeleted: whoever made a tournament deletes it while it has not begun, which can be taken back. Until then one leaves and
// comes back; afterwards a question is asked, for nobody comes back. An offer in the lobby is withdrawn.
func TestTournamentIsDeleted(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := s.somebody("/tournaments")
	add := func(name string) string {
		t.Helper()
		p.visit("/tournaments")
		p.write(`form [pattern]`, name)
		p.click(`form button[type=submit]`)
		p.until(`location.pathname.startsWith('/tournaments/')`)
		return js[string](p, `location.pathname`)
	}
	cup := add("thursday")
	p.press("Delete")
	p.until(`location.pathname === '/tournaments' && !document.querySelector('a[href="` + cup + `"]')`)
	p.press("Undo")
	p.click(`a[href="` + cup + `"]`)
	p.hurry()
	p.press("Delete")
	s.gone(cup)

	p.visit("/tournaments")
	p.until(`document.querySelector('input[type=datetime-local]')`)
	js[bool](p, `(() => { const box = document.querySelector('input[type=datetime-local]'); const at = new Date(Date.now() + 300000 - new Date().getTimezoneOffset() * 60000)
		box.value = at.toISOString().slice(0, 16); box.dispatchEvent(new Event('input', { bubbles: true })); return true })()`)
	p.write(`form [pattern]`, "friday night")
	p.click(`form button[type=submit]`)
	p.until(`document.querySelector('[role=timer]')?.innerText.match(/begins in [34]:\d\d/)`)
	cup = js[string](p, `location.pathname`)
	p.press("Join")
	p.until(`document.querySelector('main li')?.innerText === 'guest'`)
	p.visit("/lobby")
	p.until(`document.querySelector('main a[href="` + cup + `"]')?.innerText.includes('begins in')`)
	p.until(`document.querySelector('.news a[href="` + cup + `"]')?.textContent === 'friday night begins soon'`)
	p.visit(cup)
	p.press("Leave")
	var answer any
	s.post(cup, map[string]string{"do": "join", "name": "bob"}, &answer)
	for _, press := range []string{"Join", "Leave", "Join"} {
		p.press(press)
	}
	p.press("Begin")                                  // is not possible before two have joined
	p.until(`location.pathname.startsWith('/play/')`) // who waits on the page is called to the game, once
	p.visit(cup)
	p.until(`document.querySelector('.pairs a') && document.querySelector('a.main[href^="/play/"]')`)
	p.press("Leave")
	p.press("No, continue")
	p.until(`!document.querySelector('dialog')`)
	p.press("Leave")
	p.click(`dialog .danger`)
	p.until(`document.querySelector('.pairs') && !document.querySelector('.buttons button')`)

	p.visit("/lobby")
	p.click(`form button[type=submit]`)
	p.until(`location.pathname.match(/^\/lobby\/\w+$/) && document.querySelector('code')`)
	offer := js[string](p, `location.pathname.replace('lobby', 'challenges')`)
	p.press("Withdraw")
	s.gone(offer)
}
