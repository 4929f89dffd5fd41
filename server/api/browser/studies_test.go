// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"

	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/store"
)

// right presses the right button on a cell and releases it on another.
func (p *page) right(from, to int) {
	p.t.Helper()
	for i, kind := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased} {
		at := js[[]float64](p, fmt.Sprintf(`(() => { const b = document.querySelector('[data-cell="%d"]').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2] })()`, []int{from, to}[i]))
		p.mouse(input.DispatchMouseEventParams{Type: kind, X: at[0], Y: at[1], Button: "right", Buttons: int64(2 - 2*i), ClickCount: 1})
	}
}

// TestStudyOfChapters keeps an analysis as a study, adds a chapter of another game, names, moves and removes chapters, and finds all of
// it again. It draws on the board, and takes the study out and in as SGF. What another tab has saved meanwhile is not overwritten.
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

	// The right button draws, and so does a tool. The file of the study has the drawings, and brings them back.
	const drawn = `document.querySelectorAll('.pencil:not(.halo)').length`
	p.right(14, 14)
	p.right(14, 30)
	p.click(`button[aria-label="Triangle"]`)
	p.cell(20)
	p.until(drawn + ` === 3 && ` + stones + ` === 1 && document.querySelector('[data-cell="14"]').ariaLabel.endsWith('Arrow 3, 5') && ` + saved)
	p.click(`button[aria-label="Triangle"]`)
	p.keepFiles()
	p.press("SGF")
	p.until(`window.saved`)
	sgf := js[string](p, `window.saved`)
	for _, want := range []string{"GN[Columns]", "GN[Chapter 1]", ";B[df]AR[ad:cb]CR[ad]TR[gd]"} {
		if !strings.Contains(sgf, want) {
			t.Errorf("the file of the study lacks %s: %s", want, sgf)
		}
	}
	js[bool](p, `(document.querySelector('details:has(textarea)').open = true)`)
	p.write(`details textarea`, sgf)
	p.press("Open")
	p.until(chapters + ` === 'Columns/Connect Four Chapter 1/Gomoku 9 × 9 Columns/Connect Four Chapter 1/Gomoku 9 × 9' && ` + saved)
	p.click(`button[aria-label="Remove the chapter"]`)
	p.click(`section.study ol li:nth-child(3) button`)
	p.until(drawn + ` === 0 && document.querySelectorAll('[role=gridcell]').length === 42`)
	p.keys("]")
	p.until(drawn + ` === 3`)
	p.click(`button[aria-label="Remove the chapter"]`)
	p.until(chapters + ` === 'Columns/Connect Four Chapter 1/Gomoku 9 × 9' && ` + saved)
	p.click(`section.study ol li:first-child button`)
	p.until(`location.search.includes('chapter=1')`)

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
	st, err := db.AddStudy(club.First, "Traps", json.RawMessage(`[{"name": "one", "game": "tictactoe", "tree": {"next": [{"move": "b2", "comment": "the middle", "drawn": ["MA 4", "AR 0 8", "AR 99 1", "<", 7], "next": []}, {"move": 7}, 3]}},
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
	p.until(`location.pathname === '/lobby'`)
	p.visit("/analyze?study=" + st.ID)
	p.until(`document.querySelector('#study-name')?.innerText === 'Traps' && document.querySelector('nav q')?.innerText === 'the middle' && !document.querySelector('section.study .edit')`)
	p.keys("]")
	p.until(`document.querySelectorAll('.pencil:not(.halo)').length === 2`)
	p.cell(0)
	p.until(stones + ` === 2`)
	p.click(`section.study ol li:last-child button`)
	p.until(`document.querySelectorAll('[role=gridcell]').length === 42 && ` + stones + ` === 0`)
	p.visit("/studies")
	p.until(`document.querySelector('main').innerText.includes('You have no studies yet')`)
}

// TestStudyIsLive shows the board of a teacher to a pupil, who sees moves and arrows, also alone and large, and plays a move once the
// teacher allows it. When the class has ended, the pupil reads the study.
func TestStudyIsLive(t *testing.T) {
	t.Parallel()
	s, link := newClub(t)
	pupil, teacher := s.somebody("/join#"+link), s.somebody("/login")
	pupil.write(`[name=username]`, "Bob")
	pupil.write(`[name=password]`, "battery staple")
	pupil.write(`[name=again]`, "battery staple")
	pupil.click(`form .main`)
	teacher.write(`[name=username]`, "ann")
	teacher.write(`[name=password]`, "correct horse")
	teacher.click(`form .main`)
	teacher.until(`document.querySelector('header .me')?.textContent === 'ann'`)
	teacher.visit("/studies")
	teacher.press("New study")
	teacher.until(`document.querySelector('#study-name') && document.querySelector('[role=grid]')`)
	teacher.choose(`.steps select`, "tictactoe")
	teacher.until(`document.querySelectorAll('[role=gridcell]').length === 9 && document.querySelector('section.study .edit [role=status]')?.innerText === 'Saved'`)
	teacher.press("Show my board to everybody")
	teacher.until(`document.querySelector('.live [role=status]')`)
	teacher.cell(4)

	const drawn = `document.querySelectorAll('.pencil:not(.halo)').length`
	pupil.until(`location.pathname === '/lobby'`)
	pupil.visit("/analyze?study=" + js[string](teacher, `new URLSearchParams(location.search).get('study')`))
	pupil.until(stones + ` === 1 && document.querySelector('.live [role=status]').innerText === 'Live: this board follows its owner.'`)
	teacher.right(4, 0)
	pupil.until(drawn + ` === 1`)
	pupil.click(`.live a`)
	pupil.until(drawn + ` === 1 && !document.querySelector('header, aside')`)
	pupil.cell(0) // only the owner plays
	const bob = `[...document.querySelectorAll('.live option')].find(o => o.textContent === 'Bob')`
	teacher.until(bob) // the members who have the study open
	teacher.choose(`.live select`, js[string](teacher, bob+`.value`))
	pupil.click(`.leave`)
	pupil.until(`document.querySelector('.live [role=status]')?.innerText.startsWith('Live: play')`)
	pupil.cell(1)
	teacher.until(stones + ` === 2`)
	teacher.click(`.steps button:nth-of-type(2)`)
	pupil.until(stones + ` === 1 && ` + drawn + ` === 1`)
	teacher.choose(`.live select`, "-1")
	pupil.cell(1)
	teacher.until(stones + ` === 2`)
	teacher.click(`.steps button:nth-of-type(2)`)
	pupil.until(stones + ` === 1`)
	s.stop()
	s.start()
	teacher.cell(2)
	pupil.until(stones + ` === 2 && location.search.includes('moves=b2+c')`)
	teacher.press("Show my board to everybody")
	pupil.until(`!document.querySelector('.live [role=status]') && document.querySelector('.tools')`)
}
