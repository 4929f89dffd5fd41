// SPDX-License-Identifier: Apache-2.0

// Package tactics is the truth of forced wins in games of five in a row: puzzles with one winning move, how they are
// found, and a checker that replays an announced win against every defence.
//
// # Basics
//
//	p := tactics.Puzzles()[0]
//	pos, err := p.Position(g) // g is the game that p.Game names
//	attack, err := tactics.Engine(g, 100_000)
//	err = (&tactics.Checker{Attack: attack, Full: true}).Wins(ctx, pos)
//
// # Caveats
//
// That a puzzle has one winning move means that the prover found no win by threats after any other, with the nodes that
// [Miner] gives it; a slow win might exist.
package tactics
