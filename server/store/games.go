// SPDX-License-Identifier: Apache-2.0

package store

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/krow-lab/krow/internal/fault"
)

// Game is a game of a run. Moves, Outcome and Reason read as in package record's files.
type Game struct {
	Run             int64 // the run it belongs to, or 0
	Game            string
	First, Second   string // who played, in the order of the seats
	Moves           string
	Outcome, Reason string
	Played          time.Time // given by AddGame
}

// AddGame keeps a game.
func (s *Store) AddGame(g Game) error {
	run := sql.NullInt64{Int64: g.Run, Valid: g.Run != 0}
	return s.exec(nil, `INSERT INTO games (run, game, first, second, moves, outcome, reason, played)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, run, g.Game, g.First, g.Second, g.Moves, g.Outcome, g.Reason, now())
}

// Games returns the games of a run in the order they were added; run 0 has those that belong to none.
func (s *Store) Games(run int64) ([]Game, error) {
	scan := func(rows *sql.Rows) (Game, error) {
		g := Game{Run: run}
		var played int64
		err := rows.Scan(&g.Game, &g.First, &g.Second, &g.Moves, &g.Outcome, &g.Reason, &played)
		g.Played = time.UnixMilli(played)
		return g, err
	}
	return collect(s, scan, "SELECT game, first, second, moves, outcome, reason, played FROM games WHERE run IS nullif($1, 0) ORDER BY id", run)
}

// ErrNoGame is returned for an ID that no game at the web's board has.
var ErrNoGame = fault.New("no-game", "there is no such game")

// WebGame is a game at the web's board. It may be going on.
type WebGame struct {
	ID               string // chosen by the caller
	Game             string
	Start            string // empty, or a position as notation.EncodeText writes it
	First, Second    string // specs of the players
	Moves            string // as notation.FormatMoves writes them
	Plies            int    // the number of Moves
	Outcome, Reason  string
	Extra            json.RawMessage // anything else the web keeps
	Owner            int64           // the member whose it is; 0: nobody's, or the first one's
	Guest            string          // the guest whose it is, or empty
	Visibility       string          // private, link or public; empty when it is added: link
	Created, Updated time.Time       // given by the store
}

const webColumns = "id, game, start, first, second, moves, plies, outcome, reason, extra, coalesce(owner, 0), guest, visibility, created, updated"

func scanWebGame(scan func(...any) error) (WebGame, error) {
	var g WebGame
	var extra string
	var created, updated int64
	err := scan(&g.ID, &g.Game, &g.Start, &g.First, &g.Second, &g.Moves, &g.Plies, &g.Outcome, &g.Reason, &extra, &g.Owner, &g.Guest, &g.Visibility, &created, &updated)
	g.Extra, g.Created, g.Updated = json.RawMessage(extra), time.UnixMilli(created), time.UnixMilli(updated)
	return g, err
}

// AddWebGame keeps a new game.
func (s *Store) AddWebGame(g WebGame) error {
	return s.update(func(tx *sql.Tx) error { return addWebGame(tx, g) })
}

func addWebGame(tx *sql.Tx, g WebGame) error {
	return change(tx, nil, `INSERT INTO web_games (id, game, start, first, second, moves, plies, outcome, reason, extra, owner, guest, visibility, created, updated)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, nullif($11, 0), $12, $13, $14, $14)`,
		g.ID, g.Game, g.Start, g.First, g.Second, g.Moves, g.Plies, g.Outcome, g.Reason, string(g.Extra), g.Owner, g.Guest, cmp.Or(g.Visibility, "link"), now())
}

// SaveWebGame replaces what changes while a game is played, if the game still has plies moves and is as it was
// last updated. Otherwise nothing changes, and the error is [ErrConflict].
func (s *Store) SaveWebGame(g WebGame, plies int) error {
	return s.update(func(tx *sql.Tx) error { return saveWebGame(tx, g, plies) })
}

func saveWebGame(tx *sql.Tx, g WebGame, plies int) error {
	return change(tx, fmt.Errorf("game %s: %w", g.ID, ErrConflict),
		`UPDATE web_games SET first = $1, second = $2, moves = $3, plies = $4, outcome = $5, reason = $6, extra = $7,
			updated = max(updated + 1, $8) WHERE id = $9 AND plies = $10 AND updated = $11`,
		g.First, g.Second, g.Moves, g.Plies, g.Outcome, g.Reason, string(g.Extra), now(), g.ID, plies, g.Updated.UnixMilli())
}

// WebGame returns a game, or [ErrNoGame].
func (s *Store) WebGame(id string) (WebGame, error) {
	g, err := scanWebGame(s.row("SELECT "+webColumns+" FROM web_games WHERE id = $1", id).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("game %s: %w", id, ErrNoGame)
	}
	return g, wrap(s.name, err)
}

// WebGames returns at most n games, those that changed last first, after the first skip.
func (s *Store) WebGames(n, skip int) ([]WebGame, error) {
	scan := func(rows *sql.Rows) (WebGame, error) { return scanWebGame(rows.Scan) }
	return collect(s, scan, "SELECT "+webColumns+" FROM web_games ORDER BY updated DESC, id LIMIT $1 OFFSET $2", n, skip)
}

// ClockedWebGames returns the last 1,000 games without seats that are in progress, have a clock and moves, and changed after since.
func (s *Store) ClockedWebGames(since time.Time) ([]string, error) {
	scan := func(rows *sql.Rows) (id string, err error) { return id, rows.Scan(&id) }
	return collect(s, scan, `SELECT id FROM web_games WHERE updated > $1 AND outcome = 'ongoing' AND plies > 0 AND extra LIKE '%"clock":{%'
		AND NOT EXISTS (SELECT 1 FROM meetings WHERE game = id) ORDER BY updated DESC LIMIT 1000`, since.UnixMilli())
}

// WebGamesOf is WebGames of a member, or of a guest where member is 0.
func (s *Store) WebGamesOf(member int64, guest string, n, skip int) ([]WebGame, error) {
	scan := func(rows *sql.Rows) (WebGame, error) { return scanWebGame(rows.Scan) }
	return collect(s, scan, "SELECT "+webColumns+` FROM web_games WHERE CASE WHEN $1 = 0 THEN owner IS NULL AND guest = $2 AND guest <> ''
		WHEN $1 = 1 THEN (owner = 1 OR owner IS NULL AND guest = '') ELSE owner = $1 END ORDER BY updated DESC, id LIMIT $3 OFFSET $4`, member, guest, n, skip)
}

// ofGuests are the games of guests: those of one, and those in which nobody but guests has a seat.
const ofGuests = `(owner IS NULL AND guest > '' OR id IN (SELECT game FROM meetings WHERE meetings.first = 0 AND meetings.second = 0))`

// CountWebGames returns how many games a member has, or a guest if member is 0, and all guests. A game between two members counts
// for both, and one between guests for all guests.
func (s *Store) CountWebGames(member int64, guest string) (mine, guests int, err error) {
	err = s.row(`SELECT
		(SELECT count(*) FROM web_games WHERE owner IS nullif($1, 0) AND guest = CASE WHEN $1 = 0 THEN $2 ELSE '' END)
		+ (SELECT count(*) FROM meetings WHERE first = nullif($1, 0)) + (SELECT count(*) FROM meetings WHERE second = nullif($1, 0)),
		(SELECT count(*) FROM web_games WHERE $1 = 0 AND `+ofGuests+`)`, member, guest).Scan(&mine, &guests)
	return mine, guests, wrap(s.name, err)
}

// ForgetGamesOfGuests deletes at most n games of guests, the oldest first: those that ended before over, and those that nobody has
// touched since idle. It returns how many.
func (s *Store) ForgetGamesOfGuests(over, idle time.Time, n int) (gone int64, err error) {
	err = s.update(func(tx *sql.Tx) error {
		res, err := tx.Exec(`DELETE FROM web_games WHERE id IN (SELECT id FROM web_games WHERE `+ofGuests+`
			AND updated < CASE WHEN outcome = 'ongoing' THEN $1 ELSE $2 END ORDER BY updated LIMIT $3)`, idle.UnixMilli(), over.UnixMilli(), n)
		if err == nil {
			gone, err = res.RowsAffected()
		}
		return err
	})
	return gone, err
}

// ShowWebGame sets who may look at a game.
func (s *Store) ShowWebGame(id, visibility string) error {
	// A game that is over counts as changed, so that the explorer takes it in. The time of a change of one in progress starts a clock.
	return s.exec(fmt.Errorf("game %s: %w", id, ErrNoGame), `UPDATE web_games SET visibility = $1,
		updated = CASE WHEN outcome = 'ongoing' THEN updated ELSE max(updated + 1, $3) END WHERE id = $2`, visibility, id, now())
}

// DeleteWebGame forgets a game, or returns [ErrNoGame].
func (s *Store) DeleteWebGame(id string) error {
	return s.exec(fmt.Errorf("game %s: %w", id, ErrNoGame), "DELETE FROM web_games WHERE id = $1", id)
}
