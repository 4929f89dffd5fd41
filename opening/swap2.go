// SPDX-License-Identifier: Apache-2.0

package opening

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// Answer is what a player says in an opening. The Question says what it may be; under swap2 it depends on the stones on
// the board, Black's and White's in turn:
//
//	0 stones   three moves
//	3 stones   Swap to play Black, a move to play White, or two moves, after which the other player chooses
//	5 stones   Swap to play Black, or a move to play White
type Answer struct {
	Swap  bool
	Moves []game.Move
	Fives int // with a stone, how many fifth stones there will be
}

// Opener answers the questions of a Session.
type Opener interface {
	// Open answers the question of s, which is left as it is. lim bounds this answer.
	Open(ctx context.Context, s *Session, lim search.Limits) (Answer, error)
}

// Player is a player that knows swap2 by itself.
type Player interface {
	// Swap2 answers b, which has 0, 3 or 5 stones and is left as it is. lim bounds this answer.
	Swap2(ctx context.Context, b game.Board, lim search.Limits) (Answer, error)
}

// ErrUnable is wrapped by the error of a player that cannot answer by a rule.
var ErrUnable = errors.New("does not know")

// For returns how p answers by a rule: swap2 by itself if it is a Player, others by searches if it is a player.Analyst; an
// error where it is neither.
func For(p player.Player, rule string, seed uint64) (Opener, error) {
	if p, ok := p.(Player); ok && rule == Swap2 {
		return byItself{p}, nil
	}
	if p, ok := p.(player.Analyst); ok {
		return Swapper{Analyze: By(p), Seed: seed}, nil
	}
	return nil, fmt.Errorf("%s %w %s", p.Name(), ErrUnable, rule)
}

type byItself struct{ Player }

// Open implements Opener.
func (p byItself) Open(ctx context.Context, s *Session, lim search.Limits) (Answer, error) {
	return p.Swap2(ctx, clone(s.b), lim)
}

// Swapper is an Opener and a Player that goes by searches. A side is worth the position to the better side, which is never less than
// nothing; two more stones leave the choice to the other, and are never worth more. So it takes the better side, and
// places two stones only where its search sees no difference.
type Swapper struct {
	Analyze Analyze
	Seed    uint64 // decides between which stones a proposal is chosen
}

// errNoWay is the error of a board that is too small or too full.
var errNoWay = errors.New("no stones after which the game goes on")

// Swap2 implements Player.
func (s Swapper) Swap2(ctx context.Context, b game.Board, lim search.Limits) (Answer, error) {
	switch stones := b.Ply(); stones {
	case 0:
		return s.place(ctx, b, 3, lim)
	case 3, 5:
		return s.choose(ctx, b, stones == 3, lim)
	default:
		return Answer{}, fmt.Errorf("swap2 has 0, 3 or 5 stones, not %d", stones)
	}
}

// place puts n stones as evenly as can be found.
func (s Swapper) place(ctx context.Context, b game.Board, n int, lim search.Limits) (Answer, error) {
	ways := Ways(b, rand.New(rand.NewPCG(s.Seed, b.Key())), n)
	if len(ways) == 0 {
		return Answer{}, errNoWay
	}
	c := Contest{Analyze: s.Analyze, Limits: lim, Cost: Off(0)}
	return Answer{Moves: c.Best(ctx, b, ways)}, nil
}

// choose takes the better side of the position, in which White is to move.
func (s Swapper) choose(ctx context.Context, b game.Board, mayPlace bool, lim search.Limits) (Answer, error) {
	half := lim
	if mayPlace && lim.Time > 0 {
		half.Time = max(lim.Time/2, time.Microsecond) // the other half is for two more stones
	}
	info, err := s.Analyze(ctx, b, half)
	switch {
	case len(info.PV) == 0 && err == nil:
		return Answer{}, errors.New("the search found no move")
	case len(info.PV) == 0:
		return Answer{}, err
	case info.Score < 0:
		return Answer{Swap: true}, nil
	case info.Score == 0 && mayPlace && err == nil && ctx.Err() == nil:
		if a, err := s.place(ctx, b, 2, half); err == nil {
			return a, nil
		}
	}
	return Answer{Moves: info.PV[:1]}, nil
}
