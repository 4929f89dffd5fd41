// SPDX-License-Identifier: Apache-2.0

// Package boarddiff keeps a copy of a board and says which cells have changed since it last looked.
//
// Incremental evaluators share it. They learn of a move before it is made, and only the position knows what the move
// did: a stone fell, stones were captured.
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
// Changes come late, so that a move that is taken back at once costs nothing: only after Sync the copy is the board.
// Sync compares all cells, and finds a missed move too.
//
// # Speed
//
// Play and Undo cost O(changes). Sync compares 64 cells at a time.
package boarddiff

import "github.com/krow-lab/krow/game"

// Change is a cell that holds New where it held Old.
type Change struct {
	Cell     int32
	Old, New game.Stone
}

// Mirror follows one board. The zero value must be Reset first.
//
// Each Play opens a frame; the changes found from then on are logged in it, and Undo takes them back:
//
//	log    c0 c1 | c2 | c3 c4 c5 |
//	marks        2    3          6     the length of the log at each Play
type Mirror struct {
	board   game.Board
	cells   []game.Stone
	log     []Change
	marks   []int
	pending int // the cell of the last Play, not looked at yet, or none
}

const none = -1

// Reset ties the mirror to the current state of b.
func (m *Mirror) Reset(b game.Board) {
	m.board = b
	m.cells = append(m.cells[:0], b.Cells()...)
	m.log, m.marks, m.pending = m.log[:0], m.marks[:0], none
}

// Follow ties the mirror to another board of the same size and keeps the copy: Sync returns how the two differ. There is nothing
// to undo afterwards.
func (m *Mirror) Follow(b game.Board) {
	m.board, m.log, m.marks, m.pending = b, m.log[:0], m.marks[:0], none
}

// Cells returns the copy: the board as of the changes handed out. It must not be written.
func (m *Mirror) Cells() []game.Stone { return m.cells }

// Play must be called just before the board plays mv. It returns the changes of the move before, if they
// have not been handed out yet. The slice is good until the next call.
func (m *Mirror) Play(mv game.Move) []Change {
	start := len(m.log)
	m.settle(m.board.Cells())
	m.marks = append(m.marks, len(m.log))
	m.pending = m.board.Cell(mv)
	return m.log[start:]
}

// Undo must be called just after the board took its last move back. It returns the changes to revert, the
// last one first. The slice is good until the next call.
func (m *Mirror) Undo() []Change {
	m.pending = none
	if len(m.marks) == 0 {
		return nil // a move from before Reset: Sync will see it
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

// Sync returns the changes that make the copy equal to the board. The slice is good until the next call.
func (m *Mirror) Sync() []Change {
	start := len(m.log)
	cells := m.board.Cells()
	m.settle(cells)
	for i := differ(m.cells, cells, 0); i < len(cells); i = differ(m.cells, cells, i+1) {
		m.change(i, cells[i])
	}
	return m.log[start:]
}

// Last returns the changes of the last move, as far as they have been handed out. The slice is good until the next call.
func (m *Mirror) Last() []Change {
	if len(m.marks) == 0 {
		return nil
	}
	return m.log[m.marks[len(m.marks)-1]:]
}

// settle looks at the one cell that the last move is known to have changed.
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

// differ returns the first index from i on at which a and b differ, or their length. Arrays are compared in
// one go where slices are not.
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
