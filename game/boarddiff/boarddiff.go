// SPDX-License-Identifier: Apache-2.0

// Package boarddiff keeps a copy of a board and returns the cells that have changed since the copy was last updated.
//
// Several incremental evaluators use this package. An evaluator is called before a move is made, and only the position knows all
// cells that the move changes: a stone may fall, and stones may be captured.
//
// # Basics
//
//	m.Reset(p)
//	for _, c := range m.Play(move) { apply(c) } // changes of earlier moves; then p.Play(move)
//	for _, c := range m.Sync() { apply(c) }     // the copy is the board now
//	for _, c := range slices.Backward(m.Undo()) { revert(c) } // after p.Undo()
//
// # Caveats
//
// The copy is updated late, so a move that is taken back at once costs nothing. The copy is certain to equal the board only
// after Sync. Sync compares all cells, so it also finds changes by moves for which Play was not called.
//
// # Speed
//
// Play and Undo cost O(changes). Sync compares 64 cells at a time.
package boarddiff

import "github.com/krow-lab/krow/game"

// Change says that the content of a cell has changed from Old to New.
type Change struct {
	Cell     int32
	Old, New game.Stone
}

// Mirror keeps a copy of one board. Call Reset before any other method.
//
// The field log contains the returned changes. Each call of Play begins a new part of the log. The changes found until the next
// call of Play are appended to this part, and Undo removes the part:
//
//	log    c0 c1 | c2 | c3 c4 c5 |
//	marks        2    3          6     the length of the log at each Play
type Mirror struct {
	board game.Board
	cells []game.Stone
	log   []Change
	marks []int
	// pending is the cell of the last move passed to Play, until the cell is compared with the board; otherwise it is none.
	pending int
}

const none = -1

// Reset makes m follow b, and copies its current cells.
func (m *Mirror) Reset(b game.Board) {
	m.board = b
	m.cells = append(m.cells[:0], b.Cells()...)
	m.log, m.marks, m.pending = m.log[:0], m.marks[:0], none
}

// Follow makes m follow b, a board of the same size, but keeps the old copy of the cells. So the next Sync returns the cells in
// which b differs from the old copy. Earlier changes can no longer be undone.
func (m *Mirror) Follow(b game.Board) {
	m.board, m.log, m.marks, m.pending = b, m.log[:0], m.marks[:0], none
}

// Cells returns the copy. It includes only changes that a method of Mirror has already returned. The caller must not write to
// the copy.
func (m *Mirror) Cells() []game.Stone { return m.cells }

// Play must be called just before the board plays mv. It looks only at the cell of the previous move, and returns the change
// of this cell unless an earlier call has returned it. Sync finds all changes. The slice is valid until the next call of a
// method.
func (m *Mirror) Play(mv game.Move) []Change {
	start := len(m.log)
	m.settle(m.board.Cells())
	m.marks = append(m.marks, len(m.log))
	m.pending = m.board.Cell(mv)
	return m.log[start:]
}

// Undo must be called just after the board took its last move back. It returns the changes to revert, in the order in which
// they were made: revert the last one first. The slice is valid until the next call of a method.
func (m *Mirror) Undo() []Change {
	m.pending = none
	if len(m.marks) == 0 {
		return nil // the move was made before Reset; Sync will find the difference
	}
	start := m.marks[len(m.marks)-1]
	m.marks = m.marks[:len(m.marks)-1]
	undone := m.log[start:]
	for i := len(undone) - 1; i >= 0; i-- {
		m.cells[undone[i].Cell] = undone[i].Old
	}
	m.log = m.log[:start]
	return undone
}

// Sync makes the copy equal to the board and returns the changes. The slice is valid until the next call of a method.
func (m *Mirror) Sync() []Change {
	start := len(m.log)
	cells := m.board.Cells()
	m.settle(cells)
	for i := differ(m.cells, cells, 0); i < len(cells); i = differ(m.cells, cells, i+1) {
		m.change(i, cells[i])
	}
	return m.log[start:]
}

// Last returns the changes by the last move once more. It includes only changes that another method has already returned.
// The slice is valid until the next call of a method.
func (m *Mirror) Last() []Change {
	if len(m.marks) == 0 {
		return nil
	}
	return m.log[m.marks[len(m.marks)-1]:]
}

// settle compares the cell of the move last passed to Play with the same cell of the board, and updates the copy of this cell.
func (m *Mirror) settle(cells []game.Stone) {
	if c := m.pending; c != none && m.cells[c] != cells[c] {
		m.change(c, cells[c])
	}
	m.pending = none
}

func (m *Mirror) change(cell int, s game.Stone) {
	m.log = append(m.log, Change{int32(cell), m.cells[cell], s})
	m.cells[cell] = s
}

// differ returns the first index at or after i at which a and b differ, or their length if there is none. It converts parts of
// the slices to arrays, because a comparison of two arrays reads several cells at once, but a loop over two slices compares
// cell by cell.
func differ(a, b []game.Stone, i int) int {
	for i+64 <= len(a) && *(*[64]game.Stone)(a[i:]) == *(*[64]game.Stone)(b[i:]) {
		i += 64
	}
	for i+8 <= len(a) && *(*[8]game.Stone)(a[i:]) == *(*[8]game.Stone)(b[i:]) {
		i += 8
	}
	for i < len(a) && a[i] == b[i] {
		i++
	}
	return i
}
