// SPDX-License-Identifier: Apache-2.0

// Package indicators scores a move of ultimate tic-tac-toe by indicators: the answers to ten questions about the move. The
// questions are about the cell of the move (is it a corner, an edge or the centre of its small board?), about the board sent
// to (the small board in which the opponent must play next), and about wins (does the move win its small board or the
// game?). The score is a weighted sum of the answers. Later moves have no influence on the score.
//
// # Basics
//
//	s, err := indicators.New(ultimate.New(ultimate.Rules{}), indicators.Options{})
//	score := s.ScoreMove(p, m)  // greedy play: the move with the highest score
//	leaf := s.Evaluate(p, side) // value of a leaf in a minimax search
//
// As an evaluator, a [Scorer] considers only the last move: the value of a leaf is the score of that move for the side that
// made it. A position without a last move has the value 0. The heuristic is by Eustache and Genuyt, the authors of a report
// and a program. The minimax search in the report values leaves in this way.
//
// The authors' program instead adds up the scores of all moves from the root to the leaf, with a minus sign for the opponent's
// moves: see [Path]. The sum plays much better. At depth 4 against the random player, with the weights of [Bred], the sum won a
// share of 0.979 of 2000 games, and the score of the last move alone won a share of 0.770.
//
// # Caveats
//
// The report names the indicators but does not define them exactly. Here they mean:
//
//   - The questions about the board sent to are asked after the move. The move itself may have changed this board.
//   - OwnStones and EnemyStones are numbers of stones; every other indicator is 0 or 1.
//   - A board is decided if it is won or full. Nobody can win a decided board.
//   - A side can win a board if one more stone of this side would complete a line there. In the authors' program, a side can
//     win a board if at least one of the board's eight lines has no stone of the other side: see Options.Ever.
//   - A move blocks (the indicator Block is 1) if the opponent could have won the small board with a stone on the move's
//     cell. In the authors' program Block is 1 if the opponent can still win the small board after the move. A comment in
//     that program says the opposite.
//   - The indicator Either is 1 if at least one side can win the board sent to. In the authors' program Either is 1 only if
//     both sides can win this board.
//   - The hand-set weights 3, 2 and 1 are for the centre, the corners and the edges, because the report prefers them in this
//     order.
//
// The weight of a move that wins the game is infinite. A move that loses the game by the rules of a variant has the score of a
// lost game.
//
// CITE: Eustache and Genuyt, Création d'une intelligence artificielle pour le Tic Tac Toe 9x9, 2018, section 2.1; the
// indicators Block and Either are only in the program, github.com/Aquachoc/TTT9.
package indicators

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
)

// Options contains the weights, and a choice for each point in which the authors' program differs from their report. The
// zero value follows the report, with the weights that the authors set by hand.
type Options struct {
	Weights Weights // the zero value means Default()
	Block   bool    // use the indicator Block, as the authors' program does
	Either  bool    // use the indicator Either, as the authors' program does
	// If Ever is true, a side can win a small board if one of its eight lines has no stone of the other side. Otherwise the side
	// can win it only if one more stone completes a line.
	Ever bool
}

// Learned returns the indicators whose weights can be learned with these options: all indicators in use, except Win.
func (o Options) Learned() []Indicator {
	var all []Indicator
	for i := range Indicator(Count) {
		if o.uses(i) && i != Win {
			all = append(all, i)
		}
	}
	return all
}

// uses reports whether the options use an indicator.
func (o Options) uses(i Indicator) bool { return (i != Block || o.Block) && (i != Either || o.Either) }

// Scorer is the heuristic of this package. Only one goroutine may use it.
type Scorer struct {
	scores [Count]eval.Score // by indicator: the factor of its value in the score
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

// ScoreMove returns the weighted sum of m's indicators. If m wins or loses the game, ScoreMove returns the score of a win or
// a loss at a distance of one ply. p must be a position of the Scorer's game.
func (s *Scorer) ScoreMove(p game.Position, m game.Move) eval.Score {
	q := p.(*ultimate.Position)
	mover := q.Turn()
	q.Play(m)
	v := s.value(q, mover, 1)
	q.Undo()
	return v
}

// Evaluate returns the score of the last move, with a minus sign if the opponent of side made this move. If a side has won
// the game, Evaluate returns the score of a won or lost game. p must be a position of the Scorer's game.
func (s *Scorer) Evaluate(p game.Position, side game.Side) eval.Score {
	q := p.(*ultimate.Position)
	mover := q.Turn().Other()
	v := s.value(q, mover, 0)
	if side != mover {
		return -v
	}
	return v
}

// value returns the score of the last move for mover, the side that made it. If this move won or lost the game, value
// returns the score of a win or a loss; plies is the distance in this score.
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

// Indicators returns the values of all indicators for m, which must be legal in p. This includes indicators that the options do
// not use.
func (s *Scorer) Indicators(p game.Position, m game.Move) Vector {
	q := p.(*ultimate.Position)
	mover := q.Turn()
	q.Play(m)
	v := s.flags(q, mover)
	q.Undo()
	return v
}

// flags returns the values of the indicators for the last move, which mover made.
func (s *Scorer) flags(p *ultimate.Position, mover game.Side) (v Vector) {
	b, c := int(p.Last())/9, int(p.Last())%9
	v[place[c]] = 1
	s.sent(&v, p, c, mover)
	own, enemy, bit := p.Stones(b, mover), p.Stones(b, mover.Other()), uint16(1)<<c
	// A board is won as soon as it has a line. So this move won the board if the mover has no line without the new stone.
	captured := p.Owner(b) == mover.Stone() && !ultimate.HasLine(own&^bit)
	if captured || p.Owner(b) == game.Empty {
		v[Capture] = flag(captured)
		v[Block] = flag(ultimate.HasLine(enemy | bit))
	}
	v[Win] = flag(p.Outcome() == game.WinFor(mover))
	return v
}

// sent sets the indicators about small board b, where the opponent must play next.
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

// canWin reports whether a side can win an undecided board; stones are the stones of this side, and others are the stones of
// the other side.
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

// Path values leaves like the authors' program: the value is the sum of the scores of all moves from the position given to
// Reset to the leaf, with a minus sign for the opponent's moves. Such values depend on the path to the leaf, so a search must
// not store them in a transposition table. For any position except the position that was given to Reset, Path works like a
// [Scorer].
//
//	root --a--> . --b--> . --c--> leaf     to the mover of a:  score(a) - score(b) + score(c)
type Path struct {
	*Scorer
	p game.Position
	// By number of moves since Reset: the score of the path for game.First, the first side. sums[0] is 0.
	sums []eval.Score
}

// NewPath returns the heuristic for g, as New does.
func NewPath(g game.Game, o Options) (*Path, error) {
	s, err := New(g, o)
	if err != nil {
		return nil, err
	}
	return &Path{Scorer: s}, nil
}

// PathDependent marks the evaluator as an eval.PathDependent.
func (*Path) PathDependent() {}

// Reset makes p the position in which the sums of scores begin.
func (s *Path) Reset(p game.Position) {
	s.p, s.sums = p, append(s.sums[:0], 0)
}

// Play adds the score of m to the sum. It must be called just before the position plays m.
func (s *Path) Play(m game.Move) {
	v := s.ScoreMove(s.p, m)
	if s.p.Turn() != game.First {
		v = -v
	}
	s.sums = append(s.sums, s.sums[len(s.sums)-1]+v)
}

// Undo removes the score of the last move from the sum.
func (s *Path) Undo() { s.sums = s.sums[:len(s.sums)-1] }

// Evaluate returns the sum of the scores of all moves since Reset, from the view of side. If a side has won the game,
// Evaluate returns the score of a won or lost game.
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
