// SPDX-License-Identifier: Apache-2.0

// Package atarigo implements an engine for Atari-Go: the first capture wins.
//
// # Basics
//
//	s, err := atarigo.New(g, atarigo.Options{})
//	info, err := s.Search(ctx, p, search.Limits{Time: time.Second}, nil)
//
// # How it thinks
//
//   - board.go: groups of stones and their liberties, which are updated with each stone;
//   - attack.go: wins by moves that each threaten a capture, such as ladders;
//   - static.go: the static value, from weak groups and from the points that each side reaches first;
//   - search.go: alpha-beta with iterative deepening and a transposition table;
//   - searcher.go: the engine as a search.Searcher.
//
// # Caveats
//
// Near the leaves the search leaves out some moves, so a win that it finds there is not proved. A win is reported as solved only
// if every answer was searched, except answers after which the enemy captures at once.
package atarigo

import (
	"github.com/krow-lab/krow/engine/score"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/atarigo"
)

// Options are the settings of the engine.
type Options = score.Options

// Plays reports whether the engine plays g.
func Plays(g game.Game) bool {
	a, ok := g.(*atarigo.Game)
	return ok && sizeOf(a) <= maxSide
}

func sizeOf(g game.Game) int {
	columns, _ := g.Start().(game.Board).Size()
	return columns
}
