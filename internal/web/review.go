// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"net"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

type reviewInput struct {
	Place
	Player string `query:"player" default:"best" maxLength:"200" doc:"spec of a player who says what it thinks"`
	Millis int    `query:"millis" minimum:"20" maximum:"5000" default:"300" doc:"for each position"`
	Tab    string `cookie:"krow" maxLength:"40"`

	client string
}

// Resolve finds the position, since a stream that has begun cannot be refused.
func (in *reviewInput) Resolve(ctx huma.Context) []error {
	err := in.find()
	if err == nil {
		err = analyst(in.position.Game(), in.Player)
	}
	if err != nil {
		return []error{err}
	}
	in.client = clientOf(ctx.RemoteAddr(), in.Tab)
	return nil
}

// clientOf names whoever asks, as far as that can be told.
func clientOf(address, tab string) string {
	if host, _, err := net.SplitHostPort(address); err == nil {
		address = host
	}
	return address + " " + tab
}

// Judgement is what a player thinks of one position of a game, for the first side.
type Judgement struct {
	Ply    int     `json:"ply" doc:"moves since the start of the line"`
	Chance float64 `json:"chance" doc:"of the first side to win, from 0 to 1"`
	Best   string  `json:"best,omitempty" doc:"the move to play, absent at the end of the game"`
	Cell   int     `json:"cell" doc:"of that move, or -1"`
	Solved bool    `json:"solved"`
	Loss   float64 `json:"loss" doc:"what the move played next loses of its side's chance, from 0 to 1; 0 for the best"`
}

// review judges each position of a game, the last one first, since that is known best, and tells each as it comes.
func (s *Server) review(ctx context.Context, in *reviewInput, send sse.Sender) {
	ctx, cancel := s.linked(ctx)
	defer cancel()
	t, err := s.queue.join(in.client)
	if err != nil {
		_ = send.Data(trouble(err))
		return
	}
	defer func() { s.queue.leave(t) }()
	p := in.position.Clone().(game.Board)
	moves := p.AppendHistory(nil)
	next := -1.0 // the chance after the move that follows
	for ply := len(moves); ply >= 0; ply-- {
		// A review is as many turns as there are positions: others come between them.
		if s.queue.over(t) {
			s.queue.leave(t)
			if t, err = s.queue.join(in.client); err != nil {
				_ = send.Data(trouble(err))
				return
			}
		}
		if !s.wait(ctx, t, send) {
			return
		}
		j, err := s.judge(ctx, in, p, ply)
		if err != nil {
			_ = send.Data(trouble(err))
			return
		}
		if next >= 0 && !(ply < len(moves) && j.Best == p.Game().Format(moves[ply])) {
			j.Loss = max(0, j.Chance-next)
			if p.Turn() == game.Second {
				j.Loss = max(0, next-j.Chance)
			}
		}
		next = j.Chance
		if send.Data(j) != nil {
			return
		}
		if ply > 0 {
			p.Undo()
		}
	}
	_ = send.Data(Done{Reason: "finished"}) // whoever has gone need not know
}

// judge searches one position.
func (s *Server) judge(ctx context.Context, in *reviewInput, p game.Board, ply int) (Judgement, error) {
	j := Judgement{Ply: ply, Cell: -1, Chance: 0.5}
	if winner, won := p.Outcome().Winner(); won {
		j.Chance, j.Solved = float64(1-winner), true
		return j, nil
	}
	if p.Outcome() != game.Ongoing {
		j.Solved = true
		return j, nil
	}
	pl, err := playerOf(p.Game(), in.Player, 1)
	if err != nil {
		return j, err
	}
	defer leave(pl)
	var last Info
	err = consult(ctx, pl.(player.Analyst), p.Clone(), search.Limits{Time: time.Duration(in.Millis) * time.Millisecond}, func(i search.Info) {
		if i.Line <= 1 {
			last = newInfo(pl.Name(), p, i)
		}
	})
	if err != nil || len(last.PV) == 0 {
		return j, err
	}
	j.Chance, j.Best, j.Cell, j.Solved = last.Chance, last.PV[0], last.Cells[0], last.Solved
	if p.Turn() == game.Second {
		j.Chance = 1 - j.Chance
	}
	return j, nil
}
