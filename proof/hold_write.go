// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"encoding/binary"
	"slices"

	"github.com/krow-lab/krow/game"
)

// holdWriter writes a part of a proof: the part in which the defender breaks every line of the attacker. It writes while the
// holder walks through this part.
type holdWriter struct {
	*holder
	*writer
	// known contains indices of trees in kept. The key is the result of the method least for the tree's open lines, which is
	// equal for symmetric trees.
	known map[lineSet][]int
	noted int   // number of trees in kept that are already in known
	told  []int // the numbers that writeMore will return next
}

// sameLines is the maximum number of kept trees with the same open lines that are tried.
const sameLines = 8

func (w *writer) hold(b *board, p part) error {
	h := &holdWriter{holder: newHolder(b, p), writer: w, known: map[lineSet][]int{}}
	h.enter = func() error { return nil }
	h.next, h.more, h.plans = h.choice, h.writeMore, true
	return h.prove()
}

func (h *holdWriter) put(n int) (int, error) {
	_, err := h.Writer.Write(binary.AppendUvarint(nil, uint64(n)))
	return n, err
}

// writeMore implements holder.more: it writes the next number that a shared tree or plan needs, and returns it.
func (h *holdWriter) writeMore() (int, error) {
	n := h.told[0]
	h.told = h.told[1:]
	return h.put(n)
}

// choice implements holder.next: it chooses a reply, shared tree or plan, writes its number and returns it.
func (h *holdWriter) choice(c int, left set, first bool) (int, error) {
	if first {
		if symmetry := h.shared(); symmetry >= 0 {
			return h.put(h.columns*h.rows + symmetry)
		}
		if p := h.planned(); p != nil {
			slices.Reverse(p.chosen)
			h.told = append([]int{len(p.chosen)}, p.chosen...)
			return h.put(h.columns*h.rows + len(h.images))
		}
	}
	r := h.simple(c, left)
	if r < 0 {
		var err error
		if r, err = h.choose.Move(h.asked(c)); err != nil {
			return 0, err
		}
		// If the solver's cell is on no open line, a stone on it breaks no line. So a cell on an open line is at least as good.
		if live := h.live().minus(one(c)); !live.empty() && !live.has(r) {
			r = h.order(live)[0]
		}
	}
	return h.put(r)
}

// shared looks for a kept tree whose image fits, and returns the number of the symmetry, or -1.
func (h *holdWriter) shared() int {
	for ; h.noted < len(h.kept); h.noted++ {
		key := h.least(&h.kept[h.noted].open)
		if same := h.known[key]; len(same) < sameLines {
			h.known[key] = append(same, h.noted)
		}
	}
	for _, i := range slices.Backward(h.known[h.least(&h.open)]) {
		for s := range h.images {
			if _, fits := h.fits(&h.kept[i], s); fits {
				h.told = []int{len(h.kept) - 1 - i}
				return s
			}
		}
	}
	return -1
}

// patient is the maximum number of pairs that are tried to find a plan.
const patient = 1000

// planned returns a planner that has found a plan, or nil.
func (h *holdWriter) planned() *planner {
	p := &planner{holder: *h.holder, steps: patient}
	if !p.search() {
		return nil
	}
	return p
}

// planner searches for a plan.
type planner struct {
	holder
	steps int // number of pairs that may still be tried
	// chosen contains, for each pair of the plan, its index among the pairs that the method best returned for the shortest line.
	// The last pair comes first.
	chosen []int
}

func (p *planner) search() bool {
	sum, line := p.potential()
	switch {
	case sum < 1<<(most-1):
		p.shrink()
		return true
	case line.count() < 2:
		return false
	}
	open, pairs := p.open, p.pairs
	for i, pair := range p.best(line) {
		if p.steps--; p.steps < 0 {
			break
		}
		p.makePair(pair)
		if p.search() {
			p.chosen = append(p.chosen, i)
			return true
		}
		p.open, p.pairs = open, pairs
	}
	return false
}

// shrink makes more pairs as long as the potential stays below one half. This makes the zone smaller: a pair adds only its two
// cells to the zone, but each line that is left open adds all its usable cells.
func (p *planner) shrink() {
	sum, line := p.potential()
	if sum > 0 {
		open, pairs := p.open, p.pairs
		p.makePair(p.best(line)[0])
		if sum, _ = p.potential(); sum < 1<<(most-1) {
			p.shrink()
			p.chosen = append(p.chosen, 0)
			return
		}
		p.open, p.pairs = open, pairs
	}
}

// tried is the number of replies that are tried before the solver is asked.
const tried = 6

// simple returns a reply to c after which pairs break all lines, or -1. If there are several such replies, it chooses the reply
// after which the fewest cells of left are in pairs, because the attacker's moves on these cells need separate replies.
func (h *holdWriter) simple(c int, left set) int {
	best, least := -1, maxCells+1
	if c < 0 {
		return best
	}
	stones := h.stones
	h.stones[1-h.prover] = h.stones[1-h.prover].or(one(c))
	order := h.order(h.live())
	for _, r := range order[:min(len(order), tried)] {
		before, open, pairs := h.stones, h.open, h.pairs
		h.stones[h.prover] = h.stones[h.prover].or(one(r))
		for _, i := range h.numbers[r] {
			h.open.remove(i)
		}
		h.subsume()
		h.pairUp()
		if h.paired(left) {
			if n := left.and(h.pairs.minus(pairs)).count(); n < least {
				best, least = r, n
			}
		}
		h.stones, h.open, h.pairs = before, open, pairs
	}
	h.stones = stones
	return best
}

// asked returns the position for the solver, after the attacker's move on c unless c is negative. In this position the cells of
// pairs contain stones of the defender: a pair breaks all lines through both of its cells.
func (h *holdWriter) asked(c int) Position {
	p := Position{Cells: make([]game.Stone, h.columns*h.rows), Turn: h.sides[h.prover], Prover: h.sides[h.prover], Weak: true}
	for s := range h.stones {
		for cells := h.stones[s]; !cells.empty(); {
			p.Cells[cells.pop()] = h.sides[s].Stone()
		}
	}
	for pairs := h.pairs; !pairs.empty(); {
		p.Cells[pairs.pop()] = h.sides[h.prover].Stone()
	}
	if c >= 0 {
		p.Cells[c] = h.sides[1-h.prover].Stone()
	}
	return p
}

// least returns the least of the images of lines under all symmetries.
func (h *holdWriter) least(lines *lineSet) (least lineSet) {
	for s, moved := range h.moved {
		var image lineSet
		for i, to := range moved {
			if lines.has(i) {
				image.add(to)
			}
		}
		if s == 0 || slices.Compare(image[:], least[:]) < 0 {
			least = image
		}
	}
	return least
}
