// SPDX-License-Identifier: Apache-2.0

package genetic

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/krow-lab/krow/eval/indicators"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/greedy"
)

// TestScoresOfGeneration plays the games of a generation over again with the greedy search, whoever begins, and compares.
func TestScoresOfGeneration(t *testing.T) {
	for _, o := range []Options{
		{},
		{HalfDraws: true, Indicators: indicators.Options{Block: true, Either: true, Ever: true}},
		{Literal: true},
		{Literal: true, Games: 5, Seed: 9},
	} {
		t.Run(fmt.Sprintf("half=%t/literal=%t/games=%d", o.HalfDraws, o.Literal, o.Games), func(t *testing.T) {
			o.Players = 4
			if o.Games == 0 {
				o.Games = 20
			}
			l, err := New(ultimate.New(ultimate.Rules{}), o)
			if err != nil {
				t.Fatal(err)
			}
			colony := l.breed(rand.New(&l.rng))
			if err := l.f.playGames(t.Context(), 0, colony); err != nil {
				t.Fatal(err)
			}
			for i, m := range colony {
				if want := reference(t, l, i, m); m.Score != want {
					t.Errorf("player %d scored %g, want %g", i, m.Score, want)
				}
			}
		})
	}
}

func reference(t *testing.T, l *Learner, player int, m member) (score float64) {
	t.Helper()
	f := l.f.(*published)
	e, err := f.Evaluator(m.Genes)
	if err != nil {
		t.Fatal(err)
	}
	s := e.(*indicators.Scorer)
	for n := range l.o.Games {
		first := n%2 == 1
		if l.o.Literal {
			first = l.o.Games%2 == 1
		}
		dice := rand.New(rand.NewPCG(l.o.Seed, rng.Mix(l.o.Seed, 0, uint64(player), uint64(n))))
		p := f.g.Start()
		for p.Outcome() == game.Ongoing {
			moves := p.AppendMoves(nil)
			if (p.Turn() == game.First) != first {
				p.Play(moves[dice.IntN(len(moves))])
				continue
			}
			info, err := greedy.New(s).Search(t.Context(), p, search.Limits{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			p.Play(info.PV[0])
		}
		winner, won := p.Outcome().Winner()
		switch {
		case won && (winner == game.First) == first:
			score++
		case !won && l.o.HalfDraws:
			score += 0.5
		}
	}
	return score
}

// TestBreed looks at who stays and what becomes of the copies.
func TestBreed(t *testing.T) {
	l, err := New(ultimate.New(ultimate.Rules{}), Options{Players: 5, Games: 6, MutRange: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Step(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, m := range l.colony {
		for _, x := range m.Genes {
			if len(m.Genes) != 9 || x < -5 || x >= 5 || m.Survived != 0 {
				t.Errorf("player %d is drawn as %v", i, m)
			}
		}
	}
	next := l.breed(rand.New(&l.rng))
	for i, from := range []int{0, 1, 2, 0, 1} {
		d := 0.0
		for j, x := range next[i].Genes {
			d = max(d, math.Abs(x-l.colony[from].Genes[j]))
		}
		if kept := i < 3; kept && (d != 0 || next[i].Survived != 1) || !kept && (d == 0 || d > 0.5 || next[i].Survived != 0) {
			t.Errorf("player %d differs by %g from %d, and survived %d", i, d, from, next[i].Survived)
		}
	}
}

// TestBreedProse looks at the report's prose: all begin with the weights set by hand, and the losers keep theirs, mutated.
func TestBreedProse(t *testing.T) {
	start := indicators.Signed()
	l, err := New(ultimate.New(ultimate.Rules{}), Options{Players: 5, Games: 6, MutRange: 1, Start: start, Losers: true})
	if err != nil {
		t.Fatal(err)
	}
	first := l.breed(rand.New(&l.rng))
	for i, m := range first {
		for j, x := range m.Genes {
			if want := start[l.f.(*published).o.Indicators.Learned()[j]]; x != want {
				t.Errorf("weight %d of player %d is %g at first, want %g", j, i, x, want)
			}
		}
	}
	l.done, l.colony = 1, first
	for i := range l.colony { // tell the players apart
		l.colony[i].Genes = slices.Clone(l.colony[i].Genes)
		l.colony[i].Genes[0] += float64(10 * i)
	}
	for i, m := range l.breed(rand.New(&l.rng)) {
		d := 0.0
		for j, x := range m.Genes {
			d = max(d, math.Abs(x-l.colony[i].Genes[j]))
		}
		if kept := i < 3; kept && d != 0 || !kept && (d == 0 || d > 0.5) {
			t.Errorf("player %d differs by %g from itself in the generation before", i, d)
		}
	}
}

// TestCancelChangesNothing checks that a step that is cut short leaves no trace.
func TestCancelChangesNothing(t *testing.T) {
	l, err := New(ultimate.New(ultimate.Rules{}), Options{Players: 4, Games: 5, Generations: 1})
	if err != nil {
		t.Fatal(err)
	}
	before, _ := l.State()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Step(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if after, _ := l.State(); string(after) != string(before) {
		t.Errorf("state is %s, was %s", after, before)
	}
	if err := l.Save(t.TempDir() + "/w"); err == nil {
		t.Error("nothing is saved as something")
	}
	if _, err := l.Step(t.Context()); err != nil {
		t.Error(err)
	}
}
