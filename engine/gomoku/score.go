// SPDX-License-Identifier: Apache-2.0

package gomoku

import "github.com/krow-lab/krow/eval"

// A score is in hundredths of a unit, for the side to move. A win that is n plies from the root has the score mate-n.
const (
	infinity  = 32000
	mate      = 31000
	mateBound = 30000 // all scores greater than this are wins
	maxEval   = 20000
)

func winIn(ply int) int32  { return mate - int32(ply) }
func lossIn(ply int) int32 { return int32(ply) - mate }

// evaluate returns the value of the position for the side to move. There must be no immediate win.
func (b *board) evaluate() int32 {
	v := b.static()
	if b.net != nil {
		v = b.net.Value(b.accumulator(), uint8(b.turn&1), b.threatMask(), v)
	}
	return min(max(v, -maxEval), maxEval)
}

// static returns the evaluation without a network.
func (b *board) static() int32 {
	v := b.value
	if b.turn != 0 {
		v = -v
	}
	v += int32(b.threats[b.turn&1][b.threatMask()])
	return min(max(v, -maxEval), maxEval)
}

// The bits of a mask of threats: the classes of moves that the side to move and the enemy can make. ownThree stands for the
// classes from makesThree to doubleThree, and ownFour for the classes from makesFour to fourThree. The same is true of the
// enemy's bits.
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

func (b *board) threatMask() uint32 {
	me, foe := &b.counts[b.turn&1], &b.counts[b.turn&1^1]
	return sideMask(me) | sideMask(foe)*enemyThree | has(foe[openFours])*enemyOpenFour
}

// sideMask returns the mask of the threats of a side. It always uses the bits for the side to move; the caller shifts these
// bits for the enemy.
func sideMask(n *[16]uint16) uint32 {
	return has(n[makesThree]|n[makesThree2]|n[doubleThree])*ownThree | has(n[doubleThree])*ownDoubleThree |
		has(n[makesFour]|n[makesFour2]|n[fourThree])*ownFour | has(n[makesFour2])*ownFour2 |
		has(n[fourThree])*ownFourThree
}

// has returns 1 if n is not 0, and otherwise 0, without a branch.
func has(n uint16) uint32 { return -uint32(n) >> 31 }

// settled returns the score of a position that needs no search, or false if it needs one. There are three cases without a search.
// The side to move can make five, or it cannot stop a five. It can make an open four, and the enemy cannot make five. It can make
// a four and an open three with one stone, and the enemy cannot make a four; this last case does not apply to Black in renju.
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

// decided reports whether the method settled returns a score, or a five must be stopped. The search does not evaluate such
// positions.
func (b *board) decided() bool {
	_, settled := b.settled(0)
	return settled || b.counts[b.turn.Other()][makesFive] > 0
}

// toScore converts a score of the engine to an eval.Score. A win that is not proved becomes an ordinary score of about 310
// units.
func toScore(v int32, proved bool) eval.Score {
	switch {
	case proved && v > mateBound:
		return eval.Win(int(mate - v))
	case proved && v < -mateBound:
		return eval.Loss(int(mate + v))
	}
	return eval.Score(v) * eval.Unit / 100
}

// entry is an entry of the transposition table, stored in the data of package tt:
//
//	bit    0          8      18            34                 50      52
//	       | depth+1  | move | score+2^15  | static+2^15      | bound | on a principal variation
//
// The move is a cell, and static is the static evaluation. Score and static have 16 bits each.
type entry struct {
	score, static int32
	move          uint16
	depth         int
	bound         uint8
	pv            bool
}

// The kinds of bound of an entry's score.
const (
	noBound = iota
	lower
	upper
	exact
)

// noStatic means that the evaluation was not computed.
const noStatic = -1 << 15

func (e *entry) pack() uint64 {
	x := uint64(max(0, min(e.depth, 250))+1) | uint64(e.move)<<8 | uint64(uint16(e.score+1<<15))<<18 |
		uint64(uint16(e.static+1<<15))<<34 | uint64(e.bound)<<50
	if e.pv {
		x |= 1 << 52
	}
	return x
}

func unpack(x uint64) entry {
	return entry{
		score: int32(x>>18&0xffff) - 1<<15, static: int32(x>>34&0xffff) - 1<<15,
		move: uint16(x >> 8 & cellMask), depth: int(x&0xff) - 1, bound: uint8(x >> 50 & 3), pv: x>>52&1 == 1,
	}
}

// probe looks up the position in the table. Two positions may have the same key, so a move to an occupied cell is replaced by
// 0.
func (w *worker) probe(key uint64, ply int) (e entry, ok bool) {
	if !w.o.uses(techTable) {
		return entry{static: noStatic}, false
	}
	x, ok := w.table.Probe(key)
	if !ok {
		return entry{static: noStatic}, false
	}
	e = unpack(x)
	if w.stones[e.move&cellMask] != codeEmpty {
		e.move = 0
	}
	// The table stores the distance of a win from this node, and the search counts the distance from the root.
	switch {
	case e.score > mateBound:
		e.score -= int32(ply)
	case e.score < -mateBound:
		e.score += int32(ply)
	}
	return e, true
}

func (w *worker) keep(key uint64, ply int, e entry) {
	if !w.o.uses(techTable) {
		return
	}
	switch {
	case e.score > mateBound:
		e.score += int32(ply)
	case e.score < -mateBound:
		e.score -= int32(ply)
	}
	w.table.Store(key, e.pack())
}
