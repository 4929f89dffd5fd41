// SPDX-License-Identifier: Apache-2.0

// Package gomoku is the engine for games of k in a row in which each turn places one stone that stays on the board: gomoku,
// standard, renju, caro, and m,n,k with k from 4 to 6, on boards from 5 x 5 to 22 x 22.
//
// # Basics
//
//	s, err := gomoku.New(g, gomoku.Options{Threads: 2})
//	info, err := s.Search(ctx, p, search.Limits{Time: time.Second}, nil)
//
// # How it works
//
// For every empty cell and each side, the board (board.go) contains the effect of a stone of that side on the cell: the
// [shape] that the stone makes in each of the four lines, and the [class] of the four shapes together. The shapes come from a
// table that newShapes computes from the rules. Each time a stone is placed or taken back, the board updates the number of
// cells of each class, and the sum that is the evaluation.
//
// The search (search.go) is a principal variation search. From the numbers of cells of each class it sees wins in up to five
// plies, and at its leaves it searches all sequences of fours (quiesce.go). In addition, a prover (prove.go) searches for wins by
// threats.
//
// [Weights] rate patterns for the evaluation and for move ordering. If Options.Net is set, a network (package network) corrects
// the evaluation; [DefaultNet] returns the engine's own network. If the network has a policy, the policy orders the moves. Package
// learn/gomoku/network trains it, and gets the features of a position from [Features].
//
// # Caveats
//
// The search leaves out moves that look bad, so a win that it finds is not proved. The score of such a win is about 310 units,
// more than any evaluation; two units multiply the odds of a win by e. If the prover proves the win, Solved is set and the
// score is the length of the proved win in plies. A shorter win may exist, so a length of more than three plies is an upper
// bound. A draw is never reported as solved.
//
// # Speed
//
// On one core of a busy machine the engine places and lifts about 2 M stones per second, and searches 0.4 to 0.7 M nodes per
// second. A node allocates no memory.
package gomoku

import (
	"fmt"
	"slices"
	"time"

	"github.com/krow-lab/krow/engine/gomoku/network"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
)

// Options are the settings of the engine.
type Options struct {
	Threads int              // number of threads; 0 means 1
	Hash    int              // size of the transposition table in bytes; 0 means DefaultHash
	Time    time.Duration    // time of a search without limits; 0 means defaultTime
	Weights *Weights         // weights of the evaluation and of move ordering; nil means DefaultWeights
	Net     *network.Network // network that corrects the evaluation; nil means none

	Threats bool // whether only wins by threats are proved, and not other wins with a proof tree

	off technique // the techniques that Switch has turned off
}

// The values that are used for fields of Options that are zero.
const (
	DefaultHash = 32 << 20
	defaultTime = time.Second
	maxThreads  = 256
)

// technique is a set of search techniques. An experiment switches them off one by one.
type technique uint16

const (
	techTable technique = 1 << iota
	techAspiration
	techHistory
	techCounter
	techReduction
	techCount
	techFutility
	techRazor
	techNull
	techSingular
	techFour
	techIIR
	techDefence
	techProof
	techPolicy
	techWindow
)

var techniques = []string{
	"table", "aspiration", "history", "counter", "reduction", "count", "futility", "razor", "null", "singular", "four", "iir",
	"defence", "proof", "policy", "window",
}

// Techniques lists the names of the techniques that can be switched off.
func Techniques() []string { return slices.Clone(techniques) }

// Switch turns the technique with this name on or off, and reports whether there is such a technique.
func (o *Options) Switch(name string, on bool) bool {
	i := slices.Index(techniques, name)
	if i < 0 {
		return false
	}
	if o.off |= 1 << i; on {
		o.off &^= 1 << i
	}
	return true
}

func (o *Options) uses(t technique) bool { return o.off&t == 0 }

// The limits of board sizes and row lengths that the engine supports.
const (
	minSide, maxSide = 5, 22
	minK, maxK       = 4, 6
)

type sideRule struct {
	k       int
	exact   bool // whether rows longer than k do not win
	blocked bool // whether a row with enemy stones at both ends does not win, as in caro
	renju   bool // whether overlines, double fours and double threes are forbidden
}

// reach returns the maximum distance at which a stone can affect the rows through a cell. It is k-1, or k if the rules also
// consider longer rows or the cells at the ends of a row.
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

// reach returns the greater of the reaches of the two sides. Both sides use this reach, because a cell has only one key in each
// line: the contents of the cells within the reach. The shapes of both sides are looked up by this key (shape.go).
func (r *rule) reach() int { return max(r.side[0].reach(), r.side[1].reach()) }

// zoned reports whether trees with zones can prove wins by the rule; in renju only wins of the first side.
func (r *rule) zoned() bool {
	return r.side[0].renju || r.side[0] == r.side[1] && (!r.side[0].exact || !r.side[0].blocked)
}

// Plays reports whether the engine plays g.
func Plays(g game.Game) bool {
	_, err := newRule(g)
	return err == nil
}

// newRule returns the rule of g, or an error if the engine does not play g.
func newRule(g game.Game) (rule, error) {
	m, ok := g.(*mnk.Game)
	if !ok {
		return rule{}, fmt.Errorf("the gomoku engine does not play %s", g)
	}
	from := m.Rules()
	switch {
	case from.Gravity || from.Captures > 0 || from.Opening > 1 || from.Turn > 1:
		return rule{}, fmt.Errorf("the gomoku engine supports only games with one stone a turn and no captures, not %s", g)
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
		return rule{}, fmt.Errorf("the gomoku engine does not support %s, because its rows are too long", g)
	}
	return r, nil
}
