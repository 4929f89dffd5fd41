// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"math"
	"math/bits"

	"github.com/krow-lab/krow/engine/ultimate/board"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/tt"
)

// Values of alpha-beta: the expected score from -scale to scale, or beyond that a game won or lost, and in how many
// plies from the root.
const (
	scale    = 10_000
	winValue = 30_000
	infinite = 32_000
)

// alphaBeta searches to a depth, deeper each time. It values positions as the tree does, all children at once: at depth
// 1 these are the leaves, above that they order the moves.
type alphaBeta struct {
	w     *worker
	table *tt.Table
	visit func(nodes int) (stop bool)
	over  bool
	lists [board.Moves + 1]moveList
}

// moveList is the moves of a position and what they look worth, the best first as far as they have been asked for.
type moveList struct {
	moves  [board.Moves]uint8
	values [board.Moves]int
}

// An entry of the table is, from the low byte up: depth | bound | move | value, two bytes.
const (
	exact = iota
	atLeast
	atMost
)

// search returns what b is worth to the side to move, and the best move. A value that is not between alpha and beta is
// only a bound.
func (a *alphaBeta) search(b *board.Board, ply, depth, alpha, beta int) (value int, best uint8) {
	key, hint := hash(b), uint8(board.Moves)
	if e, ok := a.table.Probe(key); ok {
		hint, value = uint8(e>>16), relative(int(int16(e>>24)), -ply)
		if ply > 0 && int(e&0xff) >= depth && useful(int(e>>8&0xff), value, alpha, beta) {
			return value, hint
		}
	}
	list := &a.lists[ply]
	n := a.fill(list, b, hint, ply)
	if a.over = a.over || a.visit(n); a.over {
		return alpha, list.moves[0]
	}
	value, floor := -infinite, alpha
	for i := range n {
		if i > 0 || list.moves[0] != hint {
			list.pick(i, n)
		}
		m, v := list.moves[i], list.values[i]
		next := *b
		if next.Play(m); depth > 1 && next.Result == game.Ongoing {
			v = a.scout(&next, ply+1, depth-1, alpha, beta, i == 0)
		}
		if a.over {
			break
		}
		if v > value {
			value, best = v, m
		}
		if alpha = max(alpha, v); alpha >= beta {
			break
		}
	}
	if a.over {
		return max(value, floor), best
	}
	bound := exact
	if value >= beta {
		bound = atLeast
	} else if value <= floor {
		bound = atMost
	}
	a.table.Store(key, uint64(depth)|uint64(bound)<<8|uint64(best)<<16|uint64(uint16(relative(value, ply)))<<24)
	return value, best
}

// scout asks whether a move that is not the first is better than alpha, and by how much only if it is.
// CITE: Marsland, A Review of Game-Tree Pruning, 1986.
func (a *alphaBeta) scout(b *board.Board, ply, depth, alpha, beta int, first bool) int {
	if !first {
		if v, _ := a.search(b, ply, depth, -alpha-1, -alpha); -v <= alpha || -v >= beta {
			return -v
		}
	}
	v, _ := a.search(b, ply, depth, -beta, -alpha)
	return -v
}

// fill writes the moves and what they look worth. A move that ends the game is worth what it brings, and the hint comes
// first.
func (a *alphaBeta) fill(list *moveList, b *board.Board, hint uint8, ply int) int {
	n := b.List(&list.moves)
	a.w.evaluate(b, list.moves[:n])
	for i, m := range list.moves[:n] {
		next := *b
		next.Play(m)
		v := int((2*a.w.values[i] - 1) * scale)
		switch {
		case next.Result != game.Ongoing:
			v = [...]int{lost: ply + 1 - winValue, drawn: 0, won: winValue - ply - 1}[result(next.Result, b.Turn)]
		case winsNow(&next):
			v = ply + 2 - winValue
		}
		list.values[i] = v
		if m == hint {
			list.swap(0, i)
		}
	}
	return n
}

// deepen searches deeper and deeper until a limit is reached or the game is decided.
func (r *run) deepen() search.Info {
	a := &alphaBeta{w: r.workers[0], table: r.table}
	depth := 1
	a.visit = func(nodes int) bool {
		r.nodes.Add(uint64(nodes))
		return depth > 1 && (r.budget.Step() || r.out()) // at depth 1 there is one node to visit, and no answer yet
	}
	b := r.tree.root
	var best search.Info
	r.table.Age()
	for ; depth <= min(a.w.depth, board.Moves-int(b.Ply)); depth++ {
		v, m := a.search(&b, 0, depth, -infinite, infinite)
		if a.over {
			break
		}
		best = search.Info{
			Line: 1, Depth: depth, Nodes: r.nodes.Load(), Time: r.budget.Elapsed(), PV: []game.Move{game.Move(m)},
			Score: eval.Score(math.Round(float64(v) / scale * float64(eval.Unit))),
		}
		if v > scale {
			best.Score, best.Solved = eval.Win(winValue-v), true
		} else if v < -scale {
			best.Score, best.Solved = eval.Loss(winValue+v), true
		}
		if r.report != nil {
			r.report(best)
		}
		if best.Solved {
			break
		}
	}
	return best
}

func (l *moveList) swap(i, j int) {
	l.moves[i], l.moves[j] = l.moves[j], l.moves[i]
	l.values[i], l.values[j] = l.values[j], l.values[i]
}

// pick brings the best of the moves from i on to i.
func (l *moveList) pick(i, n int) {
	top := i
	for j := i + 1; j < n; j++ {
		if l.values[j] > l.values[top] {
			top = j
		}
	}
	l.swap(i, top)
}

// relative counts the plies of a won or lost game from a position plies deeper.
func relative(v, plies int) int {
	switch {
	case v > scale:
		return v + plies
	case v < -scale:
		return v - plies
	}
	return v
}

// useful says whether a bound decides between alpha and beta.
func useful(bound, v, alpha, beta int) bool {
	return bound == exact || bound == atLeast && v >= beta || bound == atMost && v <= alpha
}

// hash returns a number for the position.
func hash(b *board.Board) uint64 {
	h := uint64(b.Forced)<<32 | uint64(b.Turn)<<40 | uint64(b.Won[0])<<16 | uint64(b.Won[1])
	for s := range b.Stones {
		for i := range 9 {
			h = (bits.RotateLeft64(h, 5) ^ uint64(b.Stones[s][i])) * 0x9e3779b97f4a7c15
		}
	}
	return h ^ h>>29
}
