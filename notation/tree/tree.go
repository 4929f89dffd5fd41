// SPDX-License-Identifier: Apache-2.0

// Package tree implements a tree of the moves of a game, with variations, comments and marks.
//
// # Basics
//
//	root := &tree.Node{}
//	n := root.Add(m)          // the child with the move m, added if there is none
//	merged := tree.Merge(g, root) // joins children whose positions are symmetric
//
// The root has no move. The first child of a node continues the main line.
package tree

import (
	"slices"
	"strings"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/symmetry"
)

// Node is a move with a comment on the position after it. Its children are the moves that may follow.
type Node struct {
	Move    game.Move
	Comment string
	Label   string // a word that is drawn on the cell of the move
	Mark    bool
	Next    []*Node
}

// Child returns the child of n with the move m, or nil.
func (n *Node) Child(m game.Move) *Node {
	i := slices.IndexFunc(n.Next, func(c *Node) bool { return c.Move == m })
	if i < 0 {
		return nil
	}
	return n.Next[i]
}

// Add returns the child of n with the move m; if there is none, it first adds one.
func (n *Node) Add(m game.Move) *Node {
	if c := n.Child(m); c != nil {
		return c
	}
	c := &Node{Move: m}
	n.Next = append(n.Next, c)
	return c
}

// Count returns the number of moves below n.
func (n *Node) Count() int {
	sum := 0
	stack := []*Node{n}
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		stack = append(stack[:len(stack)-1], top.Next...)
		sum += len(top.Next)
	}
	return sum
}

// Line adds moves below n, each as a child of the previous one, and returns the last node.
func (n *Node) Line(moves []game.Move) *Node {
	for _, m := range moves {
		n = n.Add(m)
	}
	return n
}

// Legal removes the moves that are illegal, with all moves after them, from a tree whose root is the position p. It returns
// the number of moves removed, and does not change p.
func Legal(p game.Position, root *Node) int {
	cut := 0
	var walk func(n *Node)
	walk = func(n *Node) {
		n.Next = slices.DeleteFunc(n.Next, func(c *Node) bool {
			if p.Outcome() != game.Ongoing || !game.Legal(p, c.Move) {
				cut += 1 + c.Count()
				return true
			}
			return false
		})
		for _, c := range n.Next {
			p.Play(c.Move)
			walk(c)
			p.Undo()
		}
	}
	walk(root)
	return cut
}

// Merge returns a copy of the tree in which no two children of a node lead to equal or symmetric positions. If two children
// of a node lead to symmetric positions, Merge transforms the subtree of the later child and adds it to the subtree of the
// earlier child. The moves must be legal.
func Merge(g game.Game, root *Node) *Node {
	m := merger{l: symmetry.NewLine(g)}
	merged := &Node{}
	m.join(merged, root, m.l.Views()[0])
	return merged
}

type merger struct{ l *symmetry.Line }

// join adds the contents of the node n, transformed by view, to the node to. The current position of m.l must be the position
// of the node to.
func (m *merger) join(to, n *Node, view symmetry.View) {
	to.Comment = both(to.Comment, n.Comment)
	if to.Label == "" {
		to.Label = n.Label
	}
	to.Mark = to.Mark || n.Mark
	for _, c := range n.Next {
		move := view.Moves[c.Move]
		if err := m.l.Play(move); err != nil {
			continue
		}
		key, least := m.l.Key(), m.least()
		m.l.Undo()
		next, turned := m.find(to, move, key, least)
		into := view
		if next == nil {
			next = to.Add(move)
		} else {
			into = view.Then(turned)
		}
		if err := m.l.Play(next.Move); err == nil {
			m.join(next, c, into)
			m.l.Undo()
		}
	}
}

// find returns the child of the node to that has the given move, or else a child whose position has the same key as the
// position after the move. find also returns the view, that is, the rotation or reflection, that transforms the position
// after the move into the child's position. The parameter least is the view in which the position after the move has its
// smallest key. find returns nil if there is no such child.
func (m *merger) find(to *Node, move game.Move, key uint64, least symmetry.View) (*Node, symmetry.View) {
	if c := to.Child(move); c != nil {
		return c, m.l.Views()[0]
	}
	for _, c := range to.Next {
		if err := m.l.Play(c.Move); err != nil {
			continue
		}
		same, view := m.l.Key() == key, m.least()
		m.l.Undo()
		if same {
			return c, least.Then(view.Inverse())
		}
	}
	return nil, symmetry.View{}
}

// least returns the view in which the current position has the smallest key. Symmetric positions are equal when each is seen
// in its own least view: see symmetry.Line.View.
func (m *merger) least() symmetry.View { return m.l.Views()[m.l.View()] }

// both returns the two comments joined; if one contains the other, it returns the longer one.
func both(a, b string) string {
	switch {
	case a == "" || strings.Contains(b, a):
		return b
	case b == "" || strings.Contains(a, b):
		return a
	}
	return a + "\n" + b
}
