// SPDX-License-Identifier: Apache-2.0

package arena

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/record"
	"github.com/krow-lab/krow/search"
)

// Terms are what a game is played under.
type Terms struct {
	Limits search.Limits // of each move
	Margin time.Duration // 0 means DefaultMargin
	// OnMove, unless nil, is called after each move with the position that it led to, which OnMove must
	// leave as it is, and the time it took.
	OnMove func(p game.Position, m game.Move, took time.Duration)
}

func (t Terms) margin() time.Duration {
	if t.Margin == 0 {
		return DefaultMargin
	}
	return t.Margin
}

// ReasonStopped is the reason of a result that is not in package record: the game was stopped.
const ReasonStopped = "stopped"

// Result is a game that was played.
type Result struct {
	Index   int       // of the game in its match
	A       game.Side // the seat of A
	Opening int       // how many of Moves were given
	Moves   []game.Move
	Times   []time.Duration // of each move after the opening
	Outcome game.Outcome    // Ongoing when the game was stopped
	// Reason is as in package record, or ReasonStopped.
	Reason  string
	Forfeit bool // the loser forfeited

	busy [2]<-chan struct{} // closed when the abandoned player's Move returns; nil for one not abandoned
	err  error              // ends the match
}

// forfeit ends the game against side.
func (r *Result) forfeit(side game.Side, reason string) {
	r.Outcome, r.Reason, r.Forfeit = game.WinFor(side.Other()), reason, true
}

// Play plays p to its end, players[game.First] against players[game.Second], and leaves p at the last
// legal move. What the history of p holds already is the opening. When ctx is done the game is stopped. Play
// closes nobody.
func Play(ctx context.Context, p game.Position, players [2]player.Player, t Terms) Result {
	r := Result{Moves: p.AppendHistory(nil)}
	r.Opening = len(r.Moves)
	for p.Outcome() == game.Ongoing {
		if ctx.Err() != nil {
			r.Reason = ReasonStopped
			return r
		}
		side := p.Turn()
		c := p.Clone()
		a := ask(ctx, t, func(ctx context.Context) (game.Move, error) { return players[side].Move(ctx, c, t.Limits) })
		r.busy[side] = a.busy
		if a.err != nil && ctx.Err() != nil {
			continue
		}
		if a.err == nil {
			a.err = game.Play(p, a.value)
		}
		if a.err != nil {
			r.forfeit(side, reasonOf(a.err))
			return r
		}
		r.Moves = append(r.Moves, a.value)
		r.Times = append(r.Times, a.took)
		if t.OnMove != nil {
			t.OnMove(p, a.value, a.took)
		}
	}
	r.Outcome, r.Reason = p.Outcome(), record.Ending(p)
	return r
}

// reasonOf says in one line why a player forfeits.
func reasonOf(err error) string {
	if errors.Is(err, player.ErrTimeout) || errors.Is(err, context.DeadlineExceeded) {
		return record.ReasonTime
	}
	if e := new(game.IllegalMoveError); errors.As(err, &e) {
		return oneLine(e)
	}
	return "error: " + oneLine(err)
}

// maxReason bounds what a player can write into the record.
const maxReason = 200

func oneLine(err error) string {
	s := strings.Join(strings.Fields(err.Error()), " ")
	if runes := []rune(s); len(runes) > maxReason {
		s = string(runes[:maxReason]) + "..."
	}
	return s
}
