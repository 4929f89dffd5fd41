// SPDX-License-Identifier: Apache-2.0

package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/krow-lab/krow/app/training"
	"github.com/krow-lab/krow/arena/stats"
	"github.com/krow-lab/krow/learn"
)

// fresh returns a store in a directory of its own.
func fresh(t *testing.T) *Store {
	t.Helper()
	return reopen(t, filepath.Join(t.TempDir(), "new", "a ?b#c%20.db"))
}

func reopen(t *testing.T, file string) *Store {
	t.Helper()
	s, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func begin(t *testing.T, s *Store, key string) *Run {
	t.Helper()
	r, err := s.Run("test", key, json.RawMessage(`{"seed": 1}`), 3)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func save(t *testing.T, s *Store, r *Run, step int) {
	t.Helper()
	if err := s.SaveStep(r, stateOf(step), pointOf(step)); err != nil {
		t.Fatal(err)
	}
}

func TestRunGoesOn(t *testing.T) {
	s := fresh(t)
	r := begin(t, s, "a")
	if r.State != nil || r.Step != 0 || r.Steps != 3 || r.Done {
		t.Errorf("a new run is %+v", r)
	}
	save(t, s, r, 1)
	save(t, s, r, 2)
	again := begin(t, reopen(t, s.name), "a")
	if diff := cmp.Diff(r, again); diff != "" {
		t.Errorf("the run as stored differs (-want +got):\n%s", diff)
	}
	checkPrefix(t, s, again)
	save(t, s, again, 3)
	if err := s.Finish(again); err != nil {
		t.Fatal(err)
	}
	if got := begin(t, s, "a"); !got.Done || got.Step != 3 {
		t.Errorf("a finished run is %v at step %d", got.Done, got.Step)
	}
}

// TestOpenNames opens files by names that mean something in a URI.
func TestOpenNames(t *testing.T) {
	s := fresh(t)
	if info, err := os.Stat(s.name); err != nil || info.Size() == 0 {
		t.Errorf("the file is not where it was asked for: %v", err)
	}
}

func TestRunMayGrow(t *testing.T) {
	s := fresh(t)
	r := begin(t, s, "a")
	for step := 1; step <= 3; step++ {
		save(t, s, r, step)
	}
	if err := s.Finish(r); err != nil {
		t.Fatal(err)
	}
	longer, err := s.Run("test", "a", json.RawMessage(`{"seed":1}`), 4)
	if err != nil {
		t.Fatal(err)
	}
	save(t, s, longer, 4)
	checkPrefix(t, s, longer)
}

func TestRunRefuses(t *testing.T) {
	spec := json.RawMessage(`{"seed":1}`)
	tests := []struct {
		name string
		do   func(s *Store, r, other *Run) error
		want error  // nil for any
		line string // after "store FILE: "
	}{
		{
			"other settings", func(s *Store, r, _ *Run) error {
				_, err := s.Run("test", "a", json.RawMessage(`{"seed":2}`), 3)
				return err
			},
			errSpec, `test a: a run with this name has other settings: {"seed":1}`,
		},
		{
			"fewer steps", func(s *Store, r, _ *Run) error { _, err := s.Run("test", "a", spec, 2); return err },
			errSpec, `test a: a run with this name has other settings: 3 steps, not 2`,
		},
		{
			"settings that are not JSON", func(s *Store, r, _ *Run) error { _, err := s.Run("test", "b", json.RawMessage(`{`), 2); return err },
			nil, `test b: settings: unexpected end of JSON input`,
		},
		{
			"a gap", func(s *Store, r, _ *Run) error { return s.SaveStep(r, nil, pointOf(3)) },
			nil, `test a: step 3 cannot follow step 1`,
		},
		{"a point that is no number", func(s *Store, r, _ *Run) error {
			return s.SaveStep(r, nil, learn.CurvePoint{Step: 2, Values: map[string]float64{"x": math.NaN()}})
		}, nil, `test a: step 2: sql: converting argument $4 type: json: unsupported value: NaN`},
		{"another process was faster", func(s *Store, r, other *Run) error {
			if err := s.SaveStep(other, stateOf(2), pointOf(2)); err != nil {
				return err
			}
			return s.SaveStep(r, []byte("lost"), pointOf(2))
		}, ErrConflict, `test a: step 2: another process has gone on with this run`},
		{"finished behind its back", func(s *Store, r, other *Run) error {
			if err := s.Finish(other); err != nil {
				return err
			}
			return s.SaveStep(r, []byte("lost"), pointOf(2))
		}, ErrConflict, `test a: step 2: another process has gone on with this run`},
		{"to finish a run that went on", func(s *Store, r, other *Run) error {
			if err := s.SaveStep(other, stateOf(2), pointOf(2)); err != nil {
				return err
			}
			return s.Finish(r)
		}, ErrConflict, `test a: another process has gone on with this run`},
		{"a step of a finished run", func(s *Store, r, _ *Run) error {
			if err := s.Finish(r); err != nil {
				return err
			}
			return s.SaveStep(r, nil, pointOf(2))
		}, errOver, `test a: step 2 of 3: the run is finished`},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			s := fresh(t)
			r := begin(t, s, "a")
			save(t, s, r, 1)
			err := tc.do(s, r, begin(t, reopen(t, s.name), "a"))
			if err == nil || tc.want != nil && !errors.Is(err, tc.want) {
				t.Fatalf("error = %v, want %v", err, tc.want)
			}
			if got, want := err.Error(), "store "+s.name+": "+tc.line; got != want {
				t.Errorf("error = %q, want %q", got, want)
			}
			if r.Step != 1 {
				t.Errorf("the run moved to step %d", r.Step)
			}
			checkPrefix(t, s, begin(t, s, "a"))
		})
	}
}

func TestRuns(t *testing.T) {
	s := fresh(t)
	a := begin(t, s, "a")
	save(t, s, a, 1)
	begin(t, s, "b")
	if _, err := s.Run("study", "a", json.RawMessage(`null`), 1); err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[string][]string{"": {"a", "b", "a"}, "test": {"a", "b"}, "study": {"a"}, "none": nil} {
		runs, err := s.Runs(kind)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range runs {
			got = append(got, r.Key)
			if r.State != nil {
				t.Errorf("Runs(%q) lists the state of %s", kind, r.Key)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Runs(%q) (-want +got):\n%s", kind, diff)
		}
	}
}

func TestPiecesAreKept(t *testing.T) {
	s := fresh(t)
	if err := s.PutPiece("4.1", []byte(`{`)); err == nil {
		t.Error("a piece that is not JSON was kept")
	}
	if err := s.PutPiece("4.1", []byte(`3`)); err != nil {
		t.Fatal(err)
	}
	if err := s.PutPiece("4.1", []byte(`4`)); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Piece("4.1"); err != nil || string(got) != "4" {
		t.Errorf("Piece = %s, %v, want 4", got, err)
	}
	if got, err := s.Piece("4.2"); err != nil || got != nil {
		t.Errorf("Piece = %s, %v, want none", got, err)
	}
}

// TestGameIsReadBack: a game of a run and a game at the board are read as they were added.
func TestGameIsReadBack(t *testing.T) {
	s := fresh(t)
	r := begin(t, s, "a")
	for _, want := range []Game{
		{ID: "match", Run: r.ID, Game: "connect4", First: "mcts", Second: "random", Moves: "4 4 3", Plies: 3, Outcome: "draw", Reason: "draw", Visibility: "link"},
		{
			ID: "people", Game: "connect4", Start: "x", First: "human", Second: "human", Outcome: "ongoing", Extra: []byte("{}"), Visibility: "private",
			Pool: "connect4 blitz", Rated: true, Seats: [2]Seat{{Member: 1}, {Guest: "g", Name: "Eve"}}, Tournament: 2, Round: 3, Place: 4, Gain: [2]float64{1.5, -2},
		},
	} {
		if err := s.AddGame(want, ""); err != nil {
			t.Fatal(err)
		}
		got, err := s.Game(want.ID)
		if err != nil || got.Created.Before(r.Created) || got.Updated != got.Created || got.Number == 0 {
			t.Fatalf("Game(%s) = %+v, %v", want.ID, got, err)
		}
		filter := GameFilter{Run: want.Run, Tournament: want.Tournament}
		if all, err := s.Games(filter); err != nil || len(all) != 1 || all[0].ID != want.ID {
			t.Errorf("Games(%+v) = %+v, %v", filter, all, err)
		}
		want.Number, want.Created, want.Updated = got.Number, got.Created, got.Updated
		if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
			t.Errorf("game %s (-added +read):\n%s", want.ID, d)
		}
	}
	if err := s.AddGame(Game{Run: 99}, ""); err == nil {
		t.Error("a game of a run that does not exist was kept")
	}
}

func TestLoadAndDelete(t *testing.T) {
	s := fresh(t)
	a, b := begin(t, s, "a"), begin(t, s, "b")
	for step := 1; step <= 2; step++ {
		save(t, s, a, step)
		save(t, s, b, step)
	}
	if err := s.AddGame(Game{Run: a.ID, Game: "tictactoe"}, ""); err != nil {
		t.Fatal(err)
	}
	got, err := s.Load(b.ID)
	if d := cmp.Diff(b, got); err != nil || d != "" {
		t.Fatalf("Load: %v (-stepped +loaded):\n%s", err, d)
	}
	if err := s.Delete(a.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Load(a.ID); !errors.Is(err, ErrNoRun) {
		t.Errorf("Load of a deleted run: %v, want %v", err, ErrNoRun)
	}
	if err := s.Delete(a.ID); !errors.Is(err, ErrNoRun) {
		t.Errorf("Delete of a deleted run: %v, want %v", err, ErrNoRun)
	}
	points, err := s.Points(a.ID)
	games, err2 := s.Games(GameFilter{Run: a.ID})
	if err != nil || err2 != nil || len(points) != 0 || len(games) != 0 {
		t.Errorf("a deleted run has points %v, %v and games %v, %v", points, err, games, err2)
	}
	if err := s.SaveStep(a, stateOf(3), pointOf(3)); !errors.Is(err, ErrConflict) {
		t.Errorf("a step of a deleted run: %v, want %v", err, ErrConflict)
	}
	checkPrefix(t, s, b)
}

// TestTries: what is kept of training is read back.
func TestTries(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "krow.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	at := time.UnixMilli(1_700_000_000_000).UTC()
	grade := stats.Glicko{Rating: 1400, Deviation: 90, Volatility: 0.06}
	first := training.Try{Owner: 1, Puzzle: "p", Game: "renju", Theme: "vcf", Rated: true, Person: stats.Glicko{Rating: 1100, Deviation: 300, Volatility: 0.06}, At: at}
	second := training.Try{Owner: 1, Puzzle: "p", Game: "renju", Theme: "vcf", Score: 1, Person: first.Person, At: at.Add(time.Hour)}
	due := training.Repeat{Puzzle: "p", Due: at.AddDate(0, 0, 1)}
	for i, want := range [][]training.Repeat{{due}, nil} {
		r := training.Repeat{}
		if i == 0 {
			r = due
		}
		if err := s.AddTry([]training.Try{first, second}[i], []*stats.Glicko{&grade, nil}[i], r); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Repeats(1); err != nil || !slices.Equal(got, want) {
			t.Errorf("Repeats = %v, %v, want %v", got, err, want)
		}
	}
	if got, err := s.Tries(1); err != nil || !slices.Equal(got, []training.Try{first, second}) {
		t.Errorf("Tries = %v, %v", got, err)
	}
	if got, err := s.Grades(); err != nil || len(got) != 1 || got["p"] != grade {
		t.Errorf("Grades = %v, %v", got, err)
	}
	own := training.OwnPuzzle{ID: "q", Data: json.RawMessage(`{"game":"renju"}`)}
	if err := s.AddOwnPuzzle(1, own); err != nil {
		t.Fatal(err)
	}
	if got, err := s.OwnPuzzles(1); err != nil || len(got) != 1 || got[0].ID != "q" || string(got[0].Data) != string(own.Data) {
		t.Errorf("OwnPuzzles = %v, %v", got, err)
	}
	if err := s.DeleteOwnPuzzle(1, "q"); err != nil {
		t.Error(err)
	}
	if err := s.DeleteOwnPuzzle(1, "q"); !errors.Is(err, training.ErrNoPuzzle) {
		t.Errorf("a second time: %v", err)
	}
}

// TestServed: the last time counts, also if the machine's clock was set back in between.
func TestServed(t *testing.T) {
	s := fresh(t)
	if at, err := s.Served(); err != nil || !at.IsZero() {
		t.Errorf("served at %v, %v", at, err)
	}
	now := time.UnixMilli(1_700_000_000_000)
	for _, at := range []time.Time{now.Add(time.Hour), now} {
		if err := s.Serve(at); err != nil {
			t.Fatal(err)
		}
	}
	if at, err := s.Served(); err != nil || !at.Equal(now) {
		t.Errorf("served at %v, %v, want %v", at, err, now)
	}
}

// TestPanicInUpdate: a panic within a transaction leaves nothing of it, and others can write.
func TestPanicInUpdate(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "krow.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	func() {
		defer func() { _ = recover() }()
		_ = s.update(func(tx *sql.Tx) error {
			if _, err := tx.Exec("INSERT INTO pieces (key, value, updated) VALUES ('x', '', 0)"); err != nil {
				t.Error(err)
			}
			panic("a fault")
		})
	}()
	written := make(chan error, 1)
	go func() { written <- s.Serve(time.Now()) }()
	select {
	case err := <-written:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the transaction still holds the database")
	}
	var n int
	if err := s.writer.QueryRow("SELECT count(*) FROM pieces").Scan(&n); err != nil || n != 0 {
		t.Errorf("%d rows of the transaction, %v", n, err)
	}
}
