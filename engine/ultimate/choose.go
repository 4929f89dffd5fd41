// SPDX-License-Identifier: Apache-2.0

package ultimate

import "math"

func (w *worker) stay(n *node) int { return max(1, int(n.loadStats().visits())/stayShare) }

// choose returns the index of the child to search: the child with the greatest value plus bonus. It ignores children that cannot
// be better than the proved lower bound of n; ok is false if no other child is left.
func (w *worker) choose(n *node, l link) (best uint32, ok bool) {
	need := link(0)
	if l.high() <= drawn { // the side to move has a proved draw at least, so only a win is of interest
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

// Threads search the upper part of the tree together. A node at which a thread stays for leastOwn to mostOwn simulations is
// claimed by that thread meanwhile: other threads choose a sibling, unless each sibling is worse by more than yield.
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

// shades are the factors of a node's bonus for few visits, one for each shadeStep by which its first value was below the greatest
// among its siblings: a move to which the network first gave a lower value is searched less. They were tuned by SPSA, see
// docs/methods.md.
//
// CITE: Rosin, Multi-armed bandits with episode context, 2011 (the idea).
var shades = [8]float32{1, 0.89, 0.78, 0.67, 0.56, 0.45, 0.34, 0.23}

const shadeStep = 0.02

func shade(below float32) link { return min(link(below*(1/shadeStep)), 7) << shadeShift }

type family struct {
	sum    float32 // of value times visits
	best   float32 // the greatest value
	visits uint32
	links  link // the bits that are set in the link of any child
}

// The two loops over children, pick and gather, are here in Go. On amd64 there are versions in assembly for processors with
// AVX512, with the same results in every bit.

// pickGo finds the child with the greatest sum of its value and explore * factor of its shade / root of its visits; of equal
// children, the last. It returns the bits of that sum times 256, plus the index of the child. It ignores children that are proved
// or whose link lacks a bit of need, and returns 0 if no other is left.
func pickGo(children []node, explore float32, need link) (top uint64) {
	for i := range children {
		s, k := children[i].load()
		u := s.value() + float32(explore*shades[k.shade()])/sqrt(float32(s.visits()))
		// Positive floats have the same order as their bits, so the greatest is found without a branch.
		key := uint64(math.Float32bits(u))<<8 | uint64(i)
		if k.proved() || k&need != need {
			key = 0
		}
		top = max(top, key)
	}
	return top
}

// gatherGo returns the family of the children. It adds up eight partial sums first, in the order of the vectors in assembly.
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
