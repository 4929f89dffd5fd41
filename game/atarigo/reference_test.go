// SPDX-License-Identifier: Apache-2.0

package atarigo_test

import "github.com/krow-lab/krow/game"

// reference plays the same game the obvious way: a board, a flood fill, and every move tried on a copy.
type reference struct {
	size    int
	cells   []game.Stone
	turn    game.Side
	outcome game.Outcome
}

func newReference(size int) *reference {
	return &reference{size: size, cells: make([]game.Stone, size*size)}
}

func (r *reference) clone() *reference {
	q := *r
	q.cells = append([]game.Stone(nil), r.cells...)
	return &q
}

func (r *reference) neighbours(c int) (near []int) {
	column, row := c%r.size, c/r.size
	for _, d := range [][2]int{{0, -1}, {-1, 0}, {1, 0}, {0, 1}} {
		x, y := column+d[0], row+d[1]
		if x >= 0 && x < r.size && y >= 0 && y < r.size {
			near = append(near, x+y*r.size)
		}
	}
	return near
}

// group returns the stones joined to the one at c, and their liberties.
func (r *reference) group(c int) (stones, liberties map[int]bool) {
	stones, liberties = map[int]bool{c: true}, map[int]bool{}
	queue := []int{c}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, n := range r.neighbours(at) {
			switch {
			case r.cells[n] == game.Empty:
				liberties[n] = true
			case r.cells[n] == r.cells[c] && !stones[n]:
				stones[n] = true
				queue = append(queue, n)
			}
		}
	}
	return stones, liberties
}

// place puts a stone of the side to move and lifts what it captures. It says whether that was legal, and
// whether anything was captured.
func (r *reference) place(c int) (legal, captures bool) {
	r.cells[c] = r.turn.Stone()
	for _, n := range r.neighbours(c) {
		if r.cells[n] != r.turn.Other().Stone() {
			continue
		}
		if stones, liberties := r.group(n); len(liberties) == 0 {
			captures = true
			for s := range stones {
				r.cells[s] = game.Empty
			}
		}
	}
	_, liberties := r.group(c)
	return captures || len(liberties) > 0, captures
}

func (r *reference) moves() (moves []game.Move) {
	if r.outcome != game.Ongoing {
		return nil
	}
	for c, stone := range r.cells {
		if stone != game.Empty {
			continue
		}
		if legal, _ := r.clone().place(c); legal {
			moves = append(moves, game.Move(c))
		}
	}
	return moves
}

func (r *reference) play(m game.Move) {
	_, captures := r.place(int(m))
	mover := r.turn
	r.turn = r.turn.Other()
	if captures || len(r.moves()) == 0 {
		r.outcome = game.WinFor(mover)
	}
}

// perft counts as game.Perft does.
func (r *reference) perft(depth int) uint64 {
	if depth == 0 {
		return 1
	}
	n := uint64(0)
	for _, m := range r.moves() {
		q := r.clone()
		q.play(m)
		n += q.perft(depth - 1)
	}
	return n
}
