// SPDX-License-Identifier: Apache-2.0

package network

import (
	"sync"

	"github.com/krow-lab/krow/game/ultimate"
)

// View is a position in the form of the network's input: the codes of the small boards from the view of the side to move.
type View struct {
	Codes  [9]uint16
	Forced uint8 // number of the forced small board, or ultimate.Any
	Rule   uint8 // 1 if the side with more small boards wins when no move is left, otherwise 0
}

// The codes of small boards that are won or full; they follow the codes of stones. Codes is the number of codes.
const (
	wonByOwn = ultimate.Codes + iota
	wonByEnemy
	drawn
	Codes
)

// See returns the View of a position.
func See(b *ultimate.Board) (v View) {
	look(b, b.Turn&1, &v.Codes)
	v.Forced = b.Forced
	v.Rule = rule(b)
	return v
}

func rule(b *ultimate.Board) uint8 {
	if b.Rules.Draw == ultimate.Plain {
		return 0
	}
	return 1
}

// look writes to codes the codes of the small boards from the view of side.
func look(b *ultimate.Board, side uint8, codes *[9]uint16) {
	own, enemy := &b.Stones[side&1], &b.Stones[side&1^1]
	for i := range codes {
		codes[i] = ultimate.Ternary[own[i]&ultimate.Full] + 2*ultimate.Ternary[enemy[i]&ultimate.Full]
	}
	if over := b.Closed | b.Won[0] | b.Won[1]; over != 0 {
		for i := range codes {
			switch {
			case over>>i&1 == 0:
			case b.Won[side&1]>>i&1 != 0:
				codes[i] = wonByOwn
			case b.Won[side&1^1]>>i&1 != 0:
				codes[i] = wonByEnemy
			default:
				codes[i] = drawn
			}
		}
	}
}

// result returns the result of a small board with this code: 0 undecided, 1 won by the own side, 2 won by the enemy, 3 drawn.
func result(code uint16) uint32 {
	if code < ultimate.Codes {
		return 0
	}
	return uint32(code - ultimate.Codes + 1)
}

// The index of the first input of each kind. A line of three cells is in one of 27 states, a line of results in one of 64; the
// empty state, 0, sets no input.
const (
	lines    = 0                 // lines of each small board
	ownLines = lines + 9*8*27    // lines of the forced board
	results  = ownLines + 9*8*27 // lines of results of small boards
	decided  = results + 8*64    // the result of each small board
	forced   = decided + 9*3     // the forced board, or any board
	rules    = forced + 10       // an input for each draw rule; one of them is always set, as the bias
	Inputs   = rules + 2
)

var threes = [8][3]uint8{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}}

// states contains, for each code of stones, the states of its eight lines.
var states = sync.OnceValue(func() *[ultimate.Codes][8]uint8 {
	t := new([ultimate.Codes][8]uint8)
	for code := range t {
		var digit [9]uint8
		for c, rest := 0, code; c < 9; c, rest = c+1, rest/3 {
			digit[c] = uint8(rest % 3)
		}
		for l, cells := range threes {
			t[code][l] = 9*digit[cells[0]] + 3*digit[cells[1]] + digit[cells[2]]
		}
	}
	return t
})

// Inputs appends the numbers of the inputs that v sets. The sum of the rows of these inputs is the first layer.
func (v *View) Inputs(dst []uint16) []uint16 {
	key := uint32(0)
	for i, code := range v.Codes {
		dst = boardInputs(dst, i, code)
		key |= result(code) << (2 * i)
	}
	dst = forcedInputs(dst, int(v.Forced), v.Codes[:])
	return append(resultInputs(dst, key), rules+uint16(v.Rule))
}

// boardInputs appends the inputs of small board i.
func boardInputs(dst []uint16, i int, code uint16) []uint16 {
	if code >= ultimate.Codes {
		return append(dst, uint16(decided+3*i)+code-ultimate.Codes)
	}
	return lineInputs(dst, lines+8*27*i, code)
}

func forcedInputs(dst []uint16, i int, codes []uint16) []uint16 {
	dst = append(dst, forced+uint16(i))
	if i == ultimate.Any || codes[i] >= ultimate.Codes {
		return dst
	}
	return lineInputs(dst, ownLines+8*27*i, codes[i])
}

func lineInputs(dst []uint16, first int, code uint16) []uint16 {
	for l, s := range &states()[code] {
		if s > 0 {
			dst = append(dst, uint16(first+27*l)+uint16(s))
		}
	}
	return dst
}

// resultInputs appends the inputs for the lines of results; key contains the results of the small boards with two bits each.
func resultInputs(dst []uint16, key uint32) []uint16 {
	if key == 0 {
		return dst
	}
	for l, b := range threes {
		s := key>>(2*b[0])&3<<4 | key>>(2*b[1])&3<<2 | key>>(2*b[2])&3
		if s > 0 {
			dst = append(dst, uint16(results+64*l)+uint16(s))
		}
	}
	return dst
}
