// SPDX-License-Identifier: Apache-2.0

package mics

import (
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
)

// ranked is a move and its value for the side to move.
type ranked struct {
	score eval.Score
	move  game.Move
}

// before reports whether r comes before s: the move with the greater value comes first, and if the values are equal, the
// move with the smaller number.
func (r ranked) before(s ranked) bool {
	return r.score > s.score || r.score == s.score && r.move < s.move
}

// heap contains the best of the moves that were passed to offer, up to a maximum number. The worst move of the heap is at the
// top.
//
//	   0          a parent at i comes after its children at 2i+1 and 2i+2
//	 1   2
//	3 4
//
// CITE: Huang and Spadaccini, algorithm 1.
type heap struct {
	items []ranked
	max   int
}

// offer keeps r if it is among the best moves so far. It costs O(log max).
func (h *heap) offer(r ranked) {
	if len(h.items) == h.max {
		if r.before(h.items[0]) {
			h.items[0] = r
			h.down(len(h.items))
		}
		return
	}
	h.items = append(h.items, r)
	for i := len(h.items) - 1; i > 0; {
		parent := (i - 1) / 2
		if !h.items[parent].before(h.items[i]) {
			return
		}
		h.items[parent], h.items[i] = h.items[i], h.items[parent]
		i = parent
	}
}

// down moves the item at the top down to its place among the first n items.
func (h *heap) down(n int) {
	for i := 0; ; {
		child := 2*i + 1
		if child >= n {
			return
		}
		if child+1 < n && h.items[child].before(h.items[child+1]) {
			child++
		}
		if !h.items[i].before(h.items[child]) {
			return
		}
		h.items[i], h.items[child] = h.items[child], h.items[i]
		i = child
	}
}

// drain appends the moves of the heap to dst, the best first, and clears the heap.
func (h *heap) drain(dst []ranked) []ranked {
	for n := len(h.items) - 1; n > 0; n-- {
		h.items[0], h.items[n] = h.items[n], h.items[0]
		h.down(n)
	}
	dst = append(dst, h.items...)
	h.items = h.items[:0]
	return dst
}

// order appends the q best moves of the position to dst, the best first, or all moves if there are fewer. It costs
// O(cells log q).
func (w *worker) order(dst []ranked, q int) []ranked {
	w.heap.items, w.heap.max = w.heap.items[:0], q
	t := w.p.Turn()
	if w.pool != nil {
		for _, c := range w.pool.cells[:w.pool.free] {
			w.heap.offer(ranked{w.e.Rank(int(c), t), c})
		}
		return w.heap.drain(dst)
	}
	w.moves = w.p.AppendMoves(w.moves[:0])
	for _, m := range w.moves {
		w.heap.offer(ranked{w.e.Rank(w.p.Cell(m), t), m})
	}
	return w.heap.drain(dst)
}
