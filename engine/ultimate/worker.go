// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"math"
	"math/bits"

	"github.com/krow-lab/krow/engine/ultimate/board"
	"github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/game"
)

// worker is one thread of a search.
type worker struct {
	*tree
	o       *Options
	eval    *network.Evaluator // or nil for the heuristic
	alone   bool               // no other thread changes the tree
	rng     board.Rand         // of playouts
	depth   int                // that it may reach
	deepest int                // that it has reached
	path    [board.Moves + 1]uint32
	moves   [board.Moves]uint8
	values  [board.Moves]float32
}

// visit counts a visit.
func (w *worker) visit(n *node) {
	if w.alone {
		n.stats++
		return
	}
	n.visit()
}

// simulate goes down the tree, evaluates the children of a leaf, and takes what comes out back up. It returns how many
// nodes it added.
func (w *worker) simulate() int {
	if w.o.Mode == UCT {
		w.playout()
		return 1
	}
	b := w.root
	at, ply, added := uint32(0), 0, 0
	for {
		w.path[ply] = at
		n := &w.nodes[at]
		w.visit(n)
		l := n.loadLink()
		if l.count() == 0 {
			if ply < w.depth && !l.proved() {
				added = w.expand(n, &b, ply == 0)
			}
			break
		}
		child, ok := w.choose(n, l)
		if !ok {
			break
		}
		at = child
		b.Play(w.nodes[at].loadLink().move())
		ply++
	}
	w.deepest = max(w.deepest, ply)
	for ; ply >= 0; ply-- {
		w.update(&w.nodes[w.path[ply]])
	}
	return added
}

// choose returns the child to look at: the greatest value, and something for not having been looked at much. What cannot
// become better than another child is at the least is left alone.
func (w *worker) choose(n *node, l link) (best uint32, ok bool) {
	sure := won - l.high()
	kids := w.children(l)
	explore := w.o.Explore * sqrt(logarithm(n.loadStats().visits()))
	// Numbers above 0 are ordered as their bits are, and the greatest of these is found without a branch.
	top := uint64(0)
	for i := range kids {
		s, k := kids[i].load()
		u := s.value() + explore/sqrt(float32(s.visits()))
		key := uint64(math.Float32bits(u))<<8 | uint64(i)
		if k.proved() || k.high() <= sure {
			key = 0
		}
		top = max(top, key)
	}
	return l.first() + uint32(top&0xff), top > 0
}

// logarithm returns about the natural logarithm of x, from 1 on: straight lines between powers of two.
func logarithm(x uint32) float32 {
	l := math.Float32bits(float32(x))
	return math.Ln2 * (float32(l)/(1<<23) - 127)
}

func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// expand adds the children of a leaf.
func (w *worker) expand(n *node, b *board.Board, root bool) int {
	l := n.loadLink()
	if !n.claim(l) {
		return 0
	}
	if !root {
		// Seen from the side that moved here.
		low, high := bounds(b)
		l = l.within(max(l.low(), won-high), min(l.high(), won-low), l.dist())
		if l.proved() {
			n.storeLink(l)
			return 0
		}
	}
	count := b.List(&w.moves)
	first, ok := w.take(count)
	if !ok {
		n.storeLink(l)
		return 0
	}
	w.evaluate(b, w.moves[:count])
	kids := w.nodes[first : int(first)+count]
	for i, m := range w.moves[:count] {
		next := *b
		next.Play(m)
		k := newLink(m, lost, won, 0)
		v := w.values[i]
		switch {
		case next.Result != game.Ongoing:
			r := result(next.Result, b.Turn)
			k, v = newLink(m, r, r, 0), worth[r]
		case winsNow(&next):
			k, v = newLink(m, lost, lost, 1), 0
		}
		kids[i].store(newStats(v, 1), k)
	}
	n.storeLink(l.with(first, uint32(count)))
	return count
}

// worth is what a proved position is worth.
var worth = [...]float32{lost: 0, drawn: 0.5, won: 1}

// evaluate writes to values what the moves are worth to the side to move.
func (w *worker) evaluate(b *board.Board, moves []uint8) {
	if w.eval != nil {
		w.eval.Children(b, moves, w.values[:len(moves)])
		return
	}
	for i, m := range moves {
		next := *b
		next.Play(m)
		w.values[i] = 1 - heuristic(&next)
	}
}

// update gives a node the value and the bounds that follow from those of its children: a blend of the greatest value
// and of the mean of all, each as often as it was visited.
func (w *worker) update(n *node) {
	s, l := n.load()
	v := 1 - worth[l.high()] // as the children are seen
	if l.count() > 0 {
		kids := w.children(l)
		best, sum, visits, known := uint32(0), float32(0), float32(0), uint(0)
		for i := range kids {
			s, k := kids[i].load()
			v, n := s.value(), float32(s.visits())
			best, sum, visits = max(best, math.Float32bits(v)), sum+v*n, visits+n
			known |= 1<<k.low() | 8<<k.high()
		}
		v = w.o.Blend*math.Float32frombits(best) + (1-w.o.Blend)*sum/visits
		if known != unknown {
			l = w.prove(n, l, kids, bits.Len(known&7)-1, bits.Len(known>>3)-1)
		}
	} else if !l.proved() {
		return
	}
	v = min(max(1-v, worth[l.low()]), worth[l.high()])
	if w.alone {
		n.stats = uint64(newStats(v, s.visits()))
	} else if v != s.value() {
		n.setValue(v)
	}
}

// unknown is a set of bounds in which nothing is proved.
const unknown = 1<<lost | 8<<won

// prove gives a node the bounds that follow from the greatest of those of its children.
func (w *worker) prove(n *node, l link, kids []node, low, high int) link {
	// From here on as the other side sees it, which moved here.
	low, high = max(l.low(), won-high), min(l.high(), won-low)
	if low == l.low() && high == l.high() && low != high {
		return l
	}
	soonest, latest := 255, 0
	for i := range kids {
		if k := kids[i].loadLink(); k.proved() {
			if k.low() == won {
				soonest = min(soonest, k.dist())
			}
			latest = max(latest, k.dist())
		}
	}
	dist := 0
	switch {
	case low == won: // whatever the children are, they lose
		dist = latest + 1
	case high == lost:
		dist = soonest + 1
	}
	l = l.within(low, high, dist)
	n.storeLink(l)
	return l
}
