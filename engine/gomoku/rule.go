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

// sideRule is what makes a row of one side a win.
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
	p := m.Start().(*mnk.Position)
	r := rule{}
	r.columns, r.rows = p.Size()
	if _, stones := m.StonesLeft(1); m.Moves() != r.columns*r.rows || stones != 1 || p.Setup().Memory != nil {
		return rule{}, fmt.Errorf("the gomoku engine places one stone a turn, for good: not %s", g)
	}
	if k := p.K(); k < minK || k > maxK {
		return rule{}, fmt.Errorf("the gomoku engine plays for %d to %d in a row, not %d", minK, maxK, k)
	}
	if min(r.columns, r.rows) < minSide || max(r.columns, r.rows) > maxSide {
		return rule{}, fmt.Errorf("the gomoku engine plays on boards of 5 x 5 to 22 x 22, not %d x %d", r.columns, r.rows)
	}
	blocked, renju := probeBlocked(m, p), probeRenju(m, p)
	for s := range r.side {
		r.side[s] = sideRule{k: p.K(), exact: p.Exact(game.Side(s)), blocked: blocked, renju: renju && s == 0}
	}
	if r.reach() > maxReach {
		return rule{}, fmt.Errorf("the gomoku engine does not play %s: its rows reach too far", g)
	}
	return r, nil
}

// probeBlocked asks the rules whether a row between two enemy stones wins. Where none fits, it does not matter.
//
//	O X X X X X O
func probeBlocked(g *mnk.Game, p *mnk.Position) bool {
	columns, rows := p.Size()
	step, k := 1, p.K()
	if columns < rows {
		step = columns
	}
	if max(columns, rows) < k+2 {
		return false
	}
	cells := make([]game.Stone, columns*rows)
	for i := range k {
		cells[(i+1)*step] = game.FirstStone
	}
	cells[0], cells[(k+1)*step] = game.SecondStone, game.SecondStone
	q, err := g.SetUp(game.Setup{Cells: cells, Ply: k + 2})
	return err == nil && q.Outcome() == game.Ongoing
}

// probeRenju asks the rules whether the first side may make two fours at once.
//
//	. . . .
//	. . . X
//	. . . X
//	. . . X
//	X X X ?
func probeRenju(g *mnk.Game, p *mnk.Position) bool {
	const k = 5
	if p.K() != k {
		return false
	}
	columns, rows := p.Size()
	cells := make([]game.Stone, columns*rows)
	for i := range k - 2 {
		cells[i], cells[k-2+(i+1)*columns] = game.FirstStone, game.FirstStone
	}
	q, err := g.SetUp(game.Setup{Cells: cells, Ply: 2 * (k - 2)})
	if err != nil {
		return false
	}
	f, ok := q.(game.Forbidder)
	return ok && f.Forbidden(k-2) != ""
}
