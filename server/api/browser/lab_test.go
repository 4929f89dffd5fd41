// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"testing"
)

// TestSearchLab unfolds two trees to their end: alpha-beta visits fewer positions than minimax, comes to the same value, and
// has cut.
func TestSearchLab(t *testing.T) {
	t.Parallel()
	p := newSite(t).ready("/lab")
	const number = `(pane, what) => Number(document.querySelectorAll('section.card')[pane]?.querySelector('[data-count=' + what + ']')?.innerText)`
	p.until(`(` + number + `)(1, 'visited') > 1`)
	p.press("To the beginning")
	p.until(`(` + number + `)(1, 'visited') === 0`)
	p.press("Next cut")
	p.until(`document.querySelectorAll('.say')[1].innerText.includes('This is a cut:')`)
	p.press("To the end")
	p.until(`(` + number + `)(0, 'visited') > (` + number + `)(1, 'visited') && (` + number + `)(0, 'cuts') === 0`)
	values := js[[]string](p, `[...document.querySelectorAll('section.card')].map(s => s.querySelector('tbody tr td:last-child').innerText)`)
	if len(values) != 2 || values[0] != values[1] || values[0] == "" {
		t.Errorf("minimax and alpha-beta come to %q", values)
	}
	p.press("To the beginning")
	p.keys(" ")
	p.until(`(` + number + `)(0, 'visited') > 2`)
}

// TestMatchOnPage starts a match on the page, watches it to its end, and replays a game.
func TestMatchOnPage(t *testing.T) {
	t.Parallel()
	p := newSite(t).ready("/matches")
	p.until(`document.querySelector('form option[value=tictactoe]')`)
	p.choose("form select", "tictactoe")
	p.press("A player that is not in the list")
	for _, spec := range []string{"random", "rules"} {
		js[bool](p, `(() => { const i = document.querySelector('.typed input'); i.value = '`+spec+`'; i.dispatchEvent(new Event('input', {bubbles: true})); return true })()`)
		p.press("Add")
		p.until(`[...document.querySelectorAll('.chosen li')].some(l => l.innerText.includes('` + map[string]string{"random": "Random", "rules": "Rule book"}[spec] + `'))`)
	}
	for range 2 {
		js[bool](p, `(document.querySelector('.chosen button').click(), true)`)
	}
	p.until(`document.querySelectorAll('.chosen li').length === 2`)
	p.press("Start the match")
	p.until(`/^.matches.[0-9]+$/.test(location.pathname) && document.querySelector('progress')?.value === 20`)
	p.until(`document.querySelector('.head')?.innerText.includes('finished')`)
	p.click(`a[href^="/analyze?"]`)
	p.until(`location.pathname === '/analyze' && new URLSearchParams(location.search).get('opening') === '2'`) // moves that no player chose
}

// TestPopulationOnPage starts a colony on the page, watches it grow, plays against a member, starts the ladder of its steps, and plays
// against a member with changed weights.
func TestPopulationOnPage(t *testing.T) {
	t.Parallel()
	p := newSite(t).ready("/learning")
	p.choose("form select", "ultimate")
	p.until(`document.querySelector('input[value=genetic]')`)
	// The list of learners may come again after the game was chosen, with its first one chosen.
	p.until(`(document.querySelector('input[value=genetic]').click(), [...document.querySelectorAll('form label')].some(l => l.innerText.startsWith('Generations')))`)
	for label, value := range map[string]string{"Generations": "4", "Players": "6", "Games": "10"} {
		p.until(`[...document.querySelectorAll('form label')].some(l => l.innerText.startsWith('` + label + `'))`)
		js[bool](p, `(() => { const i = [...document.querySelectorAll('form label')].find(l => l.innerText.startsWith('`+label+`')).querySelector('input')
			i.value = '`+value+`'; i.dispatchEvent(new Event('input', {bubbles: true})); return true })()`)
	}
	p.press("Start")
	p.until(`location.pathname === '/learning/1' && document.querySelectorAll('.colony tbody tr').length === 6`)
	p.until(`document.querySelector('progress').value === 4`)
	p.press("Tournament of steps")
	p.until(`location.pathname === '/matches/2' && document.querySelector('main').innerText.includes('Run 1, step 4')`)
	p.pressBefore("Stop", `document.querySelector('.head').innerText.includes('finished')`)
	p.pressBefore("Continue", `document.querySelector('.head').innerText.includes('finished')`)
	p.until(`document.querySelectorAll('.table table tbody tr').length > 0`)
	p.pressBefore("Stop", `document.querySelector('.head').innerText.includes('finished')`)
	p.visit("/learning/1")
	p.until(`document.querySelector('.colony tbody a')`)
	js[bool](p, `(document.querySelectorAll('.colony tbody a')[1].click(), true)`)
	p.until(`document.querySelector('input[value="run:1,step=4,member=2"]')?.checked`)
	p.click(`button[type=submit]`)
	p.until(`location.pathname.startsWith('/play/') && ` + mine)
	p.cell(40)
	p.until(plies + ` >= 2`)

	p.visit("/learning/1")
	p.until(`document.querySelector('.colony tbody button')`)
	js[bool](p, `(document.querySelectorAll('.colony tbody button')[1].click(), true)`)
	p.until(`document.querySelector('.edit legend')?.innerText === 'Member 2'`)
	js[bool](p, `(() => { const i = [...document.querySelectorAll('.edit label')].find(l => l.innerText.trim() === 'centre').querySelector('input')
		i.value = '9.5'; i.dispatchEvent(new Event('input', {bubbles: true})); return true })()`)
	p.until(`[...document.querySelectorAll('.edit a')].every(a => decodeURIComponent(a.href).includes(',centre=9.5,'))`)
	p.click(`.edit a:last-of-type`)
	p.until(`document.querySelector('input[value^="minimax:depth=4,eval=indicators(change=(corner="]')?.checked`)
	p.click(`button[type=submit]`)
	p.until(`location.pathname.startsWith('/play/') && document.querySelector('main').innerText.includes('changed weights') && ` + mine)
	p.cell(40)
	p.until(plies + ` >= 2`)
}

// TestStudyOnPage sees the report that came with krow, starts a study in small on the page, replays a game of its grid, chooses another reading, and stops a study.
func TestStudyOnPage(t *testing.T) {
	t.Parallel()
	p := newSite(t).ready("/reports/published")
	p.until(`document.querySelector('.cells button') && document.querySelector('main').innerText.includes('as it came with krow')`)
	p.choose(".actions select:last-of-type", "small")
	p.click(".actions button")
	p.until(`document.querySelector('.cells button') && !document.querySelector('main').innerText.includes('as it came with krow')`)
	js[bool](p, `(document.querySelector('.cells button').click(), true)`)
	p.until(`document.querySelector('.game [role=grid]')`)
	p.choose(".actions select", "control")
	p.until(`location.search.includes('reading=control') && document.querySelector('main').innerText.includes('as it came with krow')`)
	p.click(".actions button")
	p.until(`document.querySelector('article strong')?.innerText.includes('fixed parameters') && !document.querySelector('main').innerText.includes('as it came with krow')`)
	p.visit("/reports/heuristics?size=small")
	p.click(".actions button")
	p.pressBefore("Stop", `document.querySelector('.actions button')?.innerText.startsWith('Run again')`)
	p.until(`document.querySelector('.actions button').innerText !== 'Stop'`)
}

// TestAnotherPlayerAnalyses lets another player analyse than the strongest.
func TestAnotherPlayerAnalyses(t *testing.T) {
	t.Parallel()
	p := newSite(t).ready("/analyze?game=tictactoe&moves=b2")
	p.until(`document.querySelector('.who option[value="lines"]')`)
	p.choose(".who select", "lines")
	p.until(`document.querySelector('.who select').value === 'lines' && /depth \d/.test(document.querySelector('section small')?.innerText)`)
}

// TestForbiddenPointsSayWhy shows where black may not play in renju, and says why.
func TestForbiddenPointsSayWhy(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := s.ready("/analyze?game=renju&moves=h8+a1+h9+c1+i10+e1+j10+g1")
	const h10 = `[...document.querySelectorAll('.cell')].find(c => c.ariaLabel.startsWith('h10'))`
	p.until(h10 + `?.ariaLabel.includes('forbidden: double three')`)
	p.until(`document.querySelector('svg .forbidden, .forbidden')`)
}

// TestSwap2Player opens a game by swap2 against a player: it takes a colour, or places two stones and leaves the choice.
func TestSwap2Player(t *testing.T) {
	t.Parallel()
	p := newSite(t).ready("/opening?game=gomoku:9&rule=swap2&player=best:time%3D100ms&seed=1")
	p.until(`document.querySelector('.cell.legal')`)
	for _, cell := range []int{40, 41, 49} {
		p.cell(cell)
	}
	p.press("Done (3 of 3)")
	const asked = `[...document.querySelectorAll('.choices button')].some(b => b.innerText === 'Swap colours' && !b.disabled)`
	p.until(`location.pathname.startsWith('/play/') || ` + asked)
	if js[bool](p, asked) {
		p.press("Swap colours")
	}
	p.until(`location.pathname.startsWith('/play/') && ` + plies + ` >= 3`)
}
