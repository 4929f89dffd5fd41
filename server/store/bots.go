// SPDX-License-Identifier: Apache-2.0

package store

import (
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/krow-lab/krow/internal/fault"
)

// Bot is a program of a member that plays games. Its versions are stored separately.
type Bot struct {
	Name      string    `json:"name"`
	Author    string    `json:"-"`
	Kind      string    `json:"kind" enum:"starlark,wasm"`
	Published int       `json:"published" doc:"published version, against which everybody can play; 0: none"`
	Latest    int       `json:"latest" doc:"newest version" db:"coalesce((SELECT max(version) FROM bot_versions WHERE bot = id), 0)"`
	Created   time.Time `json:"-"`
	Updated   time.Time `json:"updated"`
}

// BotVersion is a version of a bot, without the text of the program.
type BotVersion struct {
	Version int       `json:"version"`
	Size    int       `json:"size" doc:"length of the program in bytes"`
	Kept    bool      `json:"published" doc:"whether the version was ever published; such a version is never deleted to make room"`
	At      time.Time `json:"at"`
}

// The errors of bots.
var (
	// ErrNoBot is returned for a name that no bot has, and for a missing version.
	ErrNoBot = fault.New("no-bot", "there is no such bot")
	// errBotFull is returned when a limit of BotRoom allows no further bot or version.
	errBotFull = fault.New("bad-bot", "there is no room for more")
	// ErrBotTaken is returned when a bot of another author has the name, or when the name belongs to a bot of the
	// other kind (stored or remote).
	ErrBotTaken = fault.New("bad-bot", "the name is taken")
)

// BotRoom contains the limits for stored bots and versions.
type BotRoom struct {
	Bots     int // maximum number of bots of one author
	Versions int // maximum number of versions of one bot
	Bytes    int // maximum length of all versions of one bot together, in bytes
}

// AddBotVersion stores the text of a program as the newest version of a bot, and returns the number of the version. It creates
// the bot if necessary. A text that equals the newest version is not stored again. If the limits of room are reached,
// AddBotVersion deletes the oldest versions that were never published.
func (s *Store) AddBotVersion(b Bot, text []byte, room BotRoom) (version int, err error) {
	hash := sha256.Sum256(text)
	err = s.update(func(tx *sql.Tx) error {
		id, err := botFor(tx, b, room)
		if err != nil {
			return err
		}
		var last []byte
		err = tx.QueryRow("SELECT version, hash FROM bot_versions WHERE bot = $1 ORDER BY version DESC LIMIT 1", id).Scan(&version, &last)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if string(last) == string(hash[:]) {
			return nil
		}
		version++
		err = changeAll(
			tx,
			sqlOf("INSERT INTO bot_texts (hash, text) VALUES ($1, $2) ON CONFLICT DO NOTHING", hash[:], text),
			sqlOf("INSERT INTO bot_versions (bot, version, hash, size, at) VALUES ($1, $2, $3, $4, $5)", id, version, hash[:], len(text), now()),
			sqlOf("UPDATE bots SET updated = $1 WHERE id = $2", now(), id),
		)
		if err != nil {
			return err
		}
		return dropOld(tx, id, version, room)
	})
	return version, err
}

// botFor returns the number of the bot with the name of b, and creates the bot if it is missing.
func botFor(tx *sql.Tx, b Bot, room BotRoom) (id int64, err error) {
	var author, kind string
	err = tx.QueryRow("SELECT id, author, kind FROM bots WHERE name = $1", b.Name).Scan(&id, &author, &kind)
	switch {
	case err == nil && (author != b.Author || kind != b.Kind):
		return 0, fault.Errorf("bot %s: %w", b.Name, ErrBotTaken)
	case !errors.Is(err, sql.ErrNoRows):
		return id, err
	}
	var n, away int
	if err := tx.QueryRow("SELECT (SELECT count(*) FROM bots WHERE author = $1), (SELECT count(*) FROM away_bots WHERE name = $2)", b.Author, b.Name).
		Scan(&n, &away); err != nil {
		return 0, err
	}
	if away > 0 {
		return 0, fault.Errorf("bot %s: %w", b.Name, ErrBotTaken)
	}
	if n >= room.Bots {
		return 0, fault.Errorf("%w: there are %d bots already", errBotFull, n)
	}
	res, err := tx.Exec("INSERT INTO bots (name, author, kind, created, updated) VALUES ($1, $2, $3, $4, $4)", b.Name, b.Author, b.Kind, now())
	if err != nil {
		return 0, err
	}
	return res.LastInsertId()
}

// dropOld removes the oldest versions of a bot that were never published, until the remaining versions are within
// the limits of room. It keeps the newest version.
func dropOld(tx *sql.Tx, bot int64, newest int, room BotRoom) error {
	for dropped := false; ; dropped = true {
		var n, bytes int
		if err := tx.QueryRow("SELECT count(*), sum(size) FROM bot_versions WHERE bot = $1", bot).Scan(&n, &bytes); err != nil {
			return err
		}
		if n <= room.Versions && bytes <= room.Bytes {
			if dropped {
				return sweep(tx)
			}
			return nil
		}
		full := fault.Errorf("%w: %d versions of the bot were published, and cannot be deleted", errBotFull, n-1)
		if err := change(tx, full, `DELETE FROM bot_versions WHERE bot = $1 AND version =
			(SELECT min(version) FROM bot_versions WHERE bot = $1 AND NOT kept AND version < $2)`, bot, newest); err != nil {
			return err
		}
	}
}

// sweep removes the texts that no version uses any more.
func sweep(tx *sql.Tx) error {
	_, err := tx.Exec("DELETE FROM bot_texts WHERE hash NOT IN (SELECT hash FROM bot_versions)")
	return err
}

// Bots returns all bots, the most recently changed first.
func (s *Store) Bots() ([]Bot, error) {
	return list[Bot](s, "FROM bots ORDER BY updated DESC, name")
}

// Bot returns the bot with this name.
func (s *Store) Bot(name string) (Bot, error) {
	return find[Bot](s, fmt.Errorf("bot %s: %w", name, ErrNoBot), "FROM bots WHERE name = $1", name)
}

// BotVersions returns the versions of a bot, the newest first.
func (s *Store) BotVersions(name string) ([]BotVersion, error) {
	return list[BotVersion](s, "FROM bot_versions WHERE bot = (SELECT id FROM bots WHERE name = $1) ORDER BY version DESC", name)
}

// BotText returns the text of a version.
func (s *Store) BotText(name string, version int) ([]byte, error) {
	return find[[]byte](s, fmt.Errorf("bot %s, version %d: %w", name, version, ErrNoBot), `SELECT text FROM bot_texts JOIN bot_versions USING (hash)
		WHERE bot = (SELECT id FROM bots WHERE name = $1) AND version = $2`, name, version)
}

// PublishBot publishes a version of a bot: everybody can play against it. Version 0 makes the bot unpublished.
func (s *Store) PublishBot(name string, version int) error {
	none := fmt.Errorf("bot %s, version %d: %w", name, version, ErrNoBot)
	return s.update(func(tx *sql.Tx) error {
		if version > 0 {
			if err := change(tx, none, `UPDATE bot_versions SET kept = 1
				WHERE bot = (SELECT id FROM bots WHERE name = $1) AND version = $2`, name, version); err != nil {
				return err
			}
		}
		return change(tx, none, "UPDATE bots SET published = $2, updated = $3 WHERE name = $1", name, version, now())
	})
}

// DeleteBot deletes a bot with its versions. The bot leaves the leagues in which it plays.
func (s *Store) DeleteBot(name string) error {
	return s.update(func(tx *sql.Tx) error {
		if err := endBots(tx, "bots", "b.name = $1", name); err != nil {
			return err
		}
		if err := change(tx, fmt.Errorf("bot %s: %w", name, ErrNoBot), "DELETE FROM bots WHERE name = $1", name); err != nil {
			return err
		}
		return sweep(tx)
	})
}
