// SPDX-License-Identifier: Apache-2.0

package colony_test

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/eval/indicators"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/learn/colony"
	"github.com/krow-lab/krow/learn/genetic"
	"github.com/krow-lab/krow/learn/qlearning"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

var rules = ultimate.New(ultimate.Rules{})

// bred returns a small colony after some generations, and its learner.
func bred(t *testing.T, o genetic.Options, generations int) (*colony.Colony, *genetic.Learner) {
	t.Helper()
	o.Players, o.Games, o.Generations, o.Seed = 6, 20, max(generations, 1), 5
	l, err := genetic.New(rules, o)
	if err != nil {
		t.Fatal(err)
	}
	for range generations {
		if _, err := l.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	c, err := colony.New(rules, l)
	if err != nil {
		t.Fatal(err)
	}
	return c, l
}

func TestNew(t *testing.T) {
	c, l := bred(t, genetic.Options{}, 4)
	if len(c.Members) != 6 {
		t.Fatalf("%d members, want 6", len(c.Members))
	}
	for i, p := range l.Colony() {
		m := c.Members[i]
		var values []float64
		for _, at := range c.Indicators() {
			values = append(values, m.Weights[at])
		}
		if !slices.Equal(values, p.Values) || !math.IsInf(m.Weights[indicators.Win], 1) || m.Fitness != p.Fitness || m.Born != p.Born {
			t.Errorf("member %d is %+v of %+v", i+1, m, p)
		}
		if m.Born < 1 || m.Born > 4 || m.Fitness < 0 || m.Fitness > 1 {
			t.Errorf("member %d: born %d, fitness %g", i+1, m.Born, m.Fitness)
		}
	}
	if got := len(c.Indicators()); got != indicators.Count-3 {
		t.Errorf("%d indicators were bred, want all but three", got)
	}
	both, _ := bred(t, genetic.Options{Indicators: indicators.Options{Block: true, Either: true}}, 1)
	if got := len(both.Indicators()); got != indicators.Count-1 {
		t.Errorf("%d indicators were bred, want all but one", got)
	}
}

func TestNewRefuses(t *testing.T) {
	l, err := genetic.New(rules, genetic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := colony.New(rules, l); err == nil || err.Error() != "the colony has no members before its first generation" {
		t.Errorf("no generation: %v", err)
	}
	three, err := catalog.Game("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	q, err := qlearning.New(three, qlearning.Options{})
	if err != nil {
		t.Fatal(err)
	}
	generic, err := catalog.Learner(three, "genetic:games=8,players=2,each=4", 1)
	if err == nil {
		_, err = generic.Step(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := colony.New(three, generic); err == nil || err.Error() != "the colony is of the target generic, and no players of ultimate" {
		t.Errorf("another target: %v", err)
	}
	if _, err := colony.New(three, q); err == nil || err.Error() != "the learner breeds no colony" {
		t.Errorf("another learner: %v", err)
	}
}

// A member that was saved plays, by its spec, move by move as the member does.
func TestSave(t *testing.T) {
	for _, o := range []indicators.Options{{}, {Block: true}, {Either: true, Ever: true}} {
		c, l := bred(t, genetic.Options{Indicators: o}, 2)
		best := filepath.Join(t.TempDir(), "best.json")
		if err := l.Save(best); err != nil {
			t.Fatal(err)
		}
		if w, _, err := indicators.Load(best); err != nil || w != c.Members[0].Weights {
			t.Errorf("the learner's best has %v, %v, and member 1 %v", w, err, c.Members[0].Weights)
		}
		for member := 1; member <= len(c.Members); member++ {
			file := filepath.Join(t.TempDir(), "w.json")
			if err := c.Save(member, file); err != nil {
				t.Fatal(err)
			}
			w, from, err := indicators.Load(file)
			if err != nil || w != c.Members[member-1].Weights {
				t.Fatalf("member %d: loaded %v, %v", member, w, err)
			}
			if from.Learner != "genetic" || from.Seed != 5 || from.Settings["member"] != float64(member) || from.Settings["players"] != 6.0 {
				t.Errorf("member %d comes from %+v", member, from)
			}
			spec, err := catalog.Player(rules, c.Spec(file), 1)
			if err != nil {
				t.Fatal(err)
			}
			own, err := c.Factory(member, "m").New(1)
			if err != nil {
				t.Fatal(err)
			}
			agree(t, own, spec, uint64(member))
		}
	}
}

// agree fails unless a and b choose the same moves in a random game.
func agree(t *testing.T, a, b player.Player, seed uint64) {
	t.Helper()
	random := player.NewRandom(seed)
	for p := rules.Start(); p.Outcome() == game.Ongoing; {
		x, errX := a.Move(t.Context(), p, search.Limits{})
		y, errY := b.Move(t.Context(), p, search.Limits{})
		if x != y || errX != nil || errY != nil {
			t.Fatalf("seed=%d ply %d: %s, %v and %s, %v", seed, p.Ply(), rules.Format(x), errX, rules.Format(y), errY)
		}
		m, err := random.Move(t.Context(), p, search.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		p.Play(m)
	}
}

func TestCheck(t *testing.T) {
	c, _ := bred(t, genetic.Options{}, 1)
	for member, ok := range map[int]bool{-1: false, 0: false, 1: true, 6: true, 7: false} {
		if err := c.Check(member); (err == nil) != ok {
			t.Errorf("Check(%d) = %v", member, err)
		}
	}
}
