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
	planned  bool // whether the attacker plays only moves of the plan; if so, a failure proves nothing
	table    *table
	eval     *network.Evaluator // estimates the odds for the method weigh; if nil, weigh is not called
	fresh    []int              // indices of the children of the expanded position that are not in the table
	values   [ultimate.Moves]float32
	states   [ultimate.Moves + 1]state // by ply: the positions on the path from the root
	keys     [ultimate.Moves + 1]key
	ply      int // number of plies from the root
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

// Expand lists the moves after which the other side does not win at once. At the root, or if there is no such move, it lists
// all moves. First it prefetches, for each move, the place in the table that belongs to the position after the move. Only
// then does it look the positions up, so that it does not wait for memory at each move. Finally the method weigh changes the
// initial numbers of the fresh moves, the moves whose positions were not in the table.
func (q *question) Expand(children []child) []child {
	s := &q.states[q.ply]
	var moves [ultimate.Moves]uint8
	n := s.moves(&moves)
	// The method moves leaves out moves after which the other side can complete a row. At the root this would be wrong, because
	// the method judge was not called there: a move may win the game at once. So all moves are listed.
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
	// A single move is not weighed. Its initial numbers stay small, so that forced moves are searched first, without the network.
	if q.eval != nil && len(q.fresh) > 0 && len(children) > 1 {
		q.weigh(s, children)
	}
	return children
}

// The method weigh also multiplies the numbers by unit, because odds are fractions and the numbers are integers. Odds are at
// most mostOdds to 1.
const (
	unit     = 16
	mostOdds = 16
)

// weigh changes the initial numbers of the fresh moves, the moves in s that were not in the table. For each move, the
// network estimates the odds of the side to move in s. The number Phi of the move is multiplied by these odds, and Delta is
// divided by them: if a move is likely to reach the goal, its proof needs less work.
//
// CITE: Winands and Schadd, Evaluation-Function Based Proof-Number Search, 2010 (the idea).
func (q *question) weigh(s *state, children []child) {
	var all [ultimate.Moves]uint8
	s.List(&all)
	q.eval.Children(&s.Board, &q.values)
	at := 0
	for _, i := range q.fresh {
		c := &children[i]
		for all[at] != c.Move { // fresh moves are in the same order as all moves
			at++
		}
		v := min(max(q.values[at], 1./(mostOdds+1)), mostOdds/(mostOdds+1.)) // v is the expected result of the side to move in s
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

// guess returns the initial numbers of a position in which the given number of moves is worth trying. A side needs more work to
// reach its goal if it lacks more small boards for a row, or if the other side can still complete more rows. It also needs more
// work if the other side has more moves, because it must refute each of them.
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

// hardest returns the move whose refutation took the most work, or -1 if there is none.
func (q *question) hardest() int {
	hardest, most := -1, -1
	for _, c := range q.Children[0] {
		if int(c.Work) > most {
			hardest, most = int(c.Move), int(c.Work)
		}
	}
	return hardest
}
