// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"fmt"
	"slices"

	"github.com/krow-lab/krow/game"
)

// part is a half of a proof: hero reaches his goal whatever the other side, the villain, plays.
type part struct {
	hero game.Side
	wins bool // the goal is to win; otherwise not to lose
	weak bool // hero's own lines do not count: he only breaks
}

// walker plays hero's moves against every answer. The moves come from next, in the order in which positions
// are met, so a certificate is nothing but moves, and the one who writes it walks the same way.
type walker struct {
	*board
	part
	next      func(*walker) (cell int, err error) // for hero, who is to move
	seen      map[[6]uint64]struct{}              // positions with hero to move that are or will be proved
	positions uint64                              // how many of them
}

// run walks the whole tree below the position, turn to move.
func (w *walker) run(turn game.Side) error {
	if turn == w.hero {
		return w.heroMoves()
	}
	return w.villainMoves()
}

// whole is what a line counts that is complete; one that lacks n cells counts whole>>n. Where the lines of the
// villain count less than whole with hero to move, or than half of it with the villain to move, hero takes the cell on
// which most of it hangs, and they never get to whole: he breaks them all.
// CITE: Erdős and Selfridge, On a Combinatorial Game, 1973.
const whole = 1 << 50

// view is what a look at every line tells.
type view struct {
	free  set
	wins  [2]set // where a side completes a line at once
	alive set    // the cells of lines that somebody can still complete
	sum   uint64 // what those lines count of whoever wants to win
}

func (w *walker) look() view {
	v := view{free: w.all.minus(w.stones[0]).minus(w.stones[1])}
	for _, l := range w.lines {
		for _, s := range [2]game.Side{game.First, game.Second} {
			if !w.isOpen(l, s) {
				continue
			}
			v.alive = v.alive.or(l)
			lacks := l.minus(w.stones[s])
			if lacks.count() == 1 {
				v.wins[s] = v.wins[s].or(lacks.and(v.free))
			}
			if w.wins == (s == w.hero) {
				v.sum += whole >> min(lacks.count(), 40)
			}
		}
	}
	return v
}

// isOpen says whether s can still complete l. In the weak game hero cannot.
func (w *walker) isOpen(l set, s game.Side) bool {
	return l.and(w.stones[s.Other()]).empty() && !(w.weak && s == w.hero)
}

// errorf says where in the walk something is wrong.
func (w *walker) errorf(format string, args ...any) error {
	return fmt.Errorf("position %d: %s", w.positions, fmt.Sprintf(format, args...))
}

// heroMoves checks that hero, to move, reaches his goal.
func (w *walker) heroMoves() error {
	v := w.look()
	forced := v.wins[w.hero.Other()]
	switch {
	case !v.wins[w.hero].empty(), !w.wins && v.sum < whole:
		return nil
	case forced.count() > 1:
		return w.errorf("there are two ways to win against")
	case v.sum == 0:
		return w.errorf("there is no way to win any more")
	}
	key := w.key(v)
	if _, ok := w.seen[key]; ok {
		return nil
	}
	w.seen[key] = struct{}{}
	w.positions++
	if !forced.empty() {
		return w.play(w.hero, forced.pop())
	}
	cell, err := w.next(w)
	if err != nil {
		return err
	}
	if !v.free.has(cell) {
		return w.errorf("cell %d cannot be played", cell)
	}
	return w.play(w.hero, cell)
}

// villainMoves checks that hero reaches his goal whatever the villain plays that matters: the answer to a threat, or
// the cells that are on an open line. A stone elsewhere is a pass, and one stone less never helps: what is true after
// some other move is true after a pass.
func (w *walker) villainMoves() error {
	v := w.look()
	moves := v.wins[w.hero]
	switch {
	case !v.wins[w.hero.Other()].empty():
		return w.errorf("there is a way to win against it at once")
	case moves.count() > 1, !w.wins && (v.sum < whole/2 || w.paired(v.free)):
		return nil
	case v.sum == 0:
		return w.errorf("there is no way to win any more")
	case moves.empty():
		moves = v.free.and(v.alive)
	}
	for !moves.empty() {
		if err := w.play(w.hero.Other(), moves.pop()); err != nil {
			return err
		}
	}
	return nil
}

// play makes a move of s and checks what follows.
func (w *walker) play(s game.Side, c int) error {
	before := w.stones[s]
	w.stones[s] = before.or(one(c))
	err := w.run(s.Other())
	w.stones[s] = before
	return err
}

// paired says whether all lines open to the villain can be broken by pairs of free cells that have none in common:
// hero answers one cell of a pair with the other. Neighbours of a row share a pair if two free cells are on all of
// them. CITE: Hales and Jewett, Regularity and Positional Games, 1963.
func (w *walker) paired(free set) bool {
	var groups []set // the free cells from which a pair may come
	for _, l := range w.lines {
		if !w.isOpen(l, w.hero.Other()) {
			continue
		}
		cells, last := l.and(free), len(groups)-1
		if last >= 0 && groups[last].and(cells).count() > 1 {
			groups[last] = groups[last].and(cells)
		} else {
			groups = append(groups, cells)
		}
	}
	if 2*len(groups) > free.count() {
		return false
	}
	owner := map[int]int{}
	for i := range 2 * len(groups) {
		if !give(groups, owner, i/2, &set{}) {
			return false
		}
	}
	return true
}

// give finds group i one more cell, where need be by finding another for the group that has it.
func give(groups []set, owner map[int]int, i int, seen *set) bool {
	for rest := groups[i]; !rest.empty(); {
		c := rest.pop()
		o, given := owner[c]
		if seen.has(c) || given && o == i {
			continue
		}
		*seen = seen.or(one(c))
		if !given || give(groups, owner, o, seen) {
			owner[c] = i
			return true
		}
	}
	return false
}

// key returns the position as far as it matters, and the same for all its mirror images: what stands on no open
// line, if anything, is all one.
func (w *walker) key(v view) (least [6]uint64) {
	kinds := [3]set{w.stones[0].and(v.alive), w.stones[1].and(v.alive), w.all.minus(v.alive)}
	for i := range 8 {
		var k [6]uint64
		for j, cells := range kinds {
			moved := set{}
			for !cells.empty() {
				moved = moved.or(one(w.image(cells.pop(), i)))
			}
			k[2*j], k[2*j+1] = moved.lo, moved.hi
		}
		if i == 0 || slices.Compare(k[:], least[:]) < 0 {
			least = k
		}
	}
	return least
}
