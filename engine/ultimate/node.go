// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"math"
	"sync/atomic"
)

// node is a position of the tree. The value and the bounds of a node are from the view of the side whose move led to the
// node. The children of a node are next to each other. A node consists of two 64-bit words. Each word is read and written
// atomically, so that several threads can search one tree without locks.
//
//	stats   value, a float32 from 0 (lost) to 1 | visits
//	        63                               32   31    0
//	link    dist | shade | busy | high | low | count | move | first
//	        63 56  55 53    52    51 50  49 48  47  40  39 32  31   0
type node struct {
	stats, link uint64 // read and written atomically while several threads search
}

// The possible results of a position; each bound of a node is one of them.
const (
	lost = iota
	drawn
	won
)

// stats contains the value of a node and the number of its visits.
type stats uint64

func newStats(value float32, visits uint32) stats {
	return stats(math.Float32bits(value))<<32 | stats(visits)
}

func (s stats) value() float32 { return math.Float32frombits(uint32(s >> 32)) }

func (s stats) visits() uint32 { return uint32(s) }

// more returns s with the given number of additional visits, or s itself if the number of visits could overflow.
func (s stats) more(visits int) stats {
	if s.visits() > math.MaxUint32-1<<20 {
		return s
	}
	return s + stats(visits)
}

// link contains the other data of a node.
//
//	first, count   the children; a count of 0 is a leaf
//	move           the move that leads here
//	low, high      proved lower and upper bound: lost, drawn or won; they are equal when the value is proved
//	dist           maximum number of plies to the end of a game that is proved won or lost, along the lines of the tree; far if
//	               the tree has no such line. Up to exactDist, no side can end the game sooner
//	busy           a thread is about to add children
//	shade          difference between the first value of the best sibling and the first value of the node: see shades
type link uint64

const (
	lowShift       = 48
	highShift      = 50
	busy      link = 1 << 52

	shadeShift = 53
)

const (
	far = 255
	// If a proved result is at most this number of plies away, neither side can end the game sooner, so the distance is exact.
	exactDist = 2
)

func newLink(move uint8, low, high, dist int) link {
	return link(move)<<32 | link(low)<<lowShift | link(high)<<highShift | link(dist)<<56
}

func (l link) first() uint32 { return uint32(l) }

func (l link) move() uint8 { return uint8(l >> 32) }

func (l link) count() uint32 { return uint32(l >> 40 & 0xff) }

func (l link) low() int { return int(l >> lowShift & 3) }

func (l link) high() int { return int(l >> highShift & 3) }

func (l link) dist() int { return int(l >> 56) }

func (l link) shade() int { return int(l >> shadeShift & 7) }

func (l link) proved() bool { return l.low() == l.high() }

func (l link) with(first, count uint32) link {
	return l&^(0xff<<40|0xffffffff|busy) | link(first) | link(count)<<40
}

// within returns l with these bounds and this distance.
func (l link) within(low, high, dist int) link {
	return l&^(15<<lowShift|0xff<<56) | link(low)<<lowShift | link(high)<<highShift | link(min(dist, far))<<56
}

func (n *node) load() (stats, link) { return n.loadStats(), n.loadLink() }

func (n *node) loadStats() stats { return stats(atomic.LoadUint64(&n.stats)) }

func (n *node) loadLink() link { return link(atomic.LoadUint64(&n.link)) }

func (n *node) store(s stats, l link) {
	atomic.StoreUint64(&n.stats, uint64(s))
	n.storeLink(l)
}

func (n *node) storeLink(l link) { atomic.StoreUint64(&n.link, uint64(l)) }

func (n *node) visit(more int) {
	for {
		old := n.loadStats()
		if atomic.CompareAndSwapUint64(&n.stats, uint64(old), uint64(old.more(more))) {
			return
		}
	}
}

func (n *node) setValue(v float32) {
	for {
		old := n.loadStats()
		if atomic.CompareAndSwapUint64(&n.stats, uint64(old), uint64(newStats(v, old.visits()))) {
			return
		}
	}
}

// narrow adds proved bounds to the node and returns its new link. If another thread has proved the node meanwhile, its bounds and
// distance are kept: a proved node must not change, because its ancestors' distances to the end of the game were computed from it.
func (n *node) narrow(low, high, dist int) link {
	for {
		old := n.loadLink()
		if old.proved() {
			return old
		}
		l := old.within(max(low, old.low()), min(high, old.high()), dist)
		if atomic.CompareAndSwapUint64(&n.link, uint64(old), uint64(l)) {
			return l
		}
	}
}

func (n *node) claim(l link) bool {
	return l&busy == 0 && atomic.CompareAndSwapUint64(&n.link, uint64(l), uint64(l|busy))
}
