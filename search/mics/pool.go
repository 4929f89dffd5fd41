// SPDX-License-Identifier: Apache-2.0

package mics

import "github.com/krow-lab/krow/game"

// pool keeps the cells in play. Changes are undone in the reverse order.
type pool interface {
	load(n int, free []game.Move) // n cells, of which free, in increasing order, are in play
	take(c game.Move)
	untake(c game.Move)
	give(c game.Move)
	ungive(c game.Move)
}

// array keeps the cells in play before those that are taken. Each change swaps two cells, and its undoing
// swaps them back, in the reverse order of the changes:
//
//	free      taken        take c: swap it with the last free cell
//	a b c d | x y          a b d | c x y      trail: 2, the place that c had
//
// CITE: Huang and Spadaccini, algorithms 2 and 3. That captured cells come back is ours.
type array struct {
	cells []game.Move
	at    []int32 // the place of each cell in cells
	free  int
	trail []int32
}

func (a *array) load(n int, free []game.Move) {
	if len(a.at) != n {
		a.cells, a.at = make([]game.Move, n), make([]int32, n)
	}
	a.free, a.trail = len(free), a.trail[:0]
	next, tail := 0, len(free)
	for c := range game.Move(n) {
		place := next
		if next < len(free) && free[next] == c {
			next++
		} else {
			place = tail
			tail++
		}
		a.cells[place], a.at[c] = c, int32(place)
	}
}

func (a *array) swap(i, j int) {
	c, d := a.cells[i], a.cells[j]
	a.cells[i], a.cells[j] = d, c
	a.at[c], a.at[d] = int32(j), int32(i)
}

// take removes a free cell. O(1).
func (a *array) take(c game.Move) {
	i := a.at[c]
	a.free--
	a.swap(int(i), a.free)
	a.trail = append(a.trail, i)
}

// give puts a taken cell back into play. O(1).
func (a *array) give(c game.Move) {
	i := a.at[c]
	a.swap(int(i), a.free)
	a.free++
	a.trail = append(a.trail, i)
}

// untake undoes the last change, a take. O(1).
func (a *array) untake(game.Move) {
	a.swap(int(a.pop()), a.free)
	a.free++
}

// ungive undoes the last change, a give. O(1).
func (a *array) ungive(game.Move) {
	a.free--
	a.swap(int(a.pop()), a.free)
}

func (a *array) pop() int32 {
	i := a.trail[len(a.trail)-1]
	a.trail = a.trail[:len(a.trail)-1]
	return i
}

// node is a cell of a list. While it is out of the list it remembers its neighbours, so that the changes can
// be undone in the reverse order.
type node struct {
	cell       game.Move
	prev, next *node
}

// list keeps the cells in play as a doubly linked list, each node allocated by itself: what the text compares
// its array with.
type list struct {
	head  node // before the first cell and after the last one
	nodes []*node
	trail []node // the neighbours that a given cell had when it was taken
}

func (l *list) load(n int, free []game.Move) {
	if len(l.nodes) != n {
		l.nodes = make([]*node, n)
		for c := range l.nodes {
			l.nodes[c] = &node{cell: game.Move(c)}
		}
	}
	l.head.prev, l.head.next, l.trail = &l.head, &l.head, l.trail[:0]
	for _, c := range free {
		x := l.nodes[c]
		x.prev, x.next = l.head.prev, &l.head
		x.link()
	}
}

func (x *node) link()   { x.prev.next, x.next.prev = x, x }
func (x *node) unlink() { x.prev.next, x.next.prev = x.next, x.prev }

func (l *list) take(c game.Move)   { l.nodes[c].unlink() }
func (l *list) untake(c game.Move) { l.nodes[c].link() }

func (l *list) give(c game.Move) {
	x := l.nodes[c]
	l.trail = append(l.trail, *x)
	x.prev, x.next = &l.head, l.head.next
	x.link()
}

func (l *list) ungive(c game.Move) {
	x := l.nodes[c]
	x.unlink()
	last := len(l.trail) - 1
	x.prev, x.next = l.trail[last].prev, l.trail[last].next
	l.trail = l.trail[:last]
}
