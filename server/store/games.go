// SPDX-License-Identifier: Apache-2.0

package store

import (
	"cmp"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/notation/record"
)

// ErrNoGame is returned for an ID that no game has.
var ErrNoGame = fault.New("no-game", "there is no such game")

// Game is a game that is played on this server: a game of a run, of a league, or at the board (by people or against them). A game
// at the board may be in progress.
type Game struct {
	Number           int64  // assigned by the store, in the order in which games are added
	ID               string // if it is empty when the game is added, the store assigns a random ID
	Run              int64  `db:"run,null"`    // the run it belongs to, or 0
	League           int64  `db:"league,null"` // the league it belongs to, or 0; First and Second are then names of members
	Game             string
	Start            string // empty, or a position as notation.EncodeText writes it
	First, Second    string // specs of the players
	Moves            string // as notation.FormatMoves writes them
	Plies            int    // the number of Moves
	Opening          int    // number of moves at the beginning that the players did not choose
	Outcome, Reason  string
	Extra            json.RawMessage // other data that the caller stores with the game
	Owner            int64           // the member who owns it; 0: the guest in Guest, or the first member if Guest is empty
	Guest            string          // the guest who owns it, or empty
	Visibility       string          // private, link or public; if it is empty when the game is added, the store sets link
	Created, Updated time.Time       // assigned by the store

	// The fields below, except Round, are for games between people, who have seats.
	Pool       string // pool of ratings: name of the game and class of speed; empty: nobody has a seat
	Rated      bool
	Seats      [2]Seat
	Tournament int64      // 0: none
	Round      int        // round of the tournament or league, from 1
	Place      int        // place of the game in the round, from 0
	Gain       [2]float64 // changes of the two ratings, set when a rated game is over
	Ended      time.Time  // zero while the game is in progress
}

// RowOf returns the Game to store for a record of a played game.
func RowOf(g record.Game) Game {
	return Game{
		Game: g.Rules.String(), First: g.Names[0], Second: g.Names[1], Moves: notation.FormatMoves(g.Rules, g.Moves), Plies: len(g.Moves),
		Opening: g.Opening, Outcome: g.Outcome.String(), Reason: g.Reason,
	}
}

// Played returns a stored finished game as a record. It replays the moves with rules, the game's rules.
func (g Game) Played(rules game.Game) (p record.Game, err error) {
	p = record.Game{Rules: rules, Names: [2]string{g.First, g.Second}, Opening: g.Opening, Reason: g.Reason}
	if p.Moves, err = notation.ParseMoves(rules, g.Moves); err != nil {
		return p, err
	}
	if p.Outcome, err = record.ParseOutcome(g.Outcome); err != nil {
		return p, err
	}
	_, err = p.Replay()
	return p, err
}

// AddGame stores a new game. If challenge is not empty, it is the ID of the challenge from which the game begins, and AddGame
// also marks the challenge as accepted. If the challenge was accepted before, nothing changes and the error is
// [ErrNoChallenge].
func (s *Store) AddGame(g Game, challenge string) error {
	g.stamp()
	return s.update(func(tx *sql.Tx) error {
		if challenge != "" {
			if err := change(tx, ErrNoChallenge, "UPDATE challenges SET game = $1 WHERE id = $2 AND game = ''", g.ID, challenge); err != nil {
				return err
			}
		}
		_, err := insert(tx, "games", g, "")
		return err
	})
}

// stamp sets the fields of a new game that the store assigns.
func (g *Game) stamp() {
	g.ID, g.Visibility = cmp.Or(g.ID, strings.ToLower(rand.Text()[:16])), cmp.Or(g.Visibility, "link")
	g.Created = time.Now()
	g.Updated = g.Created
}

// atBoard selects the games at the board.
const atBoard = "run IS NULL AND league IS NULL"

// SaveGame replaces the parts of a game that change while it is played. The number of moves of the stored game must still be
// plies, and the time of its last update must still be the time in g. Otherwise nothing changes, and the error is
// [ErrConflict]. Unless rate is nil, the ratings of both seats change in the same transaction.
func (s *Store) SaveGame(g Game, plies int, rate Rate) error {
	return s.update(func(tx *sql.Tx) error {
		if rate != nil {
			var err error
			if g.Gain, err = s.rateSeats(tx, g, rate); err != nil {
				return err
			}
		}
		a, b := g.Seats[0], g.Seats[1]
		return change(tx, fmt.Errorf("game %s: %w", g.ID, ErrConflict),
			`UPDATE games SET first = $1, second = $2, moves = $3, plies = $4, outcome = $5, reason = $6, extra = $7, updated = max(updated + 1, $8),
				first_member = $9, first_guest = $10, first_name = $11, second_member = $12, second_guest = $13, second_name = $14,
				first_gain = $15, second_gain = $16, ended = $17 WHERE id = $18 AND plies = $19 AND updated = $20`,
			g.First, g.Second, g.Moves, g.Plies, g.Outcome, g.Reason, string(g.Extra), now(), a.Member, a.Guest, a.Name, b.Member, b.Guest, b.Name,
			g.Gain[0], g.Gain[1], millisOf(g.Ended), g.ID, plies, g.Updated.UnixMilli())
	})
}

// Game returns a game, or [ErrNoGame].
func (s *Store) Game(id string) (Game, error) {
	return find[Game](s, fmt.Errorf("game %s: %w", id, ErrNoGame), "FROM games WHERE id = $1", id)
}

// GameFilter selects games. A field with the zero value does not restrict the selection.
type GameFilter struct {
	Run         int64 // all games of a run, in the order in which they were added
	Seated      bool  // games in which people have seats
	By, Against Seat  // games in which these people have seats
	Going       bool  // games between people that are in progress
	Over        bool  // games between people that have a result, the latest result first
	Tournament  int64 // games of a tournament, in the order of their places
	League      int64 // games of a league, in the order in which they were added
	Round       int
	Players     []string // specs or names of players: each must have a side in the game
	Before      int64    // only games with a smaller number
	After       int64    // only games with a greater number
	Number      int64
	Latest      bool // games of a league, the latest first
	Shown       bool // leave out private games
	Count       int  // maximum number of games; 0 means 100
	Skip        int
}

// Games returns games, the latest first unless the filter says otherwise.
func (s *Store) Games(f GameFilter) ([]Game, error) {
	where, args := "1 = 1", []any{}
	is := func(on bool, condition string, value any) {
		if on {
			args = append(args, value)
			where += " AND " + strings.ReplaceAll(condition, "?", fmt.Sprintf("$%d", len(args)))
		}
	}
	is(f.Run != 0, "run = ?", f.Run)
	if f.Seated || f.Going || f.By.Taken() || f.Against.Taken() {
		where += " AND pool <> ''"
	}
	for _, seat := range []Seat{f.By, f.Against} {
		is(seat.Member != 0, "(first_member = ? OR second_member = ?)", seat.Member)
		is(seat.Member == 0 && seat.Guest != "", "(first_member = 0 AND first_guest = ? OR second_member = 0 AND second_guest = ?)", seat.Guest)
	}
	is(f.Going, "ended = 0 AND outcome = ?", "ongoing")
	if f.Over {
		where += " AND pool <> '' AND ended > 0"
	}
	is(f.Over, "outcome <> ?", "aborted")
	is(f.Shown, "visibility <> ?", "private")
	is(f.Tournament > 0, "tournament = ?", f.Tournament)
	is(f.League > 0, "league = ?", f.League)
	is(f.Round > 0, "round = ?", f.Round)
	is(f.Before > 0, "number < ?", f.Before)
	is(f.After > 0, "number > ?", f.After)
	is(f.Number > 0, "number = ?", f.Number)
	for _, p := range f.Players {
		is(true, "(first = ? OR second = ?)", p)
	}
	order, count := "created DESC, id", cmp.Or(f.Count, 100)
	switch {
	case f.Over:
		order = "ended DESC, id"
	case f.League != 0 && f.Latest:
		order, count = "number DESC", cmp.Or(f.Count, -1)
	case f.Run != 0, f.League != 0:
		order, count = "number", cmp.Or(f.Count, -1)
	case f.Tournament > 0:
		order, count = "round, place", -1
	}
	return list[Game](s, fmt.Sprintf("FROM games WHERE %s ORDER BY %s LIMIT %d OFFSET %d", where, order, count, f.Skip), args...)
}

// GamesOf returns at most n games at the board that belong to a person: the games that the person owns, and the games between
// people in which the person, as by, has a seat. The person is a member, or a guest if member is 0. The most recently changed
// games come first. GamesOf leaves out the first games of this list; skip is their number.
func (s *Store) GamesOf(member int64, guest string, by Seat, n, skip int) ([]Game, error) {
	return list[Game](s, `FROM games WHERE `+atBoard+` AND CASE WHEN pool <> '' THEN
			$3 > 0 AND $3 IN (first_member, second_member) OR $3 = 0 AND $4 <> '' AND $4 IN (first_guest, second_guest)
		ELSE CASE $1 WHEN 0 THEN owner = 0 AND guest = $2 AND guest <> '' WHEN 1 THEN owner = 1 OR owner = 0 AND guest = '' ELSE owner = $1 END
		END ORDER BY updated DESC, id LIMIT $5 OFFSET $6`, member, guest, by.Member, by.Guest, n, skip)
}

// ClockedGames returns the IDs of games at the board in which people have no seats. It returns the games in progress that have
// a clock and at least one move, and have changed since a given time. It returns at most 1,000 games, the most recently changed
// first.
func (s *Store) ClockedGames(since time.Time) ([]string, error) {
	return list[string](s, `SELECT id FROM games WHERE `+atBoard+` AND updated > $1 AND outcome = 'ongoing' AND plies > 0 AND extra LIKE '%"clock":{%'
		AND pool = '' ORDER BY updated DESC LIMIT 1000`, since.UnixMilli())
}

// ofGuests selects the games of guests: games that a guest owns, and games in which only guests have seats.
const ofGuests = `(` + atBoard + ` AND (owner = 0 AND guest > '' OR pool <> '' AND first_member = 0 AND second_member = 0))`

// GameCounts contains the number of games of one person (Mine) and of all guests together (Guests).
type GameCounts struct{ Mine, Guests int }

// CountGames counts the games of a person, who is a member, or a guest if member is 0, and the games of all guests. A game
// between two members counts for both, and a game between guests counts once for all guests.
func (s *Store) CountGames(member int64, guest string) (GameCounts, error) {
	return find[GameCounts](s, nil, `SELECT
		(SELECT count(*) FROM games WHERE `+atBoard+` AND owner = $1 AND guest = CASE $1 WHEN 0 THEN $2 ELSE '' END)
		+ (SELECT count(*) FROM games WHERE $1 <> 0 AND pool <> '' AND first_member = $1)
		+ (SELECT count(*) FROM games WHERE $1 <> 0 AND pool <> '' AND second_member = $1),
		(SELECT count(*) FROM games WHERE $1 = 0 AND `+ofGuests+`)`, member, guest)
}

// ForgetGamesOfGuests deletes at most n games of guests, the oldest first. It deletes finished games that have not changed
// since the time over, and unfinished games that have not changed since the time idle. It returns the number of deleted games.
func (s *Store) ForgetGamesOfGuests(over, idle time.Time, n int) (gone int64, err error) {
	err = s.update(func(tx *sql.Tx) error {
		res, err := tx.Exec(`DELETE FROM games WHERE number IN (SELECT number FROM games WHERE `+ofGuests+`
			AND updated < CASE WHEN outcome = 'ongoing' THEN $1 ELSE $2 END ORDER BY updated LIMIT $3)`, idle.UnixMilli(), over.UnixMilli(), n)
		if err == nil {
			gone, err = res.RowsAffected()
		}
		return err
	})
	return gone, err
}

// ShowGame sets who may look at a game.
func (s *Store) ShowGame(id, visibility string) error {
	// The explorer, which collects finished games, looks for games that have changed since it last looked. So a finished game
	// gets a new time of its last change. A game in progress keeps this time, because the clocks are counted from it.
	return s.exec(fmt.Errorf("game %s: %w", id, ErrNoGame), `UPDATE games SET visibility = $1,
		updated = CASE WHEN outcome = 'ongoing' THEN updated ELSE max(updated + 1, $3) END WHERE id = $2`, visibility, id, now())
}

// DeleteGame deletes a game, or returns [ErrNoGame].
func (s *Store) DeleteGame(id string) error {
	return s.exec(fmt.Errorf("game %s: %w", id, ErrNoGame), "DELETE FROM games WHERE id = $1", id)
}
