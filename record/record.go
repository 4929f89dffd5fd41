// SPDX-License-Identifier: Apache-2.0

// Package record keeps games in files.
//
// # Format
//
// A file is JSON, one object a line: a header, then the games in the order they count.
//
//	{"krow":"games","version":1,"match":"connect4 a=mcts b=random games=2 seed=7"}
//	{"index":0,"game":"connect4","a":"mcts","b":"random","seed":7,"first":"a","opening":2,
//	 "moves":"4 4 3 2 5 1 6","outcome":"first wins","result":"win","reason":"win","plies":7}
//
// (the second is one line in the file). The fields of a game:
//
//	index    its number in the match, from 0
//	game     the spec of its rules
//	a, b     the specs or names of the players; they keep theirs when they exchange seats
//	seed     of the match
//	first    who moved first, a or b
//	opening  how many of the moves were given and not chosen
//	moves    all of them, in the game's notation, separated by spaces
//	outcome  first wins, second wins or draw
//	result   the same for a: win, loss or draw
//	reason   win, draw or "forbidden: ..." when the rules ended the game; otherwise why the loser
//	         forfeited it: time, "illegal move ...", "error: ..."
//	plies    the number of moves
//	clock    what each side had for the game, and the increment after a +; only in games with clocks
//	times_us microseconds per move after the opening; only where they were asked for, or there are clocks
//
// No dates: the same match writes the same bytes, but for the times. Unknown fields are passed over; a change that older
// programs would misread raises the version, and a newer version is refused.
//
// # Files
//
// [Open] writes to FILE.part, a whole line at a time, and [Writer.Commit] renames it to FILE: what bears the
// name is complete. After an interruption, SIGKILL included, FILE.part holds the games that had ended; opened
// again for the same match it is continued, and a last line that was cut off is dropped. Only one process at
// a time may have it open.
package record

import (
	"errors"
	"fmt"
	"strings"

	"github.com/krow-lab/krow/game"
)

// Format and Version are what the header of a file says.
const (
	Format  = "games"
	Version = 1
)

// Header is the first line of a file.
type Header struct {
	Krow    string `json:"krow"`
	Version int    `json:"version"`
	// Match says which work the file comes from, in any words; an interrupted file is continued only
	// under the same ones.
	Match string `json:"match,omitempty"`
}

// Game is one game, as a line of a file has it.
type Game struct {
	Index   int     `json:"index"`
	Game    string  `json:"game"`
	A       string  `json:"a"`
	B       string  `json:"b"`
	Seed    uint64  `json:"seed"`
	First   string  `json:"first"`
	Opening int     `json:"opening"`
	Moves   string  `json:"moves"`
	Outcome string  `json:"outcome"`
	Result  string  `json:"result"`
	Reason  string  `json:"reason"`
	Plies   int     `json:"plies"`
	Clock   string  `json:"clock,omitempty"`
	TimesUS []int64 `json:"times_us,omitempty"`
}

// Values of Reason. The first three belong to games that their rules ended; ReasonForbidden is a prefix: the last
// move was forbidden, and lost. The other two belong to forfeits.
const (
	ReasonWin       = "win"
	ReasonDraw      = "draw"
	ReasonForbidden = "forbidden: "
	ReasonTime      = "time"
	ReasonForfeit   = "forfeit" // read from a format that does not say why
)

// Ending returns the Reason of a game that its rules ended in p, or "" while the game goes on.
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

// Forfeited says whether the game was forfeited, and not ended by its rules.
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

// Result returns what an outcome is for side a: win, loss or draw.
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

// Replay plays the recorded moves from the start of rules and returns the final position. It returns an
// error unless every move is legal and everything that the record says follows from them.
func (g Game) Replay(rules game.Game) (game.Position, error) {
	p := rules.Start()
	for _, word := range strings.Fields(g.Moves) {
		m, err := rules.Parse(word)
		if err != nil {
			return nil, fmt.Errorf("move %d: %w", p.Ply()+1, err)
		}
		if err := game.Play(p, m); err != nil {
			return nil, fmt.Errorf("move %d: %w", p.Ply()+1, err)
		}
	}
	if err := g.check(p); err != nil {
		return nil, err
	}
	return p, nil
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
