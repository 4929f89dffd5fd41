// SPDX-License-Identifier: Apache-2.0

package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/krow-lab/krow/arena/stats"
	"github.com/krow-lab/krow/internal/fault"
)

// Seat is the person who plays a side: a member or a guest. A guest is identified by Guest, a secret name that the server has
// given to the browser. Other people see the Name of a guest. The zero value is an empty seat.
type Seat struct {
	Member int64  `json:"member,omitempty"`
	Guest  string `json:"guest,omitempty"`
	Name   string `json:"name,omitempty"` // shown name of a guest
}

// Taken reports whether the seat belongs to a person.
func (s Seat) Taken() bool { return s.Member != 0 || s.Guest != "" }

// Same reports whether two seats belong to the same person.
func (s Seat) Same(other Seat) bool {
	return s.Taken() && s.Member == other.Member && (s.Member != 0 || s.Guest == other.Guest)
}

// PoolRating is a member's rating in a pool: in one game at one class of speed.
type PoolRating struct {
	stats.Glicko
	Member int64     `json:"member"`
	Pool   string    `json:"pool"`
	Games  int       `json:"games"`
	At     time.Time `json:"at"`
}

// Challenge is an offer to play. The store does not interpret Terms.
type Challenge struct {
	ID      string
	By      Seat
	Invited int64 // number of the only member who may accept it; 0: everybody may
	Listed  bool  // whether the lobby lists it
	Terms   json.RawMessage
	Game    string // ID of the game that was begun from it; empty while it is open
	Created time.Time
}

var (
	// ErrNoChallenge is returned for a challenge that does not exist, or that somebody has taken.
	ErrNoChallenge = fault.New("no-challenge", "there is no such challenge, or somebody has taken it")
	// ErrNoTournament is returned for a tournament that does not exist.
	ErrNoTournament = fault.New("no-tournament", "there is no such tournament")
)

// Rate is a function that computes the ratings of both sides after a game from their previous ratings.
type Rate func(first, second PoolRating) (PoolRating, PoolRating)

// rateSeats changes the ratings of both seats of a game that is over, and returns the gains.
func (s *Store) rateSeats(tx *sql.Tx, g Game, rate Rate) (gain [2]float64, err error) {
	var before, after [2]PoolRating
	for i, seat := range g.Seats {
		if before[i], err = ratingIn(tx, seat.Member, g.Pool); err != nil {
			return gain, err
		}
	}
	after[0], after[1] = rate(before[0], before[1])
	for i, r := range after {
		gain[i] = r.Rating - before[i].Rating
		err := change(tx, nil, `INSERT OR REPLACE INTO ratings (member, pool, rating, deviation, volatility, games, at)
			SELECT $1, $2, $3, $4, $5, $6, $7 WHERE NOT EXISTS (SELECT 1 FROM members WHERE id = $1 AND removed IS NOT NULL)`,
			r.Member, g.Pool, r.Rating, r.Deviation, r.Volatility, r.Games, r.At.UnixMilli())
		if err != nil {
			return gain, err
		}
	}
	return gain, nil
}

// Rating returns the rating of a member in a pool. A member without a rating has the rating of a newcomer, after 0 games.
func (s *Store) Rating(member int64, pool string) (PoolRating, error) {
	r, err := ratingIn(s.readers, member, pool)
	return r, wrap(s.name, err)
}

func ratingIn(db querier, member int64, pool string) (PoolRating, error) {
	none := errors.New("no rating")
	r, err := findIn[PoolRating](db, none, "FROM ratings WHERE member = $1 AND pool = $2", member, pool)
	if err == none {
		r, err = PoolRating{Member: member, Pool: pool, Glicko: stats.NewGlicko()}, nil
	}
	return r, err
}

// Ratings returns the ratings of a member or, if member is 0, the ratings of all members in a pool, the highest first.
func (s *Store) Ratings(member int64, pool string) ([]PoolRating, error) {
	return list[PoolRating](s, "FROM ratings WHERE ($1 = 0 OR member = $1) AND ($2 = '' OR pool = $2) ORDER BY rating DESC, member LIMIT 1000", member, pool)
}

// AddChallenge stores a challenge.
func (s *Store) AddChallenge(c Challenge) error {
	c.Created = time.Now()
	return s.add("challenges", c)
}

// DeleteChallenge deletes an open challenge, or returns [ErrNoChallenge].
func (s *Store) DeleteChallenge(id string) error {
	return s.exec(ErrNoChallenge, "DELETE FROM challenges WHERE id = $1 AND game = ''", id)
}

// Challenge returns a challenge, or [ErrNoChallenge].
func (s *Store) Challenge(id string) (Challenge, error) {
	return find[Challenge](s, ErrNoChallenge, "FROM challenges WHERE id = $1", id)
}

// Challenges returns the open challenges that were made since the given time, the latest first.
func (s *Store) Challenges(since time.Time) ([]Challenge, error) {
	return list[Challenge](s, "FROM challenges WHERE game = '' AND created >= $1 ORDER BY created DESC, id LIMIT 1000", since.UnixMilli())
}

// ForgetChallenges deletes the challenges that members made before the time members, and the challenges that guests made before
// the time guests.
func (s *Store) ForgetChallenges(members, guests time.Time) error {
	return s.exec(nil, "DELETE FROM challenges WHERE created < CASE WHEN member > 0 THEN $1 ELSE $2 END", members.UnixMilli(), guests.UnixMilli())
}

// Serve records that a process served the games at a time.
func (s *Store) Serve(at time.Time) error {
	return s.exec(nil, "INSERT INTO served (id, at) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET at = excluded.at", at.UnixMilli())
}

// Served returns the time recorded by the last call of Serve, or the zero time.
func (s *Store) Served() (time.Time, error) {
	last, err := find[struct{ At time.Time }](s, nil, "FROM served WHERE id = 1")
	return last.At, err
}

// MemberName returns the name of a member, or "" if the member was removed.
func (s *Store) MemberName(id int64) (string, error) {
	return find[string](s, nil, "SELECT name FROM members WHERE id = $1 AND removed IS NULL", id)
}
