// SPDX-License-Identifier: Apache-2.0

package request

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/analysis"
	"github.com/krow-lab/krow/app/solve"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// AnalysisInput requests a player's analysis of a position.
type AnalysisInput struct {
	Place
	Player  string `query:"player" default:"best" maxLength:"200" doc:"spec of a player that can analyse positions"`
	Lines   int    `query:"lines" minimum:"1" maximum:"10" default:"1" doc:"number of best moves to report"`
	Seconds int    `query:"seconds" minimum:"0" maximum:"600" default:"10" doc:"time limit; 0: the analysis runs until the client disconnects, and pauses while games need the cores"`
}

// AnalystOf returns the player that a spec describes, or an error if this player cannot analyse positions.
func AnalystOf(g game.Game, text string) (player.Player, error) {
	p, err := PlayerOf(g, text, 1)
	if err != nil {
		return nil, err
	}
	if _, ok := p.(player.Analyst); !ok {
		player.Close(p)
		return nil, fault.About("no-analyst", text, errors.New(text+" has nothing to say about a position"))
	}
	return p, nil
}

// LabInput requests the recorded tree of a search.
type LabInput struct {
	Place
	Search    string `query:"search" enum:"minimax,alphabeta" default:"minimax"`
	Heuristic string `query:"heuristic" default:"none" maxLength:"100"`
	Depth     int    `query:"depth" minimum:"1" maximum:"9" default:"3"`
	Order     bool   `query:"order" doc:"whether alpha-beta tries the moves that a heuristic prefers first"`
	Limit     int    `query:"limit" minimum:"1" maximum:"20000" default:"6000" doc:"maximum number of recorded nodes; the search itself is completed"`
}

// The limits of a recorded search: the number of cells of the board (some heuristics scan all cells), the number of visited
// positions, and the time.
const (
	labCells  = 64
	labVisits = 400_000
	LabTime   = 3 * time.Second
)

// Lab searches a position for at most the time limit, and returns the tree of the search, which the search lab of the page
// shows.
func Lab(ctx context.Context, in *LabInput, limit time.Duration) (analysis.Tree, error) {
	if err := in.Ongoing(); err != nil {
		return analysis.Tree{}, err
	}
	b := in.position
	if len(b.Cells()) > labCells && b.Game().Moves() > labCells {
		return analysis.Tree{}, fault.About("large-tree", strconv.Itoa(labCells), fmt.Errorf("the search tree of %s cannot be shown: choose a board of at most %d cells", b.Game(), labCells))
	}
	ev, err := krow.EvaluatorBy(spec.Untrusted, b.Game(), in.Heuristic)
	if err != nil {
		return analysis.Tree{}, wrong("bad-heuristic", in.Heuristic, err)
	}
	o := analysis.TraceOptions{
		AlphaBeta: in.Search == "alphabeta", Eval: ev, Nodes: in.Limit,
		Limits: search.Limits{Depth: in.Depth, Nodes: labVisits, Time: limit},
	}
	if in.Order {
		o.Order, _ = ev.(eval.MoveScorer)
	}
	return analysis.Trace(ctx, b, o)
}

// ReviewInput requests a player's evaluation of each position of a game.
type ReviewInput struct {
	Place
	Player string `query:"player" default:"best" maxLength:"200" doc:"spec of a player that can analyse positions"`
	Millis int    `query:"millis" minimum:"20" maximum:"5000" default:"300" doc:"time for each position"`
}

// SolveInput requests the proved value of a position.
type SolveInput struct {
	Place
	Seconds int `query:"seconds" minimum:"1" maximum:"600" default:"60" doc:"time limit of the work, without the time in the queue"`
	Hash    int `query:"hash" minimum:"1" maximum:"256" default:"64" doc:"size of the table in MB"`
}

// Solvable sets up the position of the request, and returns an error if krow has no solver for its game.
func (in *SolveInput) Solvable() error {
	if err := in.Ongoing(); err != nil {
		return err
	}
	if !solve.Knows(in.position.Game()) {
		return fault.About("no-solver", in.Game, fmt.Errorf("no solver can solve every position of %s", in.position.Game()))
	}
	return nil
}
