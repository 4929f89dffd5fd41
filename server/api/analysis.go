// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/analysis"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

type analysisInput struct {
	Place
	Player  string `query:"player" default:"best" maxLength:"200" doc:"spec of a player who says what it thinks"`
	Lines   int    `query:"lines" minimum:"1" maximum:"10" default:"1" doc:"how many best moves to report"`
	Seconds int    `query:"seconds" minimum:"0" maximum:"600" default:"10" doc:"0: until the client leaves; it gives way to games where cores are few"`
}

// Resolve finds the position, since a stream that has begun cannot be refused.
func (in *analysisInput) Resolve(huma.Context) []error {
	err := in.find()
	if err == nil && in.position.Outcome() != game.Ongoing {
		err = gameOver.new()
	}
	return wrong(err)
}

// wrong returns the errors of Resolve: one error, or none.
func wrong(err error) []error {
	if err == nil {
		return nil
	}
	return []error{err}
}

// analystOf returns the player of a spec, who must be able to analyse.
func analystOf(g game.Game, text string) (player.Player, error) {
	p, err := playerOf(g, text, 1)
	if err != nil {
		return nil, err
	}
	if _, ok := p.(player.Analyst); !ok {
		player.Close(p)
		return nil, noAnalyst.with(text+" has nothing to say about a position", text)
	}
	return p, nil
}

const (
	// endless is the time of an analysis that only its client ends.
	endless = 1000 * time.Hour
	// maxMemories is how many analyses that wait for their next turn keep what they know: tens of megabytes each.
	maxMemories = 4
)

func (s *Server) analysis(ctx context.Context, in *analysisInput, send sse.Sender) {
	if err := s.fair(ctx, in.position); err != nil {
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
	best := uint64(0) // nodes of the turns before
	work := func(ctx context.Context) (err error) {
		if p == nil { // the player keeps its memory from turn to turn, if there is room
			if p, err = analystOf(in.position.Game(), in.Player); err != nil {
				return err
			}
			start = time.Now()
		}
		info, err := analysis.Ask(ctx, p, in.position, lim, latest.Put)
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

type labInput struct {
	Place
	Search    string `query:"search" enum:"minimax,alphabeta" default:"minimax"`
	Heuristic string `query:"heuristic" default:"none" maxLength:"100"`
	Depth     int    `query:"depth" minimum:"1" maximum:"9" default:"3"`
	Order     bool   `query:"order" doc:"alpha-beta looks at moves that a heuristic prefers first"`
	Limit     int    `query:"limit" minimum:"1" maximum:"20000" default:"6000" doc:"nodes to write down; the search goes on to its end"`
}

// The limits of a tree: cells of its board, since some heuristics scan them all, positions visited, and time.
const (
	labCells  = 64
	labVisits = 400_000
	labTime   = 3 * time.Second
)

// lab is the search lab: a search with every node written down, to be watched.
func (s *Server) lab(ctx context.Context, in *labInput) (analysis.Tree, error) {
	if err := in.find(); err != nil {
		return analysis.Tree{}, err
	}
	b := in.position
	if err := s.fair(ctx, b); err != nil {
		return analysis.Tree{}, err
	}
	if len(b.Cells()) > labCells && b.Game().Moves() > labCells {
		return analysis.Tree{}, largeTree.with(fmt.Sprintf("a tree of %s cannot be looked at: take a board of at most %d cells", b.Game(), labCells), strconv.Itoa(labCells))
	}
	if b.Outcome() != game.Ongoing {
		return analysis.Tree{}, gameOver.new()
	}
	ev, err := krow.EvaluatorBy(spec.Untrusted, b.Game(), in.Heuristic)
	if err != nil {
		return analysis.Tree{}, badHeuristic.wrap(err, in.Heuristic)
	}
	o := analysis.TraceOptions{
		AlphaBeta: in.Search == "alphabeta", Eval: ev, Nodes: in.Limit,
		Limits: search.Limits{Depth: in.Depth, Nodes: labVisits, Time: s.within(labTime)},
	}
	if in.Order {
		o.Order, _ = ev.(eval.MoveScorer)
	}
	return analysis.Trace(ctx, b, o)
}

type reviewInput struct {
	Place
	Player string `query:"player" default:"best" maxLength:"200" doc:"spec of a player who says what it thinks"`
	Millis int    `query:"millis" minimum:"20" maximum:"5000" default:"300" doc:"for each position"`
}

// Resolve finds the position, since a stream that has begun cannot be refused.
func (in *reviewInput) Resolve(huma.Context) []error {
	return wrong(in.find())
}

// review judges each position of a game and sends each judgement at once.
func (s *Server) review(ctx context.Context, in *reviewInput, send sse.Sender) {
	if err := s.fair(ctx, in.position); err != nil {
		sendDone(send, err)
		return
	}
	ctx, cancel := s.linked(ctx)
	defer cancel()
	defer s.numbers.analysisTime.UpdateDuration(time.Now())
	// A review takes a turn for each position: others come between them.
	_, err := inTurns(ctx, s, clientOf(ctx), send, func(next func() error) (none struct{}, err error) {
		return none, analysis.Review(in.position, func(p game.Board) (info analysis.Info, err error) {
			if err := next(); err != nil {
				return info, err
			}
			pl, err := analystOf(p.Game(), in.Player)
			if err != nil {
				return info, err
			}
			defer player.Close(pl)
			return analysis.Ask(ctx, pl, p, search.Limits{Time: s.within(time.Duration(in.Millis) * time.Millisecond)}, nil)
		}, func(j analysis.Judgement) error {
			if send.Data(j) != nil {
				return errGone
			}
			return nil
		})
	})
	sendDone(send, err)
}
