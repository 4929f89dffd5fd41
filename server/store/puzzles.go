// SPDX-License-Identifier: Apache-2.0

package store

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/krow-lab/krow/arena/stats"
	"github.com/krow-lab/krow/internal/fault"
)

// Try is a person's try at a puzzle.
type Try struct {
	Owner               int64 // the member
	Puzzle, Game, Theme string
	Score               float64 // 1 solved, 0.5 with a hint, 0 failed
	Rated               bool    // it moved the rating
	Person              stats.Glicko
	At                  time.Time
}

// Repeat says when a puzzle comes again, and how many times it was solved since it was failed.
type Repeat struct {
	Puzzle string
	Step   int
	Due    time.Time
}

// keptTries is how many tries are kept of a member: the last ones.
const keptTries = 20_000

// AddTry keeps a try. The puzzle's rating is kept with it unless grade is nil. The puzzle comes again at r.Due, or not at
// all if that is zero.
func (s *Store) AddTry(t Try, grade *stats.Glicko, r Repeat) error {
	return s.update(func(tx *sql.Tx) error {
		if _, err := insert(tx, "puzzle_tries", t, ""); err != nil {
			return err
		}
		all := []statement{
			sqlOf("DELETE FROM puzzle_tries WHERE owner = $1 AND id <= (SELECT id FROM puzzle_tries WHERE owner = $1 ORDER BY id DESC LIMIT 1 OFFSET $2)", t.Owner, keptTries),
			sqlOf("DELETE FROM puzzle_repeats WHERE owner = $1 AND puzzle = $2", t.Owner, t.Puzzle),
		}
		if grade != nil {
			all = append(all, sqlOf("INSERT OR REPLACE INTO puzzle_grades (puzzle, rating, deviation, volatility) VALUES ($1, $2, $3, $4)",
				t.Puzzle, grade.Rating, grade.Deviation, grade.Volatility))
		}
		if !r.Due.IsZero() {
			all = append(all, sqlOf("INSERT INTO puzzle_repeats (owner, puzzle, step, due) VALUES ($1, $2, $3, $4)", t.Owner, t.Puzzle, r.Step, r.Due.UnixMilli()))
		}
		return changeAll(tx, all...)
	})
}

// Tries returns all tries of a member, the oldest first.
func (s *Store) Tries(owner int64) ([]Try, error) {
	return list[Try](s, "FROM puzzle_tries WHERE owner = $1 ORDER BY id", owner)
}

// Grades returns the ratings of the puzzles that tries have moved.
func (s *Store) Grades() (map[string]stats.Glicko, error) {
	type row struct {
		Puzzle string
		Grade  stats.Glicko
	}
	all, err := list[row](s, "FROM puzzle_grades")
	grades := map[string]stats.Glicko{}
	for _, r := range all {
		grades[r.Puzzle] = r.Grade
	}
	return grades, err
}

// Repeats returns the puzzles that come again for a member, the first one first.
func (s *Store) Repeats(owner int64) ([]Repeat, error) {
	return list[Repeat](s, "FROM puzzle_repeats WHERE owner = $1 ORDER BY due, puzzle", owner)
}

// OwnPuzzle is a puzzle of a person's own games.
type OwnPuzzle struct {
	ID   string `db:"puzzle"`
	Data json.RawMessage
}

// ErrNoPuzzle is returned for a name that no puzzle has.
var ErrNoPuzzle = fault.New("no-puzzle", "there is no such puzzle")

// AddOwnPuzzle stores a member's own puzzle, or replaces that member's puzzle with the same name.
func (s *Store) AddOwnPuzzle(owner int64, p OwnPuzzle) error {
	return s.exec(nil, `INSERT INTO puzzle_own (owner, puzzle, data, at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (owner, puzzle) DO UPDATE SET data = excluded.data`, owner, p.ID, string(p.Data), now())
}

// OwnPuzzles returns a member's own puzzles, the newest first.
func (s *Store) OwnPuzzles(owner int64) ([]OwnPuzzle, error) {
	return list[OwnPuzzle](s, "FROM puzzle_own WHERE owner = $1 ORDER BY at DESC, puzzle", owner)
}

// DeleteOwnPuzzle forgets a member's own puzzle, and when it comes again.
func (s *Store) DeleteOwnPuzzle(owner int64, id string) error {
	return s.update(func(tx *sql.Tx) error {
		if err := change(tx, fmt.Errorf("puzzle %s: %w", id, ErrNoPuzzle), "DELETE FROM puzzle_own WHERE owner = $1 AND puzzle = $2", owner, id); err != nil {
			return err
		}
		return change(tx, nil, "DELETE FROM puzzle_repeats WHERE owner = $1 AND puzzle = $2", owner, id)
	})
}
