// SPDX-License-Identifier: Apache-2.0

// Package indicators scores the moves of ultimate tic-tac-toe by a weighted sum of ten questions about the move: where it
// stands in its small board, what the opponent finds in the board it is sent to, and whether the move wins. It does not
// look ahead.
//
// # Basics
//
//	s, err := indicators.New(ultimate.New(ultimate.Rules{}), indicators.Options{})
//	score := s.ScoreMove(p, m)  // a player of its own
//	leaf := s.Evaluate(p, side) // the leaves of a minimax
//
// As an evaluator a [Scorer] knows only the last move: a leaf is worth that move's score to the side that made it. A position
// without a last move is worth 0. That is the text's minimax.
//
// The authors' program adds up the scores of all moves from the root to the leaf, with the sign of their side: [Path]. The
// good results need it: to depth 4, with the same bred weights, it wins 0.979 of 2000 games against random, and the last
// move alone 0.770.
//
// # Caveats
//
// The text names the indicators and leaves their exact sense open. Our readings:
//
//   - The board sent to is looked at after the move, which may have been played in that board.
//   - Stones in it are counted; every other indicator is 0 or 1.
//   - It is decided when it is won or full. Nobody can win a decided board.
//   - A side can win a board when one more stone would. In the authors' program it is enough that some line there has
//     no stone of the other side: Options.Ever.
//   - A move blocks when the opponent could have won its small board by playing there. The program's flag is set when
//     the opponent can still win the board after the move, the reverse of its comment.
//   - Either can win when at least one side can. In the program both must.
//   - The hand-set weights 3, 2, 1, ... go to the centre, the corners and the edges, as the text prefers them.
//
// A move that wins the game has the infinite weight. If a side can lose by its own move, such a move is a lost game.
//
// CITE: Eustache and Genuyt, Création d'une intelligence artificielle pour le Tic Tac Toe 9x9, 2018, section
// 2.1; the two indicators marked as the program's are in github.com/Aquachoc/TTT9 alone.
package indicators

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
)

// Options are the weights and the readings. The zero value is the text with its hand-set weights.
type Options struct {
	Weights Weights // the zero value stands for Default()
	Block   bool    // ask whether the move blocks, as the program does
	Either  bool    // ask whether either side can win the board sent to, as the program does
	Ever    bool    // a side can win a board while some line there is free of the other's stones
}

// Learned returns the indicators whose weights can be learned under these options: not Win, and the program's two only if the
// options ask for them.
func (o Options) Learned() []Indicator {
	var all []Indicator
	for i := range Indicator(Count) {
		if o.uses(i) && i != Win {
			all = append(all, i)
		}
	}
	return all
}

// uses reports whether an indicator counts.
func (o Options) uses(i Indicator) bool { return (i != Block || o.Block) && (i != Either || o.Either) }

// Scorer is the heuristic. It belongs to one goroutine.
type Scorer struct {
	scores [Count]eval.Score // of one unit of each indicator
	ever   bool
}

// New returns the heuristic for g, which must be a variant of ultimate tic-tac-toe.
func New(g game.Game, o Options) (*Scorer, error) {
	if _, ok := g.(*ultimate.Game); !ok {
		return nil, fmt.Errorf("the indicators are for ultimate tic-tac-toe, not %s", g)
	}
	if o.Weights == (Weights{}) {
		o.Weights = Default()
	}
	if err := o.Weights.checkWeights(); err != nil {
		return nil, err
	}
	s := &Scorer{ever: o.Ever}
	for i, w := range o.Weights {
		if i := Indicator(i); i != Win && o.uses(i) {
			s.scores[i] = eval.Score(math.Round(w * float64(eval.Unit)))
		}
	}
	return s, nil
}

// ScoreMove returns the weighted sum of m's indicators, or a game won or lost in one ply. p must be of the Scorer's game.
func (s *Scorer) ScoreMove(p game.Position, m game.Move) eval.Score {
	q := p.(*ultimate.Position)
	mover := q.Turn()
	q.Play(m)
	v := s.value(q, mover, 1)
	q.Undo()
	return v
}

// Evaluate returns the value of the last move for side: its score, or a won or lost game. p must be of the Scorer's
// game.
func (s *Scorer) Evaluate(p game.Position, side game.Side) eval.Score {
	q := p.(*ultimate.Position)
	mover := q.Turn().Other()
	v := s.value(q, mover, 0)
	if side != mover {
		return -v
	}
	return v
}

// value returns the worth of the last move to its mover. A game it won is plies away.
func (s *Scorer) value(p *ultimate.Position, mover game.Side, plies int) eval.Score {
	if _, won := p.Outcome().Winner(); won {
		return eval.Outcome(p.Outcome(), mover, plies)
	}
	if p.Last() == game.NoMove {
		return 0
	}
	flags := s.flags(p, mover)
	sum := eval.Score(0)
	for i, w := range &s.scores {
		sum += w * eval.Score(flags[i])
	}
	return sum
}

// Indicators returns the values of the indicators for m, legal in p, whether their weights are used or not.
func (s *Scorer) Indicators(p game.Position, m game.Move) Vector {
	q := p.(*ultimate.Position)
	mover := q.Turn()
	q.Play(m)
	v := s.flags(q, mover)
	q.Undo()
	return v
}

// flags returns the indicators of the last move, which mover made.
func (s *Scorer) flags(p *ultimate.Position, mover game.Side) (v Vector) {
	b, c := int(p.Last())/9, int(p.Last())%9
	v[place[c]] = 1
	s.sent(&v, p, c, mover)
	own, enemy, bit := p.Stones(b, mover), p.Stones(b, mover.Other()), uint16(1)<<c
	// The first line in a board makes it its owner's: without this stone there was none of either side.
	captured := p.Owner(b) == mover.Stone() && !ultimate.HasLine(own&^bit)
	if captured || p.Owner(b) == game.Empty {
		v[Capture] = flag(captured)
		v[Block] = flag(ultimate.HasLine(enemy | bit))
	}
	v[Win] = flag(p.Outcome() == game.WinFor(mover))
	return v
}

// sent fills in the indicators of small board b, to which the opponent is sent.
func (s *Scorer) sent(v *Vector, p *ultimate.Position, b int, mover game.Side) {
	own, enemy := p.Stones(b, mover), p.Stones(b, mover.Other())
	v[OwnStones] = int8(bits.OnesCount16(own))
	v[EnemyStones] = int8(bits.OnesCount16(enemy))
	v[Empty] = flag(own|enemy == 0)
	if p.Owner(b) != game.Empty || p.Closed(b) {
		v[Decided] = 1
		return
	}
	v[EnemyCanWin] = flag(s.canWin(enemy, own))
	v[Either] = flag(v[EnemyCanWin] == 1 || s.canWin(own, enemy))
}

// canWin reports whether the side with these stones can win the undecided board in which the other side has the other
// stones.
func (s *Scorer) canWin(stones, others uint16) bool {
	if s.ever {
		return ultimate.HasLine(^others)
	}
	return ultimate.Completing(stones)&^others != 0
}

func flag(b bool) int8 {
	if b {
		return 1
	}
	return 0
}

// Path is the heuristic with the leaves of the authors' program: a leaf is worth the scores of all moves that led to it from
// the position of Reset, each with the sign of its side. Its values depend on those moves, so a search with it can have no
// table. In any position except the position of Reset it is a [Scorer].
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

// PathDependent reports this to searches.
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

// Evaluate returns the sum of the moves since Reset in the view of side, or a won or lost game if the last move ended it.
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
