// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"time"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/app/training"
	"github.com/krow-lab/krow/server/club"
)

func (s *Server) registerPuzzles() {
	answerJSON(s, op(club.Watcher, "today", "GET", "/puzzles/today", "puzzles", "The puzzle of a day, the same for everybody"), trained(s, request.Puzzles.Today))
	answerJSON(s, op(club.Watcher, "next-puzzle", "GET", "/puzzles/next", "puzzles", "A puzzle near the caller's rating"), trained(s, request.Puzzles.Next))
	answerJSON(s, op(club.Watcher, "progress", "GET", "/puzzles/progress", "puzzles", "The caller's rating and progress"), trained(s, request.Puzzles.Progress))
	answerJSON(s, op(club.Watcher, "own-puzzles", "GET", "/puzzles/own", "puzzles", "List the caller's own puzzles, made from the caller's games"), trained(s, request.Puzzles.Own))
	answerJSON(s, op(club.Member, "keep-puzzle", "POST", "/puzzles/own", "puzzles", "Make a puzzle from a position, and store it"), inside(s.looks, s.keepPuzzle))
	remove(s, op(club.Member, "forget-puzzle", "DELETE", "/puzzles/own/{id}", "puzzles", "Delete one of the caller's own puzzles"), s.forgetPuzzle)
	answerJSON(s, op(club.Watcher, "puzzle", "GET", "/puzzles/{id}", "puzzles", "A puzzle"), trained(s, request.Puzzles.Puzzle))
	answerJSON(s, op(club.Watcher, "hint", "GET", "/puzzles/{id}/hint", "puzzles", "A hint in three steps: the theme, the part of the board, the move"), inside(s.looks, trained(s, request.Puzzles.Hint)))
	answerJSON(s, op(club.Watcher, "answer", "GET", "/puzzles/{id}/answer", "puzzles", "Whether a move solves the puzzle, and how the game continues"), inside(s.looks, trained(s, request.Puzzles.Answer)))
	answerJSON(s, op(club.Member, "tried", "POST", "/puzzles/{id}/tries", "puzzles", "Store a try at a puzzle, and its effect on the rating"), s.tried)
}

// puzzlesOf returns the puzzles and the progress of the caller. A visitor always has the progress of a beginner, and
// the progress of visitors is not stored.
func (s *Server) puzzlesOf(ctx context.Context) (request.Puzzles, error) {
	t, err := s.training()
	if err != nil {
		return request.Puzzles{}, err
	}
	return request.Puzzles{Training: t.Of(club.From(ctx).Member)}, nil
}

// trained returns the function of an operation. This function calls f with the puzzles and the progress of the caller.
func trained[I, O any](s *Server, f func(request.Puzzles, context.Context, *I) (O, error)) func(context.Context, *I) (O, error) {
	return func(ctx context.Context, in *I) (out O, err error) {
		t, err := s.puzzlesOf(ctx)
		if err != nil {
			return out, err
		}
		return f(t, ctx, in)
	}
}

func (s *Server) tried(ctx context.Context, in *request.TriedInput) (p training.Progress, err error) {
	t, err := s.puzzlesOf(ctx)
	if err != nil {
		return p, err
	}
	if _, err := t.Training.Find(in.ID); err != nil {
		return p, err
	}
	if err := s.shares.Tries.Take(clientOf(ctx), time.Now()); err != nil {
		return p, err
	}
	return t.Tried(ctx, in)
}

func (s *Server) keepPuzzle(ctx context.Context, in *request.KeepPuzzleInput) (v request.PuzzleView, err error) {
	b, err := request.PositionOf(in.Body.Game, "", in.Body.Moves)
	if err != nil {
		return v, err
	}
	if err := s.fair(ctx, b); err != nil { // making a puzzle reveals whether there is a forced win
		return v, err
	}
	if err := s.room(ctx); err != nil {
		return v, err
	}
	return trained(s, request.Puzzles.Keep)(ctx, in)
}

func (s *Server) forgetPuzzle(ctx context.Context, in *request.PuzzleRef) error {
	t, err := s.puzzlesOf(ctx)
	if err != nil {
		return err
	}
	return t.Forget(ctx, in)
}
