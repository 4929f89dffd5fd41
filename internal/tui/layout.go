// SPDX-License-Identifier: Apache-2.0

package tui

// The screen, for a board that fits:
//
//	0  gutter                  panel
//	15 . . . . . . .           gomoku   at h8
//	14 . .[X]. . . .           X human
//	13 . . .>O . . .           ...
//	   a b c d e f g
//	what happened
//
// A cell takes two characters: what stands at its left, and itself. A separator is as wide as a cell. One more
// character at the end of a row has room for the cursor's bracket.
const (
	gutter    = 4 // of the row numbers; the first cell's left character is its last one
	cellWidth = 2
	minPanel  = 34 // a narrower one goes below the board
)

// axis is one direction of the part of a board that is shown: shown cells from first on. A slot is a place on the
// screen; after each block of cells one slot is a separator:
//
//	cell  3 4 5 | 6 7 8        first 3, shown 6, block 3
//	slot  0 1 2 3 4 5 6
type axis struct{ first, shown, total, block int }

// slot returns the place of cell i, which may lie outside the screen.
func (a axis) slot(i int) int { return i + i/a.block - a.first - a.first/a.block }

// slots returns the number of places that are taken.
func (a axis) slots() int { return a.slot(a.first+a.shown-1) + 1 }

// at returns the cell in a slot, or false for a separator and for places outside.
func (a axis) at(slot int) (int, bool) {
	for i := a.first; i < a.first+a.shown; i++ {
		if a.slot(i) == slot {
			return i, true
		}
	}
	return 0, false
}

func (a axis) shows(i int) bool { return i >= a.first && i < a.first+a.shown }

// fit returns the number of cells for which there is room, whichever comes first.
func (a axis) fit(room int) int {
	for n := a.total; n > 1; n-- {
		if separators := min((n+a.block-2)/a.block, (a.total-1)/a.block); n+separators <= room {
			return n
		}
	}
	return 1
}

// follow moves the part that is shown as little as it must to have the cursor in it, and not at its edge.
func (a axis) follow(cursor int) axis {
	margin := min(2, (a.shown-1)/2)
	a.first = min(max(a.first, cursor+margin-a.shown+1), cursor-margin)
	a.first = max(0, min(a.first, a.total-a.shown))
	return a
}

// arrange chooses the part of the board that is shown.
func (m *model) arrange() {
	m.across.total, m.across.block = m.v.Columns, m.v.Columns
	m.down.total, m.down.block = m.v.Rows, m.v.Rows
	if m.v.Small != nil {
		m.across.block, m.down.block = smallSide, smallSide
	}
	m.across.shown = m.across.fit((m.width - gutter) / cellWidth)
	if _, _, beside := m.panelRoom(); !beside && m.width >= 2*minPanel {
		m.across.shown = m.across.fit((m.width - gutter - 2 - minPanel) / cellWidth)
	}
	m.down.shown = m.down.fit(m.height - 1 - m.namesHeight())
	x, y := m.place(m.target())
	m.across, m.down = m.across.follow(x), m.down.follow(y)
}

// boardWidth returns how many characters a row takes.
func (m *model) boardWidth() int { return gutter + m.across.slots()*cellWidth }

// panelRoom returns the size of the panel, and whether it is beside the board or below.
func (m *model) panelRoom() (width, height int, beside bool) {
	if beside := m.width - m.boardWidth() - 2; beside >= minPanel {
		return beside, m.height - 1, true
	}
	return m.width, m.height - 1 - m.down.slots() - m.namesHeight(), false
}

// cellAt returns the place of the cell under a point of the screen.
func (m *model) cellAt(x, y int) (column, row int, ok bool) {
	if x < gutter-1 {
		return 0, 0, false
	}
	column, onColumn := m.across.at((x - gutter + 1) / cellWidth)
	row, onRow := m.down.at(y)
	return column, row, onColumn && onRow
}
