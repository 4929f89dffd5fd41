// SPDX-License-Identifier: Apache-2.0

package arena

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/krow-lab/krow/arena/work"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/clock"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// TestSlowMachineGetsMoreTime: on a machine half as quick the times are doubled, and the records say so.
func TestSlowMachineGetsMoreTime(t *testing.T) {
	var limits []time.Duration
	maker := func(game.Game, string, uint64) (player.Player, error) {
		return script(func(ctx context.Context, p game.Position, lim search.Limits) (game.Move, error) {
			limits = append(limits, lim.Time)
			return first(ctx, p, lim)
		}), nil
	}
	speed := func() float64 { return 500 }
	rules := func(string) (game.Game, error) { return tictactoe, nil }
	for _, tc := range []struct {
		name string
		m    Match
		want time.Duration // of the first move
	}{
		{"time", Match{Limits: search.Limits{Time: 3 * time.Second}}, 6 * time.Second},
		{"clock", Match{Clock: clock.Control{Match: 10 * time.Second, Increment: time.Second}, Limits: search.Limits{Time: time.Second}}, 2 * time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := tc.m
			m.Times, m.Game, m.A, m.B, m.Games, m.Speed = true, tictactoe, scripted("a", first), scripted("b", first), 2, 1000
			m.Queue = work.Pool{Kinds: Kinds(rules, maker, speed)}
			m.OnGame = func(r record.Game) error {
				if r.Scale != 2 || len(r.Times) != len(r.Moves) {
					t.Errorf("played %+v", r)
				}
				return nil
			}
			limits = nil
			if _, err := m.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := limits[0]; got > tc.want || got < tc.want-100*time.Millisecond {
				t.Errorf("the first move had %v, want %v less a reserve", got, tc.want)
			}
			m.tally = &Tally{}
			for u, err := range m.gameUnits(0, newBook(m)) {
				if err != nil || !u.Clock {
					t.Errorf("%+v, %v", u, err)
				}
			}
			m.Queue = work.Pool{Kinds: Kinds(rules, maker, nil)}
			if _, err := m.Run(t.Context()); err == nil {
				t.Error("a game on the clock was played on a machine of unknown speed")
			}
			if m.Speed = 0; m.Check() == nil {
				t.Error("nobody knows whose times these are")
			}
		})
	}
}

// TestGuardForfeitsSlowMove: a move that takes longer than the guard forfeits the game, also where the player stops thinking when its context is done.
func TestGuardForfeitsSlowMove(t *testing.T) {
	slow := func(ctx context.Context, p game.Position, lim search.Limits) (game.Move, error) {
		<-ctx.Done()
		return first(ctx, p, lim)
	}
	deaf := func(ctx context.Context, p game.Position, lim search.Limits) (game.Move, error) {
		time.Sleep(time.Hour)
		return first(ctx, p, lim)
	}
	for name, b := range map[string]script{"slow": slow, "deaf": deaf} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := Match{Game: tictactoe, A: scripted("a", first), B: scripted("b", b), Games: 1, Guard: time.Minute}
				if sum, err := m.Run(t.Context()); err != nil || sum.BForfeits != 1 {
					t.Errorf("%+v, %v", sum, err)
				}
				time.Sleep(time.Hour) // until the deaf one has returned
			})
		})
	}
}
