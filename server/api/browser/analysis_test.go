// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"strings"
	"testing"
)

// settled opens a page of the analysis with some settings; the engine runs.
func settled(t *testing.T, path, settings string) *page {
	p := newSite(t).tab(path, `{`+settings+`}`)
	p.until(`document.querySelector('[role=grid]')`)
	return p
}

const lines = `document.querySelectorAll('section[aria-label=Engine] ol li')`

// TestSevenColumns: on the empty board of Connect Four each column has its score at once, the mirror images the same.
func TestSevenColumns(t *testing.T) {
	t.Parallel()
	p := settled(t, "/analyze?game=connect4", `"seconds": 600`)
	p.until(lines + `.length === 7`)
	p.until(`document.querySelectorAll('.mark-text').length === 7`)
	if got := js[string](p, `[...document.querySelectorAll('.mark-text')].map(m => [+m.getAttribute('x'), m.textContent]).sort((a, b) => a[0] - b[0]).map(m => m[1]).join(' ')`); got != "40 42 = 41 = 42 40" {
		t.Errorf("the columns say %q", got)
	}
	if got := js[string](p, `[...`+lines+`].map(l => l.querySelector('b').textContent.trim()).filter((w, i, all) => all.indexOf(w) === i).join()`); got != "Red wins in 41,A draw,Yellow wins in 42,Yellow wins in 40" {
		t.Errorf("the lines are worth %q", got)
	}
	if head := p.text("section[aria-label=Engine] .score"); !strings.HasPrefix(head, "Red wins in 41") {
		t.Errorf("the engine says %q", head)
	}
	if !js[bool](p, `document.querySelector('.mark.drawn') && document.querySelector('.mark.lost') && getComputedStyle(document.querySelector('.mark.drawn')).fill !== getComputedStyle(document.querySelector('.mark.lost')).fill`) {
		t.Error("a draw looks like a loss")
	}
	// A line that the pointer is on keeps its height.
	if !js[bool](p, `(() => { const l = document.querySelector('section ol li'); const h = l.offsetHeight; l.querySelector('button').dispatchEvent(new PointerEvent('pointerenter')); return new Promise(done => requestAnimationFrame(() => done(l.offsetHeight === h))) })()`) {
		t.Error("lines move below the pointer")
	}
	if js[bool](p, `document.querySelector('section[aria-label=Engine]').innerText.includes('estimate')`) {
		t.Error("a proved score is called an estimate")
	}
}

// TestHintOfColumns: a hint in a game of Connect Four says what every column is worth.
func TestHintOfColumns(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	path := s.begin("connect4", "human", "human")
	p := s.open(path)
	p.until(`document.querySelector('.cell.legal')`)
	p.keys("h")
	p.until(`document.querySelectorAll('.mark-text').length === 7 && document.querySelector('.mark-text.best')?.textContent === '41'`)
}

// TestOpenValueIsCalledEstimate: what is not proved is called an estimate, on the line and in the help of the units.
func TestOpenValueIsCalledEstimate(t *testing.T) {
	t.Parallel()
	p := settled(t, "/analyze?game=gomoku:9&moves=e5+e6", `"seconds": 2`)
	p.until(lines + `.length === 3`)
	p.until(`document.querySelector('.estimate')?.innerText === 'estimate'`)
	p.press("Meaning of the scores")
	p.until(`document.querySelector('.units:popover-open')?.innerText.includes('wins in 4 plies')`)
}

// TestPointOfView: the number of the bar stands in the half of the side it speaks for, and scores turn with the view.
func TestPointOfView(t *testing.T) {
	t.Parallel()
	// The second side is to move and loses.
	p := settled(t, "/analyze?game=connect4&moves=4", `"seconds": 600`)
	const number = `document.querySelector('.bar span')`
	p.until(number + `?.innerText === '0' && ` + number + `.classList.contains('top')`)
	p.press("Meaning of the scores")
	p.choose(".units select", "first")
	p.until(number + `.innerText === '100' && !` + number + `.classList.contains('top')`)
	p.until(lines + `[0].querySelector('b').textContent.trim() === 'Red wins in 40'`)
	p.choose(".units select", "second")
	p.until(number + `.innerText === '0' && ` + number + `.classList.contains('top')`)
	p.choose(".units select", "leader")
	p.until(number + `.innerText === '100' && !` + number + `.classList.contains('top')`)
	// An estimate turns with the view, and names its side.
	p.to("/analyze?game=gomoku:9&moves=e5+e6+f5")
	p.choose(".units select", "first")
	p.until(lines + `[0]?.querySelector('b').textContent.trim().startsWith('Black ')`)
	p.choose(".units select", "second")
	p.until(lines + `[0]?.querySelector('b').textContent.trim().startsWith('White ')`)
}

// TestChancesLieOnBoard: the engine's own chances and efforts lie on the board, and the values of a heuristic are short.
func TestChancesLieOnBoard(t *testing.T) {
	t.Parallel()
	p := settled(t, "/analyze?game=gomoku:9&moves=e5+e6+f5+f6", `"seconds": 2, "values": true, "candidates": false, "heuristic": "effort"`)
	p.until(`document.querySelectorAll('.value').length > 1`)
	p.until(`(() => { const sum = [...document.querySelectorAll('.value-text')].reduce((a, e) => a + parseFloat(e.textContent), 0); return sum > 50 && sum < 105 })()`)
	p.choose(".layers select", "chance")
	p.until(`document.querySelectorAll('.value').length > 0 && [...document.querySelectorAll('.value-text')].every(e => parseFloat(e.textContent) <= 100)`)
	p.choose(".layers select", "mics")
	if names := js[string](p, `document.querySelector('.layers select').innerText`); strings.Contains(names, "mics") {
		t.Errorf("values are called by the name of a program: %s", names)
	}
	p.until(`document.querySelectorAll('.value').length > 30`)
	if long := js[string](p, `[...document.querySelectorAll('.value-text')].map(e => e.textContent).filter(x => x.length > 6).join(' ')`); long != "" {
		t.Errorf("values that are too long for a cell: %s", long)
	}
	if share := js[string](p, lines+`[0].querySelector('.how').innerText`); !strings.Contains(share, "%") {
		t.Errorf("the first line tells no share of the effort: %q", share)
	}
}

// TestManyLines: a win that is proved does not take the other lines away, and they are in the order of their scores.
func TestManyLines(t *testing.T) {
	t.Parallel()
	p := settled(t, "/analyze?game=gomoku:9&moves=e5+a1+f5+a2+g5+a3+d5+a9", `"seconds": 600`)
	p.until(lines + `.length === 3 && ` + lines + `[0].querySelector('b').textContent.trim() === 'Black wins in 1'`)
	p.until(`[...` + lines + `].slice(1).every(l => l.querySelector('b').textContent.trim() !== 'Black wins in 1' || l.innerText.includes('5'))`)
}

// TestFinishedAnalysisIsKept: an analysis that went to its end is not made again when one steps back; a deeper one takes its place.
func TestFinishedAnalysisIsKept(t *testing.T) {
	t.Parallel()
	p := settled(t, "/analyze?game=connect4&moves=444", `"seconds": 600`)
	p.until(lines + `.length === 7 && [...` + lines + `].every(l => /wins in|A draw/.test(l.querySelector('b').innerText))`)
	p.until(`(` + metric("krow_streams") + `) === 0`) // it has come to its end
	p.keys("[")
	p.until(stones + ` === 2 && ` + lines + `.length === 7 && !document.querySelector('section[aria-label=Engine]').innerText.includes('earlier result')`)
	p.keys("]")
	p.until(stones + ` === 3 && ` + lines + `.length === 7 && document.querySelector('section[aria-label=Engine]').innerText.includes('earlier result')`)
}

// TestAnalysisRunsUntilStopped: an analysis without a time goes on until it is stopped.
func TestAnalysisRunsUntilStopped(t *testing.T) {
	t.Parallel()
	p := settled(t, "/analyze?game=gomoku:9&moves=e5+e6", `"seconds": 0`)
	p.until(lines + `.length === 3`)
	p.until(`document.querySelector('section[aria-label=Engine] select:last-of-type') && [...document.querySelectorAll('section[aria-label=Engine] option')].some(o => o.selected && o.innerText === '∞' && o.title === 'until stopped')`)
	p.keys("l")
	p.until(`[...document.querySelectorAll('section[aria-label=Engine] button')].some(b => b.innerText === 'Start')`)
}

// TestVariationsSideBySide: the variations of a tree side by side, each with its value from one side's view; a click goes there.
func TestVariationsSideBySide(t *testing.T) {
	t.Parallel()
	p := quiet(t, "/analyze?game=tictactoe&moves=b2+a1+a2")
	p.until(stones + ` === 3`)
	p.keys("[[")
	p.until(stones + ` === 1`)
	p.cell(1)
	p.until(stones + ` === 2`)
	p.press("Variations side by side")
	p.until(`document.querySelectorAll('details table tbody tr').length === 2`)
	p.press("Value all")
	p.until(`[...document.querySelectorAll('details table tbody tr')].map(r => r.querySelector('b')?.textContent ?? '').join(' ').match(/^A draw\s+(Cross|Circle)\s+wins in \d/)`)
	js[bool](p, `document.querySelector('details table tbody tr button').click() || true`)
	p.until(stones + ` === 3`)
}
