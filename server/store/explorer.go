// SPDX-License-Identifier: Apache-2.0

package store

import (
	"cmp"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/krow-lab/krow/app/explorer"
	"github.com/krow-lab/krow/internal/fault"
)

// Collection is a named set of games in the explorer, which shows the results of games that reached a position.
type Collection struct {
	ID      int64     `json:"id"`
	Name    string    `json:"name"`
	Games   int       `json:"games" db:"(SELECT count(*) FROM collected WHERE collection = collections.id)"`
	Created time.Time `json:"created"`
}

// marks returns the properties of a game by which a filter can select it.
func marks(g *explorer.Collected) []mark {
	all := []mark{{"outcome", int(g.Outcome & 3)}, {"year", g.Year}, {"player", g.Names[0]}}
	if g.Names[1] != g.Names[0] {
		all = append(all, mark{"player", g.Names[1]})
	}
	return all
}

// mark is a property of a game by which the explorer filters: its kind, and its value, which is a number or a text.
type mark struct {
	kind  string
	value any
}

// Place contains the results of the games of one collection that reached a position.
type Place struct {
	Key        uint64
	Collection int64
	explorer.Results
}

// errNoCollection is returned for a number that no collection has.
var errNoCollection = fault.New("no-collection", "there is no such collection")

// Collect returns the collection with this name, and creates the collection if it is missing.
func (s *Store) Collect(name string) (c Collection, err error) {
	none := errors.New("no collection")
	c, err = find[Collection](s, none, "FROM collections WHERE name = $1", name)
	if !errors.Is(err, none) {
		return c, err
	}
	if err = s.exec(nil, "INSERT INTO collections (name, created, seen) VALUES ($1, $2, 0) ON CONFLICT DO NOTHING", name, now()); err != nil {
		return c, err
	}
	return find[Collection](s, errNoCollection, "FROM collections WHERE name = $1", name)
}

// Collections returns all collections, sorted by name.
func (s *Store) Collections() ([]Collection, error) {
	return list[Collection](s, "FROM collections ORDER BY name")
}

// DeleteCollection deletes a collection and its games, or returns [errNoCollection].
func (s *Store) DeleteCollection(id int64) error {
	return s.update(func(tx *sql.Tx) error {
		if err := changeAll(tx, sqlOf("DELETE FROM places WHERE collection = $1", id), sqlOf("DELETE FROM marks WHERE collection = $1", id)); err != nil {
			return err
		}
		return change(tx, fault.Errorf("collection %d: %w", id, errNoCollection), "DELETE FROM collections WHERE id = $1", id)
	})
}

// AddCollected stores games and their places in one transaction, and returns the number of new games. It ignores a
// game whose digest is stored already, in any collection.
func (s *Store) AddCollected(collection int64, games []explorer.Collected) (added int, err error) {
	err = s.update(func(tx *sql.Tx) error {
		var fresh []explorer.Collected
		for _, g := range games {
			g.Collection = collection
			res, err := insert(tx, "collected", g, "ON CONFLICT (digest) DO NOTHING")
			if err != nil {
				return err
			}
			if n, err := res.RowsAffected(); err != nil || n == 0 {
				if err != nil {
					return err
				}
				continue
			}
			if g.ID, err = res.LastInsertId(); err != nil {
				return err
			}
			fresh = append(fresh, g)
		}
		added = len(fresh)
		return addIndex(tx, collection, fresh)
	})
	if err != nil {
		added = 0
	}
	return added, err
}

// addIndex adds games to the places and marks of a collection. The games must come in the order of their numbers.
func addIndex(tx *sql.Tx, collection int64, games []explorer.Collected) error {
	var occurrences []occurrence
	ids := map[mark][]byte{}
	for _, g := range games {
		for _, key := range g.Keys {
			occurrences = append(occurrences, occurrence{int64(key), g.ID, g.Outcome & 3})
		}
		for _, m := range marks(&g) {
			ids[m] = binary.AppendUvarint(ids[m], uint64(g.ID))
		}
	}
	for m, list := range ids {
		_, err := tx.Exec(`INSERT INTO marks (kind, value, collection, games) VALUES ($1, $2, $3, $4)
			ON CONFLICT (kind, value, collection) DO UPDATE SET games = CAST(games || excluded.games AS BLOB)`, m.kind, m.value, collection, list)
		if err != nil {
			return err
		}
	}
	return addPlaces(tx, collection, occurrences)
}

// occurrence records that a game reached a position.
type occurrence struct {
	key, game int64
	outcome   uint8
}

// placesAtOnce is the number of rows that one SQL statement writes.
const placesAtOnce = 64

// addPlaces adds games to the rows of their positions. It processes the positions in the order of their keys, so that successive
// rows are on the same page of the database.
func addPlaces(tx *sql.Tx, collection int64, all []occurrence) error {
	slices.SortStableFunc(all, func(a, b occurrence) int { return cmp.Compare(a.key, b.key) })
	statement := func(rows int) (*sql.Stmt, error) {
		return tx.Prepare(`INSERT INTO places (key, collection, unknown, first, second, drawn, games) VALUES ` +
			strings.Repeat("(?, ?, ?, ?, ?, ?, ?), ", rows-1) + `(?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (key, collection) DO UPDATE SET unknown = unknown + excluded.unknown, first = first + excluded.first,
				second = second + excluded.second, drawn = drawn + excluded.drawn, games = CAST(games || excluded.games AS BLOB)`)
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
		var r explorer.Results
		var games []byte
		for _, o := range all[:n] {
			r.Count(o.outcome)
			games = binary.AppendUvarint(games, uint64(o.game))
		}
		args = append(args, all[0].key, collection, r.Unknown, r.First, r.Second, r.Drawn, games)
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

// RemoveCollected deletes a game. The Keys and Names of g must be the same as when the game was added.
func (s *Store) RemoveCollected(g explorer.Collected) error {
	column := [4]string{"unknown", "first", "second", "drawn"}[g.Outcome&3]
	return s.update(func(tx *sql.Tx) error {
		if err := change(tx, errors.New("the explorer has no such game"), "DELETE FROM collected WHERE id = $1", g.ID); err != nil {
			return err
		}
		for _, key := range g.Keys {
			if err := strike(tx, g.ID, "places", column+" = "+column+" - 1", "key = ? AND collection = ?", int64(key), g.Collection); err != nil {
				return err
			}
		}
		for _, m := range marks(&g) {
			if err := strike(tx, g.ID, "marks", "kind = kind", "kind = ? AND value = ? AND collection = ?", m.kind, m.value, g.Collection); err != nil {
				return err
			}
		}
		return nil
	})
}

// strike removes the game with the number id from the list of games that is stored in a row of a table. If the list becomes
// empty, strike deletes the row.
func strike(tx *sql.Tx, id int64, table, set, where string, args ...any) error {
	var games []byte
	err := tx.QueryRow("SELECT games FROM "+table+" WHERE "+where, args...).Scan(&games)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	var left []byte
	found := false
	err = GameList(games).Each(func(n int64) bool {
		if n == id {
			found = true
		} else {
			left = binary.AppendUvarint(left, uint64(n))
		}
		return true
	})
	switch {
	case err != nil || !found:
		return err
	case len(left) == 0:
		_, err = tx.Exec("DELETE FROM "+table+" WHERE "+where, args...)
	default:
		_, err = tx.Exec("UPDATE "+table+" SET "+set+", games = ? WHERE "+where, append([]any{left}, args...)...)
	}
	return err
}

// keysAtOnce is the maximum number of keys in one query.
const keysAtOnce = 250

// Places returns one Place for each position with one of the keys in each collection, in no particular order. It leaves out
// collections in which no game reached the position.
func (s *Store) Places(keys []uint64) (all []Place, err error) {
	for chunk := range slices.Chunk(keys, keysAtOnce) {
		where, args := amongKeys(chunk)
		some, err := list[Place](s, "FROM places WHERE "+where, args...)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

func amongKeys(keys []uint64) (where string, args []any) {
	for _, key := range keys {
		args = append(args, int64(key))
	}
	return "key IN (?" + strings.Repeat(", ?", len(keys)-1) + ")", args
}

// GameList is a list of the numbers of games, as varints.
type GameList []byte

// Each calls f with each number until f returns false. If the list is damaged, the error is [errDamaged].
func (l GameList) Each(f func(id int64) bool) error {
	for len(l) > 0 {
		id, n := binary.Uvarint(l)
		if n <= 0 || id > maxGames {
			return errDamaged
		}
		if !f(int64(id)) {
			return nil
		}
		l = l[n:]
	}
	return nil
}

// maxGames is the greatest valid number of a game. It limits the memory of a GameSet to 128 MB, even if the set is made from a
// damaged list.
const maxGames = 1 << 27

// Playings calls f once for each position with one of the keys in each collection, in no particular order. The parameter games
// of f contains the games of the collection that reached the position. f must not keep games after it returns.
func (s *Store) Playings(keys []uint64, f func(key uint64, collection int64, games GameList) error) error {
	scan := func(rows *sql.Rows) (none struct{}, err error) {
		var key, collection int64
		var games sql.RawBytes
		if err := rows.Scan(&key, &collection, &games); err != nil {
			return none, err
		}
		return none, f(uint64(key), collection, GameList(games))
	}
	for chunk := range slices.Chunk(keys, keysAtOnce) {
		where, args := amongKeys(chunk)
		if _, err := collect(s, scan, "SELECT key, collection, games FROM places WHERE "+where, args...); err != nil {
			return err
		}
	}
	return nil
}

// GameSet is a set of games, indexed by their numbers: 1 + the outcome for a game in the set, 0 for other games.
type GameSet []uint8

// Outcome returns the outcome of a game, and whether it is in the set.
func (s GameSet) Outcome(id int64) (o uint8, ok bool) {
	if id >= int64(len(s)) || s[id] == 0 {
		return 0, false
	}
	return s[id] - 1, true
}

// CollectedFilter selects games of collections. The zero filter selects all games.
type CollectedFilter struct {
	Player   []string // words that the name of one side must contain, normalized for comparison
	From, To int      // first and last year; 0: no limit
	Outcome  uint8    // a game.Outcome; 0: any
}

// Passing returns the games that pass a filter.
func (s *Store) Passing(f CollectedFilter) (set GameSet, err error) {
	for o := range uint8(4) {
		if f.Outcome != 0 && f.Outcome != o {
			continue
		}
		err := s.marked("outcome", "value = ?", []any{o}, func(id int64) {
			if id >= int64(len(set)) {
				set = append(set, make(GameSet, id+1-int64(len(set)))...)
			}
			set[id] = 1 + o
		})
		if err != nil {
			return nil, err
		}
	}
	only := func(kind, where string, args ...any) error {
		both := make(GameSet, len(set))
		err := s.marked(kind, where, args, func(id int64) {
			if id < int64(len(set)) {
				both[id] = set[id]
			}
		})
		set = both
		return err
	}
	if f.From > 0 || f.To > 0 {
		to := f.To
		if to == 0 {
			to = math.MaxInt32
		}
		if err := only("year", "value BETWEEN ? AND ?", f.From, to); err != nil {
			return nil, err
		}
	}
	if len(f.Player) > 0 {
		args := make([]any, len(f.Player))
		for i, word := range f.Player {
			args[i] = word
		}
		err = only("player", "instr(value, ?) > 0"+strings.Repeat(" AND instr(value, ?) > 0", len(args)-1), args...)
	}
	return set, err
}

// marked calls f with the games of all marks of a kind whose values satisfy the condition where.
func (s *Store) marked(kind, where string, args []any, f func(id int64)) error {
	scan := func(rows *sql.Rows) (none struct{}, err error) {
		var games sql.RawBytes
		if err := rows.Scan(&games); err != nil {
			return none, err
		}
		return none, GameList(games).Each(func(id int64) bool {
			f(id)
			return true
		})
	}
	_, err := collect(s, scan, "SELECT games FROM marks WHERE kind = ? AND "+where, append([]any{kind}, args...)...)
	return err
}

// CollectedGames returns the games with the given numbers, if they exist, without Keys and Digest.
func (s *Store) CollectedGames(ids []int64) ([]explorer.Collected, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	args := make([]any, len(ids))
	for i, id := range ids {
		args[i] = id
	}
	return list[explorer.Collected](s, "FROM collected WHERE id IN (?"+strings.Repeat(", ?", len(ids)-1)+
		") ORDER BY year DESC, id", args...)
}

// NewGames returns at most n finished games at the board (games of no run and no league) that have changed since a given time,
// the oldest change first. It leaves out private games, and games whose end spectators cannot see yet because of a delay.
// LateGames returns such a delayed game when the delay is over.
func (s *Store) NewGames(after time.Time, n int) ([]Game, error) {
	return s.seenGames("updated > $1", after, n)
}

// LateGames returns at most n games that no collection contains yet, because NewGames left them out while spectators could not see
// their end.
func (s *Store) LateGames(before time.Time, n int) ([]Game, error) {
	const maxDelay = 3600 * 1000 // the maximum time, in milliseconds, after which spectators of a game between people see a move
	return s.seenGames(fmt.Sprintf(`updated <= $1 AND updated > $1 - %d AND start = '' AND `+gameDelay+` > 0 AND NOT EXISTS
		(SELECT 1 FROM collections CROSS JOIN collected ON collection = collections.id AND origin = games.id)`, maxDelay), before, n)
}

// gameDelay is the spectators' delay of a game in milliseconds.
const gameDelay = "coalesce(CASE WHEN json_valid(extra) THEN json_extract(extra, '$.table.delay') END, 0) * 1000"

func (s *Store) seenGames(where string, at time.Time, n int) ([]Game, error) {
	return list[Game](s, "FROM games WHERE "+atBoard+" AND "+where+` AND outcome <> 'ongoing' AND visibility <> 'private'
		AND (`+gameDelay+` = 0 OR updated + `+gameDelay+` <= $2) ORDER BY updated, id LIMIT $3`, at.UnixMilli(), now(), n)
}

// NewGamesOfRuns returns at most n games of runs, the lowest numbers first. It leaves out the games up to a given number, and
// private runs.
func (s *Store) NewGamesOfRuns(after int64, n int) ([]Game, error) {
	return list[Game](s, "FROM games WHERE number > $1 AND run IN (SELECT id FROM runs WHERE visibility <> 'private') ORDER BY number LIMIT $2", after, n)
}

// Gone returns the games that must be removed from two collections, one of games at the board and one of games of runs: games that
// were deleted or became private, and games of runs that became private. See [RunOrigin].
func (s *Store) Gone(games, runs int64) ([]explorer.Collected, error) {
	return list[explorer.Collected](s, `FROM collected WHERE collection = $1 AND origin <> ''
		AND NOT EXISTS (SELECT 1 FROM games WHERE games.id = origin AND games.visibility <> 'private')
		OR collection = $2 AND origin IN (SELECT 'run ' || runs.id FROM runs WHERE visibility = 'private')`, games, runs)
}

// RunOrigin is the origin of a collected game of a run.
func RunOrigin(run int64) string { return fmt.Sprintf("run %d", run) }

// A collection receives games from its source in a fixed order. Seen returns how far the collection has received them: a time,
// or the number of a game.
func (s *Store) Seen(collection int64) (int64, error) {
	return find[int64](s, nil, "SELECT seen FROM collections WHERE id = $1", collection)
}

// SetSeen stores the position up to which a collection has received games from its source: see Seen.
func (s *Store) SetSeen(collection, seen int64) error {
	return s.exec(nil, "UPDATE collections SET seen = $1 WHERE id = $2", seen, collection)
}
