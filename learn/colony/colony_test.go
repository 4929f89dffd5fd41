// SPDX-License-Identifier: Apache-2.0

package colony_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"github.com/krow-lab/krow/arena"
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

// tournament is one of two members and the random player.
func tournament(t *testing.T) colony.Tournament {
	t.Helper()
	c, _ := bred(t, genetic.Options{}, 4)
	random := arena.Factory{Name: "random", New: func(seed uint64) (player.Player, error) { return player.NewRandom(seed), nil }}
	return colony.Tournament{
		Game: rules, Players: []arena.Factory{random, c.Factory(1, "best"), c.Factory(6, "last")}, Games: 20, Seed: 1, RandomPlies: 4,
	}
}

func TestTournament(t *testing.T) {
	cup := tournament(t)
	var met []string
	sum := map[string]float64{}
	cup.OnMatch = func(m colony.Meeting) error {
		met = append(met, m.A+"-"+m.B)
		if m.Number != len(met) || m.Total != 3 || m.Summary.Games != 20 {
			t.Errorf("a match is %+v", m)
		}
		sum[m.A] += float64(m.Summary.AWins) + float64(m.Summary.Draws)/2
		sum[m.B] += float64(m.Summary.BWins) + float64(m.Summary.Draws)/2
		return nil
	}
	got, err := cup.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"random-best", "random-last", "best-last"}; !slices.Equal(met, want) {
		t.Errorf("the matches were %q, want %q", met, want)
	}
	mean := 0.0
	for i, s := range got {
		if s.Won+s.Drawn+s.Lost != 40 || s.Points != sum[s.Name] || s.Forfeits != 0 || s.Error <= 0 {
			t.Errorf("%+v, who made %g points", s, sum[s.Name])
		}
		if i > 0 && s.Elo > got[i-1].Elo {
			t.Errorf("%+v stands behind %+v", s, got[i-1])
		}
		mean += s.Elo / 3
	}
	if math.Abs(mean) > 1e-6 {
		t.Errorf("the mean Elo is %g, want 0", mean)
	}
	if got[2].Name != "random" {
		t.Errorf("random is not the last: %+v", got)
	}
	cup.Concurrency, cup.OnMatch = 4, nil
	if again, err := cup.Run(t.Context()); err != nil || !reflect.DeepEqual(again, got) {
		t.Errorf("played four at once: %+v, %v, want %+v", again, err, got)
	}
}

func TestTournamentRefuses(t *testing.T) {
	tests := []struct {
		name   string
		change func(*colony.Tournament)
		want   string
	}{
		{"one player", func(c *colony.Tournament) { c.Players = c.Players[:1] }, "needs two players"},
		{"an odd match", func(c *colony.Tournament) { c.Games = 3 }, "even number of games, not 3"},
		{"no games", func(c *colony.Tournament) { c.Games = 0 }, "even number of games, not 0"},
		{"twice", func(c *colony.Tournament) { c.Players[2] = c.Players[1] }, "best plays twice"},
		{"stopped", func(c *colony.Tournament) { c.OnMatch = func(colony.Meeting) error { return errors.New("enough") } }, "enough"},
		{"unmakeable", func(c *colony.Tournament) {
			c.Players[0].New = func(uint64) (player.Player, error) { return nil, errors.New("no such file") }
		}, "random against best: .*no such file"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			cup := tournament(t)
			tc.change(&cup)
			if _, err := cup.Run(t.Context()); err == nil || !regexp.MustCompile(tc.want).MatchString(err.Error()) {
				t.Errorf("error %v, want %q", err, tc.want)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tournament(t).Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
