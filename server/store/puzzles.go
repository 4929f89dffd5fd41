// SPDX-License-Identifier: Apache-2.0

package store

import (
	"database/sql"
	"fmt"

	"github.com/krow-lab/krow/app/training"
	"github.com/krow-lab/krow/arena/stats"
)

// keptTries is the number of a member's latest tries that are kept.
const keptTries = 20_000

// AddTry stores a try at a puzzle. Unless grade is nil, it also stores the new rating of the puzzle. The puzzle is shown to the
// member again at r.Due, or not at all if r.Due is zero.
func (s *Store) AddTry(t training.Try, grade *stats.Glicko, r training.Repeat) error {
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
func (s *Store) Tries(owner int64) ([]training.Try, error) {
	return list[training.Try](s, "FROM puzzle_tries WHERE owner = $1 ORDER BY id", owner)
}

// Grades returns the ratings of the puzzles whose rating was changed by tries.
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

// Repeats returns the puzzles that will be shown to a member again, the next one first.
func (s *Store) Repeats(owner int64) ([]training.Repeat, error) {
	return list[training.Repeat](s, "FROM puzzle_repeats WHERE owner = $1 ORDER BY due, puzzle", owner)
}

// AddOwnPuzzle stores a member's own puzzle, or replaces that member's puzzle with the same name.
func (s *Store) AddOwnPuzzle(owner int64, p training.OwnPuzzle) error {
	return s.exec(nil, `INSERT INTO puzzle_own (owner, puzzle, data, at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (owner, puzzle) DO UPDATE SET data = excluded.data`, owner, p.ID, string(p.Data), now())
}

// OwnPuzzles returns a member's own puzzles, the newest first.
func (s *Store) OwnPuzzles(owner int64) ([]training.OwnPuzzle, error) {
	return list[training.OwnPuzzle](s, "FROM puzzle_own WHERE owner = $1 ORDER BY at DESC, puzzle", owner)
}

// DeleteOwnPuzzle deletes a member's own puzzle and its next repetition.
func (s *Store) DeleteOwnPuzzle(owner int64, id string) error {
	return s.update(func(tx *sql.Tx) error {
		if err := change(tx, fmt.Errorf("puzzle %s: %w", id, training.ErrNoPuzzle), "DELETE FROM puzzle_own WHERE owner = $1 AND puzzle = $2", owner, id); err != nil {
			return err
		}
		return change(tx, nil, "DELETE FROM puzzle_repeats WHERE owner = $1 AND puzzle = $2", owner, id)
	})
}
