// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"fmt"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
)

// The boards and rows that the engine plays.
const (
	minSide, maxSide = 5, 22
	minK, maxK       = 4, 6
)

// sideRule says which rows of one side win.
type sideRule struct {
	k       int
	exact   bool // a row longer than k does not win
	blocked bool // a row with an enemy stone at both ends does not win (caro)
	renju   bool // overlines, double fours and double threes are forbidden
}

// reach is how far from a stone a cell may be and still bear on a row of k through it: one more where a longer
// row, or what stands at its ends, counts.
func (r sideRule) reach() int {
	if r.exact || r.blocked {
		return r.k
	}
	return r.k - 1
}

// rule is a game that the engine plays.
type rule struct {
	columns, rows int
	side          [2]sideRule
}

// reach is the reach of both sides: they share their keys.
func (r *rule) reach() int { return max(r.side[0].reach(), r.side[1].reach()) }

// Plays says whether the engine plays g.
func Plays(g game.Game) bool {
	_, err := newRule(g)
	return err == nil
}

// newRule returns the rule of g, or an error in one line that says why the engine does not play it.
func newRule(g game.Game) (rule, error) {
	m, ok := g.(*mnk.Game)
	if !ok {
		return rule{}, fmt.Errorf("the gomoku engine does not play %s", g)
	}
	from := m.Rules()
	switch {
	case from.Gravity || from.Captures > 0 || from.Opening > 1 || from.Turn > 1:
		return rule{}, fmt.Errorf("the gomoku engine places one stone a turn, for good: not %s", g)
	case from.K < minK || from.K > maxK:
		return rule{}, fmt.Errorf("the gomoku engine plays for %d to %d in a row, not %d", minK, maxK, from.K)
	case min(from.Columns, from.Rows) < minSide || max(from.Columns, from.Rows) > maxSide:
		return rule{}, fmt.Errorf("the gomoku engine plays on boards of 5 x 5 to 22 x 22, not %d x %d", from.Columns, from.Rows)
	}
	r := rule{columns: from.Columns, rows: from.Rows}
	for s := range r.side {
		r.side[s] = sideRule{k: from.K, exact: from.Exact[s], blocked: from.Blocked, renju: from.Foul != nil && s == 0}
	}
	if r.reach() > maxReach {
		return rule{}, fmt.Errorf("the gomoku engine does not play %s: its rows reach too far", g)
	}
	return r, nil
}
