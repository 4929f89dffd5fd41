// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"fmt"
	"testing"
)

// enter logs a member of newClub in.
func (s *site) enter(name, password string) *page {
	p := s.somebody("/login")
	p.write(`[name=username]`, name)
	p.write(`[name=password]`, password)
	p.click(`form .main`)
	p.until(fmt.Sprintf(`document.querySelector('header .me')?.textContent === %q`, name))
	return p
}

// TestHomeOfClub: a new member is welcomed in the lobby under the name of the club and sees who is there. The lobby shows the turn
// of the member who is to move, and afterwards the result of the game. Nothing moves while it loads.
func TestHomeOfClub(t *testing.T) {
	t.Parallel()
	s, link := newClub(t)
	ann := s.enter("ann", "correct horse")
	bob := s.somebody("/join#" + link)
	bob.write(`[name=username]`, "Bob")
	bob.write(`[name=password]`, "battery staple")
	bob.write(`[name=again]`, "battery staple")
	bob.click(`form .main`)
	bob.until(`location.pathname === '/lobby' && document.querySelector('h1')?.innerText === 'Five Stones' && document.body.innerText.includes('Welcome, Bob!')`)
	bob.until(`[...document.querySelectorAll('.here a')].map(a => a.innerText).join() === 'ann,Bob' && document.body.innerText.includes('No game has ended yet.')`)

	const post = `(path, body) => fetch('/api' + path, {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)}).then(r => r.json())`
	offer := js[string](ann, `(`+post+`)('/challenges', {terms: {game: 'tictactoe', clock: {turn: 86400}, colour: 'second'}, listed: true}).then(c => c.id)`)
	bob.until(`document.querySelector('.offer')?.innerText.includes('ann')`)
	game := js[string](bob, `(`+post+`)('/challenges/`+offer+`/accept', {}).then(g => g.id)`)
	const turn = `[...document.querySelectorAll('.lists section')].find(s => s.querySelector('h2').innerText === 'Your turn')`
	bob.until(turn + `?.querySelector('a').pathname === '/play/` + game + `'`)
	ann.before(watcher)
	for _, look := range []string{"light", "dark"} {
		js[bool](ann, `(localStorage.setItem('krow', JSON.stringify({theme: '`+look+`'})), true)`)
		for _, width := range []int64{1280, 390} {
			ann.sized(width)
			ann.visit("/lobby")
			ann.until(`document.querySelector('.here') && !(` + turn + `)`)
			ann.shoot(fmt.Sprint("home-", look, "-", width))
			if moved := js[float64](ann, `window.shifts`); moved >= 0.02 {
				t.Errorf("%d: things moved by %.3f", width, moved)
			}
			bob.sized(width)
			bob.shoot(fmt.Sprint("home-bob-", width))
		}
	}
	js[bool](ann, `(`+post+`)('/games/`+game+`/act', {do: 'resign', ply: 0}).then(g => true)`)
	bob.until(`!(` + turn + `) && [...document.querySelectorAll('.lists section')].find(s => s.querySelector('h2').innerText === 'Latest results')?.querySelector('a strong').innerText.includes('1–0')`)
}

// TestGamesAreFound lists one's games with small boards, the reader as "You", and finds some of them by opponent, game and result.
func TestGamesAreFound(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.beginAfter("tictactoe", "a1 b1 a2 b2 c3 b3", "human", "level:2")
	s.begin("connect4", "human", "level:3")
	p := s.ready("/games")
	const rows = `[...document.querySelectorAll('tbody tr')].map(r => r.innerText)`
	p.until(rows + `.length === 2 && document.querySelectorAll('tbody svg.squares, tbody svg.falling').length === 2`)
	p.until(rows + `[1].includes('You – Tilly') && ` + rows + `[1].includes('You lost')`)
	find := func(field, value string) {
		js[bool](p, fmt.Sprintf(`(() => { const f = document.querySelector('[role=search] [aria-label="%s"]'); f.value = %q; f.dispatchEvent(new Event(f.matches('select') ? 'change' : 'input', {bubbles: true})); return true })()`, field, value))
	}
	for _, by := range [][2]string{{"Opponent or game", "tilly"}, {"Game", "tictactoe"}, {"Result", "lost"}} {
		find(by[0], by[1])
		p.until(rows + `.length === 1 && ` + rows + `[0].includes('Tic-tac-toe')`)
		find(by[0], "")
		p.until(rows + `.length === 2`)
	}
	find("Result", "won")
	p.until(rows + `.length === 0 && document.body.innerText.includes('No game matches.')`)
}
