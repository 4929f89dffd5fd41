// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/puzzles"
	"github.com/krow-lab/krow/app/solve"
)

// withoutServer returns the page without a server, in a folder of a host of plain files, and what takes the host away.
func withoutServer(t *testing.T) (s *site, stop func()) {
	t.Helper()
	folder := t.TempDir()
	run := exec.Command("go", "run", "./tools/site", folder)
	run.Dir = "../../.."
	run.Env = append(os.Environ(), "GOTOOLCHAIN=local") // Go at hand, which needs no network
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("the site is not made: %v\n%s", err, out)
	}
	l, err := net.Listen("tcp", ownAddress())
	if err != nil {
		t.Fatal(err)
	}
	host := &http.Server{Handler: http.StripPrefix("/some/folder", http.FileServer(http.Dir(folder)))}
	go func() { _ = host.Serve(l) }()
	stop = func() { _ = host.Close() }
	t.Cleanup(stop)
	return &site{t: t, addr: l.Addr().String() + "/some/folder"}, stop
}

// certificate returns a certificate of the first position of a game, in base64.
func certificate(t *testing.T, game string) string {
	t.Helper()
	g, err := krow.Game(game)
	if err != nil {
		t.Fatal(err)
	}
	s, err := solve.New(g, solve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Solve(t.Context(), g.Start(), func(solve.Solution) {}); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := s.Certify(t.Context(), g.Start(), &file); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(file.Bytes())
}

// to shows another page without loading it, as a link does. The engines stay.
func (p *page) to(path string) {
	p.t.Helper()
	js[bool](p, fmt.Sprintf(`(history.pushState(null, '', %q), dispatchEvent(new Event('popstate')), true)`, strings.TrimPrefix(path, "/")))
}

// TestWithoutServer: after the first visit the page plays, analyses, reviews, sets puzzles, lets bots meet, follows a certificate,
// explores collections, and takes in what it has saved, all without a network. A server takes that in as well.
func TestWithoutServer(t *testing.T) {
	t.Parallel()
	s, stop := withoutServer(t)
	p := s.open("/")
	// A worker that is still loading when the test leaves the page reports that its script was not loaded. Without workers the test fails
	// in any case.
	p.before(`for (const type of ['error', 'unhandledrejection']) addEventListener(type, e => {
		const fault = String(e.reason ?? e.message)
		if (!fault.includes('importScripts')) sessionStorage.faults = (sessionStorage.faults ?? '') + fault + '; '
	})`)
	p.until(`document.querySelectorAll('.tile').length === 2`) // before the engine is there
	js[bool](p, `navigator.serviceWorker.ready.then(() => true)`)
	// Other pages are as a server has them, and TestEveryPageAccessible looks at those.
	for path, there := range map[string]string{
		"/docs/guide/install.html": `document.querySelector('h1')`, "/README.html": `document.querySelector('h1')`,
		"/": `document.querySelectorAll('.tile').length === 2`, "/?page=/values": `document.querySelector('.one [role=grid]')`,
		"/?page=/games": `document.querySelector('input[type=file]')`, "/?page=/lessons/plan-even": `document.querySelector('[role=grid]')`,
		"/?page=/lobby": `document.querySelector('main')?.innerText.includes('need a server')`,
	} {
		p.visit(path)
		p.until(there)
		p.do(chromedp.Evaluate[chromedp.Void](axe(t)))
		p.accessible(path, "light", structure)
		for _, theme := range []string{"light", "dark"} {
			js[bool](p, fmt.Sprintf(`(document.documentElement.style.colorScheme = document.documentElement.dataset.theme = %q, true)`, theme))
			p.accessible(path, theme, contrast)
		}
		p.narrow(path, 320)
		if lost := js[string](p, `[...document.querySelectorAll('header a, main a')].map(a => a.getAttribute('href')).filter(to => /^.(lobby|tournaments|studies|league|matches|learning|reports|members|people|login|machines)\b/.test(to)).join(' ')`); lost != "" {
			t.Errorf("%s has links to pages that need a server: %s", path, lost)
		}
	}
	p.visit("/README.html")
	p.click(`a.play`)
	p.until(`document.querySelectorAll('.tile').length === 2`)
	stop()

	p.visit("/?page=/play&game=tictactoe&opponent=best")
	p.until(mine)
	p.cell(4)
	p.until(plies + ` === 2`)
	playOut(p, p.cell)
	p.until(`location.search.startsWith('?page=/play/')`)

	p.to("/?page=/analyze&game=connect4&moves=4")
	p.until(lines + `[0]?.querySelector('b').textContent.includes('Red wins in 40')`) // exact, by the book
	p.to("/?page=/analyze&game=tictactoe&moves=a1+b1+a3+a2+c3")
	p.until(stones + ` === 5`)
	p.keys("lr")
	p.until(`document.querySelector('ul[aria-label=Mistakes] button')?.innerText.startsWith('2 b1')`)

	puzzle := puzzleOf(t, "connect4", puzzles.Column)
	p.to("/?page=/puzzles/" + puzzle.ID())
	for i, column := range strings.Fields(puzzle.Line) {
		if i%2 == 0 && !js[bool](p, puzzleStatus+`.startsWith('Solved')`) {
			p.until(mine)
			p.cell(int(column[0] - '1'))
			p.until(puzzleStatus + fmt.Sprintf(`.startsWith('Solved') || %s && %s.startsWith('Right')`, mine, puzzleStatus))
		}
	}
	p.until(puzzleStatus + `.startsWith('Solved') && document.querySelector('aside').innerText.includes('Rating')`)

	for _, name := range []string{"fork", "other"} {
		p.to("/?page=/workshop/" + name + "&game=tictactoe")
		p.until(inEditor(".cm-content"))
		p.click(`.editor`)
		p.ctrl("a")
		p.insert("tests = [('tictactoe', 'a1 b2', 'c1|b1')]\ndef choose(position, clock):\n    print('hello')\n    return position.moves()[0]")
		p.ctrl("s")
		p.until(bench + `.includes('Saved as version 1.') && document.querySelector('.tests')?.innerText.includes('1 test passed')`)
	}
	p.choose(`.bench form label:nth-child(2) select`, "bot:fork")
	p.press("Play")
	p.until(trials + `.startsWith('The bot')`)
	p.until(`document.querySelector('.bench pre').innerText.includes('hello')`)

	p.to("/?page=/values")
	p.giveData(`label.button input[type=file]`, "four.proof", fmt.Sprintf(`Uint8Array.from(atob(%q), c => c.charCodeAt())`, certificate(t, "mnk:15,15,4")))
	p.until(`location.search.includes('opponent=proof') && document.querySelector('input[value=proof]')?.checked`)
	p.click(`button[type=submit]`)
	p.until(`location.search.startsWith('?page=/play/')`)
	p.until(mine)
	p.cell(0)
	p.until(plies + ` === 3`)
	js[bool](p, `(sessionStorage.removeItem('setup'), true)`)

	const explored = `document.querySelector('aside [role=status]')?.innerText.endsWith('Games: 1')`
	p.to("/?page=/explorer&game=tictactoe")
	p.until(explored)
	p.to("/?page=/explorer")
	p.drop(`.drop`, "club.txt", "h8 h9 i9 1-0\\n")
	p.until(`document.querySelector('.drop').innerText.includes('games read: 1, new: 1') && ` + explored)

	p.visit("/?page=/games") // loads the page again
	p.until(`document.querySelectorAll('tbody tr').length === 2`)
	p.keepFiles()
	p.press("Save everything as a file")
	p.until(`window.saved?.includes('tictactoe')`)
	file := js[string](p, `window.saved`)
	p.hurry()
	p.click(`tbody button`)
	p.until(`document.querySelectorAll('tbody tr').length === 1`)
	p.visit("/?page=/games")
	p.until(`document.querySelectorAll('tbody tr').length === 1`)
	p.give(`input[type=file]`, "krow.json", strings.ReplaceAll(file, `\`, `\\`))
	p.until(`document.querySelectorAll('tbody tr').length === 2`)
	p.to("/?page=/puzzles")
	p.until(`document.querySelector('main')?.innerText.includes('1 of 1 solved')`)
	p.to("/?page=/explorer&moves=h8+h9")
	p.until(explored)
	p.click(`aside .check input`)
	p.until(`document.querySelectorAll('rect.value').length > 60`) // by the book

	p.to("/?page=/values")
	followsConnect4Proof(p)
	p.to("/?page=/values")
	p.until(`document.querySelector('.one [role=grid]')`)
	p.click(`button[aria-label="k in a row 4 × 3, 3 in a row: win"]`)
	p.click(`.one a.main`)
	p.until(`document.querySelector('input[value="mnk:time=10s"]')?.checked`)
	p.click(`button[type=submit]`)
	p.until(`location.search.startsWith('?page=/play/')`)
	p.cell(0)
	p.until(plies + ` === 2`)
	p.press("Take back")
	p.until(plies + ` === 0`)

	js[bool](p, `(sessionStorage.setup = JSON.stringify({spec: 'connect4:4x4', opponent: 'level:1', seat: 'second', control: '60+1'}), true)`)
	p.to("/?page=/play")
	p.click(`button[type=submit]`)
	p.until(mine + ` && document.querySelectorAll('[role=timer]').length === 2`)
	p.to("/?page=/lab")
	p.until(`document.querySelector('section.card [data-count=visited]')?.innerText > 1`)
	p.to("/?page=/opening&game=gomoku&rule=swap2&player=best&by=player&seed=1")
	p.until(`location.search.includes('answers=')`)

	p.to("/?page=/lobby")
	p.until(`document.querySelector('main')?.innerText.includes('need a server')`)
	q := newSite(t).ready("/games")
	q.give(`input[type=file]`, "krow.json", strings.ReplaceAll(file, `\`, `\\`))
	q.until(`document.querySelectorAll('tbody tr').length === 1`)
	q.visit("/explorer?moves=h8+h9")
	q.until(explored)
	q.visit("/puzzles")
	q.until(`document.querySelector('main')?.innerText.includes('1 of 1 solved')`)
	q.visit("/workshop")
	q.until(`document.querySelector('a[href="/workshop/other"]')`)

	if faults := js[string](p, `sessionStorage.faults ?? ''`); faults != "" {
		t.Errorf("faults of the page: %s", faults)
	}
}
