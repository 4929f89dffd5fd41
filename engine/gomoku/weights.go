// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"bytes"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation/binpack"
)

// Weights are the parameters of the evaluation and of the order of moves, for each side; the sides differ in renju
// only. A position is worth, to the side to move,
//
//	sum over the empty cells of Value of its own pattern less Value of the enemy's, plus Threat of the threats of both
//
// in hundredths of the unit of a score. A move looks as good, in the units of the order of moves, as Attack of what it
// makes and Defend of what it takes from the enemy.
type Weights struct {
	Side [2]SideWeights
}

// SideWeights are the parameters of a side.
type SideWeights struct {
	Value, Attack, Defend [numPatterns]int16
	Threat                [1 << numThreats]int16 // of the side to move
}

// A file of weights:
//
//	krow gomoku weights 1\n    then for each side, one or two,
//	Value, Attack, Defend      2380 patterns of 2 bytes each, little-endian
//	Threat                     2048 masks
const weightsMagic = "krow gomoku weights 1\n"

// Append appends the weights as a file.
func (w *Weights) Append(dst []byte) []byte {
	dst = append(dst, weightsMagic...)
	sides := w.Side[:]
	if w.Side[0] == w.Side[1] {
		sides = sides[:1]
	}
	// Numbers of a fixed size always fit.
	dst, _ = binary.Append(dst, binary.LittleEndian, sides)
	return dst
}

// ParseWeights reads a file of weights.
func ParseWeights(data []byte) (*Weights, error) {
	data, ok := bytes.CutPrefix(data, []byte(weightsMagic))
	if !ok {
		return nil, errors.New("no file of weights of the gomoku engine, version 1")
	}
	w := new(Weights)
	size := binary.Size(w.Side[0])
	if len(data) != size && len(data) != 2*size {
		return nil, fmt.Errorf("weights of %d bytes, where a side has %d", len(data), size)
	}
	// One side stands for both.
	for s, half := range [2][]byte{data[:size], data[len(data)-size:]} {
		if _, err := binary.Decode(half, binary.LittleEndian, &w.Side[s]); err != nil {
			return nil, err
		}
	}
	return w, nil
}

//go:embed weights
var weightFiles embed.FS

// model is weights as the board uses them.
type model struct {
	weights *Weights
	kinds   [2]*kinds
}

func newModel(w *Weights, renju bool) *model {
	m := &model{weights: w}
	m.kinds[0] = newKinds(&w.Side[0], renju)
	if m.kinds[1] = m.kinds[0]; renju || w.Side[0] != w.Side[1] {
		m.kinds[1] = newKinds(&w.Side[1], false)
	}
	return m
}

// modelOf returns w for a rule, or what the engine plays it with, made once.
func modelOf(r *rule, w *Weights) *model {
	if w != nil {
		return newModel(w, r.side[0].renju)
	}
	return models[r.packed()]()
}

var models = map[binpack.Rule]func() *model{
	binpack.Freestyle: sync.OnceValue(func() *model { return loadModel("gomoku") }),
	binpack.Standard:  sync.OnceValue(func() *model { return loadModel("standard") }),
	binpack.Caro:      sync.OnceValue(func() *model { return loadModel("caro") }),
	binpack.Renju:     sync.OnceValue(func() *model { return loadModel("renju") }),
}

// loadModel reads a file that the program holds, which a test reads as well.
func loadModel(name string) *model {
	data, err := weightFiles.ReadFile("weights/" + name + ".bin")
	if err != nil {
		panic(err)
	}
	w, err := ParseWeights(data)
	if err != nil {
		panic(err)
	}
	return newModel(w, name == "renju")
}

// DefaultWeights returns what the engine plays the game with. They are not to be changed.
func DefaultWeights(g game.Game) (*Weights, error) {
	r, err := newRule(g)
	if err != nil {
		return nil, err
	}
	return modelOf(&r, nil).weights, nil
}
