// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"strings"
	"testing"
)

// watcher runs before a page does, and keeps what moves and what goes wrong.
const watcher = `window.shifts = 0; window.wrong = []
	new PerformanceObserver(l => { for (const e of l.getEntries()) if (!e.hadRecentInput) window.shifts += e.value }).observe({type: 'layout-shift', buffered: true})
	addEventListener('error', e => window.wrong.push(e.message ?? e.target.src))
	addEventListener('unhandledrejection', e => window.wrong.push(String(e.reason)))
	const error = console.error; console.error = (...a) => { window.wrong.push(a.join(' ')); error(...a) }
	window.asking = 0 // requests
	const ask = fetch; window.fetch = async (...a) => {
		window.asking++
		try { const r = await ask(...a); if (!r.ok) window.wrong.push(r.status + ' ' + r.url); return r } finally { window.asking-- } }`

// TestPageBudgets opens every page on a phone: nothing fails on it, next to nothing moves while it loads, and the first page is light.
// TestEveryPageAccessible does the same on a large screen. On a busy machine an answer may come frames later than the page that it
// fills, so a page in which things move is loaded again and again: what always moves fails.
func TestPageBudgets(t *testing.T) {
	t.Parallel()
	fresh := newSite(t).open("/")
	fresh.until(`document.querySelector('.puzzle .cell.legal') && document.querySelector('.games')`)
	if load := js[float64](fresh, `performance.getEntries().filter(e => !e.name.endsWith('.woff2')).reduce((n, e) => n + (e.encodedBodySize ?? 0), 0)`); load > 130_000 || load < 10_000 {
		t.Errorf("the first page takes %.0f bytes without its fonts", load)
	}
	s, game := filled(t)
	p := s.ready("/games")
	p.before(watcher)
	p.sized(390)
	for _, path := range append([]string{game, "/explorer?game=renju"}, pages...) {
		p.still(path)
	}
}

// still opens a page, up to thirty times, until nothing moves while it loads.
func (p *page) still(path string) {
	p.t.Helper()
	shifts := 1.0
	for try := 0; try < 30 && shifts >= 0.02; try++ {
		p.see(path)
		// What comes late comes within some frames of the last answer.
		js[bool](p, `new Promise(done => { let n = 0; const frame = () => (n = window.asking ? 0 : n + 1) < 10 ? setTimeout(() => requestAnimationFrame(frame), 10) : done(true); frame() })`)
		shifts = js[float64](p, `window.shifts`)
		if wrong := js[string](p, `window.wrong.join(' | ')`); wrong != "" && !(strings.HasPrefix(path, "/reports/") && strings.Contains(wrong, "404")) {
			p.t.Errorf("%s: %s", path, wrong)
		}
	}
	if status := js[int](p, `performance.getEntriesByType('navigation')[0].responseStatus`); status != 200 {
		p.t.Errorf("%s: status %d", path, status)
	}
	if shifts >= 0.02 {
		p.t.Fatalf("%s: things moved by %.3f", path, shifts)
	}
}
