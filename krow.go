// SPDX-License-Identifier: Apache-2.0

// Package krow plays, analyses and solves k-in-a-row games. It is the front door of the library: the registry of every game,
// player, heuristic, search and learner, each made from a text that is called a spec.
//
// # Basics
//
//	g, err := krow.Game("gomoku:19")                  // the rules; g.Start() is a position
//	p, err := krow.Player(g, "gomoku:time=1s", seed)  // p.Move answers with a move
//
// The example of this package plays a move, analyses a position, solves a game and runs a match. These packages do the rest:
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
// The tables of this package are the one place to add a game, heuristic, search, player or learner. An entry declares its options as
// data. Listings, completion, docs and pages derive from the tables.
//
// # Strangers
//
// The functions that begin with Public make what an untrusted caller may ask for, for example the sender of a request. These
// functions refuse options that read files, start programs, or take much memory or many threads, in nested specs as well.
package krow
