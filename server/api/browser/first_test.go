// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"strings"
	"testing"
)

// TestFirstVisit visits for the first time: a person who is new reads the rules and begins a game against the first level, which is
// offered again on the first page while it is not over. Then a move on the puzzle of the day is answered.
func TestFirstVisit(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := s.ready("/")
	p.until(`document.querySelectorAll('.tile').length === 3 && document.querySelectorAll('.games .card').length === 6 && document.querySelector('.puzzle .cell.legal')`)
	const controls = `[...document.querySelectorAll('a, button, input, select, summary')].filter(e => e.checkVisibility()).length`
	if n := js[int](p, controls); n > 20 {
		t.Errorf("%d controls on the first page, want 20 at most", n)
	}
	p.click(`button.tile`)
	p.until(`document.querySelectorAll('dialog figure').length === 3`)
	p.press("Play against Pip")
	p.until(`location.pathname.startsWith('/play/') && document.querySelector('.warn input:checked') && ` + mine)
	if got := p.text(".players"); !strings.Contains(got, "Pip") {
		t.Errorf("the players are %q", got)
	}
	game := js[string](p, `location.pathname`)
	p.cell(112)
	p.until(plies + ` === 2`)
	p.click(`.brand`)
	p.click(`.going`)
	p.until(`location.pathname === '` + game + `'`)
	p.visit("/")
	p.click(`.puzzle .cell.legal`)
	p.until(`location.pathname.startsWith('/puzzles/') && !location.search && document.querySelector('.status') && !document.querySelector('.status').innerText.includes('to move')`)
}

// TestWarnsOfThreats plays against an open three: the cells that make it a four are marked, until the person wants no warnings.
func TestWarnsOfThreats(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := s.tab(s.beginAfter("gomoku", "a1 h8 c1 h9 e1 h10", "human", "level:1"), `{"language": "en", "warn": true}`)
	p.until(`document.querySelector('.warn')?.innerText.includes('Pip threatens to win: ') && document.querySelectorAll('.mark.danger').length >= 2`)
	p.click(`.warn input`)
	p.until(`!document.querySelector('.mark.danger')`)
}

// TestFirstClickBeginsGame begins a game by a click on the board of a new game, on which the opponent answers.
func TestFirstClickBeginsGame(t *testing.T) {
	t.Parallel()
	p := newSite(t).ready("/play")
	p.until(`document.querySelector('.opponent input:checked')`)
	js[bool](p, `(document.querySelector('.opponent input[value=random]').click(), true)`)
	p.cell(112)
	p.until(`location.pathname.startsWith('/play/') && ` + plies + ` === 2`)
	if cell := p.text(`li, [data-ply="1"]`); cell == "" {
		t.Error("the first move is not listed")
	}
}

// TestSizesOfBoard takes a size by width, height and row: the board follows, and what cannot be is told while the field stays.
func TestSizesOfBoard(t *testing.T) {
	t.Parallel()
	p := newSite(t).ready("/play")
	const board = `document.querySelector('.stage [role=grid]')`
	set := func(label, value string) {
		t.Helper()
		p.until(`[...document.querySelectorAll('.fields label')].some(l => l.innerText.trim() === '` + label + `')`)
		js[bool](p, `(() => { const i = [...document.querySelectorAll('.fields label')].find(l => l.innerText.trim() === '`+label+`').querySelector('input')
			i.value = '`+value+`'; i.dispatchEvent(new Event('input', {bubbles: true})); return true })()`)
	}
	p.until(board)
	p.press("Another…")
	set("Columns", "12")
	set("Rows", "8")
	set("In a row to win", "4")
	p.until(board + `.ariaColCount === '12' && ` + board + `.ariaRowCount === '8'`)
	p.until(`document.querySelector('footer button').innerText.includes('12 × 8, 4 in a row')`)
	set("Columns", "200")
	p.until(`document.querySelector('.stage .error') && document.querySelector('footer button').disabled`)
	set("Columns", "12")
	p.until(`!document.querySelector('.stage .error') && !document.querySelector('footer button').disabled`)
	p.click(`footer button`)
	p.until(`document.querySelector('aside') && document.querySelectorAll('[role=gridcell]').length === 96`)
}

// TestRulesHavePictures opens the rules of each game: a sentence and pictures. Each game has an icon of its own.
func TestRulesHavePictures(t *testing.T) {
	t.Parallel()
	p := newSite(t).ready("/play")
	p.until(`document.querySelectorAll('input[name=game]').length > 8`)
	if all, icons := js[int](p, `document.querySelectorAll('.games svg').length`), js[int](p, `new Set([...document.querySelectorAll('.games svg')].map(s => s.innerHTML)).size`); icons != all {
		t.Errorf("%d games have %d different icons", all, icons)
	}
	for _, game := range js[[]string](p, `[...document.querySelectorAll('input[name=game]')].map(i => i.value)`) {
		js[bool](p, `(document.querySelector('input[name=game][value=`+game+`]').click(), true)`)
		p.press("Rules")
		p.until(`document.querySelector('dialog[open] h1')`)
		if n := js[int](p, `document.querySelectorAll('dialog figure svg').length`); n < 1 || js[int](p, `document.querySelector('dialog p').innerText.length`) < 20 {
			t.Errorf("%s: %d pictures", game, n)
		}
		p.press("Close")
		p.until(`!document.querySelector('dialog')`) // it is closed before the page hears of that
	}
}
