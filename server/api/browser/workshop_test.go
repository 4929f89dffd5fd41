// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// inEditor is an element of the editor, which stands in a shadow of its own.
func inEditor(selector string) string {
	return `document.querySelector('.editor')?.shadowRoot?.querySelector('` + selector + `')`
}

// ctrl presses a key with Ctrl.
func (p *page) ctrl(key string) {
	p.t.Helper()
	p.do(chromedp.KeyEvent(key, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
}

// insert puts a text at the cursor, as pasting does.
func (p *page) insert(text string) {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, input.InsertText, input.InsertTextParams{Text: text}); err != nil {
		p.t.Fatal(err)
	}
}

const (
	bench  = `document.querySelector('.bench').innerText`
	trials = `document.querySelector('.bench .status').innerText`
)

// TestWorkshopByKeyboard writes a bot with a fault, mends it, tries it, steps through the game, saves, tests and publishes it, all by the
// keyboard where a person writes, and then plays against it.
func TestWorkshopByKeyboard(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := s.ready("/workshop")
	p.click(`input[placeholder="my-bot"]`)
	p.keys("fork\r")
	p.until(`location.pathname === '/workshop/fork' && ` + inEditor(".cm-content"))
	p.choose(`.bench form select`, "tictactoe")
	p.click(`.editor`)
	p.ctrl("a")
	p.insert("tests = [('tictactoe', 'a1 b2', 'c1')]\ndef choose(position, clock):\n    print('hello')\n    draw(4, 7, 'red')\n    return foo")
	p.until(`document.querySelector('.faults').innerText.includes('Line 5: undefined: foo') && ` + inEditor(".cm-lintRange-error"))
	p.keys(kb.Backspace + kb.Backspace + kb.Backspace + "position.mo")
	p.until(inEditor(".cm-tooltip-autocomplete") + `?.innerText.includes('moves')`)
	p.keys("ves()[0]")
	p.until(`!document.querySelector('.faults').innerText`)

	p.ctrl(kb.Enter)
	p.until(trials + `.startsWith('The bot')`)
	p.until(`document.querySelector('.bench pre').innerText.includes('hello') && document.querySelector('.paint') && document.querySelector('.paint-text').textContent === '7'`)
	p.until(`document.querySelectorAll('.bench figure rect').length >= 3`)
	p.click(`.steps button`) // the first
	p.until(`document.querySelector('.steps span').innerText.startsWith('0 /') && !document.querySelector('.paint')`)
	p.click(`.steps button:nth-of-type(3)`)
	p.until(`document.querySelector('.shown').innerText.startsWith('Move 1: a1 by the bot')`)

	p.click(`.editor`)
	p.ctrl("s")
	p.until(bench + `.includes('Saved as version 1.') && document.querySelector('.tests')?.innerText.includes('1 of 1 tests failed')`)
	p.ctrl("a")
	p.insert("tests = [('tictactoe', 'a1 b2', 'b1')]\ndef choose(position, clock):\n    return position.moves()[0]")
	p.ctrl("s")
	p.until(bench + `.includes('Saved as version 2.') && document.querySelector('.tests')?.innerText.includes('1 test passed')`)
	p.keys(kb.Escape)
	p.keys(kb.Tab)
	p.until(`document.activeElement !== document.querySelector('.editor')`)

	js[bool](p, `fetch('/api/leagues', {method: 'POST', headers: {'Content-Type': 'application/json'},
		body: JSON.stringify({name: 'lunch', game: 'tictactoe', nodes: 0, plies: 0, seed: 1, field: 'none'})}).then(r => r.ok)`)
	p.press("Publish")
	p.until(bench + `.includes('Version 2 is published.')`)
	p.until(`document.querySelector('.join')`)
	p.click(`.join`)
	p.until(`document.body.innerText.includes('This version plays in the league lunch from the next round on.')`)
	p.press("Versions (2)")
	p.click(`li:nth-child(2) [aria-expanded]`)
	p.until(`document.querySelector('.diff .old')?.innerText.includes("'c1'") && document.querySelector('.diff .new')`)
	if got := js[int](p, `fetch('/api/bots').then(r => r.json()).then(b => b[0].published)`); got != 2 {
		t.Errorf("version %d is published, want 2", got)
	}

	p.visit(s.begin("tictactoe", "human", "bot:fork"))
	p.until(mine)
	p.cell(4)
	p.until(plies + ` == 2 && ` + mine)
}

// TestParametersAreLearned lets krow learn the parameter of a bot on the bench, stops and continues, finds the run again after a
// reload, and puts the learned value into the source, which is then saved as the next version.
func TestParametersAreLearned(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := s.ready("/workshop/near?game=tictactoe")
	p.until(inEditor(".cm-content"))
	p.press("Source")
	if js[bool](p, bench+`.includes('Parameters')`) {
		t.Error("a bot without parameters can learn them")
	}
	p.click(`.editor`)
	p.ctrl("a")
	p.insert("X = param('x', 3, 0, 9)\ndef score(position, move):\n    return -abs(move - X)")
	p.press("Parameters")
	p.press("Start")
	p.until(bench + `.includes('Saved as version 1.') && ` + bench + `.match(/step [1-9][0-9]* of 100|Version 1 · finished/)`)
	// On a busy machine the run may be finished before the browser can stop it.
	p.pressBefore("Stop", bench+`.includes('Version 1 · finished')`)
	p.until(bench + `.match(/Version 1 · (stopped|finished)/)`)
	stopped := js[bool](p, bench+`.includes('Version 1 · stopped')`)
	p.visit("/workshop/near")
	p.until(inEditor(".cm-content"))
	p.press("Parameters")
	if stopped {
		p.press("Continue")
	}
	p.until(bench + `.includes('Version 1 · finished') && ` + bench + `.includes('% of the points in 50 games')`)
	row := `document.querySelector('.bench section tbody tr').innerText.split('\t')`
	if got := js[[]string](p, row); got[0] != "x" || got[1] != "3" || got[2] == "3" {
		t.Fatalf("the table has %q", got)
	}
	p.press("Put these into my program")
	p.until(inEditor(".cm-content") + ` && !` + inEditor(".cm-content") + `.innerText.includes("param('x', 3,")`)
	learned := js[string](p, inEditor(".cm-content")+`.innerText.match(/param\('x', ([0-9.]+), 0, 9\)/)[1]`)
	p.press("Save")
	p.until(bench + `.includes('Saved as version 2.')`)
	p.press("Parameters")
	p.until(`document.querySelector('.bench section tbody tr')`)
	if got := js[[]string](p, row); got[1] != learned || got[2] != learned {
		t.Errorf("%s is in the source, and the table has %q", learned, got)
	}
}

// TestTokenIsShownOnce makes a token, which is shown once, and forgets the bot, which can be taken back; a bot of the workshop alike. Where
// another source takes the place of what was typed, undo brings that back, and never the source of another bot.
func TestTokenIsShownOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := s.ready("/workshop")
	p.click(`input[placeholder="my-program"]`)
	p.keys("friend\r")
	p.until(`document.body.innerText.includes('krow-bot-') && document.body.innerText.includes('not connected')`)
	p.click(`[aria-label="Delete friend"]`)
	p.until(`!document.body.innerText.includes('not connected')`)
	p.press("Undo")
	p.until(`document.body.innerText.includes('not connected')`)
	if got := js[int](p, `fetch('/api/bots/friend', {method: 'DELETE'}).then(r => r.status)`); got != 404 {
		t.Errorf("deleted as a bot of the workshop: %d, want 404", got)
	}
	var version any
	s.post("/bots/mine", map[string]string{"source": "def choose(position, clock):\n    return position.moves()[0]\n"}, &version)
	p.visit("/workshop")
	p.click(`[aria-label="Delete mine"]`)
	p.until(`!document.querySelector('a[href="/workshop/mine"]')`)
	p.press("Undo")
	p.until(`document.querySelector('a[href="/workshop/mine"]')`)
	p.hurry()
	p.click(`[aria-label="Delete mine"]`)
	s.gone("/bots/mine")
	p.click(`[aria-label="Delete friend"]`)
	s.gone("/away/friend")

	p.visit("/workshop/lesson-1")
	p.until(inEditor(".cm-content"))
	p.click(`.editor`)
	p.ctrl("a")
	p.insert("mine = 1")
	p.until(inEditor(".cm-content") + `.innerText === 'mine = 1'`)
	p.press("Begin again")
	p.until(inEditor(".cm-content") + `.innerText.includes('def ')`)
	p.click(`.editor`)
	p.ctrl("z")
	p.until(inEditor(".cm-content") + `?.innerText.trim() === 'mine = 1'`)

	p.click(`a[href="/workshop/lesson-2"]`)
	p.until(`document.querySelector('h1').innerText.includes('lesson-2') && ` + inEditor(".cm-content") + `?.innerText.includes('def ')`)
	lesson := js[string](p, inEditor(".cm-content")+`.innerText`)
	p.click(`.editor`)
	p.ctrl("z")
	if got := js[string](p, inEditor(".cm-content")+`.innerText`); got != lesson {
		t.Errorf("undo leads from a lesson to\n%s\nwant\n%s", got, lesson)
	}
}

// TestLessonChecksItself: a lesson fails with the source with which it begins, and with a bot that lacks the word of the lesson. The
// finished one is done, and marked in the list.
func TestLessonChecksItself(t *testing.T) {
	t.Parallel()
	p := newSite(t).ready("/workshop/lesson-2")
	p.press("Check my bot")
	p.until(`document.querySelector('.tests')?.innerText.includes('3 of 3 tests failed') && !document.querySelector('h2').innerText.includes('✓')`)
	p.visit("/workshop/lesson-8")
	p.press("Check my bot")
	p.until(`document.querySelector('.tests')?.innerText.includes('does not use draw yet')`)
	p.visit("/workshop/lesson-2")
	p.press("Show the finished source")
	p.press("Check my bot")
	p.until(`document.querySelector('.tests')?.innerText.includes('Lesson 2 is done.') && document.querySelector('h2').innerText.includes('✓')`)
	p.shoot("lesson")
	p.visit("/workshop")
	p.until(`[...document.querySelectorAll('ol li')].map(l => l.innerText.includes('✓')).indexOf(true) === 1`)
}

// TestWorkshopBad: names with markup, a bot that is not there, and what is no module are told in a line.
func TestWorkshopBad(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := s.ready("/workshop/%3Cimg%20src=x%3E")
	p.until(`document.querySelector('[role=alert]')?.innerText.includes('A name may contain')`)
	p.visit("/workshop")
	p.until(`document.querySelector('input[type=file]')`)
	p.give(`input[type=file]`, "other.wasm", "PK no module")
	p.until(`document.querySelector('[role=alert]')?.innerText.includes('not a WebAssembly module')`)
	p.give(`input[type=file]`, "a b.wasm", "PK no module")
	p.until(`document.querySelector('[role=alert]')?.innerText.includes('A name may contain')`)
}
