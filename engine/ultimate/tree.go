// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"math/bits"
	"sync/atomic"
	"unsafe"

	rules "github.com/krow-lab/krow/game/ultimate"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search/tt"
)

// tree is a game tree whose nodes are in one large block of memory. It uses one half of its memory; the nodes that the next
// search needs are copied to the other half. Each worker adds nodes only to its own parts.
//
//	nodes  root | children of a node | of another | .. 0 | children of a node | .. 0 | free
//	            part of a worker                         part of a worker
//	other                                                                       free
type tree struct {
	nodes, other []node
	next         atomic.Uint32 // index of the first node that belongs to no worker's part
	age          int           // incremented when nodes are moved; the workers' parts are then invalid
	root         rules.Board
	full         atomic.Bool // whether a worker has run out of free nodes
	claims       tt.Claims   // claims on the nodes below which a thread is searching
}

func newTree(bytes int) *tree {
	half := max(bytes/2/int(unsafe.Sizeof(node{})), 2*rules.Moves)
	t := &tree{nodes: make([]node, half), other: make([]node, half)}
	tt.HugePages(t.nodes)
	tt.HugePages(t.other)
	return t
}

func (t *tree) reset(b *rules.Board) {
	t.root = *b
	t.nodes[0].store(newStats(0.5, 0), newLink(0, lost, won, 0))
	t.settle(1)
}

func (t *tree) settle(next uint32) {
	t.next.Store(next)
	t.full.Store(false)
	t.age++
}

// part is a sequence of adjacent free nodes that belongs to a worker.
type part struct {
	free, end uint32
	age       int // age of the tree when the part was taken
}

// partNodes is the number of nodes of a part, and leastParts is the minimum number of parts in a tree.
const (
	partNodes  = 256
	leastParts = 64
)

func (t *tree) takeNodes(p *part, n uint32) (first uint32, ok bool) {
	if p.free+n > p.end || p.age != t.age {
		size := max(n, min(partNodes, uint32(len(t.nodes)/leastParts)))
		end := t.next.Add(size)
		if int(end) > len(t.nodes) {
			t.full.Store(true)
			return 0, false
		}
		*p = part{end - size, end, t.age}
		clear(t.nodes[p.free:p.end]) // cleared, because nodes that remain unused must have no children
	}
	first = p.free
	p.free += n
	return first, true
}

func (t *tree) children(l link) []node { return t.nodes[l.first() : l.first()+l.count()] }

// keep makes the node with the index root the root of the tree. It removes all nodes that are not below this node. It also
// removes the children of nodes that have fewer visits than the parameter least.
// CITE: Cheney, A nonrecursive list compacting algorithm, 1970.
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
	if stats(to[0].stats).visits() >= mostVisits {
		halve(to[:next])
	}
	t.nodes, t.other = to, t.nodes
	t.settle(next)
}

// mostVisits is the number of visits of the root at which all visits are halved, so that sums of visits fit into 32 bits.
const mostVisits = 1 << 30

func halve(nodes []node) {
	for i := range nodes {
		s := stats(nodes[i].stats)
		nodes[i].stats = uint64(newStats(s.value(), (s.visits()+1)/2))
	}
}

func (t *tree) shrink() {
	// children[n] is the number of children of the nodes whose number of visits has n bits.
	var children [33]int
	for i := range min(int(t.next.Load()), len(t.nodes)) {
		n := &t.nodes[i]
		children[bits.Len32(stats(n.stats).visits())] += int(link(n.link).count())
	}
	bit, kept := 32, children[32]
	for bit > 1 && kept+children[bit-1] <= len(t.nodes)/2 {
		bit--
		kept += children[bit]
	}
	t.keep(0, 1<<(bit-1))
}

// advance makes the position b the root. It keeps the nodes below b if at most two moves lead from the old root to b; these are
// the last moves of history.
func (t *tree) advance(b *rules.Board, history []game.Move) {
	ahead := int(b.Ply) - int(t.root.Ply)
	if ahead < 0 || ahead > min(2, len(history)) {
		t.reset(b)
		return
	}
	at, now := uint32(0), t.root
	for _, m := range history[len(history)-ahead:] {
		child, ok := t.child(at, uint8(m))
		if !ok || !now.Legal(int(m)) {
			t.reset(b)
			return
		}
		now.Play(uint8(m))
		at = child
	}
	if l := link(t.nodes[at].link); now != *b || l.count() == 0 {
		t.reset(b)
		return
	}
	t.keep(at, 0)
	t.root = *b
}

func (t *tree) child(at uint32, m uint8) (uint32, bool) {
	_, l := t.nodes[at].load()
	for i := l.first(); i < l.first()+l.count(); i++ {
		if _, c := t.nodes[i].load(); c.move() == m {
			return i, true
		}
	}
	return 0, false
}

// RootMove contains the results of the last search for a root move, from the view of the side to move at the root.
type RootMove struct {
	Move      uint8
	Low, High uint8 // proved bounds of the result: 0 lost, 1 drawn, 2 won
	Visits    uint32
	Value     float32 // the expected result, from 0 to 1
}

// Root returns the results of the last search: for the root itself, as an entry without a move, and for its moves.
func (s *Searcher) Root() (root RootMove, moves []RootMove) {
	stats, l := s.tree.nodes[0].load()
	for i := range l.count() {
		st, k := s.tree.nodes[l.first()+i].load()
		moves = append(moves, RootMove{k.move(), uint8(k.low()), uint8(k.high()), st.visits(), st.value()})
	}
	return RootMove{0, uint8(won - l.high()), uint8(won - l.low()), stats.visits(), 1 - stats.value()}, moves
}
