// SPDX-License-Identifier: Apache-2.0

package qlearning_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/qlearning"
	"github.com/krow-lab/krow/search"
)

var _ learn.Learner = (*qlearning.Learner)(nil)

func newLearner(t *testing.T, name string, o qlearning.Options) *qlearning.Learner {
	t.Helper()
	g, err := krow.Game(name)
	if err != nil {
		t.Fatal(err)
	}
	l, err := qlearning.New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// run makes all steps that are left, and returns the state after each.
func run(t *testing.T, l *qlearning.Learner) (states []string) {
	t.Helper()
	err := learn.Run(t.Context(), l, func(s []byte, _ learn.CurvePoint) error {
		states = append(states, string(s))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return states
}

// TestPublishedSettingsAreKept pins what the published settings learn on two small games, and what they learned as an earlier krow read them.
func TestPublishedSettingsAreKept(t *testing.T) {
	earlier := qlearning.Options{Importance: qlearning.Value, End: qlearning.Zero, Reading: threat.Reading{Least: true}}
	tests := []struct {
		game       string
		o          qlearning.Options
		own, enemy generic.Vector
	}{
		{"tictactoe", qlearning.Options{}, generic.Vector{0, 10, 100, 0, 100, 250, 1e6}, generic.Vector{0, 200, 1300, 0, 2000, 5020, 1e6}},
		{"tictactoe", earlier, generic.Vector{0, 10, 100, 0, 100, 250, 1e6}, generic.Vector{0, 200, 1300, 0, 2000, 5020, 1e6}},
		{
			"connect4",
			qlearning.Options{},
			generic.Vector{0, 0.0001, 0.001, 0, 0.001, 80, 0, 10, 250, 1e6},
			generic.Vector{0, 0.002 / 3, 0.02 / 3, 0, 0.02 / 3, 1300, 0, 5020, 5020, 1e6},
		},
		{
			"connect4", earlier,
			generic.Vector{0, 0.001, 0.01, 0, 0.01, 10, 0, 0.01, 250, 1e6},
			generic.Vector{0, 13, 130, 0, 130, 1300, 0, 5020, 5020, 1e6},
		},
	}
	for _, tc := range tests {
		t.Run(tc.game+"/"+tc.o.Importance.String(), func(t *testing.T) {
			l := newLearner(t, tc.game, tc.o)
			run(t, l)
			want := generic.Weights{Own: tc.own, Enemy: tc.enemy, Reading: tc.o.Reading}
			want.K = l.Weights().K
			if d := cmp.Diff(want, l.Weights(), cmpopts.EquateApprox(1e-9, 0)); d != "" {
				t.Errorf("parameters (-want +got):\n%s", d)
			}
		})
	}
}

// TestShippedWeightsAreLearnedAgain learns the weights that krow ships again, on the small boards.
func TestShippedWeightsAreLearnedAgain(t *testing.T) {
	for _, b := range generic.Shipped().Boards {
		if b.Columns > 4 && b.Game != "connect4" {
			continue
		}
		l := newLearner(t, b.Game, qlearning.Options{Seed: 1})
		run(t, l)
		if d := cmp.Diff(l.Weights(), b.Weights); d != "" {
			t.Errorf("%s (-learned +shipped):\n%s", b.Game, d)
		}
	}
}

// TestResumeEqualsOneRun cuts a run after each step; what follows must be what it would have been.
func TestResumeEqualsOneRun(t *testing.T) {
	for _, m := range []qlearning.Method{qlearning.Q, qlearning.Sarsa, qlearning.TD} {
		t.Run(m.String(), func(t *testing.T) {
			o := qlearning.Options{Method: m, Episodes: 4, Depth: 2, Alpha: 0.3, Seed: 5, RandomPlies: 2, Epsilon: 0.2}
			if m != qlearning.Q {
				o.Lambda = 0.8
			}
			whole := run(t, newLearner(t, "mnk:5,5,4", o))
			for cut := range whole {
				l := newLearner(t, "mnk:5,5,4", o)
				if err := l.Restore([]byte(whole[cut])); err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(append([]string{}, whole[cut+1:]...), append([]string{}, run(t, l)...)); d != "" {
					t.Errorf("cut after step %d (-whole +resumed):\n%s", cut+1, d)
				}
			}
			if o.Seed++; run(t, newLearner(t, "mnk:5,5,4", o))[0] == whole[0] {
				t.Error("another seed, the same parameters")
			}
		})
	}
}

func TestRestoreRefuses(t *testing.T) {
	l := newLearner(t, "tictactoe", qlearning.Options{Depth: 1})
	good := run(t, l)[1]
	tests := []struct{ name, old, new, want string }{
		{"learner", `"qlearning"`, `"sarsa"`, `the state is of the learner "sarsa", not qlearning`},
		{"settings", `"depth":1`, `"depth":2`, "the state is of the settings"},
		{"step", `"done":2`, `"done":6`, "the state is damaged"},
		{"no random", `"random"`, `"rundom"`, "the state is damaged"},
		{"no parameters", `"own":[`, `"one":[`, "the state is damaged"},
		{"too many", `"own":[`, `"own":[0,`, "the state is damaged"},
		{"no order", `"own":[0,`, `"own":[0,5e5,0,`, "the state is damaged"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			before := l.Weights()
			err := l.Restore([]byte(strings.Replace(good, tc.old, tc.new, 1)))
			if err == nil || !strings.HasPrefix(err.Error(), tc.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, want %q", err, tc.want)
			}
			if done, _ := l.Steps(); done != 5 || !cmp.Equal(before, l.Weights()) {
				t.Error("the learner has changed")
			}
		})
	}
}

// TestSave loads the parameters where a person would.
func TestSave(t *testing.T) {
	l := newLearner(t, "connect4", qlearning.Options{Episodes: 1})
	run(t, l)
	name := filepath.Join(t.TempDir(), "learned.json")
	if err := l.Save(name); err != nil {
		t.Fatal(err)
	}
	w, o, err := generic.Load(name, 4)
	if d := cmp.Diff(l.Weights(), w); err != nil || d != "" || o.Learner != "qlearning" || o.Game != "connect4" {
		t.Errorf("%v by %v (-saved +loaded):\n%s", err, o, d)
	}
	g, err := krow.Game("connect4")
	if err != nil {
		t.Fatal(err)
	}
	p, err := krow.Player(g, "alphabeta:depth=4,eval=generic(weights="+name+")", 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Move(t.Context(), g.Start(), search.Limits{}); err != nil {
		t.Error(err)
	}
}

// TestEveryBoardLearns learns a little on every kind of board.
func TestEveryBoardLearns(t *testing.T) {
	for _, name := range []string{
		"mnk:1,1,1", "mnk:1,6,2", "mnk:3,3,5", "mnk:4,4,1", "standard:6", "caro:6", "renju:6", "pente:6", "connect6:6", "connect4:5x4,k=3",
	} {
		t.Run(name, func(t *testing.T) {
			for _, m := range []qlearning.Method{qlearning.Q, qlearning.Sarsa, qlearning.TD} {
				l := newLearner(t, name, qlearning.Options{Method: m, Episodes: 2, Depth: 1, RandomPlies: 1, Epsilon: 0.5})
				run(t, l)
				if state, err := l.State(); err != nil || l.Restore(state) != nil {
					t.Errorf("%v, or the state is none", err)
				}
			}
		})
	}
}

func TestCancelChangesNothing(t *testing.T) {
	l := newLearner(t, "tictactoe", qlearning.Options{Episodes: 1})
	before, _ := l.State()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Step(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if after, _ := l.State(); string(after) != string(before) {
		t.Errorf("state is %s, was %s", after, before)
	}
	p, err := l.Step(t.Context())
	if err != nil || p.Step != 1 || p.Games != 1 || p.Values["plies"] != 9 || p.Values["enemy-half-open-1"] != 200 {
		t.Errorf("%v, %v", p, err)
	}
}

func TestNewRefuses(t *testing.T) {
	tests := []struct {
		game string
		o    qlearning.Options
		want string
	}{
		{"ultimate", qlearning.Options{}, "ultimate is not a k-in-a-row game, so it has no threats to weigh"},
		{"tictactoe", qlearning.Options{Episodes: -1}, "episodes must be from 1 to 1000000, not -1"},
		{"tictactoe", qlearning.Options{Depth: -1}, "the depth must be from 1 to 512, not -1"},
		{"tictactoe", qlearning.Options{Gamma: 1.5}, "gamma must be from 0 to 1, not 1.5"},
		{"tictactoe", qlearning.Options{Method: qlearning.TD, Lambda: -1}, "lambda must be from 0 to 1, not -1"},
		{"tictactoe", qlearning.Options{Importance: 3}, "importance must be from index to value, not ?"},
		{"tictactoe", qlearning.Options{End: 3}, "the end must be from simulate to keep, not ?"},
		{"tictactoe", qlearning.Options{Method: qlearning.Sarsa, Max: qlearning.Prose}, "sarsa does not use a maximum"},
		{"tictactoe", qlearning.Options{Method: 3}, "the method must be from qlearning to td, not ?"},
		{"tictactoe", qlearning.Options{RandomPlies: -1}, "random plies must be from 0 to 16384, not -1"},
	}
	for _, tc := range tests {
		g, err := krow.Game(tc.game)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := qlearning.New(g, tc.o); err == nil || err.Error() != tc.want {
			t.Errorf("error %v, want %q", err, tc.want)
		}
	}
}

// BenchmarkStep plays and learns one episode at the published settings.
func BenchmarkStep(b *testing.B) {
	for _, name := range []string{"connect4", "mnk:7,7,4", "mnk:9,9,5"} {
		b.Run("game="+name, func(b *testing.B) {
			g, err := krow.Game(name)
			if err != nil {
				b.Fatal(err)
			}
			plies := 0.0
			for b.Loop() {
				l, err := qlearning.New(g, qlearning.Options{})
				if err != nil {
					b.Fatal(err)
				}
				p, err := l.Step(b.Context())
				if err != nil {
					b.Fatal(err)
				}
				plies += p.Values["plies"]
			}
			b.ReportMetric(plies/b.Elapsed().Seconds(), "plies/s")
		})
	}
}
