// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"math/bits"
	"sync/atomic"
	"unsafe"

	"github.com/krow-lab/krow/engine/ultimate/board"
	"github.com/krow-lab/krow/tt"
)

// tree is a game tree in an arena. It takes half of its memory and copies what it keeps to the other half.
//
//	nodes  root | children of one node | children of another | ... | free
//	other                                                            free
type tree struct {
	nodes, other []node
	next         atomic.Uint32 // the first free node
	root         board.Board
	full         atomic.Bool // somebody found no room
}

// newTree returns an empty tree of that many bytes.
func newTree(bytes int) *tree {
	half := max(bytes/2/int(unsafe.Sizeof(node{})), 2*board.Moves)
	t := &tree{nodes: make([]node, half), other: make([]node, half)}
	tt.HugePages(t.nodes)
	tt.HugePages(t.other)
	return t
}

// reset makes the tree a root that was never looked at.
func (t *tree) reset(b *board.Board) {
	t.root = *b
	t.nodes[0].store(newStats(0.5, 0), newLink(0, lost, won, 0))
	t.next.Store(1)
	t.full.Store(false)
}

// take returns the first of n nodes in a row, ok, if there is room for them.
func (t *tree) take(n int) (first uint32, ok bool) {
	end := t.next.Add(uint32(n))
	if int(end) <= len(t.nodes) {
		return end - uint32(n), true
	}
	t.full.Store(true)
	return 0, false
}

// children returns the children of a node.
func (t *tree) children(l link) []node { return t.nodes[l.first() : l.first()+l.count()] }

// keep makes a node the root and forgets what is not below it, and the children of nodes visited fewer than least
// times. CITE: Cheney, A nonrecursive list compacting algorithm, 1970.
func (t *tree) keep(root, least uint32) {
	to := t.other
	to[0] = t.nodes[root]
	next := uint32(1)
	for at := uint32(0); at < next; at++ {
		s, l := stats(to[at].stats), link(to[at].link)
		switch {
		case l.count() == 0:
		case at > 0 && s.visits() < least:
			to[at].link = uint64(l.with(0, 0))
		default:
			to[at].link = uint64(l.with(next, l.count()))
			next += uint32(copy(to[next:], t.children(l)))
		}
	}
	t.nodes, t.other = to, t.nodes
	t.next.Store(next)
	t.full.Store(false)
}

// shrink forgets the least visited parts of the tree, so that half of it or more is free.
func (t *tree) shrink() {
	var kids [33]int // of nodes whose visits have that many bits
	for i := range min(int(t.next.Load()), len(t.nodes)) {
		n := &t.nodes[i]
		kids[bits.Len32(stats(n.stats).visits())] += int(link(n.link).count())
	}
	bit, kept := 32, kids[32]
	for bit > 1 && kept+kids[bit-1] <= len(t.nodes)/2 {
		bit--
		kept += kids[bit]
	}
	t.keep(0, 1<<(bit-1))
}

// advance makes b the root. What is known of it is kept where it is that of the root after these moves.
func (t *tree) advance(b *board.Board, moves []uint8) {
	at, now := uint32(0), t.root
	for _, m := range moves {
		child, ok := t.child(at, m)
		if !ok || !now.Legal(int(m)) {
			t.reset(b)
			return
		}
		now.Play(m)
		at = child
	}
	if l := link(t.nodes[at].link); now != *b || l.count() == 0 {
		t.reset(b)
		return
	}
	t.keep(at, 0)
	t.root = *b
}

// child returns the child of a node to which m leads.
func (t *tree) child(at uint32, m uint8) (uint32, bool) {
	_, l := t.nodes[at].load()
	for i := l.first(); i < l.first()+l.count(); i++ {
		if _, c := t.nodes[i].load(); c.move() == m {
			return i, true
		}
	}
	return 0, false
}
