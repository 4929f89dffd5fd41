// SPDX-License-Identifier: Apache-2.0

// Package krow plays, analyses and solves k-in-a-row games. It is the entry point of the library: the registry of every game,
// player, heuristic, search and learner. All of them are made from texts that are called specs.
//
// # Basics
//
//	g, err := krow.Game("gomoku:19")                  // the rules; g.Start() is a position
//	p, err := krow.Player(g, "gomoku:time=1s", seed)  // p.Move answers with a move
//
// The example of this package plays a move, analyses a position, solves a game and runs a match. Other packages contain the rest:
//
//	game           what a game and a position are
//	notation       moves and boards as text
//	search, eval   searches and heuristics, and how to write one
//	player, arena  players, and matches between them
//	app/analysis   the best lines of a position, and the review of a game
//	app/solve      proved values, and certificates
//	proof          checks certificates
//
// ARCHITECTURE.md has the map of all folders.
//
// # Adding a name
//
// A game, heuristic, search, player or learner is added to a table of this package, and nowhere else. An entry of a table declares
// its options as data. Listings, completion, docs and pages are generated from the tables.
//
// # Strangers
//
// The functions whose names end in By, such as [PlayerBy], take a spec.Trust. Pass spec.Untrusted if the spec comes from an
// untrusted caller, such as the sender of a request. The functions then refuse options that read files, start programs, or
// take much memory or many threads. They also refuse such options in nested specs.
package krow
