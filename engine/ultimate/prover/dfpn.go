// SPDX-License-Identifier: Apache-2.0

package prover

import (
	"unsafe"

	"github.com/krow-lab/krow/engine/ultimate/board"
	"github.com/krow-lab/krow/internal/cpu"
	"github.com/krow-lab/krow/search"
)

// child is a move from the position being searched.
type child struct {
	move uint8
	work uint8 // that went into the goal, 0 if it was seen at once
	goal       // of the other side, after the move
	key  key   // of the position after the move, unless that is decided
}

// question is the search whether attacker wins.
//
// CITE: Nagai, Df-pn Algorithm for Searching AND/OR Trees and Its Applications, 2002.
type question struct {
	attacker uint8
	table    *table
	budget   *search.Budget
	children [board.Moves + 1][]child // by ply
	states   [board.Moves + 1]state   // on the way down
	until    uint64                   // nodes at which to halt
	halted   bool
	root     uint8 // ply
}

// ask looks for an answer for so many nodes.
func (q *question) ask(s *state, budget *search.Budget, nodes uint64) verdict {
	q.budget, q.until, q.halted, q.root = budget, budget.Nodes+nodes, false, s.Ply
	k := s.key(q.attacker)
	switch g := q.search(s, &k, goal{infinite, infinite}); {
	case g.least == 0:
		return verdictFor(s.Turn, q.attacker)
	case g.most == 0:
		return verdictFor(s.Turn^1, q.attacker)
	}
	return unknown
}

// search raises the numbers of s until one of them reaches its bound, and returns them.
func (q *question) search(s *state, k *key, bound goal) goal {
	before := q.budget.Nodes
	kids := q.expand(s, k)
	g := q.combine(kids)
	for g.least < bound.least && g.most < bound.most && !q.halted {
		i, second := nextBest(kids)
		c := &kids[i]
		// The child may raise the sum to its bound, and somewhat beyond.
		next := goal{least: max(c.least+bound.most-g.most, q.slack(c.least)), most: min(bound.least, q.slack(second))}
		t := &q.states[s.Ply+1]
		*t = *s
		t.play(c.move)
		c.goal = q.search(t, &c.key, next)
		g = q.combine(kids)
	}
	q.table.store(k, g, q.budget.Nodes-before)
	return g
}

// slack lets a child work somewhat beyond a number, so that the search does not switch between two all the time.
// CITE: Pawlewicz and Lew, Improving Depth-First PN-Search: 1+epsilon Trick, 2006.
func (q *question) slack(n number) number {
	if n >= infinite {
		return infinite
	}
	return min(n+n/2+1, infinite)
}

// expand lists the moves with what is known of each.
func (q *question) expand(s *state, k *key) []child {
	var moves [board.Moves]uint8
	n := s.moves(&moves)
	// Of the root nothing is known yet: it may be won at once.
	if n == 0 || s.Ply == q.root {
		n = s.List(&moves)
	}
	kids := q.children[s.Ply][:0]
	for _, m := range moves[:n] {
		if q.budget.Step() || q.budget.Nodes >= q.until {
			q.halted = true
		}
		t := &q.states[s.Ply+1]
		*t = *s
		t.play(m)
		c := child{move: m}
		if c.goal = q.static(t); c.most == 0 {
			kids = append(kids[:0], c)
			break
		}
		if c.least > 0 {
			c.key = k.child(s, t, m)
			cpu.Prefetch(unsafe.Pointer(q.table.bucket(&c.key)))
		}
		kids = append(kids, c)
	}
	q.recall(kids)
	q.children[s.Ply] = kids
	return kids
}

// static returns what is known of s without a search, or a guess.
func (q *question) static(s *state) goal {
	v, n := s.judge(q.attacker)
	switch {
	case v == verdictFor(s.Turn, q.attacker):
		return achieved
	case v != unknown:
		return missed
	}
	return s.guess(n)
}

// recall replaces guesses by what the table knows.
func (q *question) recall(kids []child) {
	for i := range kids {
		c := &kids[i]
		if c.least == 0 || c.most == 0 {
			continue
		}
		if g, work, ok := q.table.probe(&c.key); ok {
			c.goal, c.work = g, work
		}
	}
}

// combine returns the numbers of a position whose moves these are: one of them must succeed, or all fail. Proofs of
// several moves have positions in common, so that the numbers of all but the greatest are taken for two thirds.
// CITE: Ueda, Hashimoto, Hashimoto and Iida, Weak Proof-Number Search, 2008 (which counts the greatest alone).
func (q *question) combine(kids []child) goal {
	least := infinite
	sum, top := uint64(0), uint64(0)
	for i := range kids {
		least = min(least, kids[i].most)
		sum += uint64(kids[i].least)
		top = max(top, uint64(kids[i].least))
	}
	switch {
	case least == 0:
		return achieved
	case sum == 0:
		return missed
	}
	sum = top + (sum-top)*2/3
	// A sum beyond all numbers proves nothing.
	return goal{min(least, infinite-1), number(min(sum, uint64(infinite-1)))}
}

// nextBest returns the most promising move, and the number of the one after it.
func nextBest(kids []child) (best int, second number) {
	first := infinite + 1
	second = infinite
	for i := range kids {
		switch n := kids[i].most; {
		case n < first:
			second = min(first, infinite)
			best, first = i, n
		case n < second:
			second = n
		}
	}
	return best, second
}

// best returns a move by which the side to move gets its way, as the search has just found.
func (q *question) best(s *state) int {
	for _, c := range q.children[s.Ply] {
		if c.most == 0 {
			return int(c.move)
		}
	}
	return -1
}

// hardest returns the move with the most work behind it.
func (q *question) hardest(s *state) int {
	hardest, most := -1, -1
	for _, c := range q.children[s.Ply] {
		if int(c.work) > most {
			hardest, most = int(c.move), int(c.work)
		}
	}
	return hardest
}
