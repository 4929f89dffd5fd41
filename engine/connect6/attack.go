// SPDX-License-Identifier: Apache-2.0

package connect6

import (
	"math/bits"

	"github.com/krow-lab/krow/engine/score"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
)

const (
	attackWidth = 12 // number of cells that the attack tries for each stone if it must also stop threats
	maxSpots    = 48
	maxGaps     = 12 // maximum number of threats of a spot that are counted; more can only make a cover greater
	maxDoubles  = 96 // maximum number of double threats that are tried at a node
	fewSpots    = 20 // these two numbers replace maxSpots and maxDoubles except in Prove
	fewDoubles  = 32
)

// spot is a cell on which a stone of the attacker may make threats.
type spot struct {
	cell  uint16
	gain  int32
	cover int // cover of the threats that a stone on the cell makes
	n     int
	gaps  [maxGaps][2]uint16 // empty cells of these threats
	near  uint64             // the spots that share a window of two or three stones with this spot, as bits
}

// attack searches for a win of the side to move by double threats. depth is the maximum number of double threats before the
// turn that the enemy cannot stop. left is the number of stones that the side to move has left in its turn. attack returns the
// score of a proved win, or 0 if it finds no win. The win may take fewer plies than the score says.
//
// A double threat can only be stopped by two stones, so the enemy has few answers, and defend examines all of them. The turns of
// the attack also stop the threats of the enemy.
func (w *worker) attack(depth, ply, left int) int32 {
	if w.spent(); w.stopped {
		return 0
	}
	me, foe := w.turn, w.turn.Other()
	if n := w.needs(me); n <= left {
		return score.WinIn(ply + n)
	}
	key, at := uint64(0), 0
	if left == 2 {
		key = w.key ^ uint64(w.turn)
		if depth > w.exactTo {
			key += uint64(depth-w.exactTo) * rng.Golden
		}
		key = rng.Spread(key) &^ 15
		at = int(key >> (64 - failedBits))
		if f := w.failed[at]; f&^15 == key && int(f&15) >= depth {
			return 0
		}
	}
	l := &w.attacks[depth]
	l.n = 0
	if w.threats[foe].n > 0 {
		w.covers(l, left, attackWidth)
		n := 0
		for i := range l.n {
			p := l.list[i]
			switch c := w.coverAfter(p); {
			case c > 2:
				l.list[0] = p
				w.mark(p)
				return score.WinIn(ply + left + 4)
			case c == 2:
				l.list[n] = p
				n++
			}
		}
		l.n = n
	} else if w.doubleThreats(l, left) {
		w.mark(l.list[0])
		return score.WinIn(ply + left + 4)
	}
	if depth > 0 {
		l.first(w.winners[w.deepest-depth])
		for i := range min(l.n, w.few(fewDoubles, maxDoubles)) {
			p := l.pick(i)
			w.play(p)
			v := w.defend(depth, ply+left)
			w.undo(p)
			if v > 0 {
				w.winners[w.deepest-depth] = p
				l.list[0] = p
				w.mark(p)
				return v
			}
			if w.stopped || w.allowance <= 0 {
				return 0
			}
		}
	}
	if left == 2 {
		w.failed[at] = key | uint64(depth)
	}
	return 0
}

// few returns the limit n, or most in Prove.
func (w *worker) few(n, most int) int {
	if w.proving {
		return most
	}
	return n
}

// zone is a set of cells.
type zone [(cellMask + 1) / 64]uint64

func (z *zone) add(c uint16)      { z[c>>6&15] |= 1 << (c & 63) }
func (z *zone) has(c uint16) bool { return z[c>>6&15]>>(c&63)&1 > 0 }

// mark adds to w.zone the cells of the turn p of the side to move, and the cells on which a stone stops a threat after p.
func (w *worker) mark(p pair) {
	w.zone.add(p.a)
	if p.b != noCell {
		w.zone.add(p.b)
	}
	w.play(p)
	h := w.holes(w.turn.Other())
	for _, t := range h.all[:h.n] {
		w.zone.add(t[0])
		w.zone.add(t[1])
	}
	w.undo(p)
}

// menaced reports whether the enemy would win by double threats if the side to move passed. If so, a turn that prevents this
// win has a stone in w.zone, or makes threats.
func (w *worker) menaced(nodes, depth, ply int) bool {
	w.turn = w.turn.Other()
	v := w.attackWithin(nodes, depth, ply, 2)
	w.turn = w.turn.Other()
	return v > 0
}

// findSpots lists the empty cells in windows with two or three stones of the side to move and none of the enemy, the cells with
// the greatest gains in these windows first.
func (w *worker) findSpots() []spot {
	shift, t := 4*uint8(w.turn), &w.built[w.turn&1]
	touched := 0
	for i, window := range t.all[:t.n] {
		g, all := gain[w.counts[window]>>shift&15], &w.around[i]
		e, start, step := w.empties(window)
		for k := 0; e > 0; k, e = k+1, e&(e-1) {
			c := next(e, start, step)
			all[k&3] = c
			if w.gathered[c] == 0 {
				w.touched[touched] = c
				touched++
			}
			w.gathered[c] += g
		}
	}
	n, floor, most := 0, int32(0), w.few(fewSpots, maxSpots)
	for _, c := range w.touched[:touched] {
		v := w.gathered[c]
		w.gathered[c] = 0
		if v <= floor {
			continue
		}
		i := min(n, most-1)
		for ; i > 0 && w.found[i-1].gain < v; i-- {
			w.found[i] = w.found[i-1]
		}
		w.found[i] = found{c, v}
		if n = min(n+1, most); n == most {
			floor = w.found[n-1].gain
		}
	}
	for i, f := range w.found[:n] {
		s := &w.spots[i]
		s.cell, s.gain, s.n, s.cover, s.near = f.cell, f.gain, 0, 0, 0
		w.number[f.cell] = uint8(i + 1)
	}
	for i, window := range t.all[:t.n] {
		e, spots := &w.around[i], uint64(0)
		three := w.counts[window]>>shift == hot-1
		if three {
			e[3] = e[2] // the window has only three empty cells
		}
		for _, c := range e {
			spots |= 1 << w.number[c]
		}
		for k, c := range e {
			i := w.number[c]
			if i == 0 || three && k == 3 {
				continue
			}
			s := &w.spots[i-1]
			s.near |= spots >> 1
			if three && s.n < maxGaps {
				s.gaps[s.n] = [2]uint16{e[(k+1)%3], e[(k+2)%3]}
				s.n++
			}
		}
	}
	for i := range w.spots[:n] {
		s := &w.spots[i]
		w.number[s.cell] = 0
		if s.n > 0 {
			w.h.n = 0
			w.h.fill(s, noCell)
			s.cover = w.h.cover()
		}
	}
	return w.spots[:n]
}

// others returns the empty cells of a window of four stones if stones are placed on a and c, of which one may be elsewhere.
func (b *board) others(window, a, c uint16) (t [2]uint16) {
	e, start, step := b.empties(window)
	for n := 0; e > 0; e &= e - 1 {
		if at := next(e, start, step); at != a && at != c {
			t[n&1] = at
			n++
		}
	}
	return t
}

// fill adds the threats that a stone on the spot makes, when the turn's other stone is on the cell other.
func (h *holes) fill(s *spot, other uint16) {
	for _, t := range s.gaps[:s.n] {
		switch other {
		case t[0]:
			t[0] = t[1]
		case t[1]:
			t[1] = t[0]
		}
		h.add(t)
	}
}

// doubleThreats adds double threats to l. If it finds a turn that the enemy cannot stop, it puts that turn first and returns
// true.
func (w *worker) doubleThreats(l *pairs, left int) bool {
	spots := w.findSpots()
	if left == 1 || w.empty == 1 {
		h := w.holes(w.turn) // the first stone of the turn may already have made threats
		for i := range spots {
			p := pair{spots[i].cell, noCell, spots[i].gain}
			switch c := w.coverWith(h, p.a); {
			case c > 2:
				l.list[0] = p
				return true
			case c == 2:
				l.add(p)
			}
		}
		return false
	}
	return w.threatening(l, spots, 2, nil)
}

// threatening adds to l the pairs of spots after which the enemy needs at least the given number of stones to stop all threats.
// Pairs with a stone in the zone z are left out, unless z is nil. If z is nil and the enemy cannot stop the threats of a pair with
// two stones, it puts the pair first and returns true.
func (w *worker) threatening(l *pairs, spots []spot, least int, z *zone) bool {
	two := uint8(hot-2) << (4 * uint8(w.turn))
	some, strong := uint64(0), uint64(0) // the spots before i that make a threat, and those whose threats have the cover
	for i := range spots {
		a := &spots[i]
		others := a.near | strong
		if a.cover >= least {
			others = 1<<i - 1
			strong |= 1 << i
		}
		if a.n > 0 {
			others |= some
			some |= 1 << i
		}
		for others &= 1<<i - 1; others > 0; others &= others - 1 {
			d := &spots[bits.TrailingZeros64(others)]
			if z != nil && (z.has(a.cell) || z.has(d.cell)) {
				continue
			}
			w.h.n = 0
			w.h.fill(a, d.cell)
			w.h.fill(d, a.cell)
			if line, lo, k := aligned(a.cell, d.cell); k > 0 {
				w.both(two, line, lo, k, a.cell, d.cell)
			}
			switch c := w.h.cover(); {
			case c > 2 && z == nil:
				l.list[0] = pair{d.cell, a.cell, 0}
				return true
			case c >= least && l.n < maxPairs:
				l.list[l.n] = pair{d.cell, a.cell, a.gain + d.gain}
				l.n++
			}
		}
	}
	return false
}

// both adds to w.h the threats that stones on a and c make together, in windows with the given count.
func (w *worker) both(count uint8, line int, lo uint16, k int, a, c uint16) {
	last := starting[lo][line]
	for i := range length - k {
		window := last - uint16(i)
		if w.counts[window] != count {
			continue
		}
		w.h.add(w.others(window, a, c))
	}
}

// defend returns the score of the attacker's win after a double threat, or 0 if the enemy, who is to move, may have a defence.
//
// It first lets the enemy place stones on all cells that stop a threat. If the attacker wins even so, it wins after each of the
// enemy's turns. Otherwise, if depth is greater than w.exactTo, it tries every turn with
// which the enemy stops the threats.
func (w *worker) defend(depth, ply int) int32 {
	me, foe := w.turn, w.turn.Other()
	if w.allowance <= 0 || w.needs(me) <= 2 || w.threats[foe].n > maxThreats {
		return 0
	}
	h := &w.holesAt[depth]
	*h = w.holes(foe)
	n := 0
	for _, t := range h.all[:h.n] {
		for _, c := range t {
			if w.stones[c] == game.Empty {
				w.set(c, me)
				w.placed[depth][n] = c
				n++
			}
		}
	}
	v := int32(0)
	if w.needs(me) > 0 { // the many stones of the enemy have not completed six
		w.turn = foe
		v = w.attack(depth-1, ply+2, 2)
		w.turn = me
	}
	for i := n - 1; i >= 0; i-- {
		w.lift(w.placed[depth][i], me)
	}
	if v > 0 || depth <= w.exactTo || w.stopped {
		return v
	}
	l := &w.answers[depth]
	l.n = 0
	if all := w.covers(l, 2, 0); !all || l.n == maxPairs {
		return 0
	}
	slowest := score.WinIn(ply + 4)
	for i := range l.n {
		p := l.list[i]
		w.play(p)
		v := w.attack(depth-1, ply+2, 2)
		w.undo(p)
		if v == 0 {
			return 0
		}
		slowest = min(slowest, v)
	}
	return slowest
}
