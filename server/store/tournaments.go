// SPDX-License-Identifier: Apache-2.0

package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"time"
)

// Tournament is a tournament of people. Terms and Rounds are the caller's.
type Tournament struct {
	ID           int64
	Name         string
	Terms        json.RawMessage
	By           Seat
	Rounds       json.RawMessage
	Version      int // grows with each SaveTournament
	Created      time.Time
	Begun, Ended time.Time // or zero
	Players      []TournamentPlayer
}

// TournamentPlayer is somebody who takes part, by number from 0.
type TournamentPlayer struct {
	Seat
	Gone bool
}

// AddTournament keeps a new tournament without players and returns its number.
func (s *Store) AddTournament(t Tournament) (id int64, err error) {
	err = s.update(func(tx *sql.Tx) error {
		return tx.QueryRow(`INSERT INTO tournaments (name, terms, member, guest, rounds, version, created, begun, ended)
			VALUES ($1, $2, $3, $4, $5, 0, $6, 0, 0) RETURNING id`, t.Name, string(t.Terms), t.By.Member, t.By.Guest, string(t.Rounds), now()).Scan(&id)
	})
	return id, err
}

const tournamentColumns = "id, name, terms, member, guest, rounds, version, created, begun, ended"

func scanTournament(scan func(...any) error) (t Tournament, err error) {
	var terms, rounds string
	var created, begun, ended int64
	err = scan(&t.ID, &t.Name, &terms, &t.By.Member, &t.By.Guest, &rounds, &t.Version, &created, &begun, &ended)
	t.Terms, t.Rounds, t.Created = json.RawMessage(terms), json.RawMessage(rounds), time.UnixMilli(created).UTC()
	if begun > 0 {
		t.Begun = time.UnixMilli(begun).UTC()
	}
	if ended > 0 {
		t.Ended = time.UnixMilli(ended).UTC()
	}
	return t, err
}

// Tournament returns a tournament with its players, or [ErrNoTournament].
func (s *Store) Tournament(id int64) (Tournament, error) {
	t, err := scanTournament(s.readers.QueryRow("SELECT "+tournamentColumns+" FROM tournaments WHERE id = $1", id).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNoTournament
	}
	if err != nil {
		return t, wrap(s.name, err)
	}
	scan := func(rows *sql.Rows) (TournamentPlayer, error) {
		var p TournamentPlayer
		err := rows.Scan(&p.Member, &p.Guest, &p.Name, &p.Gone)
		return p, err
	}
	t.Players, err = collect(s, scan, "SELECT member, guest, name, gone FROM tournament_players WHERE tournament = $1 ORDER BY number", id)
	return t, err
}

// shownTournaments is the number of finished tournaments in a list.
const shownTournaments = 200

// Tournaments returns tournaments without their players: the ones in progress, or all that are not over and the
// latest finished ones.
func (s *Store) Tournaments(going bool) ([]Tournament, error) {
	scan := func(rows *sql.Rows) (Tournament, error) { return scanTournament(rows.Scan) }
	return collect(s, scan, "SELECT "+tournamentColumns+` FROM tournaments WHERE ended = 0 AND (begun > 0 OR $1 = 0)
		OR $1 = 0 AND id IN (SELECT id FROM tournaments WHERE ended > 0 ORDER BY id DESC LIMIT $2) ORDER BY ended > 0, id DESC`, going, shownTournaments)
}

// TournamentsOf returns the tournaments that are not over and in which somebody takes part.
func (s *Store) TournamentsOf(seat Seat) ([]int64, error) {
	scan := func(rows *sql.Rows) (id int64, err error) { return id, rows.Scan(&id) }
	return collect(s, scan, `SELECT id FROM tournaments WHERE ended = 0 AND id IN
		(SELECT tournament FROM tournament_players WHERE member = $1 AND guest = $2 AND gone = 0)`, seat.Member, seat.Guest)
}

// ForgetTournaments deletes what guests have made before a time and nobody has begun.
func (s *Store) ForgetTournaments(before time.Time) error {
	return s.exec(nil, "DELETE FROM tournaments WHERE member = 0 AND begun = 0 AND created < $1", before.UnixMilli())
}

// JoinTournament adds a player, or lets one come back. It returns [ErrConflict] where the version is another one.
func (s *Store) JoinTournament(id int64, version int, seat Seat) error {
	return s.update(func(tx *sql.Tx) error {
		if err := change(tx, ErrConflict, "UPDATE tournaments SET version = version + 1 WHERE id = $1 AND version = $2", id, version); err != nil {
			return err
		}
		return change(tx, nil, `INSERT INTO tournament_players (tournament, number, member, guest, name, gone)
			VALUES ($1, (SELECT count(*) FROM tournament_players WHERE tournament = $1), $2, $3, $4, 0)
			ON CONFLICT (tournament, member, guest) DO UPDATE SET gone = 0`, id, seat.Member, seat.Guest, seat.Name)
	})
}

// LeaveTournament notes that a player has gone. Before the tournament has begun, nothing else is known of them.
func (s *Store) LeaveTournament(id int64, version int, seat Seat) error {
	return s.update(func(tx *sql.Tx) error {
		if err := change(tx, ErrConflict, "UPDATE tournaments SET version = version + 1 WHERE id = $1 AND version = $2", id, version); err != nil {
			return err
		}
		return change(tx, nil, "UPDATE tournament_players SET gone = 1 WHERE tournament = $1 AND member = $2 AND guest = $3", id, seat.Member, seat.Guest)
	})
}

// SaveTournament replaces what changes while a tournament is played, or returns [ErrConflict] where the version is another
// one. On its beginning, order says which player has which number from then on; nil: as before.
func (s *Store) SaveTournament(t Tournament, order []TournamentPlayer) error {
	millis := func(t time.Time) int64 {
		if t.IsZero() {
			return 0
		}
		return t.UnixMilli()
	}
	return s.update(func(tx *sql.Tx) error {
		err := change(tx, ErrConflict, "UPDATE tournaments SET rounds = $1, begun = $2, ended = $3, version = version + 1 WHERE id = $4 AND version = $5",
			string(t.Rounds), millis(t.Begun), millis(t.Ended), t.ID, t.Version)
		if err != nil || order == nil {
			return err
		}
		if err := change(tx, nil, "DELETE FROM tournament_players WHERE tournament = $1", t.ID); err != nil {
			return err
		}
		for i, p := range order {
			err := change(tx, nil, "INSERT INTO tournament_players (tournament, number, member, guest, name, gone) VALUES ($1, $2, $3, $4, $5, 0)",
				t.ID, i, p.Member, p.Guest, p.Name)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// DeleteTournament forgets a tournament that has not begun, or returns [ErrNoTournament].
func (s *Store) DeleteTournament(id int64) error {
	return s.exec(ErrNoTournament, "DELETE FROM tournaments WHERE id = $1 AND begun = 0", id)
}
