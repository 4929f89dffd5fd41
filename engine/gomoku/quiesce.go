// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"math/bits"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
)

// mostFours is the maximum length of a sequence of fours. The stone that makes a four must be in line with the stone of the
// previous four, at most nextReach cells away. So after the first four the search tries fewer fours: laterFours is a part of the
// keys in noVCF of these positions.
const (
	mostFours  = 24
	nextReach  = 4
	laterFours = 0xa0761d6478bd642f
)

// quiesce returns the score of a leaf: a win if the side to move can win with fours only, and otherwise the static evaluation.
// Such a win is certain, because each four can be answered by only one move.
func (w *worker) quiesce(alpha, beta int32, ply int) int32 {
	w.pv[ply][0] = 0
	if w.visit() || w.empty == 0 {
		return 0
	}
	if v, ok := w.settled(ply); ok {
		return v
	}
	if ply >= maxPly {
		return w.evaluate()
	}
	me, foe := w.turn, w.turn.Other()
	if w.counts[foe][makesFive] > 0 {
		return w.answerFour(alpha, beta, 0, ply, false)
	}
	static := w.evaluate()
	if counts := &w.counts[me]; static >= beta || counts[makesFour]+counts[makesFour2]+counts[fourThree] == 0 {
		return static
	}
	if plies := w.fourByFour(ply, 0); plies > 0 {
		return winIn(ply + plies)
	}
	return static
}

// fourByFour returns the number of plies in which the side to move wins by fours, or 0 if it does not. The position must be one
// for which the method settled returns no score. deep is the number of fours made so far.
func (w *worker) fourByFour(ply, deep int) int {
	key := w.hash()
	if deep > 0 {
		key ^= laterFours
	}
	failed := keySet(w.noVCF[:])
	if failed.has(key) || deep >= mostFours || ply+2 >= maxPly {
		return 0
	}
	list := &w.lists[ply]
	n := w.fours(list)
	for i := range n {
		c := int(list.pick(i, n).cell)
		if deep > 0 && !inReach(c, w.last(2), nextReach) || !w.mayPlay(c) || w.cannotWin(c, list[:n], failed, laterFours, true) {
			continue
		}
		if w.visit() {
			return 0
		}
		w.playStone(c)
		plies := w.afterFour(ply+1, deep+1)
		w.undo()
		if plies > 0 {
			w.setPV(ply, uint16(c))
			return plies + 1
		}
	}
	if !w.stop.Load() {
		failed.add(key)
	}
	return 0
}

// keySet is a set of keys of positions. It has a fixed number of places, a power of two, so a new key may displace an old one.
type keySet []uint64

func (s keySet) has(key uint64) bool { return s[key&uint64(len(s)-1)] == key }

func (s keySet) add(key uint64) { s[key&uint64(len(s)-1)] = key }

// cannotWin reports whether the four that the side to move makes on c is not the beginning of a win by fours. It places no
// stones, so it is much faster than a search of the four. If it returns false, the four must be searched. fours are all cells on
// which the side to move makes a four. failed contains the keys of positions without a win by fours; a key is the hash of the
// position changed by salt. near means that the stone of the next four must be in line with c, as in fourByFour.
//
// The enemy answers on the cell r on which the row would become a five. The four does not win if failed contains the position
// after this answer. It also does not win if this side can make no four after the answer, and the answer is not a four.
// That is true if
//   - no other stone makes a four yet, except on r or, if near is set, at a distance from c,
//   - no stone makes a four and a three yet, and r is no four of the enemy, and
//   - c makes no three, and no longer row, in its other lines, and in the line of the four none that r does not stop.
//
// In renju, Black must be allowed to answer on r, and must have no forbidden cell if White answers: the answer might make it allowed.
func (w *worker) cannotWin(c int, fours []scored, failed keySet, salt uint64, near bool) bool {
	me, foe := w.turn&1, w.turn&1^1
	q := &w.cells[c&cellMask]
	if q.class[me] > fourThree {
		return false
	}
	code, longest, r := q.code>>(16*uint(me)), dead, 0
	for d, step := range &steps {
		made := shape(code >> (4 * d) & 15)
		if made != four {
			longest = max(longest, made)
			continue
		}
		line, at := lineOf(d, c)
		key := w.keyAt(w.lines[d][line], at)
		for i := range 2 * w.reach {
			switch {
			case key>>(2*i)&3 != codeEmpty || w.made(key|uint32(me+1)<<(2*i), me) != five:
				continue
			case r != 0:
				return false
			}
			r = w.keyCell(c, i, step)
			longest = max(longest, w.made(key|uint32(foe+1)<<(2*i), me))
		}
	}
	if r == 0 {
		return false
	}
	answer := w.kindOf(foe, r)
	if answer.class == forbidden || answer.maybeForbidden {
		return false
	}
	after := w.key ^ stoneKey(me, c) ^ stoneKey(foe, r) ^ uint64(me)*rng.Golden ^ salt
	if failed.has(after) {
		return true
	}
	if longest >= three || answer.class >= makesFour || w.counts[me][fourThree]+w.counts[me][forbidden] > 0 {
		return false
	}
	for _, m := range fours {
		if o := int(m.cell); o != c && o != r && (!near || inReach(c, o, maxReach)) {
			return false
		}
	}
	return true
}

// afterFour is called if the side to move must answer a four. It returns the number of plies in which this side loses to
// further fours, or 0 if it does not lose.
func (w *worker) afterFour(ply, deep int) int {
	me, foe := w.turn, w.turn.Other()
	w.pv[ply][0] = 0
	if w.counts[me][makesFive] > 0 {
		return 0
	}
	list, longest := &w.lists[ply], 2
	n := w.blocks(list)
	for i := range n {
		w.playStone(int(list[i].cell))
		plies := w.nextFour(ply+1, deep, foe)
		w.undo()
		if plies == 0 {
			return 0
		}
		longest = max(longest, plies+1)
		w.setPV(ply, list[i].cell)
	}
	return longest
}

// nextFour continues fourByFour for the side to move, me, after the opponent has answered a four of this side. The answer may
// make a four itself.
func (w *worker) nextFour(ply, deep int, me game.Side) int {
	w.pv[ply][0] = 0
	if v, ok := w.settled(ply); ok {
		if v < 0 {
			return 0
		}
		return int(mate-v) - ply
	}
	if w.counts[me.Other()][makesFive] == 0 {
		return w.fourByFour(ply, deep)
	}
	// The opponent's answer has made a four. The stone that stops this four must also make a four.
	list := &w.lists[ply]
	if n := w.blocks(list); n == 0 {
		return 0
	}
	c := int(list[0].cell)
	if w.cells[c&cellMask].class[me&1] < makesFour || w.visit() {
		return 0
	}
	w.playStone(c)
	plies := w.afterFour(ply+1, deep+1)
	w.undo()
	if plies > 0 {
		w.setPV(ply, uint16(c))
		plies++
	}
	return plies
}

// inReach reports whether two cells are on one line and at most reach cells apart.
func inReach(a, b, reach int) bool {
	dx, dy := a%stride-b%stride, a/stride-b/stride
	return max(dx, -dx, dy, -dy) <= reach && (dx == 0 || dy == 0 || dx == dy || dx == -dy)
}

// exactDefences fills l with the moves that can stop an enemy who can make a move of class openFours. These are the stones
// after which the enemy can make no move of this class, and the fours of the side to move. If there is no such stone or four,
// l contains the first cell on which the enemy can make a move of this class. Against Black in renju a stone in l may not be
// enough, because the stone may make a cell allowed that was forbidden for Black.
//
// Every other stone loses, because some cell o keeps its class. The reason is this: The class of o depends only on the four
// lines through o. The stone is on at most one of these lines, and the method stopping has found that o keeps its class with
// this stone. A line in which the enemy makes no four contributes nothing to the class. A stone of the other side gives the
// enemy no four and no longer row. The stone also gives the enemy no open three in a line in which he makes no four. Therefore
// o does not become forbidden, and the enemy plays on o. Then the other side has no five, since its stone made no four, and it
// cannot stop both fives of the enemy with one stone.
//
// This argument is not valid in caro, where a stone at the end of a row can prevent the row from winning.
func (b *board) exactDefences(l *moveList) int {
	stops, first := b.stoppers(b.turn.Other(), openFours)
	fours := b.making(b.turn, makesFour)
	stops.join(&fours)
	if n := b.list(l, &stops); n > 0 {
		return n
	}
	l[0] = scored{0, uint16(first)}
	return 1
}

// stoppers considers all cells on which a stone of s would make the class threat. It returns the cells on which one stone of
// the enemy of s is enough: after this stone, a stone of s makes only lower classes on all considered cells. first is the first
// of the considered cells.
func (b *board) stoppers(s game.Side, threat class) (all zone, first int) {
	all.fill()
	for y := margin; y < margin+b.rule.rows; y++ {
		for row := b.hot[s&1][y] & b.free[y]; row != 0; row &= row - 1 {
			o := y*stride + bits.TrailingZeros32(row)
			if b.cells[o&cellMask].class[s&1] != threat {
				continue
			}
			if first == 0 {
				first = o
			}
			z := b.stopping(s, o, threat)
			for i := range all {
				all[i] &= z[i]
			}
		}
	}
	return all, first
}

// stopping returns the cells on which a stone of the enemy of s removes the threat on o: after this stone, s cannot play on o,
// or a stone of s on o makes only a class below threat.
//
//	. . X X o X . .     the key of o, with an enemy stone put on each empty cell in turn
func (b *board) stopping(s game.Side, o int, threat class) (z zone) {
	z.add(o)
	code := b.cells[o&cellMask].code >> (16 * uint(s&1)) & 0xffff
	for d, step := range &steps {
		if shape(code>>(4*d)&15) < four {
			continue
		}
		line, at := lineOf(d, o)
		key := b.keyAt(b.lines[d][line], at)
		for i := range 2 * b.reach {
			if key>>(2*i)&3 != codeEmpty {
				continue
			}
			made := uint32(b.made(key|uint32(s.Other()+1)<<(2*i), s))
			if b.kinds[s&1][patterns[code&^(15<<(4*d))|made<<(4*d)]].class < threat {
				z.add(b.keyCell(o, i, step))
			}
		}
	}
	return z
}

// lineDefences is like exactDefences, but lists more moves, and is also valid in caro. l contains the fours of the side to move.
// For the first cell o on which the enemy makes openFours, l also contains all empty cells within reach of o on the lines in
// which a stone of the enemy on o makes a four. In caro these moves are enough: if a row lacks two stones, its two ends are
// within reach of each of its two empty cells. It is sufficient to consider one cell o and its whole lines, by the argument of
// exactDefences.
//
// The defence against a move of the class fourThree is not limited to such a list, although this move often wins: a stone that
// the defender places first may later be part of a four, together with the stone that stops the enemy's four. In addition, if
// Black in renju makes the move of class fourThree, one of his next moves may be forbidden.
func (b *board) lineDefences(l *moveList) int {
	foe := b.turn.Other()
	o := b.find(foe, openFours)
	z := b.making(b.turn, makesFour)
	z.add(o)
	code := b.cells[o&cellMask].code >> (16 * uint(foe)) & 0xffff
	for d, step := range &steps {
		if shape(code>>(4*d)&15) < four {
			continue
		}
		for i := -b.reach; i <= b.reach; i++ {
			z.add((o + i*step) & cellMask)
		}
	}
	return b.list(l, &z)
}
