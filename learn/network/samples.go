// SPDX-License-Identifier: Apache-2.0

package network

import (
	"github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
)

// samples are positions and their labels, the expected result of the side to move, 0 to 1.
//
//	inputs   of position 0 | of position 1 | ...
//	ends     where the inputs of each position end
type samples struct {
	inputs []uint8
	ends   []uint32
	labels []float32
}

func (s *samples) len() int { return len(s.labels) }

func (s *samples) of(i int) []uint8 {
	if i == 0 {
		return s.inputs[:s.ends[0]]
	}
	return s.inputs[s.ends[i-1]:s.ends[i]]
}

// read appends the positions of a game that were searched. It leaves out those in which a move wins at once, since the
// search never asks the network about these. share is that of the result in a label.
func (s *samples) read(r record, rules ultimate.Rules, share float32) {
	b := ultimate.NewBoard(rules)
	for i, m := range r.moves {
		if r.scores[i] != unsearched && !r.wonAtOnce(i) {
			for _, x := range network.Append(nil, &b) {
				s.inputs = append(s.inputs, uint8(x))
			}
			s.ends = append(s.ends, uint32(len(s.inputs)))
			s.labels = append(s.labels, r.label(i, b.Turn, share))
		}
		b.Play(m)
	}
}

func (r record) wonAtOnce(ply int) bool {
	return ply == len(r.moves)-1 && r.scores[ply] == int16(eval.Unit)
}

// label returns the label of the position before a ply. A proved score counts alone, and so does one before a random
// move.
func (r record) label(ply int, turn uint8, share float32) float32 {
	said := 0.5 + float32(r.scores[ply])/(2*float32(eval.Unit))
	if said == 0 || said == 1 || ply < r.random {
		return said
	}
	return (1-share)*said + share*result(r.end, turn)
}

func result(o game.Outcome, turn uint8) float32 {
	switch o {
	case game.Draw:
		return 0.5
	case game.WinFor(game.Side(turn)):
		return 1
	}
	return 0
}

// turned[s][i] is what input i becomes under symmetry s of the board. The cells of each small board turn as the small
// boards do.
var turned = func() (t [8][network.Inputs]uint16) {
	for s := range t {
		for i := range network.Inputs {
			switch {
			case i < 162: // stones of either side
				t[s][i] = uint16(i/81*81 + 9*turn(s, i%81/9) + turn(s, i%9))
			case i < 189: // small boards of either side, forced boards
				t[s][i] = uint16(i - i%9 + turn(s, i%9))
			default:
				t[s][i] = uint16(i)
			}
		}
	}
	return t
}()

// turn returns where cell c of nine goes: bits 0 and 1 of s mirror, bit 2 swaps rows and columns.
func turn(s, c int) int {
	row, column := c/3, c%3
	if s&1 != 0 {
		row = 2 - row
	}
	if s&2 != 0 {
		column = 2 - column
	}
	if s&4 != 0 {
		row, column = column, row
	}
	return 3*row + column
}
