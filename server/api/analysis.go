// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/krow-lab/krow/app/analysis"
	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/server/gate"
)

type analysisInput struct{ request.AnalysisInput }

// Resolve finds the position before the stream begins, because the server cannot answer with an error status after the stream
// has begun.
func (in *analysisInput) Resolve(huma.Context) []error {
	return wrong(in.Ongoing())
}

// wrong returns err as the result of Resolve: a list of one error, or nil.
func wrong(err error) []error {
	if err == nil {
		return nil
	}
	return []error{problemOf(err)}
}

const (
	// endless is the time limit of an analysis that runs until its client ends it.
	endless = 1000 * time.Hour
	// Analyses without a time limit take turns when the server is busy. maxMemories is the maximum number of analyses that keep
	// their player, with its search results, between two turns. A player holds tens of megabytes.
	maxMemories = 4
)

func (s *Server) analysis(ctx context.Context, in *analysisInput, send sse.Sender) {
	if err := s.fair(ctx, in.Board()); err != nil {
		sendDone(send, err)
		return
	}
	defer s.numbers.analysisTime.UpdateDuration(time.Now())
	var latest analysis.Latest
	var p player.Player
	defer func() {
		if p != nil {
			player.Close(p)
		}
	}()
	lim := search.Limits{Time: time.Duration(in.Seconds) * time.Second, Lines: in.Lines}
	patient := in.Seconds == 0
	if patient {
		lim.Time = endless
	}
	var start time.Time
	// best is the greatest number of nodes of a result from the previous turns. A turn may begin the search again, so a new
	// result with fewer nodes is sent only if it is solved.
	best := uint64(0)
	work := func(ctx context.Context) (err error) {
		if p == nil { // true in the first turn, and if the player of the previous turn was not kept
			if p, err = request.AnalystOf(in.Board().Game(), in.Player); err != nil {
				return err
			}
			start = time.Now()
		}
		info, err := analysis.Ask(ctx, p, in.Board(), lim, latest.Put)
		if err == nil {
			latest.Put(info)
		}
		return err
	}
	tell := func() error {
		all := latest.Lines()
		if len(all.Lines) == 0 || all.Lines[0].Nodes < best && !all.Lines[0].Solved {
			return nil
		}
		all.Player, all.TimeMS = p.Name(), time.Since(start).Milliseconds()
		return send.Data(all)
	}
	err := s.workInTurn(ctx, clientOf(ctx), patient, send, work, tell)
	for patient && err == errTurn {
		if all := latest.Lines(); len(all.Lines) > 0 {
			best = max(best, all.Lines[0].Nodes)
		}
		latest.Clear()
		forget, kept := s.memories.Try(clientOf(ctx))
		if !kept {
			player.Close(p)
			p, best = nil, 0
		}
		err = s.workInTurn(ctx, clientOf(ctx), patient, send, work, tell)
		if kept {
			forget()
		}
	}
	sendDone(send, err)
}

func (s *Server) lab(ctx context.Context, in *request.LabInput) (analysis.Tree, error) {
	return request.Lab(ctx, in, s.within(request.LabTime))
}

type reviewInput struct{ request.ReviewInput }

// Resolve finds the position before the stream begins, because the server cannot answer with an error status after the stream
// has begun.
func (in *reviewInput) Resolve(huma.Context) []error {
	return wrong(in.Find())
}

// LevelsPlayed contains the estimated level of play of each side of a reviewed game.
type LevelsPlayed struct {
	Levels []analysis.LevelPlayed `json:"levels" nullable:"false" doc:"the levels at which the sides played; none for a side with fewer than five moves, or whose moves are far more like random moves than like any level"`
}

// review judges each position of a game and sends each judgement at once.
func (s *Server) review(ctx context.Context, in *reviewInput, send sse.Sender) {
	ctx, cancel := s.linked(ctx)
	defer cancel()
	defer s.numbers.analysisTime.UpdateDuration(time.Now())
	// A review takes one turn in the queue for each position, so that other clients have turns in between.
	_, err := inTurns(ctx, s, clientOf(ctx), send, func(next func() error) (none struct{}, err error) {
		err = analysis.Review(in.Board(), func(p game.Board) (info analysis.Info, err error) {
			if err := s.fair(ctx, p); err != nil {
				return info, err
			}
			if err := next(); err != nil {
				return info, err
			}
			pl, err := request.AnalystOf(p.Game(), in.Player)
			if err != nil {
				return info, err
			}
			defer player.Close(pl)
			return analysis.Ask(ctx, pl, p, search.Limits{Time: s.within(time.Duration(in.Millis) * time.Millisecond)}, nil)
		}, func(j analysis.Judgement) error {
			if send.Data(j) != nil {
				return gate.ErrGone
			}
			return nil
		})
		if err == nil {
			err = next()
		}
		if err != nil {
			return none, err
		}
		all, err := analysis.LevelsPlayed(ctx, in.Board(), 0, s.within(analysis.LevelsTime))
		if err == nil && send.Data(LevelsPlayed{all}) != nil {
			err = gate.ErrGone
		}
		return none, err
	})
	sendDone(send, err)
}
