// SPDX-License-Identifier: Apache-2.0

package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// ErrNoGame is returned for a name that no game at the web's board has.
var ErrNoGame = errors.New("there is no such game")

// WebGame is a game at the web's board, which may be going on.
type WebGame struct {
	ID               string // drawn by whoever adds it
	Game             string
	Start            string // empty, or a position as notation.EncodeText writes it
	First, Second    string // specs of the players
	Moves            string // as notation.FormatMoves writes them
	Plies            int    // how many Moves are
	Outcome, Reason  string
	Extra            json.RawMessage // whatever else the web keeps of it
	Created, Updated time.Time       // given by the store
}

const webColumns = "id, game, start, first, second, moves, plies, outcome, reason, extra, created, updated"

func scanWebGame(scan func(...any) error) (WebGame, error) {
	var g WebGame
	var extra string
	var created, updated int64
	err := scan(&g.ID, &g.Game, &g.Start, &g.First, &g.Second, &g.Moves, &g.Plies, &g.Outcome, &g.Reason, &extra, &created, &updated)
	g.Extra, g.Created, g.Updated = json.RawMessage(extra), time.UnixMilli(created), time.UnixMilli(updated)
	return g, err
}

// AddWebGame keeps a new game.
func (s *Store) AddWebGame(g WebGame) error {
	return s.update(func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT INTO web_games ("+webColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)",
			g.ID, g.Game, g.Start, g.First, g.Second, g.Moves, g.Plies, g.Outcome, g.Reason, string(g.Extra), now())
		return err
	})
}

// SaveWebGame replaces what changes while a game is played, if the game still has plies moves and is as it was
// last updated; otherwise the error is [ErrConflict], and nothing has changed.
func (s *Store) SaveWebGame(g WebGame, plies int) error {
	return s.update(func(tx *sql.Tx) error {
		ok, err := execOne(tx, `UPDATE web_games SET first = $1, second = $2, moves = $3, plies = $4, outcome = $5, reason = $6, extra = $7,
			updated = max(updated + 1, $8) WHERE id = $9 AND plies = $10 AND updated = $11`,
			g.First, g.Second, g.Moves, g.Plies, g.Outcome, g.Reason, string(g.Extra), now(), g.ID, plies, g.Updated.UnixMilli())
		if err == nil && !ok {
			err = fmt.Errorf("game %s: %w", g.ID, ErrConflict)
		}
		return err
	})
}

// WebGame returns a game, or [ErrNoGame].
func (s *Store) WebGame(id string) (WebGame, error) {
	g, err := scanWebGame(s.readers.QueryRow("SELECT "+webColumns+" FROM web_games WHERE id = $1", id).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("game %s: %w", id, ErrNoGame)
	}
	return g, wrap(s.name, err)
}

// WebGames returns at most n games, those that changed last first, from the one after the first skip.
func (s *Store) WebGames(n, skip int) ([]WebGame, error) {
	scan := func(rows *sql.Rows) (WebGame, error) { return scanWebGame(rows.Scan) }
	return collect(s, scan, "SELECT "+webColumns+" FROM web_games ORDER BY updated DESC, id LIMIT $1 OFFSET $2", n, skip)
}

// DeleteWebGame forgets a game, or returns [ErrNoGame].
func (s *Store) DeleteWebGame(id string) error {
	return s.update(func(tx *sql.Tx) error {
		ok, err := execOne(tx, "DELETE FROM web_games WHERE id = $1", id)
		if err == nil && !ok {
			err = fmt.Errorf("game %s: %w", id, ErrNoGame)
		}
		return err
	})
}
