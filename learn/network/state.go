// SPDX-License-Identifier: Apache-2.0

package network

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	engine "github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/learn"
)

// state is all that a Learner does not know from its game and options. What is trained begins anew in each generation:
// no moment of a gradient is kept.
type state struct {
	Done       int      `json:"done"`
	Played     uint64   `json:"played"`
	Parameters []byte   `json:"parameters"`     // floats of 4 bytes, little-endian
	Best       []byte   `json:"best,omitempty"` // the file of the network, if there is one
	Spare      []byte   `json:"spare,omitempty"`
	Behind     float64  `json:"behind,omitempty"`
	Ladder     float64  `json:"ladder"`
	Window     [][]byte `json:"window"` // files of games
}

var errDamaged = errors.New("the state is damaged: its parts do not fit together")

// State returns the network in training, the best, and the games of the last generations.
func (l *Learner) State() ([]byte, error) {
	s := state{Done: l.done, Played: l.played, Ladder: l.elo}
	// Numbers of a fixed size always fit.
	s.Parameters, _ = binary.Append(nil, binary.LittleEndian, l.p)
	if l.best != nil {
		s.Best = l.best.Append(nil)
	}
	if l.spare != nil {
		s.Spare, s.Behind = l.spare.Append(nil), l.behind
	}
	for _, g := range l.window {
		data, err := g.pack()
		if err != nil {
			return nil, err
		}
		s.Window = append(s.Window, data)
	}
	return learn.Encode(l.origin(), s)
}

// Restore continues from a state of a learner of the same game and options; Jobs and Data may differ.
func (l *Learner) Restore(data []byte) error {
	var s state
	if err := learn.Decode(data, l.origin(), &s); err != nil {
		return err
	}
	next := *l
	next.done, next.played, next.elo = s.Done, s.Played, s.Ladder
	next.p, next.best, next.spare, next.window = new(engine.Parameters), nil, nil, nil
	if s.Done < 0 || s.Done > l.o.Generations || len(s.Window) != min(s.Done, l.o.Window) ||
		len(s.Parameters) != binary.Size(next.p) || s.Played != uint64(s.Done)*uint64(l.o.Games) || math.IsNaN(s.Ladder) || math.IsNaN(s.Behind) {
		return errDamaged
	}
	_, _ = binary.Decode(s.Parameters, binary.LittleEndian, next.p)
	if _, err := next.p.Network(""); err != nil {
		return errDamaged
	}
	next.behind = s.Behind
	var err error
	if next.best, err = parse(s.Best); err != nil {
		return err
	}
	if next.spare, err = parse(s.Spare); err != nil {
		return err
	}
	for _, file := range s.Window {
		g, err := unpack(file, l.g)
		if err != nil {
			return fmt.Errorf("state of the learner: %w", err)
		}
		next.window = append(next.window, g)
	}
	*l = next
	return nil
}

// parse returns the network of a file in the state, nil if there is none.
func parse(file []byte) (*engine.Network, error) {
	if file == nil {
		return nil, nil
	}
	n, err := engine.Parse(file)
	if err != nil {
		return nil, fmt.Errorf("state of the learner: %w", err)
	}
	return n, nil
}
