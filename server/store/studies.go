// SPDX-License-Identifier: Apache-2.0

package store

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/krow-lab/krow/internal/fault"
)

// errNoStudy is returned for an ID that no study has.
var errNoStudy = fault.New("no-study", "there is no such study")

// Study is a study of a member: chapters with positions, variations and comments.
type Study struct {
	ID               string
	Name             string
	Chapters         json.RawMessage
	Owner            int64
	Version          int64 // grows with each change
	Created, Updated time.Time
}

// AddStudy stores a new study of a member and returns it.
func (s *Store) AddStudy(owner int64, name string, chapters json.RawMessage) (Study, error) {
	st := Study{ID: strings.ToLower(rand.Text()[:16]), Name: name, Chapters: chapters, Owner: owner, Created: time.Now()}
	st.Updated = st.Created
	return st, s.add("studies", st)
}

// Study returns a study.
func (s *Store) Study(id string) (Study, error) {
	return find[Study](s, fmt.Errorf("study %s: %w", id, errNoStudy), "FROM studies WHERE id = $1", id)
}

// Studies returns the studies of a member, the most recently changed first.
func (s *Store) Studies(owner int64) ([]Study, error) {
	return list[Study](s, "FROM studies WHERE owner = $1 ORDER BY updated DESC, id", owner)
}

// SaveStudy replaces the name and the chapters of a study, provided that the stored study still has the given version.
// Otherwise nothing changes, and the error is [ErrConflict].
func (s *Store) SaveStudy(id string, version int64, name string, chapters json.RawMessage) error {
	return s.exec(fmt.Errorf("study %s: %w", id, ErrConflict),
		"UPDATE studies SET name = $1, chapters = $2, version = version + 1, updated = $3 WHERE id = $4 AND version = $5", name, string(chapters), now(), id, version)
}

// DeleteStudy deletes a study.
func (s *Store) DeleteStudy(id string) error {
	return s.exec(fmt.Errorf("study %s: %w", id, errNoStudy), "DELETE FROM studies WHERE id = $1", id)
}
