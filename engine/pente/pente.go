// SPDX-License-Identifier: Apache-2.0

// Package pente implements an engine for pente: five in a row win, and five captured pairs also win.
//
// # Basics
//
//	s, err := pente.New(g, pente.Options{})
//	info, err := s.Search(ctx, p, search.Limits{Time: time.Second}, nil)
//
// # How it thinks
//
//   - pattern.go: the effects of a stone in a line: rows, captures, and pairs that the enemy can capture;
//   - board.go: the sets of cells that make a five, a four or a capture, which are updated with each stone;
//   - attack.go: wins by threats to win at once, each of which has few answers;
//   - search.go: alpha-beta with iterative deepening and a transposition table;
//   - searcher.go: the engine as a search.Searcher.
//
// # Caveats
//
// The search tries only promising moves. A win is reported as solved if every answer of the enemy was examined: a threat to win
// at once has few answers, and all of them, including captures, are examined. Other wins are not proved.
package pente

import (
	"github.com/krow-lab/krow/engine/score"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
)

// Options are the settings of the engine.
type Options = score.Options

// Plays reports whether the engine plays g.
func Plays(g game.Game) bool {
	k, ok := g.(*mnk.Game)
	if !ok {
		return false
	}
	r := k.Rules()
	plain := r.Foul == nil && !r.Gravity && !r.Blocked && r.Exact == [2]bool{}
	return plain && r.K == 5 && r.Turn <= 1 && r.Opening <= 1 && r.Captures > 0 && max(r.Columns, r.Rows) <= maxSide
}
