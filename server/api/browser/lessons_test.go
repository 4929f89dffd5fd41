// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"fmt"
	"testing"
)

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

// TestPlansAreTaught takes an exercise of the lessons on Connect Four by plans: a move that leaves the plan is answered by the move of
// the plan and its rule, and the exercise that was played to the win is done.
func TestPlansAreTaught(t *testing.T) {
	t.Parallel()
	p := newSite(t).ready("/lessons/plan-order")
	p.cell(6)
	p.until(`document.querySelector('.bad')?.textContent === 'Column 7 leaves the plan, which plays in column 5. A plan of 1 rule begins here.'`)
	p.cell(4)
	p.until(`document.querySelector('.good')?.textContent.startsWith('Right. The opponent answers in column 1.')`)
	p.cell(0)
	p.until(`document.querySelector('.bad')?.textContent.endsWith('Rule 1 of the plan: play on row 1 of column 3 as soon as possible.') && document.querySelector('li.shown') && document.querySelectorAll('.mark.hint').length === 1`)
	for i := range 3 {
		p.cell(2)
		p.until(fmt.Sprintf(`document.querySelectorAll('[data-cell]').length === 42 && document.querySelector('.good')?.textContent.includes(%q)`,
			[]string{"column 3. Rule 1", "column 2. This move stops", "You have won by the plan."}[i]))
	}
	p.press("Next step")
	p.until(`document.querySelector('.table .soft').textContent === 'Step 2 of 5'`)
	p.visit("/lessons")
	p.until(`document.querySelector('progress[aria-label="Cells in their order"]')?.value === 1`)
}
