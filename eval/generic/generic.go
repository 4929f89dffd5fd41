// SPDX-License-Identifier: Apache-2.0

// Package generic implements the generic threat heuristic for k in a row: a weighted sum over the threats of both sides,
// f = A - B, with fixed or learned weights.
//
// # Basics
//
//	w, _, err := generic.Learned(g)  // "improved" in the published tables; generic.Fixed(4) is "brute"
//	e, err := generic.New(g, w)
//	v := e.Evaluate(p, game.First)
//
// With p[i,1] half-open and p[i,2] open threats of size i of the side that looks, and p[k] rows of k,
//
//	A = sum over i = 1..k-3 of (a[2i-1] p[i,1] + a[2i] p[i,2])
//	  + a[2(k-2)-1] p[k-2,1] + 100 p[k-2,2] + 80 p[k-1,1] + 250 p[k-1,2] + 1000000 p[k]
//
// and B is the same sum over the enemy's threats with 1300, 2000, 5020 and 1000000 in the last four places. [Fixed] has the
// small coefficients a.
//
// # Caveats
//
// Own and enemy threats weigh differently, so Evaluate(p, s) is not -Evaluate(p, s.Other()). A finished game is valued
// like any other. The texts define the sum for k >= 3; for smaller k it has the terms that exist.
//
// # Speed
//
// The evaluator is incremental: see package threat for what a move costs.
//
// CITE: Abdoulaye, Houndji, Ezin and Aglin, Generic Heuristic for the mnk-games, section 3.1; Abdoulaye,
// Détermination des paramètres d'une heuristique générique pour les jeux de type « n-alignés » par apprentissage
// automatique, 2017, section 1.1.4 and algorithm 2.
package generic

import (
	"fmt"
	"math"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/threat"
)

// Evaluator weighs the threats on a board. It is an eval.Incremental; any position but that of Reset it scans.
type Evaluator struct {
	own, enemy []eval.Score // by threat.Kind
	tied       game.Position
	live       threat.Counter // of tied
	scan       threat.Counter // of any other position
}

// New returns the evaluator of a game with these weights.
func New(g game.Game, w Weights) (*Evaluator, error) {
	k, err := K(g)
	if err != nil {
		return nil, err
	}
	if err := w.check(k); err != nil {
		return nil, err
	}
	e := &Evaluator{own: w.Own.scores(), enemy: w.Enemy.scores()}
	e.live.Reading, e.scan.Reading = w.Reading, w.Reading
	return e, nil
}

// K returns how many in a row win g, or an error where the game has no rows.
func K(g game.Game) (int, error) {
	b, ok := g.Start().(game.Lined)
	if !ok {
		return 0, fmt.Errorf("%s has no k in a row, and so no threats to weigh", g)
	}
	return b.K(), nil
}

// Reset ties the evaluator to p.
func (e *Evaluator) Reset(p game.Position) {
	e.tied = p
	e.live.Reset(p.(game.Lined))
}

// Play must be called just before the position tied to plays m.
func (e *Evaluator) Play(m game.Move) { e.live.Play(m) }

// Undo must be called just after the position tied to took a move back.
func (e *Evaluator) Undo() { e.live.Undo() }

// Evaluate returns the worth of p's threats for s.
func (e *Evaluator) Evaluate(p game.Position, s game.Side) eval.Score {
	c := &e.live
	if p != e.tied {
		c = &e.scan
		c.Reset(p.(game.Lined))
	}
	counts := c.Counts()
	return sum(e.own, counts[s]) - sum(e.enemy, counts[s.Other()])
}

func sum(w []eval.Score, counts []int32) (v eval.Score) {
	for i, n := range counts[:len(w)] {
		v += w[i] * eval.Score(n)
	}
	return v
}

// scores rounds each weight once.
func (v Vector) scores() []eval.Score {
	out := make([]eval.Score, len(v))
	for i, x := range v {
		out[i] = eval.Score(math.Round(x * float64(eval.Unit)))
	}
	return out
}
