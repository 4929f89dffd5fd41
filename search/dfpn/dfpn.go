// SPDX-License-Identifier: Apache-2.0

// Package dfpn is depth-first proof-number search: the core of the solvers that prove a win, a draw or a loss.
//
// # Basics
//
// A question is whether one side, the attacker, wins. A solver implements [Position] for its game and embeds a [Core]:
//
//	numbers := core.Ask(position, budget, 100_000)
//	switch numbers.Verdict(attackerToMove) {
//	case dfpn.Proven: // the attacker wins
//	case dfpn.Refuted: // he does not
//	}
//
// Two questions, one for each side, make the value of a position.
//
// # How it works
//
// Each position has two [Numbers], phi and delta: how many leaves must at least be settled until the side to move gets its way,
// and until the other side does. The search continues where the fewest are missing, and stays below one move until
// another one looks better. The positions left behind are kept in a table, which is the solver's.
//
// # Speed
//
// The core calls a Position four times for each position that it enters. The many positions that are only looked at on
// the way are the business of Expand, which calls nobody.
//
// CITE: Nagai, Df-pn Algorithm for Searching AND/OR Trees and Its Applications, 2002.
package dfpn

import (
	"math/bits"
	"sync/atomic"

	"github.com/krow-lab/krow/search"
)

// Number is a proof or disproof number. Infinite means that the goal is impossible.
type Number = uint32

// Infinite leaves room in one word for two numbers and the work behind them.
const Infinite Number = 1<<28 - 1

// Numbers holds both numbers of a position, as the side to move sees them: at least Phi leaves must be settled until it gets its
// way, and at least Delta until the other side does. Thresholds of the search are such numbers too.
//
//	attacker to move: Phi = proof number, Delta = disproof number
//	defender to move: the other way round
type Numbers struct{ Phi, Delta Number }

// The numbers of a side that has got its way, and of one that cannot.
var (
	Achieved = Numbers{0, Infinite}
	Missed   = Numbers{Infinite, 0}
)

// Pack returns the numbers and the nodes that they took in one word, which is not 0.
//
//	63        36 35         8 7     0
//	|    Phi    |   Delta    |  work |    work is the number of bits of the nodes
func (g Numbers) Pack(nodes uint64) uint64 {
	return uint64(g.Phi)<<36 | uint64(g.Delta)<<8 | uint64(bits.Len64(nodes))
}

// Unpack returns the numbers that Pack was given, and the work.
func Unpack(word uint64) (g Numbers, work uint8) {
	return Numbers{Number(word >> 36), Number(word>>8) & Infinite}, uint8(word)
}

// Verdict is the answer to a question.
type Verdict int8

// The answers.
const (
	Unknown Verdict = iota
	Proven          // the attacker wins, whatever the defender plays
	Refuted         // he does not
)

// For returns the verdict by which a side gets its way.
func For(attacker bool) Verdict {
	if attacker {
		return Proven
	}
	return Refuted
}

// Numbers returns the numbers of a known verdict for the side to move.
func (v Verdict) Numbers(attacker bool) Numbers {
	if v == For(attacker) {
		return Achieved
	}
	return Missed
}

// Verdict returns the answer that g is for the side to move.
func (g Numbers) Verdict(attacker bool) Verdict {
	switch {
	case g.Phi == 0:
		return For(attacker)
	case g.Delta == 0:
		return For(!attacker)
	}
	return Unknown
}

// Child is a move from the position being searched. Key is any value that the solver wants to keep with it.
type Child[K any] struct {
	Key     K
	Numbers // of the other side, after the move
	Move    uint8
	Work    uint8 // that went into the numbers, as Pack counts it; 0 if it was known without a search
}

// Position is a position of a game, and the question about it.
type Position[K any] interface {
	// Expand appends the moves to children with the known numbers of each, from the table or by a guess that is not 0. It
	// may leave out moves that no side needs, and stop at a move that settles the position. It counts the positions it
	// looks at with Core.Step.
	Expand(children []Child[K]) []Child[K]

	// Play makes a move of the children, and Undo takes the last one back. Undo may settle more of the children by the results
	// below that one.
	Play(child *Child[K])
	Undo()

	// Store keeps the result for the position, found in the given number of nodes.
	Store(g Numbers, nodes uint64)
}

// Core is the search for one question. It belongs to one goroutine.
type Core[K any] struct {
	// Children holds the moves of the positions on the way, by ply from the root: after Ask the moves of the root are in
	// Children[0].
	Children [][]Child[K]

	// Deep makes the search stay with a move for long, rather than compare it with others.
	Deep bool

	// Overlap is for games in which proofs of several moves have positions in common: all numbers that are added up,
	// except the greatest, count this many sixtieths less. CITE: Ueda, Hashimoto, Hashimoto and Iida, Weak Proof-Number
	// Search, 2008 (which counts the greatest alone).
	Overlap uint64

	// Stop, unless it is nil, ends Ask when it is set. Busy, unless it is nil, reports whether another thread that asks
	// the same question is below a move: then that move looks worse.
	Stop *atomic.Bool
	Busy func(child *Child[K]) bool

	budget *search.Budget
	until  uint64 // nodes at which to halt
	halted bool
}

// Ask searches p, in which some move is possible, for the given number of nodes, and returns its numbers.
func (c *Core[K]) Ask(p Position[K], budget *search.Budget, nodes uint64) Numbers {
	c.budget, c.until, c.halted = budget, budget.Nodes+nodes, false
	return c.search(p, 0, Numbers{Infinite, Infinite})
}

// Step counts a position that is looked at.
func (c *Core[K]) Step() {
	if c.budget.Step() || c.budget.Nodes >= c.until || c.Stop != nil && c.Stop.Load() {
		c.halted = true
	}
}

// search raises the numbers of p until one of them reaches its threshold, and returns them.
func (c *Core[K]) search(p Position[K], ply int, thresholds Numbers) Numbers {
	before := c.budget.Nodes
	if ply == len(c.Children) {
		c.Children = append(c.Children, nil)
	}
	children := p.Expand(c.Children[ply][:0])
	c.Children[ply] = children
	g := c.combine(children)
	for g.Phi < thresholds.Phi && g.Delta < thresholds.Delta && !c.halted {
		i, second := pick(children, c.Busy)
		child := &children[i]
		next := Numbers{Phi: child.Phi + thresholds.Delta - g.Delta, Delta: min(thresholds.Phi, c.slack(second))}
		if c.Overlap > 0 {
			next.Phi = max(next.Phi, c.slack(child.Phi))
		}
		p.Play(child)
		child.Numbers = c.search(p, ply+1, next)
		p.Undo()
		g = c.combine(children)
	}
	p.Store(g, c.budget.Nodes-before)
	return g
}

// slack lets a child work somewhat beyond a number, so that the search stays with it. CITE: Pawlewicz and Lew, Improving
// Depth-First PN-Search: 1+epsilon Trick, 2006.
func (c *Core[K]) slack(n Number) Number {
	switch {
	case n >= Infinite:
		return Infinite
	case c.Deep:
		return min(5*n+1, Infinite)
	}
	return min(n+n/2+1, Infinite)
}

// combine returns the numbers of a position whose moves these are: one of them must succeed, or all fail.
func (c *Core[K]) combine(children []Child[K]) Numbers {
	least := Infinite
	sum, top := uint64(0), uint64(0)
	for i := range children {
		least = min(least, children[i].Delta)
		sum += uint64(children[i].Phi)
		top = max(top, uint64(children[i].Phi))
	}
	switch {
	case least == 0:
		return Achieved
	case sum == 0:
		return Missed
	}
	sum = top + (sum-top)*(60-c.Overlap)/60
	// A sum beyond all numbers proves nothing.
	return Numbers{min(least, Infinite-1), Number(min(sum, uint64(Infinite-1)))}
}

// Best returns the most promising move, and the number of the one after it.
func Best[K any](children []Child[K]) (best int, second Number) { return pick(children, nil) }

// pick is Best, where a busy move counts half as much again.
func pick[K any](children []Child[K], busy func(*Child[K]) bool) (best int, second Number) {
	first := Infinite + 1
	second = Infinite
	for i := range children {
		n := children[i].Delta
		if busy != nil && n < second && busy(&children[i]) {
			n = min(n+n/2+1, Infinite)
		}
		switch {
		case n < first:
			second = min(first, Infinite)
			best, first = i, n
		case n < second:
			second = n
		}
	}
	return best, second
}
