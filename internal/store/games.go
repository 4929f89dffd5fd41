// SPDX-License-Identifier: Apache-2.0

package store

import (
	"database/sql"
	"time"
)

// Game is a game that was played. Moves, Outcome and Reason read as in package record's files.
type Game struct {
	ID              int64 // given by AddGame
	Run             int64 // the run it belongs to, or 0
	Game            string
	First, Second   string // who played, in the order of the seats
	Moves           string
	Outcome, Reason string
	Played          time.Time // given by AddGame
}

// AddGame keeps a game and returns its number.
func (s *Store) AddGame(g Game) (id int64, err error) {
	err = s.update(func(tx *sql.Tx) error {
		run := sql.NullInt64{Int64: g.Run, Valid: g.Run != 0}
		return tx.QueryRow(`INSERT INTO games (run, game, first, second, moves, outcome, reason, played)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id`,
			run, g.Game, g.First, g.Second, g.Moves, g.Outcome, g.Reason, now()).Scan(&id)
	})
	return id, err
}

// Games returns the games of a run in the order they were added; run 0 has those that belong to none.
func (s *Store) Games(run int64) ([]Game, error) {
	scan := func(rows *sql.Rows) (Game, error) {
		g := Game{Run: run}
		var played int64
		err := rows.Scan(&g.ID, &g.Game, &g.First, &g.Second, &g.Moves, &g.Outcome, &g.Reason, &played)
		g.Played = time.UnixMilli(played)
		return g, err
	}
	where := "run = $1"
	if run == 0 {
		where = "run IS NULL AND $1 = 0"
	}
	return collect(s, scan, "SELECT id, game, first, second, moves, outcome, reason, played FROM games WHERE "+where+" ORDER BY id", run)
}
