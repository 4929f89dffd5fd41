// SPDX-License-Identifier: Apache-2.0

package network

import (
	"math/bits"
	"sync"

	"github.com/krow-lab/krow/engine/gomoku"
	engine "github.com/krow-lab/krow/engine/gomoku/network"
	"github.com/krow-lab/krow/learn/nnue"
)

// Most patterns are rare, so patterns share weights in training. A pattern describes the four lines through a cell. Each
// combination of one, two or three lines has a row of weights, and the row of a pattern is a sum:
//
//	row of a pattern = row at the start + own part + rows of its single lines, pairs and threes of lines
//
// The own part of a pattern is kept near 0. Dead lines have no row, so a pattern that consists only of dead lines keeps its
// initial weights.
const (
	lines     = 13 // number of shapes that a line can have, except "five" and "none"
	numShared = lines + lines*(lines+1)/2 + lines*(lines+1)*(lines+2)/6

	sharedRate = 0.3 // learning rate of the shared rows, relative to the rate of all other parameters
	ownRate    = 0.3
	ownDecay   = 3
)

// parameters contains a network in training. Its Rows are the own parts of the patterns.
type parameters struct {
	engine.Parameters
	Shared [numShared]row
}

// shared returns, for each pattern, the numbers of its shared rows. If a combination of lines occurs several times in the
// pattern, the number of its row is listed as many times. Only learning needs them, so that other commands do not compute them.
var shared = sync.OnceValue(func() *[engine.Patterns][]uint16 {
	all := new([engine.Patterns][]uint16)
	numbers := map[[3]uint8]uint16{}
	for p := range all {
		var live []uint8
		for _, made := range gomoku.Lines(p) {
			if made > 0 {
				live = append(live, made)
			}
		}
		for set := uint(1); set < 1<<len(live); set++ {
			if bits.OnesCount(set) > 3 {
				continue
			}
			var some [3]uint8
			for n, rest := 0, set; rest != 0; n, rest = n+1, rest&(rest-1) {
				some[n] = live[bits.TrailingZeros(rest)]
			}
			number, ok := numbers[some]
			if !ok {
				number = uint16(len(numbers))
				numbers[some] = number
			}
			all[p] = append(all[p], number)
		}
	}
	return all
})

// network returns the parameters of the network, with complete rows. A complete row is the sum of three parts: the row in
// base, which is the row at the start, the own part, and the shared rows.
func (p *parameters) network(base *table) *engine.Parameters {
	n, lists := p.Parameters, shared()
	for i := range n.Rows {
		nnue.Add(n.Rows[i][:], base[i][:])
		if i < engine.Patterns {
			nnue.SumRows(&n.Rows[i], p.Shared[:], lists[i])
		}
	}
	return &n
}

// moveRows moves the own parts and the shared rows by one step of the optimiser. gradient contains the gradients with respect
// to the complete rows, which are sums of these parts.
func moveRows(w *nnue.Weights[parameters], gradient *table, rate float64, n, steps int) {
	own, all := nnue.NewStep(rate*ownRate, n, steps), nnue.NewStep(rate*sharedRate, n, steps)
	keep := float32(1 - rate*ownDecay)
	sums, lists := new([numShared]row), shared()
	for i := range w.P.Rows {
		if i < engine.Patterns {
			if len(lists[i]) == 0 {
				continue
			}
			nnue.AddToRows(sums[:], &gradient[i], lists[i])
		}
		for j := range w.P.Rows[i] {
			w.P.Rows[i][j] *= keep
		}
		nnue.Move(own, w.P.Rows[i][:], w.M.Rows[i][:], w.V.Rows[i][:], gradient[i][:])
	}
	nnue.Move(all, nnue.Floats(&w.P.Shared), nnue.Floats(&w.M.Shared), nnue.Floats(&w.V.Shared), nnue.Floats(sums))
}
