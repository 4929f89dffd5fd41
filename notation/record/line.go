// SPDX-License-Identifier: Apache-2.0

package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
)

// line holds the JSON fields of a game in a line of a file.
type line struct {
	Index   int     `json:"index"`
	Game    string  `json:"game"` // the spec of the game
	A       string  `json:"a"`
	B       string  `json:"b"`
	Seed    uint64  `json:"seed"`
	First   string  `json:"first"` // the player who moved first: a or b
	Opening int     `json:"opening"`
	Moves   string  `json:"moves"`   // in the game's notation, separated by spaces
	Outcome string  `json:"outcome"` // "first wins", "second wins" or "draw"
	Result  string  `json:"result"`  // the result of player a: win, loss or draw
	Reason  string  `json:"reason"`
	Detail  string  `json:"detail,omitempty"`
	Plies   int     `json:"plies"` // the number of moves
	Clock   string  `json:"clock,omitempty"`
	Scale   float64 `json:"scale,omitempty"`
	TimesUS []int64 `json:"times_us,omitempty"` // times of the moves in microseconds
}

// MarshalJSON returns the game as JSON, as in a line of a file.
func (g Game) MarshalJSON() ([]byte, error) {
	l := line{
		Index: g.Index, Game: g.Rules.String(), A: g.Names[g.A], B: g.Names[g.A.Other()], Seed: g.Seed, First: "ab"[g.A : g.A+1],
		Opening: g.Opening, Moves: notation.FormatMoves(g.Rules, g.Moves), Outcome: g.Outcome.String(), Result: result(g.Outcome, g.A),
		Reason: g.Reason, Detail: g.Detail, Plies: len(g.Moves), Clock: g.Clock, Scale: g.Scale,
	}
	for _, t := range g.Times {
		l.TimesUS = append(l.TimesUS, t.Microseconds())
	}
	return AppendLine(nil, l)
}

// Parse reads a game from a line of a file, and replays its moves to check them.
func Parse(data []byte, open Opener) (g Game, err error) {
	var l line
	if err := json.Unmarshal(data, &l); err != nil {
		if !bytes.HasSuffix(data, []byte("\n")) {
			return g, ErrTruncated
		}
		return g, err
	}
	if g.Rules, err = open(l.Game); err != nil {
		return g, err
	}
	p := g.Rules.Start()
	if err := notation.Play(p, l.Moves); err != nil {
		return g, err
	}
	g.Moves = p.AppendHistory(nil)
	if g.Outcome, err = ParseOutcome(l.Outcome); err != nil {
		return g, err
	}
	switch l.First {
	case "a":
		g.Names = [2]string{l.A, l.B}
	case "b":
		g.Names, g.A = [2]string{l.B, l.A}, game.Second
	default:
		return g, fmt.Errorf("first must be a or b, not %q", l.First)
	}
	g.Index, g.Seed, g.Opening, g.Reason, g.Detail, g.Clock, g.Scale = l.Index, l.Seed, l.Opening, l.Reason, l.Detail, l.Clock, l.Scale
	for _, us := range l.TimesUS {
		g.Times = append(g.Times, time.Duration(us)*time.Microsecond)
	}
	switch want := result(g.Outcome, g.A); {
	case l.Plies != len(g.Moves):
		return g, fmt.Errorf("plies is %d, but there are %d moves", l.Plies, len(g.Moves))
	case l.Result != want:
		return g, fmt.Errorf("result is %q, but for a %s it is %q", l.Result, g.Outcome, want)
	}
	return g, g.checkPosition(p)
}

// result returns what an outcome means for the player on side a: win, loss or draw.
func result(o game.Outcome, a game.Side) string {
	switch w, won := o.Winner(); {
	case !won:
		return "draw"
	case w == a:
		return "win"
	}
	return "loss"
}

// AppendLine appends v, a Header or a Game, as a line of a file.
func AppendLine(dst []byte, v any) ([]byte, error) {
	b := bytes.NewBuffer(dst)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}
