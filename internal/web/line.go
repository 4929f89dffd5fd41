// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/krow-lab/krow/game"
)

type lineInput struct {
	Place
	Line  string `query:"line" maxLength:"40000" example:"i9 g7" doc:"moves that go on from there"`
	Makes bool   `query:"makes" doc:"tell what each move makes; of the first 40"`
}

// Step is a move of a line.
type Step struct {
	Move  string `json:"move"`
	Cell  int    `json:"cell" doc:"on which its stone lands"`
	Side  string `json:"side" enum:"first,second"`
	Makes string `json:"makes,omitempty" enum:"win,double,four,three" doc:"double: two cells or more that win next, four: one, three: a fork next"`
}

type lineOutput struct {
	Body struct {
		Steps []Step `json:"steps" nullable:"false"`
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
	if in.Makes {
		if err := enter(ctx, s.looks); err != nil {
			return nil, err
		}
		defer func() { <-s.looks }()
	}
	ctx, cancel := context.WithTimeout(ctx, makesTime)
	defer cancel()
	out := &lineOutput{}
	out.Body.Steps = []Step{}
	p := in.position
	for i, word := range strings.Fields(in.Line) {
		m, err := p.Game().Parse(word)
		if err == nil && !game.Legal(p, m) {
			err = fmt.Errorf("move %d of the line, %s, is not legal there", i+1, word)
		}
		if err != nil {
			return nil, badMove.because(err.Error(), word)
		}
		step := Step{Move: p.Game().Format(m), Cell: p.Cell(m), Side: p.Turn().String()}
		side := p.Turn()
		p.Play(m)
		if in.Makes && i < maxMakes && ctx.Err() == nil {
			step.Makes = makes(p, side)
		}
		out.Body.Steps = append(out.Body.Steps, step)
	}
	return out, nil
}

// makes says what side, which has just moved, would do next if it could move again, or "" where that is nothing or
// the rules know no such position.
func makes(p game.Board, side game.Side) string {
	if p.Outcome() != game.Ongoing {
		if p.Outcome() == game.WinFor(side) {
			return "win"
		}
		return ""
	}
	q, ok := withTurn(p, side)
	if !ok || p.Turn() == side {
		return ""
	}
	switch n := len(wins(q, side)); {
	case n > 1:
		return "double"
	case n == 1:
		return "four"
	case len(p.Cells()) <= forkCells && len(forks(q, side)) > 0:
		return "three"
	}
	return ""
}
