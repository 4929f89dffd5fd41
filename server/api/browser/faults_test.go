// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestHelpBegins opens the sheet of keys on a low screen: its beginning is in sight.
func TestHelpBegins(t *testing.T) {
	t.Parallel()
	p := newSite(t).ready("/games")
	p.do(chromedp.EmulateViewport(390, 500))
	p.keys("?")
	p.until(`document.querySelector('dialog[open]')`)
	if top := js[float64](p, `document.querySelector('dialog').scrollTop`); top != 0 || js[bool](p, `document.querySelector('dialog').scrollHeight <= document.querySelector('dialog').clientHeight`) {
		t.Errorf("the sheet of keys begins at %v, or fits on the screen", top)
	}
}

// TestPlayButton: the button that begins a game is whole on the first screen of phones.
func TestPlayButton(t *testing.T) {
	t.Parallel()
	p := newSite(t).ready("/play")
	for _, size := range [][2]int64{{390, 844}, {320, 568}} {
		p.do(chromedp.EmulateViewport(size[0], size[1]))
		p.until(`(() => { const r = document.querySelector('button[type=submit]').getBoundingClientRect(); return scrollY === 0 && r.height > 30 && r.top > 0 && r.bottom <= innerHeight })()`)
	}
}

// TestMenuFits: in every language the four places are whole on the narrowest phone.
func TestMenuFits(t *testing.T) {
	t.Parallel()
	p := newSite(t).ready("/lab")
	p.do(chromedp.EmulateViewport(320, 568))
	for _, language := range []string{"ru", "vi", "fr", "cs", "zh", "ja", "en"} {
		p.choose(`header details select`, language)
		p.until(`document.documentElement.lang.startsWith('` + language + `')`)
		p.until(`(() => { const all = [...document.querySelectorAll('header nav a')].map(a => a.getBoundingClientRect()); return all.length === 4 && all.every((r, i) => r.left >= 0 && r.right <= innerWidth && r.bottom <= innerHeight && (!i || r.left >= all[i - 1].right - 1)) })()`)
	}
}

// TestLobbyForm: the fields of an offer stand apart.
func TestLobbyForm(t *testing.T) {
	t.Parallel()
	p := newSite(t).ready("/lobby")
	p.until(`document.querySelector('form button[type=submit]')`)
	if gap := js[float64](p, `Math.min(...[...document.querySelectorAll('form > details > .fields > *')].slice(1).map(e => e.getBoundingClientRect().top - e.previousElementSibling.getBoundingClientRect().bottom))`); gap < 8 {
		t.Errorf("fields are %v pixels apart", gap)
	}
}

// TestMemberWithoutNumber visits the page of a member without a number: nothing is asked of the server.
func TestMemberWithoutNumber(t *testing.T) {
	t.Parallel()
	p := newSite(t).ready("/people")
	p.until(`document.querySelector('main h1')?.innerText.includes('There is no page /people')`)
	if n := js[int](p, `performance.getEntriesByType('resource').filter(e => e.name.includes('/api/people')).length`); n != 0 {
		t.Errorf("%d questions for a member without a number", n)
	}
}
