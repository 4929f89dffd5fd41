// SPDX-License-Identifier: Apache-2.0

package arena

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/krow-lab/krow/arena/stats"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// sameResults compares all but the times.
var sameResults = cmp.Options{
	cmpopts.IgnoreFields(record.Game{}, "Times"), cmpopts.EquateEmpty(),
	cmp.Comparer(func(a, b game.Game) bool { return a.String() == b.String() }),
}

// run plays m and returns its results beside the summary.
func run(t *testing.T, m Match) (Summary, []record.Game) {
	t.Helper()
	var results []record.Game
	m.OnGame = func(r record.Game) error {
		results = append(results, r)
		return nil
	}
	s, err := m.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s, results
}

func TestRunIsDeterministic(t *testing.T) {
	for _, g := range games() {
		t.Run(g.String(), func(t *testing.T) {
			m := Match{Game: g, A: random, B: scripted("first", first), Games: 25, Seed: 7, RandomPlies: 1}
			s1, r1 := run(t, m)
			for _, n := range []int{2, 4} {
				m.Jobs = n
				s, r := run(t, m)
				if d := cmp.Diff(s1, s); d != "" {
					t.Errorf("jobs %d: summary (-1 +%d)\n%s", n, n, d)
				}
				if d := cmp.Diff(r1, r, sameResults); d != "" {
					t.Errorf("jobs %d: results (-1 +%d)\n%s", n, n, d)
				}
			}
			m.Seed++
			if _, r := run(t, m); cmp.Equal(r1, r, sameResults) && g.Moves() > 7 {
				t.Error("another seed gives the same games")
			}
		})
	}
}

// An opening is played twice, with sides exchanged, an odd last game once.
func TestRunPairs(t *testing.T) {
	m := Match{Game: connect4, A: random, B: random, Games: 7, Openings: [][]game.Move{{3, 3}, {0, 1, 2}, {}}}
	_, results := run(t, m)
	for i, r := range results {
		want := m.Openings[i/2%3]
		if r.Index != i || r.A != game.Side(i%2) || r.Opening != len(want) || !slices.Equal(r.Moves[:r.Opening], want) {
			t.Errorf("game %d: %+v, want the opening %v", i, r, want)
		}
	}
	if len(results) != 7 {
		t.Errorf("%d games, want 7", len(results))
	}
}

// Evenly random tic-tac-toe is won by whoever begins with probability 737/1260, by the other with 121/420, and
// drawn with 8/63. Two such players are equal.
func TestRandomTicTacToe(t *testing.T) {
	const n = 6000
	s, _ := run(t, Match{Game: tictactoe, A: random, B: random, Games: n, Seed: 1, Jobs: 2})
	for _, tc := range []struct {
		name string
		got  int
		p    float64
	}{{"first wins", s.FirstWins, 737.0 / 1260}, {"second wins", s.SecondWins, 121.0 / 420}, {"draws", s.Draws, 8.0 / 63}} {
		if dev := math.Sqrt(n * tc.p * (1 - tc.p)); math.Abs(float64(tc.got)-n*tc.p) > 3.5*dev {
			t.Errorf("%d %s, want %.0f ± %.0f", tc.got, tc.name, n*tc.p, dev)
		}
	}
	if math.Abs(s.Elo) > 2*s.EloError {
		t.Errorf("Elo %+.1f ± %.1f between equals", s.Elo, s.EloError)
	}
	if s.Games != n || s.AWins+s.BWins+s.Draws != n || s.FirstWins+s.SecondWins != s.AWins+s.BWins || s.Forfeits != 0 {
		t.Errorf("%+v does not add up", s)
	}
}

// Every player is new, has a seed of its own, and is closed once.
func TestRunMakesAndClosesPlayers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer time.Sleep(time.Hour)
		seeds := make(chan uint64, 100)
		var closed atomic.Int64
		make := func(s script) Factory {
			return Factory{"closer", func(seed uint64) (player.Player, error) {
				seeds <- seed
				return closer{s, &closed}, nil
			}}
		}
		m := Match{Game: tictactoe, A: make(first), B: make(sleeping(time.Minute)), Games: 10, Jobs: 3, Limits: search.Limits{Time: time.Second}}
		s, _ := run(t, m)
		if s.BForfeits != 10 || closed.Load() != 10 {
			t.Errorf("%d forfeits, %d closed, want 10 and, the others being abandoned, 10", s.BForfeits, closed.Load())
		}
		time.Sleep(time.Minute)
		if closed.Load() != 20 {
			t.Errorf("%d closed in the end, want 20", closed.Load())
		}
		close(seeds)
		seen := map[uint64]bool{}
		for seed := range seeds {
			seen[seed] = true
		}
		if len(seen) != 20 {
			t.Errorf("%d seeds, want 20", len(seen))
		}
	})
}

func TestRunGoesOnAfterForfeits(t *testing.T) {
	for name, s := range map[string]script{"illegal": illegal, "erring": erring, "panicking": panicking, "leaving": leaving} {
		t.Run(name, func(t *testing.T) {
			s, results := run(t, Match{Game: tictactoe, A: scripted(name, s), B: random, Games: 9, Jobs: 2})
			want := Summary{
				Games: 9, BWins: 9, FirstWins: 4, SecondWins: 5, Forfeits: 9, AForfeits: 9,
				Elo: stats.Elo(1.0 / 36), EloError: s.EloError, LOS: s.LOS, Pentanomial: stats.Pentanomial{4},
			}
			if d := cmp.Diff(want, s, cmpopts.EquateApprox(0, 1e-9)); d != "" {
				t.Errorf("summary (-want +got)\n%s", d)
			}
			for _, r := range results {
				if !r.Forfeited() || r.Reason == "" {
					t.Errorf("game %d: %+v, want a forfeit", r.Index, r)
				}
			}
		})
	}
}

// A player that cannot be made ends the match before it began, and later forfeits the game.
func TestRunWithoutPlayer(t *testing.T) {
	failing := func(from int64, fail func() (player.Player, error)) Factory {
		var made atomic.Int64
		return Factory{"broken", func(seed uint64) (player.Player, error) {
			if made.Add(1) > from {
				return fail()
			}
			return random.New(seed)
		}}
	}
	fails := map[string]func() (player.Player, error){
		"player broken: no file":          func() (player.Player, error) { return nil, errors.New("no file") },
		"player broken: panic: no memory": func() (player.Player, error) { panic("no memory") },
		"player broken: there is none":    func() (player.Player, error) { return nil, nil },
	}
	for want, fail := range fails {
		s, err := Match{Game: tictactoe, A: random, B: failing(0, fail), Games: 4}.Run(t.Context())
		if err == nil || err.Error() != want || s.Games != 0 {
			t.Errorf("at once: %+v, %v, want %q", s, err, want)
		}
		s, results := run(t, Match{Game: tictactoe, A: random, B: failing(2, fail), Games: 5})
		if s.BForfeits != 3 || results[4].Reason != "error: "+want || results[4].Outcome != game.FirstWins {
			t.Errorf("later: %+v, %+v, want 3 forfeits", s, results)
		}
	}
}

// The test ends the match after the pair that decides it, at any jobs.
func TestRunStopsBySPRT(t *testing.T) {
	m := Match{
		Game: connect4, A: random, B: scripted("first", first), Games: 100_000, Seed: 3, RandomPlies: 2,
		SPRT: &stats.SPRT{Elo0: 0, Elo1: 60},
	}
	s1, r1 := run(t, m)
	if s1.Games%2 != 0 || s1.Games != len(r1) || s1.SPRT == "" || s1.LLR == nil || math.Abs(*s1.LLR) < 2.94 {
		t.Fatalf("%+v with %d results, want an early decision", s1, len(r1))
	}
	for _, n := range []int{2, 4} {
		m.Jobs = n
		if s, r := run(t, m); !cmp.Equal(s1, s) || !cmp.Equal(r1, r, sameResults) {
			t.Errorf("jobs %d: %+v, want %+v", n, s, s1)
		}
	}
	m.Games = s1.Games - 1
	if s, _ := run(t, m); s.SPRT != "" || s.Games != m.Games {
		t.Errorf("a game less: %+v, want no decision", s)
	}
}

func TestRunStopsByError(t *testing.T) {
	full := errors.New("disk full")
	for _, n := range []int{1, 4} {
		m := Match{Game: tictactoe, A: random, B: random, Games: 1000, Jobs: n}
		m.OnGame = func(r record.Game) error {
			if r.Index == 5 {
				return full
			}
			return nil
		}
		if s, err := m.Run(t.Context()); err != full || s.Games != 6 {
			t.Errorf("jobs %d: %d games, %v, want 6 and %v", n, s.Games, err, full)
		}
	}
}

func TestRunStopsByContext(t *testing.T) {
	for _, s := range []script{hanging, obedient, sleeping(time.Hour)} {
		for _, n := range []int{1, 3} {
			synctest.Test(t, func(t *testing.T) {
				defer time.Sleep(2 * time.Hour)
				ctx, cancel := context.WithCancel(t.Context())
				m := Match{Game: tictactoe, A: random, B: random, Games: 100, Jobs: n}
				m.B.New = func(seed uint64) (player.Player, error) {
					if seed == playerSeed(0, 10, game.Second) {
						return s, nil
					}
					return player.NewRandom(seed), nil
				}
				time.AfterFunc(time.Minute, cancel)
				sum, err := m.Run(ctx)
				if err != context.Canceled || sum.Games != 10 {
					t.Errorf("jobs %d: %d games, %v, want 10", n, sum.Games, err)
				}
			})
		}
	}
}

// A match that was interrupted after any game, and goes on, is the same match.
func TestRunGoesOnFromPlayed(t *testing.T) {
	m := Match{Game: connect4, A: random, B: random, Games: 9, Seed: 5, RandomPlies: 3, Jobs: 2}
	want, results := run(t, m)
	for n := range len(results) + 1 {
		m.Played = results[:n]
		s, rest := run(t, m)
		if !cmp.Equal(s, want) || !cmp.Equal(rest, results[n:], sameResults) {
			t.Errorf("after %d games: %+v, want %+v", n, s, want)
		}
	}
	m.Seed++
	if _, err := m.Run(t.Context()); err == nil || err.Error() != "game 0 of the games already played does not belong to this match" {
		t.Errorf("games of another seed: %v", err)
	}
}

func TestCheck(t *testing.T) {
	tests := []struct {
		change func(m *Match)
		want   string
	}{
		{func(m *Match) {}, ""},
		{func(m *Match) { m.Games = -1 }, "match: -1 games"},
		{func(m *Match) { m.Jobs = -2 }, "match: invalid number of simultaneous games: -2"},
		{func(m *Match) { m.Margin = -1 }, "match: negative time"},
		{func(m *Match) { m.RandomPlies = -1 }, "match: invalid number of random plies: -1"},
		{func(m *Match) { m.Openings, m.RandomPlies = [][]game.Move{{0}}, 2 }, "match: either openings or random plies, not both"},
		{func(m *Match) { m.Played = make([]record.Game, 5) }, "match: 5 games have already been played, but the match has only 4"},
		{func(m *Match) { m.SPRT = &stats.SPRT{} }, "sprt: elo0 must be less than elo1, not 0 and 0"},
		{func(m *Match) { m.Openings = [][]game.Move{{0}, {4, 4}} }, "opening 2: illegal move b2 at ply 2: the cell is taken"},
		{func(m *Match) { m.Openings = [][]game.Move{{0, 3, 1, 4, 2}} }, "opening 1: the opening ends the game: first wins"},
		{func(m *Match) { m.RandomPlies = 9 }, "found no 9 random plies after which tictactoe continues"},
	}
	for _, tc := range tests {
		m := Match{Game: tictactoe, A: random, B: random, Games: 4}
		tc.change(&m)
		_, err := m.Run(t.Context())
		if got := strings.TrimSuffix(fmt.Sprint(err), "<nil>"); got != tc.want {
			t.Errorf("got %q, want %q", got, tc.want)
		}
	}
}

func TestString(t *testing.T) {
	m := Match{Game: tictactoe, A: random, B: scripted("first", first), Games: 4, Seed: 2, RandomPlies: 1}
	m.Limits = search.Limits{Depth: 4, Nodes: 100, Time: time.Second}
	m.SPRT = &stats.SPRT{Elo1: 5}
	want := "tictactoe a=random b=first games=4 seed=2 random-plies=1 depth=4 nodes=100 time=1s margin=100ms sprt=0,5 bounds=-2.944,2.944"
	if got := m.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	m.RandomPlies, m.Openings = 0, [][]game.Move{{1, 2}}
	other := m
	other.Openings = [][]game.Move{{1}, {2}}
	if m.String() == other.String() {
		t.Errorf("other openings, same match: %s", m.String())
	}
}

func TestNoGames(t *testing.T) {
	if s, _ := run(t, Match{Game: tictactoe, A: random, B: random}); !cmp.Equal(s, Summary{LOS: 0.5}) {
		t.Errorf("got %+v", s)
	}
}

func BenchmarkRun(b *testing.B) {
	for _, g := range []game.Game{tictactoe, connect4} {
		b.Run("game="+g.String()+"/players=random/jobs=1", func(b *testing.B) {
			m := Match{Game: g, A: random, B: random, Games: 100}
			for b.Loop() {
				m.Run(b.Context())
			}
			b.ReportMetric(float64(b.N)*100/b.Elapsed().Seconds(), "games/s")
		})
	}
}
