// SPDX-License-Identifier: Apache-2.0

// Package gomoku is the engine for games of k in a row in which each turn places one stone for good: gomoku, standard,
// renju and caro, and m,n,k with k of 4 to 6, on boards of 5 x 5 to 22 x 22.
//
// # Basics
//
//	s, err := gomoku.New(g, gomoku.Options{Threads: 2})
//	info, err := s.Search(ctx, p, search.Limits{Time: time.Second}, nil)
//
// # How it works
//
// The board (board.go) knows for every empty cell what a stone of either side would make there: a [shape] in each line, from a
// table that newShapes derives from the rules, and a [class] of the four lines together. Each time a stone is placed or taken
// back, it updates the counts of the classes and the sum that is the evaluation.
//
// The search (search.go) is a principal variation search. From the counts of classes it sees wins in up to five plies, and at its
// leaves it searches all sequences of fours (quiesce.go). In addition a prover (prove.go) looks for wins by threats.
//
// The [Weights] of the evaluation and of move ordering are learned from games of the engine against itself, by package
// learn/gomoku. [Features] shows that package the features of a position. A network (package network) corrects the evaluation if
// Options.Net is set; [DefaultNet] returns the engine's own network. If the network has a policy, the policy orders the moves.
//
// # Caveats
//
// The search leaves out moves that look bad, so a win that it sees is not proved: its score is about 310 units. If the prover
// proves the win, Solved is set and the score is the length of the proved win in plies. A shorter win may exist, so a length of
// more than three plies is an upper bound. A draw is never reported as solved.
//
// # Speed
//
// About 2 M stones placed and lifted, and 0.4 to 0.7 M nodes, a second of one busy core. Nothing is allocated at a node.
package gomoku

import (
	"fmt"
	"slices"
	"time"

	"github.com/krow-lab/krow/engine/gomoku/network"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
)

// Options say how the engine searches.
type Options struct {
	Threads int              // 0: 1
	Hash    int              // bytes of the transposition table; 0: DefaultHash
	Time    time.Duration    // for a search without limits; 0: defaultTime
	Weights *Weights         // of the evaluation and the order of moves; nil: DefaultWeights
	Net     *network.Network // corrects the evaluation; nil: none

	off technique // the techniques that Switch has turned off
}

// The defaults: a zero field of Options stands for these values.
const (
	DefaultHash = 32 << 20
	defaultTime = time.Second
	maxThreads  = 256
)

// technique is a set of techniques of the search. A study switches them off one by one.
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

// Switch turns the technique of that name on or off, and reports whether there is one.
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

// The boards and rows that the engine plays.
const (
	minSide, maxSide = 5, 22
	minK, maxK       = 4, 6
)

type sideRule struct {
	k       int
	exact   bool // a row longer than k does not win
	blocked bool // a row with an enemy stone at both ends does not win (caro)
	renju   bool // overlines, double fours and double threes are forbidden
}

// reach returns the greatest distance at which a stone can affect the rows through a cell: k-1, or k if the rules also look at
// longer rows or at the cells next to a row.
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

// reach returns the greater reach of the two sides. Both use it, because they share the keys of cells.
func (r *rule) reach() int { return max(r.side[0].reach(), r.side[1].reach()) }

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
