// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"iter"
	"math/bits"
	"slices"
)

// In these versions of certificates, pairs of cells may show that a side holds a draw: if the attacker takes one cell of a
// pair, the defender takes the other.
const (
	HoldVersion = 5
	// In lower versions the checker finds all pairs itself. A file of PlanVersion may also name pairs. The defender can break the
	// lines without a pair if the sum of their weights, the potential, is below one half.
	PlanVersion = 6
	// A file of RuleVersion is for a game with the rule Exact or Caro. It proves that each side can break all lines of the other
	// side.
	RuleVersion = 7
)

// ruled reports whether the version and the rule of a claim fit together. It is not called for certificates with zones. A claim
// of a version lower than RuleVersion must have no rule. A claim of FallVersion must have no rule, and its stones must fall. A
// claim of RuleVersion must have the rule Exact or Caro, and
// must claim a draw in a game without falling stones. A side that breaks every line of k cells prevents every row of k or more
// stones of the other side. Therefore it does not matter which of these rows win.
func (c *Claim) ruled() bool {
	switch {
	case c.Version == FallVersion:
		return c.Rule == "" && c.Gravity
	case c.Version < RuleVersion:
		return c.Rule == ""
	}
	return c.Value == "draw" && !c.Gravity && slices.Contains([]string{Exact, Caro}, c.Rule)
}

// lineSet is a set of lines, which are numbered: bit i is set if line i is in the set. A board has at most four lines for each
// cell.
type lineSet [4 * maxCells / 64]uint64

func (s *lineSet) add(i int)      { s[i/64] |= 1 << (i % 64) }
func (s *lineSet) remove(i int)   { s[i/64] &^= 1 << (i % 64) }
func (s *lineSet) has(i int) bool { return s[i/64]>>(i%64)&1 != 0 }

// all yields the numbers of the lines in the set, the lowest first.
func (s *lineSet) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, x := range s {
			for ; x != 0; x &= x - 1 {
				if !yield(64*i + bits.TrailingZeros64(x)) {
					return
				}
			}
		}
	}
}

func (s *lineSet) within(t *lineSet) bool {
	for i, x := range s {
		if x&^t[i] != 0 {
			return false
		}
	}
	return true
}

// held is a checked tree. It contains the lines that were open at the root of the tree, and the zone of the tree: the cells
// that the defender needs to hold the draw.
type held struct {
	open lineSet
	zone set
}

// heldBytes is the maximum memory for a held in a list, including the unused capacity of a list that has just grown.
const heldBytes = 3 * 80

// holder checks that the defender, who does not try to win, breaks every line of the attacker. A line is open as long as it
// contains neither a stone of the defender nor a whole pair. A pair is two cells: if the attacker takes one, the defender takes the
// other. docs/reference/formats/certificate.md states the rule and proves it.
type holder struct {
	board
	numbers [maxCells][]int // by cell: the numbers of the lines through it
	moved   [][]int         // by symmetry and line: the line to which the symmetry maps it
	open    lineSet
	pairs   set // the cells of the pairs
	kept    []held
	// next returns the defender's reply to the attacker's move on c; left contains the attacker's moves that may still need a
	// reply. At the root of a tree (first), next may instead return one of two special numbers:
	//
	//	cells + symmetry      The position is the image, under this symmetry, of a tree that was checked before. more returns
	//	                      the number of trees in kept that come after that tree.
	//	cells + symmetries    A plan: pairs prove the position. more returns the number of pairs, and for each pair its index
	//	                      in the result of the method best for the line that is then the shortest. Only if plans is true.
	next  func(c int, left set, first bool) (int, error)
	more  func() (int, error)
	plans bool
	enter func() error // called for each tree
}

// newHolder returns a holder for a board on which the defender is p.prover.
func newHolder(b *board, p part) *holder {
	h := &holder{board: *b}
	h.part = p
	at := map[set]int{}
	for i, l := range h.lines {
		at[l] = i
		if l.and(h.stones[p.prover]).empty() {
			h.open.add(i)
		}
		for cells := l; !cells.empty(); {
			c := cells.pop()
			h.numbers[c] = append(h.numbers[c], i)
		}
	}
	for _, image := range h.images {
		moved := make([]int, len(h.lines))
		for i, l := range h.lines {
			moved[i] = at[mapped(l, image)]
		}
		h.moved = append(h.moved, moved)
	}
	return h
}

func mapped(s set, image []int) (to set) {
	for !s.empty() {
		to = to.or(one(image[s.pop()]))
	}
	return to
}

// usable returns the free cells that are in no pair.
func (h *holder) usable() set { return h.all.minus(h.stones[0]).minus(h.stones[1]).minus(h.pairs) }

// prove checks the holder's part of the proof, beginning with the position of the claim.
func (h *holder) prove() (err error) {
	if h.prover == 1 {
		_, err = h.tree(set{})
		return err
	}
	h.subsume()
	if h.pairUp(); h.open == (lineSet{}) {
		return nil
	}
	c, err := h.next(-1, set{}, false)
	if err == nil {
		_, err = h.reply(c, set{})
	}
	return err
}

// checkAnswer plays the attacker's stone on c and the defender's stone on r, and checks the position after them.
func (h *holder) checkAnswer(c, r int, hint set) (zone set, err error) {
	stones := h.stones
	h.stones[1-h.prover] = h.stones[1-h.prover].or(one(c))
	zone, err = h.reply(r, hint)
	h.stones = stones
	return zone, err
}

// reply plays the defender's stone on c, and checks the position after it.
func (h *holder) reply(c int, hint set) (zone set, err error) {
	if c >= h.columns*h.rows || !h.live().has(c) {
		return zone, errTaken
	}
	stones, open := h.stones, h.open
	h.stones[h.prover] = h.stones[h.prover].or(one(c))
	for _, i := range h.numbers[c] {
		h.open.remove(i)
	}
	zone, err = h.tree(hint)
	h.stones, h.open = stones, open
	return zone.or(one(c)), err
}

// tree checks a position with the attacker to move, and returns its zone: a set of cells that is enough for the defender to
// hold the position, even if the attacker has stones on all other cells. If there are several zones, it chooses one that avoids
// the cells of hint.
func (h *holder) tree(hint set) (zone set, err error) {
	if err := h.enter(); err != nil {
		return zone, err
	}
	pairs, open := h.pairs, h.open
	h.subsume()
	h.pairUp()
	if !h.paired(hint) {
		zone, err = h.answers()
	}
	zone = zone.or(h.pairs.minus(pairs))
	h.pairs, h.open = pairs, open
	return zone, err
}

// answers checks a reply to each move of the attacker, except the moves outside the zone of an earlier reply, and returns the
// zone of the tree.
func (h *holder) answers() (zone set, err error) {
	left, zone := h.moves()
	order := h.order(left)
	if len(order) == 0 {
		return zone, errRefuted
	}
	for i, c := range order {
		if !left.has(c) {
			continue
		}
		left = left.minus(one(c))
		r, err := h.next(c, left, i == 0)
		if err != nil {
			return zone, err
		}
		switch image := r - h.columns*h.rows; {
		case i == 0 && image >= 0 && image < len(h.images):
			return h.share(image)
		case i == 0 && image == len(h.images) && h.plans:
			return h.plan()
		}
		after, err := h.checkAnswer(c, r, left)
		if err != nil {
			return zone, err
		}
		zone, left = zone.or(after), left.and(after)
	}
	h.kept = append(h.kept, held{h.open, zone})
	return zone, nil
}

// through returns the number of open lines that contain the cell c.
func (h *holder) through(c int) (lines int) {
	for _, i := range h.numbers[c] {
		if h.open.has(i) {
			lines++
		}
	}
	return lines
}

// subsume closes an open line if the usable cells of the line include all usable cells of another open line: a defender who
// breaks the other line also breaks this line. It compares lines whose numbers differ by less than k, such as the lines of one
// row.
func (h *holder) subsume() {
	usable := h.usable()
	for i := range h.open.all() {
		longer := h.lines[i].and(usable)
		for j := max(0, i-h.k+1); j < min(len(h.lines), i+h.k); j++ {
			shorter := h.lines[j].and(usable)
			if j != i && h.open.has(j) && shorter.minus(longer).empty() && (j < i || shorter != longer) {
				h.open.remove(i)
				break
			}
		}
	}
}

// only reports whether the line i is the only open line through the cell c.
func (h *holder) only(i, c int) bool {
	for _, j := range h.numbers[c] {
		if j != i && h.open.has(j) {
			return false
		}
	}
	return true
}

// pairUp looks for open lines with two usable cells that are on no other open line, and makes these two cells a pair. It repeats
// this until it finds none.
func (h *holder) pairUp() {
	for again := true; again; {
		again = false
		for i := range h.open.all() {
			l, alone := h.lines[i], set{}
			for cells := l.and(h.usable()); !cells.empty() && alone.count() < 2; {
				if c := cells.pop(); h.only(i, c) {
					alone = alone.or(one(c))
				}
			}
			if alone.count() == 2 {
				h.pairs, again = h.pairs.or(alone), true
				h.open.remove(i)
			}
		}
	}
}

// paired reports whether disjoint pairs break all open lines, and if so makes these pairs. Lines in the same direction that
// overlap can share a pair whose two cells are on all these lines. paired uses cells of hint only if no other cell is possible.
// CITE: Hales and Jewett, Regularity and Positional Games, 1963.
func (h *holder) paired(hint set) bool {
	usable := h.usable()
	m, room := matching{hint: hint}, usable.count()/2
	m.groups = make([]set, 0, room)
	for i, l := range h.lines {
		switch last := len(m.groups) - 1; {
		case !h.open.has(i):
		case last >= 0 && m.groups[last].and(l).count() > 1:
			m.groups[last] = m.groups[last].and(l)
		case len(m.groups) == room:
			return false
		default:
			m.groups = append(m.groups, l.and(usable))
		}
	}
	for c := range m.owner {
		m.owner[c] = -1
	}
	for i := range 2 * len(m.groups) {
		if m.seen = (set{}); !m.give(i) {
			return false
		}
	}
	for c, i := range m.owner {
		if i >= 0 {
			h.pairs = h.pairs.or(one(c))
		}
	}
	h.open = lineSet{}
	return true
}

// matching gives each group of lines a pair: two cells that are given to no other group.
type matching struct {
	groups []set
	// owner is, by cell, 2g or 2g+1 if the cell is one of the two cells given to group g, otherwise -1.
	owner [maxCells]int
	hint  set
	seen  set
}

// give finds a cell for place i, one of the two places of a group's pair. It may take the cell of another place if that place
// can get a different cell.
func (m *matching) give(i int) bool {
	for _, of := range [2]set{m.groups[i/2].minus(m.hint), m.groups[i/2].and(m.hint)} {
		for rest := of.minus(m.seen); !rest.empty(); rest = rest.minus(m.seen) {
			c := rest.pop()
			m.seen = m.seen.or(one(c))
			if m.owner[c] < 0 || m.give(m.owner[c]) {
				m.owner[c] = i
				return true
			}
		}
	}
	return false
}

// moves returns the usable cells on open lines. It leaves out a cell c if another cell in the result lies on all open lines
// through c. For each c that is left out, better contains one such cell of the result.
func (h *holder) moves() (moves, better set) {
	live := h.live()
	var above [maxCells]set // by cell: the other cells that lie on every open line of the cell
	for cells := live; !cells.empty(); {
		c := cells.pop()
		above[c] = live.minus(one(c))
		for _, i := range h.numbers[c] {
			if h.open.has(i) {
				above[c] = above[c].and(h.lines[i])
			}
		}
		if !h.covered(c, above[c]) {
			moves = moves.or(one(c))
		}
	}
	for cells := live.minus(moves); !cells.empty(); {
		least := above[cells.pop()].and(moves)
		better = better.or(one(least.pop()))
	}
	return moves, better
}

// covered reports whether the set above contains a cell that is on more open lines than c or has a lower number.
func (h *holder) covered(c int, above set) bool {
	for !above.empty() {
		if d := above.pop(); d < c || h.through(d) > h.through(c) {
			return true
		}
	}
	return false
}

// live returns the usable cells on open lines: the cells that are free, in no pair, and on a line that the defender still has
// to break.
func (h *holder) live() (live set) {
	for i := range h.open.all() {
		live = live.or(h.lines[i])
	}
	return live.and(h.usable())
}

// A line with u usable cells has the weight 2^-u. All lines with more usable cells than the constant most have the weight
// 2^-most.
const most = 20

// order sorts cells by the weight of their open lines, the greatest first, then by number.
func (h *holder) order(moves set) (cells []int) {
	usable := h.usable()
	var counts [maxCells]int
	cells = make([]int, 0, moves.count())
	for ; !moves.empty(); cells = append(cells, moves.pop()) {
	}
	for _, c := range cells {
		for _, i := range h.numbers[c] {
			if h.open.has(i) {
				counts[c] += potential(h.lines[i].and(usable).count())
			}
		}
	}
	slices.SortStableFunc(cells, func(a, b int) int { return counts[b] - counts[a] })
	return cells
}

// plan makes the pairs that the file names. The cells of each pair are on the open line that has the fewest usable cells before
// the pair is made. Then plan checks that the potential of the remaining open lines is below one half. The defender then breaks
// the remaining lines: in each turn he takes the cell whose open lines have the greatest total weight.
// CITE: Erdős and Selfridge, On a Combinatorial Game, 1973.
func (h *holder) plan() (zone set, err error) {
	pairs, err := h.more()
	if err != nil {
		return zone, err
	}
	for ; pairs > 0; pairs-- {
		which, err := h.more()
		if err != nil {
			return zone, err
		}
		_, line := h.potential()
		best := h.best(line)
		if which >= len(best) {
			return zone, errRefuted
		}
		h.makePair(best[which])
	}
	if sum, _ := h.potential(); sum >= 1<<(most-1) {
		return zone, errRefuted
	}
	return h.live(), nil
}

// potential returns the sum of the weights of the open lines, in units of 2^-most, and the usable cells of the shortest open
// line (the first one if there are several).
func (h *holder) potential() (sum int, shortest set) {
	usable, least := h.usable(), maxCells+1
	for i := range h.open.all() {
		cells := h.lines[i].and(usable)
		u := cells.count()
		sum += potential(u)
		if u < least {
			least, shortest = u, cells
		}
	}
	return sum, shortest
}

// potential returns the weight of an open line that has u usable cells: 2^-u, in units of 2^-most.
func potential(u int) int { return 1 << (most - min(most, u)) }

// pair is a pair of cells x and y; adds is the change of the potential by making the pair, usually negative.
type pair struct{ x, y, adds int }

// best returns all pairs among cells, sorted by the potential after making the pair, the least first, and then by their cells.
func (h *holder) best(cells set) (best []pair) {
	usable, n := h.usable(), cells.count()
	best = make([]pair, 0, n*(n-1)/2)
	for !cells.empty() {
		x := cells.pop()
		for others := cells; !others.empty(); {
			y := others.pop()
			// After the pair is made, a line through one of its cells weighs twice as much, and a line through both is broken.
			adds := h.counted(x, y, usable, -1) + h.counted(y, x, usable, 0)
			best = append(best, pair{x, y, adds})
		}
	}
	slices.SortStableFunc(best, func(p, q pair) int { return p.adds - q.adds })
	return best
}

// counted returns the total weight of the open lines through x. The weight of a line that also leads through y is multiplied by the
// factor both.
func (h *holder) counted(x, y int, usable set, both int) (sum int) {
	for _, i := range h.numbers[x] {
		switch l := h.lines[i]; {
		case !h.open.has(i):
		case l.has(y):
			sum += both * potential(l.and(usable).count())
		default:
			sum += potential(l.and(usable).count())
		}
	}
	return sum
}

// makePair makes a pair, which breaks the open lines through both cells.
func (h *holder) makePair(p pair) {
	h.pairs = h.pairs.or(one(p.x)).or(one(p.y))
	for _, i := range h.numbers[p.x] {
		if h.lines[i].has(p.y) {
			h.open.remove(i)
		}
	}
}

// share reads the number of a kept tree from the file. If the image of this tree under the symmetry proves the position, share
// returns the zone of the image.
func (h *holder) share(symmetry int) (zone set, err error) {
	back, err := h.more()
	if err != nil {
		return zone, err
	}
	if back >= len(h.kept) {
		return zone, errShare
	}
	zone, fits := h.fits(&h.kept[len(h.kept)-1-back], symmetry)
	if !fits {
		return zone, errShare
	}
	return zone, nil
}

// fits returns the zone of the image of a kept tree t under a symmetry, and reports whether the image proves this position. The
// image proves this position if every line that is open here is open in the image, and if all cells of the zone are usable
// here. Cells that are on no open line are left out of the zone.
func (h *holder) fits(t *held, symmetry int) (zone set, ok bool) {
	var open lineSet
	live := set{}
	for i, to := range h.moved[symmetry] {
		if t.open.has(i) {
			open.add(to)
		}
	}
	for i, l := range h.lines {
		if h.open.has(i) {
			live = live.or(l)
		}
	}
	zone = mapped(t.zone, h.images[symmetry]).and(live)
	return zone, h.open.within(&open) && zone.minus(h.usable()).empty()
}
