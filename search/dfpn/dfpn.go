// SPDX-License-Identifier: Apache-2.0

// Package dfpn implements depth-first proof-number search, which krow's solvers use to prove a win, a draw or a loss.
//
// # Basics
//
// The search answers one question: whether one of the sides, the attacker, wins. A solver implements [Position] for its game and
// embeds a [Core]:
//
//	numbers := core.Ask(position, budget, 100_000)
//	switch numbers.Verdict(attackerToMove) {
//	case dfpn.Proven: // the attacker wins
//	case dfpn.Refuted: // he does not
//	}
//
// The answers to two questions, one with each side as the attacker, give the value of a position.
//
// # How it works
//
// Each position has two [Numbers], phi and delta. Phi is the least number of leaves that must still be settled until the side to
// move reaches its goal, and delta is this number for the goal of the other side. The search continues below the move after
// which the side that made it needs the fewest leaves, until another move looks better. The core keeps only the moves of the
// positions on its path; the solver stores the numbers of all positions in a table of its own.
//
// # Speed
//
// The core calls four methods of a Position for each position that it enters: Expand, Play, Undo and Store. Expand also
// gives numbers to the positions after each move. These are many more positions, and for them the core calls no method.
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

// Infinite is small enough that two numbers and a byte for the nodes that were needed to find them fit into one word: see
// [Numbers.Pack].
const Infinite Number = 1<<28 - 1

// Numbers contains both numbers of a position from the view of the side to move: at least Phi leaves must be settled until it
// reaches its goal, and at least Delta leaves until the other side reaches its goal. The thresholds at which the search of a
// position stops are also Numbers.
//
//	attacker to move: Phi = proof number, Delta = disproof number
//	defender to move: the other way round
type Numbers struct{ Phi, Delta Number }

// The numbers of a position in which the side to move has reached its goal, and of a position in which this goal is impossible.
var (
	Achieved = Numbers{0, Infinite}
	Missed   = Numbers{Infinite, 0}
)

// Pack packs the numbers and the number of nodes that were needed to find them into one word, which is never 0.
//
//	63        36 35         8 7     0
//	|    Phi    |   Delta    |  work |    work is the number of bits of the nodes
func (g Numbers) Pack(nodes uint64) uint64 {
	return uint64(g.Phi)<<36 | uint64(g.Delta)<<8 | uint64(bits.Len64(nodes))
}

// Unpack returns the numbers from a word that Pack returned, and the work: the length of the node count in bits.
func Unpack(word uint64) (g Numbers, work uint8) {
	return Numbers{Number(word >> 36), Number(word>>8) & Infinite}, uint8(word)
}

// Verdict is the answer to the question whether the attacker wins.
type Verdict int8

// The answers.
const (
	Unknown Verdict = iota
	Proven          // the attacker wins against every play of the defender
	Refuted         // the attacker does not win
)

// For returns the verdict with which a side reaches its goal. attacker chooses the side: the attacker needs Proven, the defender
// Refuted.
func For(attacker bool) Verdict {
	if attacker {
		return Proven
	}
	return Refuted
}

// Numbers returns the numbers of a position whose verdict is known, from the view of the side to move. attacker is true if the
// attacker is to move.
func (v Verdict) Numbers(attacker bool) Numbers {
	if v == For(attacker) {
		return Achieved
	}
	return Missed
}

// Verdict returns the verdict that g proves, or an unknown verdict. attacker is true if the attacker is to move.
func (g Numbers) Verdict(attacker bool) Verdict {
	switch {
	case g.Phi == 0:
		return For(attacker)
	case g.Delta == 0:
		return For(!attacker)
	}
	return Unknown
}

// Child is a move in the position that is searched. The solver may store any data in Key.
type Child[K any] struct {
	Key     K
	Numbers // the numbers of the position after the move, for the side to move in it
	Move    uint8
	// Work shows how many nodes were searched to find Numbers: it is the length of the node count in bits, as in Pack. It is 0 if
	// Numbers were known without a search.
	Work uint8
}

// Position is a position of a game in which the attacker either wins or does not win.
type Position[K any] interface {
	// Expand appends the moves of the position to children. Each move has numbers from the table, or an estimate that is not 0. Expand
	// may leave out moves that neither side needs, and may stop at a move that settles the position. It must call Core.Step for each
	// position that it looks at.
	Expand(children []Child[K]) []Child[K]

	// Play makes the move of child, and Undo takes the last move back. If the search below this move also proves the result of
	// other moves in the same position, Undo may set their Numbers.
	Play(child *Child[K])
	Undo()

	// Store stores the numbers g of the position. The search needed the given number of nodes to find them.
	Store(g Numbers, nodes uint64)
}

// Core is the search that answers one question. Only one goroutine may use it.
type Core[K any] struct {
	// Children contains, by ply, the moves of the positions on the path from the root. After Ask, Children[0] contains the moves of
	// the root.
	Children [][]Child[K]

	// Deep makes the search stay longer below a move before it compares this move with the other moves.
	Deep bool

	// Overlap is for games in which the proofs of several moves share positions. When the numbers of all moves are added, the
	// greatest number counts in full, and each other number is reduced by the fraction Overlap/60. CITE: Ueda, Hashimoto,
	// Hashimoto and Iida, Weak Proof-Number Search, 2008 (which replaces each other number by 1).
	Overlap uint64

	// Stop, unless nil, ends Ask when it becomes true. Busy, unless nil, reports whether another thread that answers the same question
	// is searching below a move; the search then ranks this move lower.
	Stop *atomic.Bool
	Busy func(child *Child[K]) bool

	budget *search.Budget
	until  uint64 // the number of nodes at which to stop
	halted bool
}

// Ask searches p, in which at least one move is possible, for the given number of nodes, and returns the numbers of p.
func (c *Core[K]) Ask(p Position[K], budget *search.Budget, nodes uint64) Numbers {
	c.budget, c.until, c.halted = budget, budget.Nodes+nodes, false
	return c.search(p, 0, Numbers{Infinite, Infinite})
}

// Step counts a position that the solver looks at.
func (c *Core[K]) Step() {
	if c.budget.Step() || c.budget.Nodes >= c.until || c.Stop != nil && c.Stop.Load() {
		c.halted = true
	}
}

// search searches below p until Phi or Delta of p reaches its threshold, and returns the numbers of p.
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

// slack returns a threshold somewhat above n, so that the search stays below a child for a longer time. CITE: Pawlewicz and Lew,
// Improving Depth-First PN-Search: 1+epsilon Trick, 2006.
func (c *Core[K]) slack(n Number) Number {
	switch {
	case n >= Infinite:
		return Infinite
	case c.Deep:
		return min(5*n+1, Infinite)
	}
	return min(n+n/2+1, Infinite)
}

// combine returns the numbers of a position with these moves: the side to move needs one move that succeeds, and the other side
// needs all moves to fail.
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
	// A large sum proves nothing, but Infinite means that the goal is impossible. So the sum is limited to less than Infinite.
	return Numbers{min(least, Infinite-1), Number(min(sum, uint64(Infinite-1)))}
}

// Best returns the index of the most promising move, which has the least Delta, and the Delta of the second best move.
func Best[K any](children []Child[K]) (best int, second Number) { return pick(children, nil) }

// pick is like Best, except that the Delta of a busy move, which another thread is searching, counts one and a half times.
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
