// SPDX-License-Identifier: Apache-2.0

package browser

import "testing"

// TestLessonsOnBoard takes lessons of three kinds of boards: a wrong move is said to be wrong, a right one goes on, and the list keeps
// what is done.
func TestLessonsOnBoard(t *testing.T) {
	t.Parallel()
	p := newSite(t).ready("/lessons")
	p.click(`main ol li:first-child a`)
	p.until(`document.querySelector('main h1')?.textContent === 'Threats and forks' && document.querySelector('[role=grid]')`)
	p.cell(8) // c3, and a3 wins
	p.until(`document.querySelector('.bad')?.textContent.startsWith('c3 is not the right move')`)
	p.cell(6)
	p.until(`document.querySelector('.good')?.textContent === 'Three in a row: the game is won.'`)
	p.press("Next step")
	p.until(`document.querySelector('.task').textContent.startsWith('Your opponent threatens')`)
	p.press("Hint")
	p.cell(6)
	p.until(`document.querySelector('.good')`)
	p.click(`.actions a[href="/lessons"]`)
	p.until(`document.querySelector('progress')?.value === 2`)

	p.visit("/lessons/forbidden")
	p.until(`document.querySelector('[role=grid]')`)
	p.cell(4 + 4*9)
	p.until(`document.querySelector('.good')?.textContent.startsWith('A double three')`)

	p.visit("/lessons/connect")
	p.until(`document.querySelector('[role=grid]')`)
	p.cell(6)
	p.until(`document.querySelector('.good')`)
}
