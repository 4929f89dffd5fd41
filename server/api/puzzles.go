// SPDX-License-Identifier: Apache-2.0

package api

import (
	"cmp"
	"context"
	"math/rand/v2"
	"time"

	"github.com/krow-lab/krow/app/diagram"
	"github.com/krow-lab/krow/app/puzzles"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/training"
)

func (s *Server) registerPuzzles() {
	answerJSON(s, op(club.Watcher, "today", "GET", "/puzzles/today", "puzzles", "The puzzle of a day, the same for everybody"), s.today)
	answerJSON(s, op(club.Watcher, "next-puzzle", "GET", "/puzzles/next", "puzzles", "A puzzle near the person's rating"), s.nextPuzzle)
	answerJSON(s, op(club.Watcher, "progress", "GET", "/puzzles/progress", "puzzles", "How far the person has come"), s.progress)
	answerJSON(s, op(club.Watcher, "own-puzzles", "GET", "/puzzles/own", "puzzles", "The puzzles of the person's own games"), s.ownPuzzles)
	answerJSON(s, op(club.Member, "keep-puzzle", "POST", "/puzzles/own", "puzzles", "Make a puzzle of a position, and keep it"), inside(s.looks, s.keepPuzzle))
	remove(s, op(club.Member, "forget-puzzle", "DELETE", "/puzzles/own/{id}", "puzzles", "Forget a puzzle of the person's own"), s.forgetPuzzle)
	answerJSON(s, op(club.Watcher, "puzzle", "GET", "/puzzles/{id}", "puzzles", "A puzzle"), s.puzzle)
	answerJSON(s, op(club.Watcher, "hint", "GET", "/puzzles/{id}/hint", "puzzles", "Help in steps: the theme, where to look, the move"), inside(s.looks, s.hint))
	answerJSON(s, op(club.Watcher, "answer", "GET", "/puzzles/{id}/answer", "puzzles", "What becomes of a move"), inside(s.looks, s.answerPuzzle))
	answerJSON(s, op(club.Member, "tried", "POST", "/puzzles/{id}/tries", "puzzles", "Keep a try, and its effect on the rating"), s.tried)
}

// trainingOf returns the training of the caller. Visitors are beginners who keep nothing.
func (s *Server) trainingOf(ctx context.Context) (*training.Training, error) {
	t, err := s.training()
	if err != nil {
		return nil, err
	}
	return t.Of(club.From(ctx).Member), nil
}

// PuzzleView is a puzzle as it is asked; the answer is not in it.
type PuzzleView struct {
	ID       string        `json:"id"`
	Game     string        `json:"game"`
	Moves    string        `json:"moves" doc:"that lead to the position"`
	Theme    puzzles.Theme `json:"theme"`
	Plies    int           `json:"plies,omitempty" doc:"of the win, or of the loss that must be stopped"`
	Tempting int           `json:"tempting,omitempty" doc:"wrong moves that look good"`
	Nodes    uint64        `json:"nodes,omitempty" doc:"of the proof"`
	Grade    int           `json:"grade,omitempty" doc:"rating of the puzzle; 0 for one of the person's own"`
	From     string        `json:"from"`
	Board    diagram.Board `json:"board"`
}

func (s *Server) view(ctx context.Context, p puzzles.Puzzle, err error) (PuzzleView, error) {
	if err != nil {
		return PuzzleView{}, err
	}
	b, err := position(p.Game, "", p.Moves)
	if err != nil {
		return PuzzleView{}, err
	}
	v := PuzzleView{p.ID(), p.Game, p.Moves, p.Theme, p.Plies, p.Tempting, p.Nodes, p.Grade, p.From, diagram.New(b)}
	if p.Grade > 0 {
		t, err := s.trainingOf(ctx)
		if err != nil {
			return v, err
		}
		if v.Grade, err = t.Grade(&p); err != nil {
			return v, err
		}
	}
	return v, nil
}

type todayInput struct {
	Day string `query:"day" maxLength:"10" example:"2026-11-22" doc:"empty for today, by the server's clock"`
}

func (s *Server) today(ctx context.Context, in *todayInput) (PuzzleView, error) {
	t, err := s.trainingOf(ctx)
	if err != nil {
		return PuzzleView{}, err
	}
	p, err := t.Today(cmp.Or(in.Day, time.Now().Format(time.DateOnly)))
	if err != nil {
		err = badRequest.wrap(err, "query.day")
	}
	return s.view(ctx, p, err)
}

type nextPuzzleInput struct {
	Game  string        `query:"game" maxLength:"100" doc:"spec of the game; empty for all"`
	Theme puzzles.Theme `query:"theme" maxLength:"20" doc:"empty for all"`
	Near  int           `query:"near" minimum:"0" maximum:"4000" doc:"grade; 0 for the person's rating"`
	Due   bool          `query:"due" doc:"one that comes again now"`
	After string        `query:"after" maxLength:"20" doc:"not this one"`
}

func (s *Server) nextPuzzle(ctx context.Context, in *nextPuzzleInput) (PuzzleView, error) {
	t, err := s.trainingOf(ctx)
	if err != nil {
		return PuzzleView{}, err
	}
	p, err := t.Next(training.Wish{
		Game: in.Game, Theme: in.Theme, Near: in.Near, Due: in.Due, After: in.After, Now: time.Now(), Draw: rand.IntN,
	})
	return s.view(ctx, p, err)
}

func (s *Server) progress(ctx context.Context, _ *struct{}) (training.Progress, error) {
	t, err := s.trainingOf(ctx)
	if err != nil {
		return training.Progress{}, err
	}
	return t.Progress(time.Now())
}

// PuzzleRef names a puzzle in a request.
type PuzzleRef struct {
	ID string `path:"id" maxLength:"20"`
}

// find returns the puzzle, or the problem that there is none.
func (s *Server) findPuzzle(ctx context.Context, id string) (*training.Training, puzzles.Puzzle, error) {
	t, err := s.trainingOf(ctx)
	if err != nil {
		return nil, puzzles.Puzzle{}, err
	}
	p, err := t.Find(id)
	return t, p, err
}

func (s *Server) puzzle(ctx context.Context, in *PuzzleRef) (PuzzleView, error) {
	_, p, err := s.findPuzzle(ctx, in.ID)
	return s.view(ctx, p, err)
}

type hintInput struct {
	PuzzleRef
	Played string `query:"played" maxLength:"1000" doc:"moves since the puzzle's position"`
	Step   int    `query:"step" minimum:"1" maximum:"3"`
}

func (s *Server) hint(ctx context.Context, in *hintInput) (h puzzles.Hint, err error) {
	_, p, err := s.findPuzzle(ctx, in.ID)
	if err != nil {
		return h, err
	}
	h, err = p.Hint(ctx, in.Played, in.Step)
	return h, badMove.wrap(err, in.Played)
}

type answerInput struct {
	PuzzleRef
	Played string `query:"played" maxLength:"1000" doc:"moves since the puzzle's position"`
	Move   string `query:"move" required:"true" maxLength:"20"`
}

func (s *Server) answerPuzzle(ctx context.Context, in *answerInput) (a puzzles.Answer, err error) {
	_, p, err := s.findPuzzle(ctx, in.ID)
	if err != nil {
		return a, err
	}
	a, err = p.Answer(ctx, in.Played, in.Move)
	return a, badMove.wrap(err, in.Move)
}

type triedInput struct {
	PuzzleRef
	Body struct {
		Score float64 `json:"score" minimum:"0" maximum:"1" doc:"1 solved, 0.5 with a hint, 0 failed"`
	}
}

func (s *Server) tried(ctx context.Context, in *triedInput) (training.Progress, error) {
	t, p, err := s.findPuzzle(ctx, in.ID)
	if err != nil {
		return training.Progress{}, err
	}
	if err := s.shares.Try(clientOf(ctx), time.Now()); err != nil {
		return training.Progress{}, err
	}
	return t.Tried(p.ID(), in.Body.Score, time.Now())
}

type ownPuzzlesBody struct {
	Puzzles []PuzzleView `json:"puzzles" nullable:"false" doc:"the newest first"`
}

func (s *Server) ownPuzzles(ctx context.Context, _ *struct{}) (out ownPuzzlesBody, err error) {
	out.Puzzles = []PuzzleView{}
	t, err := s.trainingOf(ctx)
	if err != nil {
		return out, err
	}
	own, err := t.Own()
	if err != nil {
		return out, err
	}
	for _, p := range own {
		v, err := s.view(ctx, p, nil)
		if err != nil {
			return out, err
		}
		out.Puzzles = append(out.Puzzles, v)
	}
	return out, nil
}

type keepPuzzleInput struct {
	Body struct {
		Game  string `json:"game" maxLength:"100" example:"gomoku"`
		Moves string `json:"moves" maxLength:"40000" doc:"that lead to the position"`
		Line  string `json:"line" maxLength:"4000" doc:"what an engine would play there, the best move first"`
	}
}

func (s *Server) keepPuzzle(ctx context.Context, in *keepPuzzleInput) (PuzzleView, error) {
	t, err := s.trainingOf(ctx)
	if err != nil {
		return PuzzleView{}, err
	}
	b, err := position(in.Body.Game, "", in.Body.Moves)
	if err != nil {
		return PuzzleView{}, err
	}
	if err := s.fair(ctx, b); err != nil { // a puzzle tells whether a win is forced
		return PuzzleView{}, err
	}
	if err := s.room(ctx); err != nil {
		return PuzzleView{}, err
	}
	p, err := t.Keep(ctx, in.Body.Game, in.Body.Moves, in.Body.Line, time.Now())
	if err != nil {
		return PuzzleView{}, badMove.wrap(err, in.Body.Line)
	}
	return s.view(ctx, p, nil)
}

func (s *Server) forgetPuzzle(ctx context.Context, in *PuzzleRef) error {
	t, err := s.trainingOf(ctx)
	if err != nil {
		return err
	}
	return t.Forget(in.ID)
}
