// SPDX-License-Identifier: Apache-2.0

package qlearning

import (
	"cmp"
	"slices"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/game"
)

// updates changes the parameters after each move of one game.
type updates struct {
	o           Options
	rank, order [2]ranking
	v           [2]generic.Vector // the parameters of own and of enemy threats
	counter     threat.Counter
	sim         simulator
	// By vector of parameters (own or enemy) and by side: the kind of threat whose parameter will be updated after the move that
	// determines Q', the value of the next position; or none.
	due    [2][2]threat.Kind
	traces [2][2][]float64 // by vector, side and kind
}

func (l *Learner) newUpdates(w generic.Weights) *updates {
	u := &updates{o: l.o, rank: l.rank, order: l.order, v: [2]generic.Vector{w.Own, w.Enemy}}
	u.counter.Reading, u.sim.counter.Reading = l.o.Reading, l.o.Reading
	for i := range u.due {
		u.due[i] = [2]threat.Kind{none, none}
		u.traces[i] = [2][]float64{make([]float64, len(u.v[i])), make([]float64, len(u.v[i]))}
	}
	return u
}

// explored ends the traces of the method Q. It is called when the next move is random and not chosen by the search.
func (u *updates) explored() {
	if u.o.Method != Q {
		return
	}
	for i := range u.traces {
		clear(u.traces[i][0])
		clear(u.traces[i][1])
	}
}

// learn makes the updates after mover has made the last move of p.
func (u *updates) learn(p game.Position, mover game.Side) {
	u.counter.Reset(p.(game.Lined))
	counts := u.counter.Counts()
	u.settle(counts, mover)
	ended := p.Outcome() != game.Ongoing
	for i, s := range [2]game.Side{own: mover, enemy: mover.Other()} {
		top := u.rank[i].top(counts[s])
		switch {
		case top == none || top == u.rank[i][len(u.rank[i])-1]:
		case u.o.Method == Q && (!ended || u.o.End == Simulate):
			u.update(i, s, top, u.sim.next(p, s, u.rank[i], u.v[i], u.o.Max))
		default:
			u.due[i][s] = top
		}
	}
	if ended && u.o.End != Keep {
		u.end()
	}
}

// end makes the updates that still wait for a next move when the game ends. For these updates Q' is 0.
func (u *updates) end() {
	for i := range u.due {
		for s, due := range u.due[i] {
			if due != none {
				u.update(i, game.Side(s), due, 0)
			}
		}
	}
}

// settle makes the waiting updates whose Q' can be computed from the board after a move of mover. An update of Sarsa waits for
// the next move of the same side. An update of TD waits for the next move of either side.
func (u *updates) settle(counts *threat.Counts, mover game.Side) {
	for i := range u.due {
		for s, due := range u.due[i] {
			s := game.Side(s)
			if due == none || u.o.Method == Sarsa && s != mover {
				continue
			}
			next := 0.0
			if top := u.rank[i].top(counts[s]); top != none {
				next = u.v[i][top]
			}
			u.due[i][s] = none
			u.update(i, s, due, next)
		}
	}
}

// update moves the parameter of a kind of threat towards gamma times next, and changes the other parameters of vector i in
// proportion to their traces. If lambda is 0, these traces are 0. Then update adjusts the parameters of vector i to the
// order that Options.Adjust chooses.
func (u *updates) update(i int, s game.Side, kind threat.Kind, next float64) {
	v, trace := u.v[i], u.traces[i][s]
	target := u.o.Gamma * next
	delta := u.o.Alpha * (target - v[kind])
	updated := make([]bool, len(v))
	for j := range trace {
		trace[j] *= u.o.Gamma * u.o.Lambda
		if threat.Kind(j) != kind && trace[j] != 0 {
			v[j] += delta * trace[j]
			updated[j] = true
		}
	}
	// With this formula, unlike v + alpha (target - v), the result is exactly target if the learning rate is 1.
	v[kind] = (1-u.o.Alpha)*v[kind] + u.o.Alpha*target
	updated[kind], trace[kind] = true, 1
	if u.o.Adjust != Unadjusted {
		u.order[i].adjust(v, updated)
	}
}

// simulator tries all legal moves of a side, even if it is the other side's turn.
type simulator struct {
	counter threat.Counter
	moves   []game.Move
}

// next returns the value Q' of the method Q. It tries all legal moves of side s in p, as if it were s's turn; v contains the
// parameters of the threats. next costs O(cells + moves * directions * k), or O(moves * cells) after the end of the game.
func (sim *simulator) next(p game.Position, s game.Side, r ranking, v generic.Vector, reading Max) float64 {
	best, highest := 0.0, threat.Kind(none)
	saw := func(counts *threat.Counts) {
		top := r.top(counts[s])
		if top == none {
			return
		}
		best = max(best, v[top])
		if highest == none || slices.Index(r, top) > slices.Index(r, highest) {
			highest = top
		}
	}
	if p.Outcome() == game.Ongoing {
		sim.try(p, s, saw)
	} else {
		sim.tryOver(p, s, saw)
	}
	if reading == Prose && highest != none {
		return v[highest]
	}
	return best
}

// try makes each legal move of s in p, and calls saw with the threats after the move.
func (sim *simulator) try(p game.Position, s game.Side, saw func(*threat.Counts)) {
	q := turned(p, s).(game.Lined)
	sim.moves = q.AppendMoves(sim.moves[:0])
	sim.counter.Reset(q)
	for _, m := range sim.moves {
		sim.counter.Play(m)
		q.Play(m)
		saw(sim.counter.Counts())
		q.Undo()
		sim.counter.Undo()
	}
}

// tryOver does the work of try after the end of a game, when no move is legal: it tries a stone on each free cell.
func (sim *simulator) tryOver(p game.Position, s game.Side, saw func(*threat.Counts)) {
	b := stones{p.(game.Lined), slices.Clone(p.(game.Lined).Cells())}
	for m := range game.Move(p.Game().Moves()) {
		if cell := b.Cell(m); cell < len(b.cells) && b.cells[cell] == game.Empty {
			b.cells[cell] = s.Stone()
			sim.counter.Reset(b)
			saw(sim.counter.Counts())
			b.cells[cell] = game.Empty
		}
	}
}

// stones is a board with other contents: its method Cells returns the field cells instead of the stones of the embedded board.
type stones struct {
	game.Lined
	cells []game.Stone
}

// Cells returns the field cells.
func (b stones) Cells() []game.Stone { return b.cells }

// turned returns a copy of p in which it is s's turn. The game must not be over.
func turned(p game.Position, s game.Side) game.Position {
	if p.Turn() == s {
		return p.Clone()
	}
	setup := p.(game.Settable).Setup()
	setup.Turn = s
	q, err := game.SetUp(p.Game(), setup)
	if err != nil {
		panic("a position of a game in progress cannot be set up for the other side: " + err.Error())
	}
	return q
}

// ranking is an order of the kinds of threats, except closed threats. The last kind is a row of k.
type ranking []threat.Kind

// none stands in the place of a kind of threat and means that there is no threat.
const none = -1

// byIndex returns the kinds in the order of the terms in the formula of the generic heuristic (see Index). If exchanged is
// true, open threats of k-2 stones and half-open threats of k-1 stones change places.
func byIndex(k int, exchanged bool) ranking {
	var r ranking
	for kind := range threat.Kind(threat.Kinds(k)) {
		if kind.Class(k) != threat.Closed {
			r = append(r, kind)
		}
	}
	if n := len(r); exchanged && k > 2 { // the last kinds are open k-2, half-open k-1, open k-1, k
		r[n-4], r[n-3] = r[n-3], r[n-4]
	}
	return r
}

// byValue returns the kinds sorted by their parameters in v.
func byValue(k int, v generic.Vector) ranking {
	r := byIndex(k, false)
	slices.SortStableFunc(r, func(a, b threat.Kind) int { return cmp.Compare(v[a], v[b]) })
	return r
}

// top returns the most important threat in counts, or none.
func (r ranking) top(counts []int32) threat.Kind {
	for _, kind := range slices.Backward(r) {
		if counts[kind] != 0 {
			return kind
		}
	}
	return none
}

// adjust adjusts the parameters to the order r. Each updated parameter is clamped between its nearest neighbours that were not
// updated. If an updated parameter is then less than the updated parameter directly before it, it is raised to the value of
// that parameter. The parameters that were not updated do not change if they are in order among themselves. The last
// parameter is never updated.
//
//	updated    .  *  .  *  *  .          before   2  9  4  1  3  8
//	                                     after    2  4  4  4  4  8
func (r ranking) adjust(v generic.Vector, updated []bool) {
	high := v[r[len(r)-1]]
	for _, kind := range slices.Backward(r[:len(r)-1]) {
		if updated[kind] {
			v[kind] = min(v[kind], high)
			continue
		}
		high = v[kind]
	}
	low := 0.0
	for _, kind := range r {
		v[kind] = max(v[kind], low)
		low = v[kind]
	}
}

// ordered reports whether the parameters v are in the order r.
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
