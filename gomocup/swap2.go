// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/opening"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// swap2Board reads the stones of the opening, Black's and White's in turn, and answers as opening.Answer says it:
//
//	none    three stones: x,y x,y x,y
//	three   SWAP to play Black, a move to stay with White, or two stones, after which the other side chooses
//	five    SWAP to play Black, or a move to stay with White
func (s *session) swap2Board(string, time.Time) error {
	if s.b == nil {
		return errNoGame
	}
	s.collect = &block{bare: true, limit: len(s.b.Cells()), then: s.swap2}
	return nil
}

func (s *session) swap2(l *block, at time.Time) error {
	if n := len(l.stone); n != 0 && n != 3 && n != 5 {
		return fmt.Errorf("swap2 has 0, 3 or 5 stones, not %d", n)
	}
	before := s.b
	if err := s.clear(); err != nil {
		return err
	}
	for _, st := range l.stone {
		if err := playPoint(s.b, st.point); err != nil {
			s.b = before
			return err
		}
	}
	return s.askSwap2(at, func(a opening.Answer) {
		if a.Swap {
			s.out.say("SWAP")
			return
		}
		s.answer(a.Moves)
	})
}

// clear empties the board.
func (s *session) clear() error {
	b, ok := s.b.Game().Start().(game.Board)
	if !ok {
		return errNoGame
	}
	s.b = b
	return nil
}

// askSwap2 has the player answer the board by the rule of swap2, and says what it answers.
func (s *session) askSwap2(at time.Time, say func(opening.Answer)) error {
	if err := s.able(); err != nil {
		return err
	}
	lim, latest := s.limits(at, 1)
	a := asker{player: s.player, latest: latest, report: s.reporter(1)}
	b := clone(s.b)
	s.begins(lim, func(ctx context.Context) func() {
		answer, err := opening.Swapper{Analyze: a.analyze, Seed: s.Seed}.Swap2(ctx, b, lim)
		return func() {
			s.spend(at)
			s.leave(a.abandoned)
			if b.Ply() > 0 && a.asked {
				s.tell(a.first, a.err)
			}
			if err != nil {
				s.fail(err)
				return
			}
			say(answer)
		}
	})
	return nil
}

// rng draws the ways between which a contest on the board decides.
func (s *session) rng() *rand.Rand { return rand.New(rand.NewPCG(s.Seed, s.b.Key())) }

// contest has the player find the way to place stones that costs least, and plays it.
func (s *session) contest(at time.Time, ways [][]game.Move, cost func(eval.Score) eval.Score) {
	lim, latest := s.limits(at, 1)
	a := asker{player: s.player, latest: latest, report: func(game.Board, search.Info) {}}
	b := clone(s.b)
	s.begins(lim, func(ctx context.Context) func() {
		moves := opening.Contest{Analyze: a.analyze, Limits: lim, Cost: cost}.Best(ctx, b, ways)
		return func() {
			s.spend(at)
			s.leave(a.abandoned)
			s.answer(moves)
		}
	})
}

// asker asks a player one thing after the other, all to be answered by the same time. Once it has been late it is asked no
// more.
type asker struct {
	player player.Player
	latest time.Time // the zero time is never
	report func(b game.Board, i search.Info)

	asked     bool
	first     search.Info // the answer to the first question
	err       error       // its error
	abandoned bool
}

// analyze is an opening.Analyze.
func (a *asker) analyze(ctx context.Context, b game.Board, lim search.Limits) (search.Info, error) {
	if a.abandoned {
		return search.Info{}, errLate
	}
	t := thinker{player: a.player, board: b, limits: lim, latest: a.latest, report: a.report}
	v := t.think(ctx)
	a.abandoned = v.abandoned
	if !a.asked {
		a.asked, a.first, a.err = true, v.info, v.err
	}
	return v.info, v.err
}

// errLate is the error of a player that has not answered in time.
var errLate = errors.New("the player is late")
