// SPDX-License-Identifier: Apache-2.0

package store

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/krow-lab/krow/learn"
)

// Run is a piece of work that is done and stored step by step, such as a learning run or a match. Kind and Key together identify
// it.
type Run struct {
	ID         int64           `json:"id"`
	Kind       string          `json:"-"`        // kind of work, such as "learn"
	Key        string          `json:"-"`        // identifies the run within its kind
	Spec       json.RawMessage `json:"-"`        // settings of the run, in compact JSON
	State      []byte          `json:"-" db:"-"` // the data from which the run continues; nil before the first step and in listings
	Step       int             `json:"step" doc:"number of completed steps; in a match, of games"`
	Steps      int             `json:"steps" doc:"number of all steps"`
	Done       bool            `json:"done"`
	Created    time.Time       `json:"created"`
	Updated    time.Time       `json:"updated"`
	Owner      int64           `json:"owner" doc:"number of the member who began it" db:"max(owner, 1)"`
	Visibility string          `json:"visibility" enum:"private,link,public"`
}

// runWithState is a run with its state, which may be long.
type runWithState struct {
	Run
	Saved []byte `db:"state"`
}

func (r *runWithState) loaded() *Run {
	r.State = r.Saved
	return &r.Run
}

// Run begins a run, or returns the existing run with this kind and key. If the existing run has other settings or more
// steps, the error is [errSpec]. If steps is greater than the number of steps of the existing run, the run gets the new
// number of steps, and can continue even if it was finished.
func (s *Store) Run(kind, key string, spec json.RawMessage, steps int) (*Run, error) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, spec); err != nil {
		return nil, wrap(s.name, fmt.Errorf("%s %s: settings: %w", kind, key, err))
	}
	var r *Run
	err := s.update(func(tx *sql.Tx) error {
		t := now()
		_, err := tx.Exec(`INSERT INTO runs (kind, key, spec, step, steps, done, created, updated)
			VALUES ($1, $2, $3, 0, $4, 0, $5, $5) ON CONFLICT (kind, key) DO NOTHING`,
			kind, key, compact.String(), steps, t)
		if err != nil {
			return err
		}
		found, err := findIn[runWithState](tx, ErrNoRun, "FROM runs WHERE kind = $1 AND key = $2", kind, key)
		if err != nil {
			return err
		}
		r = found.loaded()
		return r.extend(tx, compact.Bytes(), steps)
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// OwnRun records a member as the owner of a run that has no owner and no completed step. The command line begins runs without
// an owner.
func (s *Store) OwnRun(id, member int64) error {
	return s.exec(nil, "UPDATE runs SET owner = $1 WHERE id = $2 AND owner = 0 AND step = 0", member, id)
}

// ShowRun sets the visibility of a run.
func (s *Store) ShowRun(id int64, visibility string) error {
	return s.exec(fmt.Errorf("run %d: %w", id, ErrNoRun), "UPDATE runs SET visibility = $1 WHERE id = $2", visibility, id)
}

// extend returns an error if r has other settings than spec, or more steps than the argument steps. If r has fewer steps,
// extend raises r.Steps to steps, and the run is no longer finished.
func (r *Run) extend(tx *sql.Tx, spec []byte, steps int) error {
	if !bytes.Equal(r.Spec, spec) {
		return fmt.Errorf("%s %s: %w: %s", r.Kind, r.Key, errSpec, r.Spec)
	}
	if steps == r.Steps {
		return nil
	}
	if steps < r.Steps {
		return fmt.Errorf("%s %s: %w: %d steps, not %d", r.Kind, r.Key, errSpec, r.Steps, steps)
	}
	r.Steps, r.Done = steps, false
	_, err := tx.Exec("UPDATE runs SET steps = $1, done = 0 WHERE id = $2", steps, r.ID)
	return err
}

// SaveStep stores the state after step r.Step+1 and the step's point of the learning curve in one transaction, and updates r. If
// the stored run is no longer at r.Step, the error is [ErrConflict].
func (s *Store) SaveStep(r *Run, state []byte, p learn.CurvePoint) error {
	if p.Step != r.Step+1 {
		return wrap(s.name, fmt.Errorf("%s %s: step %d cannot follow step %d", r.Kind, r.Key, p.Step, r.Step))
	}
	if r.Done || p.Step > r.Steps {
		return wrap(s.name, fmt.Errorf("%s %s: step %d of %d: %w", r.Kind, r.Key, p.Step, r.Steps, errOver))
	}
	t := now()
	err := s.update(func(tx *sql.Tx) error {
		if err := change(tx, fmt.Errorf("%s %s: step %d: %w", r.Kind, r.Key, p.Step, ErrConflict),
			"UPDATE runs SET state = $1, step = $2, updated = $3 WHERE id = $4 AND step = $5 AND done = 0",
			state, p.Step, t, r.ID, r.Step); err != nil {
			return err
		}
		if _, err := tx.Exec("INSERT INTO points (run, step, games, curve) VALUES ($1, $2, $3, $4)", r.ID, p.Step, int64(p.Games), jsonText{p.Values}); err != nil {
			return fmt.Errorf("%s %s: step %d: %w", r.Kind, r.Key, p.Step, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.State, r.Step, r.Updated = bytes.Clone(state), p.Step, time.UnixMilli(t)
	return nil
}

// CutGames keeps the first n steps and the first n games of an unfinished run, and deletes all later steps and games.
func (s *Store) CutGames(r *Run, n int) error {
	err := s.update(func(tx *sql.Tx) error {
		return changeAll(
			tx,
			sqlOf("DELETE FROM games WHERE run = $1 AND number NOT IN (SELECT number FROM games WHERE run = $1 ORDER BY number LIMIT $2)", r.ID, n),
			sqlOf("DELETE FROM points WHERE run = $1 AND step > $2", r.ID, n),
			sqlOf("UPDATE runs SET step = $2 WHERE id = $1 AND done = 0", r.ID, n),
		)
	})
	if err == nil {
		r.Step = n
	}
	return err
}

// Finish marks a run as done. A second call changes nothing.
func (s *Store) Finish(r *Run) error {
	t := now()
	if err := s.exec(fmt.Errorf("%s %s: %w", r.Kind, r.Key, ErrConflict),
		"UPDATE runs SET done = 1, updated = $1 WHERE id = $2 AND step = $3", t, r.ID, r.Step); err != nil {
		return err
	}
	r.Done, r.Updated = true, time.UnixMilli(t)
	return nil
}

// Runs returns the runs of a kind, or of all kinds for "", in the order in which they were begun, without their states.
func (s *Store) Runs(kind string) ([]Run, error) {
	return list[Run](s, "FROM runs WHERE $1 = '' OR kind = $1 ORDER BY id", kind)
}

// Load returns a run by its number, with its state, or [ErrNoRun].
func (s *Store) Load(id int64) (*Run, error) {
	r, err := find[runWithState](s, fmt.Errorf("run %d: %w", id, ErrNoRun), "FROM runs WHERE id = $1", id)
	if err != nil {
		return nil, err
	}
	return r.loaded(), nil
}

// Delete deletes a run, its learning curve and its games, or returns [ErrNoRun].
func (s *Store) Delete(id int64) error {
	return s.exec(fmt.Errorf("run %d: %w", id, ErrNoRun), "DELETE FROM runs WHERE id = $1", id)
}

// Points returns the learning curve of a run, from its first step on.
func (s *Store) Points(run int64) ([]learn.CurvePoint, error) {
	return list[learn.CurvePoint](s, "SELECT step, games, curve FROM points WHERE run = $1 ORDER BY step", run)
}

// PutPiece stores a JSON value under a key. The value is the result of a piece of an experiment (see package research), or the
// state of a learning run. PutPiece replaces an existing value of the key.
func (s *Store) PutPiece(key string, value []byte) error {
	if !json.Valid(value) {
		return wrap(s.name, fmt.Errorf("piece %s: the value is not JSON", key))
	}
	return s.exec(nil, "INSERT OR REPLACE INTO pieces (key, value, updated) VALUES ($1, $2, $3)", key, string(value), now())
}

// Piece returns the value that PutPiece stored, or nil if there is none.
func (s *Store) Piece(key string) ([]byte, error) {
	return find[[]byte](s, nil, "SELECT value FROM pieces WHERE key = $1", key)
}
