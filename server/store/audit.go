// SPDX-License-Identifier: Apache-2.0

package store

import (
	"database/sql"
	"time"
)

// Deed is a line of the audit log: an action of a member, or of the command line.
type Deed struct {
	ID      int64     `json:"id"`
	At      time.Time `json:"at"`
	Member  int64     `json:"-"` // number of the member who did it; 0 means the command line
	Name    string    `json:"name"`
	Action  string    `json:"action"`
	What    string    `json:"what"`
	About   int64     `json:"-"` // number of the member to whom it was done; 0 means none
	Own     bool      `json:"-"` // whether it was a member's change of that member's own account
	Address string    `json:"address,omitempty" doc:"network address from which it was done"`
}

// Rename is the Action of a member who takes a new name. The store limits the number of new names in a day.
const Rename = "rename"

// These constants limit the length of the audit log. Members' changes of their own accounts are counted separately for each
// member, and apart from the actions of organisers and owners. So a member who changes an account very often cannot displace
// other people's lines from the log.
const (
	deedTime = 365 * 24 * time.Hour
	ownTime  = 90 * 24 * time.Hour
	maxOwn   = 1000 // maximum number of lines about one member's own account
)

// AddDeed stores a line of the audit log.
func (s *Store) AddDeed(d Deed) error {
	return s.update(func(tx *sql.Tx) error { return addDeed(tx, d) })
}

func addDeed(tx *sql.Tx, d Deed) error {
	d.At = time.Now()
	if _, err := insert(tx, "audit", d, ""); err != nil {
		return err
	}
	return changeAll(
		tx,
		sqlOf("DELETE FROM audit WHERE own = 0 AND at < $1", time.Now().Add(-deedTime).UnixMilli()),
		sqlOf("DELETE FROM audit WHERE own = 1 AND at < $1", time.Now().Add(-ownTime).UnixMilli()),
		sqlOf("DELETE FROM audit WHERE own = 1 AND member = $1 AND id <= (SELECT id FROM audit WHERE own = 1 AND member = $1 ORDER BY id DESC LIMIT 1 OFFSET $2)",
			d.Member, maxOwn),
	)
}

// Deeds returns at most n lines of the audit log, the latest first. If own is true, these are members' changes of their own
// accounts, otherwise all other deeds. If before is not 0, Deeds returns only lines whose number is less than before.
func (s *Store) Deeds(n int, before int64, own bool) ([]Deed, error) {
	return list[Deed](s, "FROM audit WHERE own = $1 AND ($2 = 0 OR id < $2) ORDER BY id DESC LIMIT $3", own, before, n)
}
