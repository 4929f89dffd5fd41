// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"bytes"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/krow-lab/krow/engine/gomoku/network"
	"github.com/krow-lab/krow/game"
)

// Weights are the parameters of the evaluation and of move ordering, a row for each side. The rows differ only in renju. For the
// side to move, the value of a position in hundredths of a unit is
//
//	the sum over the empty cells of (value of the side's own pattern - value of the enemy's pattern)
//	+ the value of the mask of threats
//
// The rating of a move is the attack value of the pattern that it makes plus the defend value of the pattern that it prevents the
// enemy from making. The indices of the parameters in a row:
//
//	0         2380       4760       7140     9188
//	| value   | attack   | defend   | threat |
type Weights [2]SideWeights

// SideWeights is the row of one side in [Weights], where the order of its parameters is shown.
type SideWeights [numWeights]int16

// The index at which each part of a row begins, and the length of a row.
const (
	atAttack = numPatterns
	atDefend = 2 * numPatterns
	atThreat = 3 * numPatterns

	numWeights = atThreat + 1<<numThreats
)

// weightsMagic is the beginning of a file of weights. The rows follow, or only one row if both are equal, with 2 bytes for each
// number, little-endian.
const weightsMagic = "krow gomoku weights 1\n"

// ParseWeights reads a file of weights.
func ParseWeights(data []byte) (*Weights, error) {
	data, ok := bytes.CutPrefix(data, []byte(weightsMagic))
	if !ok {
		return nil, errors.New("not a file of weights of the gomoku engine, version 1")
	}
	const size = 2 * numWeights
	if len(data) != size && len(data) != 2*size {
		return nil, fmt.Errorf("the weights have %d bytes instead of %d for a side", len(data), size)
	}
	w := new(Weights)
	for s, row := range [2][]byte{data[:size], data[len(data)-size:]} {
		if _, err := binary.Decode(row, binary.LittleEndian, &w[s]); err != nil {
			return nil, err
		}
	}
	return w, nil
}

//go:embed weights
var weightFiles embed.FS

// model contains weights in the form in which the board uses them.
type model struct {
	kinds   [2]*kinds
	threats [2]*[1 << numThreats]int16
}

func newModel(w *Weights, renju bool) *model {
	m := new(model)
	m.kinds[0] = newKinds(&w[0], renju)
	if m.kinds[1] = m.kinds[0]; renju || w[0] != w[1] {
		m.kinds[1] = newKinds(&w[1], false)
	}
	for s := range w {
		m.threats[s] = (*[1 << numThreats]int16)(w[s][atThreat:])
	}
	return m
}

// modelOf returns the model of w for a rule. If w is nil, it returns the model of the engine's own weights, which is made only
// once.
func modelOf(r *rule, w *Weights) *model {
	if w != nil {
		return newModel(w, r.side[0].renju)
	}
	return models[r.name()]()
}

// models contains the models of the weights that are embedded in the program, by rule.
var models = embedded(weightFiles, "weights/%s.bin", func(name string, data []byte) (*model, error) {
	w, err := ParseWeights(data)
	if err != nil {
		return nil, err
	}
	return newModel(w, name == "renju"), nil
})

// Features gives the engine's features of a position to packages that learn its network. Only one goroutine may use a Features.
type Features struct {
	*board
	list moveList
}

// NewFeatures returns a Features for positions of g, or an error if the engine does not play g.
func NewFeatures(g game.Game) (*Features, error) {
	r, err := newRule(g)
	if err != nil {
		return nil, err
	}
	return &Features{board: newBoard(&r, nil)}, nil
}

// Load sets the position that the other methods describe.
func (f *Features) Load(p game.Position) { f.load(p.(game.Board), p) }

// Moves appends the moves that the search would try, ordered by rating, the best first. Forbidden moves are left out.
func (f *Features) Moves(dst []game.Move) []game.Move {
	n := f.generate(&f.list)
	for i := range n {
		if c := int(f.list.pick(i, n).cell); f.mayPlay(c) {
			dst = append(dst, f.move(c))
		}
	}
	return dst
}

// Evaluated reports whether the search may call the evaluation in the position: there is no immediate win, and no five must be
// stopped.
func (f *Features) Evaluated() bool { return !f.decided() }

// Cells appends the empty cells as the network sees them, with the side to move as the first side, and returns the mask of
// threats and the engine's own evaluation.
func (f *Features) Cells(dst []network.Cell) (cells []network.Cell, mask, static int) {
	f.each(func(c int) {
		if f.stones[c] != codeEmpty {
			return
		}
		cell := f.cells[c].patterns
		if f.turn != game.First {
			cell.First, cell.Second = cell.Second, cell.First
		}
		dst = append(dst, cell)
	})
	return dst, int(f.threatMask()), int(f.static())
}

// Places appends the input of the network's policy for each empty cell, in the order of Cells: 1 + the place of the cell
// ([network.Place]) if the search would try a move on the cell, and otherwise 0.
func (f *Features) Places(dst []uint8) []uint8 {
	var moves [gridCells]bool
	for _, m := range f.list[:f.generate(&f.list)] {
		moves[m.cell] = f.mayPlay(int(m.cell))
	}
	f.each(func(c int) {
		switch {
		case f.stones[c] != codeEmpty:
		case moves[c]:
			dst = append(dst, 1+f.place(c))
		default:
			dst = append(dst, 0)
		}
	})
	return dst
}

// Looking returns the engine's rating of a move of side on the cell c; c.First must be the pattern of that side.
func (f *Features) Looking(side game.Side, c network.Cell) int {
	return int(f.kinds[side&1][c.First].attack) + int(f.kinds[side&1^1][c.Second].defend)
}
