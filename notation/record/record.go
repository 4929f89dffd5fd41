// SPDX-License-Identifier: Apache-2.0

// Package record keeps games in files.
//
// # Basics
//
//	h, games, err := record.Read(data, name, krow.Game)
//	w, games, err := record.Open(path, match, krow.Game) // begins the file, or goes on where it was cut off
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

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
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

// Game is one game, as a line of a file has it.
type Game struct {
	Index   int     `json:"index"`              // in the match, from 0
	Game    string  `json:"game"`               // spec of its rules
	A       string  `json:"a"`                  // spec or name of a player, who keeps it when the seats change
	B       string  `json:"b"`                  // and of the other
	Seed    uint64  `json:"seed"`               // of the match
	First   string  `json:"first"`              // who moved first: a or b
	Opening int     `json:"opening"`            // how many of the moves were given and not chosen
	Moves   string  `json:"moves"`              // all of them, in the game's notation, a space between two
	Outcome string  `json:"outcome"`            // first wins, second wins or draw
	Result  string  `json:"result"`             // the same for a: win, loss or draw
	Reason  string  `json:"reason"`             // see ReasonWin; of a forfeit also "illegal move ..." or "error: ..."
	Plies   int     `json:"plies"`              // the number of moves
	Clock   string  `json:"clock,omitempty"`    // what each side had for the game, and the increment after a +
	Scale   float64 `json:"scale,omitempty"`    // the times were multiplied by it on the machine that played the game
	TimesUS []int64 `json:"times_us,omitempty"` // microseconds of the moves after the opening, with clocks or if asked for
}

// Values of Reason. Rules ended the game for the first three; ReasonForbidden is a prefix. The others are forfeits.
const (
	ReasonWin       = "win"
	ReasonDraw      = "draw"
	ReasonForbidden = "forbidden: "
	ReasonTime      = "time"
	ReasonForfeit   = "forfeit" // read from a format that does not say why
)

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
	return g.Reason != ReasonWin && g.Reason != ReasonDraw && !strings.HasPrefix(g.Reason, ReasonForbidden)
}

// Side returns the seat of A, or an error when First is neither a nor b.
func (g Game) Side() (game.Side, error) {
	switch g.First {
	case "a":
		return game.First, nil
	case "b":
		return game.Second, nil
	}
	return 0, fmt.Errorf("first must be a or b, not %q", g.First)
}

// Result returns the meaning of an outcome for side a: win, loss or draw.
func Result(o game.Outcome, a game.Side) string {
	switch w, won := o.Winner(); {
	case !won:
		return "draw"
	case w == a:
		return "win"
	}
	return "loss"
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

// Replay plays the moves from the start and returns the final position. Any illegal move or wrong value is an error.
func (g Game) Replay(rules game.Game) (game.Position, error) {
	p := rules.Start()
	if err := notation.Play(p, g.Moves); err != nil {
		return nil, err
	}
	return p, g.check(p)
}

// check compares what the record says with the position to which its moves led.
func (g Game) check(p game.Position) error {
	a, err := g.Side()
	if err != nil {
		return err
	}
	o, err := ParseOutcome(g.Outcome)
	if err != nil {
		return err
	}
	switch {
	case g.Plies != p.Ply():
		return fmt.Errorf("plies is %d, but there are %d moves", g.Plies, p.Ply())
	case g.Opening < 0 || g.Opening > g.Plies:
		return fmt.Errorf("an opening of %d plies in a game of %d", g.Opening, g.Plies)
	case len(g.TimesUS) > g.Plies-g.Opening:
		return fmt.Errorf("%d times for %d moves", len(g.TimesUS), g.Plies-g.Opening)
	case g.Result != Result(o, a):
		return fmt.Errorf("result is %q, but for a %s it is %q", g.Result, o, Result(o, a))
	case g.Reason == "":
		return errors.New("there is no reason")
	}
	return g.checkEnd(p.Outcome(), o)
}

// checkEnd compares the outcome by the rules with the one recorded.
func (g Game) checkEnd(rules, recorded game.Outcome) error {
	if !g.Forfeited() {
		if rules != recorded {
			return fmt.Errorf("outcome is %q, but by the moves it is %q", recorded, rules)
		}
		return nil
	}
	if rules != game.Ongoing {
		return fmt.Errorf("reason is %q, but the moves end the game: %s", g.Reason, rules)
	}
	if recorded == game.Draw {
		return fmt.Errorf("reason is %q, which does not make a draw", g.Reason)
	}
	return nil
}
