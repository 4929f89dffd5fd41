// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"fmt"
	"strings"
	"testing"
)

// TestLostAddresses visits addresses that lead nowhere: each is told in words, with ways to go on.
func TestLostAddresses(t *testing.T) {
	t.Parallel()
	p := newSite(t).ready("/games")
	for path, says := range map[string]string{
		"/nowhere":                          "There is no page /nowhere",
		"/play/nosuchgame":                  "There is no such game",
		"/matches/99":                       "There is no such match or run",
		"/analyze?game=gomokug":             "unknown game",
		"/edit?game=nothing":                "unknown game",
		"/opening?game=gomoku:9&answers=z9": "z9",
	} {
		p.visit(path)
		p.until(`document.querySelector('main h1')?.innerText && document.querySelector('main a[href="/"]')`)
		if text := p.text("main"); !strings.Contains(text, says) || strings.Contains(text, "{") {
			t.Errorf("%s says %q, want %q", path, text, says)
		}
	}
	if status := js[int](p, `fetch('/nowhere', {headers: {Accept: 'text/html'}}).then(r => r.status)`); status != 404 {
		t.Errorf("/nowhere: %d, want 404", status)
	}
	if text := js[string](p, `fetch('/assets/none.js', {headers: {Accept: 'text/html'}}).then(r => r.text())`); !strings.Contains(text, "there is no such page") || !strings.Contains(text, "<h1>") {
		t.Errorf("a file that is not there: %s", text)
	}
}

// askAgain presses the button that asks whether the server is back, unless the page has asked by itself meanwhile.
const askAgain = `(document.querySelector('div[role=alert] button')?.click(), true)`

// TestServerAway stops the server: the page says so, and goes on when it is back, with what it had no answer to.
func TestServerAway(t *testing.T) {
	t.Parallel()
	p := newSite(t).ready("/play")
	p.until(`document.querySelector('input[name=game]')`)
	p.site.stop()
	js[bool](p, `(document.querySelector('input[name=game]:not(:checked)').click(), true)`)
	p.until(`document.querySelector('div[role=alert]')?.innerText.includes('The server does not answer')`)
	p.site.start()
	js[bool](p, askAgain)
	p.until(`!document.querySelector('div[role=alert]').innerText && !document.querySelector('.error')`)
	p.site.begin("tictactoe", "human", "human")
	const wherever = `(history.pushState(null, '', %q), dispatchEvent(new PopStateEvent('popstate')), true)`
	for _, c := range []struct{ path, shows string }{
		{"/games", `document.querySelector('tbody tr')`},
		{"/matches", `document.querySelector('main option[value=tictactoe]')`},
		{"/learning", `document.querySelector('main form button[type=submit]:enabled')`},
		{"/analyze?game=connect4", `document.querySelectorAll('.cell').length === 42`},
		{"/puzzles", `document.querySelector('.themes button')`},
		{"/explorer?game=tictactoe", `document.querySelectorAll('.cell').length === 9 && document.querySelector('main option[value=tictactoe]')`},
	} {
		js[bool](p, fmt.Sprintf(wherever, c.path))
		p.until(c.shows) // the page itself is here
		js[bool](p, fmt.Sprintf(wherever, "/edit?game=gomoku:9"))
		p.until(`document.querySelectorAll('.cell').length === 81`)
		p.site.stop()
		js[bool](p, fmt.Sprintf(wherever, c.path))
		p.until(`document.querySelector('div[role=alert]').innerText`)
		p.site.start()
		js[bool](p, askAgain)
		p.until(c.shows + ` && !document.querySelector('div[role=alert]').innerText && !document.querySelector('.error')`)
	}
	p.visit("/play")
	p.until(`document.querySelector('input[name=game]')`)
	p.site.stop()
	js[bool](p, fmt.Sprintf(wherever, "/reports")) // a part of the page that has not been loaded
	p.until(`document.querySelector('section[role=alert]') && document.querySelector('div[role=alert]').innerText`)
	p.site.start()
	js[bool](p, askAgain)
	p.until(`document.querySelector('a[href="/reports/published"]')`)
}
