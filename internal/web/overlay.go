// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/threat"
)

// Overlay is what can be seen in a position without searching.
type Overlay struct {
	K       int      `json:"k,omitempty" doc:"how many stones in a row win, where rows win"`
	Threats []Threat `json:"threats" nullable:"false" doc:"rows of both sides that are on the way, of two stones and more"`
	Wins    []Point  `json:"wins" nullable:"false" doc:"cells on which a stone of a side wins at once"`
	Forks   []Point  `json:"forks" nullable:"false" doc:"cells on which a stone of a side makes two such cells or more"`
	Values  []Value  `json:"values" nullable:"false" doc:"what a heuristic thinks of each legal move"`
}

// Threat is a row of stones of one side.
type Threat struct {
	Side  string `json:"side" enum:"first,second"`
	Size  int    `json:"size" doc:"stones"`
	Class string `json:"class" enum:"closed,half-open,open,complete"`
	Cells []int  `json:"cells" nullable:"false"`
	Gap   int    `json:"gap" doc:"the free cell within, or -1"`
}

// Point is a cell that means something to a side.
type Point struct {
	Side string `json:"side" enum:"first,second"`
	Cell int    `json:"cell"`
	Move string `json:"move"`
}

// Value is what a heuristic thinks of a move of the side to move.
type Value struct {
	Cell  int     `json:"cell"`
	Move  string  `json:"move"`
	Score float64 `json:"score" doc:"in the heuristic's unit"`
}

type overlayInput struct {
	Place
	Heuristic string `query:"heuristic" maxLength:"100" example:"mics" doc:"spec of a heuristic that values moves; empty for none"`
}

type overlayOutput struct{ Body Overlay }

// forkCells is how large a board may be on which forks are looked for: the work grows with the square of its cells.
const forkCells = 400

func (s *Server) overlay(ctx context.Context, in *overlayInput) (*overlayOutput, error) {
	if err := in.find(); err != nil {
		return nil, err
	}
	if err := enter(ctx, s.looks); err != nil {
		return nil, err
	}
	defer func() { <-s.looks }()
	b := in.position
	o := Overlay{Threats: []Threat{}, Wins: []Point{}, Forks: []Point{}, Values: []Value{}}
	if lined, ok := b.(game.Lined); ok {
		o.K, o.Threats = lined.K(), threats(lined)
	}
	if b.Outcome() == game.Ongoing {
		for _, side := range []game.Side{b.Turn(), b.Turn().Other()} {
			p, ok := withTurn(b, side)
			if !ok {
				continue
			}
			o.Wins = append(o.Wins, wins(p, side)...)
			if len(b.Cells()) <= forkCells {
				o.Forks = append(o.Forks, forks(p, side)...)
			}
		}
		if in.Heuristic != "" {
			var err error
			if o.Values, err = values(b, in.Heuristic); err != nil {
				return nil, badHeuristic.of(err, in.Heuristic)
			}
		}
	}
	return &overlayOutput{o}, nil
}

func threats(b game.Lined) []Threat {
	all := []Threat{}
	for _, t := range threat.Find(b) {
		if t.Size >= 2 && t.Class != threat.Closed {
			all = append(all, Threat{t.Side.String(), t.Size, t.Class.String(), append([]int{}, t.Cells...), t.Gap})
		}
	}
	return all
}

// withTurn returns the same stones with side to move, where the rules know such a position.
func withTurn(b game.Board, side game.Side) (game.Board, bool) {
	if side == b.Turn() {
		return b.Clone().(game.Board), true
	}
	g := b.Game()
	if part, ok := g.(interface{ StonesSuffice() bool }); ok && !part.StonesSuffice() {
		return nil, false
	}
	setter, canSet := g.(game.Setter)
	now, canTell := b.(game.Settable)
	if !canSet || !canTell {
		return nil, false
	}
	state := now.Setup()
	state.Turn = side
	p, err := setter.SetUp(state)
	if err != nil {
		return nil, false
	}
	return p.(game.Board), true
}

// wins returns the moves of p that win at once for side, who is to move.
func wins(p game.Board, side game.Side) []Point {
	var all []Point
	for _, m := range p.AppendMoves(nil) {
		p.Play(m)
		won := p.Outcome() == game.WinFor(side)
		p.Undo()
		if won {
			all = append(all, Point{side.String(), p.Cell(m), p.Game().Format(m)})
		}
	}
	return all
}

// forks returns the moves of p, sound and no wins, after which side wins on two cells if the other side passes.
func forks(p game.Board, side game.Side) []Point {
	var all []Point
	f, _ := p.(game.Forbidder)
	for _, m := range p.AppendMoves(nil) {
		if f != nil && f.Forbidden(m) != "" {
			continue
		}
		cell, name := p.Cell(m), p.Game().Format(m)
		p.Play(m)
		if p.Outcome() == game.Ongoing {
			if q, ok := withTurn(p, side); ok && len(wins(q, side)) > 1 {
				all = append(all, Point{side.String(), cell, name})
			}
		}
		p.Undo()
	}
	return all
}

func values(b game.Board, heuristic string) ([]Value, error) {
	if err := public(heuristic); err != nil {
		return nil, err
	}
	scorer, err := catalog.Scorer(b.Game(), heuristic)
	if err != nil {
		return nil, err
	}
	all := []Value{}
	p := b.Clone().(game.Board)
	for _, m := range b.AppendMoves(nil) {
		all = append(all, Value{b.Cell(m), b.Game().Format(m), scorer.ScoreMove(p, m).Units()})
	}
	return all, nil
}
