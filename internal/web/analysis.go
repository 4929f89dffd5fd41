// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/krow-lab/krow/app/analysis"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

type analysisInput struct {
	Place
	Player  string `query:"player" default:"best" maxLength:"200" doc:"spec of a player who says what it thinks"`
	Lines   int    `query:"lines" minimum:"1" maximum:"10" default:"1" doc:"how many best moves to report"`
	Seconds int    `query:"seconds" minimum:"1" maximum:"600" default:"10"`
	Tab     string `cookie:"krow" maxLength:"40"`

	client string
}

// Resolve finds the position and makes the player, since a stream that has begun cannot be refused.
func (in *analysisInput) Resolve(ctx huma.Context) []error {
	err := in.find()
	if err == nil {
		err = analyst(in.position.Game(), in.Player)
	}
	if err == nil && in.position.Outcome() != game.Ongoing {
		err = gameOver.plain()
	}
	if err != nil {
		return []error{err}
	}
	in.client = clientOf(ctx.RemoteAddr(), in.Tab)
	return nil
}

// analyst returns an error unless a spec names a player that says what it thinks. The player that searches is made
// only when its turn has come.
func analyst(g game.Game, text string) error {
	p, err := playerOf(g, text, 1)
	if err != nil {
		return err
	}
	defer player.Close(p)
	if _, ok := p.(player.Analyst); !ok {
		return noAnalyst.because(text+" has nothing to say about a position", text)
	}
	return nil
}

// analysis searches for a turn, and sends what the search says.
func (s *Server) analysis(ctx context.Context, in *analysisInput, send sse.Sender) {
	var latest analysis.Latest
	var name string
	var start time.Time
	err := s.turn(ctx, in.client, send, func(ctx context.Context) error {
		p, err := playerOf(in.position.Game(), in.Player, 1)
		if err != nil {
			return err
		}
		defer player.Close(p)
		name, start = p.Name(), time.Now()
		info, err := analysis.Ask(ctx, p, in.position, search.Limits{Time: time.Duration(in.Seconds) * time.Second, Lines: in.Lines}, latest.Put)
		if err == nil {
			latest.Put(info)
		}
		return err
	}, func() error {
		if all := latest.All(); len(all) > 0 {
			return send.Data(analysis.Lines{Player: name, Lines: all, TimeMS: time.Since(start).Milliseconds()})
		}
		return nil
	})
	end(send, err)
}
