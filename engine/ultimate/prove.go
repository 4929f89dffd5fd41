// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"context"

	"github.com/krow-lab/krow/engine/ultimate/board"
	"github.com/krow-lab/krow/search"
)

// The prover is asked from so many plies on, for a part of the limits.
const (
	proverPly   = 28
	proverShare = 4
)

// prove asks the prover what the root is worth, and tells the tree what it says: what the best move is worth at least,
// and the root at most. A loss stays unknown to the tree, which goes on looking for the move that makes it hard.
func (r *run) prove(ctx context.Context, b *board.Board, lim search.Limits) {
	root := &r.tree.nodes[0]
	_, l := root.load()
	if r.prover == nil || b.Ply < proverPly || lim.Depth > 0 || l.proved() {
		return
	}
	share := search.Limits{Time: lim.Time / proverShare}
	if lim.Time > 0 {
		share.Time = max(share.Time, 1) // none would be no limit
	}
	if lim.Nodes > 0 {
		share.Nodes = lim.Nodes/proverShare + 1
	}
	a := r.prover.Solve(ctx, *b, share)
	r.nodes.Add(a.Nodes)
	low, high := a.Low+1, a.High+1
	if r.lost = high == lost; r.lost {
		return
	}
	if child, ok := r.tree.child(0, uint8(a.Best)); ok && low > lost {
		k := &r.tree.nodes[child]
		if known := k.loadLink(); !known.proved() {
			k.storeLink(known.within(low, max(low, known.high()), board.Moves-int(b.Ply)-1))
			k.setValue(max(k.loadStats().value(), worth[low]))
		}
	}
	root.storeLink(l.within(max(l.low(), won-high), l.high(), 0))
	r.workers[0].update(root, gather(r.tree.children(root.loadLink())))
}
