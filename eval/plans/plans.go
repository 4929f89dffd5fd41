// SPDX-License-Identifier: Apache-2.0

// Package plans values positions of k in a row by the results of games from similar positions: a table of winning
// plans.
//
// # Basics
//
//	t, _, err := plans.Load("plans.json", g) // learn/plans writes it
//	e, err := plans.New(g, t)
//	v := e.Evaluate(p, game.First)
//
// A [State] says which threats each side has, and how full the board is. For each state the table counts the games that came
// through it and the points of the side to move, by its plan: the kind of threat that its next move made. In addition, the first
// moves of a game are counted by the position to which they lead; turned and mirrored positions count as the same.
//
// # Value
//
// A position is valued by the chance c that the given side wins. Its score is 600 (c - 1/2) units, so 150 units mean that three of
// four games are won, as with the published heuristics. The first estimate of the chance is the published heuristic with its fixed
// parameters. Then three counts correct it, one after the other. Each is the average result of its games, of which at most 100
// count, and of 8 more games with the previous estimate as their result:
//
//	fixed parameters < games with the same great threats < games of the same state < games through the same opening position
//
// So an unknown state keeps the value of the published heuristic, which also decides between positions of the same state. With an
// empty table the value is that heuristic's alone.
//
// [Evaluator.ScoreMove] returns the average of two values of a move: the value of its plan, and the value of the position after
// it.
//
// # Caveats
//
// The chances hold for players like those whose games were counted. A table is for one k, and its openings are for one game.
//
// CITE: Abdoulaye, Détermination des paramètres d'une heuristique générique pour les jeux de type « n-alignés » par apprentissage
// automatique, 2017, section "perspectives", which proposes to learn winning strategies from games. The way to count them is this
// project's.
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
	most   = 100 // maximum number of games for which a state or a position counts
	unit   = 150 // the advantage, in units of the published heuristic, with which three of four games are taken to be won
)

// of returns a side's chance to win after the count of its half points; before is its chance without these games.
func (c Count) of(before float64) float64 {
	if c.Games == 0 {
		return before
	}
	n := min(float64(c.Games), most)
	return (float64(n*float64(c.Halves)/float64(2*c.Games)) + float64(belief*before)) / (n + belief)
}

// turn returns the count of the other side.
func (c Count) turn() Count { return Count{c.Games, 2*c.Games - c.Halves} }

// Evaluator is an eval.Incremental and an eval.MoveScorer. It scans any position except the position of Reset.
type Evaluator struct {
	threat.Follower
	table      *Table
	states     []Count // by State, for the side to move
	few        []Count // of all states with the same threats, by State
	own, enemy generic.Vector
	small      generic.Vector
	turned     *turned
}

// New returns the evaluator of a game. A nil table is empty: no games were counted.
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

// points returns the number of half points that s wins by an outcome.
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

// ScoreMove returns the mean of two chances: of the plan that m begins, and of the position that it leads to.
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
	if t := e.table.States[from]; t != nil && plan != Row { // a row of k either ends the game, or does not win by the rules
		chance = t[plan].of(e.states[from].of(next))
	}
	return score((chance + next) / 2)
}

// Error compares the evaluator's chances with the result of a game. It returns the number of positions in which a player chose the
// move, and the sum of the squared errors of the chances of the side to move in them.
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
