// SPDX-License-Identifier: Apache-2.0

package training

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/krow-lab/krow/arena/stats"
	"github.com/krow-lab/krow/internal/fault"
)

// Try is a person's try at a puzzle.
type Try struct {
	Owner               int64 // number of the member
	Puzzle, Game, Theme string
	Score               float64 // 1 for solved, 0.5 for solved with a hint, 0 for failed
	Rated               bool    // whether the try changed the person's rating
	Person              stats.Glicko
	At                  time.Time
}

// Repeat holds the time at which a puzzle is to be shown again, and the number of times it was solved since the last failure.
type Repeat struct {
	Puzzle string
	Step   int
	Due    time.Time
}

// OwnPuzzle is a puzzle made from a person's own game.
type OwnPuzzle struct {
	ID   string `db:"puzzle"`
	Data json.RawMessage
}

// ErrNoPuzzle is returned if there is no puzzle with the given name, or no puzzle that fits a Wish.
var ErrNoPuzzle = fault.New("no-puzzle", "there is no such puzzle")

// Keeper stores the training data of members.
type Keeper interface {
	// AddTry stores a try and, unless grade is nil, the new rating of the puzzle. The puzzle is to be shown again at r.Due, or
	// not at all if r.Due is zero.
	AddTry(t Try, grade *stats.Glicko, r Repeat) error
	// Tries returns all tries of a member, the oldest first.
	Tries(owner int64) ([]Try, error)
	// Grades returns a map from the name of a puzzle to its rating. It contains the puzzles whose ratings have changed because
	// members tried to solve them.
	Grades() (map[string]stats.Glicko, error)
	// Repeats returns the puzzles to be shown again to a member, in the order of Due.
	Repeats(owner int64) ([]Repeat, error)
	// AddOwnPuzzle stores a member's own puzzle, or replaces that member's puzzle with the same name.
	AddOwnPuzzle(owner int64, p OwnPuzzle) error
	// OwnPuzzles returns a member's own puzzles, the newest first.
	OwnPuzzles(owner int64) ([]OwnPuzzle, error)
	// DeleteOwnPuzzle deletes a member's own puzzle with its Repeat.
	DeleteOwnPuzzle(owner int64, id string) error
}

// Memory is a Keeper for one person. The field Kept contains all its data, and can be stored as JSON.
type Memory struct {
	Kept struct {
		Tries   []Try
		Grades  map[string]stats.Glicko
		Repeats []Repeat
		Own     []OwnPuzzle
	}
}

func (m *Memory) AddTry(t Try, grade *stats.Glicko, r Repeat) error {
	k := &m.Kept
	k.Tries = append(k.Tries, t)
	if grade != nil {
		if k.Grades == nil {
			k.Grades = map[string]stats.Glicko{}
		}
		k.Grades[t.Puzzle] = *grade
	}
	m.forgetRepeat(t.Puzzle)
	if !r.Due.IsZero() {
		k.Repeats = append(k.Repeats, r)
		slices.SortFunc(k.Repeats, func(a, b Repeat) int { return cmp.Or(a.Due.Compare(b.Due), cmp.Compare(a.Puzzle, b.Puzzle)) })
	}
	return nil
}

func (m *Memory) forgetRepeat(id string) {
	m.Kept.Repeats = slices.DeleteFunc(m.Kept.Repeats, func(r Repeat) bool { return r.Puzzle == id })
}

func (m *Memory) Tries(int64) ([]Try, error)               { return m.Kept.Tries, nil }
func (m *Memory) Grades() (map[string]stats.Glicko, error) { return m.Kept.Grades, nil }
func (m *Memory) Repeats(int64) ([]Repeat, error)          { return m.Kept.Repeats, nil }
func (m *Memory) OwnPuzzles(int64) ([]OwnPuzzle, error)    { return m.Kept.Own, nil }

func (m *Memory) AddOwnPuzzle(_ int64, p OwnPuzzle) error {
	m.Kept.Own = slices.Insert(slices.DeleteFunc(m.Kept.Own, func(o OwnPuzzle) bool { return o.ID == p.ID }), 0, p)
	return nil
}

func (m *Memory) DeleteOwnPuzzle(_ int64, id string) error {
	n := len(m.Kept.Own)
	m.Kept.Own = slices.DeleteFunc(m.Kept.Own, func(o OwnPuzzle) bool { return o.ID == id })
	if len(m.Kept.Own) == n {
		return fmt.Errorf("puzzle %s: %w", id, ErrNoPuzzle)
	}
	m.forgetRepeat(id)
	return nil
}
