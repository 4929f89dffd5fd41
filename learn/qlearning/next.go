// SPDX-License-Identifier: Apache-2.0

package qlearning

import (
	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/threat"
)

// simulator tries the legal moves of either side.
type simulator struct {
	counter threat.Counter
	moves   []game.Move
}

// next returns Q': what the legal moves of side s in p are worth in v, whosever turn it is.
// O(cells + moves * directions * k).
func (sim *simulator) next(p game.Position, s game.Side, r ranking, v generic.Vector, reading Max) float64 {
	q := turned(p, s).(game.Lined)
	sim.moves = q.AppendMoves(sim.moves[:0])
	sim.counter.Reset(q)
	best, highest := 0.0, none
	for _, m := range sim.moves {
		sim.counter.Play(m)
		q.Play(m)
		if top := r.top(sim.counter.Counts()[s]); top != none {
			best, highest = max(best, v[r[top]]), max(highest, top)
		}
		q.Undo()
		sim.counter.Undo()
	}
	if reading == Prose && highest != none {
		return v[r[highest]]
	}
	return best
}

// turned returns a position like p, which is ongoing, in which it is s's turn. p itself is never touched.
func turned(p game.Position, s game.Side) game.Position {
	if p.Turn() == s {
		return p.Clone()
	}
	setup := p.(game.Settable).Setup()
	setup.Turn = s
	q, err := p.Game().(game.Setter).SetUp(setup)
	if err != nil {
		panic("a position of a game in progress cannot be set up for the other side: " + err.Error())
	}
	return q
}
