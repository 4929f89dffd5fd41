// SPDX-License-Identifier: Apache-2.0

package gomoku

import "github.com/krow-lab/krow/eval"

// A score is in hundredths of a unit, for the side to move. A win in n plies from the root is mate-n.
const (
	infinity  = 32000
	mate      = 31000
	mateBound = 30000 // beyond it, a win
	maxEval   = 20000
)

func winIn(ply int) int32  { return mate - int32(ply) }
func lossIn(ply int) int32 { return int32(ply) - mate }

// evaluate returns what the position is worth to the side to move, who has no win at hand.
func (b *board) evaluate() int32 {
	v := b.value
	if b.turn != 0 {
		v = -v
	}
	v += int32(b.threats[b.turn&1][b.threatMask()])
	return min(max(v, -maxEval), maxEval)
}

// The bits of a mask of threats: what the cells of the sides make, those to move and the enemy's. A three or a four
// may be more than that.
const (
	ownThree = 1 << iota
	ownDoubleThree
	ownFour
	ownFour2
	ownFourThree
	enemyThree
	enemyDoubleThree
	enemyFour
	enemyFour2
	enemyFourThree
	enemyOpenFour

	numThreats = iota
)

// threatMask returns which threats there are.
func (b *board) threatMask() uint32 {
	me, foe := &b.counts[b.turn&1], &b.counts[b.turn&1^1]
	return sideMask(me) | sideMask(foe)*enemyThree | has(foe[openFours])*enemyOpenFour
}

// sideMask returns the threats of a side in the bits of one's own.
func sideMask(n *[16]uint16) uint32 {
	return has(n[makesThree]|n[makesThree2]|n[doubleThree])*ownThree | has(n[doubleThree])*ownDoubleThree |
		has(n[makesFour]|n[makesFour2]|n[fourThree])*ownFour | has(n[makesFour2])*ownFour2 |
		has(n[fourThree])*ownFourThree
}

// has returns 1 for a number that is not 0, without a branch.
func has(n uint16) uint32 { return -uint32(n) >> 31 }

// settled returns the score of a position that needs no search, or false: the side to move makes five, or cannot
// stop one, or makes an open four or a four and an open three against which the enemy has no four.
func (b *board) settled(ply int) (int32, bool) {
	me, foe := &b.counts[b.turn&1], &b.counts[b.turn&1^1]
	switch {
	case me[makesFive] > 0:
		return winIn(ply + 1), true
	case foe[makesFive] > 1 && !b.rule.side[0].blocked:
		return lossIn(ply + 2), true
	case foe[makesFive] > 0:
		return 0, false
	case me[openFours] > 0:
		return winIn(ply + 3), true
	case me[fourThree] > 0 && foe[makesFour]+foe[makesFour2]+foe[fourThree]+foe[openFours] == 0 && !b.rule.side[b.turn&1].renju:
		return winIn(ply + 5), true
	}
	return 0, false
}

// toScore converts a score of the engine. A win or a loss that is not proved is only an opinion, some 310 units high.
func toScore(v int32, proved bool) eval.Score {
	switch {
	case proved && v > mateBound:
		return eval.Win(int(mate - v))
	case proved && v < -mateBound:
		return eval.Loss(int(mate + v))
	}
	return eval.Score(v) * eval.Unit / 100
}
