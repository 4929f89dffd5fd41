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
// A file is JSON, one object a line: a [Header], then the [Game]s by Index. docs/reference/formats/games.md has an example. It
// contains no dates, so that the same match writes the same bytes, except for the times of moves. Unknown fields are ignored. A
// change of the format that older programs would misread gets a new version, and programs refuse versions that are newer than
// theirs.
//
// # Caveats
//
// A [Writer] for FILE writes to FILE.part, a whole line at a time, and [Writer.Commit] renames it to FILE, so FILE is always
// complete. After an interruption, even by SIGKILL, FILE.part holds the games that had ended. [Open] for the same match
// continues it, without an incomplete last line. Only one process at a time can have FILE.part open.
package record

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/krow-lab/krow/game"
)

// Format and Version are the values in the header of a file.
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
	Rules   game.Game
	Names   [2]string       // of the player who moved first and of the other: specs or names
	A       game.Side       // the side of the match's first player, who keeps the letter a when the sides change
	Index   int             // in the match, from 0
	Seed    uint64          // of the match
	Opening int             // number of moves at the beginning that the players did not choose
	Moves   []game.Move     // all moves, including the opening
	Outcome game.Outcome    // Ongoing: the game has no result
	Reason  string          // see ReasonWin; for a forfeit also "illegal move ..." or "error: ..."; empty if there is no result
	Detail  string          // for a forfeit by a program: its error with the last lines it exchanged with krow
	Clock   string          // time control of each side in the form of clock.Control.String; empty without clocks
	Scale   float64         // factor by which the machine that played the game multiplied all times; 0 if it did not
	Times   []time.Duration // of the moves after the opening; may be shorter than the number of moves
}

// Values of Game.Reason. With the first three the game was ended by its rules; after ReasonForbidden the name of the foul
// follows. The others are forfeits.
const (
	ReasonWin       = "win"
	ReasonDraw      = "draw"
	ReasonForbidden = "forbidden: "
	ReasonTime      = "time"
	ReasonForfeit   = "forfeit" // in a game read from a format without reasons
)

// New returns the record of the game that led to p. It has no result if the rules have not ended the game.
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

// Forfeited reports whether the game ended by a forfeit, and not by its rules.
func (g Game) Forfeited() bool {
	return g.Reason != "" && g.Reason != ReasonWin && g.Reason != ReasonDraw && !strings.HasPrefix(g.Reason, ReasonForbidden)
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

// ParseOutcome returns the outcome of a finished game whose String is s.
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
		return fmt.Errorf("an opening of %d plies in a game of %d", g.Opening, len(g.Moves))
	case len(g.Times) > len(g.Moves)-g.Opening:
		return fmt.Errorf("%d times for %d moves", len(g.Times), len(g.Moves)-g.Opening)
	case g.Reason == "":
		return errors.New("there is no reason")
	}
	return g.checkEnd(p.Outcome())
}

// checkEnd returns an error if g.Outcome and g.Reason contradict rules, the outcome of the final position.
func (g Game) checkEnd(rules game.Outcome) error {
	switch {
	case !g.Forfeited() && rules != g.Outcome:
		return fmt.Errorf("outcome is %q, but by the moves it is %q", g.Outcome, rules)
	case g.Forfeited() && rules != game.Ongoing:
		return fmt.Errorf("reason is %q, but the moves end the game: %s", g.Reason, rules)
	case g.Forfeited() && g.Outcome == game.Draw:
		return fmt.Errorf("reason is %q, which does not make a draw", g.Reason)
	}
	return nil
}
