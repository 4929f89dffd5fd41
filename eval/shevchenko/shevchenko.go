// SPDX-License-Identifier: Apache-2.0

// Package shevchenko implements Shevchenko's heuristic as the authors of the generic heuristic describe their rival: only
// own threats count, 100 for a row of k, 10 for size k-1, 1 for size k-2.
//
// # Caveats
//
// It does not see the opponent, not even the opponent's win. Threats of size k-1 with a gap count as other threats.
//
// The paper counts half-open, open and closed threats alike; the thesis behind it names only half-open and open ones:
// [Options].Closed. Both shift the scale of Shevchenko's own note by one size. The note has 1000 for five, 100 for four,
// 10 for three and 1 for two in a row, with patterns like G_GGG counted as their stones: [Options].Note. (His program
// weighs more patterns, and subtracts the opponent's.)
//
// CITE: Shevchenko, Gomoku & Minimax-alphabeta search, 2016, section II; Abdoulaye, Houndji, Ezin and Aglin, Generic
// Heuristic for the mnk-games, section 2.2.
package shevchenko

import (
	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/threat"
)

// Options are the readings of the texts.
type Options struct {
	Closed bool // closed threats count like others
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
