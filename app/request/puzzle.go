// SPDX-License-Identifier: Apache-2.0

package request

import (
	"cmp"
	"context"
	"math/rand/v2"
	"time"

	"github.com/krow-lab/krow/app/diagram"
	"github.com/krow-lab/krow/app/puzzles"
	"github.com/krow-lab/krow/app/training"
)

// Puzzles answers requests about the training of a person.
type Puzzles struct{ Training *training.Training }

// PuzzleView is a puzzle as it is shown to a person, without its solution.
type PuzzleView struct {
	ID       string        `json:"id"`
	Game     string        `json:"game"`
	Moves    string        `json:"moves" doc:"moves that lead to the position"`
	Theme    puzzles.Theme `json:"theme"`
	Plies    int           `json:"plies,omitempty" doc:"plies of the win, or of the opponent's win that must be stopped"`
	Tempting int           `json:"tempting,omitempty" doc:"wrong moves that look good"`
	Nodes    uint64        `json:"nodes,omitempty" doc:"nodes of the search that proved the solution"`
	Grade    int           `json:"grade,omitempty" doc:"rating of the puzzle; 0 for the caller's own puzzles"`
	From     string        `json:"from"`
	Board    diagram.Board `json:"board"`
}

func (t Puzzles) view(p puzzles.Puzzle, err error) (PuzzleView, error) {
	if err != nil {
		return PuzzleView{}, err
	}
	b, err := PositionOf(p.Game, "", p.Moves)
	if err != nil {
		return PuzzleView{}, err
	}
	v := PuzzleView{p.ID(), p.Game, p.Moves, p.Theme, p.Plies, p.Tempting, p.Nodes, p.Grade, p.From, diagram.New(b)}
	if p.Grade > 0 {
		v.Grade, err = t.Training.Grade(&p)
	}
	return v, err
}

// TodayInput requests the puzzle of a day.
type TodayInput struct {
	Day string `query:"day" maxLength:"10" example:"2026-11-22" doc:"the day; empty for the current day by the server's clock"`
}

// Today returns the puzzle of a day.
func (t Puzzles) Today(_ context.Context, in *TodayInput) (PuzzleView, error) {
	p, err := t.Training.Today(cmp.Or(in.Day, time.Now().Format(time.DateOnly)))
	return t.view(p, wrong("bad-request", "query.day", err))
}

// NextPuzzleInput requests a puzzle, and restricts the choice.
type NextPuzzleInput struct {
	Game  string        `query:"game" maxLength:"100" doc:"spec of the game; empty for all games"`
	Theme puzzles.Theme `query:"theme" maxLength:"20" doc:"theme; empty for all themes"`
	Near  int           `query:"near" minimum:"0" maximum:"4000" doc:"rating of the puzzle; 0 for the caller's own rating"`
	Due   bool          `query:"due" doc:"only a puzzle that is to be repeated now"`
	After string        `query:"after" maxLength:"20" doc:"ID of a puzzle that must not be returned"`
}

// Next returns a puzzle near the person's rating.
func (t Puzzles) Next(_ context.Context, in *NextPuzzleInput) (PuzzleView, error) {
	return t.view(t.Training.Next(training.Wish{
		Game: in.Game, Theme: in.Theme, Near: in.Near, Due: in.Due, After: in.After, Now: time.Now(), Draw: rand.IntN,
	}))
}

// Progress returns the training progress of the person.
func (t Puzzles) Progress(context.Context, *struct{}) (training.Progress, error) {
	return t.Training.Progress(time.Now())
}

// PuzzleRef names a puzzle.
type PuzzleRef struct {
	ID string `path:"id" maxLength:"20"`
}

// Puzzle returns the puzzle with the given ID.
func (t Puzzles) Puzzle(_ context.Context, in *PuzzleRef) (PuzzleView, error) {
	return t.view(t.Training.Find(in.ID))
}

// HintInput requests help with a puzzle.
type HintInput struct {
	PuzzleRef
	Played string `query:"played" maxLength:"1000" doc:"moves since the puzzle's position"`
	Step   int    `query:"step" minimum:"1" maximum:"3"`
}

// Hint returns help in three steps: the theme, the part of the board, the move.
func (t Puzzles) Hint(ctx context.Context, in *HintInput) (h puzzles.Hint, err error) {
	p, err := t.Training.Find(in.ID)
	if err != nil {
		return h, err
	}
	h, err = p.Hint(ctx, in.Played, in.Step)
	return h, wrong("bad-move", in.Played, err)
}

// AnswerInput requests the judgement of a move in a puzzle.
type AnswerInput struct {
	PuzzleRef
	Played string `query:"played" maxLength:"1000" doc:"moves since the puzzle's position"`
	Move   string `query:"move" required:"true" maxLength:"20"`
}

// Answer returns the judgement of a move in a puzzle.
func (t Puzzles) Answer(ctx context.Context, in *AnswerInput) (a puzzles.Answer, err error) {
	p, err := t.Training.Find(in.ID)
	if err != nil {
		return a, err
	}
	a, err = p.Answer(ctx, in.Played, in.Move)
	return a, wrong("bad-move", in.Move, err)
}

// TriedInput reports the result of a person's try at a puzzle.
type TriedInput struct {
	PuzzleRef
	Body struct {
		Score float64 `json:"score" minimum:"0" maximum:"1" doc:"result of the try: 1 solved, 0.5 solved with a hint, 0 failed"`
	}
}

// Tried stores the result of a try, and returns the new progress.
func (t Puzzles) Tried(_ context.Context, in *TriedInput) (training.Progress, error) {
	return t.Training.Tried(in.ID, in.Body.Score, time.Now())
}

// OwnPuzzlesOutput lists puzzles.
type OwnPuzzlesOutput struct {
	Puzzles []PuzzleView `json:"puzzles" nullable:"false" doc:"the newest first"`
}

// Own lists the puzzles of the person's own games.
func (t Puzzles) Own(context.Context, *struct{}) (out OwnPuzzlesOutput, err error) {
	out.Puzzles = []PuzzleView{}
	own, err := t.Training.Own()
	if err != nil {
		return out, err
	}
	for _, p := range own {
		v, err := t.view(p, nil)
		if err != nil {
			return out, err
		}
		out.Puzzles = append(out.Puzzles, v)
	}
	return out, nil
}

// KeepPuzzleInput requests a new puzzle made of a position.
type KeepPuzzleInput struct {
	Body struct {
		Game  string `json:"game" maxLength:"100" example:"gomoku"`
		Moves string `json:"moves" maxLength:"40000" doc:"moves that lead to the position"`
		Line  string `json:"line" maxLength:"4000" doc:"best line of an engine in the position"`
	}
}

// Keep makes a puzzle of a position, and stores it among the person's own puzzles.
func (t Puzzles) Keep(ctx context.Context, in *KeepPuzzleInput) (PuzzleView, error) {
	if _, err := PositionOf(in.Body.Game, "", in.Body.Moves); err != nil {
		return PuzzleView{}, err
	}
	p, err := t.Training.Keep(ctx, in.Body.Game, in.Body.Moves, in.Body.Line, time.Now())
	return t.view(p, wrong("bad-move", in.Body.Line, err))
}

// Forget deletes one of the person's own puzzles.
func (t Puzzles) Forget(_ context.Context, in *PuzzleRef) error { return t.Training.Forget(in.ID) }
