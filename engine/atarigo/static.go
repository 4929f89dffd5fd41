// SPDX-License-Identifier: Apache-2.0

package atarigo

import (
	"math/bits"

	"github.com/krow-lab/krow/engine/score"
)

// Constants of the evaluation. They were chosen by matches of 300 to 400 games at 5000 nodes a move on 9x9.
const (
	tempo  = 20  // added to the value for the side to move
	danger = 200 // subtracted at a leaf at which the enemy would win by threats after a pass
)

// weak contains the value of a group with one, two, three, or more liberties.
var weak = [classes]int32{-400, -300, -180, -80}

// static returns the value of the position for the side to move.
func (w *worker) static() int32 {
	s := w.turn & 1
	v := w.strength(int(s)) - w.strength(int(s^1)) + w.reach() + tempo
	return min(max(v, -score.Max), score.Max)
}

// strength returns the value of the groups of a side.
func (b *board) strength(side int) int32 {
	v := int32(0)
	for i := range classes {
		for _, heads := range b.heads[side][i][:b.words] {
			v += int32(bits.OnesCount64(heads)) * weak[i]
		}
	}
	return v
}

// reach compares the numbers of empty points that each side reaches first, if both add neighbouring points to their stones.
//
// CITE: Van der Werf, Uiterwijk and van den Herik, Solving Ponnuki-Go on Small Boards, 2002: liberties of higher order.
func (b *board) reach() int32 {
	own, foe := b.stones[b.turn&1], b.stones[b.turn&1^1]
	free := b.empty
	v := int32(0)
	for i := range steps {
		a, z := own, foe
		b.grow(&a)
		b.grow(&z)
		left := uint64(0)
		for j := range b.words {
			mine, his := a[j]&free[j], z[j]&free[j]
			both := mine & his
			v += steps[i] * int32(bits.OnesCount64(mine&^both)-bits.OnesCount64(his&^both))
			own[j] |= mine &^ both
			foe[j] |= his &^ both
			free[j] &^= mine | his
			left |= free[j]
		}
		if left == 0 {
			break
		}
	}
	return v
}

// steps contains the value of an empty point that a side reaches first, by its distance from the stones of the side, minus 1.
var steps = [...]int32{14, 6, 2}

// grow adds all neighbours of its cells to the set. The result may contain cells outside the board.
func (b *board) grow(s *set) {
	below, up := uint64(0), b.stride
	var next set
	for i := range b.words {
		w := s[i]
		above := uint64(0)
		if i+1 < b.words {
			above = s[i+1]
		}
		next[i] = w | w<<1 | below>>63 | w>>1 | above<<63 | w<<up | below>>(64-up) | w>>up | above<<(64-up)
		below = w
	}
	*s = next
}
