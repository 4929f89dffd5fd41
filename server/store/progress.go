// SPDX-License-Identifier: Apache-2.0

package store

import (
	"database/sql"
	"time"
)

// PupilProgress says how many steps of a lesson a member has finished, or how many tests a bot of the member has passed.
type PupilProgress struct {
	Member int64     `json:"member"`
	Item   string    `json:"item" doc:"the name of a lesson, or bot: and the name of a bot"`
	Done   int       `json:"done" doc:"number of finished steps, or of passed tests"`
	Steps  int       `json:"steps" doc:"number of all steps or tests"`
	At     time.Time `json:"at"`
}

// SetProgress stores the progress of a member in place of the previous progress with the same item. Only the latest items of a
// member are kept; most is their maximum number.
func (s *Store) SetProgress(p PupilProgress, most int) error {
	p.At = time.Now()
	return s.update(func(tx *sql.Tx) error {
		if _, err := insert(tx, "progress", p, "ON CONFLICT (member, item) DO UPDATE SET done = excluded.done, steps = excluded.steps, at = excluded.at"); err != nil {
			return err
		}
		return change(tx, nil, "DELETE FROM progress WHERE member = $1 AND item NOT IN (SELECT item FROM progress WHERE member = $1 ORDER BY at DESC, item LIMIT $2)", p.Member, most)
	})
}

// Progress returns the progress of all members.
func (s *Store) Progress() ([]PupilProgress, error) {
	return list[PupilProgress](s, "FROM progress ORDER BY member, item")
}
