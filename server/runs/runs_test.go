// SPDX-License-Identifier: Apache-2.0

package runs_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/eval/indicators"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/server/bots"
	"github.com/krow-lab/krow/server/runs"
	"github.com/krow-lab/krow/server/store"
	"github.com/krow-lab/krow/server/store/storetest"
)

func TestMain(m *testing.M) {
	bots.Enable()
	m.Run()
}

func openStore(t *testing.T) *store.Store {
	t.Helper()
	return storetest.Open(t)
}

// colony is a small run that breeds, of eight steps.
var colony = runs.Learning{Learner: "genetic:generations=8,players=4,games=6", Game: "ultimate", Seed: 3}

// learned returns a run at its end.
func learned(t *testing.T, db *store.Store, of runs.Learning) *runs.Run {
	t.Helper()
	r, err := runs.Begin(db, of)
	if err == nil {
		err = r.Learn(t.Context(), nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// weights returns the weights of a run at its last step.
func weights(t *testing.T, r *runs.Run) string {
	t.Helper()
	data, err := r.Weights()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A run whose time is over pauses after the step in progress. Without a limit it makes all remaining steps.
func TestLearnFor(t *testing.T) {
	r, err := runs.Begin(openStore(t), colony)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		limit time.Duration
		step  int
	}{{1, 1}, {1, 2}, {0, 8}} {
		if err := r.LearnFor(t.Context(), tc.limit, nil); err != nil || r.Step != tc.step {
			t.Errorf("after LearnFor %v the run is at step %d, %v, want %d", tc.limit, r.Step, err, tc.step)
		}
	}
}

// TestGoesOn stops a run after each of its steps. It goes on where it was, and comes to the same weights and curve as a
// run that was never stopped.
func TestGoesOn(t *testing.T) {
	whole := learned(t, openStore(t), colony)
	curve, err := whole.Curve()
	if err != nil || len(curve) != 8 || !whole.Done {
		t.Fatalf("%d points, done %t, %v", len(curve), whole.Done, err)
	}
	enough := errors.New("enough")
	db := openStore(t)
	for step := 1; step <= 8; step++ {
		r, err := runs.Begin(db, colony, "jobs=2")
		if err != nil {
			t.Fatal(err)
		}
		var told []int
		err = r.Learn(t.Context(), func(p learn.CurvePoint) error {
			if told = append(told, p.Step); p.Values["best"] != curve[p.Step-1].Values["best"] {
				t.Errorf("step %d: %v, want %v", p.Step, p.Values, curve[p.Step-1].Values)
			}
			return enough
		})
		if !errors.Is(err, enough) || !slices.Equal(told, []int{step}) || r.Done != (step == 8) {
			t.Fatalf("step %d: told %v, done %t, %v", step, told, r.Done, err)
		}
	}
	r := learned(t, db, colony)
	if got, want := weights(t, r), weights(t, whole); got != want || !r.Done {
		t.Errorf("done %t, weights\n%s\nwant\n%s", r.Done, got, want)
	}
	if all, err := runs.List(db); err != nil || len(all) != 1 || all[0].Learning != colony || all[0].String() != "genetic:generations=8,players=4,games=6 ultimate seed=3" {
		t.Errorf("the list is %v, %v", all, err)
	}
	if err := r.Forget(); err != nil {
		t.Fatal(err)
	}
	if _, err := runs.Open(db, r.ID); !errors.Is(err, store.ErrNoRun) {
		t.Errorf("forgotten, and then: %v", err)
	}
}

// TestKeptStatesEqualLearner compares the states that are kept with those of a learner that was never stored.
func TestKeptStatesEqualLearner(t *testing.T) {
	db := openStore(t)
	r := learned(t, db, colony)
	if want := []int{1, 2, 4, 8}; !slices.Equal(runs.Rungs(8), want) {
		t.Errorf("rungs %v, want %v", runs.Rungs(8), want)
	}
	if _, err := r.At(5); err == nil || err.Error() != "run 1: the state after step 5 was not kept; the states after [1 2 4 8] were" {
		t.Errorf("step 5 is kept: %v", err)
	}
	l, err := colony.New()
	if err != nil {
		t.Fatal(err)
	}
	for step := 1; step <= 4; step++ {
		if _, err := l.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
		want, err := l.State()
		if err != nil {
			t.Fatal(err)
		}
		got, err := db.Piece(fmt.Sprintf("state of %s after %d", r.Key, step))
		if step == 3 {
			want = nil
		}
		if err != nil || string(got) != string(want) {
			t.Errorf("the state of step %d is not kept as it was: %s, %v", step, got, err)
		}
	}
}

// TestBadState refuses a state that is not the run's.
func TestBadState(t *testing.T) {
	db := openStore(t)
	other := learned(t, db, runs.Learning{Learner: "qlearning:episodes=2", Game: "mnk:3,3,3", Seed: 1})
	r, err := db.Run(runs.Kind, "x", []byte(`{"learner":"qlearning:episodes=3","game":"mnk:3,3,3","seed":1}`), 3)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.SaveStep(r, other.State, learn.CurvePoint{Step: 1}); err != nil {
		t.Fatal(err)
	}
	bad, err := runs.Open(db, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := bad.Learn(t.Context(), nil); !errors.Is(err, runs.ErrState) {
		t.Errorf("learning goes on from the state of another run: %v", err)
	}
	if _, err := db.Run(runs.Kind, "y", []byte(`{"seed":"x"}`), 3); err != nil {
		t.Fatal(err)
	}
	if all, err := runs.List(db); err == nil || len(all) != 2 {
		t.Errorf("%d runs are listed beside one without settings: %v", len(all), err)
	}
	match, err := db.Run("web match", "z", []byte("{}"), 3)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := runs.Open(db, match.ID); !errors.Is(err, store.ErrNoRun) {
		t.Errorf("a match is a run of learning: %v", err)
	}
}

func TestParseRef(t *testing.T) {
	for text, want := range map[string]runs.Ref{
		"run:7": {Run: 7}, "run:7,step=15": {Run: 7, Step: 15}, "run:7,member=2": {Run: 7, Member: 2},
		"run:7,step=15,member=2": {Run: 7, Step: 15, Member: 2}, "run:7,members=2-5": {Run: 7, Member: 2, Last: 5},
	} {
		if got, is, err := runs.ParseRef(text); got != want || !is || err != nil || got.String() != text {
			t.Errorf("%s is %+v, %t, %v", text, got, is, err)
		}
	}
	for _, bad := range []string{"run", "run:", "run:0", "run:x", "run:7,step=0", "run:7,member=0", "run:7,8", "run:7,depth=2", "run:7,members=1", "run:7,members=0-2", "run:7,members=1-2x", "run:7,member=1,members=1-2"} {
		if _, is, err := runs.ParseRef(bad); !is || err == nil {
			t.Errorf("%s: %t, %v", bad, is, err)
		}
	}
	for _, other := range []string{"", "random", "runner:1", "7"} {
		if _, is, err := runs.ParseRef(other); is || err != nil {
			t.Errorf("%s: %t, %v", other, is, err)
		}
	}
}

func TestRefPlayers(t *testing.T) {
	db := openStore(t)
	learned(t, db, colony)
	learned(t, db, runs.Learning{Learner: "qlearning:episodes=1,depth=1", Game: "mnk:3,3,3", Seed: 1})
	g, err := krow.Game("ultimate")
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		text, err string
		want      []string
	}{
		{text: "run:1", want: []string{"run:1,member=1", "run:1,member=2", "run:1,member=3", "run:1,member=4"}},
		{text: "run:1,members=2-3", want: []string{"run:1,member=2", "run:1,member=3"}},
		{text: "run:1,step=4,members=1-1", want: []string{"run:1,step=4,member=1"}},
		{text: "run:2", want: []string{"run:2"}},
		{text: "run:2,members=1-2", err: "the learner breeds no colony"},
		{text: "run:1,members=4-5", err: "the members of the colony are 1 to 4; there is no member 5"},
		{text: "run:1,member=9", err: "the members of the colony are 1 to 4; there is no member 9"},
		{text: "run:1,members=3-2", err: "there are no members from 3 to 2"},
		{text: "run:9", err: "there is no such run"},
	} {
		ref, _, err := runs.ParseRef(tc.text)
		if err != nil {
			t.Fatal(err)
		}
		r, err := runs.Open(db, ref.Run)
		var all []runs.Ref
		if err == nil {
			all, err = r.Players(ref)
		}
		var got []string
		for _, ref := range all {
			if tc.err != "" {
				_, err = runs.Settle(db, g, ref)
			}
			got = append(got, ref.String())
		}
		if tc.err == "" && !slices.Equal(got, tc.want) || (err == nil) != (tc.err == "") || err != nil && !regexp.MustCompile(tc.err).MatchString(err.Error()) {
			t.Errorf("%s: %q, %v, want %q, %s", tc.text, got, err, tc.want, tc.err)
		}
	}
	if _, err := runs.Settle(db, g, runs.Ref{Run: 1, Member: 1, Last: 2}); err == nil || err.Error() != "run:1,members=1-2 names several players" {
		t.Errorf("several players are one: %v", err)
	}
}

// TestMemberPlays compares each member with a greedy player that has its weights, move by move in a random game.
func TestMemberPlays(t *testing.T) {
	for _, more := range []string{"", ",block=on", ",either=on,ever=on"} {
		db := openStore(t)
		of := colony
		of.Learner = "genetic:generations=2,players=4,games=6" + more
		r := learned(t, db, of)
		l, err := r.At(0)
		if err != nil {
			t.Fatal(err)
		}
		c, err := l.Colony()
		if err != nil || len(c.Members) != 4 || len(c.Traits) != len(c.Members[0].Values) {
			t.Fatalf("%+v, %v", c, err)
		}
		g, err := krow.Game("ultimate")
		if err != nil {
			t.Fatal(err)
		}
		for i := range c.Members {
			file := filepath.Join(t.TempDir(), "w.json")
			if err := l.Save(file, i+1); err != nil {
				t.Fatal(err)
			}
			w, from, err := indicators.Load(file)
			if err != nil || from.Settings["member"] != float64(i+1) || w[0] != c.Members[i].Values[0] || c.Traits[0] != "corner" {
				t.Fatalf("member %d: %v of %+v, %v", i+1, w, from, err)
			}
			text, err := l.Spec(file)
			if want := "greedy:eval=indicators(weights=" + file + more + ")"; err != nil || text != want {
				t.Fatalf("the player is %s, %v, want %s", text, err, want)
			}
			want, err := krow.Player(g, text, 1)
			if err != nil {
				t.Fatal(err)
			}
			l, err := r.At(0)
			if err != nil {
				t.Fatal(err)
			}
			players, err := l.Players(g, i+1)
			if err != nil {
				t.Fatal(err)
			}
			got, err := players(1)
			if err != nil {
				t.Fatal(err)
			}
			agree(t, got, want, g, uint64(i))
		}
		if l.Save(filepath.Join(t.TempDir(), "w"), 5) == nil {
			t.Error("there is a fifth member")
		}
	}
}

// agree fails unless a and b choose the same moves in a random game.
func agree(t *testing.T, a, b player.Player, g game.Game, seed uint64) {
	t.Helper()
	random := player.NewRandom(seed)
	for p := g.Start(); p.Outcome() == game.Ongoing; {
		x, errX := a.Move(t.Context(), p, search.Limits{})
		y, errY := b.Move(t.Context(), p, search.Limits{})
		if x != y || errX != nil || errY != nil {
			t.Fatalf("seed=%d ply %d: %s, %v and %s, %v", seed, p.Ply(), g.Format(x), errX, g.Format(y), errY)
		}
		m, err := random.Move(t.Context(), p, search.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		p.Play(m)
	}
}

// TestPlayers makes a player of every kind of weights, and leaves no file behind.
func TestPlayers(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	db := openStore(t)
	for _, of := range []runs.Learning{
		{Learner: "qlearning:episodes=2,depth=1", Game: "mnk:4,4,3", Seed: 1},
		{Learner: "spsa:games=8,target=indicators(block=on),measure=0", Game: "ultimate", Seed: 1},
		{Learner: "spsa:games=8,target=mics(nodes=50),measure=0", Game: "mnk:4,4,3", Seed: 1},
		{Learner: "genetic:target=generic(depth=1),games=8,players=2,each=2", Game: "mnk:4,4,3", Seed: 1},
	} {
		r := learned(t, db, of)
		g, err := krow.Game(of.Game)
		if err != nil {
			t.Fatal(err)
		}
		ref, err := runs.Settle(db, g, runs.Ref{Run: r.ID})
		if err != nil || ref.Step != r.Step {
			t.Fatalf("%s: %s, %v", of, ref, err)
		}
		l, err := runs.Find(db, ref)
		if err != nil {
			t.Fatal(err)
		}
		players, err := l.Players(g, 0)
		if err != nil {
			t.Fatal(err)
		}
		p, err := players(2)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Move(t.Context(), g.Start(), search.Limits{Nodes: 100}); err != nil {
			t.Errorf("%s: %v", of, err)
		}
		other, err := krow.Game("atarigo:5")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := runs.Settle(db, other, ref); err == nil {
			t.Errorf("%s plays %s", of, other)
		}
	}
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "krow-*")); err != nil || len(left) > 0 {
		t.Errorf("files are left: %q, %v", left, err)
	}
}

// TestBotInTheStore learns the parameters of a bot that is in the store, stops and continues, and plays with the learned values.
// The run keeps its version of the bot.
func TestBotInTheStore(t *testing.T) {
	db := openStore(t)
	mine := bots.Of(db, bots.Everybody, nil)
	save := func(declared string) {
		source := "X = param(" + declared + ")\ndef score(position, move):\n    return -abs(move - X)\n"
		if _, err := mine.Save("near", []byte(source)); err != nil {
			t.Fatal(err)
		}
	}
	save(`"x", 6, 2, 8`)
	of := runs.Learning{Learner: "spsa:games=40,pairs=1,measure=1", Game: "tictactoe", Seed: 1, Bot: "bot:near,version=1"}
	enough := errors.New("enough")
	begun, err := runs.Begin(db, of)
	if err == nil {
		err = begun.Learn(t.Context(), func(learn.CurvePoint) error { return enough })
	}
	if !errors.Is(err, enough) {
		t.Fatal(err)
	}
	save(`"x", 0, 0, 1`)
	r := learned(t, db, of)
	curve, err := r.Curve()
	if err != nil || r.ID != begun.ID || len(curve) != 20 {
		t.Fatalf("run %d with %d points, %v", r.ID, len(curve), err)
	}
	x := curve[19].Values["x"]
	if x < 2 || x == 6 {
		t.Errorf("x is %g after 40 games", x)
	}
	g, err := krow.Game(of.Game)
	if err != nil {
		t.Fatal(err)
	}
	l, err := r.At(0)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "w.json")
	if err := l.Save(file, 0); err != nil {
		t.Fatal(err)
	}
	if text, err := l.Spec(file); err != nil || text != "bot:near,version=1,weights="+file {
		t.Errorf("the player is %s, %v", text, err)
	}
	players, err := l.Players(g, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := players(1)
	if err != nil {
		t.Fatal(err)
	}
	defer player.Close(p)
	m, err := p.Move(t.Context(), g.Start(), search.Limits{})
	if err != nil || m != game.Move(math.Round(x)) {
		t.Errorf("the bot plays %d, %v, with x = %g", m, err, x)
	}

	for _, wrong := range []string{"random", "bot:nobody", "bot:near,version=7"} {
		of.Bot = wrong
		if _, err := runs.Begin(db, of); err == nil {
			t.Errorf("a run of %s has begun", wrong)
		}
	}
}
