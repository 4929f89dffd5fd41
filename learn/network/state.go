// SPDX-License-Identifier: Apache-2.0

package network

import (
	"encoding/binary"
	"fmt"
	"math"

	engine "github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/learn"
)

// state is what a Learner cannot tell from its game and options.
type state struct {
	Done       int      `json:"done"`
	Played     uint64   `json:"played"`
	Parameters []byte   `json:"parameters"`      // floats of 4 bytes, little-endian
	Best       []byte   `json:"best,omitempty"`  // file of the network, if there is one
	Nearest    []byte   `json:"spare,omitempty"` // likewise
	Behind     float64  `json:"behind,omitempty"`
	Ladder     float64  `json:"ladder"`
	Window     [][]byte `json:"window"` // files of games
}

// State returns the network in training, the best, and the games of the last generations.
func (l *Learner) State() ([]byte, error) {
	s := state{Done: l.done, Played: l.played, Behind: l.behind, Ladder: l.elo, Best: file(l.best), Nearest: file(l.nearest)}
	s.Parameters, _ = binary.Append(nil, binary.LittleEndian, l.p) // numbers of a fixed size always fit
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
	next := Learner{g: l.g, o: l.o, done: s.Done, played: s.Played, behind: s.Behind, elo: s.Ladder, p: new(engine.Parameters)}
	if s.Done < 0 || s.Done > l.o.Generations || len(s.Window) != min(s.Done, l.o.Window) ||
		len(s.Parameters) != binary.Size(next.p) || s.Played != uint64(s.Done)*uint64(l.o.Games) || math.IsNaN(s.Ladder) || math.IsNaN(s.Behind) {
		return learn.ErrDamaged
	}
	_, _ = binary.Decode(s.Parameters, binary.LittleEndian, next.p)
	if _, err := next.p.Network(""); err != nil {
		return learn.ErrDamaged
	}
	var err error
	if next.best, err = parse(s.Best); err != nil {
		return err
	}
	if next.nearest, err = parse(s.Nearest); err != nil {
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

func file(n *engine.Network) []byte {
	if n == nil {
		return nil
	}
	return n.Append(nil)
}

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
