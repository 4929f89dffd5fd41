// SPDX-License-Identifier: Apache-2.0

package plans_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow"
	table "github.com/krow-lab/krow/eval/plans"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/plans"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

func newGame(t *testing.T, name string) game.Game {
	t.Helper()
	g, err := krow.Game(name)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// options are enough to learn something from.
func options(g game.Game, seed uint64) plans.Options {
	const name = "greedy:eval=generic"
	return plans.Options{Games: 30, Plies: 6, Name: name, Seed: seed, Jobs: 2, Player: func(seed uint64) (player.Player, error) {
		return krow.Player(g, name, seed)
	}}
}

func newLearner(t *testing.T, name string, seed uint64, jobs int) *plans.Learner {
	t.Helper()
	g := newGame(t, name)
	o := options(g, seed)
	o.Jobs = jobs
	l, err := plans.New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// run makes all steps that are left, and returns the state after each.
func run(t *testing.T, l learn.Learner) (states []string) {
	t.Helper()
	err := learn.Run(t.Context(), l, func(s []byte, p learn.CurvePoint) error {
		if e := p.Values["error"]; e < 0 || e > 1 {
			t.Errorf("step %d: error %g", p.Step, e)
		}
		states = append(states, string(s))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return states
}

// saved returns the file of what was learned.
func saved(t *testing.T, l learn.Learner) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "plans.json")
	if err := l.Save(name); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestResumeEqualsOneRun cuts a run after some steps; what follows must be what it would have been, with other jobs too.
func TestResumeEqualsOneRun(t *testing.T) {
	for _, name := range []string{"mnk:5,5,4", "connect4:5x4"} {
		t.Run(name, func(t *testing.T) {
			whole := newLearner(t, name, 5, 3)
			want := run(t, whole)
			for cut := 0; cut < len(want); cut += 7 {
				l := newLearner(t, name, 5, 1)
				if err := l.Restore([]byte(want[cut])); err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(append([]string{}, want[cut+1:]...), append([]string{}, run(t, l)...)); d != "" {
					t.Errorf("cut after step %d (-whole +resumed):\n%s", cut+1, d)
				}
				if saved(t, l) != saved(t, whole) {
					t.Errorf("cut after step %d: another file", cut+1)
				}
			}
			if run(t, newLearner(t, name, 6, 2))[0] == want[0] {
				t.Error("another seed, the same table")
			}
		})
	}
}

func TestRestoreRefuses(t *testing.T) {
	l := newLearner(t, "tictactoe", 5, 1)
	good := run(t, l)[1]
	tests := []struct{ name, old, new, want string }{
		{"learner", `"plans"`, `"sarsa"`, `the state is of the learner "sarsa", not plans`},
		{"settings", `"plies":6`, `"plies":2`, "the state is of the settings"},
		{"step", `"done":2`, `"done":21`, "the state is damaged"},
		{"before the first", `"done":2`, `"done":-1`, "the state is damaged"},
		{"no table", `"table":{`, `"tables":{`, "the state is damaged"},
		{"another k", `"k":3`, `"k":4`, "the state is damaged"},
		{"states", `"states"`, `"state"`, `state of the learner: json: unknown field "state"`},
		{"cut off", good[len(good)/2:], "", "not the state of a learner"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			before, _ := l.State()
			err := l.Restore([]byte(strings.Replace(good, tc.old, tc.new, 1)))
			if err == nil || !strings.HasPrefix(err.Error(), tc.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, want %q", err, tc.want)
			}
			if after, _ := l.State(); string(after) != string(before) {
				t.Error("the learner has changed")
			}
		})
	}
}

// TestGames learns a little on every kind of board, and plays with it.
func TestGames(t *testing.T) {
	for _, name := range []string{
		"mnk:1,6,2", "mnk:3,3,1", "mnk:3,3,5", "standard:6", "caro:6", "renju:6", "pente:6", "connect6:6", "connect4:5x4,k=3",
	} {
		t.Run(name, func(t *testing.T) {
			g, l := newGame(t, name), newLearner(t, name, 5, 2)
			run(t, l)
			t.Chdir(t.TempDir()) // a spec's file cannot have a comma in its name
			const file = "plans.json"
			if err := l.Save(file); err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{"greedy:eval=plans(weights=" + file + ")", "alphabeta:depth=2,eval=plans(weights=" + file + "),order=plans"} {
				p, err := krow.Player(g, text, 1)
				if err != nil {
					t.Fatal(err)
				}
				m, err := p.Move(t.Context(), g.Start(), search.Limits{})
				if err == nil {
					err = game.Play(g.Start(), m)
				}
				if err != nil {
					t.Errorf("%s: %v", text, err)
				}
			}
		})
	}
}

// TestLearnsFromRecords learns from games of a file: those of the game that ended on the board or in which somebody gave up.
func TestLearnsFromRecords(t *testing.T) {
	const file = `{"krow":"games","version":1}
{"index":0,"game":"tictactoe","a":"x","b":"y","first":"a","opening":1,"moves":"a1 b1 a2 b2 a3","outcome":"first wins","result":"win","reason":"win","plies":5}
{"index":1,"game":"tictactoe","a":"x","b":"y","first":"a","opening":0,"moves":"a1 b1","outcome":"second wins","result":"loss","reason":"time","plies":2}
{"index":2,"game":"tictactoe","a":"x","b":"y","first":"b","opening":0,"moves":"a1 b1 c1","outcome":"second wins","result":"win","reason":"forfeit","plies":3}
{"index":3,"game":"connect4","a":"x","b":"y","first":"a","opening":0,"moves":"1","outcome":"second wins","result":"loss","reason":"forfeit","plies":1}
`
	_, games, err := record.Read([]byte(file), "", krow.Game)
	if err != nil {
		t.Fatal(err)
	}
	g := newGame(t, "tictactoe")
	l, err := plans.New(g, plans.Options{Records: games})
	if err != nil {
		t.Fatal(err)
	}
	if _, total := l.Steps(); total != 2 {
		t.Errorf("%d games count, want 2", total)
	}
	run(t, l)
	positions := uint64(0)
	name := filepath.Join(t.TempDir(), "plans.json")
	if err := l.Save(name); err != nil {
		t.Fatal(err)
	}
	learned, o, err := table.Load(name, g)
	if err != nil {
		t.Fatal(err)
	}
	for _, counts := range learned.States {
		for _, c := range counts {
			positions += c.Games
		}
	}
	if positions != 4+3 || o.Settings["games"] != 2.0 {
		t.Errorf("%d positions, want 7; %+v", positions, o)
	}
	// Other games of a file are another learner: its state is refused.
	state, err := l.State()
	if err != nil {
		t.Fatal(err)
	}
	if l, err = plans.New(g, plans.Options{Records: games[:1]}); err != nil || l.Restore(state) == nil {
		t.Errorf("%v, or the state of other games is restored", err)
	}
	if _, err = plans.New(g, plans.Options{Records: games[3:]}); err == nil || err.Error() != "no game of tictactoe to learn from" {
		t.Errorf("error %v", err)
	}
}

func TestBadSettingsAreRefused(t *testing.T) {
	g := newGame(t, "tictactoe")
	for _, tc := range []struct {
		name string
		game game.Game
		set  func(*plans.Options)
		want string
	}{
		{"no rows", newGame(t, "ultimate"), func(*plans.Options) {}, "ultimate is not a k-in-a-row game, so it has no threats to weigh"},
		{"no games", g, func(o *plans.Options) { o.Games = 0 }, "games must be from 1 to 1000000, not 0"},
		{"plies", g, func(o *plans.Options) { o.Plies = -1 }, "random plies must be from 0 to 16384, not -1"},
	} {
		o := options(tc.game, 1)
		tc.set(&o)
		if _, err := plans.New(tc.game, o); err == nil || err.Error() != tc.want {
			t.Errorf("%s: error %v, want %q", tc.name, err, tc.want)
		}
	}
}

// TestCancelChangesNothing: a step that is stopped, or whose player fails, changes nothing.
func TestCancelChangesNothing(t *testing.T) {
	l := newLearner(t, "tictactoe", 5, 2)
	before, err := l.State()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Step(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if after, _ := l.State(); string(after) != string(before) {
		t.Error("the learner has changed")
	}
	run(t, l)
}
