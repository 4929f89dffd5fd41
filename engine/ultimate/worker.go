// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"math/bits"

	rules "github.com/krow-lab/krow/game/ultimate"

	"github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/game"
)

type worker struct {
	*tree
	o       *Options
	eval    *network.Evaluator           // nil means that the heuristic is used
	alone   bool                         // whether no other thread changes the tree
	depth   int                          // maximum number of plies from the root
	deepest int                          // the greatest number of plies reached
	left    int                          // number of nodes that the worker may still add
	part    part                         // the part of the tree to which the worker adds nodes
	boards  [rules.Moves + 1]rules.Board // by ply: the positions on the path from the root
	moves   [rules.Moves]uint8
	values  [rules.Moves]float32
}

func (w *worker) count(n *node, visits int) {
	switch {
	case visits <= 0:
	case !w.alone:
		n.visit(visits)
	default:
		n.stats = uint64(stats(n.stats).more(visits))
	}
}

func (w *worker) publish(n *node, l link) {
	if w.alone {
		n.link = uint64(l) // no other thread reads the link, so a cheaper ordinary store is enough
	} else {
		n.storeLink(l)
	}
}

// simulate runs simulations from the root and returns the number of nodes that they added to the tree. The number of
// simulations is at most a 16th of the number of the root's visits. simulate stops soon after it has added as many nodes as
// the parameter most says. A simulation that adds no node counts as one added node.
func (w *worker) simulate(most int) int {
	w.left = most
	w.grow(0, &w.root, 0, w.stay(&w.nodes[0]))
	return most - w.left
}

// grow runs simulations through a node; at is the index of the node, and b is its position. grow runs quota simulations, or
// fewer if nothing remains to be done, and returns their number, at least 1. When grow has chosen a child of the node, it
// stays with this child for several simulations. The number of these simulations is a 16th of the child's visits:
//
//	o 16,000 visits
//	o  4,000          250 simulations before the root chooses a child again
//	o    960          60 simulations before its parent chooses a child again
//	o     30          1
func (w *worker) grow(at uint32, b *rules.Board, ply, quota int) (done int) {
	n := &w.nodes[at]
	for done < quota {
		w.count(n, 1)
		l := n.loadLink()
		if l.count() == 0 {
			w.deepest = max(w.deepest, ply)
			f := family{}
			if ply < w.depth && !l.proved() {
				f = w.expand(n, l, b, ply == 0)
			}
			w.left -= max(int(f.visits), 1)
			w.update(n, f)
			return done + 1
		}
		child, ok := w.choose(n, l)
		if !ok {
			w.left--
			w.update(n, gather(w.children(l)))
			return done + 1
		}
		c := &w.nodes[child]
		next := &w.boards[ply+1]
		*next = *b
		next.Play(c.loadLink().move())
		own := !w.alone && w.exclusive(c)
		if own {
			w.claims.Add(uint64(child))
		}
		k := w.grow(child, next, ply+1, min(quota-done, w.stay(c)))
		if own {
			w.claims.Drop(uint64(child))
		}
		w.count(n, k-1)
		done += k
		w.update(n, gather(w.children(l)))
		if w.left <= 0 || w.full.Load() {
			break
		}
	}
	return done
}

// expand adds the children of a leaf, whose link is l, and returns their family, or an empty one if another thread is already
// expanding the leaf.
func (w *worker) expand(n *node, l link, b *rules.Board, root bool) (f family) {
	if !w.alone && !n.claim(l) {
		return f
	}
	if !root {
		// The bounds of l are for the side that made the last move.
		low, high := bounds(b)
		l = l.within(max(l.low(), won-high), min(l.high(), won-low), l.dist())
		if l.proved() {
			w.publish(n, l)
			return f
		}
	}
	count := b.List(&w.moves)
	first, ok := w.takeNodes(&w.part, uint32(count))
	if !ok {
		w.publish(n, l)
		return f
	}
	w.evaluate(b, w.moves[:count])
	f = w.settle(b, w.nodes[first:int(first)+count])
	w.publish(n, l.with(first, uint32(count)))
	return f
}

// settle writes the children of b after evaluate has computed their values. It computes the family itself, because gather would
// have to wait until the children are written to memory.
func (w *worker) settle(b *rules.Board, children []node) (f family) {
	side := b.Turn & 1
	threats := b.Threats(side ^ 1)
	small, plain := uint8(rules.Moves), uint16(0)
	top := float32(0)
	for _, v := range w.values[:len(children)] {
		if v > top {
			top = v
		}
	}
	for i, m := range w.moves[:len(children)] {
		if m/9 != small {
			small = m / 9
			plain = quiet(b, small, threats)
		}
		k, v := newLink(m, lost, won, 0), w.values[i]
		if plain>>(m%9)&1 == 0 {
			k, v = known(b, m, k, v)
		}
		k |= shade(top - w.values[i])
		children[i] = node{stats: uint64(newStats(v, 1)), link: uint64(k)} // not atomic, because no other thread sees the children yet
		f.links |= k
		f.sum += v
		if v > f.best {
			f.best = v
		}
	}
	f.visits = uint32(len(children))
	return f
}

// known returns the link and the value of the child after the move m. If the game is then over, or the next move wins, they
// describe the proved result. Otherwise known returns k and v unchanged.
func known(b *rules.Board, m uint8, k link, v float32) (link, float32) {
	next := *b
	next.Play(m)
	switch {
	case next.Result != game.Ongoing:
		r := result(next.Result, b.Turn)
		return newLink(m, r, r, 0), worth[r]
	case winsNow(&next):
		return newLink(m, lost, lost, 1), 0
	}
	return k, v
}

// worth contains the value of each proved result.
var worth = [...]float32{lost: 0, drawn: 0.5, won: 1}

func (w *worker) evaluate(b *rules.Board, moves []uint8) {
	if w.eval != nil {
		w.eval.Children(b, &w.values)
		return
	}
	for i, m := range moves {
		next := *b
		next.Play(m)
		w.values[i] = 1 - heuristic(&next)
	}
}

// update computes the value and the bounds of a node from the family f of its children.
func (w *worker) update(n *node, f family) {
	s, l := n.load()
	// v is the value for the side that is to move at n, which chooses among the children. A node stores the value for the other
	// side.
	v := 1 - worth[l.high()]
	if f.visits > 0 {
		v = float32(bestShare*f.best) + (1-bestShare)*f.sum/float32(f.visits)
		if f.links&(won<<highShift|3<<lowShift) != won<<highShift {
			// The bounds lost, drawn and won are 0, 1 and 2, and links contains the bits of all children. So the highest bit that is set
			// gives the greatest bound.
			l = w.prove(n, l, bits.Len(uint(f.links.low())), bits.Len(uint(f.links.high())))
		}
	} else if !l.proved() {
		return
	}
	v = 1 - v
	if low := worth[l.low()]; v < low {
		v = low
	}
	if high := worth[l.high()]; v > high {
		v = high
	}
	if w.alone {
		n.stats = uint64(newStats(v, s.visits()))
	} else if v != s.value() {
		n.setValue(v)
	}
}

func (w *worker) prove(n *node, l link, low, high int) link {
	// Convert the bounds to the view of the side that made the last move.
	low, high = max(l.low(), won-high), min(l.high(), won-low)
	if low == l.low() && high == l.high() {
		return l
	}
	soonest, latest := far, 0
	children := w.children(l)
	for i := range children {
		if k := children[i].loadLink(); k.proved() {
			if k.low() == won {
				soonest = min(soonest, k.dist())
			}
			latest = max(latest, k.dist())
		}
	}
	dist := 0
	switch {
	case low == won: // all moves of the node lose
		dist = latest + 1
	case high == lost:
		dist = soonest + 1
	}
	if !w.alone {
		return n.narrow(low, high, dist)
	}
	l = l.within(low, high, dist)
	n.link = uint64(l)
	return l
}
