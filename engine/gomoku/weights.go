// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"bytes"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/krow-lab/krow/game"
)

// Weights are the parameters of the evaluation and of the order of moves, a row for each side. The rows differ in renju
// only. A position is worth, to the side to move, in hundredths of the unit of a score,
//
//	the sum over the empty cells of the value of its own pattern less the value of the enemy's
//	+ the value of the mask of threats
//
// A move looks as good as the attack value of the pattern that it makes and the defend value of the pattern that it
// takes from the enemy. Where the rows hold them:
//
//	0         2380       4760       7140     9188
//	| value   | attack   | defend   | threat |
type Weights [2]SideWeights

// SideWeights are the parameters of a side.
type SideWeights [NumWeights]int16

// The parts of a row.
const (
	atAttack = numPatterns
	atDefend = 2 * numPatterns
	atThreat = 3 * numPatterns

	NumWeights = atThreat + 1<<numThreats
)

// weightsMagic begins a file of weights. The rows follow, one if they are equal, 2 bytes a number, little-endian.
const weightsMagic = "krow gomoku weights 1\n"

// Append appends the weights as a file.
func (w *Weights) Append(dst []byte) []byte {
	rows := w[:]
	if w[0] == w[1] {
		rows = rows[:1]
	}
	// Numbers of a fixed size always fit.
	dst, _ = binary.Append(append(dst, weightsMagic...), binary.LittleEndian, rows)
	return dst
}

// ParseWeights reads a file of weights.
func ParseWeights(data []byte) (*Weights, error) {
	data, ok := bytes.CutPrefix(data, []byte(weightsMagic))
	if !ok {
		return nil, errors.New("not a file of weights of the gomoku engine, version 1")
	}
	const size = 2 * NumWeights
	if len(data) != size && len(data) != 2*size {
		return nil, fmt.Errorf("weights of %d bytes, and a side has %d", len(data), size)
	}
	w := new(Weights)
	for s, row := range [2][]byte{data[:size], data[len(data)-size:]} {
		if _, err := binary.Decode(row, binary.LittleEndian, &w[s]); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// Weight returns the weight nearest to x within the engine's bounds.
func Weight(x float64) int16 { return int16(math.Round(max(-3000, min(x, 3000)))) }

// Scale multiplies the evaluation, but not the order of moves.
func (w *Weights) Scale(factor float64) {
	for s := range w {
		for i, v := range w[s] {
			if i < atAttack || i >= atThreat {
				w[s][i] = Weight(float64(v) * factor)
			}
		}
	}
}

//go:embed weights
var weightFiles embed.FS

// model is weights as the board uses them.
type model struct {
	weights *Weights
	kinds   [2]*kinds
	threats [2]*[1 << numThreats]int16
}

func newModel(w *Weights, renju bool) *model {
	m := &model{weights: w}
	m.kinds[0] = newKinds(&w[0], renju)
	if m.kinds[1] = m.kinds[0]; renju || w[0] != w[1] {
		m.kinds[1] = newKinds(&w[1], false)
	}
	for s := range w {
		m.threats[s] = (*[1 << numThreats]int16)(w[s][atThreat:])
	}
	return m
}

// modelOf returns w for a rule, or for nil the engine's own weights, made once.
func modelOf(r *rule, w *Weights) *model {
	switch side := &r.side[0]; {
	case w != nil:
		return newModel(w, side.renju)
	case side.renju:
		return models["renju"]()
	case side.blocked:
		return models["caro"]()
	case side.exact:
		return models["standard"]()
	}
	return models["gomoku"]()
}

// models are the weights that the program holds.
var models = func() map[string]func() *model {
	all := map[string]func() *model{}
	for _, name := range []string{"gomoku", "standard", "caro", "renju"} {
		all[name] = sync.OnceValue(func() *model {
			data, err := weightFiles.ReadFile("weights/" + name + ".bin")
			if err != nil {
				panic(err)
			}
			w, err := ParseWeights(data)
			if err != nil {
				panic(err) // a test reads all of them
			}
			return newModel(w, name == "renju")
		})
	}
	return all
}()

// DefaultWeights returns the weights that the engine plays g with. They must not be changed.
func DefaultWeights(g game.Game) (*Weights, error) {
	r, err := newRule(g)
	if err != nil {
		return nil, err
	}
	return modelOf(&r, nil).weights, nil
}
