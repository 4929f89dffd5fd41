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

// Queued says that others come first.
type Queued struct {
	Place   int     `json:"place" doc:"how many come first, this one included"`
	Seconds float64 `json:"seconds" doc:"about how long that takes"`
}

// Done ends an analysis.
type Done struct {
	Reason string `json:"reason" enum:"finished,turn,stopped,error" doc:"turn: its turn is over, and others wait"`
	Error  string `json:"error,omitempty"`
	Code   string `json:"code,omitempty" doc:"of the problem that the error is"`
}

// trouble ends an analysis that went wrong.
func trouble(err error) Done {
	p := problemOf(err)
	return Done{Reason: "error", Error: p.Detail, Code: p.Code}
}

// beat is how often the latest answers are sent.
const beat = 100 * time.Millisecond

// analysis waits for its turn, searches, and sends what the search says.
func (s *Server) analysis(ctx context.Context, in *analysisInput, send sse.Sender) {
	ctx, cancel := s.linked(ctx)
	defer cancel()
	t, err := s.queue.join(in.client)
	if err != nil {
		_ = send.Data(trouble(err))
		return
	}
	defer s.queue.leave(t)
	if !s.wait(ctx, t, send) {
		return
	}
	s.numbers.analyses.Add(1)
	_ = send.Data(s.search(ctx, cancel, in, t, send)) // a client that has gone need not know
}

// wait sends the place in the queue until the turn has come, and says whether it has.
func (s *Server) wait(ctx context.Context, t *ticket, send sse.Sender) bool {
	tick := time.NewTicker(pulse)
	defer tick.Stop()
	told := 0
	for {
		place, wait := s.queue.place(t)
		if place != told && place > 0 {
			if send.Data(Queued{place, wait.Seconds()}) != nil {
				return false
			}
			told = place
		}
		select {
		case <-t.turn:
			return true
		case <-ctx.Done():
			return false
		case <-tick.C:
			if send.Data(Pulse{}) != nil {
				return false
			}
		case <-t.moved:
		}
	}
}

// search runs the analysis and returns how it ended.
func (s *Server) search(ctx context.Context, cancel context.CancelFunc, in *analysisInput, t *ticket, send sse.Sender) Done {
	p, err := playerOf(in.position.Game(), in.Player, 1)
	if err != nil {
		return trouble(err)
	}
	defer player.Close(p)
	var latest analysis.Latest
	start, finished := time.Now(), make(chan error, 1)
	lim := search.Limits{Time: time.Duration(in.Seconds) * time.Second, Lines: in.Lines}
	go func() {
		info, err := analysis.Ask(ctx, p, in.position, lim, latest.Put)
		if err == nil {
			latest.Put(info)
		}
		finished <- err
	}()
	// tell sends the latest answers, if there are any, and says whether they could be sent.
	tell := func() bool {
		lines := analysis.Lines{Player: p.Name(), Lines: latest.All(), TimeMS: time.Since(start).Milliseconds()}
		return len(lines.Lines) == 0 || send.Data(lines) == nil
	}
	tick := time.NewTicker(beat)
	defer tick.Stop()
	reason := "finished"
	for {
		select {
		case err := <-finished:
			tell()
			switch {
			case reason != "finished":
				return Done{Reason: reason}
			case ctx.Err() != nil:
				return Done{Reason: "stopped"}
			case err != nil:
				return trouble(err)
			}
			return Done{Reason: reason}
		case <-tick.C:
			if ctx.Err() == nil && s.queue.over(t) {
				reason = "turn"
				cancel()
			}
			if ctx.Err() == nil && !tell() {
				reason = "stopped"
				cancel()
			}
		}
	}
}
