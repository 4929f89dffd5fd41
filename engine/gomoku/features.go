// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"github.com/krow-lab/krow/engine/gomoku/network"
	"github.com/krow-lab/krow/game"
)

// Features shows what the engine sees in a position, to packages that learn its [Weights]. A parameter is named by its
// place in the two rows: NumWeights*side + place. It belongs to one goroutine.
type Features struct {
	*board
	list moveList
}

// NewFeatures returns the features of g, or an error in one line that says why the engine does not play it.
func NewFeatures(g game.Game) (*Features, error) {
	r, err := newRule(g)
	if err != nil {
		return nil, err
	}
	return &Features{board: newBoard(&r, nil)}, nil
}

// Load sets up the position that the other methods speak of.
func (f *Features) Load(p game.Position) { f.load(p.(game.Board), p) }

// Moves appends the moves that the search would look at, the best looking first. Forbidden ones are not among them.
func (f *Features) Moves(dst []game.Move) []game.Move {
	n := f.generate(&f.list)
	for i := range n {
		if c := int(f.list.pick(i, n).cell); f.mayPlay(c) {
			dst = append(dst, f.move(c))
		}
	}
	return dst
}

// Evaluated says whether the search may ask for the evaluation: no win is at hand, and no five must be stopped.
func (f *Features) Evaluated() bool {
	_, settled := f.settled(0)
	return !settled && f.counts[f.turn.Other()][makesFive] == 0
}

// Value returns the evaluation for the side to move, in hundredths of a unit.
func (f *Features) Value() int { return int(f.evaluate()) }

// Evaluation calls add for each parameter of the evaluation, maybe several times, with how often it counts for the side
// to move.
func (f *Features) Evaluation(add func(param, n int)) {
	f.each(func(c int) {
		if f.stones[c] != codeEmpty {
			return
		}
		for side, code := range [2]uint32{f.cells[c].code & 0xffff, f.cells[c].code >> 16} {
			n := 1
			if game.Side(side) != f.turn {
				n = -1
			}
			// The pattern of nothing is worth nothing by definition.
			if p := patternOf(code); p > 0 && p < numPatterns {
				add(f.row(side)+p, n)
			}
		}
	})
	add(f.row(int(f.turn))+atThreat+int(f.threatMask()), 1)
}

// Looks returns the two parameters that say how good a move looks, or false for one that makes or stops a five.
func (f *Features) Looks(m game.Move) (attack, defend int, ok bool) {
	code, me, foe := f.cells[f.cellOf(m)].code, int(f.turn), int(f.turn.Other())
	own, his := patternOf(code>>(16*me)&0xffff), patternOf(code>>(16*foe)&0xffff)
	return f.row(me) + atAttack + own, f.row(foe) + atDefend + his, own < numPatterns && his < numPatterns
}

// Cells appends the empty cells as the network sees them, the side to move as the first side, and returns the threats
// and the engine's own evaluation.
func (f *Features) Cells(dst []network.Cell) (cells []network.Cell, mask, static int) {
	f.each(func(c int) {
		if f.stones[c] != codeEmpty {
			return
		}
		cell := cellOfCode(f.cells[c].code)
		if f.turn != game.First {
			cell.First, cell.Second = cell.Second, cell.First
		}
		dst = append(dst, cell)
	})
	return dst, int(f.threatMask()), int(f.static())
}

// row returns where the parameters of a side begin.
func (f *Features) row(side int) int {
	if !f.Apart() {
		return 0
	}
	return side * NumWeights
}

// Apart says whether each side has parameters of its own. Otherwise the first row stands for both.
func (f *Features) Apart() bool { return f.rule.side[0] != f.rule.side[1] }

// Traits returns, for each parameter, the numbers of the traits that it shares with others: for a pattern its four lines
// and its class, for a mask its threats.
func (f *Features) Traits() [][]uint16 {
	const each = int(numShapes) + int(numClasses)
	all := make([][]uint16, 2*NumWeights)
	first := 0
	for side := range 2 {
		for part := range 3 {
			for code := range uint32(1 << 16) {
				p := patternOf(code)
				at := side*NumWeights + part*numPatterns + p
				if p == numPatterns || all[at] != nil {
					continue
				}
				lines := linesOf(code)
				for _, s := range lines {
					all[at] = append(all[at], uint16(first+int(s)))
				}
				c, _ := classify(&lines, f.rule.side[side].renju)
				all[at] = append(all[at], uint16(first+int(numShapes)+int(c)))
			}
			first += each
		}
		for mask := range 1 << numThreats {
			at := side*NumWeights + atThreat + mask
			for bit := range numThreats {
				if mask>>bit&1 == 1 {
					all[at] = append(all[at], uint16(first+bit))
				}
			}
			all[at] = append(all[at], uint16(first+numThreats)) // the move
		}
		first += numThreats + 1
	}
	return all
}
