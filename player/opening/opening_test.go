// SPDX-License-Identifier: Apache-2.0

package opening_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/opening"
	"github.com/krow-lab/krow/search"
)

func newGame(t testing.TB, spec string) game.Game {
	t.Helper()
	g, err := krow.Game(spec)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func start(t testing.TB, spec, moves string) game.Board {
	t.Helper()
	p := newGame(t, spec).Start()
	if err := notation.Play(p, moves); err != nil {
		t.Fatal(err)
	}
	return p.(game.Board)
}

// engine returns how the best player of a game analyzes.
func engine(t testing.TB, spec string) opening.Analyze {
	t.Helper()
	p, err := krow.Player(newGame(t, spec), "best:hash=1", 1)
	if err != nil {
		if p, err = krow.Player(newGame(t, spec), "best", 1); err != nil {
			t.Fatal(err)
		}
	}
	return opening.By(p.(player.Analyst))
}

// likes returns an analysis that values a position by a function of its stones, and counts the nodes that it was given.
func likes(value func(b game.Board) eval.Score, nodes *uint64) opening.Analyze {
	return func(_ context.Context, b game.Board, lim search.Limits) (search.Info, error) {
		if nodes != nil {
			*nodes += lim.Nodes
		}
		return search.Info{Score: value(b), PV: game.AppendSound(nil, b)[:1]}, nil
	}
}

// column values a position at the column of its first stone.
func column(b game.Board) eval.Score {
	columns, _ := b.Size()
	return eval.Score(slices.Index(b.Cells(), game.FirstStone)%columns) * eval.Unit
}

// Ways are different and legal, of so many moves, and close together.
func TestWays(t *testing.T) {
	for _, tc := range []struct {
		spec, moves string
		n, want     int
	}{
		{"gomoku", "", 3, 32},
		{"gomoku", "a1 b2 c3", 2, 32},
		{"renju:20x15", "h8", 1, 24},
		{"mnk:2,2,2", "", 3, 0}, // the second stone of the first side wins
		{"mnk:3,3,3", "a1 b1 c1", 2, 32 - 2},
		{"connect4", "", 3, 32},
	} {
		t.Run(fmt.Sprintf("%s/%s/%d", tc.spec, tc.moves, tc.n), func(t *testing.T) {
			b := start(t, tc.spec, tc.moves)
			ways := opening.Ways(b, rand.New(rand.NewPCG(1, 2)), tc.n)
			if len(ways) != tc.want {
				t.Errorf("%d ways, want %d", len(ways), tc.want)
			}
			seen := map[string]bool{}
			for _, w := range ways {
				c := b.Clone()
				for _, m := range w {
					if err := game.Play(c, m); err != nil {
						t.Fatal(err)
					}
				}
				text := notation.FormatMoves(b.Game(), w)
				if len(w) != tc.n || c.Outcome() != game.Ongoing || seen[text] {
					t.Errorf("%q: %d moves, %v, seen before: %v", text, len(w), c.Outcome(), seen[text])
				}
				seen[text] = true
			}
		})
	}
}

// A contest finds the least cost, spends the nodes that it has and no more, and survives errors and games that end.
func TestContest(t *testing.T) {
	b := start(t, "gomoku:9", "")
	var ways [][]game.Move
	for m := range game.Move(9) {
		ways = append(ways, []game.Move{m})
	}
	var nodes uint64
	for want := range eval.Score(9) {
		nodes = 0
		c := opening.Contest{Analyze: likes(column, &nodes), Limits: search.Limits{Nodes: 10_000}, Cost: opening.Off(want*eval.Unit + 1)}
		if got := c.Best(t.Context(), b, ways); len(got) != 1 || got[0] != game.Move(want) {
			t.Errorf("nearest to %d is %v", want, got)
		}
		if nodes < 9_000 || nodes > 10_000 {
			t.Errorf("%d nodes spent, want some 10000", nodes)
		}
	}
	// The seventh move to the right loses in the search; the third is an error, and the second is never better.
	c := opening.Contest{Cost: func(s eval.Score) eval.Score { return s }, Analyze: func(_ context.Context, b game.Board, _ search.Limits) (search.Info, error) {
		switch column(b) / eval.Unit {
		case 7:
			return search.Info{Score: eval.Loss(4), PV: []game.Move{80}}, nil
		case 3:
			return search.Info{Score: eval.Loss(2), PV: []game.Move{80}}, errors.New("no idea")
		}
		return search.Info{PV: []game.Move{80}}, nil
	}}
	if got := c.Best(t.Context(), b, ways); got[0] != 7 {
		t.Errorf("best is %v, want the one that wins", got)
	}
	// A way that ends the game costs what it is worth to the side that would be to move: a loss.
	b = start(t, "mnk:3,3,3", "a1 a2 b1 b2")
	c.Analyze = likes(func(game.Board) eval.Score { return 0 }, nil)
	if got := c.Best(t.Context(), b, [][]game.Move{{8}, {2}, {5}}); got[0] != 2 {
		t.Errorf("best is %v, want the winning move c1", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := c.Best(ctx, b, [][]game.Move{{8}, {2}}); got[0] != 8 {
		t.Errorf("cancelled: %v, want the first", got)
	}
}

// reflections plays the moves seen in all ways the board allows, by the letters of their names.
func reflections(b game.Board, moves []game.Move) (all []string) {
	columns, rows := b.Size()
	for view := range 8 {
		if view >= 4 && columns != rows {
			break
		}
		var words []string
		for _, m := range moves {
			x, y := int(m)%columns, int(m)/columns
			if view >= 4 {
				x, y = y, x
			}
			if view&1 != 0 {
				x = columns - 1 - x
			}
			if view&2 != 0 {
				y = rows - 1 - y
			}
			words = append(words, game.FormatCell(x+y*columns, columns))
		}
		slices.Sort(words) // of the stones of one side, the order does not matter
		all = append(all, strings.Join(words, " "))
	}
	return all
}

func find(t *testing.T, spec string, analyze opening.Analyze, w opening.Wanted) []opening.Opening {
	t.Helper()
	var all []opening.Opening
	err := opening.Find(t.Context(), newGame(t, spec), analyze, w, func(o opening.Opening) error {
		all = append(all, o)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Openings are as many as wanted, legal, not over, even by a search of the full size, and not the same seen otherwise.
func TestFind(t *testing.T) {
	for _, tc := range []struct {
		spec  string
		plies int
	}{
		{"gomoku", 5}, {"standard:20x15", 4}, {"renju", 6}, {"caro:exact=on", 5}, {"mnk:5,5,4", 4}, {"gomoku:k=6", 3}, {"connect4", 6}, {"caro:9x7,k=4", 3},
	} {
		t.Run(tc.spec, func(t *testing.T) {
			w := opening.Wanted{Count: 3, Plies: tc.plies, Seed: 7, Limits: search.Limits{Nodes: 1500}, Within: eval.Unit}
			all := find(t, tc.spec, engine(t, tc.spec), w)
			if again := find(t, tc.spec, engine(t, tc.spec), w); fmt.Sprint(again) != fmt.Sprint(all) {
				t.Errorf("the same seed gives\n%v and\n%v", all, again)
			}
			seen := map[string]bool{}
			for _, o := range all {
				p := newGame(t, tc.spec).Start()
				for _, m := range o.Moves {
					if err := game.Play(p, m); err != nil {
						t.Fatal(err)
					}
				}
				if len(o.Moves) != tc.plies || p.Outcome() != game.Ongoing || opening.Off(0)(o.Score) > w.Within {
					t.Errorf("%v: %d plies, %v", o, len(o.Moves), p.Outcome())
				}
				var sides [2][]game.Move
				for i, m := range o.Moves {
					sides[i%2] = append(sides[i%2], m)
				}
				if p.Game().Moves() != len(p.(game.Board).Cells()) {
					continue // stones fall
				}
				first, second := reflections(p.(game.Board), sides[0]), reflections(p.(game.Board), sides[1])
				for i := range first {
					if seen[first[i]+"/"+second[i]] {
						t.Errorf("%v is another one, seen otherwise", o)
					}
				}
				seen[first[0]+"/"+second[0]] = true
			}
		})
	}
}

// Another seed gives other openings, the check has its full size, and what cannot be found is told.
func TestFindLimits(t *testing.T) {
	var nodes uint64
	even := likes(func(game.Board) eval.Score { return 0 }, &nodes)
	w := opening.Wanted{Count: 5, Plies: 4, Seed: 1, Limits: search.Limits{Nodes: 10_000}}
	one := find(t, "gomoku", even, w)
	if nodes < 5*19_000 || nodes > 5*20_000 {
		t.Errorf("%d nodes for five openings, want some 100000", nodes)
	}
	w.Seed = 2
	if two := find(t, "gomoku", even, w); fmt.Sprint(two) == fmt.Sprint(one) {
		t.Error("two seeds give the same")
	}
	g := newGame(t, "gomoku")
	uneven := likes(func(game.Board) eval.Score { return 9 * eval.Unit }, nil)
	stop := errors.New("stop")
	for _, tc := range []struct {
		name    string
		g       game.Game
		analyze opening.Analyze
		w       opening.Wanted
		want    string
	}{
		{"none is even", g, uneven, opening.Wanted{Count: 1, Plies: 2, Within: eval.Unit}, "of 200 random openings of 2 plies, only 0 are even"},
		{"the same all over", newGame(t, "mnk:2,2,2"), even, opening.Wanted{Count: 3, Plies: 1}, "of 600 random openings of 1 plies, only 1 are even"},
		{"too long", newGame(t, "mnk:3,3,3"), even, opening.Wanted{Count: 1, Plies: 10}, "of 200 random openings of 10 plies, only 0 are even"},
		{"stopped", g, even, opening.Wanted{Count: 1, Plies: 3}, "stop"},
	} {
		found := func(opening.Opening) error {
			if tc.name == "stopped" {
				return stop
			}
			return nil
		}
		if err := opening.Find(t.Context(), tc.g, tc.analyze, tc.w, found); err == nil || err.Error() != tc.want {
			t.Errorf("%s: %v, want %s", tc.name, err, tc.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := opening.Find(ctx, g, uneven, w, func(opening.Opening) error { return stop }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
