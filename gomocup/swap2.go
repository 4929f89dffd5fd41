// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/krow-lab/krow/opening"
)

// swap2Board reads the stones of the opening, Black's and White's in turn, and answers as opening.Answer says it:
//
//	none    three stones: x,y x,y x,y
//	three   SWAP to play Black, a move to stay with White, or two stones, after which the other side chooses
//	five    SWAP to play Black, or a move to stay with White
func (s *session) swap2Board(string, time.Time) error {
	s.collect = &block{then: s.swap2}
	return nil
}

func (s *session) swap2(lines []string, at time.Time) error {
	stones, err := parseStones(lines, len(s.b.Cells()), true)
	if err != nil {
		return err
	}
	if n := len(stones); n != 0 && n != 3 && n != 5 {
		return fmt.Errorf("swap2 has 0, 3 or 5 stones, not %d", n)
	}
	b, err := start(s.b.Game())
	if err != nil {
		return err
	}
	for _, st := range stones {
		if err := playPoint(b, st.point); err != nil {
			return err
		}
	}
	s.b = b
	return s.askSwap2(at, func(a opening.Answer) {
		if a.Swap {
			s.out.say("SWAP")
			return
		}
		s.answer(a.Moves)
	})
}

// askSwap2 has the player answer the board by the rule of swap2, and says what it answers.
func (s *session) askSwap2(at time.Time, say func(opening.Answer)) error {
	if err := s.able(); err != nil {
		return err
	}
	lim, latest := s.limits(at, 1)
	a := asker{mind: s.mind, latest: latest, report: s.reporter(1)}
	b := clone(s.b)
	s.begins(func(ctx context.Context) func() {
		answer, err := opening.Swapper{Analyze: a.analyze, Seed: s.Seed}.Swap2(ctx, b, lim)
		return func() {
			s.spend(at)
			if b.Ply() > 0 && a.first != nil {
				s.tell(a.first.info, a.first.err)
			}
			if s.check(err); err == nil {
				say(answer)
			}
		}
	})
	return nil
}

// rng returns the random numbers for a position.
func (s *session) rng() *rand.Rand { return rand.New(rand.NewPCG(s.Seed, s.b.Key())) }
