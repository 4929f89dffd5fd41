// SPDX-License-Identifier: Apache-2.0

package indicators

import (
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
)

// Path is the heuristic with the leaves of the authors' program: a leaf is worth the scores of all moves that led to it from
// the position of Reset, each with the sign of its side. Its values depend on those moves, so a search with it can have no
// table. In any position but that of Reset it is a [Scorer].
//
//	root --a--> . --b--> . --c--> leaf     to the mover of a:  score(a) - score(b) + score(c)
type Path struct {
	*Scorer
	p    game.Position
	sums []eval.Score // to First, after each move since Reset; the first is 0
}

// NewPath returns the heuristic for g, as New does.
func NewPath(g game.Game, o Options) (*Path, error) {
	s, err := New(g, o)
	if err != nil {
		return nil, err
	}
	return &Path{Scorer: s}, nil
}

// PathDependent says so to searches.
func (*Path) PathDependent() {}

// Reset makes p the position from which moves count.
func (s *Path) Reset(p game.Position) {
	s.p, s.sums = p, append(s.sums[:0], 0)
}

// Play adds the score of m, which is about to be played.
func (s *Path) Play(m game.Move) {
	v := s.ScoreMove(s.p, m)
	if s.p.Turn() != game.First {
		v = -v
	}
	s.sums = append(s.sums, s.sums[len(s.sums)-1]+v)
}

// Undo takes the last score back.
func (s *Path) Undo() { s.sums = s.sums[:len(s.sums)-1] }

// Evaluate returns the sum of the moves since Reset to side, or a won or lost game where the last one ended it.
func (s *Path) Evaluate(p game.Position, side game.Side) eval.Score {
	if p != s.p {
		return s.Scorer.Evaluate(p, side)
	}
	if _, won := p.Outcome().Winner(); won {
		return eval.Outcome(p.Outcome(), side, 0)
	}
	v := s.sums[len(s.sums)-1]
	if side != game.First {
		return -v
	}
	return v
}
