// SPDX-License-Identifier: Apache-2.0

package qlearning

import (
	"cmp"
	"slices"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/threat"
)

// updates changes the parameters during one game.
type updates struct {
	o       Options
	rank    [2]ranking
	v       [2]generic.Vector // own and enemy
	counter threat.Counter
	sim     simulator
	due     [2][2]int       // by vector and side: the rank of the parameter that waits for its Q', or none
	traces  [2][2][]float64 // by vector, side and rank
}

func (l *Learner) newUpdates(w generic.Weights) *updates {
	u := &updates{o: l.o, rank: l.rank, v: [2]generic.Vector{w.Own, w.Enemy}}
	for i := range u.due {
		u.due[i] = [2]int{none, none}
		u.traces[i] = [2][]float64{make([]float64, len(l.rank[i])), make([]float64, len(l.rank[i]))}
	}
	return u
}

// learn makes the updates of the move that mover has just made in p.
func (u *updates) learn(p game.Position, mover game.Side) {
	u.counter.Reset(p.(game.Lined))
	counts := u.counter.Counts()
	u.settle(counts, mover)
	ended := p.Outcome() != game.Ongoing
	for i, s := range [2]game.Side{own: mover, enemy: mover.Other()} {
		top := u.rank[i].top(counts[s])
		if top == none || top == len(u.rank[i])-1 {
			continue
		}
		if u.o.Method == Q && !ended {
			u.update(i, s, top, u.sim.next(p, s, u.rank[i], u.v[i], u.o.Max))
			continue
		}
		u.due[i][s] = top
	}
	if ended && !u.o.KeepEnd {
		u.end()
	}
}

// end makes the updates that wait for a move that will not come.
func (u *updates) end() {
	for i := range u.due {
		for s, due := range u.due[i] {
			if due != none {
				u.update(i, game.Side(s), due, 0)
			}
		}
	}
}

// settle makes the updates that waited for this board: after mover's moves with Sarsa, after any move with TD.
func (u *updates) settle(counts *threat.Counts, mover game.Side) {
	for i := range u.due {
		for s, due := range u.due[i] {
			s := game.Side(s)
			if due == none || u.o.Method == Sarsa && s != mover {
				continue
			}
			next := 0.0
			if top := u.rank[i].top(counts[s]); top != none {
				next = u.v[i][u.rank[i][top]]
			}
			u.due[i][s] = none
			u.update(i, s, due, next)
		}
	}
}

// update moves the parameter of a rank towards gamma times next, moves those that have a trace with it, and puts the
// vector in order. Without lambda only the parameter itself has a trace.
func (u *updates) update(i int, s game.Side, rank int, next float64) {
	v, r, trace := u.v[i], u.rank[i], u.traces[i][s]
	target := u.o.Gamma * next
	delta := u.o.Alpha * (target - v[r[rank]])
	updated := make([]bool, len(r))
	for j := range trace {
		trace[j] *= u.o.Gamma * u.o.Lambda
		if j != rank && trace[j] != 0 {
			v[r[j]] += delta * trace[j]
			updated[j] = true
		}
	}
	// Exactly the target at a learning rate of 1.
	v[r[rank]] = (1-u.o.Alpha)*v[r[rank]] + u.o.Alpha*target
	updated[rank], trace[rank] = true, 1
	r.adjust(v, updated)
}

// simulator tries the legal moves of either side.
type simulator struct {
	counter threat.Counter
	moves   []game.Move
}

// next returns Q': the value in v of the legal moves of side s in p, as if it were s's turn.
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

// turned returns a copy of p, which is ongoing, in which it is s's turn.
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

// ranking is the kinds of threats by importance, the least important first. The last one is a row of k.
type ranking []threat.Kind

// none is the rank where there is no threat.
const none = -1

// newRanking ranks the kinds by these parameters, without closed threats.
func newRanking(k int, v generic.Vector) ranking {
	var r ranking
	for kind := range threat.Kind(threat.Kinds(k)) {
		if kind.Class(k) != threat.Closed {
			r = append(r, kind)
		}
	}
	slices.SortStableFunc(r, func(a, b threat.Kind) int { return cmp.Compare(v[a], v[b]) })
	return r
}

// top returns the rank of the most important threat in counts, or none.
func (r ranking) top(counts []int32) int {
	for i := len(r) - 1; i >= 0; i-- {
		if counts[r[i]] != 0 {
			return i
		}
	}
	return none
}

// adjust puts the parameters in order of rank. Each updated one is clamped between its nearest neighbours that were not
// updated, and of several updated ones side by side none is less than the one before it.
// Invariant: those not updated are in order among themselves, and the last one is never updated.
//
//	updated    .  *  .  *  *  .          before   2  9  4  1  3  8
//	                                     after    2  4  4  4  4  8
func (r ranking) adjust(v generic.Vector, updated []bool) {
	high := v[r[len(r)-1]]
	for i := len(r) - 2; i >= 0; i-- {
		if updated[i] {
			v[r[i]] = min(v[r[i]], high)
			continue
		}
		high = v[r[i]]
	}
	low := 0.0
	for _, kind := range r {
		v[kind] = max(v[kind], low)
		low = v[kind]
	}
}

// ordered says whether the parameters are in order of rank.
func (r ranking) ordered(v generic.Vector) bool {
	low := 0.0
	for _, kind := range r {
		if v[kind] < low {
			return false
		}
		low = v[kind]
	}
	return true
}
