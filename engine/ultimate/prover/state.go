// SPDX-License-Identifier: Apache-2.0

package prover

import (
	"math/bits"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/search/dfpn"
)

// within contains, for each set of the nine cells, the cells of all rows of three cells that are inside the set.
var within = func() (t [ultimate.Full + 1]uint16) {
	for set := range uint16(ultimate.Full + 1) {
		for _, l := range ultimate.Lines {
			if l&^set == 0 {
				t[set] |= l
			}
		}
	}
	return t
}()

// state is a position together with the lines that each side can still complete.
type state struct {
	ultimate.Board
	reach [2]uint16 // by side: the small boards that it has won or can still win
	lacks [2]uint8  // by side: the least number of small boards that it lacks for a row; 4 if it cannot complete any row
	rows  [2]uint8  // by side: the rows that it can still complete
}

func newState(b ultimate.Board) state {
	s := state{Board: b, reach: [2]uint16{ultimate.Full, ultimate.Full}}
	for i := range 9 {
		s.settle(i)
	}
	s.prospects()
	return s
}

func (s *state) playMove(m uint8) {
	won, reach := s.Won, s.reach
	s.Board.Play(m)
	s.settle(int(m / 9))
	if s.Won != won || s.reach != reach {
		s.prospects()
	}
}

func (s *state) prospects() {
	for side := range s.reach {
		lacks, rows := 4, uint8(0)
		for _, l := range ultimate.Lines {
			if l&^s.reach[side] == 0 {
				rows++
				lacks = min(lacks, bits.OnesCount16(l&^s.Won[side]))
			}
		}
		s.lacks[side], s.rows[side] = uint8(lacks), rows
	}
}

func (s *state) settle(i int) {
	bit := uint16(1) << i
	for side := range s.reach {
		switch {
		case (s.Won[0]|s.Won[1]|s.Closed)&bit != 0:
			s.reach[side] = s.reach[side]&^bit | s.Won[side]&bit
		case !ultimate.HasLine(^s.Stones[side^1][i]):
			s.reach[side] &^= bit
		}
	}
}

// safe returns the cells of small board i after which the other side cannot complete a row of three boards at once; threats are
// the boards that would complete such a row.
func (s *state) safe(i int, threats uint16) uint16 {
	own, other := s.Stones[s.Turn&1][i], s.Stones[s.Turn&1^1][i]
	free := ultimate.Full &^ (own | other)
	if threats == 0 {
		return free
	}
	bit := uint16(1) << i
	keys := ultimate.Completing(other) &^ own // cells on which the other side would win this small board
	safe := uint16(0)
	for left := free; left != 0; left &= left - 1 {
		c := left & -left
		after, closed := threats, s.Closed
		wins := ultimate.Completing(own)&c != 0 && (s.Won[0]|s.Won[1])&bit == 0
		if wins || keys == c {
			after &^= bit
		}
		if wins && !s.Rules.Open || free == c {
			closed |= bit
		}
		if after&c == 0 && (closed&c == 0 || after == 0) {
			safe |= c
		}
	}
	return safe
}

// moves lists the moves after which the other side cannot complete a row of three boards at once.
func (s *state) moves(dst *[ultimate.Moves]uint8) int {
	threats := s.Threats(s.Turn ^ 1)
	n := 0
	for open := s.Open(); open != 0; open &= open - 1 {
		i := bits.TrailingZeros16(open) % 9
		for safe := s.safe(i, threats); safe != 0; safe &= safe - 1 {
			dst[n] = uint8(9*i + bits.TrailingZeros16(safe))
			n++
		}
	}
	return n
}

func (s *state) choices() int {
	threats := s.Threats(s.Turn ^ 1)
	if threats == 0 {
		return s.Count()
	}
	n := 0
	for open := s.Open(); open != 0; open &= open - 1 {
		n += bits.OnesCount16(s.safe(bits.TrailingZeros16(open)%9, threats))
	}
	return n
}

// judge answers the question whether attacker wins, if this is possible without a search. Otherwise it returns the number of moves
// that are worth trying.
func (s *state) judge(attacker uint8) (dfpn.Verdict, int) {
	if s.Result != game.Ongoing {
		if s.Result == game.WinFor(game.Side(attacker)) {
			return dfpn.Proven, 0
		}
		return dfpn.Refuted, 0
	}
	if v := s.hopes(attacker); v != dfpn.Unknown {
		return v, 0
	}
	if s.Threats(s.Turn)&s.Open() != 0 {
		return dfpn.For(s.Turn == attacker), 0
	}
	n := s.choices()
	if n == 0 {
		return dfpn.For(s.Turn != attacker), 0
	}
	return dfpn.Unknown, n
}

// hopes answers the question whether the attacker wins, if one of the sides can no longer reach its goal. Otherwise it returns
// dfpn.Unknown.
func (s *state) hopes(attacker uint8) dfpn.Verdict {
	own, other := s.reach[attacker&1]&ultimate.Full, s.reach[attacker&1^1]&ultimate.Full
	if s.Rules.Draw == ultimate.Plain {
		if !ultimate.HasLine(own) {
			return dfpn.Refuted
		}
		return dfpn.Unknown
	}
	won, lost := s.Won[attacker&1], s.Won[attacker&1^1]
	switch {
	case !ultimate.HasLine(own) && bits.OnesCount16(own) <= bits.OnesCount16(lost):
		return dfpn.Refuted
	case !ultimate.HasLine(other) && bits.OnesCount16(won) > bits.OnesCount16(other):
		return dfpn.Proven
	}
	return dfpn.Unknown
}
