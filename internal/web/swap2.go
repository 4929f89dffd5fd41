// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"fmt"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/opening"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// The opening by swap2 is played before there is a game: the page keeps the stones, asks what a player says to them,
// and begins the game with whoever plays first then.

type swap2Input struct {
	Place
	Player string `query:"player" default:"best" maxLength:"200" doc:"spec of the player who answers"`
	Seed   uint64 `query:"seed" doc:"decides between which stones a proposal is chosen"`
}

type swap2Output struct {
	Body struct {
		Swap  bool     `json:"swap" doc:"to play the first side"`
		Moves []string `json:"moves" nullable:"false" doc:"three stones, two more, or one to play the second side"`
	}
}

// swap2Time bounds an answer.
const swap2Time = 3 * time.Second

// swap2 answers a board of 0, 3 or 5 stones by the rule of swap2.
func (s *Server) swap2(ctx context.Context, in *swap2Input) (*swap2Output, error) {
	if err := in.find(); err != nil {
		return nil, err
	}
	b := in.position
	switch stones := b.Ply(); {
	case b.Outcome() != game.Ongoing:
		return nil, gameOver.plain()
	case stones != 0 && stones != 3 && stones != 5:
		return nil, badSwap2.because(fmt.Sprintf("swap2 has 0, 3 or 5 stones, not %d", stones), "")
	case len(b.AppendHistory(nil)) != stones:
		return nil, badSwap2.because("swap2 begins with an empty board", "")
	}
	a, err := s.opener(ctx, in)
	if err == nil {
		err = a.Check(b)
	}
	if err != nil {
		return nil, badSwap2.of(err, in.Player)
	}
	out := &swap2Output{}
	out.Body.Swap, out.Body.Moves = a.Swap, []string{}
	for _, m := range a.Moves {
		out.Body.Moves = append(out.Body.Moves, b.Game().Format(m))
	}
	return out, nil
}

// opener lets the player answer, when there is room for one more to think.
func (s *Server) opener(ctx context.Context, in *swap2Input) (a opening.Answer, err error) {
	ctx, cancel := s.linked(ctx)
	defer cancel()
	done, err := s.live.Room(ctx)
	if err != nil {
		return a, s.fault(err)
	}
	defer done()
	p, err := playerOf(in.position.Game(), in.Player, in.Seed)
	if err != nil {
		return a, err
	}
	defer player.Close(p)
	o, err := opening.For(p, in.Seed)
	if err != nil {
		return a, err
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return o.Swap2(ctx, in.position, search.Limits{Time: swap2Time})
}
