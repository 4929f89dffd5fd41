// SPDX-License-Identifier: Apache-2.0

package store

import "database/sql"

// Subscription says where and how a browser receives messages: the address of the browser at its push service, and the keys of
// the browser.
type Subscription struct {
	Session  []byte // hash of the token of the browser's session; the subscription ends with the session
	Endpoint string
	P256dh   string
	Auth     string
}

// Subscribe stores the subscription of a session in place of the previous subscription of this session. An empty Endpoint ends
// the subscription.
func (s *Store) Subscribe(x Subscription) error {
	return s.update(func(tx *sql.Tx) error {
		err := change(tx, nil, "DELETE FROM subscriptions WHERE session = $1 OR endpoint = $2", x.Session, x.Endpoint)
		if err == nil && x.Endpoint != "" {
			_, err = insert(tx, "subscriptions", x, "")
		}
		return err
	})
}

// Subscriptions returns the subscriptions of a member.
func (s *Store) Subscriptions(member int64) ([]Subscription, error) {
	return list[Subscription](s, "FROM subscriptions WHERE session IN (SELECT hash FROM sessions WHERE member = $1)", member)
}
