// SPDX-License-Identifier: Apache-2.0

// Package record has the type of a game that was played, and keeps games in files.
//
// # Basics
//
//	h, games, err := record.Read(data, name, krow.Game)
//	w, games, err := record.Open(path, match, krow.Game) // begins the file, or continues a file that was cut off
//	err = w.Write(game)
//	err = w.Commit()
//
// # Format
//
// A file is JSON, one object a line: a [Header], then each [Game] in the order they count. docs/reference/formats/games.md has an
// example. There are no dates: the same match writes the same bytes, except for times. Unknown fields are ignored. A
// change that older programs would misread raises the version, and a newer version is refused.
//
// # Caveats
//
// [Open] writes to FILE.part, a whole line at a time, and [Writer.Commit] renames it to FILE: a file of that name is
// complete. After an interruption, SIGKILL included, FILE.part holds the games that had ended. Opened again for the same
// match it is continued; a last line that was cut off is dropped. Only one process at a time may have it open.
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
	// Match says in any words which work the file is from; only the same match continues it.
	Match string `json:"match,omitempty"`
}

// Game is a game that was played.
type Game struct {
	Rules   game.Game
	Names   [2]string       // of the player who moved first and of the other: specs or names
	A       game.Side       // the side of the match's first player, who keeps the letter a when the sides change
	Index   int             // in the match, from 0
	Seed    uint64          // of the match
	Opening int             // how many of the moves were given and not chosen
	Moves   []game.Move     // all of them
	Outcome game.Outcome    // Ongoing: the game has no result
	Reason  string          // see ReasonWin; of a forfeit also "illegal move ..." or "error: ..."; empty without a result
	Detail  string          // of a forfeit by a program: its error with the last lines of the conversation
	Clock   string          // what each side had for the game, and the increment after a +; empty without clocks
	Scale   float64         // the times were multiplied by it on the machine that played the game; 0: they were not scaled
	Times   []time.Duration // of the moves after the opening, as far as they are known
}

// Values of Reason. Rules ended the game for the first three; ReasonForbidden is a prefix. The others are forfeits.
const (
	ReasonWin       = "win"
	ReasonDraw      = "draw"
	ReasonForbidden = "forbidden: "
	ReasonTime      = "time"
	ReasonForfeit   = "forfeit" // read from a format that does not say why
)

// New returns the game that led to p, ended by the rules or without a result.
func New(p game.Position, names [2]string) Game {
	return Game{Rules: p.Game(), Names: names, Moves: p.AppendHistory(nil), Outcome: p.Outcome(), Reason: Ending(p)}
}

// Ending returns the Reason of a game that its rules ended in p, or "" while the game is in progress.
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

// Forfeited reports whether the game was forfeited, and not ended by its rules.
func (g Game) Forfeited() bool {
	return g.Reason != "" && g.Reason != ReasonWin && g.Reason != ReasonDraw && !strings.HasPrefix(g.Reason, ReasonForbidden)
}

// Replay plays the moves from the start and returns the final position. Any illegal move or wrong value is an error.
func (g Game) Replay() (game.Position, error) {
	p := g.Rules.Start()
	for _, m := range g.Moves {
		if err := game.Play(p, m); err != nil {
			return nil, err
		}
	}
	return p, g.checkPosition(p)
}

// ParseOutcome reads the outcome of a game that is over, as game.Outcome writes it.
func ParseOutcome(s string) (game.Outcome, error) {
	for _, o := range []game.Outcome{game.FirstWins, game.SecondWins, game.Draw} {
		if s == o.String() {
			return o, nil
		}
	}
	return 0, fmt.Errorf("outcome must be first wins, second wins or draw, not %q", s)
}

// checkPosition compares what the record says with the position to which its moves led.
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

// checkEnd compares the outcome with the outcome by the rules.
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
