// SPDX-License-Identifier: Apache-2.0

package prover

import (
	"github.com/krow-lab/krow/engine/ultimate/board"
	"github.com/krow-lab/krow/search"
)

// child is a move from the position being searched.
type child struct {
	move uint8
	work uint8 // that went into the goal, 0 if it was seen at once
	goal       // of the other side, after the move
}

// question is the search whether attacker wins.
//
// CITE: Nagai, Df-pn Algorithm for Searching AND/OR Trees and Its Applications, 2002.
type question struct {
	attacker uint8
	o        *Options
	table    *table
	budget   *search.Budget
	children [board.Moves + 1][]child // by ply
	until    uint64                   // nodes at which to halt
	halted   bool
}

// search raises the numbers of s until one of them reaches its bound, and returns them.
func (q *question) search(s *state, k *key, bound goal) goal {
	before := q.budget.Nodes
	kids, g := q.expand(s)
	for g.least < bound.least && g.most < bound.most && !q.halted {
		i, second := nextBest(kids)
		c := &kids[i]
		next := goal{least: bound.most - (g.most - c.least), most: min(bound.least, q.slack(second))}
		t := *s
		t.play(c.move)
		tk := t.key(q.attacker)
		c.goal = q.search(&t, &tk, next)
		g = combine(kids)
	}
	q.table.store(k, g, q.budget.Nodes-before)
	return g
}

// slack lets a child work somewhat beyond the number of the next best one, so that the search does not switch
// between two all the time. CITE: Pawlewicz and Lew, Improving Depth-First PN-Search: 1+epsilon Trick, 2006.
func (q *question) slack(n number) number {
	if n >= infinite {
		return infinite
	}
	if q.o.NoSlack {
		return n + 1
	}
	return min(n+n/4+1, infinite)
}

// expand lists the moves with what is known of each, and the numbers that follow.
func (q *question) expand(s *state) ([]child, goal) {
	var moves [board.Moves]uint8
	n := s.moves(&moves)
	if n == 0 {
		n = s.List(&moves)
	}
	kids := q.children[s.Ply][:0]
	for _, m := range moves[:n] {
		if q.budget.Step() || q.budget.Nodes >= q.until {
			q.halted = true
		}
		t := *s
		t.play(m)
		c := child{move: m}
		c.goal, c.work = q.look(&t)
		kids = append(kids, c)
		if c.most == 0 {
			break
		}
	}
	q.children[s.Ply] = kids
	return kids, combine(kids)
}

// look returns what is known of s without searching it, and the work that went into it; where nothing is known, a
// guess.
func (q *question) look(s *state) (g goal, work uint8) {
	v, n := s.judge(q.attacker)
	switch {
	case v == verdictFor(s.Turn, q.attacker):
		return achieved, 0
	case v != unknown:
		return missed, 0
	}
	k := s.key(q.attacker)
	if g, work, ok := q.table.probe(&k); ok {
		return g, work
	}
	if q.o.NoGuess {
		return goal{1, 1}, 0
	}
	return goal{1, number(n)}, 0
}

// combine returns the numbers of a position whose moves these are: one of them must succeed, or all fail.
func combine(kids []child) goal {
	g := goal{infinite, 0}
	sum := uint64(0)
	for i := range kids {
		g.least = min(g.least, kids[i].most)
		sum += uint64(kids[i].least)
	}
	switch {
	case g.least == 0:
		return achieved
	case sum == 0:
		return missed
	}
	// A sum beyond all numbers proves nothing.
	g.least = min(g.least, infinite-1)
	g.most = number(min(sum, uint64(infinite-1)))
	return g
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
