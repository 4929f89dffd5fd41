// SPDX-License-Identifier: Apache-2.0

package arena

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/clock"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/opening"
	"github.com/krow-lab/krow/search"
)

// tenSeconds is a game of ten seconds a side and one more for each move.
var tenSeconds = clock.Control{Match: 10 * time.Second, Increment: time.Second}

// planner is a Clocked that notes what it is told, and moves after as long as it likes.
type planner struct {
	script
	told *[]time.Duration // what is left, and the limit of each move
	left time.Duration
}

func (p *planner) SetClock(c clock.Clock) { p.left = c.Left() }

func (p *planner) Move(ctx context.Context, pos game.Position, lim search.Limits) (game.Move, error) {
	*p.told = append(*p.told, p.left, lim.Time)
	return p.script(ctx, pos, lim)
}

// A clock runs while its player thinks, and the increment comes after the move. The other player's time is its own.
func TestClockRunsOnlyForItsPlayer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []time.Duration
		p := &planner{script: sleeping(2500 * time.Millisecond), told: &told}
		r := play(t.Context(), tictactoe.Start(), [2]player.Player{p, script(first)}, Match{Clock: tenSeconds})
		if r.Outcome != game.FirstWins || r.Forfeited() {
			t.Fatalf("got %+v, want a win of the first by the rules", r)
		}
		var want []time.Duration
		for _, left := range []time.Duration{10000, 8500, 7000, 5500} {
			want = append(want, left*time.Millisecond, left*time.Millisecond)
		}
		if !slices.Equal(told, want) {
			t.Errorf("told %v, want %v", told, want)
		}
	})
}

// A player that does not plan by itself gets the budget of each move, and stays within its time if it keeps to it.
func TestClockBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var budgets []time.Duration
		slow := script(func(ctx context.Context, p game.Position, lim search.Limits) (game.Move, error) {
			if lim.Depth != 7 || lim.Nodes != 9 {
				t.Errorf("the other limits are %+v", lim)
			}
			budgets = append(budgets, lim.Time)
			if lim.Most < lim.Time {
				t.Errorf("%v, at most %v", lim.Time, lim.Most)
			}
			time.Sleep(lim.Most)
			return first(ctx, p, lim)
		})
		m := Match{Clock: clock.Control{Match: time.Minute}, Limits: search.Limits{Depth: 7, Nodes: 9, Time: 5 * time.Second}}
		r := play(t.Context(), connect4.Start(), [2]player.Player{slow, slow}, m)
		if r.Forfeited() || len(budgets) != len(r.Moves) {
			t.Fatalf("got %+v", r)
		}
		// 42 cells: a tenth of a minute would be more than a move may take, and less its reserve.
		if budgets[0] != 5*time.Second-30*time.Millisecond || budgets[len(budgets)-1] >= 3*time.Second {
			t.Errorf("budgets %v", budgets)
		}
	})
}

func TestClockForfeits(t *testing.T) {
	tests := []struct {
		name  string
		s     script
		moves int // of the slow side before it loses
		after time.Duration
	}{
		// 10 s, 8 s, 6 s, ... are left; the fifth move has 2 s.
		{"too slow", sleeping(3 * time.Second), 4, 12*time.Second + 2200*time.Millisecond},
		{"within the margin", sleeping(10*time.Second + 100*time.Millisecond), 1, 11300 * time.Millisecond},
		{"hanging", hanging, 0, 10 * time.Second},
		{"deaf", sleeping(time.Hour), 0, 10200 * time.Millisecond},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				defer time.Sleep(2 * time.Hour)
				start := time.Now()
				r := play(t.Context(), connect4.Start(), [2]player.Player{script(first), tc.s}, Match{Clock: tenSeconds})
				if r.Outcome != game.FirstWins || r.Reason != record.ReasonTime || !r.Forfeited() || len(r.Moves) != 2*tc.moves+1 {
					t.Errorf("got %+v, want a loss on time after %d moves", r, tc.moves)
				}
				if got := time.Since(start); got != tc.after {
					t.Errorf("over after %v, want %v", got, tc.after)
				}
			})
		})
	}
}

// In swap2 each player uses its own time, wherever it sits afterwards.
func TestClockSwap2(t *testing.T) {
	three, swap := opening.Answer{Moves: []game.Move{40, 41, 42}}, opening.Answer{Swap: true}
	for slow, want := range [2]game.Outcome{game.FirstWins, game.SecondWins} { // the one who chooses takes Black
		synctest.Test(t, func(t *testing.T) {
			f := func(who int) Factory {
				o := opener{swap2: map[int]opening.Answer{0: three, 3: swap}}
				if who == slow {
					o.wait = 9 * time.Second
				}
				return Factory{string("ab"[who]), func(uint64) (player.Player, error) { return o, nil }}
			}
			m := Match{Game: gomoku9, A: f(0), B: f(1), Games: 1, Opening: "swap2", Clock: clock.Control{Match: 12 * time.Second}}
			m.OnGame = func(r record.Game) error {
				if r.Outcome != want || r.Reason != record.ReasonTime {
					t.Errorf("player %d is slow: %v by %q, want %v by time", slow, r.Outcome, r.Reason, want)
				}
				return nil
			}
			if _, err := m.Run(t.Context()); err != nil {
				t.Error(err)
			}
			time.Sleep(time.Hour)
		})
	}
}

// Record and match say the clock, and a record tells the time of each move.
func TestClockRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := Match{Game: tictactoe, A: scripted("slow", sleeping(time.Second)), B: random, Games: 1, Seed: 2, Clock: tenSeconds}
		if got, want := m.String(), "tictactoe a=slow b=random games=1 seed=2 clock=10s+1s margin=100ms"; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		var g record.Game
		m.OnGame = func(r record.Game) error {
			g = r
			return nil
		}
		if _, err := m.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if g.Clock != "10s+1s" || len(g.Times) != len(g.Moves) || g.Times[0] != time.Second {
			t.Errorf("recorded %+v", g)
		}
	})
}
