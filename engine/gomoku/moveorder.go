// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"cmp"
	"context"
	"math"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search/tt"
)

// moveOrderer uses the engine's search to propose the attacker's moves while the solver searches for a proof tree. A win that it
// reports is not proved. It keeps its results about one position for the next position.
type moveOrderer struct {
	*worker
	ctx    context.Context
	start  game.Position
	bytes  int
	memory *tt.Table // the transposition table; the field bytes is its size, and it is allocated on first use
	spent  uint64    // number of nodes that all searches have visited
	most   uint64    // when spent reaches this number, no more nodes are searched
	limit  clock     // limits the searches if the field timed of the worker is set
}

func newMoveOrderer(g game.Game, bytes int) (*moveOrderer, error) {
	// techWindow, the technique that leaves out late moves also if the search window is wide, is off, as in the searches for the
	// published proofs.
	s, err := New(g, Options{Hash: 1 << 16, Net: DefaultNet(g), off: techWindow})
	if err != nil {
		return nil, err
	}
	return &moveOrderer{worker: s.workers[0], bytes: bytes}, nil
}

// startAt prepares e to search positions that follow from p, until ctx is done or the given number of nodes is visited; 0 means no
// limit.
func (e *moveOrderer) startAt(ctx context.Context, p game.Position, nodes uint64) {
	e.ctx, e.start, e.most = ctx, p, e.spent+cmp.Or(nodes, math.MaxUint64-e.spent)
}

// ended reports whether the last search was stopped by a limit or by the context.
func (e *moveOrderer) ended() bool { return e.spent >= e.most || e.ctx.Err() != nil }

// clear frees the table, and resets history, counter moves and the number of nodes.
func (e *moveOrderer) clear() {
	if e.memory != nil {
		e.memory.Free()
	}
	e.memory, e.spent = nil, 0
	e.history, e.counter = [2][gridCells]int32{}, [2][gridCells]uint16{}
}

// ask searches the position after path, a list of cells and passes that begins at the start position. It returns the best move and
// its score for the side to move. The search ends as soon as it sees a win or a loss.
func (e *moveOrderer) ask(path []int, nodes uint64) (move int, score int32) {
	if e.spent >= e.most {
		return noCell, 0
	}
	if e.memory == nil {
		e.memory = tt.New(e.bytes)
	}
	e.beginSearch(&shared{table: e.memory, maxNodes: min(nodes, e.most-e.spent), ctx: e.ctx, clock: e.limit}, e.start)
	e.resume()
	for _, c := range path {
		if c == passed {
			e.pass()
		} else {
			e.playStone(e.cellOf(game.Move(c)))
		}
	}
	defer func() { e.spent += e.visited }()
	if !e.prepareRoot() {
		return noCell, -mate
	}
	best := e.first()
	e.deepen(maxDepth, 1, 0, false, func(int, bool) {
		best, score = e.first(), e.root[0].score
		if score > mateBound || score < -mateBound {
			e.stop.Store(true)
		}
	})
	return best, score
}

func (e *moveOrderer) first() int { return int(e.move(int(e.root[0].cell))) }
