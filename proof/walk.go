// SPDX-License-Identifier: Apache-2.0

package proof

import "slices"

// In games with falling stones the file may contain the constant search in place of a move. It means that the checker must find
// this move and all later moves of the prover itself.
const search = 0xff

// walker plays the prover's moves against every answer of the opponent. It gets these moves from next, in the order in which it
// meets the positions.
type walker struct {
	board
	next func(*walker) (step int, err error) // returns the prover's move, or the constant search
	// enter, if it is not nil, is called at each position in which the prover is to move. An error ends the walk.
	enter func(*walker) error
	// seen contains the positions, with the prover to move, that are proved or whose proof is in progress.
	seen map[[4]uint64]bool
	// bound is the maximum number of positions, with the prover to move, that one search may enter.
	bound int
	left  int // number of positions that the search may still enter; negative outside a search
	// followed contains the positions in which the prover has played by plan, or is nil if he does not follow a plan now.
	followed map[[4]uint64]bool
	plan     *Plan
	trusts   bool // whether the walk ends where a plan begins
}

// playMove plays a stone of side s on cell c, and checks the position after it.
func (w *walker) playMove(s, c int) error {
	before := w.state
	w.put(s, c)
	err := w.walk(1 - s)
	w.state = before
	return err
}

// walk checks that the prover reaches his goal if side turn is to move. If stones do not fall, the prover can prevent every
// line of the opponent by always taking the cell whose open lines have the greatest total weight. This works if the total
// weight of the opponent's open lines is less than the constant whole with the prover to move, or less than half of it with the
// opponent to move.
// CITE: Erdős and Selfridge, On a Combinatorial Game, 1973.
func (w *walker) walk(turn int) error {
	forced := w.gaps[1-turn].and(w.free)
	winner, over := turn, !w.gaps[turn].and(w.free).empty()
	if !over && forced.count() > 1 {
		winner, over = 1-turn, true
	}
	switch {
	case over && winner == w.prover, !w.wins && w.sum[1-w.prover] < whole>>(turn^w.prover):
		return nil
	case over, w.wins && w.sum[w.prover] == 0:
		return errRefuted
	case turn == w.prover:
		return w.proverMoves(forced)
	case !w.wins && !w.falls && w.paired():
		return nil
	case forced.empty():
		forced = w.moves()
	}
	for !forced.empty() {
		if err := w.playMove(turn, forced.pop()); err != nil {
			return err
		}
	}
	return nil
}

// follow makes the prover play by the plan p after his next move.
func (w *walker) follow(p *Plan) { w.plan, w.followed = p, map[[4]uint64]bool{} }

// proverMoves does the work of walk if the prover is to move. If forced is not empty, he must move to one of its cells.
func (w *walker) proverMoves(forced set) error {
	if w.enter != nil {
		if err := w.enter(w); err != nil {
			return err
		}
	}
	if w.left < 0 {
		key, seen := [4]uint64{}, w.followed
		if seen != nil {
			key = w.stones4()
		} else {
			key, seen = w.key(), w.seen
		}
		if seen[key] {
			return nil
		}
		seen[key] = true
	}
	switch {
	case len(w.followed) > maxFollowed:
		return errLong
	case !forced.empty():
		return w.playMove(w.prover, forced.pop())
	case w.left >= 0:
		return w.try()
	case w.followed != nil:
		c, _ := w.plan.move(&w.board)
		return w.playMove(w.prover, c)
	}
	step, err := w.next(w)
	defer func() { w.followed = nil }() // next may have begun a plan
	switch {
	case err != nil:
		return err
	case step == search && w.falls:
		w.left = w.bound
		defer func() { w.left = -1 }()
		return w.try()
	case !w.free.has(step):
		return errTaken
	case w.trusts && w.followed != nil:
		return nil
	}
	return w.playMove(w.prover, step)
}

// try searches for a move with which the prover reaches his goal. It may enter at most w.left positions.
func (w *walker) try() error {
	if w.left == 0 {
		return errRefuted
	}
	w.left--
	for _, column := range w.upright {
		m := w.free.and(column)
		if m.empty() {
			continue
		}
		if err := w.playMove(w.prover, m.pop()); err != errRefuted {
			return err
		}
	}
	return errRefuted
}

// moves returns the free cells that the opponent must try. If stones do not fall, it leaves out each cell that is on no open
// line: a stone there has the effect of a pass, and a pass never helps. It also leaves out a cell if another cell in the result
// lies on all open lines through the cell.
func (w *walker) moves() set {
	moves := w.free
	for c := w.columns*w.rows - 1; c >= 0 && !w.falls; c-- {
		better := moves.minus(one(c))
		for _, l := range w.through[c] {
			if w.open(l, 0) || w.open(l, 1) {
				better = better.and(l)
			}
		}
		if !better.empty() {
			moves = moves.minus(one(c))
		}
	}
	return moves
}

// paired reports whether disjoint pairs of free cells break all open lines of the opponent: if he takes one cell of a pair, the
// prover takes the other. Lines in the same direction that overlap share a pair if two free cells are on all of them.
// CITE: Hales and Jewett, Regularity and Positional Games, 1963.
func (w *walker) paired() bool {
	var groups []set // by group: the free cells from which its pair is chosen
	for _, l := range w.lines {
		switch last := len(groups) - 1; {
		case !w.open(l, 1-w.prover):
		case last >= 0 && groups[last].and(l).count() > 1:
			groups[last] = groups[last].and(l)
		default:
			groups = append(groups, l.and(w.free))
		}
	}
	owner := map[int]int{}
	for i := range 2 * len(groups) {
		if 2*len(groups) > w.free.count() || !give(groups, owner, i, &set{}) {
			return false
		}
	}
	return true
}

// give finds a cell for place i, one of the two places of a group's pair. It may take the cell of another place if that place can
// get a different cell.
func give(groups []set, owner map[int]int, i int, seen *set) bool {
	for rest := groups[i/2].minus(*seen); !rest.empty(); rest = rest.minus(*seen) {
		c := rest.pop()
		*seen = seen.or(one(c))
		if o, given := owner[c]; !given || give(groups, owner, o, seen) {
			owner[c] = i
			return true
		}
	}
	return false
}

// key returns the relevant part of the position, with two bits for each cell. Symmetric positions have the same key. All cells
// that are on no open line are equal in the key, because their stones have no effect. If stones fall, all cells count.
func (w *walker) key() (least [4]uint64) {
	dead := w.all
	for _, l := range w.lines {
		if w.falls || w.open(l, 0) || w.open(l, 1) {
			dead = dead.minus(l)
		}
	}
	for i, to := range w.images {
		var k [4]uint64
		for j, cells := range [3]set{w.stones[0].minus(dead), w.stones[1].minus(dead), dead} {
			for !cells.empty() {
				c := to[cells.pop()]
				k[c/32] |= uint64(j+1) << (c % 32 * 2)
			}
		}
		if i == 0 || slices.Compare(k[:], least[:]) < 0 {
			least = k
		}
	}
	return least
}
