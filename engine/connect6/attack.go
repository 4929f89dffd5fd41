// SPDX-License-Identifier: Apache-2.0

package connect6

import "github.com/krow-lab/krow/engine/score"

// attackWidth is the number of cells that the attack tries for each stone of a turn.
const attackWidth = 12

// attack searches for a win of the side to move by double threats. depth is the maximum number of double threats before the
// turn that the enemy cannot stop. left is the number of stones that the side to move has left in its turn. attack returns the
// score of a proved win, or 0 if it finds no win. The win may take fewer plies than the score says.
//
// A double threat can only be stopped by two stones, so the enemy has few answers, and all of them are examined. The turns of
// the attack also stop the threats of the enemy.
func (w *worker) attack(depth, ply, left int) int32 {
	if w.spent(); w.stopped {
		return 0
	}
	me, foe := w.turn, w.turn.Other()
	if n := w.needs(me); n <= left {
		return score.WinIn(ply + n)
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
				return score.WinIn(ply + left + 4)
			case c == 2:
				l.list[n] = p
				n++
			}
		}
		l.n = n
	} else if w.doubleThreats(l, left) {
		return score.WinIn(ply + left + 4)
	}
	if depth == 0 {
		return 0
	}
	l.sort()
	for i := range l.n {
		p := l.list[i]
		w.play(p)
		v := w.defend(depth, ply+left)
		w.undo(p)
		if v > 0 {
			l.list[0] = p
			return v
		}
		if w.stopped || w.allowance <= 0 {
			return 0
		}
	}
	return 0
}

// doubleThreats adds double threats to l. If it finds a turn that the enemy cannot stop, it puts that turn first and returns
// true.
func (w *worker) doubleThreats(l *pairs, left int) bool {
	me := w.turn
	const three = 1 << threeBit
	before := 0
	if left == 1 { // the first stone of the turn may already have made threats
		before = w.cover(me)
	}
	for i, found := 0, w.best(attackWidth, true); i < found.n; i++ {
		a := found.cell[i]
		if left == 1 && before < 2 && w.gains[me][a] < three {
			continue
		}
		w.set(a, me)
		h := w.holes(me)
		c := h.cover()
		if left == 1 || w.empty == 0 {
			w.lift(a, me)
			if c > 2 {
				l.list[0] = pair{a, noCell, 0}
				return true
			}
			if c == 2 {
				l.add(pair{a, noCell, found.gain[i]})
			}
			continue
		}
		for j, next := 0, w.best(attackWidth, true); j < next.n; j++ {
			d := next.cell[j]
			if c < 2 && w.gains[me][d] < three {
				continue
			}
			both := w.coverWith(h, d)
			if both > 2 {
				w.lift(a, me)
				l.list[0] = pair{a, d, 0}
				return true
			}
			if both == 2 {
				l.add(pair{a, d, found.gain[i] + next.gain[j]})
			}
		}
		w.lift(a, me)
	}
	return false
}

// defend returns the score of the attacker's win after a double threat, or 0 if the enemy, who is to move, has a defence. It
// tries every turn with which the enemy stops the threats.
func (w *worker) defend(depth, ply int) int32 {
	if w.allowance <= 0 || w.needs(w.turn) <= 2 {
		return 0
	}
	l := &w.answers[depth]
	l.n = 0
	if all := w.covers(l, 2, 1); !all || l.n == maxPairs || w.threats[w.turn.Other()].n > maxThreats {
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
