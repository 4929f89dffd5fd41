// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/krow-lab/krow/app/analysis"
	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

type labInput struct {
	Place
	Search    string `query:"search" enum:"minimax,alphabeta" default:"minimax"`
	Heuristic string `query:"heuristic" default:"none" maxLength:"100"`
	Depth     int    `query:"depth" minimum:"1" maximum:"9" default:"3"`
	Order     bool   `query:"order" doc:"alpha-beta looks at moves that a heuristic prefers first"`
	Limit     int    `query:"limit" minimum:"1" maximum:"20000" default:"6000" doc:"nodes to write down; the search goes on to its end"`
}

type labOutput struct{ Body analysis.Tree }

// What a tree may cost: cells of its board, since heuristics that scan are dear on large ones; positions visited; and
// time, which a search runs out of only where a heuristic is very slow.
const (
	labCells  = 64
	labVisits = 400_000
	labTime   = 3 * time.Second
)

// lab is the search lab: a search with every node written down, to be watched.
func (s *Server) lab(ctx context.Context, in *labInput) (*labOutput, error) {
	if err := in.find(); err != nil {
		return nil, err
	}
	b := in.position
	if len(b.Cells()) > labCells && b.Game().Moves() > labCells {
		return nil, largeTree.because(fmt.Sprintf("a tree of %s cannot be looked at: take a board of at most %d cells", b.Game(), labCells), strconv.Itoa(labCells))
	}
	if b.Outcome() != game.Ongoing {
		return nil, gameOver.plain()
	}
	ev, err := catalog.PublicEvaluator(b.Game(), in.Heuristic)
	if err != nil {
		return nil, badHeuristic.of(err, in.Heuristic)
	}
	if err := enter(ctx, s.trees); err != nil {
		return nil, err
	}
	defer func() { <-s.trees }()
	o := analysis.TraceOptions{
		AlphaBeta: in.Search == "alphabeta", Eval: ev, Nodes: in.Limit,
		Limits: search.Limits{Depth: in.Depth, Nodes: labVisits, Time: labTime},
	}
	if in.Order {
		o.Order, _ = ev.(eval.MoveScorer)
	}
	t, err := analysis.Trace(ctx, b, o)
	return &labOutput{t}, err
}
