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
	tempos := b.tempos()
	for i, w := range &b.tempo {
		if tempos[i] {
			v += w
		}
	}
	return min(max(v, -maxEval), maxEval)
}

// tempos returns which of the Tempo weights apply.
func (b *board) tempos() (t [numTempos]bool) {
	me, foe := &b.counts[b.turn&1], &b.counts[b.turn&1^1]
	t[toMove] = true
	t[ownThree] = me[makesThree]+me[makesThree2]+me[doubleThree] > 0
	t[ownDoubleThree] = me[doubleThree] > 0
	t[ownFour] = me[makesFour]+me[makesFour2]+me[fourThree] > 0
	t[ownFourThree] = me[fourThree] > 0
	t[enemyThree] = foe[makesThree]+foe[makesThree2]+foe[doubleThree] > 0
	t[enemyDoubleThree] = foe[doubleThree] > 0
	t[enemyFour] = foe[makesFour]+foe[makesFour2]+foe[fourThree] > 0
	t[enemyFourThree] = foe[fourThree] > 0
	t[enemyOpenFour] = foe[openFours] > 0
	return t
}

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

// toScore converts a score of the engine; open says that a win is not proved, and so only an opinion.
func toScore(v int32, proved bool) eval.Score {
	switch {
	case proved && v > mateBound:
		return eval.Win(int(mate - v))
	case proved && v < -mateBound:
		return eval.Loss(int(mate + v))
	}
	return eval.Score(v) * eval.Unit / 100
}
