// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/krow-lab/krow/search/tt"
)

// maxPly is the maximum ply of a line, counted from the root.
const maxPly = 240

// shared contains the data that the workers of one search share.
type shared struct {
	table    *tt.Table
	stop     atomic.Bool
	nodes    atomic.Uint64 // nodes of all workers; each worker adds its nodes when it checks the limits
	maxNodes uint64
	ctx      context.Context
	clock
}

type worker struct {
	board
	*shared
	o       Options
	timed   bool   // whether this worker reads the clock; only one worker does
	visited uint64 // number of visited nodes
	next    uint64 // the value of visited at which the limits are checked next
	counted uint64 // number of visited nodes that shared.nodes already includes

	depth    int          // depth of the current iteration
	at       atomic.Int32 // a copy of depth that the other workers read
	complete int          // depth of the last complete iteration
	history  [2][gridCells]int32
	counter  [2][gridCells]uint16
	skip     [maxPly + 8]uint16 // by ply: the move that a singular search leaves out, or 0
	evals    [maxPly + 8]int32
	pv       [maxPly + 8][maxPly + 8]uint16 // by ply: the best line, which ends with 0
	lists    [maxPly + 8]moveList
	tried    [maxPly + 8][64]uint16

	// noVCF contains hashes of positions in which no win by fours was found.
	noVCF [1 << 15]uint64

	root  []rootMove
	proof prover
	tree  *rootTree // nil if the rules or the options exclude it, and in all workers except the first
}

// interval is the number of nodes between two checks of the limits.
const interval = 256

func (w *worker) visit() bool {
	w.visited++
	if w.visited >= w.next {
		w.next = w.visited + interval
		total := w.nodes.Add(w.visited - w.counted)
		w.counted = w.visited
		if w.maxNodes > 0 {
			if total >= w.maxNodes {
				w.stop.Store(true)
			}
			w.next = w.visited + max(1, min(interval, w.maxNodes-min(total, w.maxNodes)))
		}
		if w.ctx.Err() != nil || w.timed && w.out() {
			w.stop.Store(true)
		}
	}
	return w.stop.Load()
}

// reductions contains the number of plies by which the depth of a late move is reduced: about 0.75 ln(depth) ln(n) for move
// number n.
var reductions = func() (r [64][64]int8) {
	for d := 1; d < 64; d++ {
		for n := 1; n < 64; n++ {
			r[d][n] = int8(math.Log(float64(d)) * math.Log(float64(n)) * 0.75)
		}
	}
	return r
}()

// reward adds a bonus to a history score. The nearer the score is to its limit, the smaller is the part that
// is added.
func reward(h *int32, bonus int32) {
	const limit = 1 << 12
	*h += bonus - *h*max(bonus, -bonus)/limit
}

// remember updates history and counter move after a cutoff by c. The history scores of the moves that were
// tried before c decrease.
func (w *worker) remember(c uint16, tried []uint16, depth int) {
	bonus := int32(min(depth*depth*4, 1024))
	h := &w.history[w.turn&1]
	reward(&h[c&cellMask], bonus)
	for _, t := range tried {
		reward(&h[t&cellMask], -bonus)
	}
	w.counter[w.turn&1][w.last(1)&cellMask] = c
}

func (w *worker) setPV(ply int, c uint16) {
	line := &w.pv[ply]
	line[0] = c
	for i, m := range w.pv[ply+1] {
		if i+1 == len(line) {
			break
		}
		line[i+1] = m
		if m == 0 {
			break
		}
	}
}
