// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"errors"
	"fmt"
	"slices"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation/binpack"
)

// Sample is a position of a game as the evaluation sees it, and what became of it.
type Sample struct {
	Game    int     // its place in the file
	Played  bool    // it came about in the game; otherwise it has no result
	Result  float64 // of the side to move: 1 won, 0.5 drawn, 0 lost
	Score   float64 // hundredths of a unit: what the search took it for
	terms   []term
	options []option
}

// term is a parameter of the evaluation, and how often it counts for the side to move: an index into Weights as
// evalAt has it.
type term struct {
	at uint16
	n  int16
}

// option is a move worth a look as the parameters of the order of moves that bear on it: what it makes and what it
// takes. The first one of a sample is what the engine played.
type option [2]uint16

// The parameters of the evaluation and of the order of moves, as one row each:
//
//	side 0: Value, Threat | side 1: Value, Threat        side 0: Attack, Defend | side 1: Attack, Defend
//
// Where the sides do not differ, side 0 stands for both.
const (
	evalSide  = numPatterns + 1<<numThreats
	orderSide = 2 * numPatterns
)

// Samples returns the positions of games that the evaluation is asked for: no win is at hand, and no five to be
// stopped. Games that are not of g's rules are an error.
func Samples(g game.Game, games []binpack.Game) ([]Sample, error) {
	r, err := newRule(g)
	if err != nil {
		return nil, err
	}
	s := sampler{board: newBoard(&r, nil), tally: make([]int16, 2*evalSide)}
	for i := range games {
		if games[i].Rule != r.packed() || games[i].Side != r.columns || games[i].Side != r.rows {
			return nil, fmt.Errorf("game %d is not one of %s", i+1, g)
		}
		if err := s.add(i, &games[i]); err != nil {
			return nil, fmt.Errorf("game %d: %w", i+1, err)
		}
	}
	return s.samples, nil
}

// sampler collects samples.
type sampler struct {
	*board
	list    moveList
	tally   []int16 // by parameter, all 0 between positions
	samples []Sample
}

// add adds the positions of a game.
func (s *sampler) add(index int, g *binpack.Game) error {
	s.clear()
	for _, c := range g.Opening {
		if err := s.put(c); err != nil {
			return err
		}
	}
	for i, ply := range g.Plies {
		result := float64(g.Result) / 2
		if i%2 == 1 {
			result = 1 - result
		}
		for j := len(ply) - 1; j >= 0; j-- {
			if err := s.addMove(index, ply[j], result, j == 0); err != nil {
				return fmt.Errorf("ply %d: %w", i+1, err)
			}
		}
	}
	return nil
}

// addMove adds the position before a move that was played, and plays it, or the one after a move that was not.
func (s *sampler) addMove(game int, m binpack.Move, result float64, played bool) error {
	if m.Cell == binpack.Pass {
		return errors.New("a pass")
	}
	c := s.cellAt(m.Cell%s.rule.columns, m.Cell/s.rule.columns)
	if played && m.Scored && s.unsettled() {
		s.samples = append(s.samples, Sample{game, true, result, float64(m.Score), s.terms(), s.options(c)})
	}
	if err := s.put(m.Cell); err != nil {
		return err
	}
	if played {
		return nil
	}
	if m.Scored && s.unsettled() {
		s.samples = append(s.samples, Sample{game, false, 0, -float64(m.Score), s.terms(), nil})
	}
	s.undo()
	return nil
}

// unsettled says whether the evaluation may be asked for the position.
func (s *sampler) unsettled() bool {
	_, ok := s.settled(0)
	return !ok && s.counts[s.turn.Other()][makesFive] == 0
}

// put places a stone for the side to move.
func (s *sampler) put(cell int) error {
	c := s.cellAt(cell%s.rule.columns, cell/s.rule.columns)
	if s.stones[c] != codeEmpty {
		return errors.New("a stone on a stone")
	}
	s.play(c)
	return nil
}

// terms returns what the parameters of the evaluation count.
func (s *sampler) terms() (all []term) {
	var touched []uint16
	add := func(at int, n int16) {
		if s.tally[at] == 0 {
			touched = append(touched, uint16(at))
		}
		s.tally[at] += n
	}
	s.each(func(c int) {
		if s.stones[c] != codeEmpty {
			return
		}
		for side, code := range [2]uint32{s.cells[c].code & 0xffff, s.cells[c].code >> 16} {
			n := int16(1)
			if game.Side(side) != s.turn {
				n = -1
			}
			// What makes nothing is worth nothing: the others are counted from it.
			if p := patternOf(code); p > 0 && p < numPatterns {
				add(s.rule.apart(side)*evalSide+p, n)
			}
		}
	})
	add(s.rule.apart(int(s.turn))*evalSide+numPatterns+int(s.threatMask()), 1)
	slices.Sort(touched)
	for _, at := range slices.Compact(touched) {
		if s.tally[at] != 0 {
			all = append(all, term{at, s.tally[at]})
		}
		s.tally[at] = 0
	}
	return all
}

// apart returns the side whose parameters side has.
func (r *rule) apart(side int) int {
	if r.side[0] == r.side[1] {
		return 0
	}
	return side
}

// options returns the moves worth a look, the one played first, or nil when that is none of them.
func (s *sampler) options(played int) (all []option) {
	n, found := s.generate(&s.list), false
	me, foe := s.rule.apart(int(s.turn)), s.rule.apart(int(s.turn.Other()))
	for _, m := range s.list[:n] {
		code := s.cells[m.cell].code
		own, his := patternOf(code>>(16*s.turn)&0xffff), patternOf(code>>(16*s.turn.Other())&0xffff)
		if own == numPatterns || his == numPatterns {
			continue
		}
		all = append(all, option{uint16(me*orderSide + own), uint16(foe*orderSide + numPatterns + his)})
		if int(m.cell) == played {
			last := len(all) - 1
			all[0], all[last], found = all[last], all[0], true
		}
	}
	if !found {
		return nil
	}
	return all
}
