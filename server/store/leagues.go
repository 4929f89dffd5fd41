// SPDX-License-Identifier: Apache-2.0

package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/krow-lab/krow/internal/atomicfile"
	"github.com/krow-lab/krow/internal/fault"
)

// League is a league as it is kept. Package server/league knows what its parts mean.
type League struct {
	ID      int64
	Name    string
	Game    string
	Terms   json.RawMessage
	Round   int  // the last that was begun, 0 before the first
	Playing bool // a server continues it
	Created time.Time
}

// LeagueMember is a member of a league. It plays from round First to round Last, which is 0 while it stays.
type LeagueMember struct {
	League             int64
	Number             int // in the league, from 1
	Name, Spec, Author string
	First, Last        int
	Joined             time.Time
}

// LeagueGame is a game of a league. Round, A, B and Leg are its place in the plan, and no two games have the same.
type LeagueGame struct {
	ID              int64
	League          int64
	Round           int
	A, B            int // numbers of the members; A moves first in even legs
	Leg             int // from 0
	Points          int // of A, in halves
	Opening         string
	Moves           string // empty where it was not asked for
	Outcome, Reason string
	Forfeit         bool
	Played          time.Time
	Drawn           string // what bots drew, in JSON; empty where it was not asked for
}

// These errors can be returned by methods about leagues.
var (
	// ErrNoLeague is returned for a league that is not there.
	ErrNoLeague = fault.New("no-league", "there is no such league")
	// ErrTaken is returned for a name that another league or member has.
	ErrTaken = fault.New("taken", "the name is taken")
	// ErrNoMember is returned for a member that a league does not have, or that has left it.
	ErrNoMember = fault.New("no-league", "there is no such member")
)

// Claim gives this process alone the right to do some work on the database, until release is called or the process
// ends. Another one gets [atomicfile.ErrBusy].
func (s *Store) Claim(what string) (release func() error, err error) {
	f, err := atomicfile.Open(s.name + "." + what)
	if err != nil {
		return nil, err
	}
	return f.Close, nil
}

// AddLeague keeps a new league.
func (s *Store) AddLeague(name, game string, terms json.RawMessage) (id int64, err error) {
	err = s.update(func(tx *sql.Tx) error {
		err := tx.QueryRow(`INSERT INTO leagues (name, game, terms, round, playing, created) VALUES ($1, $2, $3, 0, 0, $4)
			ON CONFLICT DO NOTHING RETURNING id`, name, game, string(terms), now()).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("league %s: %w", name, ErrTaken)
		}
		return err
	})
	return id, err
}

// Leagues returns all leagues by name.
func (s *Store) Leagues() ([]League, error) {
	scan := func(rows *sql.Rows) (League, error) {
		var l League
		var terms string
		var created int64
		err := rows.Scan(&l.ID, &l.Name, &l.Game, &terms, &l.Round, &l.Playing, &created)
		l.Terms, l.Created = json.RawMessage(terms), time.UnixMilli(created)
		return l, err
	}
	return collect(s, scan, "SELECT id, name, game, terms, round, playing, created FROM leagues ORDER BY name")
}

// League returns a league by its number, or [ErrNoLeague].
func (s *Store) League(id int64) (League, error) {
	all, err := s.Leagues()
	for _, l := range all {
		if l.ID == id {
			return l, nil
		}
	}
	if err == nil {
		err = wrap(s.name, ErrNoLeague)
	}
	return League{}, err
}

// DeleteLeague forgets a league and its games, or returns [ErrNoLeague].
func (s *Store) DeleteLeague(id int64) error {
	return s.exec(ErrNoLeague, "DELETE FROM leagues WHERE id = $1", id)
}

// SetPlaying sets whether a server continues a league.
func (s *Store) SetPlaying(id int64, on bool) error {
	return s.exec(ErrNoLeague, "UPDATE leagues SET playing = $1 WHERE id = $2", on, id)
}

// BeginRound begins a round after the one before it, or returns [ErrConflict].
func (s *Store) BeginRound(id int64, round int) error {
	return s.exec(ErrConflict, "UPDATE leagues SET round = $1 WHERE id = $2 AND round = $1 - 1", round, id)
}

// AddMember keeps a new member, who plays from the next round on, and returns its number.
func (s *Store) AddMember(m LeagueMember) (number int, err error) {
	err = s.update(func(tx *sql.Tx) error {
		err := tx.QueryRow(`INSERT INTO league_members (league, number, name, spec, author, first, last, joined)
			SELECT id, 1 + (SELECT count(*) FROM league_members WHERE league = $1), $2, $3, $4, round + 1, 0, $5 FROM leagues WHERE id = $1
			ON CONFLICT DO NOTHING RETURNING number`, m.League, m.Name, m.Spec, m.Author, now()).Scan(&number)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("member %s: %w", m.Name, ErrTaken)
		}
		return err
	})
	return number, err
}

// endMembers lets members leave after the round that was begun last.
const endMembers = `UPDATE league_members SET last = (SELECT max(round, 1) FROM leagues WHERE id = league),
	first = first + (first > (SELECT round FROM leagues WHERE id = league)) WHERE last = 0`

// EndMember lets a member leave after the round that was begun last.
func (s *Store) EndMember(league int64, name string) error {
	return s.exec(fmt.Errorf("member %s: %w", name, ErrNoMember), endMembers+" AND league = $1 AND name = $2", league, name)
}

// endBots lets the bots of a table that are about to be deleted leave all leagues.
func endBots(tx *sql.Tx, table, where string, arg any) error {
	_, err := tx.Exec(endMembers+fmt.Sprintf(` AND EXISTS (SELECT 1 FROM %s AS b WHERE %s AND
		(lower(spec) = 'bot:' || lower(b.name) OR instr(lower(spec), 'bot:' || lower(b.name) || ',') = 1))`, table, where), arg)
	return err
}

// Members returns all members by number, including members that have left.
func (s *Store) Members(league int64) ([]LeagueMember, error) {
	scan := func(rows *sql.Rows) (LeagueMember, error) {
		m := LeagueMember{League: league}
		var joined int64
		err := rows.Scan(&m.Number, &m.Name, &m.Spec, &m.Author, &m.First, &m.Last, &joined)
		m.Joined = time.UnixMilli(joined)
		return m, err
	}
	return collect(s, scan, "SELECT number, name, spec, author, first, last, joined FROM league_members WHERE league = $1 ORDER BY number", league)
}

// AddLeagueGame stores a game and the drawings of its bots. It returns [ErrConflict] when the game is stored already.
func (s *Store) AddLeagueGame(g LeagueGame) error {
	return s.update(func(tx *sql.Tx) error {
		err := change(tx, ErrConflict, `INSERT INTO league_games (league, round, a, b, leg, points, opening, moves, outcome, reason, forfeit, played, drawn)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT DO NOTHING`,
			g.League, g.Round, g.A, g.B, g.Leg, g.Points, g.Opening, g.Moves, g.Outcome, g.Reason, g.Forfeit, now(), g.Drawn)
		if err != nil || g.Drawn == "" {
			return err
		}
		return change(tx, nil, `UPDATE league_games SET drawn = '' WHERE drawn <> '' AND id IN
			(SELECT id FROM league_games WHERE drawn <> '' ORDER BY id DESC LIMIT -1 OFFSET $1)`, drawnGames)
	})
}

// drawnGames is the number of latest games of all leagues whose drawings are kept.
const drawnGames = 2000

// LeagueFilter says which games of a league are asked for. What is 0 asks for all.
type LeagueFilter struct {
	ID              int64
	Member, Against int
	After, Before   int64 // IDs that bound it
	Latest          bool  // the latest first
	Count           int
	NoMoves         bool
}

// LeagueGames returns games in the order in which they were kept.
func (s *Store) LeagueGames(league int64, f LeagueFilter) ([]LeagueGame, error) {
	where, args := []string{"league = $1"}, []any{league}
	add := func(on bool, condition string, value any) {
		if on {
			args = append(args, value)
			where = append(where, strings.ReplaceAll(condition, "?", fmt.Sprintf("$%d", len(args))))
		}
	}
	add(f.ID > 0, "id = ?", f.ID)
	add(f.Member > 0, "(a = ? OR b = ?)", f.Member)
	add(f.Against > 0, "(a = ? OR b = ?)", f.Against)
	add(f.After > 0, "id > ?", f.After)
	add(f.Before > 0, "id < ?", f.Before)
	moves, order, limit := "moves, drawn", "id", -1
	if f.NoMoves {
		moves = "'', ''"
	}
	if f.Latest {
		order = "id DESC"
	}
	if f.Count > 0 {
		limit = f.Count
	}
	scan := func(rows *sql.Rows) (LeagueGame, error) {
		g := LeagueGame{League: league}
		var played int64
		err := rows.Scan(&g.ID, &g.Round, &g.A, &g.B, &g.Leg, &g.Points, &g.Opening, &g.Moves, &g.Drawn, &g.Outcome, &g.Reason, &g.Forfeit, &played)
		g.Played = time.UnixMilli(played)
		return g, err
	}
	return collect(s, scan, fmt.Sprintf("SELECT id, round, a, b, leg, points, opening, %s, outcome, reason, forfeit, played FROM league_games WHERE %s ORDER BY %s LIMIT %d",
		moves, strings.Join(where, " AND "), order, limit), args...)
}
