// SPDX-License-Identifier: Apache-2.0

// Package tactics is the truth of forced wins in games of five in a row: puzzles with one winning move, how they are
// found, and a checker that replays an announced win against every defence.
//
// # Basics
//
//	for _, p := range tactics.Puzzles() {
//		pos, err := p.Position(games)
//	}
//	err := (&tactics.Checker{Attack: tactics.Engine(g), Full: true}).Wins(ctx, pos)
//
// # Caveats
//
// That a puzzle has one winning move means that the prover found no win by threats after any other, with the nodes that
// [Miner] gives it; a slow win might exist.
package tactics
