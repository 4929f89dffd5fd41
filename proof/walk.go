// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"fmt"

	"github.com/krow-lab/krow/game"
)

// part is a half of a proof: hero reaches his goal whatever the other side, the villain, plays.
type part struct {
	hero game.Side
	wins bool // the goal is to win; otherwise not to lose
	weak bool // hero's own lines do not count: he only breaks
}

// step is what a certificate says of a position with hero to move.
type step struct {
	kind  byte     // a cell, or one of the codes
	pairs [][2]int // of codePairs
}

// The codes of a step that is no cell.
const (
	codePairs = 0xff // hero answers one cell of a pair with the other
	codeFours = 0xfe // hero wins by fours: the checker finds how
	codeWalk  = 0xfd // nothing special, at the root with the villain to move
)

// walker plays hero's moves against every answer. The moves come from next, in the order in which positions
// are met, so a certificate is nothing but moves, and the one who writes it walks the same way.
type walker struct {
	*board
	part
	next      func(w *walker) (step, error) // the step here: hero is to move, unless atRoot
	seen      map[[6]uint64]struct{}
	positions uint64 // different ones with hero to move
	fours     int    // positions that a search for fours may look at
	left      int    // of them
	atRoot    bool   // the villain is to move
}

// errorf returns an error that says where in the walk it was.
func (w *walker) errorf(format string, args ...any) error {
	return fmt.Errorf("position %d: %s", w.positions, fmt.Sprintf(format, args...))
}

// run walks the whole tree below the position, turn to move.
func (w *walker) run(turn game.Side) error {
	if turn == w.hero {
		return w.heroMoves()
	}
	w.atRoot = true
	s, err := w.next(w)
	w.atRoot = false
	if err != nil {
		return err
	}
	switch s.kind {
	case codePairs:
		return w.checkPairs(s.pairs)
	case codeWalk:
		return w.villainMoves()
	}
	return w.errorf("code %d does not begin a proof", s.kind)
}

// heroMoves checks that hero reaches his goal with the move to make.
func (w *walker) heroMoves() error {
	free := w.free()
	if free == (set{}) {
		return w.ended()
	}
	if !w.weak && w.winning(w.hero, free) != (set{}) {
		return nil
	}
	forced := w.winning(w.hero.Other(), free)
	if forced.left(set{}) > 1 {
		return w.errorf("the villain has two ways to win")
	}
	if done, err := w.settled(true); done {
		return err
	}
	key := w.key()
	if _, ok := w.seen[key]; ok {
		return nil
	}
	w.seen[key] = struct{}{}
	w.positions++
	c := 0
	if forced != (set{}) {
		c = forced.pop()
	} else {
		s, err := w.next(w)
		switch {
		case err != nil:
			return err
		case s.kind == codePairs:
			return w.checkPairs(s.pairs)
		case s.kind == codeFours:
			w.left = w.fours
			if !w.wins || !w.winsByFours() {
				return w.errorf("there is no win by fours within %d positions", w.fours)
			}
			return nil
		case int(s.kind) >= len(w.through) || !free.has(int(s.kind)):
			return w.errorf("cell %d cannot be played", s.kind)
		}
		c = int(s.kind)
	}
	w.stones[w.hero].add(c)
	err := w.villainMoves()
	w.stones[w.hero].remove(c)
	return err
}

// ended says what a full board means.
func (w *walker) ended() error {
	if w.wins {
		return w.errorf("the board is full and hero has not won")
	}
	return nil
}

// villainMoves checks that hero reaches his goal whatever the villain plays.
func (w *walker) villainMoves() error {
	free := w.free()
	if free == (set{}) {
		return w.ended()
	}
	villain := w.hero.Other()
	if w.winning(villain, free) != (set{}) {
		return w.errorf("the villain wins at once")
	}
	if !w.weak {
		switch threats := w.winning(w.hero, free); threats.left(set{}) {
		case 0:
		case 1:
			free = threats
		default:
			return nil
		}
	}
	if done, err := w.settled(false); done {
		return err
	}
	for replies := w.matter(free); replies != (set{}); {
		c := replies.pop()
		w.stones[villain].add(c)
		err := w.heroMoves()
		w.stones[villain].remove(c)
		if err != nil {
			return err
		}
	}
	return nil
}

// matter returns the cells that are on an open line. A stone elsewhere is a pass, and whoever wins or holds
// after some stone of the other's does so after a pass of his: one stone less never helps. Where stones fall,
// any of them may matter.
func (w *walker) matter(free set) set {
	if w.gravity {
		return free
	}
	var open set
	for s := range w.stones {
		open = open.or(w.open(game.Side(s)))
	}
	return set{free[0] & open[0], free[1] & open[1]}
}

// open returns the cells of the lines that s can still complete.
func (w *walker) open(s game.Side) set {
	var cells set
	if w.weak && s == w.hero {
		return cells
	}
	for _, l := range w.lines {
		if !l.meets(w.stones[s.Other()]) {
			cells = cells.or(l)
		}
	}
	return cells
}

// settled says whether the goal is out of question: no line of the one who wants to win is open, or, where he
// is the villain, what is open is too little. Every line counts 2^-(cells left); hero takes the cell that is
// worth most, and the sum, below one with him to move or a half otherwise, never gets back to one.
// CITE: Erdős and Selfridge, On a Combinatorial Game, 1973.
func (w *walker) settled(heroToMove bool) (bool, error) {
	who := w.hero
	if !w.wins {
		who = who.Other()
	}
	sum := uint64(0)
	for _, l := range w.lines {
		if !l.meets(w.stones[who.Other()]) {
			sum += 1 << 50 >> min(l.left(w.stones[who]), 40)
		}
	}
	if sum == 0 && w.wins {
		return true, w.errorf("no line is left to win by")
	}
	limit := uint64(1 << 49)
	if heroToMove {
		limit = 1 << 50
	}
	return sum == 0 || !w.wins && !w.gravity && sum < limit, nil
}

// checkPairs checks that every line open to the villain holds both cells of a pair.
// CITE: Hales and Jewett, Regularity and Positional Games, 1963.
func (w *walker) checkPairs(pairs [][2]int) error {
	if w.wins || w.gravity {
		return w.errorf("pairs prove nothing here")
	}
	free := w.free()
	masks := make([]set, len(pairs))
	for i, p := range pairs {
		for _, c := range p {
			if c >= len(w.through) || !free.has(c) {
				return w.errorf("cell %d cannot be in a pair", c)
			}
			free.remove(c)
			masks[i].add(c)
		}
	}
	for _, l := range w.lines {
		ok := l.meets(w.stones[w.hero])
		for _, m := range masks {
			ok = ok || m.left(l) == 0
		}
		if !ok {
			return w.errorf("a line has no pair")
		}
	}
	return nil
}

// winsByFours says whether hero, to move, wins by stones that leave the villain one answer each.
func (w *walker) winsByFours() bool {
	free := w.free()
	if w.winning(w.hero, free) != (set{}) {
		return true
	}
	if forced := w.winning(w.hero.Other(), free); forced != (set{}) {
		free = forced
	}
	for rest := free; rest != (set{}); {
		c := rest.pop()
		if w.left--; w.left < 0 {
			return false
		}
		w.stones[w.hero].add(c)
		ok := w.four()
		w.stones[w.hero].remove(c)
		if ok {
			return true
		}
	}
	return false
}

// four says whether hero wins by fours, having just played one.
func (w *walker) four() bool {
	free, villain := w.free(), w.hero.Other()
	threats := w.winning(w.hero, free)
	if w.winning(villain, free) != (set{}) || threats == (set{}) {
		return false
	}
	if threats.left(set{}) > 1 {
		return true
	}
	c := threats.pop()
	w.stones[villain].add(c)
	ok := w.winsByFours()
	w.stones[villain].remove(c)
	return ok
}

// key returns the position as far as it matters, and the same for all its mirror images: stones and free cells
// on no open line are all one, except where stones fall.
func (w *walker) key() [6]uint64 {
	var open [2]set
	for s := range open {
		open[s] = w.open(game.Side(s))
	}
	least := [6]uint64{^uint64(0)}
	for i, image := range w.images {
		var k [6]uint64
		for c, to := range image {
			at := -1
			switch {
			case !w.gravity && !open[0].has(c) && !open[1].has(c):
				at = 2
			case w.stones[0].has(c) && (w.gravity || open[0].has(c)):
				at = 0
			case w.stones[1].has(c) && (w.gravity || open[1].has(c)):
				at = 1
			case w.stones[0].has(c) || w.stones[1].has(c):
				at = 2
			}
			if at >= 0 {
				k[2*at+to>>6] |= 1 << (to & 63)
			}
		}
		if i == 0 || less(k, least) {
			least = k
		}
	}
	return least
}

func less(a, b [6]uint64) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}
