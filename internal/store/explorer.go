// SPDX-License-Identifier: Apache-2.0

package store

import (
	"cmp"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Collection is a set of games of the explorer.
type Collection struct {
	ID      int64     `json:"id"`
	Name    string    `json:"name"`
	Games   int       `json:"games"`
	Created time.Time `json:"created"`
}

// Results counts games by Collected.Outcome.
type Results [4]int

// Collected is a game of a collection. Keys are those of its positions, the start among them, no two equal.
type Collected struct {
	ID            int64
	Collection    int64
	Digest        uint64
	Game          string
	First, Second string
	Event         string
	Year          int
	Moves         string
	Outcome       uint8  // as game.Outcome; 0: not known
	Origin        string // of a game played here: its ID
	Keys          []uint64
}

// Place is what a collection's games came to from a position.
type Place struct {
	Key        uint64
	Collection int64
	Results    Results
	Games      []int64 // some of them
}

// gamesOfPlace is how many bytes of numbers of games a place keeps.
const gamesOfPlace = 48

// ErrNoCollection is returned for a number that no collection has.
var ErrNoCollection = errors.New("there is no such collection")

// Collect returns the collection of a name, which is made where there is none.
func (s *Store) Collect(name string) (c Collection, err error) {
	err = s.exec(nil, "INSERT INTO collections (name, created, seen) VALUES ($1, $2, 0) ON CONFLICT DO NOTHING", name, now())
	if err != nil {
		return c, err
	}
	c.Name = name
	var created int64
	err = s.readers.QueryRow("SELECT id, created FROM collections WHERE name = $1", name).Scan(&c.ID, &created)
	c.Created = time.UnixMilli(created)
	return c, wrap(s.name, err)
}

// Collections returns all collections by name.
func (s *Store) Collections() ([]Collection, error) {
	scan := func(rows *sql.Rows) (c Collection, err error) {
		var created int64
		err = rows.Scan(&c.ID, &c.Name, &created, &c.Games)
		c.Created = time.UnixMilli(created)
		return c, err
	}
	return collect(s, scan, `SELECT id, name, created, (SELECT count(*) FROM collected WHERE collection = c.id)
		FROM collections AS c ORDER BY name`)
}

// DeleteCollection forgets a collection and its games, or returns [ErrNoCollection].
func (s *Store) DeleteCollection(id int64) error {
	return s.update(func(tx *sql.Tx) error {
		if _, err := tx.Exec("DELETE FROM places WHERE collection = $1", id); err != nil {
			return err
		}
		return change(tx, fmt.Errorf("collection %d: %w", id, ErrNoCollection), "DELETE FROM collections WHERE id = $1", id)
	})
}

const collectedColumns = "id, collection, game, first, second, event, year, moves, outcome, origin"

func scanCollected(rows *sql.Rows) (g Collected, err error) {
	err = rows.Scan(&g.ID, &g.Collection, &g.Game, &g.First, &g.Second, &g.Event, &g.Year, &g.Moves, &g.Outcome, &g.Origin)
	return g, err
}

// AddCollected keeps games and their places in one transaction, and returns how many were new. A game whose digest is
// kept already, in any collection, is passed over.
func (s *Store) AddCollected(collection int64, games []Collected) (added int, err error) {
	err = s.update(func(tx *sql.Tx) error {
		insert, err := tx.Prepare(`INSERT INTO collected (collection, digest, game, first, second, event, year, moves, outcome, origin)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (digest) DO NOTHING`)
		if err != nil {
			return err
		}
		defer insert.Close()
		var occurrences []occurrence
		for _, g := range games {
			res, err := insert.Exec(collection, int64(g.Digest), g.Game, g.First, g.Second, g.Event, g.Year, g.Moves, g.Outcome, g.Origin)
			if err != nil {
				return err
			}
			if n, err := res.RowsAffected(); err != nil || n == 0 {
				if err != nil {
					return err
				}
				continue
			}
			id, err := res.LastInsertId()
			if err != nil {
				return err
			}
			added++
			for _, key := range g.Keys {
				occurrences = append(occurrences, occurrence{int64(key), id, g.Outcome & 3})
			}
		}
		return addPlaces(tx, collection, occurrences)
	})
	if err != nil {
		added = 0
	}
	return added, err
}

// occurrence is a position of a game.
type occurrence struct {
	key, game int64
	outcome   uint8
}

// placesAtOnce is how many rows a statement writes.
const placesAtOnce = 64

// addPlaces adds to the rows of positions in the order of their keys, so that neighbours share pages.
func addPlaces(tx *sql.Tx, collection int64, all []occurrence) error {
	slices.SortStableFunc(all, func(a, b occurrence) int { return cmp.Compare(a.key, b.key) })
	statement := func(rows int) (*sql.Stmt, error) {
		return tx.Prepare(`INSERT INTO places (key, collection, unknown, first, second, drawn, games) VALUES ` +
			strings.Repeat("(?, ?, ?, ?, ?, ?, ?), ", rows-1) + `(?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (key, collection) DO UPDATE SET unknown = unknown + excluded.unknown, first = first + excluded.first,
				second = second + excluded.second, drawn = drawn + excluded.drawn,
				games = CASE WHEN length(games) < ` + fmt.Sprint(gamesOfPlace) + ` THEN CAST(games || excluded.games AS BLOB) ELSE games END`)
	}
	many, err := statement(placesAtOnce)
	if err != nil {
		return err
	}
	defer many.Close()
	one, err := statement(1)
	if err != nil {
		return err
	}
	defer one.Close()
	var args []any
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].key == all[0].key {
			n++
		}
		var results [4]int
		var games []byte
		for _, o := range all[:n] {
			results[o.outcome]++
			if len(games) < gamesOfPlace {
				games = binary.AppendUvarint(games, uint64(o.game))
			}
		}
		args = append(args, all[0].key, collection, results[0], results[1], results[2], results[3], games)
		if all = all[n:]; len(args) == 7*placesAtOnce {
			if _, err := many.Exec(args...); err != nil {
				return err
			}
			args = args[:0]
		}
	}
	for ; len(args) > 0; args = args[7:] {
		if _, err := one.Exec(args[:7]...); err != nil {
			return err
		}
	}
	return nil
}

// RemoveCollected forgets a game, whose Keys must be as they were when it was added.
func (s *Store) RemoveCollected(g Collected) error {
	column := [4]string{"unknown", "first", "second", "drawn"}[g.Outcome&3]
	return s.update(func(tx *sql.Tx) error {
		if err := change(tx, errors.New("no such game in the explorer"), "DELETE FROM collected WHERE id = $1", g.ID); err != nil {
			return err
		}
		for _, key := range g.Keys {
			if _, err := tx.Exec("UPDATE places SET "+column+" = "+column+" - 1 WHERE key = $1 AND collection = $2", int64(key), g.Collection); err != nil {
				return err
			}
			_, err := tx.Exec("DELETE FROM places WHERE key = $1 AND collection = $2 AND unknown + first + second + drawn <= 0", int64(key), g.Collection)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// keysAtOnce is how many keys a query asks for.
const keysAtOnce = 250

// Places returns what is known of positions, in no order; a position has a place in each collection that has it.
func (s *Store) Places(keys []uint64) ([]Place, error) {
	var all []Place
	for chunk := range slices.Chunk(keys, keysAtOnce) {
		args := make([]any, len(chunk))
		for i, key := range chunk {
			args[i] = int64(key)
		}
		some, err := collect(s, scanPlace, "SELECT key, collection, unknown, first, second, drawn, games FROM places WHERE key IN (?"+
			strings.Repeat(", ?", len(chunk)-1)+")", args...)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

func scanPlace(rows *sql.Rows) (p Place, err error) {
	var key int64
	var games []byte
	err = rows.Scan(&key, &p.Collection, &p.Results[0], &p.Results[1], &p.Results[2], &p.Results[3], &games)
	p.Key = uint64(key)
	for len(games) > 0 {
		id, n := binary.Uvarint(games)
		if n <= 0 {
			return p, ErrDamaged
		}
		p.Games, games = append(p.Games, int64(id)), games[n:]
	}
	return p, err
}

// CollectedGames returns the games of some numbers, as far as there are any, without Keys and Digest.
func (s *Store) CollectedGames(ids []int64) ([]Collected, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	args := make([]any, len(ids))
	for i, id := range ids {
		args[i] = id
	}
	return collect(s, scanCollected, "SELECT "+collectedColumns+" FROM collected WHERE id IN (?"+strings.Repeat(", ?", len(ids)-1)+
		") ORDER BY year DESC, id", args...)
}

// GamesOf hands on the games of some collections, or of all, one after the other: those of a game with this outcome, or any
// where it is negative, in these years; 0 is no bound. It ends when f returns false.
func (s *Store) GamesOf(game string, collections []int64, outcome, from, to int, f func(Collected) bool) error {
	query := "SELECT " + collectedColumns + " FROM collected WHERE game = ?"
	args := []any{game}
	if len(collections) > 0 {
		query += " AND collection IN (?" + strings.Repeat(", ?", len(collections)-1) + ")"
		for _, id := range collections {
			args = append(args, id)
		}
	}
	for _, c := range []struct {
		text  string
		value int
		asked bool
	}{{" AND outcome = ?", outcome, outcome >= 0}, {" AND year >= ?", from, from > 0}, {" AND year <= ?", to, to > 0}} {
		if c.asked {
			query += c.text
			args = append(args, c.value)
		}
	}
	rows, err := s.readers.Query(query+" ORDER BY year DESC, id", args...)
	if err != nil {
		return wrap(s.name, err)
	}
	defer rows.Close()
	for rows.Next() {
		g, err := scanCollected(rows)
		if err != nil {
			return wrap(s.name, err)
		}
		if !f(g) {
			return nil
		}
	}
	return wrap(s.name, rows.Err())
}

// NewWebGames returns at most n finished games at the web's board that changed after a moment, the oldest first.
func (s *Store) NewWebGames(after time.Time, n int) ([]WebGame, error) {
	scan := func(rows *sql.Rows) (WebGame, error) { return scanWebGame(rows.Scan) }
	return collect(s, scan, "SELECT "+webColumns+" FROM web_games WHERE updated > $1 AND outcome <> 'ongoing' ORDER BY updated, id LIMIT $2", after.UnixMilli(), n)
}

// NewGames returns at most n games of matches after the one of a number, with the number of the last.
func (s *Store) NewGames(after int64, n int) (all []Game, last int64, err error) {
	last = after
	scan := func(rows *sql.Rows) (g Game, err error) {
		var played int64
		err = rows.Scan(&last, &g.Game, &g.First, &g.Second, &g.Moves, &g.Outcome, &g.Reason, &played)
		g.Played = time.UnixMilli(played)
		return g, err
	}
	all, err = collect(s, scan, "SELECT id, game, first, second, moves, outcome, reason, played FROM games WHERE id > $1 ORDER BY id LIMIT $2", after, n)
	return all, last, err
}

// Gone returns the games of a collection whose origin is no game at the web's board any more.
func (s *Store) Gone(collection int64) ([]Collected, error) {
	return collect(s, scanCollected, "SELECT "+collectedColumns+` FROM collected WHERE collection = $1 AND origin <> ''
		AND NOT EXISTS (SELECT 1 FROM web_games WHERE web_games.id = origin)`, collection)
}

// Seen returns how far a collection has followed what it is made of; SetSeen keeps it.
func (s *Store) Seen(collection int64) (seen int64, err error) {
	err = s.readers.QueryRow("SELECT seen FROM collections WHERE id = $1", collection).Scan(&seen)
	return seen, wrap(s.name, err)
}

// SetSeen keeps how far a collection has followed.
func (s *Store) SetSeen(collection, seen int64) error {
	return s.exec(nil, "UPDATE collections SET seen = $1 WHERE id = $2", seen, collection)
}
