// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"fmt"
	"os"
	"slices"
	"testing"
)

// TestTimesAPersonFeels measures what a person feels, for docs/measurements/page.md. It asserts nothing, since it depends on what else the
// machine does; KROW_TIMINGS=1 runs it.
func TestTimesAPersonFeels(t *testing.T) {
	if os.Getenv("KROW_TIMINGS") == "" {
		t.Skip("KROW_TIMINGS is not set")
	}
	s := newSite(t)
	path := s.begin("gomoku:19", "human", "human")
	p := s.open("/") // nothing of this address is known to the browser
	p.until(`document.querySelector('.puzzle .cell.legal')`)
	load := js[float64](p, `performance.getEntries().reduce((n, e) => n + (e.encodedBodySize ?? 0), 0)`)
	var ready, first []float64
	for range 7 {
		p.visit(path)
		p.until(mine)
		ready = append(ready, js[float64](p, `performance.now()`))
		first = append(first, js[float64](p, `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`))
	}

	p.visit(path)
	p.until(mine)
	js[bool](p, `(() => { let at = 0, before = 0; window.took = []
		const stones = () => document.querySelectorAll('[data-ply]').length
		addEventListener('click', e => { at = e.timeStamp; before = stones() }, true)
		new MutationObserver(() => { if (at && (document.querySelector('.shadow.pending') || stones() > before)) { const since = at; at = 0; requestAnimationFrame(() => window.took.push(performance.now() - since)) } })
			.observe(document.querySelector('main'), {subtree: true, childList: true, attributes: true}); return true })()`)
	for i := range 15 {
		p.cell(20 + 19*(i%7) + 2*i)
		p.until(fmt.Sprintf(`window.took.length === %d && %s`, i+1, mine))
	}
	stone := js[[]float64](p, `window.took`)

	p.visit("/analyze?game=gomoku:19&moves=k10+k11+l10")
	p.until(`document.querySelector('section .by small')?.innerText.match(/[0-9]/)`)
	updates := js[[]float64](p, `new Promise(done => { let n = 0, last = performance.now(), gap = 0
		const o = new MutationObserver(() => n++); o.observe(document.querySelector('section .by small'), {subtree: true, childList: true, characterData: true})
		const frame = now => { gap = Math.max(gap, now - last); last = now; requestAnimationFrame(frame) }; requestAnimationFrame(frame)
		setTimeout(() => { o.disconnect(); done([n / 5, gap]) }, 5000) })`)

	t.Logf("ready to play: %s; first paint: %s", spread(ready), spread(first))
	t.Logf("first load, packed: %.1f kB", load/1000)
	t.Logf("click to stone: %s", spread(stone))
	t.Logf("analysis of 19x19: %.1f updates a second, longest frame %.0f ms", updates[0], updates[1])
}

// spread writes the least, the middle and the most of some milliseconds.
func spread(ms []float64) string {
	slices.Sort(ms)
	return fmt.Sprintf("%.0f / %.0f / %.0f ms", ms[0], ms[len(ms)/2], ms[len(ms)-1])
}
