// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"context"
	"fmt"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player/opening"
	"github.com/krow-lab/krow/search"
)

// swap2 reads the stones of the opening, Black's and White's in turn, and answers:
//
//	none    three stones: x,y x,y x,y
//	three   SWAP to play Black, a move to stay with White, or two stones, after which the other side chooses
//	five    SWAP to play Black, or a move to stay with White
func (s *session) swap2(c call) error {
	stones, err := parseStones(c.lines, len(s.b.Cells()), true)
	if err != nil {
		return err
	}
	if n := len(stones); n != 0 && n != 3 && n != 5 {
		return fmt.Errorf("swap2 expects 0, 3 or 5 stones, not %d", n)
	}
	b := start(s.b.Game())
	for _, st := range stones {
		if err := playPoint(b, st.point); err != nil {
			return err
		}
	}
	s.b = b
	if err := s.able(); err != nil {
		return err
	}
	s.work(c.at, func(ctx context.Context, a *asker, b game.Board, lim search.Limits) func() {
		answer, err := opening.Swapper{Analyze: a.analyze, Seed: s.Seed}.Swap2(ctx, b, lim)
		return func() {
			s.spend(c.at)
			if b.Ply() > 0 && a.first != nil {
				s.reportInfo(a.first.info, a.first.err)
			}
			switch s.reportError(err); {
			case err != nil:
			case answer.Swap:
				s.out.Say("SWAP")
			default:
				s.playAnswer(answer.Moves)
			}
		}
	})
	return nil
}
