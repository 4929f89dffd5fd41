// SPDX-License-Identifier: Apache-2.0

package ultimate

import "math"

// family is what the children of a node come to together.
type family struct {
	sum    float32 // of value times visits
	best   float32 // value
	visits uint32  // of all
	links  link    // all bits that are set in any
}

// Each of the two loops over children is there in Go, and on amd64 in assembly for processors with AVX512 as well:
// twins that agree in every bit.

// pickGo returns the child with the greatest value plus explore by the root of its visits, as the bits of that number
// times 256 plus the number of the child, the last of equals; 0 if there is none to choose. A child whose worth is
// proved is not, nor is one whose link lacks a bit of need.
func pickGo(kids []node, explore float32, need link) (top uint64) {
	for i := range kids {
		s, k := kids[i].load()
		u := s.value() + explore/sqrt(float32(s.visits()))
		// Numbers above 0 are ordered as their bits are, and the greatest of these is found without a branch.
		key := uint64(math.Float32bits(u))<<8 | uint64(i)
		if k.proved() || k&need != need {
			key = 0
		}
		top = max(top, key)
	}
	return top
}

// gatherGo adds up eight sums and then these, as vectors do.
func gatherGo(kids []node) (f family) {
	best, lanes := uint32(0), [8]float32{}
	for i := range kids {
		s, k := kids[i].load()
		best = max(best, math.Float32bits(s.value()))
		lanes[i%8] += float32(s.value() * float32(s.visits()))
		f.visits += s.visits()
		f.links |= k
	}
	f.best = math.Float32frombits(best)
	f.sum = ((lanes[0] + lanes[2]) + (lanes[1] + lanes[3])) + ((lanes[4] + lanes[6]) + (lanes[5] + lanes[7]))
	return f
}
