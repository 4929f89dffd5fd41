// SPDX-License-Identifier: Apache-2.0

package network

import (
	"math/bits"

	"github.com/krow-lab/krow/game/ultimate"
)

// Evaluator values positions by a network. A value depends on the position alone; the base only makes it quick.
type Evaluator struct {
	n    *Network
	base view
	// Hidden layers without the forced board: sums of base in the view of each side, parent of the position asked
	// about, child of a child that is not one row away.
	sums          [2][Hidden]int16
	parent, child [Hidden]int16
	add, sub      [2 * ultimate.Moves]uint16
	index         [ultimate.Moves]uint16
	outputs       [ultimate.Moves]int32
}

// view is what the network sees of a position, without the forced board and the side to move.
//
//	stones   word 0   boards 0 to 6, nine bits each: bit m is move m      0 for a small board that is won
//	         word 1   boards 7 and 8
type view struct {
	stones [2][2]uint64 // by side
	won    [2]uint16
}

// lowBoards is the number of small boards in the first word.
const lowBoards = 7

// spread[set] has the nine bits of each small board of a set of the first seven.
var spread = func() (t [1 << lowBoards]uint64) {
	for set := range t {
		for i := range lowBoards {
			t[set] |= uint64(set>>i&1*ultimate.Full) << (9 * i)
		}
	}
	return t
}()

func see(b *ultimate.Board) (v view) {
	won := b.Won[0] | b.Won[1]
	low := spread[^won&(1<<lowBoards-1)]
	high := spread[^won>>lowBoards&3]
	for side := range v.stones {
		s := &b.Stones[side]
		v.stones[side][0] = (uint64(s[0]) | uint64(s[1])<<9 | uint64(s[2])<<18 | uint64(s[3])<<27 |
			uint64(s[4])<<36 | uint64(s[5])<<45 | uint64(s[6])<<54) & low
		v.stones[side][1] = (uint64(s[7]) | uint64(s[8])<<9) & high
	}
	v.won = b.Won
	return v
}

// NewEvaluator returns an evaluator whose base is the empty board.
func (n *Network) NewEvaluator() *Evaluator {
	e := &Evaluator{n: n}
	e.sums = [2][Hidden]int16{n.bias, n.bias}
	return e
}

// Base sets a position from which the next ones differ little, such as the root of a search.
func (e *Evaluator) Base(b *ultimate.Board) {
	for side := range uint8(2) {
		e.hidden(&e.sums[side], b, side)
	}
	e.base = see(b)
}

// Value returns the expected score, from 0 to 1, of the side to move in a game that is not over.
func (e *Evaluator) Value(b *ultimate.Board) float32 {
	e.hidden(&e.parent, b, b.Turn&1)
	e.index[0] = forced + uint16(b.Forced)
	outputs(&e.parent, &e.n.out, &e.n.rows, e.index[:1], e.outputs[:1])
	return e.n.score(e.outputs[0])
}

// Children writes to values the expected score of the side to move in b after each of its moves, 0 to 1, in the order of
// ultimate.List, and returns their number. A move that ends the game gets a number too.
func (e *Evaluator) Children(b *ultimate.Board, values *[ultimate.Moves]float32) int {
	mover := b.Turn & 1 // the children are in the view of the other side
	e.hidden(&e.parent, b, mover^1)
	n := e.near(b)
	outputs(&e.parent, &e.n.out, &e.n.rows, e.index[:n], e.outputs[:n])
	e.far(b, mover)
	for i, sum := range e.outputs[:n] {
		values[i] = 1 - e.n.score(sum)
	}
	return n
}

// near writes the row by which each child differs from b, and returns their number. For a child that wins a small board
// it writes any, and far corrects the output.
func (e *Evaluator) near(b *ultimate.Board) (n int) {
	won := b.Won[0] | b.Won[1]
	for open := b.Open(); open != 0; open &= open - 1 {
		small := uint16(bits.TrailingZeros16(open))
		free := b.Free(int(small))
		sends, frees, stones := sending+9*small, freeing+9*small, ^uint16(0)
		if won>>small&1 != 0 { // stones count no more there
			sends, frees, stones = forced, forced+ultimate.Any, 0
		}
		closed := b.Closed
		if free&(free-1) == 0 {
			closed |= 1 << small
		}
		for left := free; left != 0; left &= left - 1 {
			cell := uint16(bits.TrailingZeros16(left))
			r := sends + cell
			if closed>>cell&1 != 0 {
				r = frees + cell&stones
			}
			e.index[n] = r
			n++
		}
	}
	return n
}

func (e *Evaluator) far(b *ultimate.Board, mover uint8) {
	n, won := 0, b.Won[0]|b.Won[1]
	for open := b.Open(); open != 0; open &= open - 1 {
		small := bits.TrailingZeros16(open)
		free := b.Free(small)
		if cells := ultimate.Completing(b.Stones[mover][small]) & free; cells != 0 && won>>small&1 == 0 {
			e.win(b, mover, small, cells, n)
		}
		n += bits.OnesCount16(free)
	}
}

// win computes the outputs of the children whose moves, in these cells, win a small board; n is the index of the child
// of the first free cell. Without the stones of that board they differ in the forced board only.
func (e *Evaluator) win(b *ultimate.Board, mover uint8, small int, cells uint16, n int) {
	e.add[0] = enemyBoards + uint16(small)
	stones := list(e.sub[:], b.Stones[mover][small], enemyStones+9*uint16(small))
	stones += list(e.sub[stones:], b.Stones[mover^1][small], ownStones+9*uint16(small))
	accumulate(&e.child, &e.parent, &e.n.rows, e.add[:1], e.sub[:stones])
	free := b.Free(small)
	closed := b.Closed
	if !b.Rules.Open || free&(free-1) == 0 {
		closed |= 1 << small
	}
	for ; cells != 0; cells &= cells - 1 {
		cell := uint16(bits.TrailingZeros16(cells))
		row := [1]uint16{forced + cell}
		if closed>>cell&1 != 0 {
			row[0] = forced + ultimate.Any
		}
		before := bits.OnesCount16(free & (1<<cell - 1))
		outputs(&e.child, &e.n.out, &e.n.rows, row[:], e.outputs[n+before:])
	}
}

// hidden computes the hidden layer of b, without the forced board, as a side sees it.
func (e *Evaluator) hidden(dst *[Hidden]int16, b *ultimate.Board, side uint8) {
	v := see(b)
	add, sub := e.difference(&e.base, &v, side)
	accumulate(dst, &e.sums[side], &e.n.rows, add, sub)
}

// difference returns the inputs that are set in to and not in from, and the other way round, without the forced board.
func (e *Evaluator) difference(from, to *view, side uint8) (add, sub []uint16) {
	a, s := 0, 0
	for owner := range uint8(2) {
		stones, boards := uint16(ownStones), uint16(ownBoards)
		if owner != side {
			stones, boards = enemyStones, enemyBoards
		}
		for word, is := range to.stones[owner] {
			was := from.stones[owner][word]
			a += list(e.add[a:], is&^was, stones+uint16(word)*9*lowBoards)
			s += list(e.sub[s:], was&^is, stones+uint16(word)*9*lowBoards)
		}
		if was, is := from.won[owner], to.won[owner]; was != is {
			a += list(e.add[a:], is&^was, boards)
			s += list(e.sub[s:], was&^is, boards)
		}
	}
	return e.add[:a], e.sub[:s]
}

func list[S uint16 | uint64](dst []uint16, set S, first uint16) (n int) {
	for ; set != 0; set &= set - 1 {
		dst[n] = first + uint16(bits.TrailingZeros64(uint64(set)))
		n++
	}
	return n
}

// Append appends the inputs of a position in the view of the side to move, in no particular order.
func Append(dst []uint16, b *ultimate.Board) []uint16 {
	var e Evaluator
	v := see(b)
	add, _ := e.difference(&e.base, &v, b.Turn&1)
	return append(append(dst, add...), forced+uint16(b.Forced))
}
