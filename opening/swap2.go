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

// Answer is what a player says under the rule of swap2. It depends on the stones on the board, Black's and White's in
// turn:
//
//	0 stones   three moves
//	3 stones   Swap to play Black, a move to play White, or two moves, after which the other player chooses
//	5 stones   Swap to play Black, or a move to play White
//
// In a [Session] its Question says what it may be.
type Answer struct {
	Swap  bool
	Moves []game.Move
	Fives int // in a Session: with a stone, how many fifth stones there will be
}

// Player is a player that knows the rule by itself.
type Player interface {
	// Swap2 answers b, which has 0, 3 or 5 stones and is left as it is. lim bounds this answer.
	Swap2(ctx context.Context, b game.Board, lim search.Limits) (Answer, error)
}

// ErrSwap2 is wrapped by the error of a player that cannot answer swap2.
var ErrSwap2 = errors.New("does not know swap2")

// For returns how p answers swap2: by itself, or by searches where it is a player.Analyst; an error where it is neither.
func For(p player.Player, seed uint64) (Player, error) {
	switch p := p.(type) {
	case Player:
		return p, nil
	case player.Analyst:
		return Swapper{Analyze: By(p), Seed: seed}, nil
	}
	return nil, fmt.Errorf("%s %w", p.Name(), ErrSwap2)
}

// Swapper is a Player that goes by searches. A side is worth the position to the better side, which is never less than
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

// Fault is the error of one of the two players.
type Fault struct {
	Who int // 0 the player who proposes, 1 the other
	Err error
}

func (f *Fault) Error() string { return f.Err.Error() }

// Unwrap returns the error without the player.
func (f *Fault) Unwrap() error { return f.Err }

// Swap2 opens a game on the empty board b: player 0 proposes, and player 1 chooses or places two stones for player 0 to
// choose. ask returns a player's answer to b. Swap2 returns the player of Black and the number of opening stones, 3 or
// 5; White's first move, if the choice was one, is on b already. An error of a player, or a wrong answer, is a *Fault.
func Swap2(b game.Board, ask func(who int) (Answer, error)) (black, stones int, err error) {
	for turn, who := range []int{0, 1, 0} {
		a, err := ask(who)
		if err == nil {
			err = a.Check(b)
		}
		if err != nil {
			return 0, 0, &Fault{who, err}
		}
		for _, m := range a.Moves {
			b.Play(m)
		}
		switch {
		case turn == 0:
			stones = 3
		case a.Swap:
			return who, stones, nil
		case len(a.Moves) == 1:
			return 1 - who, stones, nil
		default:
			stones = 5
		}
	}
	panic("opening: the third answer of swap2 is the last")
}

// Check returns an error where the rule does not allow the answer to b, which has 0, 3 or 5 stones.
func (a Answer) Check(b game.Board) error {
	n, stones := len(a.Moves), b.Ply()
	ok := n == 3
	if stones > 0 {
		ok = a.Swap != (n > 0) && (n < 2 || n == 2 && stones == 3)
	}
	if !ok || a.Swap && stones == 0 {
		return fmt.Errorf("swap2: on %d stones %s is no answer", stones, a)
	}
	c := clone(b)
	for _, m := range a.Moves {
		if err := game.Play(c, m); err != nil {
			return err
		}
	}
	if n > 1 && c.Outcome() != game.Ongoing {
		return fmt.Errorf("swap2: the stones end the game: %s", c.Outcome())
	}
	return nil
}

// String returns the answer in words.
func (a Answer) String() string {
	if a.Swap {
		return "a swap"
	}
	return fmt.Sprintf("%d moves", len(a.Moves))
}
