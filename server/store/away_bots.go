// SPDX-License-Identifier: Apache-2.0

package store

import (
	"database/sql"
	"fmt"
	"strconv"
	"time"

	"github.com/krow-lab/krow/internal/fault"
)

// AwayBot is a remote bot: a program that runs on its author's machine. No other bot has the same name.
type AwayBot struct {
	Name    string
	Author  string
	Created time.Time
}

// SetAwayBot gives a bot a new token in place of the previous token, and creates the bot if there is none. The parameter token
// is the hash of the new token. most is the maximum number of remote bots of one author.
func (s *Store) SetAwayBot(b AwayBot, token []byte, most int) error {
	return s.update(func(tx *sql.Tx) error {
		var taken, mine, n int
		if err := tx.QueryRow(`SELECT (SELECT count(*) FROM bots WHERE name = $1) + (SELECT count(*) FROM away_bots WHERE name = $1 AND author <> $2),
			(SELECT count(*) FROM away_bots WHERE name = $1), (SELECT count(*) FROM away_bots WHERE author = $2)`,
			b.Name, b.Author).Scan(&taken, &mine, &n); err != nil {
			return err
		}
		switch {
		case taken > 0:
			return fault.Errorf("bot %s: %w", b.Name, ErrBotTaken)
		case mine == 0 && n >= most:
			return fault.Errorf("%w: there are %d bots already", errBotFull, n)
		}
		_, err := tx.Exec(`INSERT INTO away_bots (name, author, token, created) VALUES ($1, $2, $3, $4)
			ON CONFLICT (name) DO UPDATE SET token = excluded.token`, b.Name, b.Author, token, now())
		return err
	})
}

// AwayBots returns all remote bots, sorted by name.
func (s *Store) AwayBots() ([]AwayBot, error) {
	return list[AwayBot](s, "FROM away_bots ORDER BY name")
}

// AwayBot returns a bot by its name.
func (s *Store) AwayBot(name string) (AwayBot, error) {
	return find[AwayBot](s, fmt.Errorf("bot %s: %w", name, ErrNoBot), "FROM away_bots WHERE name = $1", name)
}

// AwayBotOf returns the bot whose token has the hash in the parameter token, unless the author of the bot is banned.
func (s *Store) AwayBotOf(token []byte) (AwayBot, error) {
	return find[AwayBot](s, fmt.Errorf("this token: %w", ErrNoBot), `FROM away_bots WHERE token = $1 AND NOT EXISTS
		(SELECT 1 FROM members WHERE id = CASE author WHEN '' THEN 1 ELSE CAST(author AS INTEGER) END AND banned <> '')`, token)
}

// authorOf returns the text that identifies a member as the author of stored bots. For the first member the text is empty, as
// on a server without members.
func authorOf(member int64) string {
	if member == 1 {
		return ""
	}
	return strconv.FormatInt(member, 10)
}

// DeleteAwayBot deletes a bot by its name.
func (s *Store) DeleteAwayBot(name string) error {
	return s.update(func(tx *sql.Tx) error {
		if err := endBots(tx, "away_bots", "b.name = $1", name); err != nil {
			return err
		}
		return change(tx, fmt.Errorf("bot %s: %w", name, ErrNoBot), "DELETE FROM away_bots WHERE name = $1", name)
	})
}
