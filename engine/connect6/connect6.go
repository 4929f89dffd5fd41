// SPDX-License-Identifier: Apache-2.0

// Package connect6 plays Connect6: six in a row win, and a turn is two stones.
//
// # Basics
//
//	s, err := connect6.New(g, connect6.Options{})
//	info, err := s.Search(ctx, p, search.Limits{Time: time.Second}, nil)
//
// # How it thinks
//
// The search treats a turn as one move of two stones. The board counts the stones of both sides in each window, six cells in a
// line. A window with at least four stones of one side and none of the other is a threat, since one turn completes it. The cover
// of a side's threats is the least number of stones that stop all of them: if it is three or more, the side has won.
//
//   - board.go: windows, threats and values, which are updated with each stone;
//   - moves.go: turns that stop threats, and pairs of promising cells;
//   - attack.go: wins by double threats, which the enemy must answer with both stones;
//   - search.go: alpha-beta with iterative deepening and a transposition table;
//   - searcher.go: the engine as a search.Searcher.
//
// # Caveats
//
// The search tries only some of the possible turns. A win is reported as solved if it holds against every answer of the enemy.
// This can be shown for wins by double threats, because the enemy has few answers to a double threat, and because a win that
// holds after all these answers at once holds after each of them. Other wins are not proved.
//
// CITE: Wu and Huang, A New Family of k-in-a-row Games, 2005; Wu and Lin, Relevance-Zone-Oriented Proof Search for
// Connect6, 2010 (threats classified by the number of stones that stop them).
package connect6

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
	plain := r.Foul == nil && !r.Gravity && !r.Blocked && r.Captures == 0 && r.Exact == [2]bool{}
	return plain && r.K == length && r.Turn == 2 && r.Opening <= 2 && max(r.Columns, r.Rows) <= maxSide
}
