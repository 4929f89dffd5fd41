// SPDX-License-Identifier: Apache-2.0

package mcts

import "github.com/krow-lab/krow/game"

// prove carries the outcome just found at the end of the path upwards as far as it decides the positions
// above.
func (w *worker) prove() {
	for i := len(w.path) - 2; i >= 0; i-- {
		if !w.settle(&w.nodes[w.path[i].node], &w.nodes[w.path[i+1].node], w.path[i+1].side) {
			return
		}
	}
}

// settle decides n, at which side is to move, if its child that was just decided allows it. One win is
// enough; otherwise every move must have been tried and decided, and the best of them counts.
//
// The distance of a win need not be the shortest, since other moves may not have been tried yet; that of a
// loss is the longest of such distances.
func (w *worker) settle(n, child *node, side game.Side) bool {
	if child.outcome == game.WinFor(side) {
		n.outcome, n.dist = child.outcome, child.dist+1
		return true
	}
	if n.kids < n.moves {
		return false
	}
	kids := w.children(n)
	best, dist := game.WinFor(side.Other()), uint16(0)
	for i := range kids {
		switch k := &kids[i]; k.outcome {
		case game.Ongoing:
			return false
		case game.Draw:
			best = game.Draw
		}
		dist = max(dist, kids[i].dist)
	}
	n.outcome, n.dist = best, dist+1
	return true
}
