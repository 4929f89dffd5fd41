// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/krow-lab/krow/server/api"
)

// families is a game of each family, small enough to be over soon.
var families = []string{"mnk:4,4,3", "tictactoe", "gomoku:7", "standard:6", "caro:6", "renju:7", "pente:7", "connect4", "connect6:7", "ultimate", "atarigo:5"}

// begun are the moves with which a long game begins.
var begun = map[string]string{
	"ultimate": "21 11 14 43 36 62 27 74 46 67 78 82 26 61 12 24 44 49 96 69 97 75 58 85 53 34 41 15 51 19 94 48 87 79 98 86",
}

// Of a page with a game: the cells that may be played on, and whether it is over.
const (
	legal = `[...document.querySelectorAll('.cell.legal')].filter(e => !/forbidden|interdit/.test(e.ariaLabel)).map(e => Number(e.dataset.cell))`
	over  = `document.querySelector('.status.over')`
	mine  = `document.querySelector('.cell.legal') && !document.querySelector('[role=grid][aria-busy=true]')`
	plies = `document.querySelectorAll('[data-ply]').length`
)

// playOut plays a game to its end with play, which makes a move on a cell.
func playOut(p *page, play func(cell int)) {
	p.t.Helper()
	p.until(`document.querySelector('[role=grid]')`)
	for range 100 {
		p.until(over + ` || ` + mine)
		now := js[struct {
			Over   bool
			Before int
			Cells  []int
		}](p, `({over: !!`+over+`, before: `+plies+`, cells: `+legal+`})`)
		if now.Over {
			return
		}
		play(now.Cells[len(now.Cells)/2])
		p.until(fmt.Sprintf(`%s > %d`, plies, now.Before))
	}
	p.t.Error("the game did not end")
}

// TestGameOfEachFamily plays a game of each family against random moves, by clicks and keys in turns: the focus goes from cell
// to cell by arrows.
func TestGameOfEachFamily(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := s.open("/")
	for i, spec := range families {
		seats := [2]string{"human", "random"}
		p.visit(s.beginAfter(spec, begun[spec], seats[i%2], seats[1-i%2]))
		mouse := true
		playOut(p, func(cell int) {
			if mouse = !mouse; mouse {
				p.cell(cell)
			} else {
				p.arrow(cell)
			}
		})
	}
}

// arrow goes to a cell by arrows, and plays there.
func (p *page) arrow(cell int) {
	js[bool](p, `(document.querySelector('.cell[tabindex="0"]').focus(), true)`)
	columns := js[int](p, `Number(document.querySelector('[role=grid]').ariaColCount)`)
	at := js[int](p, `Number(document.activeElement.dataset.cell)`)
	p.keys(arrows(cell%columns-at%columns, kb.ArrowLeft, kb.ArrowRight) + arrows(cell/columns-at/columns, kb.ArrowDown, kb.ArrowUp) + kb.Enter)
}

func arrows(n int, less, more string) string {
	if n < 0 {
		return strings.Repeat(less, -n)
	}
	return strings.Repeat(more, n)
}

// TestStartToFirstAnswer goes the whole way from a new game to a move of the opponent. The game begins before the opponents of
// tic-tac-toe are there: those of gomoku have levels that this game lacks.
func TestStartToFirstAnswer(t *testing.T) {
	t.Parallel()
	p := open(t, "/play")
	p.until(`document.querySelectorAll('.level').length == 9`)
	js[bool](p, `(() => { const ask = window.fetch
		window.fetch = async (...to) => {
			if (String(to[0].url ?? to[0]).includes('/opponents')) await new Promise(next => setTimeout(next, 2000))
			return ask(...to) }
		return true })()`)
	p.click(`input[value="tictactoe"]`)
	p.until(`document.querySelector('button[type=submit]').innerText.includes('Tic')`)
	p.click(`button[type=submit]`)
	p.until(`location.pathname.startsWith('/play/') && ` + mine)
	p.cell(4)
	p.until(plies + ` == 2`)
}

// TestAfterGame plays against a level to the end, then again with the sides exchanged, and then the next levels.
func TestAfterGame(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := s.open(s.begin("tictactoe", "human", "level:2"))
	want := []struct{ button, seats string }{
		{"Rematch", "You,Tilly"}, // the second side stands first
		{"Next: Bo", "Bo,You"},
		{"Easier: Tilly", "You,Tilly"},
		{"Easier: Pip", "Pip,You"},
	}
	for _, w := range want {
		playOut(p, p.cell)
		path := js[string](p, `location.pathname`)
		p.press(w.button)
		p.until(fmt.Sprintf(`location.pathname != %q && [...document.querySelectorAll('.players strong')].map(e => e.innerText).join() === %q`, path, w.seats))
	}
	playOut(p, p.cell)
	if js[bool](p, `document.body.innerText.includes('(0)')`) {
		t.Error("there is a level below the first")
	}
}

// TestEndOfGame: a lost game says so to the reader, leads to the move that lost it and to its review, which tells how well each side played. A rematch keeps
// the score.
func TestEndOfGame(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := s.open(s.beginAfter("tictactoe", "a1 b1 a2 b2 c3 b3", "human", "level:2"))
	const banner = `document.querySelector('.banner.lost')`
	p.until(banner + `?.querySelector('.main')?.innerText === 'Review the game'`)
	if got := p.text(".banner .status"); !strings.HasPrefix(got, "You lost") || !strings.Contains(got, "from b1 to b3") {
		t.Errorf("the banner says %q", got)
	}
	p.until(banner + `?.innerText.includes('Your move 5 allowed b3, which wins. Better was a3.')`)
	p.click(`.banner p button`)
	p.until(`document.querySelector('[data-ply="4"][aria-current]') && document.querySelector('.mark.hint')`)
	p.press("Rematch")
	p.until(`!` + banner + ` && document.querySelector('.players')`)
	p.press("Resign")
	p.click(`dialog button.danger`)
	p.until(banner + `?.innerText.includes('You 0 – 2 Tilly')`)
	p.visit("/analyze?game=tictactoe&moves=a1+b1+a2+b2+c3+b3&review=first")
	p.until(`document.querySelectorAll('.accuracy strong').length === 2 && document.querySelector('button.key [role=grid]') && document.querySelector('.review')?.innerText.includes('You lost') && document.querySelector('.review').innerText.includes('Move 5 decided the game.')`)
}

// TestLevelIsChosen chooses a level: the first one is chosen for somebody new, and each tells its strength.
func TestLevelIsChosen(t *testing.T) {
	t.Parallel()
	p := open(t, "/play")
	p.until(`document.querySelectorAll('.level').length == 9`)
	if got := js[string](p, `document.querySelector('.level input:checked').value`); got != "level:1" {
		t.Errorf("the level is %s at first, want level:1", got)
	}
	if got := js[string](p, `document.querySelector('input[value="level:2"]').ariaLabel`); !strings.HasPrefix(got, "Tilly, beginner, ") || !strings.HasSuffix(got, " Elo above level 1") {
		t.Errorf("level 2 is called %q", got)
	}
	p.click(`input[value="connect4"]`)
	p.until(`document.querySelectorAll('.level').length == 7 && new Set([...document.querySelectorAll('.level')].map(l => l.offsetTop)).size === 1`) // in one row
	p.click(`input[value="tictactoe"]`)
	p.until(`document.querySelectorAll('.level').length == 3 && document.querySelector('input[value="level:1"]').checked && document.querySelector('input[value="level:3"]').ariaLabel.includes('perfect')`)
}

// TestReloadAndBack keeps a position over a reload, and over leaving it and coming back.
func TestReloadAndBack(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := s.open(s.begin("gomoku:9", "human", "human"))
	p.cell(40)
	p.until(plies + ` == 1`)
	p.do(chromedp.Reload())
	p.until(plies + ` == 1`)
	p.cell(41)
	p.until(plies + ` == 2`)
	p.click(`nav a[href="/puzzles"]`)
	p.until(`document.querySelector('.themes button')`)
	p.do(chromedp.NavigateBack())
	p.until(plies + ` == 2 && document.querySelector('[data-cell="41"]').ariaLabel.includes('f5')`)
}

// TestTwoTabs plays both sides of a game, each in a tab.
func TestTwoTabs(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	path := s.begin("tictactoe", "human", "human")
	a, b := s.open(path), s.open(path)
	for i, cell := range []int{0, 4, 1, 5, 2} {
		tab := []*page{a, b}[i%2]
		tab.until(fmt.Sprintf(`%s == %d && %s`, plies, i, mine))
		tab.cell(cell)
	}
	a.until(over)
	b.until(over)
}

// TestRestartKeepsGame stops the server in a game: the move made is kept, and the page goes on by itself. A move that is made
// meanwhile is sent when the server is back, also by a page that is loaded again; where the game has changed, the page says that
// the move is lost. A click that plays nothing says why.
func TestRestartKeepsGame(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	path := s.begin("gomoku:9", "human", "human")
	p := s.open(path)
	p.until(mine)
	p.cell(40)
	p.until(plies + ` == 1`)
	s.stop()
	p.cell(41)
	p.until(`document.querySelector('.error')?.innerText.includes('Your move f5 is kept')`)
	s.start()
	js[bool](p, askAgain)
	p.until(plies + ` == 2 && !document.querySelector('.error')`)
	for cell, name := range map[int]string{42: "g5", 43: "h5"} {
		before := js[int](p, plies)
		s.stop()
		p.cell(cell)
		p.until(`document.querySelector('.error')?.innerText.includes('Your move ` + name + ` is kept')`)
		p.do(chromedp.Navigate("about:blank"))
		s.start()
		says := `!document.querySelector('.error')`
		if cell == 43 {
			s.post(strings.Replace(path, "/play", "/games", 1)+"/moves", map[string]any{"move": "a1", "ply": before}, &api.Game{})
			says = `document.querySelector('.error')?.innerText.includes('Your move h5 came too late')`
		}
		p.visit(path)
		p.until(fmt.Sprintf(`%s == %d && %s && !Object.keys(localStorage).some(k => k.startsWith('unsent'))`, plies, before+1, says))
	}
	p.cell(41)
	p.until(`document.querySelector('.confirm')?.innerText === 'This place is taken.'`)
	p.visit(s.beginAfter("renju", "h8 a1 h9 a15 i10 o1 j10 o15", "human", "human"))
	p.until(mine)
	p.cell(142)
	p.until(`document.querySelector('.confirm')?.innerText.includes('h10 is forbidden (double three)')`)
	p.cell(142)
	p.until(plies + ` == 9`)
}

// TestAnalysisStops starts an analysis, sees it go on, and stops it.
func TestAnalysisStops(t *testing.T) {
	t.Parallel()
	p := open(t, "/analyze?game=gomoku:19&moves=k10")
	const depth = `document.querySelector('section .by small')?.innerText`
	p.until(depth + `?.match(/[0-9]/)`)
	p.choose(`section select:has(option[value="600"])`, "600")
	p.until(`(window.seen ??= new Set()).add(` + depth + `).size > 3`)
	p.keys("l")
	p.until(`(` + metric("krow_analyses_running") + `) === 0`)
}

// metric is an expression that asks the server for one of its numbers: undefined until it has answered.
func metric(name string) string {
	return `fetch('/metrics').then(a => a.text()).then(t => window.told = Number(t.match(/^` + name + ` (.*)$/m)[1])), window.told`
}

// TestSkipLink follows the link that skips the menu: the focus goes to the content, the page stays. Each page has its title.
func TestSkipLink(t *testing.T) {
	t.Parallel()
	p := open(t, "/games")
	p.until(`document.querySelector('h1')`)
	js[bool](p, `(document.querySelector('.skip').focus(), true)`)
	p.keys(kb.Enter)
	p.until(`document.activeElement.id === 'content'`)
	if at := js[string](p, `location.pathname + location.hash`); at != "/games" {
		t.Errorf("the page is %s, want /games", at)
	}
	js[bool](p, `(document.querySelector('a[href="/lobby"]').click(), true)`)
	p.until(`document.title === 'krow · Lobby'`)
	js[bool](p, `(document.querySelector('a[href="/play"]').click(), true)`)
	p.until(`document.title === 'krow · New game'`)
}

// TestKeysElsewhere presses keys of the game in the sheet of keys and in a list of the settings: none takes back.
func TestKeysElsewhere(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := s.open(s.begin("tictactoe", "human", "human"))
	p.until(mine)
	p.cell(4)
	p.until(plies + ` == 1`)
	p.keys("?")
	p.until(`document.querySelector('dialog[open]')`)
	p.keys("u" + kb.Escape)
	p.until(`!document.querySelector('dialog')`)
	js[bool](p, `(document.querySelector('header > details').open = true, document.querySelector('header select').focus(), true)`)
	p.keys("u" + kb.Escape)
	p.cell(0) // comes after a move that was taken back
	p.until(plies + ` > 1 || document.querySelector('[data-cell="4"]').classList.contains('legal')`)
	if n := js[int](p, plies); n != 2 {
		t.Errorf("%d moves, want 2", n)
	}
}

// TestFirstTab presses Tab on each page as it was opened: the first place to go to is the link that skips the menu, on a
// phone as well, where the places stand at the foot.
func TestFirstTab(t *testing.T) {
	t.Parallel()
	p := open(t, "/")
	for _, width := range []int64{1280, 390} {
		p.sized(width)
		for _, path := range []string{"/", "/analyze?game=tictactoe", "/games", "/learning"} {
			p.visit(path)
			p.until(`document.querySelector('h1, main p')`)
			p.until(`(() => { const a = document.querySelector('nav [aria-current]')?.getBoundingClientRect(); return a && a.left >= 0 && a.right <= innerWidth })()`)
			p.keys(kb.Tab)
			if on := js[string](p, `document.activeElement.outerHTML.slice(0, 100)`); !strings.HasPrefix(on, `<a class="skip`) {
				t.Errorf("%s, %d wide: the first Tab goes to %q", path, width, on)
			}
		}
	}
}
