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
// A [State] describes which threats each side has, and how full the board is. For each state the table contains the number of
// games in which it occurred, and the points that the side to move then made, by the plan of that side: the kind of threat that
// its next move made. In addition, the table contains results for the positions after each of the first moves of a game; rotated
// and mirrored positions count as the same.
//
// # Value
//
// The value of a position is computed from c, the estimated chance that the given side wins. It is 600 (c - 1/2) units. So 150
// units mean that three of four games are won, as with the published heuristics. The first estimate of c comes from the published
// heuristic with its fixed parameters. Then three counts of games correct the estimate, one after another. Each new estimate is
// the average result of these games, of which at most 100 count, and of 8 more games whose result is the previous estimate:
//
//	fixed parameters < games with the same great threats < games of the same state < games through the same opening position
//
// So an unknown state has the value of the published heuristic, which also distinguishes positions of the same state. With an
// empty table, all values are the values of the published heuristic.
//
// [Evaluator.ScoreMove] returns the average of two values of a move: the value of its plan, and the value of the position after
// it.
//
// # Caveats
//
// The chances are for players similar to those whose games were counted. A table is for one k, and its openings are for one game.
//
// CITE: Abdoulaye, Détermination des paramètres d'une heuristique générique pour les jeux de type « n-alignés » par apprentissage
// automatique, 2017, section "perspectives", which proposes to learn winning strategies from games. How to count games is the idea
// of this project.
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
	belief = 8   // number of games for which the prior belief counts
	most   = 100 // maximum number of games that count for a state or a position
	unit   = 150 // the advantage, in units of the published heuristic, that is assumed to win three of four games
)

// of returns a side's chance to win if c counts its half points; before is the estimate without these games.
func (c Count) of(before float64) float64 {
	if c.Games == 0 {
		return before
	}
	n := min(float64(c.Games), most)
	return (float64(n*float64(c.Halves)/float64(2*c.Games)) + float64(belief*before)) / (n + belief)
}

// turn returns the count from the view of the other side.
func (c Count) turn() Count { return Count{c.Games, 2*c.Games - c.Halves} }

// Evaluator is an eval.Incremental and an eval.MoveScorer. It follows the position given to Reset, and scans any other position.
type Evaluator struct {
	threat.Follower
	table      *Table
	states     []Count // by State, for the side to move
	few        []Count // by State: the sum over all states with the same threats
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

// ScoreMove returns the mean of two chances: the chance of the plan that m follows, and the chance of the position after m.
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
	if t := e.table.States[from]; t != nil && plan != Row { // a row of k ends the game, or does not win under these rules
		chance = t[plan].of(e.states[from].of(next))
	}
	return score((chance + next) / 2)
}

// Error compares the evaluator's chances with the result of a game. It returns the number of positions, beginning with the one
// before moves[from], and the sum of the squared errors of the chance of the side to move in them.
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
