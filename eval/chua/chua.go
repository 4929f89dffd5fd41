// SPDX-License-Identifier: Apache-2.0

// Package chua implements Chua Hock Chuan's heuristic for k in a row, as the authors of the generic heuristic (package generic)
// describe it. They used Chua's heuristic as an opponent of the generic heuristic. A row of k is worth 100, a threat of size
// k-1 is worth 10, and a threat of size k-2 is worth 1; the opponent's threats are worth the same with a minus sign.
//
// # Caveats
//
// Half-open and open threats have the same value; closed threats do not count. So Evaluate(p, s) is -Evaluate(p, s.Other())
// here.
//
// CITE: Chua Hock Chuan, Java Game Programming: Tic-tac-toe AI, 2012; Abdoulaye, Houndji, Ezin and Aglin, Generic
// Heuristic for the mnk-games, section 2.3.
package chua

import (
	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/threat"
)

// Weights returns the heuristic's weights for k in a row.
func Weights(k int) generic.Weights {
	v := generic.NewVector(k)
	v.Set(100, k, threat.Complete)
	v.Set(10, k-1, threat.HalfOpen, threat.Open)
	v.Set(1, k-2, threat.HalfOpen, threat.Open)
	return generic.Weights{K: k, Own: v, Enemy: v}
}
