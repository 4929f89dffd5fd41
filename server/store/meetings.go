// SPDX-License-Identifier: Apache-2.0

package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/krow-lab/krow/arena/stats"
	"github.com/krow-lab/krow/internal/fault"
)

// Seat is who plays a side: a member, or a guest with the key of a browser and a name. The zero value is nobody.
type Seat struct {
	Member int64  `json:"member,omitempty"`
	Guest  string `json:"guest,omitempty"`
	Name   string `json:"name,omitempty"` // of a guest
}

// Taken says whether somebody has the seat.
func (s Seat) Taken() bool { return s.Member != 0 || s.Guest != "" }

// Same says whether two seats are one person's.
func (s Seat) Same(other Seat) bool {
	return s.Taken() && s.Member == other.Member && (s.Member != 0 || s.Guest == other.Guest)
}

// Meeting is a game between people, which is kept beside its WebGame. An outcome is that of the game, or Aborted.
type Meeting struct {
	Game       string
	Pool       string // of ratings: game and class of speed
	Rated      bool
	Seats      [2]Seat
	Tournament int64 // 0: none
	Round      int   // of the tournament, from 1
	Place      int   // in the round, from 0
	Outcome    string
	Gain       [2]float64 // of ratings, once a rated game is over
	Begun      time.Time
	Ended      time.Time // zero while it goes on
	Visibility string    // of the game: private, link or public
}

// PoolRating is a member's rating in a pool.
type PoolRating struct {
	stats.Glicko
	Member int64     `json:"member"`
	Pool   string    `json:"pool"`
	Games  int       `json:"games"`
	At     time.Time `json:"at"`
}

// Challenge is an offer to play. Terms are the caller's.
type Challenge struct {
	ID      string
	By      Seat
	Invited int64 // the member who may take it; 0: everybody
	Listed  bool  // in the lobby
	Terms   json.RawMessage
	Game    string // that came of it; empty: it stands
	Created time.Time
}

var (
	// ErrNoChallenge is returned for a challenge that is not there, or that somebody has taken.
	ErrNoChallenge = fault.New("no-challenge", "there is no such challenge, or somebody has taken it")
	// ErrNoTournament is returned for a tournament that is not there.
	ErrNoTournament = fault.New("no-tournament", "there is no such tournament")
)

// AddMeeting keeps a new game between people. With a challenge, that is taken by it; where somebody else has taken it,
// nothing changes and the error is [ErrNoChallenge].
func (s *Store) AddMeeting(g WebGame, m Meeting, challenge string) error {
	return s.update(func(tx *sql.Tx) error {
		if challenge != "" {
			if err := change(tx, ErrNoChallenge, "UPDATE challenges SET game = $1 WHERE id = $2 AND game = ''", g.ID, challenge); err != nil {
				return err
			}
		}
		if err := addWebGame(tx, g); err != nil {
			return err
		}
		a, b := m.Seats[0], m.Seats[1]
		return change(tx, nil, `INSERT INTO meetings (game, pool, rated, first, first_guest, first_name, second, second_guest, second_name,
			tournament, round, place, outcome, first_gain, second_gain, begun, ended)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 0, 0, $14, 0)`,
			g.ID, m.Pool, m.Rated, a.Member, a.Guest, a.Name, b.Member, b.Guest, b.Name, m.Tournament, m.Round, m.Place, g.Outcome, now())
	})
}

// Rate returns the ratings of both sides after a game.
type Rate func(first, second PoolRating) (PoolRating, PoolRating)

// EndMeeting saves a game between people that is over, as SaveWebGame does, with its ratings: all of it or nothing, and
// never twice. Seats are those at the end. Rate may be nil; it returns ratings of the pool that it was given.
func (s *Store) EndMeeting(g WebGame, plies int, seats [2]Seat, rate Rate) error {
	return s.update(func(tx *sql.Tx) error {
		if err := saveWebGame(tx, g, plies); err != nil {
			return err
		}
		var gain [2]float64
		if rate != nil {
			var err error
			if gain, err = s.rate(tx, g.ID, seats, rate); err != nil {
				return err
			}
		}
		a, b := seats[0], seats[1]
		return change(tx, ErrConflict, `UPDATE meetings SET outcome = $1, first_gain = $2, second_gain = $3, ended = $4,
			first = $5, first_guest = $6, first_name = $7, second = $8, second_guest = $9, second_name = $10 WHERE game = $11 AND ended = 0`,
			g.Outcome, gain[0], gain[1], now(), a.Member, a.Guest, a.Name, b.Member, b.Guest, b.Name, g.ID)
	})
}

func (s *Store) rate(tx *sql.Tx, game string, seats [2]Seat, rate Rate) (gain [2]float64, err error) {
	var pool string
	if err := tx.QueryRow("SELECT pool FROM meetings WHERE game = $1", game).Scan(&pool); err != nil {
		return gain, err
	}
	var before, after [2]PoolRating
	for i, seat := range seats {
		r := &before[i]
		*r = PoolRating{Member: seat.Member, Pool: pool, Glicko: stats.NewGlicko()}
		var at int64
		err := tx.QueryRow("SELECT rating, deviation, volatility, games, at FROM ratings WHERE member = $1 AND pool = $2", seat.Member, pool).
			Scan(&r.Rating, &r.Deviation, &r.Volatility, &r.Games, &at)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return gain, err
		}
		r.At = time.UnixMilli(at)
	}
	after[0], after[1] = rate(before[0], before[1])
	for i, r := range after {
		gain[i] = r.Rating - before[i].Rating
		err := change(tx, nil, `INSERT INTO ratings (member, pool, rating, deviation, volatility, games, at)
			SELECT $1, $2, $3, $4, $5, $6, $7 WHERE NOT EXISTS (SELECT 1 FROM members WHERE id = $1 AND removed IS NOT NULL)
			ON CONFLICT (member, pool) DO UPDATE SET rating = excluded.rating, deviation = excluded.deviation, volatility = excluded.volatility,
			games = excluded.games, at = excluded.at`, r.Member, pool, r.Rating, r.Deviation, r.Volatility, r.Games, r.At.UnixMilli())
		if err != nil {
			return gain, err
		}
	}
	return gain, nil
}

// Ratings returns the ratings of a member, or of a pool where member is 0, the highest first.
func (s *Store) Ratings(member int64, pool string) ([]PoolRating, error) {
	scan := func(rows *sql.Rows) (r PoolRating, err error) {
		var at int64
		err = rows.Scan(&r.Member, &r.Pool, &r.Rating, &r.Deviation, &r.Volatility, &r.Games, &at)
		r.At = time.UnixMilli(at).UTC()
		return r, err
	}
	return collect(s, scan, `SELECT member, pool, rating, deviation, volatility, games, at FROM ratings
		WHERE ($1 = 0 OR member = $1) AND ($2 = '' OR pool = $2) ORDER BY rating DESC, member LIMIT 1000`, member, pool)
}

// MeetingFilter says which meetings are asked for. What is zero asks for all.
type MeetingFilter struct {
	Game           string
	By, Against    Seat
	Going          bool // those that are not over
	Tournament     int64
	Count          int // 0: 100
	Skip           int
	Shown          bool // to others: not the private ones
	InOrderOfPlace bool
}

// Meetings returns games between people, the last one first, or in the order of their places in a tournament.
func (s *Store) Meetings(f MeetingFilter) ([]Meeting, error) {
	scan := func(rows *sql.Rows) (m Meeting, err error) {
		var begun, ended int64
		a, b := &m.Seats[0], &m.Seats[1]
		err = rows.Scan(&m.Game, &m.Pool, &m.Rated, &a.Member, &a.Guest, &a.Name, &b.Member, &b.Guest, &b.Name, &m.Tournament, &m.Round, &m.Place,
			&m.Outcome, &m.Gain[0], &m.Gain[1], &begun, &ended, &m.Visibility)
		m.Begun = time.UnixMilli(begun).UTC()
		if ended > 0 {
			m.Ended = time.UnixMilli(ended).UTC()
		}
		return m, err
	}
	where, args := "1 = 1", []any{}
	is := func(on bool, condition string, values ...any) {
		if !on {
			return
		}
		numbers := make([]any, len(values))
		for i, v := range values {
			args = append(args, v)
			numbers[i] = len(args)
		}
		where += " AND " + fmt.Sprintf(condition, numbers...)
	}
	is(f.Game != "", "meetings.game = $%d", f.Game)
	for _, seat := range []Seat{f.By, f.Against} {
		guest := seat.Guest
		if seat.Member != 0 {
			guest = ""
		}
		is(seat.Member != 0, "(meetings.first = $%[1]d OR meetings.second = $%[1]d)", seat.Member)
		is(guest != "", "(meetings.first = 0 AND first_guest = $%[1]d OR meetings.second = 0 AND second_guest = $%[1]d)", guest)
	}
	is(f.Going, "ended = 0 AND meetings.outcome = $%d", "ongoing")
	is(f.Shown, "visibility <> $%d", "private")
	is(f.Tournament > 0, "tournament = $%d", f.Tournament)
	order, count := "begun DESC, meetings.game", f.Count
	if f.InOrderOfPlace {
		order = "round, place"
	}
	if count == 0 {
		count = 100
	}
	return collect(s, scan, fmt.Sprintf(`SELECT meetings.game, pool, rated, meetings.first, first_guest, first_name, meetings.second, second_guest, second_name, tournament, round, place,
		meetings.outcome, first_gain, second_gain, begun, ended, visibility FROM meetings JOIN web_games ON web_games.id = meetings.game
		WHERE %s ORDER BY %s LIMIT %d OFFSET %d`, where, order, count, f.Skip), args...)
}

// AddChallenge keeps a challenge.
func (s *Store) AddChallenge(c Challenge) error {
	return s.exec(nil, "INSERT INTO challenges (id, member, guest, name, invited, listed, terms, game, created) VALUES ($1, $2, $3, $4, $5, $6, $7, '', $8)",
		c.ID, c.By.Member, c.By.Guest, c.By.Name, c.Invited, c.Listed, string(c.Terms), now())
}

// DeleteChallenge takes a challenge back that stands, or returns [ErrNoChallenge].
func (s *Store) DeleteChallenge(id string) error {
	return s.exec(ErrNoChallenge, "DELETE FROM challenges WHERE id = $1 AND game = ''", id)
}

const challengeColumns = "id, member, guest, name, invited, listed, terms, game, created"

func scanChallenge(scan func(...any) error) (c Challenge, err error) {
	var terms string
	var created int64
	err = scan(&c.ID, &c.By.Member, &c.By.Guest, &c.By.Name, &c.Invited, &c.Listed, &terms, &c.Game, &created)
	c.Terms, c.Created = json.RawMessage(terms), time.UnixMilli(created).UTC()
	return c, err
}

// Challenge returns a challenge, or [ErrNoChallenge].
func (s *Store) Challenge(id string) (Challenge, error) {
	c, err := scanChallenge(s.row("SELECT "+challengeColumns+" FROM challenges WHERE id = $1", id).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNoChallenge
	}
	return c, wrap(s.name, err)
}

// Challenges returns the challenges that stand and are not older than since, the latest first.
func (s *Store) Challenges(since time.Time) ([]Challenge, error) {
	scan := func(rows *sql.Rows) (Challenge, error) { return scanChallenge(rows.Scan) }
	return collect(s, scan, "SELECT "+challengeColumns+" FROM challenges WHERE game = '' AND created >= $1 ORDER BY created DESC, id LIMIT 1000", since.UnixMilli())
}

// ForgetChallenges deletes those of members made before a time, and those of guests made before another.
func (s *Store) ForgetChallenges(members, guests time.Time) error {
	return s.exec(nil, "DELETE FROM challenges WHERE created < CASE WHEN member > 0 THEN $1 ELSE $2 END", members.UnixMilli(), guests.UnixMilli())
}

// Serve notes that games are served at a time, and Served returns the last such time, or the zero time.
func (s *Store) Serve(at time.Time) error {
	return s.exec(nil, "INSERT INTO served (id, at) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET at = excluded.at", at.UnixMilli())
}

// Served returns when games were last served, or the zero time.
func (s *Store) Served() (time.Time, error) {
	var at int64
	err := s.row("SELECT at FROM served WHERE id = 1").Scan(&at)
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, nil
	}
	return time.UnixMilli(at), wrap(s.name, err)
}

// MemberName returns what a member is called, or nothing of one who was removed.
func (s *Store) MemberName(id int64) (string, error) {
	var name string
	err := s.row("SELECT name FROM members WHERE id = $1 AND removed IS NULL", id).Scan(&name)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return name, wrap(s.name, err)
}
