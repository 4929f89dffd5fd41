// SPDX-License-Identifier: Apache-2.0

// Package record defines the record of a played game, and reads and writes files of records.
//
// # Basics
//
//	h, games, err := record.Read(data, name, krow.Game)
//	w, games, err := record.Open(path, match, krow.Game) // begins a file, or continues an unfinished one
//	err = w.Write(game)
//	err = w.Commit()
//
// # Format
//
// A file consists of JSON objects, one per line: a [Header], then the [Game]s in the order of Index.
// docs/reference/formats/games.md has an example. A file contains no dates, so two runs of the same match produce the same
// bytes, except for the times of moves. Unknown fields are ignored. The version changes when older programs would misread the
// new format. A program refuses files of a version newer than its own.
//
// # Caveats
//
// A [Writer] of FILE writes whole lines to FILE.part, and [Writer.Commit] renames it to FILE, so FILE is always complete. After
// an interruption, even by SIGKILL, FILE.part contains all finished games. [Open] for the same match continues FILE.part, and
// removes an incomplete last line. Only one process at a time can have FILE.part open.
package record

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/krow-lab/krow/game"
)

// Format and Version are the values in the Header of each file.
const (
	Format  = "games"
	Version = 1
)

// Header is the first line of a file.
type Header struct {
	Krow    string `json:"krow"`
	Version int    `json:"version"`
	// Match is any text that describes the match. Open continues a file only if its Match is the same.
	Match string `json:"match,omitempty"`
}

// Game is the record of a played game.
type Game struct {
	Rules game.Game
	Names [2]string // specs or names of the players, the first to move first
	// A is the side of player a in this game. Player a is the first player of the match; the players exchange their sides between
	// games.
	A       game.Side
	Index   int          // number of the game in the match, from 0
	Seed    uint64       // seed of the match
	Opening int          // number of moves at the beginning that the players did not choose
	Moves   []game.Move  // all moves, including the opening
	Outcome game.Outcome // Ongoing means that the game has no result
	Reason  string       // see ReasonWin; a forfeit may also have "illegal move ..." or "error: ..."; empty if there is no result
	// Detail explains the forfeit of a program. It contains the program's error and the last lines that it exchanged with krow.
	Detail string
	Clock  string // time control of each side in the form of clock.Control.String; empty without clocks
	// Scale is the factor by which the machine that played the game multiplied all time limits, so that a slow machine had more
	// time. It is 0 if the limits were not changed.
	Scale float64
	Times []time.Duration // times of the moves after the opening; there may be fewer times than moves
}

// Values of Game.Reason. The first three mean that the rules ended the game. After ReasonForbidden comes the name of the
// foul. After ReasonAdjudicated comes the reason why the game was stopped although its rules had not yet ended it. The other
// values are forfeits.
const (
	ReasonWin         = "win"
	ReasonDraw        = "draw"
	ReasonForbidden   = "forbidden: "
	ReasonAdjudicated = "adjudication: "
	ReasonTime        = "time"
	ReasonForfeit     = "forfeit" // the reason is unknown, because the game comes from a format that does not store it
)

// New returns a record of the game whose moves are the history of p. It has no result if the rules have not ended the game.
func New(p game.Position, names [2]string) Game {
	return Game{Rules: p.Game(), Names: names, Moves: p.AppendHistory(nil), Outcome: p.Outcome(), Reason: Ending(p)}
}

// Ending returns the Reason of a game that the rules ended in the position p, or "" if the game is in progress.
func Ending(p game.Position) string {
	switch p.Outcome() {
	case game.Ongoing:
		return ""
	case game.Draw:
		return ReasonDraw
	}
	if why := game.Foul(p); why != "" {
		return ReasonForbidden + why
	}
	return ReasonWin
}

// Adjudicated reports whether the game was stopped, and its result was set, before its rules ended it. A forfeit is not an
// adjudication.
func (g Game) Adjudicated() bool { return strings.HasPrefix(g.Reason, ReasonAdjudicated) }

// Forfeited reports whether the game ended by a forfeit, and not by its rules or by adjudication.
func (g Game) Forfeited() bool {
	return g.Reason != "" && g.Reason != ReasonWin && g.Reason != ReasonDraw && !strings.HasPrefix(g.Reason, ReasonForbidden) && !g.Adjudicated()
}

// Replay plays the moves from the start and returns the final position. It returns an error if a move is illegal or a field
// contradicts the moves.
func (g Game) Replay() (game.Position, error) {
	p := g.Rules.Start()
	for _, m := range g.Moves {
		if err := game.Play(p, m); err != nil {
			return nil, err
		}
	}
	return p, g.checkPosition(p)
}

// ParseOutcome returns the outcome of a finished game from s, which must be a text that game.Outcome.String returns.
func ParseOutcome(s string) (game.Outcome, error) {
	for _, o := range []game.Outcome{game.FirstWins, game.SecondWins, game.Draw} {
		if s == o.String() {
			return o, nil
		}
	}
	return 0, fmt.Errorf("outcome must be first wins, second wins or draw, not %q", s)
}

// checkPosition returns an error if the fields of g contradict p, the position after its moves.
func (g Game) checkPosition(p game.Position) error {
	switch {
	case g.Outcome == game.Ongoing:
		return errors.New("the game has no result")
	case g.Opening < 0 || g.Opening > len(g.Moves):
		return fmt.Errorf("the opening has %d plies, but the game has only %d", g.Opening, len(g.Moves))
	case len(g.Times) > len(g.Moves)-g.Opening:
		return fmt.Errorf("the game has %d times, but %d moves", len(g.Times), len(g.Moves)-g.Opening)
	case g.Reason == "":
		return errors.New("the reason is missing")
	}
	return g.checkEnd(p.Outcome())
}

// checkEnd returns an error if g.Outcome or g.Reason contradicts rules, the outcome that the rules give to the final
// position.
func (g Game) checkEnd(rules game.Outcome) error {
	early := g.Forfeited() || g.Adjudicated()
	switch {
	case !early && rules != g.Outcome:
		return fmt.Errorf("outcome is %q, but by the moves it is %q", g.Outcome, rules)
	case early && rules != game.Ongoing:
		return fmt.Errorf("reason is %q, but the moves end the game: %s", g.Reason, rules)
	case g.Forfeited() && g.Outcome == game.Draw:
		return fmt.Errorf("reason is %q, which does not make a draw", g.Reason)
	}
	return nil
}
