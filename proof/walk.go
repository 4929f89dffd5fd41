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

// search is the step that leaves it to the checker to find hero's moves, from here to the end.
const search = 0xff

// walker plays hero's moves against every answer. The moves come from next, in the order in which positions
// are met, so a certificate is nothing but moves, and the one who writes it walks the same way.
type walker struct {
	*board
	part
	next      func(w *walker) (step int, err error) // a cell, or search, for hero, who is to move
	seen      map[[6]uint64]struct{}                // positions with hero to move that are or will be proved
	positions uint64                                // how many needed a step
	bound     int                                   // how many moves of hero a search may try
	left      int                                   // of them, while searching; -1 otherwise
}

// newWalker returns a walker whose searches try up to bound moves.
func newWalker(b *board, p part, bound int, next func(*walker) (int, error)) *walker {
	return &walker{board: b, part: p, next: next, seen: map[[6]uint64]struct{}{}, bound: bound, left: -1}
}

// run walks the whole tree below the position, turn to move.
func (w *walker) run(turn game.Side) error {
	if turn == w.hero {
		return w.heroMoves()
	}
	return w.villainMoves()
}

// errLost is what searches meet all the time, so it is made once.
var errLost = errors.New("a search did not find the moves")

// errorf says where in the walk something is wrong.
func (w *walker) errorf(format string, args ...any) error {
	if w.left >= 0 {
		return errLost
	}
	return fmt.Errorf("position %d: %s", w.positions, fmt.Sprintf(format, args...))
}

// heroMoves checks that hero, to move, reaches his goal.
func (w *walker) heroMoves() error {
	free := w.free()
	if !w.weak && w.winning(w.hero, free) != (set{}) {
		return nil
	}
	forced := w.winning(w.hero.Other(), free)
	if forced.count() > 1 {
		return w.errorf("there are two ways to win against")
	}
	if done, err := w.settled(free, 1); done {
		return err
	}
	if forced != (set{}) {
		free = forced
	}
	if w.left >= 0 {
		return w.searchMoves(free)
	}
	key := w.key()
	if _, ok := w.seen[key]; ok {
		return nil
	}
	w.seen[key] = struct{}{}
	w.positions++
	if forced != (set{}) {
		return w.play(w.hero, forced.pop())
	}
	step, err := w.next(w)
	if err != nil {
		return err
	}
	if step == search {
		return w.find()
	}
	if step >= len(w.through) || !free.has(step) {
		return w.errorf("cell %d cannot be played", step)
	}
	return w.play(w.hero, step)
}

// play makes a move of s and checks what follows.
func (w *walker) play(s game.Side, c int) error {
	w.stones[s].add(c)
	defer w.stones[s].remove(c)
	if s == w.hero {
		return w.villainMoves()
	}
	return w.heroMoves()
}

// find searches hero's moves.
func (w *walker) find() error {
	w.left = w.bound
	err := w.searchMoves(w.free())
	w.left = -1
	if err != nil {
		return w.errorf("%v within %d moves", err, w.bound)
	}
	return nil
}

// searchMoves tries hero's moves one by one.
func (w *walker) searchMoves(free set) error {
	for rest := w.matter(free); rest != (set{}); {
		if w.left == 0 {
			return errLost
		}
		w.left--
		if w.play(w.hero, rest.pop()) == nil {
			return nil
		}
	}
	return errLost
}

// villainMoves checks that hero reaches his goal whatever the villain plays.
func (w *walker) villainMoves() error {
	free := w.free()
	if w.winning(w.hero.Other(), free) != (set{}) {
		return w.errorf("there is a way to win against it at once")
	}
	if done, err := w.settled(free, 2); done {
		return err
	}
	if !w.weak {
		threats := w.winning(w.hero, free)
		if threats.count() > 1 {
			return nil
		}
		if threats != (set{}) {
			free = threats
		}
	}
	for replies := w.matter(free); replies != (set{}); {
		if err := w.play(w.hero.Other(), replies.pop()); err != nil {
			return err
		}
	}
	return nil
}

// settled says whether the goal is reached or missed without another move, that is when no line of the one who
// wants to win can be completed; or, where he is the villain, when what he can complete is too little. Every
// line of his counts 2^-(cells left), and hero takes the cell that is worth most. The sum, below 1/share, which
// is one with hero to move and a half otherwise, then never gets to one. Or there are pairs.
// CITE: Erdős and Selfridge, On a Combinatorial Game, 1973.
func (w *walker) settled(free set, share uint64) (bool, error) {
	const one, least = 1 << 50, 40
	who, sum := w.hero, uint64(0)
	if !w.wins {
		who = who.Other()
	}
	for _, l := range w.lines {
		if w.isOpen(l, who) {
			sum += one >> min(l.left(w.stones[who]), least)
		}
	}
	switch {
	case w.wins && (sum == 0 || free == set{}):
		return true, w.errorf("there is no way to win any more")
	case w.wins:
		return false, nil
	}
	// Pairs are looked for once a turn: with the villain to move.
	return sum == 0 || free == set{} || !w.gravity && (sum < one/share || share == 2 && w.paired(free)), nil
}

// isOpen says whether s can still complete l. In the weak game hero cannot.
func (w *walker) isOpen(l set, s game.Side) bool {
	return !l.meets(w.stones[s.Other()]) && !(w.weak && s == w.hero)
}

// open returns the cells of the lines that s can still complete.
func (w *walker) open(s game.Side) set {
	var cells set
	for _, l := range w.lines {
		if w.isOpen(l, s) {
			cells = cells.or(l)
		}
	}
	return cells
}

// matter returns the cells that are on an open line. A stone elsewhere is a pass, and one stone less never
// helps: what is true after some other move is true after a pass. Where stones fall any of them may matter.
func (w *walker) matter(free set) set {
	if w.gravity {
		return free
	}
	open := w.open(game.First).or(w.open(game.Second))
	return free.and(open)
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
			continue
		}
		groups = append(groups, cells)
	}
	if 2*len(groups) > free.count() {
		return false
	}
	owner := map[int]int{}
	for i := range groups {
		for range 2 {
			if !give(groups, owner, i, &set{}) {
				return false
			}
		}
	}
	return true
}

// give finds group i one more cell, where need be by finding another for the group that has it.
func give(groups []set, owner map[int]int, i int, seen *set) bool {
	for rest := groups[i]; rest != (set{}); {
		c := rest.pop()
		o, given := owner[c]
		if seen.has(c) || given && o == i {
			continue
		}
		seen.add(c)
		if !given || give(groups, owner, o, seen) {
			owner[c] = i
			return true
		}
	}
	return false
}

// key returns the position as far as it matters, and the same for all its mirror images: what stands on no open
// line, if anything, is all one, except where stones fall.
func (w *walker) key() (least [6]uint64) {
	open := [2]set{w.open(game.First), w.open(game.Second)}
	for i, image := range w.images {
		var k [6]uint64
		for c, to := range image {
			kind := 0
			switch alive := w.gravity || open[0].has(c) || open[1].has(c); {
			case !alive:
				kind = 2
			case w.stones[1].has(c):
				kind = 1
			case !w.stones[0].has(c):
				continue
			}
			k[2*kind+to>>6] |= 1 << (to & 63)
		}
		if i == 0 || slices.Compare(k[:], least[:]) < 0 {
			least = k
		}
	}
	return least
}
