// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"encoding/json"
	"testing"

	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/store"
)

// TestStudyOfChapters keeps an analysis as a study, adds a chapter of another game, names, moves and removes chapters, and finds all of
// it again. What another tab has saved meanwhile is not overwritten.
func TestStudyOfChapters(t *testing.T) {
	t.Parallel()
	p := quiet(t, "/analyze?game=gomoku:9&moves=e5+e6")
	const chapters = `[...document.querySelectorAll('#study-name')].length && [...document.querySelectorAll('section.study ol button')].map(b => b.innerText.split('\n')).map(w => w.slice(1).join('/')).join(' ')`
	saved := `document.querySelector('section.study .edit [role=status]')?.innerText === 'Saved'`
	p.until(stones + ` === 2`)
	p.press("Keep in a study")
	p.press("New study")
	p.until(chapters + ` === 'Chapter 1/Gomoku 9 × 9'`)
	p.write(`#study-name input`, "Traps")
	p.press("New chapter")
	p.until(chapters + ` === 'Chapter 1/Gomoku 9 × 9 Chapter 2/Gomoku 9 × 9' && ` + stones + ` === 0`)
	p.choose(`.steps select`, "connect4")
	p.until(chapters + ` === 'Chapter 1/Gomoku 9 × 9 Chapter 2/Connect Four' && document.querySelectorAll('[role=gridcell]').length === 42`)
	p.cell(3)
	p.until(stones + ` === 1`)
	p.write(`section.study .edit input`, "Columns")
	p.click(`button[aria-label="Move the chapter up"]`)
	p.until(chapters + ` === 'Columns/Connect Four Chapter 1/Gomoku 9 × 9' && ` + saved)
	p.visit("/studies")
	p.click(`main li a`)
	p.until(chapters + ` === 'Columns/Connect Four Chapter 1/Gomoku 9 × 9' && document.querySelector('#study-name input').value === 'Traps'`)
	p.keys("]")
	p.until(stones + ` === 1`)

	other := p.site.tab(js[string](p, `location.pathname + location.search`), `{"language": "en"}`)
	other.until(saved)
	other.click(`button[aria-label="Remove the chapter"]`)
	other.until(chapters + ` === 'Chapter 1/Gomoku 9 × 9' && ` + saved)
	other.visit("/studies")
	other.until(`document.querySelector('main li a')`)
	p.write(`section.study .edit input`, "Mine")
	p.until(`document.querySelector('section.study .edit [role=status]').innerText.startsWith('The study was changed in another tab')`)
}

// TestStudyIsRead follows the link of somebody else's study: its chapters are there to read, and what is tried is not kept.
func TestStudyIsRead(t *testing.T) {
	t.Parallel()
	s, link := newClub(t)
	s.stop()
	db, err := store.Open(s.file)
	if err != nil {
		t.Fatal(err)
	}
	st, err := db.AddStudy(club.First, "Traps", json.RawMessage(`[{"name": "one", "game": "tictactoe", "tree": {"next": [{"move": "b2", "comment": "the middle", "next": []}, {"move": 7}, 3]}},
		{"name": "two", "game": "connect4", "tree": null}]`))
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s.start()
	p := s.somebody("/join#" + link)
	p.write(`[name=username]`, "Bob")
	p.write(`[name=password]`, "battery staple")
	p.write(`[name=again]`, "battery staple")
	p.click(`form .main`)
	p.until(`location.pathname === '/members'`)
	p.visit("/analyze?study=" + st.ID)
	p.until(`document.querySelector('#study-name')?.innerText === 'Traps' && document.querySelector('nav q')?.innerText === 'the middle' && !document.querySelector('section.study .edit')`)
	p.cell(0)
	p.until(stones + ` === 1`)
	p.click(`section.study ol li:last-child button`)
	p.until(`document.querySelectorAll('[role=gridcell]').length === 42 && ` + stones + ` === 0`)
	p.visit("/studies")
	p.until(`document.querySelector('main').innerText.includes('You have no studies yet')`)
}
