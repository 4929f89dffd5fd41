// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"time"

	"github.com/krow-lab/krow/app/diagram"
	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
)

type overlayInput struct {
	Place
	Heuristic string `query:"heuristic" maxLength:"100" example:"mics" doc:"spec of a heuristic that values moves; empty for none"`
}

type overlayOutput struct{ Body diagram.Overlay }

// overlay answers with what can be seen in a position without searching.
func (s *Server) overlay(ctx context.Context, in *overlayInput) (*overlayOutput, error) {
	if err := in.find(); err != nil {
		return nil, err
	}
	if err := enter(ctx, s.looks); err != nil {
		return nil, err
	}
	defer func() { <-s.looks }()
	var scorer eval.MoveScorer
	if in.Heuristic != "" && in.position.Outcome() == game.Ongoing {
		var err error
		if scorer, err = catalog.PublicScorer(in.position.Game(), in.Heuristic); err != nil {
			return nil, badHeuristic.of(err, in.Heuristic)
		}
	}
	return &overlayOutput{diagram.NewOverlay(in.position, scorer)}, nil
}

type lineInput struct {
	Place
	Line  string `query:"line" maxLength:"40000" example:"i9 g7" doc:"moves that go on from there"`
	Makes bool   `query:"makes" doc:"tell what each move makes; of the first 40"`
}

type lineOutput struct {
	Body struct {
		Steps []diagram.Step `json:"steps" nullable:"false"`
	}
}

// What a line may cost: how many of its moves are looked at, since the longest ways to win are shorter, and the time
// after which no more are.
const (
	maxMakes  = 40
	makesTime = 3 * time.Second
)

// enter takes a place among those that a channel has room for, as soon as there is one.
func enter(ctx context.Context, room chan struct{}) error {
	select {
	case room <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// line tells where the moves of a line are played, by whom, and what they threaten.
func (s *Server) line(ctx context.Context, in *lineInput) (*lineOutput, error) {
	if err := in.find(); err != nil {
		return nil, err
	}
	few := 0
	if in.Makes {
		if err := enter(ctx, s.looks); err != nil {
			return nil, err
		}
		defer func() { <-s.looks }()
		few = maxMakes
	}
	ctx, cancel := context.WithTimeout(ctx, makesTime)
	defer cancel()
	out := &lineOutput{}
	var err error
	if out.Body.Steps, err = diagram.Line(ctx, in.position, in.Line, few); err != nil {
		return nil, badMove.of(err, "")
	}
	return out, nil
}
