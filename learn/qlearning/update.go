// SPDX-License-Identifier: Apache-2.0

package qlearning

import (
	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/threat"
)

// table is the parameters in the course of one game, and what their next updates need.
type table struct {
	o       Options
	rank    [2]ranking
	v       [2]generic.Vector // own and enemy
	counter threat.Counter
	sim     simulator
	// By vector and side. due is the rank of the parameter that waits for what comes next, or none.
	due    [2][2]int
	traces [2][2][]float64 // by rank
}

func (l *Learner) newTable(w generic.Weights) *table {
	t := &table{o: l.o, rank: l.rank, v: [2]generic.Vector{w.Own, w.Enemy}}
	for i := range t.due {
		t.due[i] = [2]int{none, none}
		t.traces[i] = [2][]float64{make([]float64, len(l.rank[i])), make([]float64, len(l.rank[i]))}
	}
	return t
}

// learn makes the updates of the move that mover has just made in p.
func (t *table) learn(p game.Position, mover game.Side) {
	t.counter.Reset(p.(game.Lined))
	counts := t.counter.Counts()
	t.settle(counts, mover)
	ended := p.Outcome() != game.Ongoing
	for i, s := range [2]game.Side{own: mover, enemy: mover.Other()} {
		top := t.rank[i].top(counts[s])
		if top == none || top == len(t.rank[i])-1 {
			continue
		}
		if t.o.Method == Q && !ended {
			t.update(i, s, top, t.sim.next(p, s, t.rank[i], t.v[i], t.o.Max))
			continue
		}
		t.due[i][s] = top
	}
	if ended && !t.o.KeepEnd {
		t.end()
	}
}

// end updates what waits for a move that will not come.
func (t *table) end() {
	for i := range t.due {
		for s, due := range t.due[i] {
			if due != none {
				t.update(i, game.Side(s), due, 0)
			}
		}
	}
}

// settle updates what waited for this board: after mover's action with Sarsa, after any with TD.
func (t *table) settle(counts *threat.Counts, mover game.Side) {
	for i := range t.due {
		for s, due := range t.due[i] {
			s := game.Side(s)
			if due == none || t.o.Method == Sarsa && s != mover {
				continue
			}
			next := 0.0
			if top := t.rank[i].top(counts[s]); top != none {
				next = t.v[i][t.rank[i][top]]
			}
			t.due[i][s] = none
			t.update(i, s, due, next)
		}
	}
}

// update moves the parameter of a rank towards gamma times the value of what comes next, with it those that
// have a trace, and puts the vector in order. Without lambda no other has one.
func (t *table) update(i int, s game.Side, rank int, next float64) {
	v, r, trace := t.v[i], t.rank[i], t.traces[i][s]
	target := t.o.Gamma * next
	delta := t.o.Alpha * (target - v[r[rank]])
	updated := make([]bool, len(r))
	for j := range trace {
		trace[j] *= t.o.Gamma * t.o.Lambda
		if j != rank && trace[j] != 0 {
			v[r[j]] += delta * trace[j]
			updated[j] = true
		}
	}
	// Exactly the target at a learning rate of 1.
	v[r[rank]] = (1-t.o.Alpha)*v[r[rank]] + t.o.Alpha*target
	updated[rank], trace[rank] = true, 1
	r.adjust(v, updated)
}
