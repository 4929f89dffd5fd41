// SPDX-License-Identifier: Apache-2.0

// Package gomoku is the engine for games of k in a row in which each turn places one stone for good: gomoku, standard,
// renju and caro, and m,n,k with k of 4 to 6, on boards of 5 x 5 to 22 x 22.
//
// # Basics
//
//	s, err := gomoku.New(g, gomoku.Options{Threads: 2})
//	info, err := s.Search(ctx, p, search.Limits{Time: time.Second}, nil)
//
// # How it works
//
// The board (board.go) knows for every empty cell what a stone of either side would make there: a [shape] in each line,
// from a table that newShapes derives from the rules, and a [class] of the four lines together. It counts the classes and
// sums up the evaluation as stones come and go.
//
// The search (search.go) is a principal variation search. The counts of classes tell it wins of up to five plies, and
// its leaves are searched through all sequences of fours (quiesce.go). Beside it a prover (prove.go) looks for wins by
// threats.
//
// The [Weights] of the evaluation and of the order of moves are learned from games of the engine against itself, by
// package learn/fiverow. [Features] is what that package sees of the engine.
//
// # Caveats
//
// The search leaves out moves that look bad, so a win that it sees is an opinion, with a score of some 310 units. If the
// prover agrees, Solved is set and the score tells the distance: that of the proof, which need not be the shortest. Draws
// are never called solved.
//
// # Speed
//
// About 2 M stones placed and lifted, and 0.4 to 0.7 M nodes, a second of one busy core. Nothing is allocated at a node.
package gomoku
