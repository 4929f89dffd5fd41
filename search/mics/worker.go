// SPDX-License-Identifier: Apache-2.0

package mics

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/krow-lab/krow/eval"
	heuristic "github.com/krow-lab/krow/eval/mics"
	"github.com/krow-lab/krow/game"
)

// clockInterval is the number of nodes between two readings of the clock.
const clockInterval = 32

// unlimited is a share of nodes that no search can use up.
const unlimited = uint64(math.MaxUint64 / 2)

// worker searches root moves on a board of its own.
type worker struct {
	p  game.Lined
	e  *heuristic.Evaluator
	me game.Side // the side to move at the root
	q  int

	// pool contains the free cells. It is nil if moves are not cells, for example because stones fall. The position then lists the
	// legal moves.
	pool *array

	heap  heap
	moves []game.Move
	best  [][]ranked    // by ply: the moves that are tried in the node
	pv    [][]game.Move // by ply: the expected line from this ply

	nodes    uint64
	next     uint64 // the number of nodes at which the clock is read next
	limit    uint64 // the number of nodes at which the root move's share is used up
	horizon  uint64 // number of leaves in which the game was not over
	cut      bool   // whether a position was valued as a leaf because the share was used up
	ctx      context.Context
	deadline time.Time // zero means no deadline
	stopped  bool
}

func newWorker(g game.Game, o *Options) (*worker, error) {
	m := o.Eval
	if m == (heuristic.Multipliers{}) {
		m = Multipliers(g)
	}
	e, err := heuristic.New(g, m)
	if err != nil {
		return nil, err
	}
	p, ok := g.Start().(game.Lined)
	if !ok {
		return nil, fmt.Errorf("mics needs a game of k in a row, not %s", g)
	}
	w := &worker{p: p, e: e}
	if g.Moves() == len(p.Cells()) {
		w.pool = &array{}
	}
	return w, nil
}

// load prepares a search of p to a depth. The worker keeps p and plays moves on it.
func (w *worker) load(ctx context.Context, p game.Position, q, depth int, deadline time.Time) {
	w.p = p.(game.Lined)
	w.e.Reset(w.p)
	w.me = p.Turn()
	w.nodes, w.next, w.limit, w.ctx, w.deadline, w.stopped = 0, 0, unlimited, ctx, deadline, false
	w.moves = w.p.AppendMoves(w.moves[:0])
	if w.pool != nil {
		w.pool.load(len(w.p.Cells()), w.moves)
	}
	w.reach(q, depth)
}

// reach prepares a pass that searches to the given depth and tries q cells in each node.
func (w *worker) reach(q, depth int) {
	w.q, w.horizon, w.cut = q, 0, false
	for len(w.pv) <= depth {
		w.pv = append(w.pv, nil)
		w.best = append(w.best, nil)
	}
}

// playMove makes a move in the position, and updates the heuristic and the array of cells.
func (w *worker) playMove(m game.Move) {
	w.e.Play(m)
	w.p.Play(m)
	for _, c := range w.e.Changes() {
		switch {
		case w.pool == nil:
		case c.New == game.Empty:
			w.pool.give(game.Move(c.Cell))
		default:
			w.pool.take(game.Move(c.Cell))
		}
	}
}

// undoMove takes the last move back and restores the heuristic and the array.
func (w *worker) undoMove() {
	for _, c := range slices.Backward(w.e.Changes()) {
		switch {
		case w.pool == nil:
		case c.New == game.Empty:
			w.pool.ungive(game.Move(c.Cell))
		default:
			w.pool.untake(game.Move(c.Cell))
		}
	}
	w.p.Undo()
	w.e.Undo()
}

// spent reports whether the search must stop, or too few nodes of the share are left for another node at the given ply.
// Enough nodes must be left to value each remaining move of every node above as a leaf.
func (w *worker) spent(ply int) bool {
	if w.nodes >= w.next {
		w.look()
		w.next = w.nodes + clockInterval
	}
	return w.stopped || w.nodes+uint64(ply*w.q) > w.limit
}

// look reads the clock and checks the context, and sets stopped if the search must stop.
func (w *worker) look() {
	if w.ctx.Err() != nil || !w.deadline.IsZero() && time.Now().After(w.deadline) {
		w.stopped = true
	}
}

// value returns the value of the position for the side to move at the root, like algorithm 4 of the authors: the exact value if
// it is between alpha and beta, otherwise a bound outside this window. It leaves the board unchanged.
func (w *worker) value(depth, ply int, alpha, beta eval.Score) eval.Score {
	w.nodes++
	w.pv[ply] = w.pv[ply][:0]
	if o := w.p.Outcome(); o != game.Ongoing {
		return eval.Outcome(o, w.me, ply)
	}
	spent := depth > 0 && w.spent(ply)
	if depth == 0 || spent {
		w.horizon++
		w.cut = w.cut || spent
		return w.e.Evaluate(w.p, w.me)
	}
	w.best[ply] = w.order(w.best[ply][:0], w.q)
	if w.p.Turn() == w.me {
		return w.maxValue(depth, ply, alpha, beta)
	}
	return w.minValue(depth, ply, alpha, beta)
}

func (w *worker) maxValue(depth, ply int, alpha, beta eval.Score) eval.Score {
	best := -eval.Infinity
	for _, r := range w.best[ply] {
		w.playMove(r.move)
		v := w.value(depth-1, ply+1, alpha, beta)
		w.undoMove()
		if v > best {
			best = v
			w.extend(ply, r.move)
			alpha = max(alpha, v)
		}
		// No score is better than a win with this move.
		if best >= beta || best == eval.Win(ply+1) {
			break
		}
	}
	return best
}

func (w *worker) minValue(depth, ply int, alpha, beta eval.Score) eval.Score {
	best := eval.Infinity
	for _, r := range w.best[ply] {
		w.playMove(r.move)
		v := w.value(depth-1, ply+1, alpha, beta)
		w.undoMove()
		if v < best {
			best = v
			w.extend(ply, r.move)
			beta = min(beta, v)
		}
		if best <= alpha || best == eval.Loss(ply+1) {
			break
		}
	}
	return best
}

// extend sets the expected line at a ply to m followed by the expected line at the next ply.
func (w *worker) extend(ply int, m game.Move) {
	w.pv[ply] = append(append(w.pv[ply][:0], m), w.pv[ply+1]...)
}
