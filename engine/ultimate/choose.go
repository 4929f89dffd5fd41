// SPDX-License-Identifier: Apache-2.0

package ultimate

import "math"

func (w *worker) stay(n *node) int { return max(1, int(n.loadStats().visits())/stayShare) }

// choose returns the index of the child that is searched next: the child with the greatest sum of value and bonus. It ignores
// children that are proved, and children that cannot be better than the result that is already proved for the side to move in
// n. If all children are ignored, ok is false.
func (w *worker) choose(n *node, l link) (best uint32, ok bool) {
	need := link(0)
	if l.high() <= drawn { // the side to move has proved at least a draw, so only a win is better
		need = won << highShift
	}
	explore := exploreWeight * sqrt(logarithm(n.loadStats().visits()))
	top := pick(w.children(l), explore, need)
	best = l.first() + uint32(top&0xff)
	if !w.alone && top > 0 && w.exclusive(&w.nodes[best]) && w.claims.Has(uint64(best)) {
		best = w.other(l, best, explore, need)
	}
	return best, top > 0
}

// The threads together search the upper part of the tree. If a thread stays at a node for leastOwn to mostOwn simulations, it
// claims this node. Other threads then choose a sibling, unless the sum of value and bonus of each sibling is lower by more
// than the constant yield.
const (
	leastOwn = 4
	mostOwn  = 128
	yield    = 0.1
)

func (w *worker) exclusive(n *node) bool {
	stay := w.stay(n)
	return stay >= leastOwn && stay <= mostOwn
}

func (w *worker) other(l link, best uint32, explore float32, need link) uint32 {
	upper := func(s stats, l link) float32 { return s.value() + explore*shades[l.shade()]/sqrt(float32(s.visits())) }
	most, next := upper(w.nodes[best].load())-yield, best
	children := w.children(l)
	for i := range children {
		s, k := children[i].load()
		at := l.first() + uint32(i)
		if u := upper(s, k); u > most && at != best && !k.proved() && k&need == need && !w.claims.Has(uint64(at)) {
			most, next = u, at
		}
	}
	return next
}

// logarithm approximates the natural logarithm of x, which is at least 1, by straight lines between powers of two.
func logarithm(x uint32) float32 {
	l := math.Float32bits(float32(x))
	return math.Ln2 * (float32(l)/(1<<23) - 127)
}

func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// shades contains factors for the bonus that a node with few visits gets. The first value of a node is the value that the
// network gave to it. The index of the factor is the greatest first value among the node and its siblings, minus the first
// value of the node, in units of shadeStep. So a move to which the network gave a lower value is searched less. The factors
// were tuned by SPSA, see docs/methods.md.
//
// CITE: Rosin, Multi-armed bandits with episode context, 2011 (the idea).
var shades = [8]float32{1, 0.89, 0.78, 0.67, 0.56, 0.45, 0.34, 0.23}

const shadeStep = 0.02

func shade(below float32) link { return min(link(below*(1/shadeStep)), 7) << shadeShift }

type family struct {
	sum    float32 // sum of value times visits over all children
	best   float32 // the greatest value of a child
	visits uint32
	links  link // bitwise OR of the links of all children
}

// The two loops over children, pick and gather, have versions in Go here. On amd64 processors with AVX512, versions in assembly
// are used, which give exactly the same results.

// pickGo finds the child with the greatest sum of value and bonus. The bonus is explore times the factor for the child's shade,
// divided by the square root of the number of the child's visits. If several children are equal, it chooses the last. It
// returns a number whose lowest eight bits are the index of the child; the bits above are the bits of the sum, a float. It
// ignores children that are proved, and children whose link does not have all bits of the parameter need. If all children are
// ignored, it returns 0.
func pickGo(children []node, explore float32, need link) (top uint64) {
	for i := range children {
		s, k := children[i].load()
		u := s.value() + float32(explore*shades[k.shade()])/sqrt(float32(s.visits()))
		// The bits of positive floats, read as integers, have the same order as the floats. So the maximum needs no branch.
		key := uint64(math.Float32bits(u))<<8 | uint64(i)
		if k.proved() || k&need != need {
			key = 0
		}
		top = max(top, key)
	}
	return top
}

// gatherGo returns the family of the children, which summarizes their values, visits and links. For the field sum, it computes
// eight partial sums and then adds them, in the same order as the assembly.
func gatherGo(children []node) (f family) {
	best, lanes := uint32(0), [8]float32{}
	for i := range children {
		s, k := children[i].load()
		best = max(best, math.Float32bits(s.value()))
		lanes[i%8] += float32(s.value() * float32(s.visits()))
		f.visits += s.visits()
		f.links |= k
	}
	f.best = math.Float32frombits(best)
	f.sum = ((lanes[0] + lanes[2]) + (lanes[1] + lanes[3])) + ((lanes[4] + lanes[6]) + (lanes[5] + lanes[7]))
	return f
}
