// SPDX-License-Identifier: Apache-2.0

package mcts

import (
	"slices"

	"github.com/krow-lab/krow/game"
)

// node is a position in the tree. Its statistics are from the view of the side that made the move to it, so that this side can
// compare its moves without a change of sign. A node has 32 bytes.
//
// The children of a node are next to each other in a block of 1<<class nodes. Only the first nodes of the block are in use, one
// for each child. A full block is copied into a block of twice its size, and the memory of the old block is used again:
//
//	nodes  [root][ a  b ][ c  d  e  . ][ ... ]
//	         |    |  children 2   children 3, class 2
//	         |    '-- first -> c
//	         '------- first -> a
type node struct {
	mean     float32 // average result, from 0 to 1, for the side that made the move
	inv      float32 // 1 / sqrt(visits)
	half     uint32  // sum of the results; half a point counts as worker.unit
	visits   uint32
	move     game.Move
	first    int32
	children uint16
	moves    uint16 // number of legal moves; 0 if they have not been counted
	dist     uint16 // number of plies to the end of the game, if outcome is proved
	outcome  game.Outcome
	class    uint8
}

const root = 0

// maxClass is the class of a block for the greatest possible number of moves, the square of game.MaxSide.
const maxClass = 14

type tree struct {
	nodes []node
	max   int
	full  bool // whether a block could not be allocated; the tree then no longer grows
	// free[class] is the index of the first free block of the class. The first node of a free block contains, in its field first,
	// the index of the next free block; 0 ends the list.
	free [maxClass + 1]int32
}

func (t *tree) clear(limit int) {
	t.nodes = append(t.nodes[:0], node{})
	t.max, t.full = limit, false
	clear(t.free[:])
}

// children returns the children of a node. They are valid until the next call of add.
func (t *tree) children(n *node) []node { return t.nodes[n.first:][:n.children] }

// add appends a child with the move m to the node with the index at, and returns the child's index. It returns false if there is
// no memory for it. It may move the children of the node to another block.
func (t *tree) add(at int32, m game.Move) (int32, bool) {
	n := &t.nodes[at]
	if n.children == 0 || int(n.children) == 1<<n.class {
		if !t.grow(at) {
			return 0, false
		}
		n = &t.nodes[at]
	}
	child := n.first + int32(n.children)
	n.children++
	t.nodes[child] = node{move: m}
	return child, true
}

func (t *tree) grow(at int32) bool {
	class := uint8(1)
	if t.nodes[at].children > 0 {
		class = t.nodes[at].class + 1
	}
	block, ok := t.block(class)
	if !ok {
		t.full = true
		return false
	}
	n := &t.nodes[at]
	if n.children > 0 {
		copy(t.nodes[block:], t.children(n))
		t.nodes[n.first].first = t.free[n.class]
		t.free[n.class] = n.first
	}
	n.first, n.class = block, class
	return true
}

func (t *tree) block(class uint8) (int32, bool) {
	if b := t.free[class]; b != 0 {
		t.free[class] = t.nodes[b].first
		return b, true
	}
	b, size := len(t.nodes), 1<<class
	if b+size > t.max {
		return 0, false
	}
	t.nodes = slices.Grow(t.nodes, size)[:b+size]
	return int32(b), true
}

// prove takes the outcome that was just found at the last node of the path, and decides the values of the nodes above it. It
// stops at the first node whose value remains open.
func (w *worker) prove() {
	for i := len(w.path) - 2; i >= 0; i-- {
		if !w.settle(&w.nodes[w.path[i].node], &w.nodes[w.path[i+1].node], w.path[i+1].side) {
			return
		}
	}
}

// settle decides the value of n, if that is possible now that child is decided. In n the player side is to move: n is decided
// if child wins for side, or if all moves have been tried and decided. settle reports whether n is decided.
func (w *worker) settle(n, child *node, side game.Side) bool {
	if child.outcome == game.WinFor(side) {
		n.outcome, n.dist = child.outcome, child.dist+1
		return true
	}
	if n.children < n.moves {
		return false
	}
	children := w.children(n)
	best, dist := game.WinFor(side.Other()), uint16(0)
	for i := range children {
		switch k := &children[i]; k.outcome {
		case game.Ongoing:
			return false
		case game.Draw:
			best = game.Draw
		}
		dist = max(dist, children[i].dist)
	}
	n.outcome, n.dist = best, dist+1
	return true
}
