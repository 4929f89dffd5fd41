// SPDX-License-Identifier: Apache-2.0

package mcts

import (
	"math"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
)

type worker struct {
	Options
	tree
	p     game.Position
	path  []step
	moves []game.Move
	dice  rng.Rand
	board game.Board // p if it is a Board on which every empty cell is a legal move; otherwise nil
	// Results are added up as integers, and unit is the integer for half a point. It is above 1 if Options.Value is set, because
	// results can then be any fraction of a point.
	unit uint32

	depth   int    // maximum depth of the tree in plies
	order   uint64 // random number that determines the order in which moves are tried
	plies   int    // number of plies played since the last reading of the clock
	deepest int    // the greatest depth reached in the tree
}

// step is a node on the path from the root, and the side that made the move to it.
type step struct {
	node int32
	side game.Side
	// drawn is true if a proved draw is better for the side to move than the moves that are not proved. The simulation then
	// continues below an unproved move to learn more about this move, but counts as a draw at this node and at the nodes above.
	drawn bool
}

// points contains the half points of each outcome, for each side.
var points = [4][2]uint32{game.FirstWins: {2, 0}, game.SecondWins: {0, 2}, game.Draw: {1, 1}}

func (w *worker) reset(p game.Position, depth int) {
	w.tree.clear(w.maxNodes)
	w.p = p.Clone()
	if w.board = nil; game.CellMoves(w.p) {
		w.board = w.p.(game.Board)
	}
	w.depth = depth
	w.dice = rng.Rand(rng.Spread(w.Seed ^ rng.Spread(p.Key())))
	w.order = w.dice.Next()
	w.plies, w.deepest = 0, 0
}

// simulate makes one simulation and leaves the position as it was.
func (w *worker) simulate() {
	w.path = append(w.path[:0], step{node: root, side: w.p.Turn().Other()})
	result, found := w.descend()
	played := len(w.path) - 1
	w.deepest = max(w.deepest, played)
	got := w.parts(result)
	switch {
	case result != game.Ongoing:
	case w.Value != nil:
		got = w.valued()
	default:
		var n int
		result, n = w.playOut()
		got = w.parts(result)
		played += n
	}
	if found && w.Solver {
		w.prove()
	}
	w.count(got)
	w.plies += played + 1
	for range played {
		w.p.Undo()
	}
}

// descend follows the best moves down the tree and adds a node. It returns the outcome of the last position, and whether this
// outcome was just found.
func (w *worker) descend() (o game.Outcome, found bool) {
	for {
		last := &w.path[len(w.path)-1]
		if o := w.nodes[last.node].outcome; o != game.Ongoing {
			return o, false
		}
		if len(w.path) > w.depth {
			return game.Ongoing, false
		}
		side := w.p.Turn()
		child, added := w.next(last)
		if child < 0 {
			return game.Ongoing, false
		}
		w.path = append(w.path, step{node: child, side: side})
		w.p.Play(w.nodes[child].move)
		if added {
			o := w.p.Outcome()
			w.nodes[child].outcome = o
			return o, o != game.Ongoing
		}
	}
}

// next returns the child at which the path continues, and whether it was just added. child is negative if the tree is full.
func (w *worker) next(last *step) (child int32, added bool) {
	if n := &w.nodes[last.node]; !w.full && (n.children == 0 || n.children < n.moves) {
		if child, ok := w.expand(last.node); ok {
			return child, true
		}
	}
	child, last.drawn = w.choose(&w.nodes[last.node])
	return child, false
}

// choose returns the child of n with the greatest upper confidence bound, or a negative number if no child can be chosen. drawn
// is true if a proved draw is better than this child. With the solver, proved children are not chosen.
//
// CITE: Cazenave and Saffidine, Score Bounded Monte-Carlo Tree Search, 2010, treat draws by bounds instead.
func (w *worker) choose(n *node) (child int32, drawn bool) {
	width := float32(w.C) * spread(n.visits)
	child, bound := int32(-1), float32(math.Inf(-1))
	children := w.children(n)
	for i := range children {
		k := &children[i]
		if w.Solver && k.outcome != game.Ongoing {
			drawn = drawn || k.outcome == game.Draw
			continue
		}
		if u := k.mean + float32(width*k.inv); u > bound {
			child, bound = n.first+int32(i), u
		}
	}
	return child, drawn && bound < 0.5
}

func (w *worker) expand(at int32) (child int32, ok bool) {
	w.moves = w.p.AppendMoves(w.moves[:0])
	n := &w.nodes[at]
	n.moves = uint16(len(w.moves))
	if n.children == 0 && w.Decisive && w.Solver {
		if m, ok := w.decider(); ok {
			return w.add(at, m)
		}
	}
	return w.add(at, w.moves[w.untried(int(n.children), len(w.moves))])
}

func (w *worker) decider() (game.Move, bool) {
	win := game.WinFor(w.p.Turn())
	w.plies += len(w.moves)
	for _, m := range w.moves {
		w.p.Play(m)
		o := w.p.Outcome()
		w.p.Undo()
		if o == win {
			return m, true
		}
	}
	return game.NoMove, false
}

// primes are greater than any number n of moves, so the multiples of each prime go through all residues modulo n.
var primes = [8]uint64{16411, 20011, 24007, 27017, 33013, 40009, 50021, 65521}

// untried returns the index, from 0 to n-1, of the move that is tried as the i-th in this position, which has n moves. The
// order is an arithmetic progression modulo n that depends on the position. So no part of the board is always tried first,
// and the order need not be stored.
func (w *worker) untried(i, n int) int {
	h := rng.Spread(w.p.Key() ^ w.order)
	return int((h>>3 + uint64(i)*primes[h&7]) % uint64(n))
}

// count adds got, the result of a simulation, to the statistics of all nodes on the path. Above a proved node, the proved
// outcome is added instead of got.
func (w *worker) count(got [2]uint32) {
	for i := len(w.path) - 1; i >= 0; i-- {
		n := &w.nodes[w.path[i].node]
		switch {
		case n.outcome != game.Ongoing:
			got = w.parts(n.outcome)
		case w.path[i].drawn:
			got = w.parts(game.Draw)
		}
		n.half += got[w.path[i].side&1]
		n.visits++
		n.mean = float32(n.half) / float32(2*n.visits*w.unit)
		n.inv = float32(1 / math.Sqrt(float64(n.visits)))
	}
}

// parts returns the value of an outcome for each side, in parts of a half point.
func (w *worker) parts(o game.Outcome) [2]uint32 {
	both := points[o&3]
	return [2]uint32{both[0] * w.unit, both[1] * w.unit}
}

// valued returns the value of Options.Value for each side, in parts of a half point.
func (w *worker) valued() [2]uint32 {
	all := 2 * w.unit
	side := w.p.Turn()
	own := min(uint32(float64(max(w.Value(w.p, side), 0)*float64(all))+0.5), all)
	var both [2]uint32
	both[side], both[side.Other()] = own, all-own
	return both
}

// playOut plays random moves to the end of the game, and returns its outcome and the number of plies played.
func (w *worker) playOut() (o game.Outcome, plies int) {
	for ; plies < w.playout; plies++ {
		if o := w.p.Outcome(); o != game.Ongoing {
			return o, plies
		}
		w.p.Play(w.draw())
	}
	if o := w.p.Outcome(); o != game.Ongoing {
		return o, plies
	}
	return game.Draw, plies
}

const tries = 8

// draw returns a random legal move; all are equally likely. If every empty cell is a legal move, it chooses random cells until one
// is empty.
func (w *worker) draw() game.Move {
	if w.board != nil {
		cells := w.board.Cells()
		for range tries {
			if i := w.dice.Below(len(cells)); cells[i] == game.Empty {
				return game.Move(i)
			}
		}
	}
	w.moves = w.p.AppendMoves(w.moves[:0])
	return w.moves[w.dice.Below(len(w.moves))]
}

// spreads contains sqrt(ln n) for small n, since most nodes have few visits.
var spreads = func() (table [4096]float32) {
	for n := 1; n < len(table); n++ {
		table[n] = float32(math.Sqrt(math.Log(float64(n))))
	}
	return table
}()

// spread returns the square root of the natural logarithm of visits.
func spread(visits uint32) float32 {
	if int(visits) < len(spreads) {
		return spreads[visits]
	}
	return float32(math.Sqrt(math.Log(float64(visits))))
}
