// SPDX-License-Identifier: Apache-2.0

package regression

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/krow-lab/krow/game"
)

// TestRows plays the moves of games once more by hand: each position after the last random move must be read for
// the side that was to move Depth plies before, and its result must be that side's.
func TestRows(t *testing.T) {
	for _, g := range games(t) {
		rows := 0
		for depth := 1; depth <= 2; depth++ {
			l, err := New(g, Options{Epsilon: 0.1, Depth: depth, Seed: 7, Jobs: 1, RandomPlies: 2})
			if err != nil {
				t.Fatal(err)
			}
			w, err := l.newWorker()
			if err != nil {
				t.Fatal(err)
			}
			for number := range uint64(2) {
				got, err := w.game(t.Context(), number)
				if err != nil {
					t.Fatal(err)
				}
				x, y := slowRows(l, got)
				if d := cmp.Diff(x, got.x, cmpopts.EquateEmpty()) + cmp.Diff(y, got.y, cmpopts.EquateEmpty()); d != "" {
					t.Fatalf("%s, depth %d, game %d (-want +got):\n%s", g, depth, number, d)
				}
				rows += len(y)
			}
		}
		if rows == 0 {
			t.Errorf("%s: no rows", g)
		}
	}
}

// slowRows returns the rows of a game.
func slowRows(l *Learner, g played) (x, y []float64) {
	p := l.g.Start()
	var turns []game.Side
	var views []game.Side
	for n, m := range g.moves {
		turns = append(turns, p.Turn())
		p.Play(m)
		if n+1 < max(l.o.RandomPlies, l.o.Depth, g.from) || n+1 == len(g.moves) {
			continue
		}
		view := turns[n+1-l.o.Depth]
		row := make([]float64, len(l.w)+1)
		l.m.reader().read(row[:len(l.w)], p, view)
		row[len(l.w)] = 1
		x, views = append(x, row...), append(views, view)
	}
	for _, s := range views {
		switch p.Outcome() {
		case game.WinFor(s):
			y = append(y, 1)
		case game.Draw:
			y = append(y, 0.5)
		default:
			y = append(y, 0)
		}
	}
	return x, y
}

// TestRandomMovesEndBeforePositions checks where the random moves end: before the first position that is read.
func TestRandomMovesEndBeforePositions(t *testing.T) {
	for _, tc := range []struct {
		epsilon     float64
		plies, from int
	}{{0, 5, 5}, {0, 0, 0}, {1, 0, -1}} {
		l, err := New(games(t)[1], Options{Epsilon: tc.epsilon, Depth: 1, Seed: 7, Jobs: 1, RandomPlies: tc.plies})
		if err != nil {
			t.Fatal(err)
		}
		w, err := l.newWorker()
		if err != nil {
			t.Fatal(err)
		}
		g, err := w.game(t.Context(), 3)
		if err != nil {
			t.Fatal(err)
		}
		if tc.from < 0 {
			tc.from = len(g.moves)
		}
		if want := max(0, len(g.moves)-max(tc.from, 1)); g.from != tc.from || len(g.y) != want {
			t.Errorf("epsilon %g: %d rows from ply %d of %d, want %d from ply %d", tc.epsilon, len(g.y), g.from, len(g.moves), want, tc.from)
		}
	}
}

// TestGamesAreSearched checks that the games are played by the search: a side that can win at once does.
func TestGamesAreSearched(t *testing.T) {
	g := games(t)[1]
	l, err := New(g, Options{Depth: 2, RandomPlies: 6, Seed: 1, Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	a, _, err := l.playGames(t.Context(), 0, 20)
	if err != nil {
		t.Fatal(err)
	}
	names := l.m.Names()
	four := slices.Index(names, "own-half-open-3") // of the side to move, at an even depth
	seen := 0
	for i, y := range a.y {
		if a.row(i)[four] > 0 {
			if seen++; y != 1 {
				t.Errorf("row %d: three of four, to move, and a result of %g", i, y)
			}
		}
	}
	if seen == 0 {
		t.Error("nobody ever had three of four")
	}
}

func TestJobsGiveTheSameSamples(t *testing.T) {
	for _, g := range []game.Game{games(t)[1], games(t)[6]} {
		var all []*samples
		for _, jobs := range []int{1, 3} {
			l, err := New(g, Options{Depth: 1, RandomPlies: 4, Epsilon: 0.2, Seed: 5, Jobs: jobs})
			if err != nil {
				t.Fatal(err)
			}
			d, _, err := l.playGames(t.Context(), 3, 15)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, d)
		}
		if !slices.Equal(all[0].x, all[1].x) || !slices.Equal(all[0].y, all[1].y) {
			t.Errorf("%s: other games with three jobs", g)
		}
	}
}

func TestPlayCancelled(t *testing.T) {
	l, err := New(games(t)[1], Options{Seed: 5, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := l.playGames(ctx, 0, 10); err == nil {
		t.Error("cancelled games end without an error")
	}
}

func TestPlies(t *testing.T) {
	all := games(t)
	for i, want := range []int{1, 7, 16, 8, 12, 12, 16} {
		if got := Plies(all[i]); got != want {
			t.Errorf("%s: %d random plies, want %d", all[i], got, want)
		}
	}
}
