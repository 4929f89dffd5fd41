// SPDX-License-Identifier: Apache-2.0

package store

import (
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"
)

// writes records whether a write has failed because the disk is full or the file cannot be written.
type writes struct {
	mu     sync.Mutex
	failed error     // errFull, errWrite or errReadOnly; nil: no write has failed since the last test write of Health
	looked time.Time // time of the last test write of Health
}

func (w *writes) note(err error) {
	for _, e := range []error{errFull, errWrite, errReadOnly} {
		if errors.Is(err, e) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.failed = e
			return
		}
	}
}

const (
	// lookEvery is the minimum interval between two test writes of Health.
	lookEvery = time.Second
	// lookSize is the number of bytes of a test write of Health. It is larger than the unused pages of the file usually
	// are, so that the file must grow.
	lookSize = 256 << 10
)

// Health returns nil if the store can be written, and otherwise [errFull], [errWrite] or [errReadOnly]. After a write has
// failed, Health itself writes as a test, so that it notices when there is space again.
func (s *Store) Health() error {
	s.writes.mu.Lock()
	failed, wait := s.writes.failed, time.Since(s.writes.looked) < lookEvery
	if failed != nil && !wait {
		s.writes.failed, s.writes.looked = nil, time.Now()
	}
	s.writes.mu.Unlock()
	if failed == nil || wait {
		return failed
	}
	if err := s.tryToWrite(); err != nil {
		s.writes.mu.Lock()
		defer s.writes.mu.Unlock()
		if s.writes.failed == nil { // tryToWrite has recorded no reason, so the earlier error still counts
			s.writes.failed = failed
		}
		return s.writes.failed
	}
	return nil
}

// tryToWrite writes a row that needs new pages of the file, and then deletes the row.
func (s *Store) tryToWrite() error {
	err := s.exec(nil, "INSERT OR REPLACE INTO pieces (key, value, updated) VALUES ('health', zeroblob($1), $2)",
		lookSize, now())
	return errors.Join(err, s.exec(nil, "DELETE FROM pieces WHERE key = 'health'"))
}

// SetMaxPages is for tests. It limits the file to n pages, or to its current size if that is greater. Then writes fail with
// [errFull].
func (s *Store) SetMaxPages(n int64) error {
	return s.update(func(tx *sql.Tx) error {
		var got int64
		return tx.QueryRow(fmt.Sprintf("PRAGMA max_page_count = %d", n)).Scan(&got)
	})
}
