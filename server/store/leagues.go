// SPDX-License-Identifier: Apache-2.0

package store

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/krow-lab/krow/internal/atomicfile"
	"github.com/krow-lab/krow/internal/fault"
)

// League is the stored form of a league. Package server/league interprets its fields.
type League struct {
	ID      int64           `json:"id"`
	Name    string          `json:"name"`
	Game    string          `json:"game"`
	Terms   json.RawMessage `json:"-"`
	Members int             `json:"members" db:"(SELECT count(*) FROM league_members WHERE league = leagues.id AND last = 0)"` // number of members who have not left
	Round   int             `json:"round"`                                                                                     // number of the last round that was begun, or 0
	Playing bool            `json:"playing" doc:"whether the server plays the league, and continues it after a restart"`
	Created time.Time       `json:"created"`
}

// LeagueMember is a member of a league. It plays from round First to round Last; Last is 0 until it leaves.
type LeagueMember struct {
	League int64     `json:"-"`
	Number int       `json:"number" doc:"number of the member in the league, from 1"`
	Name   string    `json:"name"`
	Spec   string    `json:"spec"`
	Author string    `json:"author,omitempty"`
	First  int       `json:"-"`
	Last   int       `json:"-"`
	Joined time.Time `json:"joined"`
	Left   bool      `json:"left,omitempty" db:"(last > 0)"`
}

// Plays reports whether the member plays in a round.
func (m LeagueMember) Plays(round int) bool {
	return m.First <= round && (m.Last == 0 || round <= m.Last)
}

// These errors can be returned by the methods for leagues.
var (
	// errNoLeague is returned for a league that does not exist.
	errNoLeague = fault.New("no-league", "there is no such league")
	// ErrTaken is returned for a name that another league or member has.
	ErrTaken = fault.New("taken", "the name is taken")
	// ErrNoMember is returned for a name that no member of the league has, or whose member has left.
	ErrNoMember = fault.New("no-league", "there is no such member")
)

// Claim reserves the work with the name what, such as the play of a league, for this process until release is called or the
// process ends. If another process has reserved the same work, the error is [atomicfile.errBusy].
func (s *Store) Claim(what string) (release func() error, err error) {
	f, err := atomicfile.Open(s.name + "." + what)
	if err != nil {
		return nil, err
	}
	return f.Close, nil
}

// AddLeague stores a new league.
func (s *Store) AddLeague(name, game string, terms json.RawMessage) (id int64, err error) {
	err = s.update(func(tx *sql.Tx) (err error) {
		id, err = findIn[int64](tx, fmt.Errorf("league %s: %w", name, ErrTaken), `INSERT INTO leagues (name, game, terms, round, playing, created)
			VALUES ($1, $2, $3, 0, 0, $4) ON CONFLICT DO NOTHING RETURNING id`, name, game, string(terms), now())
		return err
	})
	return id, err
}

// Leagues returns all leagues, sorted by name.
func (s *Store) Leagues() ([]League, error) { return list[League](s, "FROM leagues ORDER BY name") }

// League returns a league by its number, or [errNoLeague].
func (s *Store) League(id int64) (League, error) {
	return find[League](s, errNoLeague, "FROM leagues WHERE id = $1", id)
}

// DeleteLeague deletes a league and its games, or returns [errNoLeague].
func (s *Store) DeleteLeague(id int64) error {
	return s.exec(errNoLeague, "DELETE FROM leagues WHERE id = $1", id)
}

// SetPlaying sets whether a server continues a league.
func (s *Store) SetPlaying(id int64, on bool) error {
	return s.exec(errNoLeague, "UPDATE leagues SET playing = $1 WHERE id = $2", on, id)
}

// BeginRound begins a round. It returns [ErrConflict] if the last round that was begun is not round-1.
func (s *Store) BeginRound(id int64, round int) error {
	return s.exec(ErrConflict, "UPDATE leagues SET round = $1 WHERE id = $2 AND round = $1 - 1", round, id)
}

// AddMember stores a new member, who plays from the next round on, and returns the member's number.
func (s *Store) AddMember(m LeagueMember) (number int, err error) {
	err = s.update(func(tx *sql.Tx) (err error) {
		number, err = findIn[int](tx, fmt.Errorf("member %s: %w", m.Name, ErrTaken), `INSERT INTO league_members (league, number, name, spec, author, first, last, joined)
			SELECT id, 1 + (SELECT count(*) FROM league_members WHERE league = $1), $2, $3, $4, round + 1, 0, $5 FROM leagues WHERE id = $1
			ON CONFLICT DO NOTHING RETURNING number`, m.League, m.Name, m.Spec, m.Author, now())
		return err
	})
	return number, err
}

// endMembers is the SQL statement by which members leave after the last round that was begun.
const endMembers = `UPDATE league_members SET last = (SELECT max(round, 1) FROM leagues WHERE id = league),
	first = first + (first > (SELECT round FROM leagues WHERE id = league)) WHERE last = 0`

// EndMember lets a member leave after the last round that was begun.
func (s *Store) EndMember(league int64, name string) error {
	return s.exec(fmt.Errorf("member %s: %w", name, ErrNoMember), endMembers+" AND league = $1 AND name = $2", league, name)
}

// endBots lets bots leave all leagues. The condition where selects the rows of these bots in table. endBots is called before
// these rows are deleted.
func endBots(tx *sql.Tx, table, where string, arg any) error {
	_, err := tx.Exec(endMembers+fmt.Sprintf(` AND EXISTS (SELECT 1 FROM %s AS b WHERE %s AND
		(lower(spec) = 'bot:' || lower(b.name) OR instr(lower(spec), 'bot:' || lower(b.name) || ',') = 1))`, table, where), arg)
	return err
}

// Members returns all members, sorted by number, including members that have left.
func (s *Store) Members(league int64) ([]LeagueMember, error) {
	return list[LeagueMember](s, "FROM league_members WHERE league = $1 ORDER BY number", league)
}

// drawnGames is the number of games whose drawings by bots are kept: the latest games of all leagues together.
const drawnGames = 2000

// AddLeagueGame stores a game of a league, with the drawings of its bots in Extra. If the store already has a game of
// the same round and players, the error is [ErrConflict].
func (s *Store) AddLeagueGame(g Game) (number int64, err error) {
	g.stamp()
	err = s.update(func(tx *sql.Tx) error {
		res, err := insert(tx, "games", g, "ON CONFLICT (league, round, first, second) WHERE league IS NOT NULL DO NOTHING")
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return cmp.Or(err, ErrConflict)
		}
		if number, err = res.LastInsertId(); err != nil || len(g.Extra) == 0 {
			return err
		}
		return change(tx, nil, `UPDATE games SET extra = '' WHERE league IS NOT NULL AND extra <> '' AND number IN
			(SELECT number FROM games WHERE league IS NOT NULL AND extra <> '' ORDER BY number DESC LIMIT -1 OFFSET $1)`, drawnGames)
	})
	return number, err
}
