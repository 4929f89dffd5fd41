// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"errors"
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

// search is the step that leaves it to the checker to find hero's moves from here to the end, where stones fall.
const search = 0xff

// walker plays hero's moves against every answer. The moves come from next, in the order in which positions
// are met, so a certificate is nothing but moves, and the one who writes it walks the same way.
type walker struct {
	*board
	part
	next      func(*walker) (cell int, err error) // for hero, who is to move
	seen      map[[6]uint64]struct{}              // positions with hero to move that are or will be proved
	positions uint64                              // how many of them
	open      [2][]line                           // scratch
	bound     int                                 // positions that need a move of hero and that a search may enter
	left      int                                 // of bound
	searching bool
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

// line is what is left of a line that a side can still complete.
type line struct{ cells, lacks set }

// view is what a look at every line tells.
type view struct {
	free  set
	open  [2][]line // good until the next look
	wins  [2]set    // where a side completes a line at once
	alive set       // the cells of all open lines
	sum   uint64    // what they count for whoever wants to win; where stones fall each of them whole
}

func (w *walker) look() view {
	v := view{free: w.free()}
	if w.falls {
		v.alive = w.all // a stone on a cell of no open line carries others
	}
	for s := range w.stones {
		v.open[s] = w.open[s][:0]
		for _, l := range w.lines {
			if !l.and(w.stones[1-s]).empty() || w.weak && game.Side(s) == w.hero {
				continue
			}
			lacks := l.minus(w.stones[s])
			n := lacks.count()
			if n == 1 {
				v.wins[s] = v.wins[s].or(lacks.and(v.free))
			}
			if w.falls {
				n = 0
			} else {
				v.open[s] = append(v.open[s], line{l, lacks})
				v.alive = v.alive.or(l)
			}
			if w.wins == (game.Side(s) == w.hero) {
				v.sum += whole >> min(n, 40)
			}
		}
		w.open[s] = v.open[s]
	}
	return v
}

// moves returns the free cells that the villain has to try: one that is on all the open lines of another is as good
// as that one. A stone on no open line is a pass, and one stone less never helps.
func (v *view) moves() (moves set) {
	for rest := v.free.and(v.alive); !rest.empty(); {
		c, good := rest.pop(), true
		for better := v.common(c); !better.empty(); {
			b := better.pop()
			good = good && (b == c || b > c && v.common(b).has(c))
		}
		if good {
			moves = moves.or(one(c))
		}
	}
	return moves
}

// common returns the free cells that are on all the open lines through c.
func (v *view) common(c int) set {
	cells := v.free
	for _, l := range slices.Concat(v.open[0], v.open[1]) {
		if l.cells.has(c) {
			cells = cells.and(l.lacks)
		}
	}
	return cells
}

// These errors say why a walk does not come to its end.
var (
	errTwoWays  = errors.New("there are two ways to win against")
	errNoWay    = errors.New("there is no way to win any more")
	errLoses    = errors.New("there is a way to win against it at once")
	errNotFound = errors.New("a search did not find the moves within its bound")
)

// heroMoves checks that hero, to move, reaches his goal.
func (w *walker) heroMoves() error {
	v := w.look()
	forced := v.wins[w.hero.Other()]
	switch {
	case !v.wins[w.hero].empty(), !w.wins && v.sum < whole:
		return nil
	case forced.count() > 1:
		return errTwoWays
	case v.sum == 0:
		return errNoWay
	case w.searching && forced.empty():
		return w.try(v)
	case w.searching:
		return w.play(w.hero, forced.pop())
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
	switch {
	case err != nil:
		return err
	case cell == search && w.falls:
		return w.find(v)
	case !v.free.has(cell):
		return fmt.Errorf("cell %d cannot be played", cell)
	}
	return w.play(w.hero, cell)
}

// find looks for hero's moves from here to the end.
func (w *walker) find(v view) error {
	w.searching, w.left = true, w.bound
	defer func() { w.searching = false }()
	return w.try(v)
}

// try is find within a search.
func (w *walker) try(v view) error {
	if w.left--; w.left < 0 {
		return errNotFound
	}
	for _, column := range w.upright {
		if m := v.free.and(column); !m.empty() && w.play(w.hero, m.pop()) == nil {
			return nil
		}
	}
	return errNotFound
}

// villainMoves checks that hero reaches his goal whatever the villain plays.
func (w *walker) villainMoves() error {
	v := w.look()
	moves := v.wins[w.hero]
	switch {
	case !v.wins[w.hero.Other()].empty():
		return errLoses
	case moves.count() > 1, !w.wins && (v.sum < whole/2 || !w.falls && v.paired(w.hero.Other())):
		return nil
	case v.sum == 0:
		return errNoWay
	case moves.empty() && w.falls:
		moves = v.free
	case moves.empty():
		moves = v.moves()
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

// paired says whether all open lines of s can be broken by pairs of free cells that have none in common: the other
// side answers one cell of a pair with the other. Neighbours of a row share a pair if two free cells are on all of
// them. CITE: Hales and Jewett, Regularity and Positional Games, 1963.
func (v *view) paired(s game.Side) bool {
	var groups []set // the free cells from which a pair may come
	for _, l := range v.open[s] {
		last := len(groups) - 1
		if last >= 0 && groups[last].and(l.lacks).count() > 1 {
			groups[last] = groups[last].and(l.lacks)
		} else {
			groups = append(groups, l.lacks)
		}
	}
	if 2*len(groups) > v.free.count() {
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
// line, if anything, is all one. Falling stones stay on the ground.
func (w *walker) key(v view) (least [6]uint64) {
	kinds := [3]set{w.stones[0].and(v.alive), w.stones[1].and(v.alive), w.all.minus(v.alive)}
	images := 8
	if w.falls {
		images = 2
	}
	for i := range images {
		var k [6]uint64
		for j, cells := range kinds {
			moved := w.moved(cells, i)
			k[2*j], k[2*j+1] = moved.lo, moved.hi
		}
		if i == 0 || slices.Compare(k[:], least[:]) < 0 {
			least = k
		}
	}
	return least
}
