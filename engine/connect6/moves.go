// SPDX-License-Identifier: Apache-2.0

package connect6

import "github.com/krow-lab/krow/game"

// pair contains the stones of a turn. If the turn has only one stone, b is noCell.
type pair struct {
	a, b  uint16
	score int32
}

// pack returns the turn in the form in which the table stores it: a in the lowest ten bits, then b.
func (p pair) pack() uint64 { return uint64(p.a) | uint64(p.b)<<10 }

func unpack(d uint64) pair { return pair{a: uint16(d & 1023), b: uint16(d >> 10 & 1023)} }

func (p pair) same(q pair) bool { return p.a == q.a && p.b == q.b || p.a == q.b && p.b == q.a }

const (
	maxCells = 24 // maximum number of cells on which a stone is tried
	maxPairs = 512
)

// pairs is a list of turns without duplicates.
type pairs struct {
	n    int
	list [maxPairs]pair
}

func (l *pairs) add(p pair) {
	for i := range l.n {
		if q := &l.list[i]; q.same(p) {
			q.score = max(q.score, p.score)
			return
		}
	}
	if l.n < maxPairs {
		l.list[l.n] = p
		l.n++
	}
}

// pick moves the pair with the highest score among those from index i on to index i.
func (l *pairs) pick(i int) pair {
	best := i
	for j := i + 1; j < l.n; j++ {
		if l.list[j].score > l.list[best].score {
			best = j
		}
	}
	l.list[i], l.list[best] = l.list[best], l.list[i]
	return l.list[i]
}

// first gives p the highest score, if the list contains it.
func (l *pairs) first(p pair) { l.rate(p, 1<<30) }

// rate gives p a score, if the list contains it.
func (l *pairs) rate(p pair, score int32) {
	for i := range l.n {
		if q := &l.list[i]; q.same(p) {
			q.score = score
			return
		}
	}
}

// wanted contains the best empty cells, the best first.
type wanted struct {
	n    int
	cell [maxCells]uint16
	gain [maxCells]int32
}

// best returns the n empty cells with the greatest gains for the side to move, or the n best of the zone, unless z is nil. The
// gain in the enemy's windows is weighted with one half. Without a zone it returns at least one cell, even if all gains are zero.
func (b *board) best(n int, z *zone) (found wanted) {
	floor := int32(0)
	for _, c := range b.order {
		if b.stones[c] != game.Empty || z != nil && !z.has(c) {
			continue
		}
		v := b.gain(b.turn, c) + b.gain(b.turn.Other(), c)/2
		if v <= floor {
			if found.n == 0 && v == 0 && z == nil {
				found.cell[0], found.n = c, 1 // the first cell with a gain will replace this cell
			}
			continue
		}
		if found.n == 1 && found.gain[0] == 0 {
			found.n = 0
		}
		i := min(found.n, n-1)
		for ; i > 0 && found.gain[i-1] < v; i-- {
			found.cell[i], found.gain[i] = found.cell[i-1], found.gain[i-1]
		}
		found.cell[i], found.gain[i] = c, v
		if found.n = min(found.n+1, n); found.n == n {
			floor = found.gain[n-1]
		}
	}
	return found
}

// quiet adds pairs of the best cells to l.
func (w *worker) quiet(l *pairs, left int) {
	found := w.best(maxCells, nil)
	if left == 1 || found.n == 1 {
		l.singles(&found)
		return
	}
	for i := range found.n {
		for j := range i {
			w.join(l, found.cell[j], found.cell[i], found.gain[j]+found.gain[i])
		}
	}
}

// How meet lists the turns that make a threat.
const (
	threatBonus  = 110 // what is added to their scores, because they often begin a win that the search does not see yet
	besideThreat = 8   // number of cells that are tried for the second stone of a turn whose first stone makes a threat
)

// meet adds to l the turns that may prevent a win by double threats: they have a stone in w.zone, or make a threat. The turns with
// a threat come first, because l may become full. If there are no such turns, meet adds the same pairs as quiet.
func (w *worker) meet(l *pairs, left int) {
	z := &w.zone
	found, others := w.best(maxCells, z), w.best(maxCells, nil)
	if left == 1 {
		l.singles(&found)
	} else {
		spots := w.findSpots()
		w.threatening(l, spots, 1, z)
		for i := range spots {
			for j := range min(others.n, besideThreat) {
				if s, c := &spots[i], others.cell[j]; s.cover > 0 && c != s.cell && !z.has(s.cell) && !z.has(c) {
					l.add(pair{s.cell, c, s.gain + others.gain[j]})
				}
			}
		}
		for i := range l.n {
			l.list[i].score += threatBonus
		}
		for i := range found.n {
			for j := range i {
				w.join(l, found.cell[j], found.cell[i], found.gain[j]+found.gain[i])
			}
		}
		for i := range found.n {
			for j := range others.n {
				if c := others.cell[j]; !z.has(c) {
					w.join(l, found.cell[i], c, found.gain[i]+others.gain[j])
				}
			}
		}
	}
	if l.n == 0 {
		w.quiet(l, left)
	}
}

// singles adds turns of one stone.
func (l *pairs) singles(found *wanted) {
	for i := range found.n {
		l.add(pair{found.cell[i], noCell, found.gain[i]})
	}
}

// join adds the pair of a and c, which have the given gain on their own.
func (b *board) join(l *pairs, a, c uint16, gain int32) {
	if l.n < maxPairs {
		l.list[l.n] = pair{a, c, gain + b.together(a, c)}
		l.n++
	}
}

// lines contains, for two cells less than six apart in a line, 8 times the line plus their distance, by the difference of the
// cells. Otherwise it contains 0.
var lines = func() (t [cells]uint8) {
	for d, step := range steps {
		for k := 1; k < length; k++ {
			t[k*step] = uint8(8*d + k)
		}
	}
	return t
}()

// aligned returns the line and the distance of two cells less than six apart in a line, and the first of both. Otherwise the
// distance is 0.
func aligned(a, c uint16) (line int, first uint16, distance int) {
	n := int(lines[max(a, c)-min(a, c)])
	return n >> 3, min(a, c), n & 7
}

// together returns the value that stones of the side to move on a and c have together, in addition to the values that each has.
func (b *board) together(a, c uint16) (sum int32) {
	line, lo, k := aligned(a, c)
	if k == 0 {
		return 0
	}
	shift := 4 * uint8(b.turn)
	for i := range length - k {
		n := b.counts[starting[lo][line]-uint16(i)]
		switch own, enemy := n>>shift&15, n>>(4-shift)&15; {
		case enemy == 0:
			sum += gain[own+1] - gain[own]
		case own == 0:
			sum -= gain[enemy] / 2
		}
	}
	return sum
}

// finish adds to l the pairs of the cell a and a second cell, which is one of the best cells after a stone on a. In a search for
// double threats it is one of the spots, and the enemy needs two stones to stop the threats of the pair.
func (w *worker) finish(l *pairs, a uint16, score int32, left, width int) {
	if left == 1 || w.empty == 1 {
		l.add(pair{a, noCell, score})
		return
	}
	if width == 0 {
		return
	}
	w.set(a, w.turn)
	if w.bare {
		spots, h := w.findSpots(), w.holes(w.turn)
		doubled := h.cover() > 1
		for i := range spots[:min(len(spots), width)] {
			if s := &spots[i]; doubled || s.n > 0 && w.coverWith(h, s.cell) > 1 {
				l.add(pair{a, s.cell, score + s.gain})
			}
		}
	} else {
		for i, found := 0, w.best(width, nil); i < found.n; i++ {
			l.add(pair{a, found.cell[i], score + found.gain[i]})
		}
	}
	w.lift(a, w.turn)
}

// maxThreats is the maximum number of threats for which a cover is computed. Further threats are ignored. This can only make the
// cover smaller, so a win is never reported wrongly.
const maxThreats = 48

// holes are the empty cells of a side's threats.
type holes struct {
	n   int
	all [maxThreats][2]uint16
}

func (b *board) holes(s game.Side) (h holes) {
	t := &b.threats[s]
	for _, w := range t.all[:min(t.n, maxThreats)] {
		h.all[h.n][0], h.all[h.n][1] = b.gaps(w)
		h.n++
	}
	return h
}

// open returns the index of the first threat that stones on a and b do not stop, or h.n if they stop all.
func (h *holes) open(a, b uint16) int {
	for i := range h.n {
		if t := &h.all[i]; t[0] != a && t[1] != a && t[0] != b && t[1] != b {
			return i
		}
	}
	return h.n
}

// cover returns the least number of stones that stop all threats of the side; 3 means 3 or more.
func (b *board) cover(s game.Side) int {
	h := b.holes(s)
	return h.cover()
}

// coverWith returns the cover of the threats of the side to move after this side has placed one more stone, on c. h contains
// the empty cells of the threats before this stone.
func (b *board) coverWith(h holes, c uint16) int {
	for i := range h.n {
		t := &h.all[i]
		if t[0] == c {
			t[0] = t[1]
		}
		if t[1] == c {
			t[1] = t[0]
		}
	}
	for _, last := range starting[c] {
		for i := range length {
			w := last - uint16(i)
			if b.counts[w] == uint8(hot-1)<<(4*uint8(b.turn)) {
				h.add(b.others(w, c, c))
			}
		}
	}
	return h.cover()
}

// add adds a threat, unless h is full.
func (h *holes) add(t [2]uint16) {
	if h.n < maxThreats {
		h.all[h.n] = t
		h.n++
	}
}

func (h *holes) cover() int {
	if h.n == 0 {
		return 0
	}
	least := 3
	for _, a := range h.all[0] {
		i := h.open(a, a)
		if i == h.n {
			return 1
		}
		for _, c := range h.all[i] {
			if h.open(a, c) == h.n {
				least = 2
			}
		}
	}
	return least
}

// worth returns the sum of the gains of both sides on a cell.
func (b *board) worth(c uint16) int32 { return b.gain(0, c) + b.gain(1, c) }

// covers adds to l the turns that stop all threats of the enemy. It returns false if one stone stops all threats of a turn with two
// stones, because the other stone can then be placed anywhere. The capacity of l may cut the list as well: callers check this.
func (w *worker) covers(l *pairs, left, width int) (all bool) {
	h := w.holes(w.turn.Other())
	all = true
	for k, a := range h.all[0] {
		if k == 1 && a == h.all[0][0] {
			break
		}
		i := h.open(a, a)
		score := w.worth(a)
		switch {
		case i == h.n:
			all = all && left == 1
			w.finish(l, a, score, left, width)
		case left == 2:
			for _, c := range h.all[i] {
				if h.open(a, c) == h.n {
					l.add(pair{a, c, score + w.worth(c)})
				}
			}
		}
	}
	return all
}
