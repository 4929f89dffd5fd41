// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"net/http"
	"testing"
	"time"
)

// there says whether the server still has something.
func (s *site) there(path string) bool {
	s.t.Helper()
	a, err := client.Get("http://" + s.addr + "/api" + path)
	if err != nil {
		s.t.Fatal(err)
	}
	a.Body.Close()
	return a.StatusCode == http.StatusOK
}

// gone waits until the server no longer has something.
func (s *site) gone(path string) {
	s.t.Helper()
	for s.there(path) {
		time.Sleep(20 * time.Millisecond)
	}
}

// hurry lets the time pass at once in which what is deleted from now on can be taken back.
func (p *page) hurry() {
	p.t.Helper()
	js[int](p, `window.patience = 0`)
}

// TestDeleteGame deletes a game, takes that back, and deletes it again: by waiting, and by leaving the page.
func TestDeleteGame(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	waited, left := s.begin("tictactoe", "human", "human"), s.begin("connect4", "human", "human")
	p := s.ready("/games")
	rows := `document.querySelectorAll('tbody tr').length`
	cross := func(game string) string { return `button[aria-label^="Delete: ` + game + `"]` }
	p.click(cross("Tic-tac-toe"))
	p.until(rows + ` === 1`)
	p.press("Undo")
	p.until(rows + ` === 2`)
	if !s.there("/games" + waited[len("/play"):]) {
		t.Error("a deletion that was taken back")
	}
	p.hurry()
	p.click(cross("Tic-tac-toe"))
	s.gone("/games" + waited[len("/play"):])
	p.visit("/games")
	p.click(cross("Connect Four"))
	p.until(rows + ` === 0`)
	p.visit("/play")
	s.gone("/games" + left[len("/play"):])
}

// TestDeleteRun stops a run by two clicks, which leave it there, and then deletes it; a match alike.
func TestDeleteRun(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	var run, match struct{ ID int }
	s.post("/runs", map[string]any{"learner": "genetic:generations=100000,players=6,games=100", "game": "ultimate", "seed": 1}, &run)
	s.post("/matches", map[string]any{"game": "gomoku", "players": []string{"random", "mcts:sims=100000"}, "games": 2000, "plies": 2, "millis": 0, "seed": 1}, &match)
	for _, c := range []struct{ page, api, name string }{{"/learning/1", "/runs/1", "Delete this run"}, {"/matches/2", "/matches/2", "Delete this match"}} {
		p := s.ready(c.page)
		p.until(`document.querySelector('.actions button')?.innerText === 'Stop'`) // it has begun
		p.click(`.actions button`)
		p.until(`document.querySelector('.actions button')?.innerText === 'Continue'`)
		p.click(`.actions button`)
		p.until(`document.querySelector('.actions button')?.innerText === 'Stop'`)
		p.click(`.actions button`)
		p.until(`document.querySelector('.actions button')?.innerText === 'Continue'`)
		p.press(c.name)
		p.press("Undo")
		if !s.there(c.api) {
			t.Errorf("%s: a deletion that was taken back", c.name)
		}
		p.until(`document.querySelectorAll('main li a').length > 0`)
		p.visit(c.page)
		p.until(`document.querySelector('.actions button')?.innerText === 'Continue'`)
		p.hurry()
		p.press(c.name)
		s.gone(c.api)
	}
}

// TestResignAsks resigns only when the question is answered.
func TestResignAsks(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	game := s.begin("tictactoe", "human", "human")
	p := s.ready(game)
	p.press("Resign")
	p.until(`document.querySelector('dialog')?.open`)
	p.press("No, continue")
	p.until(`!document.querySelector('dialog')`)
	p.cell(4)
	p.until(plies + ` === 1`)
	p.press("Resign")
	p.click(`dialog .danger`)
	p.until(`document.querySelector('.status.over')`)
}

// TestUndoAnalysis takes back what was done to a tree of variations, and does it again.
func TestUndoAnalysis(t *testing.T) {
	t.Parallel()
	p := quiet(t, "/analyze?game=gomoku:9&moves=e5+e6+d5")
	variations := `document.querySelectorAll('.variation').length`
	p.until(stones + ` === 3`)
	p.keys("[")
	p.until(stones + ` === 2`)
	p.cell(0)
	p.until(variations + ` === 1`)
	js[bool](p, `(() => { const c = document.querySelector('.edit textarea'); c.focus(); for (const text of ['c', 'co']) { c.value = text; c.dispatchEvent(new Event('input', {bubbles: true})) } return true })()`)
	p.until(`document.querySelector('.variation q')?.innerText === 'co'`) // while it is typed
	js[bool](p, `(document.activeElement.blur(), true)`)
	p.press("Empty board")
	p.until(stones + ` === 0`)
	p.press("Undo")
	p.until(variations + ` === 1 && ` + stones + ` === 3`)
	p.press("Redo")
	p.until(stones + ` === 0`)
	js[bool](p, `(history.back(), true)`)
	p.until(variations + ` === 1 && document.querySelector('.variation q')?.innerText === 'co'`)
	p.press("Delete from here on")
	p.until(variations + ` === 0`)
	p.press("Undo")
	p.until(variations + ` === 1`)
	p.press("Undo") // back over the empty board, and what was typed
	p.press("Undo")
	p.until(variations + ` === 1 && !document.querySelector('.variation q')`)
	p.press("Redo")
	p.until(`document.querySelector('.variation q')?.innerText === 'co'`)
}
