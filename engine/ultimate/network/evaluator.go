// SPDX-License-Identifier: Apache-2.0

package network

import (
	"math/bits"

	"github.com/krow-lab/krow/engine/ultimate/board"
	"github.com/krow-lab/krow/game/ultimate"
)

// Evaluator values positions by a network. What it returns depends on the position alone, whatever its base is.
type Evaluator struct {
	n    *Network
	base board.Board
	// sums are the hidden layer of base in the view of each side, without the forced board; parent that of the
	// position asked about, and child that of one that is not a row away.
	sums          [2][Hidden]int16
	parent, child [Hidden]int16
	add, sub      [2 * board.Moves]uint16
	index         [board.Moves]uint16
	outputs       [board.Moves]int32
}

// NewEvaluator returns an evaluator whose base is the empty board.
func (n *Network) NewEvaluator() *Evaluator {
	e := &Evaluator{n: n}
	e.sums = [2][Hidden]int16{n.bias, n.bias}
	return e
}

// Base tells the evaluator of a position that those to come differ little from, such as the root of a search.
func (e *Evaluator) Base(b *board.Board) {
	for view := range uint8(2) {
		e.hidden(&e.sums[view], b, view)
	}
	e.base = *b
}

// Value returns the expected score, from 0 to 1, of the side to move in a game that is not over.
func (e *Evaluator) Value(b *board.Board) float32 {
	e.hidden(&e.parent, b, b.Turn&1)
	e.index[0] = forced + uint16(b.Forced)
	outputs(&e.parent, &e.n.out, &e.n.rows, e.index[:1], e.outputs[:1])
	return e.n.score(e.outputs[0])
}

// Children writes to values what the side to move in b may expect after each of these legal moves of its, 0 to 1.
// Moves that end the game get a number, too.
func (e *Evaluator) Children(b *board.Board, moves []uint8, values []float32) {
	view := b.Turn&1 ^ 1 // of whoever is to move in the children
	e.hidden(&e.parent, b, view)
	sums := e.outputs[:len(moves)]
	for i, m := range moves {
		e.index[i] = e.row(b, m)
	}
	outputs(&e.parent, &e.n.out, &e.n.rows, e.index[:len(moves)], sums)
	for i, sum := range sums {
		if e.index[i] < sending {
			sum = e.far(b, moves[i], view)
		}
		values[i] = 1 - e.n.score(sum)
	}
}

// row returns the row by which b differs from what it is after a move, or one below sending if it is not one row.
func (e *Evaluator) row(b *board.Board, m uint8) uint16 {
	small, cell := m/9, m%9
	side := b.Turn & 1
	own := b.Stones[side][small] | 1<<cell
	switch closed := b.Closed; {
	case wins[own&board.Full] || (b.Won[0]|b.Won[1])>>small&1 != 0:
		return 0
	case own|b.Stones[side^1][small] == board.Full && small == cell:
		return freeing + uint16(m)
	case closed>>cell&1 != 0:
		return freeing + uint16(m)
	}
	return sending + uint16(m)
}

// far returns the output after a move that wins a small board, or is made in one that is won.
func (e *Evaluator) far(b *board.Board, m, view uint8) int32 {
	next := *b
	next.Play(m)
	add, sub := e.difference(b, &next, view)
	accumulate(&e.child, &e.parent, &e.n.rows, add, sub)
	index, sum := [1]uint16{forced + uint16(next.Forced)}, [1]int32{}
	outputs(&e.child, &e.n.out, &e.n.rows, index[:], sum[:])
	return sum[0]
}

// hidden computes the hidden layer of b, without the forced board, in a view.
func (e *Evaluator) hidden(dst *[Hidden]int16, b *board.Board, view uint8) {
	add, sub := e.difference(&e.base, b, view)
	accumulate(dst, &e.sums[view], &e.n.rows, add, sub)
}

// difference returns the inputs, but for the forced board, that to has and from has not, and the other way round.
func (e *Evaluator) difference(from, to *board.Board, view uint8) (add, sub []uint16) {
	a, s := 0, 0
	for side := range uint8(2) {
		stones, boards := uint16(ownStones), uint16(ownBoards)
		if side != view {
			stones, boards = enemyStones, enemyBoards
		}
		was, is := from.Won[side], to.Won[side]
		a += list(e.add[a:], is&^was, boards)
		s += list(e.sub[s:], was&^is, boards)
		wonBefore, wonNow := from.Won[0]|from.Won[1], to.Won[0]|to.Won[1]
		for i := range 9 {
			// The masks are all ones for a board that is not won.
			was := from.Stones[side][i] & (wonBefore>>i&1 - 1)
			is := to.Stones[side][i] & (wonNow>>i&1 - 1)
			if was != is {
				a += list(e.add[a:], is&^was, stones+9*uint16(i))
				s += list(e.sub[s:], was&^is, stones+9*uint16(i))
			}
		}
	}
	return e.add[:a], e.sub[:s]
}

// list writes first plus each member of a set, and returns how many there are.
func list(dst []uint16, set, first uint16) (n int) {
	for ; set != 0; set &= set - 1 {
		dst[n] = first + uint16(bits.TrailingZeros16(set))
		n++
	}
	return n
}

// Append appends the inputs of a position in the view of the side to move, in no particular order.
func Append(dst []uint16, b *board.Board) []uint16 {
	var e Evaluator
	var empty board.Board
	add, _ := e.difference(&empty, b, b.Turn&1)
	return append(append(dst, add...), forced+uint16(b.Forced))
}

// wins says of each set of nine cells whether it holds three in a row.
var wins = func() (t [board.Full + 1]bool) {
	for set := range t {
		t[set] = ultimate.HasLine(uint16(set))
	}
	return t
}()
