// SPDX-License-Identifier: Apache-2.0

package network

import (
	"math/bits"

	"github.com/krow-lab/krow/game/ultimate"
)

// Evaluator values positions by a network. It stores the network's rows of the small boards that it has seen, and uses them
// again in later positions. This does not change values, which depend on the position only.
//
//	rows      none | bias of either rule | any forced board | rows in the order in which they were met
//	the maps  the index in rows, or 0
type Evaluator struct {
	n       *Network
	rows    []row
	boards  [9 * Codes]uint16 // by small board and code: an index in rows, or 0
	forced  [9 * Codes]uint16
	results [1 << 18]uint16 // by the results of the nine small boards, two bits each: an index in rows, or 0
	base    row
	index   [ultimate.Moves][3]uint16
	outputs [ultimate.Moves]int32
	inputs  []uint16
}

// rowBias is the index of the first of the two bias rows, and rowAny is the index of the row for any forced board. mostRows is
// the maximum number of stored rows, and moreRows is the maximum number of rows that one position can add.
const (
	rowBias  = 1
	rowAny   = 3
	mostRows = 1 << 15
	moreRows = 9 + 3*ultimate.Moves
)

// NewEvaluator returns an evaluator that uses n.
func (n *Network) NewEvaluator() *Evaluator {
	e := &Evaluator{n: n, rows: make([]row, 0, 1<<10)}
	e.reset()
	return e
}

func (e *Evaluator) reset() {
	e.rows = append(e.rows[:0], row{}, e.n.inputs[rules], e.n.inputs[rules+1], e.n.inputs[forced+ultimate.Any])
	clear(e.boards[:])
	clear(e.forced[:])
	clear(e.results[:])
}

// add appends to rows the sum of the rows of the inputs in e.inputs, and returns the index of this sum.
func (e *Evaluator) add() uint16 {
	var sum row
	add(&sum, e.n.inputs[:], e.inputs)
	e.rows = append(e.rows, sum)
	return uint16(len(e.rows) - 1)
}

func (e *Evaluator) board(i int, code uint16) uint16 {
	at := &e.boards[i*Codes+int(code)]
	if *at == 0 {
		e.inputs = boardInputs(e.inputs[:0], i, code)
		*at = e.add()
	}
	return *at
}

func (e *Evaluator) forcedBoard(i int, codes *[9]uint16) uint16 {
	at := &e.forced[i*Codes+int(codes[i])]
	if *at == 0 {
		e.inputs = forcedInputs(e.inputs[:0], i, codes[:])
		*at = e.add()
	}
	return *at
}

func (e *Evaluator) result(key uint32) uint16 {
	if key == 0 {
		return 0
	}
	at := &e.results[key]
	if *at == 0 {
		e.inputs = resultInputs(e.inputs[:0], key)
		*at = e.add()
	}
	return *at
}

// Value returns the expected score, from 0 to 1, of the side to move in b, which must not be over.
func (e *Evaluator) Value(b *ultimate.Board) float32 {
	e.room()
	v := See(b)
	e.share(&v.Codes, 0, v.Rule)
	to := uint16(rowAny)
	if v.Forced < ultimate.Any {
		to = e.forcedBoard(int(v.Forced), &v.Codes)
	}
	e.index[0] = [3]uint16{e.board(0, v.Codes[0]), to, e.result(resultKey(&v.Codes))}
	outputs(&e.base, e.rows, &e.n.last, e.index[:1], e.outputs[:1])
	return e.n.score(e.outputs[0])
}

func (e *Evaluator) room() {
	if len(e.rows) > mostRows-moreRows {
		e.reset()
	}
}

// share sets the field base to the sum of the rows that do not depend on a move in small board i: the rows of the other
// eight small boards and the bias row of the draw rule.
func (e *Evaluator) share(codes *[9]uint16, i int, rule uint8) {
	var index [9]uint16
	n := 0
	for k, code := range codes {
		if k != i {
			index[n] = e.board(k, code)
			n++
		}
	}
	index[n] = rowBias + uint16(rule)
	add(&e.base, e.rows, index[:])
}

func resultKey(codes *[9]uint16) (key uint32) {
	for i, code := range codes {
		key |= result(code) << (2 * i)
	}
	return key
}

// Children writes to values the expected score, from 0 to 1, of the side to move in b after each of its moves, in the order of
// Board.List, and returns the number of moves. A move that ends the game also gets a value.
func (e *Evaluator) Children(b *ultimate.Board, values *[ultimate.Moves]float32) (n int) {
	e.room()
	mover := b.Turn & 1
	var codes [9]uint16
	look(b, mover^1, &codes) // after each move the other side is to move, so the codes are from its view
	key := resultKey(&codes)
	for open := b.Open(); open != 0; open &= open - 1 {
		small := bits.TrailingZeros16(open)
		count := e.moves(b, small, mover, &codes, key)
		e.share(&codes, small, rule(b))
		outputs(&e.base, e.rows, &e.n.last, e.index[:count], e.outputs[:count])
		for i, sum := range e.outputs[:count] {
			values[n+i] = 1 - e.n.score(sum)
		}
		n += count
	}
	return n
}

// moves considers the children whose moves are in one small board; the parameter small is the number of this board. It writes
// the indices of the three rows of each such child to the field index, and returns the number of these children.
func (e *Evaluator) moves(b *ultimate.Board, small int, mover uint8, codes *[9]uint16, key uint32) (n int) {
	before := codes[small]
	defer func() { codes[small] = before }()
	free := b.Free(small)
	same := e.result(key)
	wins := ultimate.Completing(b.Stones[mover][small])
	for left := free; left != 0; left &= left - 1 {
		cell := bits.TrailingZeros16(left)
		code, closed := before, b.Closed
		if free&(free-1) == 0 {
			closed |= 1 << small
		}
		if before < ultimate.Codes { // otherwise the small board is already won, and its stones have no effect
			switch {
			case wins>>cell&1 != 0:
				code = wonByEnemy
				if !b.Rules.Open {
					closed |= 1 << small
				}
			case closed>>small&1 != 0:
				code = drawn
			default:
				code += 2 * ultimate.Ternary[1<<cell]
			}
		}
		codes[small] = code
		t := [3]uint16{e.board(small, code), rowAny, same}
		if closed>>cell&1 == 0 {
			t[1] = e.forcedBoard(cell, codes)
		}
		if code >= ultimate.Codes && code != before {
			t[2] = e.result(key | result(code)<<(2*small))
		}
		e.index[n] = t
		n++
	}
	return n
}
