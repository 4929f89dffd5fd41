// SPDX-License-Identifier: Apache-2.0

// Package shevchenko implements Shevchenko's heuristic as Abdoulaye and others describe it. They are the authors of the
// generic heuristic (package generic), and compared it with Shevchenko's. Only own threats count: a row of k is worth 100, a
// threat of size k-1 is worth 10, and a threat of size k-2 is worth 1.
//
// # Caveats
//
// The heuristic ignores the opponent's threats, even a win of the opponent. Threats of size k-1 with a gap count like other
// threats.
//
// In the paper by Abdoulaye and others, half-open, open and closed threats are worth the same. The thesis on which this
// paper is based names only half-open and open threats: see [Options].Closed. Shevchenko's own note has 1000 for five, 100
// for four, 10 for three and 1 for two in a row, and counts a pattern with a gap, such as G_GGG, like a row of the same
// number of stones: see [Options].Note. In the paper and the thesis, s stones have the value that the note gives to s-1
// stones: five in a row are worth 100, as four are in the note. (Shevchenko's program has weights for more patterns, and
// subtracts the values of the opponent's patterns.)
//
// CITE: Shevchenko, Gomoku & Minimax-alphabeta search, 2016, section II; Abdoulaye, Houndji, Ezin and Aglin, Generic
// Heuristic for the mnk-games, section 2.2.
package shevchenko

import (
	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/threat"
)

// Options choose between the versions of the heuristic in the paper, the thesis and Shevchenko's note.
type Options struct {
	Closed bool // closed threats count as much as half-open and open threats
	Note   bool // the scale of Shevchenko's own note: 1000, 100, 10 and 1 for sizes k to k-3
}

// Weights returns the heuristic's weights for k in a row.
func Weights(k int, o Options) generic.Weights {
	classes := []threat.Class{threat.HalfOpen, threat.Open}
	if o.Closed {
		classes = append(classes, threat.Closed)
	}
	scale := []float64{100, 10, 1}
	if o.Note {
		scale = []float64{1000, 100, 10, 1}
	}
	w := generic.Weights{K: k, Own: generic.NewVector(k), Enemy: generic.NewVector(k)}
	w.Own.Set(scale[0], k, threat.Complete)
	for i, x := range scale[1:] {
		w.Own.Set(x, k-1-i, classes...)
	}
	return w
}
