// SPDX-License-Identifier: Apache-2.0

package live

import (
	"encoding/json"
	"errors"
	"fmt"
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

// MoveError says why a person's move cannot be played.
type MoveError struct{ Err error }

func (e *MoveError) Error() string { return e.Err.Error() }

// Unwrap returns the error of the move.
func (e *MoveError) Unwrap() error { return e.Err }

// Human is the spec of a person.
const Human = "human"

// ReasonResigned is a Reason that is not in package record.
const ReasonResigned = "resigned"

// Game is a game as it stood when it was asked for.
type Game struct {
	store.WebGame
	Board    game.Board
	Thinking bool  // a player is looking for its move
	Trouble  error // why a player did not move, or nil

	control clock.Control
	spent   [2]time.Duration // by each side until the game last changed
}

// extra is what the store keeps of a game besides its columns.
type extra struct {
	Clock *keptClock `json:"clock,omitempty"`
}

// keptClock is a clock in the store: what each side has in seconds, and what it has used in milliseconds.
type keptClock struct {
	Seconds   float64  `json:"seconds"`
	Increment float64  `json:"increment"`
	Spent     [2]int64 `json:"spent"`
}

// readClocks takes the clocks from what the store keeps.
func (g *Game) readClocks() error {
	if len(g.Extra) == 0 {
		return nil
	}
	var e extra
	if err := json.Unmarshal(g.Extra, &e); err != nil || e.Clock == nil {
		return err
	}
	seconds := func(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }
	g.control = clock.Control{Match: seconds(e.Clock.Seconds), Increment: seconds(e.Clock.Increment), Reserve: reserve}
	for side, ms := range e.Clock.Spent {
		g.spent[side] = time.Duration(ms) * time.Millisecond
	}
	return nil
}

// write makes the columns of the store say what the board and the clocks do.
func (g *Game) write() {
	moves := g.Board.AppendHistory(nil)
	g.Moves, g.Plies = notation.FormatMoves(g.Board.Game(), moves), len(moves)
	g.Outcome, g.Reason = g.Board.Outcome().String(), record.Ending(g.Board)
	g.writeClocks()
}

func (g *Game) writeClocks() {
	e := extra{}
	if g.Clocked() {
		e.Clock = &keptClock{Seconds: g.control.Match.Seconds(), Increment: g.control.Increment.Seconds()}
		for side, spent := range g.spent {
			e.Clock.Spent[side] = spent.Milliseconds()
		}
	}
	g.Extra, _ = json.Marshal(e) // numbers only
}

// Ongoing says whether the game goes on. The board does not know of a resignation or a loss on time.
func (g *Game) Ongoing() bool { return g.Outcome == game.Ongoing.String() }

// Player returns the spec of the player of a side.
func (g *Game) Player(side game.Side) string {
	if side == game.First {
		return g.First
	}
	return g.Second
}

// person says whether a person is to move.
func (g *Game) person() bool { return g.Player(g.Board.Turn()) == Human }

// Clocked says whether the sides have clocks.
func (g *Game) Clocked() bool { return g.control.Match > 0 }

// Control returns what each side has for the game.
func (g *Game) Control() clock.Control { return g.control }

// Running says whether the clock of the side to move runs: from the second move on.
func (g *Game) Running() bool { return g.Clocked() && g.Ongoing() && g.Plies > 0 }

// reserve is kept back from the budget of a player who moves, for the way of the move to the store.
const reserve = 100 * time.Millisecond

// Clock returns the clock of a side as it stands:
//
//	Match + Increment * moves made - spent - (now - Updated, of the side to move)
func (g *Game) Clock(side game.Side, now time.Time) *clock.Clock {
	c := clock.New(g.control)
	left := g.control.Match - g.spent[side]
	p := g.Board.Clone()
	for range g.Board.AppendHistory(nil) {
		if p.Undo(); p.Turn() == side {
			left += g.control.Increment
		}
	}
	if g.Running() && g.Board.Turn() == side {
		left -= now.Sub(g.Updated)
	}
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
	g.spent[side] += now.Sub(g.Updated)
	g.writeClocks()
	if left > 0 {
		return true
	}
	g.Outcome, g.Reason = game.WinFor(side.Other()).String(), record.ReasonTime
	return false
}

// move plays a person's move, or ends the game where it is too late.
func (g *Game) move(word string, now time.Time) error {
	switch moves, err := notation.ParseMoves(g.Board.Game(), word); {
	case !g.person():
		return ErrTurn
	case !g.Ongoing():
		return &MoveError{game.ErrOver}
	case err == nil && len(moves) != 1:
		return &MoveError{fmt.Errorf("move %q: one move at a time", word)}
	case !g.press(now):
		return nil
	}
	if err := notation.Play(g.Board, word); err != nil {
		return &MoveError{err}
	}
	g.write()
	return nil
}

// takeBack returns to the last turn of a person before this one, also after the end.
func (g *Game) takeBack() error {
	if len(g.Board.AppendHistory(nil)) == 0 {
		return ErrNoTakeback
	}
	if g.Clocked() {
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

// flag ends a game whose side to move is out of time.
func (g *Game) flag(now time.Time) error {
	if !g.Ongoing() || g.press(now) {
		return ErrInTime
	}
	return nil
}

// answer plays the move that a player found, or ends the game where it is too late.
func (g *Game) answer(m game.Move, now time.Time) error {
	if !g.press(now) {
		return nil
	}
	if err := game.Play(g.Board, m); err != nil {
		return err
	}
	g.write()
	return nil
}
