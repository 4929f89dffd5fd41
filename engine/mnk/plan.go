// SPDX-License-Identifier: Apache-2.0

package mnk

import "math/bits"

// plan describes how the defender, who answers the attacker's moves, breaks every open line without a search. Disjoint pairs of
// free cells break lines: if the attacker takes one cell of a pair, the defender takes the other. The pairs do not break the
// remaining lines, but the Erdős-Selfridge potential of the remaining lines, computed from the unpaired cells only, is below
// one half. The defender breaks these lines by always taking the unpaired cell that decreases the potential most.
//
//	pair up two cells of the shortest line  ->  lines with both are broken, lines with one of them are shorter  ->  again,
//	until the potential of the other lines is below one half
//
// CITE: Hales and Jewett, Regularity and Positional Games, 1963; Erdős and Selfridge, On a Combinatorial Game, 1973.
type plan struct {
	rests []rest // by number of pairs chosen so far: the rest of the position, without these pairs
	steps int    // number of pairs that the method search may still try
	// Number of open lines that the choice of the method quick leaves with at most one free cell, so that the plan cannot stop
	// them.
	lost int
	zone set // the free cells that the defender needs for the plan
}

// rest is the part of a position outside the pairs.
type rest struct {
	free   set
	blocks []block
}

// choice is a pair of cells and the change of the potential when the pair is made, in units of 2^-far.
type choice struct {
	a, b int
	adds int
}

const (
	// mostLost is the maximum number of lines that the choice of the method quick may fail to stop. If it fails to stop more
	// lines, no other choices of pairs are tried.
	mostLost = 3
	// planSteps is the maximum number of pairs that the method search tries.
	planSteps = 100
	// loses is added to the cost of a pair for each line that has only one free cell left after the pair is chosen: the attacker
	// wins on such a line. It is greater than the sum of all potentials.
	loses = 1 << 20
)

func newPlan(g *geometry) *plan {
	p := &plan{rests: make([]rest, g.cells/2+2)}
	for i := range p.rests {
		p.rests[i].blocks = make([]block, g.blocks)
	}
	return p
}

// planned reports whether the defender has a plan if the attacker is to move and the defender also has stones on the cells in
// taken.
func (b *board) planned(taken set) bool {
	p := b.plan
	b.start(taken)
	if p.lost = b.quick(); p.lost == 0 {
		return true
	}
	if p.lost > mostLost {
		return false
	}
	b.start(taken)
	p.zone, p.steps = set{}, planSteps
	return b.search(0)
}

func (b *board) start(taken set) {
	r := &b.plan.rests[0]
	r.free = b.free().minus(taken)
	copy(r.blocks, b.now.blocks)
	for !taken.empty() {
		c := taken.pop()
		for i := range r.blocks {
			r.blocks[i].live[attacker] &^= b.through[c*b.blocks+i]
		}
	}
	b.plan.zone = set{}
}

// quick repeatedly takes the best pair. It gives up each line that is left with one free cell, and returns the number of these
// lines.
func (b *board) quick() (lost int) {
	r := &b.plan.rests[0]
	for {
		for i := range r.blocks {
			k := &r.blocks[i]
			m := k.lacking(attacker, 0) | k.lacking(attacker, 1)
			lost += bits.OnesCount64(m)
			k.live[attacker] &^= m
		}
		sum, least := b.measure(r)
		if sum < half {
			b.shrink(r)
			return lost
		}
		c := b.best(r, least)
		b.takePair(r, r, c)
		b.plan.zone = b.plan.zone.or(one(c.a)).or(one(c.b))
	}
}

// search tries to extend the first n pairs to a plan. It tries the best pairs first.
func (b *board) search(n int) bool {
	p := b.plan
	r := &p.rests[n]
	sum, least := b.measure(r)
	if least < 2 {
		return false
	}
	if sum < half {
		b.shrink(r)
		return true
	}
	var of [far * (far - 1) / 2]choice
	for _, c := range b.choices(r, least, of[:0]) {
		if p.steps--; p.steps < 0 || c.adds >= loses/2 {
			return false
		}
		b.takePair(r, &p.rests[n+1], c)
		if b.search(n + 1) {
			p.zone = p.zone.or(one(c.a)).or(one(c.b))
			return true
		}
	}
	return false
}

// shrink adds the cells on the open lines of r, whose potential is below one half, to the zone of the plan. Before that it
// makes further pairs as long as the potential stays below one half, since the zone may then need fewer cells.
func (b *board) shrink(r *rest) {
	p := b.plan
	less := &p.rests[len(p.rests)-1]
	for {
		sum, least := b.measure(r)
		if sum == 0 {
			return
		}
		c := b.best(r, least)
		b.takePair(r, less, c)
		if sum, least = b.measure(less); sum >= half || least < 2 {
			break
		}
		p.zone = p.zone.or(one(c.a)).or(one(c.b))
		r.free = less.free
		copy(r.blocks, less.blocks)
	}
	p.zone = p.zone.or(b.open(r))
}

// measure returns the potential of the open lines, and the number of stones that the shortest open line lacks.
func (b *board) measure(r *rest) (sum, least int) {
	least = far + 1
	for i := range r.blocks {
		k := &r.blocks[i]
		for n := min(far, b.k); n >= 0; n-- {
			if m := k.lacking(attacker, n); m != 0 {
				sum += bits.OnesCount64(m) << (far - n)
				least = min(least, n)
			}
		}
	}
	return sum, least
}

// open returns the free cells on open lines.
func (b *board) open(r *rest) (cells set) {
	for i := range r.blocks {
		cells = cells.or(b.cellsOf(i, r.blocks[i].live[attacker]))
	}
	return cells.and(r.free)
}

// choices takes the first open line for which the number of lacking stones is least, and appends the pairs of its free cells.
// The best pairs come first.
func (b *board) choices(r *rest, least int, to []choice) []choice {
	var line set
	for i := range r.blocks {
		if m := r.blocks[i].lacking(attacker, least); m != 0 {
			line = b.lines[i<<6+bits.TrailingZeros64(m)].and(r.free)
			break
		}
	}
	for !line.empty() {
		x := line.pop()
		for others := line; !others.empty(); {
			c := choice{x, others.pop(), 0}
			c.adds = b.adds(r, c)
			to = append(to, c)
			i := len(to) - 1
			for ; i > 0 && to[i-1].adds > c.adds; i-- {
				to[i] = to[i-1]
			}
			to[i] = c
		}
	}
	return to
}

// best returns the first result of choices.
func (b *board) best(r *rest, least int) choice {
	var of [far * (far - 1) / 2]choice
	return b.choices(r, least, of[:0])[0]
}

// adds returns the change of the potential by a pair: the potential of the lines with one of its cells, minus the potential of
// the lines with both cells. For each line that is left with one free cell, the constant loses is added.
func (b *board) adds(r *rest, c choice) (adds int) {
	for i := range r.blocks {
		k, x, y := &r.blocks[i], b.through[c.a*b.blocks+i], b.through[c.b*b.blocks+i]
		both, single := x&y&k.live[attacker], (x^y)&k.live[attacker]
		for n := 2; n <= min(far, b.k); n++ {
			l := k.lack[attacker][n]
			adds += (bits.OnesCount64(single&l) - bits.OnesCount64(both&l)) << (far - n)
		}
		adds += bits.OnesCount64(single&k.lack[attacker][2]) * loses
	}
	return adds
}

// takePair computes the rest that remains of *from when the pair c is taken, and stores it in *to. to and from may be the same.
func (b *board) takePair(from, to *rest, c choice) {
	to.free = from.free.minus(one(c.a)).minus(one(c.b))
	for i := range from.blocks {
		k, l := &from.blocks[i], &to.blocks[i]
		x, y := b.through[c.a*b.blocks+i], b.through[c.b*b.blocks+i]
		l.live[attacker] = k.live[attacker] &^ (x & y)
		shorter, carry := x^y, uint64(0)
		for n := min(far, b.k); n >= 0; n-- {
			was := k.lack[attacker][n]
			moves := was & shorter
			if n == far {
				moves = b.nearer(i, moves&l.live[attacker], to.free)
			}
			l.lack[attacker][n], carry = was&^moves|carry, moves
		}
	}
}

// nearer returns all given lines of block i that have fewer free cells than the constant far.
func (b *board) nearer(i int, lines uint64, free set) (near uint64) {
	for ; lines != 0; lines &= lines - 1 {
		l := bits.TrailingZeros64(lines)
		if b.lines[i<<6+l].and(free).count() < far {
			near |= 1 << l
		}
	}
	return near
}
