// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"os"
	"testing"
)

// late lets every answer of the server come up to 300 ms late, each by another time, so that they change their order.
// It leaves functions for steps that follow each other faster than any answer comes.
const late = `window.wrong = []
	addEventListener('error', e => window.wrong.push(e.message))
	addEventListener('unhandledrejection', e => window.wrong.push(String(e.reason)))
	{ let seed = SEED
	const random = () => { seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; return seed / 4294967296 }
	const ask = fetch
	window.asking = 0 // requests
	window.fetch = async (...to) => {
		window.asking++
		try { return await ask(...to) } finally { await new Promise(next => setTimeout(next, 300 * random())); setTimeout(() => window.asking--) } } }
	window.visit = path => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')) }
	window.pick = (...values) => { for (const v of values) { const s = [...document.querySelectorAll('main select')].find(s => [...s.options].some(o => o.value === v)); s.value = v; s.dispatchEvent(new Event('change', {bubbles: true})) } }
	window.press = (...names) => { for (const n of names) [...document.querySelectorAll('main button, main label')].find(b => b.innerText.trim() === n || b.ariaLabel === n).click() }
	window.key = (...keys) => { for (const key of keys) document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true})) }
	window.cell = (...cells) => { for (const c of cells) { const r = document.querySelector('[data-cell="' + c + '"]').getBoundingClientRect()
		document.querySelector('[role=grid]').dispatchEvent(new MouseEvent('click', {clientX: r.x + r.width / 2, clientY: r.y + r.height / 2, bubbles: true})) } }
	window.game = name => document.querySelector('input[name=game][value=' + name + ']').click()`

// TestLateAnswers goes through the pages while answers come late and in any order, and chooses, leaves and presses before they
// are there: what was chosen last is what one sees, and nothing is done twice. KROW_SEED sets other delays.
func TestLateAnswers(t *testing.T) {
	t.Parallel()
	seed := os.Getenv("KROW_SEED")
	if seed == "" {
		seed = "1"
	}
	t.Log("KROW_SEED=" + seed)
	s := newSite(t)
	p := s.ready("/games")
	p.before("const SEED = " + seed + "\n" + late)
	s.begin("connect4", "human", "human")
	p.visit("/play")
	const nine = `document.querySelectorAll('.cell').length === 9`
	const stays = `location.pathname === '/games' && document.querySelector('tbody tr') && !window.asking` // all answers have come
	for n, step := range []struct{ ready, do, shows string }{
		// A game begins while the lists of others are on their way.
		{`document.querySelector('input[name=game]')`, `game('renju'); game('connect4'); game('tictactoe'); document.querySelector('button[type=submit]').click()`, `location.pathname.startsWith('/play/') && ` + nine + ` && ` + mine},
		{``, `cell(4, 4, 0); key('[', '[', ']', '}')`, plies + ` === 2 && ` + mine},
		{``, `key('u', 'u')`, plies + ` === 0 && ` + mine},
		// The board of the game before is not played on, and a game that begins does not fetch back who has left.
		{``, `visit('/play')`, `document.querySelector('input[name=game]') && document.querySelector('.stage .cell.legal')`},
		{``, `game('gomoku')`, `document.querySelectorAll('.stage .cell.legal').length === 225`},
		{``, `game('tictactoe'); cell(112)`, `document.querySelectorAll('.stage .cell').length === 9`},
		{``, `document.querySelector('button[type=submit]').click(); visit('/matches'); visit('/games')`, stays},
		// The analysis, the explorer and the editor, with moves and games in quick succession.
		{``, `visit('/analyze?game=gomoku:9'); visit('/analyze?game=connect4'); visit('/analyze?game=gomoku:9')`, `document.querySelectorAll('.cell').length === 81`},
		{``, `cell(40, 40, 41); key('b', 'b')`, stones + ` === 1 && new URLSearchParams(location.search).get('moves') === 'e5'`},
		{``, `key('[', ']', '[', ']', '[')`, stones + ` === 0`},
		{`document.querySelector('main option[value=tictactoe]')`, `pick('connect4', 'renju', 'tictactoe')`, nine},
		{``, `visit('/explorer?game=renju'); visit('/explorer?game=gomoku:9')`, `document.querySelector('main option[value=tictactoe]')`},
		{``, `pick('connect4', 'tictactoe')`, nine},
		{``, `cell(0, 0, 1)`, stones + ` === 1`},
		{``, `visit('/edit?game=connect4'); visit('/edit?game=tictactoe')`, nine},
		{``, `cell(0, 1); press('Analyse'); visit('/games')`, stays},
		// Work begins once, and with what was chosen last.
		{``, `visit('/learning')`, `document.querySelector('main option[value=tictactoe]') && document.querySelector('main form button[type=submit]:enabled')`},
		{``, `pick('ultimate', 'tictactoe')`, `document.querySelector('main form button[type=submit]:enabled') && document.querySelector('main select').value === 'tictactoe'`},
		{``, `for (let i = 0; i < 2; i++) document.querySelector('main form').requestSubmit()`, `location.pathname === '/learning/1' && document.querySelector('main h1 + span')?.innerText.includes('Tic-tac-toe')`},
		{``, `visit('/matches')`, `document.querySelector('main option[value=tictactoe]')`},
		{``, `pick('renju', 'tictactoe'); document.querySelector('main form').requestSubmit()`, `location.pathname === '/matches/2' && document.querySelector('main h1')`},
		{``, `visit('/league')`, `document.querySelector('main option[value=tictactoe]')`},
		{``, `{ const n = document.querySelector('main input'); n.value = 'late'; n.dispatchEvent(new Event('input', {bubbles: true})) } pick('tictactoe'); document.querySelector('main form').requestSubmit()`, `location.pathname === '/league/1' && document.querySelectorAll('tbody tr').length > 2`},
		{``, `press('Each against each', 'Games', 'Table', 'Games', 'Each against each')`, `document.querySelector('button[aria-pressed=true]').innerText === 'Each against each' && document.querySelector('main table')`},
		// Pages that are gone through.
		{``, `visit('/puzzles/518f6ffc6c')`, `document.querySelector('[role=grid]')`},
		{``, `press('Hint', 'Next puzzle', 'Next puzzle')`, `location.pathname !== '/puzzles/518f6ffc6c' && document.querySelector('[role=grid]')`},
		{``, `visit('/reports/published'); visit('/reports/ultimate-2018'); visit('/reports/published')`, `document.querySelector('main select[aria-label]')`},
		{``, `pick('small', 'whole', 'small')`, `location.search === '?size=small' && document.querySelector('main select[aria-label]')`},
		{``, `visit('/opening?game=gomoku:9&rule=swap2&player=rules&by=player'); visit('/opening?game=gomoku:9&rule=swap2&player=rules&by=player&seed=2')`, `location.search.includes('answers=') && document.querySelector('.choices button')`},
		{``, `visit('/opening?game=gomoku:9&rule=swap2&player=rules&by=player&seed=3'); visit('/games')`, stays},
		{``, `visit('/workshop/lesson-1'); visit('/workshop/lesson-2'); visit('/workshop/lesson-3')`, `document.querySelector('.lesson h2')?.textContent.startsWith('Lesson 3') && document.querySelector('.bench [role=grid]')`},
		{``, `visit('/lab')`, `document.querySelector('[data-count=visited]')?.innerText > 0`},
		{`document.querySelector('[data-cell="1"]')`, `key('[', 'c'); cell(0, 1)`, stones + ` === 5`},
		{``, `visit('/tournaments'); visit('/lobby'); visit('/games')`, stays},
	} {
		if step.ready != "" {
			p.until(step.ready)
		}
		js[bool](p, `(() => { `+step.do+`; return true })()`)
		t.Log("step", n)
		p.until(step.shows)
		if said := js[string](p, `[...document.querySelectorAll('[role=alert]')].map(e => e.innerText.trim()).concat(window.wrong.splice(0)).filter(Boolean).join(' | ')`); said != "" {
			t.Errorf("step %d, %s: the page says %q", n, step.do, said)
		}
	}
	if n := js[int](p, `fetch('/api/runs').then(a => a.json()).then(a => a.length)`); n != 1 {
		t.Errorf("%d runs, want 1", n)
	}
}
