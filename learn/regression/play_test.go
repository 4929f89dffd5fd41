// SPDX-License-Identifier: Apache-2.0

package regression

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/learn"
)

// TestRows plays random games once more by hand: each position must be read for the side that was to move
// Depth plies before, and its result must be that side's.
func TestRows(t *testing.T) {
	for _, g := range games(t) {
		for depth := 1; depth <= 3; depth++ {
			o := Options{Epsilon: 1, Depth: depth, Seed: 7, Jobs: 1, RandomPlies: 2}
			l, err := New(g, o)
			if err != nil {
				t.Fatal(err)
			}
			w, err := l.newWorker()
			if err != nil {
				t.Fatal(err)
			}
			for number := range uint64(3) {
				got, err := w.game(t.Context(), number)
				if err != nil {
					t.Fatal(err)
				}
				want := slowGame(l, number)
				if d := cmp.Diff(want, got, cmp.AllowUnexported(played{})); d != "" {
					t.Fatalf("%s, depth %d, game %d (-want +got):\n%s", g, depth, number, d)
				}
			}
		}
	}
}

// slowGame is game where all moves are random.
func slowGame(l *Learner, number uint64) (g played) {
	rng := rand.New(rand.NewPCG(l.o.Seed, learn.Mix(l.o.Seed, number)))
	p := l.g.Start()
	for p.Outcome() == game.Ongoing {
		if p.Ply() >= l.o.RandomPlies {
			rng.Float64() // below 1, and so below Epsilon
		}
		moves := game.AppendSound(nil, p)
		p.Play(moves[rng.IntN(len(moves))])
	}
	g.plies = p.Ply()
	winner, decided := p.Outcome().Winner()
	g.decided = decided
	history := p.AppendHistory(nil)
	for n := max(l.o.RandomPlies, l.o.Depth); n < len(history); n++ {
		q := l.g.Start()
		var turns []game.Side
		for _, m := range history[:n] {
			turns = append(turns, q.Turn())
			q.Play(m)
		}
		view := turns[n-l.o.Depth]
		x := make([]float64, len(l.w)+1)
		l.m.reader().read(x[:len(l.w)], q, view)
		x[len(l.w)] = 1
		y := 0.5
		if decided && winner == view {
			y = 1
		} else if decided {
			y = 0
		}
		g.x, g.y = append(g.x, x...), append(g.y, y)
	}
	return g
}

// TestOpponent checks that the games are played by the search: a side that can win at once does.
func TestOpponent(t *testing.T) {
	g := games(t)[1]
	l, err := New(g, Options{Depth: 2, RandomPlies: 6, Seed: 1, Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	a, _, err := l.play(t.Context(), 0, 20)
	if err != nil {
		t.Fatal(err)
	}
	names := l.m.names()
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

func TestJobs(t *testing.T) {
	for _, g := range []game.Game{games(t)[1], games(t)[6]} {
		var tables []*table
		for _, jobs := range []int{1, 3} {
			l, err := New(g, Options{Depth: 1, RandomPlies: 4, Epsilon: 0.2, Seed: 5, Jobs: jobs})
			if err != nil {
				t.Fatal(err)
			}
			d, _, err := l.play(t.Context(), 3, 15)
			if err != nil {
				t.Fatal(err)
			}
			tables = append(tables, d)
		}
		if !slices.Equal(tables[0].x, tables[1].x) || !slices.Equal(tables[0].y, tables[1].y) {
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
	if _, _, err := l.play(ctx, 0, 10); err == nil {
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
