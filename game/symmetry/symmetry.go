// SPDX-License-Identifier: Apache-2.0

// Package symmetry computes the symmetric views of a board: the rotations and reflections that leave the rules unchanged.
//
// # Basics
//
//	views := symmetry.Of(g)            // the first is the unchanged board
//	l := symmetry.NewLine(g)
//	err := l.Play(m)                   // checked
//	key := l.Key()                     // equal for all views of the position
//
// A square board has eight views, a rectangular board four, and a board with falling stones two: the board itself and its
// mirror image.
//
// # Caveats
//
// A key is a 64-bit hash of the rules and the position. Different positions may have equal keys: among ten million positions
// this happens with a probability of about one in 300,000.
package symmetry

import (
	"hash/fnv"
	"slices"

	"github.com/krow-lab/krow/game"
)

// View is a rotation or reflection of the board.
type View struct {
	Moves []game.Move // Moves[m] is the move in the view that corresponds to move m of the board
	cells []int       // cells[c] is the cell in the view that corresponds to cell c of the board
}

// Cell returns the cell to which the view moves a cell of the board.
func (v View) Cell(cell int) int { return v.cells[cell] }

// Inverse returns the view that moves every cell back to its place.
func (v View) Inverse() View {
	w := View{Moves: make([]game.Move, len(v.Moves)), cells: make([]int, len(v.cells))}
	for m, to := range v.Moves {
		w.Moves[to] = game.Move(m)
	}
	for c, to := range v.cells {
		w.cells[to] = c
	}
	return w
}

// Then returns the view that moves the board as v does and then as w does.
func (v View) Then(w View) View {
	both := View{Moves: make([]game.Move, len(v.Moves)), cells: make([]int, len(v.cells))}
	for m, to := range v.Moves {
		both.Moves[m] = w.Moves[to]
	}
	for c, to := range v.cells {
		both.cells[c] = w.cells[to]
	}
	return both
}

// Of returns the views of a game. A game whose positions are no game.Board has only the identity.
func Of(g game.Game) []View {
	b, ok := g.Start().(game.Board)
	if !ok {
		return []View{{Moves: identity(g.Moves())}}
	}
	columns, rows := b.Size()
	falls := g.Moves() == columns && len(b.Cells()) > columns
	at := make([]game.Move, len(b.Cells())) // by cell: the move that places a stone there
	if !falls {
		for m := range game.Move(g.Moves()) {
			at[b.Cell(m)] = m
		}
	}
	var views []View
	for n := range 8 {
		if n > 3 && columns != rows || n > 1 && falls {
			continue
		}
		v := View{cells: make([]int, len(b.Cells()))}
		for cell := range v.cells {
			v.cells[cell] = Image(columns, rows, cell, n)
		}
		for m := range game.Move(g.Moves()) {
			if falls {
				v.Moves = append(v.Moves, game.Move(v.cells[m]%columns))
			} else {
				v.Moves = append(v.Moves, at[v.cells[b.Cell(m)]])
			}
		}
		views = append(views, v)
	}
	return views
}

// Image returns the cell to which view n of a board moves a cell. Bit 0 of n mirrors the columns, bit 1 the rows, and then bit
// 2 swaps columns and rows. A board that is not square has only views 0 to 3.
func Image(columns, rows, cell, n int) int {
	x, y := cell%columns, cell/columns
	if n&1 != 0 {
		x = columns - 1 - x
	}
	if n&2 != 0 {
		y = rows - 1 - y
	}
	if n&4 != 0 {
		x, y = y, x
	}
	return x + y*columns
}

func identity(n int) []game.Move {
	all := make([]game.Move, n)
	for i := range all {
		all[i] = game.Move(i)
	}
	return all
}

// Line is a sequence of moves. It contains a position for each view of the board, and plays each move in all of these
// positions.
type Line struct {
	rules uint64
	views []View
	all   []game.Position // all[i] is the position in views[i]
}

// NewLine returns a line without moves.
func NewLine(g game.Game) *Line {
	h := fnv.New64a()
	_, _ = h.Write([]byte(g.String())) // writing to a hash never returns an error
	l := &Line{rules: h.Sum64(), views: Of(g)}
	for range l.views {
		l.all = append(l.all, g.Start())
	}
	return l
}

// Position returns the position in the first view, the unchanged board. Its moves are exactly the moves that were given to
// Play. The caller must not change the position.
func (l *Line) Position() game.Position { return l.all[0] }

// Views returns the views; View returns an index into them.
func (l *Line) Views() []View { return l.views }

// Play plays m in every view, or returns an error if it is not legal.
func (l *Line) Play(m game.Move) error {
	if err := game.Play(l.all[0], m); err != nil {
		return err
	}
	for i, p := range l.all[1:] {
		p.Play(l.views[i+1].Moves[m])
	}
	return nil
}

// Undo takes back the last move in every view.
func (l *Line) Undo() {
	for _, p := range l.all {
		p.Undo()
	}
}

// Key returns the smallest of the position's keys in all views, combined with a hash of the rules.
func (l *Line) Key() uint64 {
	least := l.all[0].Key()
	for _, p := range l.all[1:] {
		least = min(least, p.Key())
	}
	return least ^ l.rules
}

// View returns the index of the view in which the position has the smallest key. If two positions are rotations or reflections
// of each other, they become equal when each is moved by the view that View returns for it.
func (l *Line) View() int {
	least := 0
	for i, p := range l.all {
		if p.Key() < l.all[least].Key() {
			least = i
		}
	}
	return least
}

// Normal converts the moves to each of the views, and returns the lexicographically smallest of these lists. So two lists that
// are rotations or reflections of each other have the same result.
func Normal(views []View, moves []game.Move) []game.Move {
	var least []game.Move
	for _, v := range views {
		seen := make([]game.Move, len(moves))
		for i, m := range moves {
			seen[i] = v.Moves[m]
		}
		if least == nil || slices.Compare(seen, least) < 0 {
			least = seen
		}
	}
	return least
}
