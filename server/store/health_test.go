// SPDX-License-Identifier: Apache-2.0

package store

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/krow-lab/krow/app/training"
	"github.com/krow-lab/krow/arena/stats"
	"github.com/krow-lab/krow/learn"
)

// TestBytesOfCountsEverything keeps one thing after another of a member, each of which counts.
func TestBytesOfCountsEverything(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "krow.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const bob = 7
	if err := s.exec(nil, "INSERT INTO members (id, name, name_key, role, created) VALUES ($1, 'bob', 'bob', 'member', 0)", bob); err != nil {
		t.Fatal(err)
	}
	run, err := s.Run("web match", "key", []byte("{}"), 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.OwnRun(run.ID, bob); err != nil {
		t.Fatal(err)
	}
	seats := [2]Seat{{Guest: "g", Name: "guest"}, {Member: bob}}
	things := []struct {
		name string
		keep func() error
	}{
		{"a game of one's own", func() error { return s.AddGame(Game{ID: "own", Owner: bob}, "") }},
		{"a game with others", func() error {
			return s.AddGame(Game{ID: "with", Pool: "p", Seats: seats}, "")
		}},
		{"a try at a puzzle", func() error { return s.AddTry(training.Try{Owner: bob, Puzzle: "p"}, nil, training.Repeat{}) }},
		{"a puzzle that comes again", func() error {
			return s.AddTry(training.Try{Owner: bob, Puzzle: "p"}, &stats.Glicko{}, training.Repeat{Puzzle: "p", Due: time.Now()})
		}},
		{"a puzzle of one's own", func() error { return s.AddOwnPuzzle(bob, training.OwnPuzzle{ID: "q"}) }},
		{"a challenge", func() error { return s.AddChallenge(Challenge{ID: "c", By: seats[1]}) }},
		{"a game of a match", func() error { return s.AddGame(Game{Run: run.ID}, "") }},
		{"a step of a run", func() error { return s.SaveStep(run, nil, learn.CurvePoint{Step: 1}) }},
	}
	before := int64(0)
	for _, x := range things {
		if err := x.keep(); err != nil {
			t.Fatalf("%s: %v", x.name, err)
		}
		after, err := s.BytesOf(bob)
		if err != nil || after <= before {
			t.Errorf("%s: %d bytes after %d, %v", x.name, after, before, err)
		}
		before = after
	}
}

// TestTriesAreForgotten keeps one try more than are kept of a member.
func TestTriesAreForgotten(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "krow.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.exec(nil, `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
		INSERT INTO puzzle_tries (puzzle, game, theme, score, rated, rating, deviation, volatility, at, owner) SELECT 'p' || i, '', '', 1, 0, 0, 0, 0, i, 1 FROM n`, keptTries); err != nil {
		t.Fatal(err)
	}
	if err := s.AddTry(training.Try{Owner: 1, Puzzle: "last"}, nil, training.Repeat{}); err != nil {
		t.Fatal(err)
	}
	all, err := s.Tries(1)
	if err != nil || len(all) != keptTries || all[0].Puzzle != "p2" || all[keptTries-1].Puzzle != "last" {
		t.Errorf("%d tries, %v, %v", len(all), all[:min(1, len(all))], err)
	}
}

// TestHealth fills the file: Health says so, and notices when there is room again.
func TestHealth(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "krow.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Health(); err != nil {
		t.Errorf("at first: %v", err)
	}
	if err := s.SetMaxPages(1); err != nil {
		t.Fatal(err)
	}
	if err := s.exec(nil, "INSERT INTO pieces VALUES ('a', zeroblob(1000000), 0)"); err == nil {
		t.Fatal("there was room")
	}
	if err := s.Health(); err != errFull {
		t.Errorf("on a full disk: %v, want %v", err, errFull)
	}
	if err := s.SetMaxPages(1 << 30); err != nil {
		t.Fatal(err)
	}
	if err := s.Health(); err != errFull {
		t.Errorf("within a second of the last look: %v, want %v", err, errFull)
	}
	s.writes.looked = time.Time{}
	if err := s.Health(); err != nil {
		t.Errorf("when there is room: %v", err)
	}
}
