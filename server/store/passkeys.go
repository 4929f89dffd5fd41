// SPDX-License-Identifier: Apache-2.0

package store

import (
	"database/sql"
	"time"

	"github.com/krow-lab/krow/internal/fault"
)

var (
	// ErrNoPasskey is returned for an unknown passkey.
	ErrNoPasskey = fault.New("no-member", "there is no such passkey")
	// errManyPasskeys is returned if a member has the maximum number of passkeys.
	errManyPasskeys = fault.New("too-many", "there are too many passkeys: remove one")
	// ErrLastWay is returned if the member could no longer log in after the removal of the passkey.
	ErrLastWay = fault.New("last-way", "nobody could log in without it: set a password first")
)

// Passkey is a key pair on a device, with which a member logs in. The store contains only the public key.
type Passkey struct {
	Hex        string    `json:"id" db:"lower(hex(id))"`
	ID         []byte    `json:"-"`
	Member     int64     `json:"-"`
	Handle     []byte    `json:"-"` // identifies the member to the device
	Name       string    `json:"name"`
	Credential []byte    `json:"-"` // the credential of package webauthn as JSON
	Counter    uint32    `json:"-"` // number of signatures that the device has made; 0: the device does not count them
	Created    time.Time `json:"created"`
	Seen       time.Time `json:"seen"`
}

// AddPasskey stores a passkey of a member. room is the maximum number of passkeys of one member.
func (s *Store) AddPasskey(p Passkey, room int) error {
	return s.update(func(tx *sql.Tx) error {
		n, err := findIn[int](tx, nil, "SELECT count(*) FROM passkeys WHERE member = $1", p.Member)
		if err == nil && n >= room {
			err = errManyPasskeys
		}
		if err != nil {
			return err
		}
		return addPasskey(tx, p)
	})
}

func addPasskey(tx *sql.Tx, p Passkey) error {
	p.Created = time.Now()
	p.Seen = p.Created
	_, err := insert(tx, "passkeys", p, "")
	return err
}

// Passkey returns a passkey by its id, or [ErrNoPasskey].
func (s *Store) Passkey(id []byte) (Passkey, error) {
	return find[Passkey](s, ErrNoPasskey, "FROM passkeys WHERE id = $1", id)
}

// Passkeys returns the passkeys of a member, the oldest first.
func (s *Store) Passkeys(member int64) ([]Passkey, error) {
	return list[Passkey](s, "FROM passkeys WHERE member = $1 ORDER BY created, id", member)
}

// UsePasskey stores the current credential and counter of a passkey that was used. If the counter is not greater than the
// stored counter, the passkey may have been copied, and the error is [ErrNoPasskey].
func (s *Store) UsePasskey(p Passkey) error {
	return s.exec(ErrNoPasskey, "UPDATE passkeys SET credential = $1, counter = $2, seen = $3 WHERE id = $4 AND (counter < $2 OR counter = 0 AND $2 = 0)",
		p.Credential, p.Counter, now(), p.ID)
}

// DeletePasskey deletes a passkey of a member. If the member could not log in without it, the error is [ErrLastWay].
func (s *Store) DeletePasskey(member int64, id []byte) error {
	return s.update(func(tx *sql.Tx) error {
		if err := change(tx, ErrNoPasskey, "DELETE FROM passkeys WHERE member = $1 AND id = $2", member, id); err != nil {
			return err
		}
		ways, err := findIn[int](tx, nil, "SELECT (password <> '') + (SELECT count(*) FROM passkeys WHERE member = $1) FROM members WHERE id = $1", member)
		if err == nil && ways == 0 {
			err = ErrLastWay
		}
		return err
	})
}
