// SPDX-License-Identifier: Apache-2.0

package prover

import (
	"unsafe"

	"github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/cpu"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/dfpn"
)

type child = dfpn.Child[key]

type question struct {
	dfpn.Core[key]
	attacker uint8
	planned  bool // the attacker plays only moves of the plan: if he fails, nothing is proved
	table    *table
	eval     *network.Evaluator // weighs initial numbers; nil: they are not weighed
	fresh    []int              // moves of the expanded position that are not in the table
	values   [ultimate.Moves]float32
	states   [ultimate.Moves + 1]state // on the way down, from the root
	keys     [ultimate.Moves + 1]key
	ply      int // from the root
}

func newQuestion(attacker uint8, t *table, e *network.Evaluator) *question {
	return &question{Core: dfpn.Core[key]{Overlap: 20}, attacker: attacker, table: t, eval: e}
}

func (q *question) ask(s *state, budget *search.Budget, nodes uint64) dfpn.Verdict {
	id := q.attacker
	if q.planned {
		id |= 2
	}
	q.ply, q.states[0], q.keys[0] = 0, *s, s.key(id)
	return q.Ask(q, budget, nodes).Verdict(s.Turn == q.attacker)
}

// Play, Undo, Store and Expand implement dfpn.Position.
func (q *question) Play(child *child) {
	q.keys[q.ply+1] = child.Key
	q.next(child.Move)
	q.ply++
}

func (q *question) next(m uint8) *state {
	t := &q.states[q.ply+1]
	*t = q.states[q.ply]
	t.playMove(m)
	return t
}

// Undo returns to the previous position.
func (q *question) Undo() { q.ply-- }

// Store stores the numbers of the position in the table.
func (q *question) Store(g dfpn.Numbers, nodes uint64) { q.table.store(&q.keys[q.ply], g, nodes) }

// Expand lists the moves after which the other side does not win at once, or all moves if there is none. It looks up the keys of
// all moves at the end, when their cache lines have arrived, and weighs the moves that are not in the table.
func (q *question) Expand(children []child) []child {
	s := &q.states[q.ply]
	var moves [ultimate.Moves]uint8
	n := s.moves(&moves)
	// The root has not been judged: the side to move may win at once.
	if n == 0 || q.ply == 0 {
		n = s.List(&moves)
	}
	if q.planned && s.Turn == q.attacker {
		n = s.plan(&moves, n)
	}
	for _, m := range moves[:n] {
		q.Step()
		t := q.next(m)
		c := child{Move: m}
		if c.Numbers = q.static(t); c.Delta == 0 {
			return append(children[:0], c)
		}
		if c.Phi > 0 {
			c.Key = q.keys[q.ply].child(s, t, m)
			cpu.Prefetch(unsafe.Pointer(q.table.bucket(&c.Key)))
		}
		children = append(children, c)
	}
	q.fresh = q.fresh[:0]
	for i := range children {
		if c := &children[i]; c.Phi > 0 {
			if g, work, ok := q.table.probe(&c.Key); ok {
				c.Numbers, c.Work = g, work
			} else {
				q.fresh = append(q.fresh, i)
			}
		}
	}
	// A single move keeps its initial numbers, which are small: so forced moves are searched first, without the network.
	if q.eval != nil && len(q.fresh) > 0 && len(children) > 1 {
		q.weigh(s, children)
	}
	return children
}

// Weighed numbers are in units of 1/unit, since odds are fractions. Odds are limited to mostOdds to 1.
const (
	unit     = 16
	mostOdds = 16
)

// weigh multiplies the initial numbers of fresh moves of s by the odds that the network gives the other side: if a move is likely
// to reach the goal, the proof needs less work.
//
// CITE: Winands and Schadd, Evaluation-Function Based Proof-Number Search, 2010 (the idea).
func (q *question) weigh(s *state, children []child) {
	var all [ultimate.Moves]uint8
	s.List(&all)
	q.eval.Children(&s.Board, &q.values)
	at := 0
	for _, i := range q.fresh {
		c := &children[i]
		for all[at] != c.Move { // fresh moves and all moves have the same order
			at++
		}
		v := min(max(q.values[at], 1./(mostOdds+1)), mostOdds/(mostOdds+1.)) // of the side that moves here
		odds := v / (1 - v)
		c.Phi = dfpn.Number(max(1, float32(c.Phi)*unit*odds))
		c.Delta = dfpn.Number(max(1, float32(c.Delta)*unit/odds))
	}
}

func (q *question) static(s *state) dfpn.Numbers {
	v, moves := s.judge(q.attacker)
	if v != dfpn.Unknown {
		return v.Numbers(s.Turn == q.attacker)
	}
	return s.guess(moves)
}

// guess returns the initial numbers of a position with the given number of moves worth trying. A side needs more work if it lacks
// more small boards or if the other side has more rows left; and all moves of the other side must fail.
//
// CITE: Winands and Schadd, Evaluation-Function Based Proof-Number Search, 2010 (the idea of numbers from a heuristic).
func (s *state) guess(moves int) dfpn.Numbers {
	own, other := s.Turn&1, s.Turn&1^1
	return dfpn.Numbers{
		Phi:   dfpn.Number(1+s.rows[other]) << (s.lacks[own] - 1),
		Delta: dfpn.Number(1+s.rows[own]) << (s.lacks[other] - 1) * dfpn.Number(moves),
	}
}

func (q *question) best() int {
	for _, c := range q.Children[0] {
		if c.Delta == 0 {
			return int(c.Move)
		}
	}
	return -1
}

// hardest returns the move whose refutation took the most work, or -1.
func (q *question) hardest() int {
	hardest, most := -1, -1
	for _, c := range q.Children[0] {
		if int(c.Work) > most {
			hardest, most = int(c.Move), int(c.Work)
		}
	}
	return hardest
}
