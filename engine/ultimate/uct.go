// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"math"

	"github.com/krow-lab/krow/engine/ultimate/board"
	"github.com/krow-lab/krow/game"
)

// playout is a simulation of plain UCT, which knows nothing but the rules: it tries each move of a position once, then
// follows the upper confidence bounds, and counts the result of a random game at every node it came through.
// CITE: Kocsis and Szepesvári, Bandit Based Monte-Carlo Planning, 2006.
func (w *worker) playout() {
	b := w.root
	at, ply := uint32(0), 0
	for {
		w.path[ply] = at
		n := &w.nodes[at]
		_, l := n.load()
		if l.count() == 0 {
			if b.Result != game.Ongoing || ply > 0 && n.loadStats().visits() == 0 || ply >= w.depth || !w.sprout(n, &b) {
				break
			}
			l = n.loadLink()
		}
		at = w.upper(n, l)
		b.Play(w.nodes[at].loadLink().move())
		ply++
	}
	w.deepest = max(w.deepest, ply)
	first := worth[result(b.Playout(&w.rng), 0)]
	side := w.root.Turn & 1
	for i, at := range w.path[:ply+1] {
		r := first // to the side that moved to the node
		if side^uint8(i&1) == 0 {
			r = 1 - first
		}
		n := &w.nodes[at]
		s := n.loadStats()
		visits := s.visits() + 1
		n.stats = uint64(newStats(s.value()+(r-s.value())/float32(visits), visits))
	}
}

// sprout adds the children of a leaf, none of them tried, and says whether there was room.
func (w *worker) sprout(n *node, b *board.Board) bool {
	count := b.List(&w.moves)
	first, ok := w.take(&w.part, uint32(count))
	if !ok {
		return false
	}
	for i, m := range w.moves[:count] {
		w.nodes[int(first)+i].store(newStats(0, 0), newLink(m, lost, won, 0))
	}
	n.storeLink(n.loadLink().with(first, uint32(count)))
	return true
}

// upper returns the child with the greatest upper confidence bound, one of those that were not tried if there are any.
func (w *worker) upper(n *node, l link) uint32 {
	kids := w.children(l)
	untried := 0
	explore := float32(math.Sqrt(math.Log(float64(n.loadStats().visits())))) * w.o.Explore
	best, top := 0, float32(-1)
	for i := range kids {
		s := kids[i].loadStats()
		if s.visits() == 0 {
			untried++
			if w.rng.Below(untried) == 0 {
				best = i
			}
			continue
		}
		if untried > 0 {
			continue
		}
		if u := s.value() + explore/sqrt(float32(s.visits())); u > top {
			best, top = i, u
		}
	}
	return l.first() + uint32(best)
}
