// SPDX-License-Identifier: Apache-2.0

// Package plans implements a heuristic for k in a row that is a table: it values a position by the results of games from similar
// positions.
//
// # Basics
//
//	t, _, err := plans.Load("plans.json", g) // learn/plans writes it
//	e, err := plans.New(g, t)
//	v := e.Evaluate(p, game.First)
//
// A [State] describes which threats each side has, and how full the board is. The plan of a side is the kind of threat that its
// next move makes. For each state and each plan the table contains how often a side to move followed this plan in this state,
// and the points that the side scored in these games. In addition, the table contains results for each position that was
// reached during the first ten moves of a game. Rotated and mirrored positions count as the same position.
//
// # Value
//
// The value of a position is computed from c, the estimated chance that the given side wins. It is 600 (c - 1/2) units. So a
// value of 150 units means that the side wins three of four games. The first estimate of c is computed from v, the value
// that the generic heuristic (package generic) gives with its fixed parameters: c = 1/2 + v / (2 (|v| + 150)). Then the
// estimate is corrected three times (after the opening, twice), each time with another set of games from the table. The new
// estimate is an average of the results of these games and of 8 imaginary games. The result of the imaginary games is the
// previous estimate. A set of more than 100 games has only the weight of 100 games. From left to right, the first estimate
// and the three sets are:
//
//	fixed parameters < games with the same great threats < games of the same state < games through the same opening position
//
// If no set contains a game, the value depends only on v. Positions of the same state can have different values, because v
// can differ. With an empty table, positions have the same order as with the generic heuristic.
//
// [Evaluator.ScoreMove] returns the average of two values of a move: the value of its plan, and the value of the position after
// it.
//
// # Caveats
//
// The estimated chances are valid for players similar to the players of the counted games. A table is for one k, and its
// openings are for one game.
//
// CITE: Abdoulaye, Détermination des paramètres d'une heuristique générique pour les jeux de type « n-alignés » par
// apprentissage automatique, 2017, section "perspectives", which proposes to learn winning strategies from games. This project
// added the method of counting the games.
package plans

import (
	"fmt"
	"math"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/game"
)

const (
	belief = 8   // the estimate without counted games has the weight of this number of games
	most   = 100 // greatest weight, as a number of games, of all games counted for one state or position
	// A side whose value in the generic heuristic, with its fixed weights, is unit is assumed to win three of four games.
	unit = 150
)

// of returns a side's estimated chance to win. c contains the half points of this side; before is the estimate without the
// games of c.
func (c Count) of(before float64) float64 {
	if c.Games == 0 {
		return before
	}
	n := min(float64(c.Games), most)
	return (float64(n*float64(c.Halves)/float64(2*c.Games)) + float64(belief*before)) / (n + belief)
}

// turn returns the count from the view of the other side.
func (c Count) turn() Count { return Count{c.Games, 2*c.Games - c.Halves} }

// Evaluator is an eval.Incremental and an eval.MoveScorer. It updates the threats of the position given to Reset with each
// move, and scans the whole board of any other position.
type Evaluator struct {
	threat.Follower
	table *Table
	// By State: the number of counted games that reached the state, and the half points that the side to move won in them.
	states     []Count
	few        []Count // by State.few: the sum of the counts of all states that have the same threats
	own, enemy generic.Vector
	small      generic.Vector
	turned     *turned
}

// New returns the evaluator of a game. A nil table means that no games were counted.
func New(g game.Game, t *Table) (*Evaluator, error) {
	k, err := generic.K(g)
	if err != nil {
		return nil, err
	}
	if t == nil {
		t = NewTable(k)
	}
	if t.K != k {
		return nil, fmt.Errorf("plans for %d in a row, not %d", t.K, k)
	}
	w := generic.Fixed(k)
	e := &Evaluator{table: t, states: make([]Count, states), few: make([]Count, states), own: w.Own, enemy: w.Enemy, small: small(k), turned: newTurned(g)}
	for s, c := range t.States {
		e.states[s] = c.sum()
		e.few[s.few()].add(e.states[s])
	}
	return e, nil
}

// Evaluate returns the value of p for s.
func (e *Evaluator) Evaluate(p game.Position, s game.Side) eval.Score {
	c := e.Counter(p)
	return score(e.chance(p.(game.Lined), c.Counts(), s))
}

func score(chance float64) eval.Score {
	return eval.Score(math.Round(4 * unit * (chance - 0.5) * float64(eval.Unit)))
}

// chance returns the chance that s wins in p.
func (e *Evaluator) chance(p game.Lined, counts *threat.Counts, s game.Side) float64 {
	if o := p.Outcome(); o != game.Ongoing {
		return points(o, s) / 2
	}
	v := sum(e.own, counts[s]) - sum(e.enemy, counts[s.Other()])
	chance := 0.5 + 0.5*v/(math.Abs(v)+unit)
	at := stateOf(p, counts, e.small)
	few, all := e.few[at.few()], e.states[at]
	if s != p.Turn() {
		few, all = few.turn(), all.turn()
	}
	chance = all.of(few.of(chance))
	if p.Ply() > openingPlies || len(e.table.Openings) == 0 {
		return chance
	}
	c := e.table.Openings[e.turned.key(p.Cells())]
	if s == game.Second {
		c = c.turn()
	}
	return c.of(chance)
}

// points returns the half points that s gets for an outcome.
func points(o game.Outcome, s game.Side) float64 {
	switch w, won := o.Winner(); {
	case !won:
		return 1
	case w == s:
		return 2
	}
	return 0
}

func sum(w generic.Vector, counts []int32) (v float64) {
	for i, n := range counts {
		if n != 0 {
			v += float64(w[i] * float64(n))
		}
	}
	return v
}

// ScoreMove returns the mean of two estimated chances to win: the chance with the plan of m, and the chance in the position
// after m.
func (e *Evaluator) ScoreMove(p game.Position, m game.Move) eval.Score {
	c, side, l := e.Counter(p), p.Turn(), p.(game.Lined)
	from := stateOf(l, c.Counts(), e.small)
	before := near(c.Counts()[side], e.table.K)
	c.Play(m)
	p.Play(m)
	counts := c.Counts()
	next := e.chance(l, counts, side)
	plan := planOf(before, near(counts[side], e.table.K))
	p.Undo()
	c.Undo()
	chance := next
	// No games are counted for the plan Row: after a row of k the game is over, or, if the rules do not let this row win, the row
	// has no effect.
	if t := e.table.States[from]; t != nil && plan != Row {
		chance = t[plan].of(e.states[from].of(next))
	}
	return score((chance + next) / 2)
}

// Error compares the evaluator's chances with the result of a game. The first position that it compares is the position
// before moves[from]. It returns the number of compared positions and the sum of their squared errors. The error of a
// position is the difference between the estimated chance of the side to move and the points that this side scored in the
// game: 1, 1/2 or 0.
func (e *Evaluator) Error(p game.Position, moves []game.Move, from int, o game.Outcome) (positions int, sum float64) {
	e.Reset(p)
	for i, m := range moves {
		if i >= from {
			side := p.Turn()
			off := e.chance(p.(game.Lined), e.Counter(p).Counts(), side) - points(o, side)/2
			positions, sum = positions+1, sum+float64(off*off)
		}
		e.Play(m)
		p.Play(m)
	}
	return positions, sum
}
