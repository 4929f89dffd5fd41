// SPDX-License-Identifier: Apache-2.0

package browser

import "testing"

// give hands a file to the first input for files that a selector finds.
func (p *page) give(selector, name, text string) {
	p.t.Helper()
	p.giveData(selector, name, "`"+text+"`")
}

// giveData is give with an expression for the contents of the file.
func (p *page) giveData(selector, name, data string) {
	p.t.Helper()
	p.until(`document.querySelector('` + selector + `')`)
	js[bool](p, `(() => {
		const held = new DataTransfer()
		held.items.add(new File([`+data+`], '`+name+`'))
		const input = document.querySelector('`+selector+`')
		input.files = held.files
		input.dispatchEvent(new Event('change', { bubbles: true }))
		return true
	})()`)
}

// drop drops a file on what a selector finds.
func (p *page) drop(selector, name, text string) {
	p.t.Helper()
	p.until(`document.querySelector('` + selector + `')`)
	js[bool](p, `(() => {
		const held = new DataTransfer()
		held.items.add(new File([`+"`"+text+"`"+`], '`+name+`'))
		for (const type of ['dragover', 'drop'])
			document.querySelector('`+selector+`').dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: held }))
		return true
	})()`)
}

// TestExplorerOfCollections adds games, looks at what was played, goes on by a row and by the board, and opens a game; then it deletes
// the collection, takes that back, and deletes it again.
func TestExplorerOfCollections(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := s.ready("/explorer")
	p.until(`document.body.innerText.includes('No game reached this position')`)
	p.give(`.drop input[type=file]`, "club.txt", "h8 h9 i9 1-0\\nh8 g8 g7 0-1\\nh8 z9\\n")
	p.until(`document.querySelector('.drop').innerText.includes('games read: 3, new: 2, known: 0, invalid: 1')`)
	p.until(`document.querySelector('.drop').innerText.includes('club.txt: line 3')`)
	p.until(`document.querySelectorAll('tbody tr').length === 1`)
	p.press("h8")
	p.until(`location.search.includes('moves=h8') && document.querySelector('tbody button')?.innerText === 'h9'`)
	p.press("h9")
	p.until(`document.querySelector('aside [role=status]').innerText === 'Games: 2'`)
	p.cell(8*15 + 8)
	p.until(`document.querySelector('aside [role=status]').innerText === 'Kagetsu (4D) · Games: 2'`)
	if got := js[int](p, `document.querySelectorAll('aside ul a').length`); got != 2 {
		t.Errorf("%d games, want 2", got)
	}
	p.choose(`.filter select`, "first wins")
	p.until(`location.search.includes('result=first') && document.querySelector('aside [role=status]').innerText === 'Kagetsu (4D) · Games: 1'`)
	p.visit("/explorer?moves=h8+h9&player=nobody")
	p.until(`document.body.innerText.includes('No game reached this position') && document.querySelector('.filter input')?.value === 'nobody'`)
	const scores = `document.querySelectorAll('rect.value').length`
	p.until(scores + ` > 60`)
	p.click(`aside .check input`)
	p.until(scores + ` === 0`)
	p.visit("/explorer?moves=h8+h9")
	p.press("Engine values")
	p.until(`document.querySelector('tbody td:last-child')?.innerText.match(/[0-9]/)`)
	p.click(`aside ul a`)
	p.until(`location.pathname === '/analyze' && location.search.includes('at=2')`)
	p.press("Opening explorer")
	p.until(`document.querySelector('details[open] tbody button')?.innerText === 'i9'`)
	p.click(`details[open] tbody button`)
	p.until(`document.querySelector('details[open] [role=status]')?.innerText === 'Kagetsu (4D) · Games: 2'`)

	p.visit("/explorer")
	p.drop(`.drop`, "again.txt", "h8 h9 i9 1-0\\n")
	p.until(`document.querySelector('.drop').innerText.includes('games read: 1, new: 0, known: 1, invalid: 0') && document.querySelector('.openings')`)
	js[bool](p, `([...document.querySelectorAll('.openings button')].find(b => b.innerText.startsWith('Hogetsu (7I)')).click(), true)`)
	p.until(`document.querySelector('aside [role=status]').innerText.startsWith('Hogetsu (7I)')`)
	p.visit("/explorer")
	p.until(`[...document.querySelectorAll('.openings')].map(o => o.children.length).join() === '26,30' && document.querySelector('.openings b')`)
	p.click(`.openings:not(:has(b)) button`)
	p.until(`new URLSearchParams(location.search).get('moves')?.split(' ').length === 3`)

	p.visit("/explorer?game=connect4") // where no game came, the engine values the moves
	p.until(`document.querySelectorAll('.mark-text').length === 7`)
	p.visit("/explorer")
	const left = `[...document.querySelectorAll('.set')].some(e => e.textContent.includes('club'))`
	p.until(left)
	js[bool](p, `(document.querySelector('details.card').open = true)`)
	forget := `(document.querySelector('button[aria-label="Delete: club"]').click(), true)`
	js[bool](p, forget)
	p.until(`!` + left)
	p.press("Undo")
	p.until(left)
	p.hurry()
	js[bool](p, forget)
	p.until(`document.body.innerText.includes('No game reached this position')`)
}
