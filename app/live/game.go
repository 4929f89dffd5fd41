// SPDX-License-Identifier: Apache-2.0

package live

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/krow-lab/krow/clock"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/store"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/record"
)

// These errors say why a game cannot be changed as asked. It is as it was.
var (
	ErrChanged     = errors.New("the game has changed meanwhile")
	ErrTurn        = errors.New("it is not a person's turn")
	ErrNoTakeback  = errors.New("there is no move to take back")
	ErrClocked     = errors.New("no move is taken back in a game with clocks")
	ErrNoResigning = errors.New("the game is over, or no person plays it")
	ErrInTime      = errors.New("nobody is out of time")
)

// PlayerError says which player cannot be made, or did not move.
type PlayerError struct {
	Player string // its spec
	Err    error
}

func (e *PlayerError) Error() string { return e.Player + ": " + e.Err.Error() }

// Unwrap returns the error without the player.
func (e *PlayerError) Unwrap() error { return e.Err }

const (
	// Human is the spec of a person.
	Human = "human"
	// ReasonResigned is a Reason that is not in package record.
	ReasonResigned = "resigned"
)

// Game is a game as it stood when it was asked for.
type Game struct {
	store.WebGame
	Board    game.Board
	Thinking bool  // a player is looking for its move
	Trouble  error // why a player did not move, or nil

	extra extra
}

// extra is what the store keeps of a game besides its columns.
type extra struct {
	Clock *clocks `json:"clock,omitempty"`
}

type clocks struct {
	Seconds   float64  `json:"seconds"`
	Increment float64  `json:"increment"` // seconds
	Spent     [2]int64 `json:"spent"`     // milliseconds, until the game last changed
}

func (g *Game) write() {
	moves := g.Board.AppendHistory(nil)
	g.Moves, g.Plies = notation.FormatMoves(g.Board.Game(), moves), len(moves)
	g.Outcome, g.Reason = g.Board.Outcome().String(), record.Ending(g.Board)
}

// Ongoing says whether the game goes on. The board does not know of a resignation or a loss on time.
func (g *Game) Ongoing() bool { return g.Outcome == game.Ongoing.String() }

// Player returns the spec of the player of a side.
func (g *Game) Player(side game.Side) string { return [...]string{g.First, g.Second}[side] }

func (g *Game) person() bool { return g.Player(g.Board.Turn()) == Human }

// Running says whether the clock of the side to move runs: from the second move on.
func (g *Game) Running() bool { return g.extra.Clock != nil && g.Ongoing() && g.Plies > 0 }

// reserve is kept back from the budget of a player who moves, for the way of the move to the store.
const reserve = 100 * time.Millisecond

// Clock returns the clock of a side as it stands, or nil where there are none:
//
//	Match + Increment * moves made - spent - (now - Updated, of the side to move)
func (g *Game) Clock(side game.Side, now time.Time) *clock.Clock {
	k := g.extra.Clock
	if k == nil {
		return nil
	}
	seconds := func(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }
	control := clock.Control{Match: seconds(k.Seconds), Increment: seconds(k.Increment), Reserve: reserve}
	left := control.Match - time.Duration(k.Spent[side])*time.Millisecond
	p := g.Board.Clone()
	for range g.Board.AppendHistory(nil) {
		if p.Undo(); p.Turn() == side {
			left += control.Increment
		}
	}
	if g.Running() && g.Board.Turn() == side {
		left -= now.Sub(g.Updated)
	}
	c := clock.New(control)
	c.Set(left)
	return c
}

// press stops the clock of the side that has thought about the board, before its move is played. It says whether the
// side had time left; if not, the game is over.
func (g *Game) press(now time.Time) (inTime bool) {
	if !g.Running() {
		return true
	}
	side := g.Board.Turn()
	left := g.Clock(side, now).Left()
	g.extra.Clock.Spent[side] += now.Sub(g.Updated).Milliseconds()
	if left > 0 {
		return true
	}
	g.Outcome, g.Reason = game.WinFor(side.Other()).String(), record.ReasonTime
	return false
}

// play plays the move of a person or a player, or ends the game where it is too late.
func (g *Game) play(m game.Move, now time.Time) error {
	if !g.Ongoing() {
		return game.ErrOver
	}
	if !g.press(now) {
		return nil
	}
	if err := game.Play(g.Board, m); err != nil {
		return err
	}
	g.write()
	return nil
}

// takeBack returns to the last turn of a person before this one, also after the end.
func (g *Game) takeBack() error {
	if len(g.Board.AppendHistory(nil)) == 0 {
		return ErrNoTakeback
	}
	if g.extra.Clock != nil {
		return ErrClocked
	}
	for undone := false; len(g.Board.AppendHistory(nil)) > 0 && !(undone && g.person()); undone = true {
		g.Board.Undo()
	}
	g.write()
	return nil
}

// resign ends the game for the person who is to move, or for the other one where a player is to move.
func (g *Game) resign() error {
	loser := g.Board.Turn()
	if !g.person() {
		loser = loser.Other()
	}
	if !g.Ongoing() || g.Player(loser) != Human {
		return ErrNoResigning
	}
	g.Outcome, g.Reason = game.WinFor(loser.Other()).String(), ReasonResigned
	return nil
}

func (g *Game) flag(now time.Time) error {
	if !g.Ongoing() || g.press(now) {
		return ErrInTime
	}
	return nil
}

func (gs *Games) load(id string) (g Game, err error) {
	if g.WebGame, err = gs.o.Store.WebGame(id); err != nil {
		return g, err
	}
	g.Board, err = gs.o.Position(g.WebGame.Game, g.Start, g.Moves)
	if err == nil && len(g.Extra) > 0 {
		err = json.Unmarshal(g.Extra, &g.extra)
	}
	return g, err
}

// save stores a game that had as many plies when it was loaded.
func (gs *Games) save(g Game, plies int) error {
	g.Extra, _ = json.Marshal(g.extra) // numbers only
	return gs.o.Store.SaveWebGame(g.WebGame, plies)
}
