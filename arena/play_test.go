// SPDX-License-Identifier: Apache-2.0

package arena

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/renju"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// One second a move and the usual margin of a tenth.
func TestPlayForfeits(t *testing.T) {
	tests := []struct {
		name   string
		s      script
		reason string
		after  time.Duration // the game is given up
	}{
		{"illegal", illegal, "illegal move", 0},
		{"no move", func(context.Context, game.Position, search.Limits) (game.Move, error) { return game.NoMove, nil }, "illegal move -1 at ply", 0},
		{"erring", erring, "error: no idea", 0},
		{"panicking", panicking, "error: panic: runtime error: index out of range", 0},
		{"leaving", leaving, "error: the player's goroutine ended", 0},
		{"late", sleeping(1150 * time.Millisecond), "time", 1150 * time.Millisecond},
		{"far too late", sleeping(time.Minute), "time", 1200 * time.Millisecond},
		{"hanging", hanging, "time", time.Second},
		{"admitting", func(context.Context, game.Position, search.Limits) (game.Move, error) {
			return game.NoMove, player.ErrTimeout
		}, "time", 0},
		{"long story", func(context.Context, game.Position, search.Limits) (game.Move, error) {
			panic(strings.Repeat("ä", 1000))
		}, "error: panic: " + strings.Repeat("ä", 143) + "..." + strings.Repeat("ä", 50), 0},
	}
	for _, tc := range tests {
		for _, side := range []game.Side{game.First, game.Second} {
			t.Run(tc.name+"/"+side.String(), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					defer time.Sleep(time.Hour) // by then the abandoned ones are back
					players := [2]player.Player{script(first), script(first)}
					players[side] = tc.s
					start, p := time.Now(), tictactoe.Start()
					r := play(t.Context(), p, players, Match{Limits: search.Limits{Time: time.Second}})
					if r.Outcome != game.WinFor(side.Other()) || !strings.HasPrefix(r.Reason, tc.reason) || !r.Forfeited() {
						t.Errorf("got %v, %q, forfeit %v, want %v, %q", r.Outcome, r.Reason, r.Forfeited(), game.WinFor(side.Other()), tc.reason)
					}
					if got := time.Since(start); got != tc.after {
						t.Errorf("gave up after %v, want %v", got, tc.after)
					}
					if len(r.Moves) != int(side) || len(r.Times) != int(side) || p.Outcome() != game.Ongoing {
						t.Errorf("%d moves, %d times, %v, want %d moves and an ongoing position", len(r.Moves), len(r.Times), p.Outcome(), side)
					}
				})
			})
		}
	}
}

func TestPlayInTime(t *testing.T) {
	tests := []struct {
		name string
		s    script
		lim  search.Limits
		took time.Duration
	}{
		{"at once", first, search.Limits{Time: time.Second}, 0},
		{"within the margin", sleeping(1050 * time.Millisecond), search.Limits{Time: time.Second}, 1050 * time.Millisecond},
		{"told by its context", obedient, search.Limits{Time: time.Second}, time.Second},
		{"without a limit", sleeping(time.Hour), search.Limits{Depth: 3}, time.Hour},
		{"vandal", vandal, search.Limits{}, 0},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := play(t.Context(), tictactoe.Start(), [2]player.Player{tc.s, script(first)}, Match{Limits: tc.lim})
				// a1 b1 c1 a2 b2 c2 a3: the diagonal from the first to the last wins for First.
				if r.Outcome != game.FirstWins || r.Reason != "win" || r.Forfeited() || len(r.Moves) != 7 {
					t.Fatalf("got %+v, want a win of the first in 7 plies", r)
				}
				for i, took := range r.Times {
					if want := tc.took * time.Duration((i+1)%2); took != want {
						t.Errorf("move %d took %v, want %v", i+1, took, want)
					}
				}
			})
		})
	}
}

func TestPlayStops(t *testing.T) {
	for name, s := range map[string]script{"hanging": hanging, "obedient": obedient, "deaf": sleeping(time.Hour)} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				defer time.Sleep(2 * time.Hour)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				start := time.Now()
				r := play(ctx, tictactoe.Start(), [2]player.Player{s, s}, Match{})
				if r.Outcome != game.Ongoing || r.Reason != "" || r.Forfeited() {
					t.Errorf("got %+v, want a game that was stopped", r)
				}
				if got := time.Since(start); got > time.Minute+2*DefaultMargin {
					t.Errorf("stopped after %v", got)
				}
			})
		})
	}
}

// In Connect6 a side moves twice; whoever is asked must be the side to move.
func TestPlayAsksTheSideToMove(t *testing.T) {
	var asked []game.Side
	ask := func(side game.Side) script {
		return func(ctx context.Context, p game.Position, lim search.Limits) (game.Move, error) {
			asked = append(asked, side)
			return first(ctx, p, lim)
		}
	}
	p := connect6.Start()
	var seen []game.Side
	r := play(t.Context(), p, [2]player.Player{ask(game.First), ask(game.Second)}, Match{
		Watch: func(r record.Game, p game.Position) {
			if !slices.Equal(r.Moves, p.AppendHistory(nil)) {
				t.Errorf("watched the moves %v after %v", r.Moves, p.AppendHistory(nil))
			}
			seen = append(seen, p.Turn())
		},
	})
	if !slices.Equal(asked, seen) || !slices.Equal(asked[:5], []game.Side{0, 1, 1, 0, 0}) {
		t.Errorf("asked %v, to move %v", asked, seen)
	}
	if !slices.Equal(r.Moves, p.AppendHistory(nil)) || r.Outcome != p.Outcome() || r.Outcome == game.Ongoing {
		t.Errorf("result %+v, position %v after %v", r, p.Outcome(), p.AppendHistory(nil))
	}
}

// What the history holds is the opening; a game that is over is not played.
func TestPlayFromPosition(t *testing.T) {
	p := tictactoe.Start()
	p.Play(4)
	p.Play(0)
	players := [2]player.Player{script(first), script(first)}
	r := play(t.Context(), p, players, Match{})
	if r.Opening != 2 || len(r.Times) != len(r.Moves)-2 || r.Moves[0] != 4 {
		t.Errorf("got %+v, want an opening of 2", r)
	}
	again := play(t.Context(), p, players, Match{})
	if again.Outcome != r.Outcome || again.Reason != r.Reason || again.Opening != len(r.Moves) {
		t.Errorf("a game that is over became %+v", again)
	}
}

// Six in a row lose for Black in renju, and the record says why.
func TestPlayForbidden(t *testing.T) {
	g := must(renju.New(15))
	black, white := line(g, "a1 b1 c1 e1 f1 d1"), line(g, "a15 c15 e15 g15 i15")
	r := play(t.Context(), g.Start(), [2]player.Player{black, white}, Match{})
	if r.Outcome != game.SecondWins || r.Reason != "forbidden: overline" || r.Forfeited() {
		t.Errorf("got %+v, want a loss by an overline", r)
	}
}

// line plays the moves given, one after the other.
func line(g game.Game, moves string) script {
	words := strings.Fields(moves)
	return func(_ context.Context, p game.Position, _ search.Limits) (game.Move, error) {
		return g.Parse(words[p.Ply()/2])
	}
}
