// SPDX-License-Identifier: Apache-2.0

package arena

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/opening"
	"github.com/krow-lab/krow/player"
)

// playSwap2 opens game i by swap2 and plays it. players are the proposer and the other one; it leaves them in their
// seats. A fault in the opening forfeits the game for the side of the proposer's seat, which is the first, or the other.
func (m Match) playSwap2(ctx context.Context, p game.Position, players *[2]player.Player, i int) Result {
	b, ok := p.(game.Board)
	if !ok {
		return Result{A: seatOfA(i), err: fmt.Errorf("%s has no board for swap2", p.Game())}
	}
	r := Result{A: seatOfA(i)}
	var last time.Duration
	black, stones, err := opening.Swap2(b, func(who int) (opening.Answer, error) {
		s, err := opening.For(players[who], playerSeed(m.Seed, i, game.Side(who)))
		if err != nil {
			return opening.Answer{}, err
		}
		c := b.Clone().(game.Board)
		a := ask(ctx, m.terms(), func(ctx context.Context) (opening.Answer, error) { return s.Swap2(ctx, c, m.Limits) })
		r.busy[who], last = a.busy, a.took
		return a.value, a.err
	})
	r.Moves = p.AppendHistory(nil)
	r.Opening = len(r.Moves)
	fault, isFault := errors.AsType[*opening.Fault](err)
	switch {
	case isFault && ctx.Err() != nil:
		r.Reason = ReasonStopped
		return r
	case isFault:
		r.forfeit(game.Side(fault.Who), reasonOf(fault.Err))
		return r
	}
	if black == 1 {
		players[0], players[1] = players[1], players[0]
		r.A = r.A.Other()
	}
	played := Play(ctx, p, *players, m.terms())
	played.A, played.Opening = r.A, stones
	if r.Opening > stones { // White's first move came with the choice
		played.Times = append([]time.Duration{last}, played.Times...)
	}
	return played
}
