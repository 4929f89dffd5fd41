// SPDX-License-Identifier: Apache-2.0

package store

import (
	"database/sql"
	"encoding/json"
	"time"
)

// Tournament is a tournament of people. The store does not interpret Terms and Rounds.
type Tournament struct {
	ID           int64
	Terms        json.RawMessage
	By           Seat
	Rounds       json.RawMessage
	Version      int // grows with each SaveTournament
	Created      time.Time
	Begun, Ended time.Time          // zero until the tournament has begun or ended
	Players      []TournamentPlayer `db:"-"`
}

// TournamentPlayer is a person in a tournament. Players are numbered from 0.
type TournamentPlayer struct {
	Seat
	Gone bool
}

// AddTournament stores a new tournament without players and returns its number.
func (s *Store) AddTournament(t Tournament) (id int64, err error) {
	t.Created = time.Now()
	err = s.update(func(tx *sql.Tx) error {
		res, err := insert(tx, "tournaments", t, "")
		if err == nil {
			id, err = res.LastInsertId()
		}
		return err
	})
	return id, err
}

// Tournament returns a tournament with its players, or [ErrNoTournament].
func (s *Store) Tournament(id int64) (Tournament, error) {
	t, err := find[Tournament](s, ErrNoTournament, "FROM tournaments WHERE id = $1", id)
	if err == nil {
		t.Players, err = list[TournamentPlayer](s, "FROM tournament_players WHERE tournament = $1 ORDER BY number", id)
	}
	return t, err
}

// shownTournaments is the number of finished tournaments in a list.
const shownTournaments = 200

// Tournaments returns all unfinished tournaments and the latest finished tournaments, without their players.
func (s *Store) Tournaments() ([]Tournament, error) {
	return list[Tournament](s, `FROM tournaments WHERE ended = 0 OR id IN
		(SELECT id FROM tournaments WHERE ended > 0 ORDER BY id DESC LIMIT $1) ORDER BY ended > 0, id DESC`, shownTournaments)
}

// TournamentsOf returns the numbers of the unfinished tournaments in which a person takes part.
func (s *Store) TournamentsOf(seat Seat) ([]int64, error) {
	return list[int64](s, `SELECT id FROM tournaments WHERE ended = 0 AND id IN
		(SELECT tournament FROM tournament_players WHERE member = $1 AND guest = $2 AND gone = 0)`, seat.Member, seat.Guest)
}

// ForgetTournaments deletes tournaments that guests created before the given time and that have not begun.
func (s *Store) ForgetTournaments(before time.Time) error {
	return s.exec(nil, "DELETE FROM tournaments WHERE member = 0 AND begun = 0 AND created < $1", before.UnixMilli())
}

// JoinTournament adds a player, or readmits a player who left. It returns [ErrConflict] if the stored version of the tournament
// is not the given version.
func (s *Store) JoinTournament(id int64, version int, seat Seat) error {
	return s.changeTournament(id, version, func(tx *sql.Tx) error {
		return change(tx, nil, `INSERT INTO tournament_players (tournament, number, member, guest, name, gone)
			VALUES ($1, (SELECT count(*) FROM tournament_players WHERE tournament = $1), $2, $3, $4, 0)
			ON CONFLICT (tournament, member, guest) DO UPDATE SET gone = 0`, id, seat.Member, seat.Guest, seat.Name)
	})
}

// LeaveTournament records that a player has left. It returns [ErrConflict] if the stored version of the tournament is not the
// given version.
func (s *Store) LeaveTournament(id int64, version int, seat Seat) error {
	return s.changeTournament(id, version, func(tx *sql.Tx) error {
		return change(tx, nil, "UPDATE tournament_players SET gone = 1 WHERE tournament = $1 AND member = $2 AND guest = $3", id, seat.Member, seat.Guest)
	})
}

// changeTournament calls f in a transaction and increments the tournament's version. If the stored version is not the given
// version, it returns [ErrConflict].
func (s *Store) changeTournament(id int64, version int, f func(*sql.Tx) error) error {
	return s.update(func(tx *sql.Tx) error {
		if err := change(tx, ErrConflict, "UPDATE tournaments SET version = version + 1 WHERE id = $1 AND version = $2", id, version); err != nil {
			return err
		}
		return f(tx)
	})
}

// SaveTournament stores the parts of a tournament that change while it is played. It returns [ErrConflict] if the stored
// version is not t.Version. If players is not nil, SaveTournament also replaces the stored players by the given players, and
// numbers them in the given order.
func (s *Store) SaveTournament(t Tournament, players []TournamentPlayer) error {
	return s.changeTournament(t.ID, t.Version, func(tx *sql.Tx) error {
		err := change(tx, nil, "UPDATE tournaments SET rounds = $1, begun = $2, ended = $3 WHERE id = $4", string(t.Rounds), millisOf(t.Begun), millisOf(t.Ended), t.ID)
		if err != nil || players == nil {
			return err
		}
		if err := change(tx, nil, "DELETE FROM tournament_players WHERE tournament = $1", t.ID); err != nil {
			return err
		}
		for i, p := range players {
			err := change(tx, nil, "INSERT INTO tournament_players (tournament, number, member, guest, name, gone) VALUES ($1, $2, $3, $4, $5, 0)",
				t.ID, i, p.Member, p.Guest, p.Name)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// DeleteTournament deletes a tournament that has not begun, or returns [ErrNoTournament].
func (s *Store) DeleteTournament(id int64) error {
	return s.exec(ErrNoTournament, "DELETE FROM tournaments WHERE id = $1 AND begun = 0", id)
}
