// SPDX-License-Identifier: Apache-2.0

// Package gomoku is the engine for the games of k in a row in which one stone a turn is placed for good: gomoku,
// standard, renju and caro, and m,n,k with k of 4 to 6, on boards of 5 x 5 to 22 x 22.
//
// # Basics
//
//	s, err := gomoku.New(g, gomoku.Options{Threads: 2})
//	info, err := s.Search(ctx, p, search.Limits{Time: time.Second}, nil)
//
// # How it works
//
// The board (board.go) keeps for every empty cell what a stone of either side would make there, line by line
// ([shape], from a table that newShapes derives from the rules) and all in all ([class]), counts the classes, and
// sums up the evaluation. The search (search.go) is a principal variation search that looks at threats first: with
// counts of classes it knows wins of up to five plies without searching, and its leaves are searched through all
// sequences of fours.
//
// The weights of the evaluation and of the order of moves come from the engine's own games (fit.go, order.go, command
// tune): a set each for gomoku and m,n,k, for standard, caro and renju. A prover (prove.go, fours.go, zone.go) looks for wins by
// threats beside the search.
//
// # Caveats
//
// The search leaves moves out, so a win that it sees is only an opinion, some 310 units high; Solved is set, and the
// distance given, where the prover agrees. The distance is that of the proof, not the shortest. Draws are never
// called solved.
//
// # Speed
//
// About 2 M stones placed and lifted and 0.4 to 0.7 M nodes a second of one busy core; nothing is allocated at a node.
package gomoku
