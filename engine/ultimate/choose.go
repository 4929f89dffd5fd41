// SPDX-License-Identifier: Apache-2.0

package ultimate

import "math"

// stay returns how many simulations are to go through a node before a sibling may be chosen in its place.
func (w *worker) stay(n *node) int { return max(1, int(n.loadStats().visits())/w.o.Stay) }

// choose returns the child to look at: the greatest value, and something for not having been looked at much. What cannot
// become better than another child is at the least is left alone.
func (w *worker) choose(n *node, l link) (best uint32, ok bool) {
	need := link(0)
	if l.high() <= drawn { // and so a child is sure to be drawn at least
		need = won << highShift
	}
	explore := w.o.Explore * sqrt(logarithm(n.loadStats().visits()))
	top := pick(w.children(l), explore, need)
	best = l.first() + uint32(top&0xff)
	if !w.alone && top > 0 && w.exclusive(&w.nodes[best]) && w.claims.Has(uint64(best)) {
		best = w.other(l, best, explore, need)
	}
	return best, top > 0
}

// Threads search one part of the tree together down to nodes at which they stay for leastOwn to mostOwn simulations:
// these one thread has for itself, unless the next one is worse by more than yield.
const (
	leastOwn = 4
	mostOwn  = 128
	yield    = 0.1
)

// exclusive says whether other threads are to stay away while one is at a node.
func (w *worker) exclusive(n *node) bool {
	stay := w.stay(n)
	return stay >= leastOwn && stay <= mostOwn
}

// other returns the child to look at while another thread is at the best one.
func (w *worker) other(l link, best uint32, explore float32, need link) uint32 {
	upper := func(s stats) float32 { return s.value() + explore/sqrt(float32(s.visits())) }
	most, next := upper(w.nodes[best].loadStats())-yield, best
	kids := w.children(l)
	for i := range kids {
		s, k := kids[i].load()
		at := l.first() + uint32(i)
		if u := upper(s); u > most && at != best && !k.proved() && k&need == need && !w.claims.Has(uint64(at)) {
			most, next = u, at
		}
	}
	return next
}

// logarithm returns about the natural logarithm of x, from 1 on: straight lines between powers of two.
func logarithm(x uint32) float32 {
	l := math.Float32bits(float32(x))
	return math.Ln2 * (float32(l)/(1<<23) - 127)
}

func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }
