// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestLinkSharesTree takes a tree with a comment out as a link, and in again; and a file that is dropped on another page opens.
func TestLinkSharesTree(t *testing.T) {
	t.Parallel()
	p := quiet(t, "/analyze?game=gomoku:9&moves=e5+e6+d5")
	p.until(stones + ` === 3`)
	p.keys("[")
	p.until(stones + ` === 2`)
	p.cell(0)
	p.until(`document.querySelector('.variation button[aria-current]')?.innerText === 'a1'`)
	js[bool](p, `(() => { const c = document.querySelector('.edit textarea'); c.value = 'the corner, é'; c.dispatchEvent(new Event('input', {bubbles: true})); c.blur(); return true })()`)
	js[bool](p, `(Object.defineProperty(navigator, 'clipboard', {value: undefined, configurable: true}), window.prompt = (_, s) => { window.copied = s }, true)`)
	p.press("Share, files and pictures")
	p.press("Copy the link")
	p.until(`window.copied === location.href`) // as over http from another machine
	js[bool](p, `(Object.defineProperty(navigator, 'clipboard', {value: {writeText: async (s) => { window.copied = s }}}), true)`)
	p.press("Link with variations")
	p.until(`window.copied?.includes('#t=')`)
	link := js[string](p, `window.copied`)
	p.keepFiles()
	p.press("HTML page")
	p.until(`window.saved?.startsWith('<!doctype html>')`)
	file := filepath.Join(t.TempDir(), "tree.html")
	if err := os.WriteFile(file, []byte(js[string](p, `window.saved`)), 0o644); err != nil {
		t.Fatal(err)
	}
	js[bool](p, `(sessionStorage.clear(), true)`)
	p.do(chromedp.Navigate("file://" + filepath.ToSlash(file)))
	p.until(`document.querySelectorAll('svg circle').length === 4 && document.querySelector('.text [aria-current]').innerText === 'd5'`)
	p.keys(kb.ArrowDown)
	p.until(`document.querySelector('li [aria-current]')?.innerText === 'a1' && document.querySelector('li q').innerText === 'the corner, é'`)
	p.keys(kb.Home)
	p.until(`document.querySelectorAll('svg circle').length === 0`)
	p.visit("/games")
	p.until(`document.querySelector('h1')`)
	p.visit(link[strings.Index(link, "/analyze"):])
	p.until(`document.querySelector('.variation q')?.innerText === 'the corner, é' && ` + stones + ` === 3`)

	p.visit("/games")
	p.until(`document.querySelector('h1')`)
	p.drop("main", "game.sgf", "(;GM[4]SZ[9]RU[gomoku:9];B[ee];W[ed];B[dd];W[aa])")
	p.until(`location.pathname === '/analyze' && ` + stones + ` === 4`)
	p.visit("/games")
	p.until(`document.querySelector('h1')`)
	p.drop("main", "game.sgf", "(;GM[4]SZ[9]RU[gomoku:9];B[ee];W[zz])")
	p.until(`document.querySelector('[role=alert]')?.checkVisibility()`) // not in a part that is folded up
	p.visit("/analyze?game=gomoku:9#t=broken")
	p.until(`document.querySelector('[role=alert]')?.innerText.startsWith('The link is not complete')`)
}
