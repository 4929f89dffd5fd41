// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search/tt"
)

// rootTree searches for a proof tree of the root position, as a Solver does: the wins by threats at its leaves are found by the
// prover, and the engine proposes the other moves of the attacker, who is to move. It proves wins that the prover alone does not
// prove, but it needs more nodes.
type rootTree struct {
	p       game.Position
	search  *pnSearch // nil until a search of p begins
	builder *worker
	orderer *moveOrderer
}

const (
	treeNodes = 20_000  // minimum number of nodes of a search for a proof tree
	treeSize  = 100_000 // maximum number of trees and positions of a search
)

// setRoot sets the root position, and forgets the search of the previous one.
func (t *rootTree) setRoot(p game.Position) {
	if t != nil {
		t.p, t.search = p, nil
	}
}

// proveTree searches for a proof tree within about the given number of nodes. It returns the length of the win in plies, or 0 if
// it finds no proof, and stores the line in which the loser holds out longest in pv[0]. Later calls continue the search.
func (w *worker) proveTree(budget uint64) (plies int) {
	t, left := w.tree, uint64(0) // left is the number of nodes to the limit of the whole search; 0 means no limit
	if w.maxNodes > 0 {
		left = w.maxNodes - min(w.maxNodes, w.nodes.Load()+w.visited-w.counted)
		budget = min(budget, left)
	}
	if t == nil || budget < treeNodes || w.stop.Load() {
		return 0
	}
	if t.search == nil {
		if t.builder == nil {
			t.builder = newWorker(&w.rule, Options{off: techTable})
			t.builder.proof.table = make([]verdict, ownTable)
			t.orderer = &moveOrderer{worker: newWorker(&w.rule, w.o)}
			t.builder.timed, t.orderer.timed = true, true
		}
		t.orderer.memory = w.table
		t.search = newPNSearch(newTreeBuilder(t.builder, t.p.Turn()), t.orderer, false, treeSize)
	}
	t.orderer.spent, t.orderer.limit = 0, w.clock
	t.orderer.startAt(w.ctx, t.p, budget)
	t.builder.beginSearch(&shared{table: tt.New(0), ctx: w.ctx, maxNodes: left, clock: w.clock}, t.p)
	t.builder.resume()
	t.search.load(t.p)
	for !t.search.done() && !t.search.full && !t.builder.visit() && t.builder.visited+t.orderer.spent < budget {
		t.search.expandMostProving()
		t.builder.next = 0 // so that visit reads the clock
	}
	w.visited += t.builder.visited + t.orderer.spent
	w.resume()
	w.visit()
	win := t.search.root.tree
	if win == nil {
		return 0
	}
	line := win.line(t.p)
	line = line[:min(len(line), len(w.pv[0])-1)]
	for i, m := range line {
		w.pv[0][i] = uint16(w.cellOf(m))
	}
	w.pv[0][len(line)] = 0
	return int(win.plies)
}
