// SPDX-License-Identifier: Apache-2.0

// Package fiverow learns to play five in a row from games of the gomoku engine against itself.
//
// # Basics
//
//	o := fiverow.Options{Playing: fiverow.Playing{Nodes: 700}, Dir: "games", Games: 6000, Chunk: 500, Seed: 1, Jobs: 2}
//	err := fiverow.Generate(ctx, []game.Game{g}, o, nil)
//	c, err := fiverow.Open("games/gomoku-seed-1-00000.games.gz")
//	err = fiverow.Each(g, &c.Plays[0], func(p game.Position, l fiverow.Label) { ... })
//
// # Games
//
// A game begins with 0 to 12 random stones near the middle that a short search takes for even. Then the engine moves,
// with a fixed number of nodes. To show learners more than good play,
//
//   - a third of the games, and all with a short opening, have stray moves: now and then one of the moves that look
//     good is played in place of the engine's choice;
//   - every other position has a move beside the game: one of the moves that look good is searched, but not played;
//   - one game in eight goes on after a win is proved, to the last stone.
//
// # Caveats
//
// The same seed, nodes and build give the same games, whatever Jobs is. Another build may play otherwise, since the
// engine does.
package fiverow
