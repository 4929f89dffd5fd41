// SPDX-License-Identifier: Apache-2.0

package gomoku

import "github.com/krow-lab/krow/game"

// isForbidden says whether the first side may not play on the empty cell c. Most cells are decided by their
// shapes; where two threes meet, the board is played on.
func (b *board) isForbidden(c int) bool {
	k := &b.kinds[0][b.cells[c&cellMask].code&0xffff]
	return k.class == forbidden || k.doubt && b.doubleThree(c)
}

// mayPlay says whether the side to move may play on the empty cell c.
func (b *board) mayPlay(c int) bool {
	return b.turn != game.First || !b.rule.side[0].renju || !b.isForbidden(c)
}

// doubleThree says whether two of the threes that black would make on c are real: each needs a cell on which
// Black may make it a straight four. That cell adjoins the row of the stone on c. CITE: Renju International
// Federation, The International Rules of Renju, 1996, section 9.
//
//	_ X X c _     the stone on c, its row, and the two cells
//	e       e
func (b *board) doubleThree(c int) bool {
	code, turn := b.cells[c&cellMask].code, b.turn
	b.turn = game.First
	b.play(c)
	real := 0
	for d := range 4 {
		if shape(code>>(4*d)&15).open3() && (b.straight(c, d, steps[d]) || b.straight(c, d, -steps[d])) {
			real++
		}
	}
	b.undo()
	b.turn = turn
	return real > 1
}

// straight says whether Black may make a straight four on the first cell beyond the row of c in direction d.
func (b *board) straight(c, d, step int) bool {
	for b.stones[c&cellMask] == codeOwn {
		c += step
	}
	if b.stones[c&cellMask] != codeEmpty {
		return false
	}
	q := &b.cells[c&cellMask]
	return shape(q.code>>(4*d)&15) == openFour && q.class[0] != makesFive && !b.isForbidden(c)
}
