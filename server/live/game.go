// SPDX-License-Identifier: Apache-2.0

package live

import (
	"encoding/json"
	"time"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/clock"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/server/store"
)

// PlayerError is the error for a computer player that cannot be created or did not move.
type PlayerError struct {
	Player string // spec of the computer player
	Err    error
}

func (e *PlayerError) Error() string { return e.Player + ": " + e.Err.Error() }

// Unwrap returns the error without the player.
func (e *PlayerError) Unwrap() error { return e.Err }

// Game is a snapshot of a game.
type Game struct {
	store.Game
	Board    game.Board
	Thinking bool  // whether a computer player is choosing its move
	Trouble  error // why a computer player did not move, or nil

	meta meta
}

// meta contains the data of a game that have no column in the store.
type meta struct {
	Clock     *clocks    `json:"clock,omitempty"`
	Agreement *agreement `json:"table,omitempty"` // only in a game between people
}

type clocks struct {
	request.Clock
	Spent [2]int64 `json:"spent"` // milliseconds that each side had used when the game last changed
	// Since is the time when the clock of the side to move was started, in milliseconds since 1970; 0 stands for the time when the
	// game last changed.
	Since int64 `json:"since,omitempty"`
	// Lag is the time in milliseconds that was given back to each side for the transfer of its moves.
	Lag [2]int64 `json:"lag,omitzero"`
}

// write copies the state of the board to the fields that are columns of the store.
func (g *Game) write() {
	moves := g.Board.AppendHistory(nil)
	g.Moves, g.Plies = notation.FormatMoves(g.Board.Game(), moves), len(moves)
	g.Outcome, g.Reason = g.Board.Outcome().String(), record.Ending(g.Board)
}

// Ongoing reports whether the game is in progress. It also considers resignations and time losses, which the board does not
// contain.
func (g *Game) Ongoing() bool { return g.Outcome == game.Ongoing.String() }

// players returns the specs of both sides.
func (g *Game) players() [2]string { return [2]string{g.First, g.Second} }

func (g *Game) person() bool { return g.players()[g.Board.Turn()] == request.Human }

// Running reports whether the clock of the side to move runs: from the second move on, and in a tournament from the first. No
// clock runs during an opening by a rule such as swap2.
func (g *Game) Running() bool {
	return g.meta.Clock != nil && g.Ongoing() && (g.Plies > 0 || g.Tournament != 0) && !g.Opening()
}

// since returns the time when the clock of the side to move was started.
func (g *Game) since() time.Time {
	if ms := g.meta.Clock.Since; ms != 0 {
		return time.UnixMilli(ms)
	}
	return g.Updated
}

// thought returns the time that the side to move has used for the current move. It is 0 if the machine's clock was set back
// meanwhile.
func (g *Game) thought(now time.Time) time.Duration { return max(now.Sub(g.since()), 0) }

// reserve is the part of a player's remaining time that its search may not use, because storing the move takes time too.
const reserve = 100 * time.Millisecond

// Clock returns the current clock of a side, or nil if the game has no clocks:
//
//	Match + Increment * moves made - spent - (now - since, of the side to move)
//
// If each move has its own time, the clock shows the remaining time for this move.
func (g *Game) Clock(side game.Side, now time.Time) *clock.Clock {
	k := g.meta.Clock
	if k == nil {
		return nil
	}
	seconds := func(n int) time.Duration { return time.Duration(n) * time.Second }
	control := clock.Control{Match: seconds(k.Seconds), Increment: seconds(k.Increment), Turn: seconds(k.Turn), Reserve: reserve}
	left := control.Turn
	if k.Turn == 0 {
		left = control.Match - time.Duration(k.Spent[side])*time.Millisecond + time.Duration(g.made(side))*control.Increment
	}
	if g.Running() && g.Board.Turn() == side {
		left -= g.thought(now)
	}
	c := clock.New(control)
	c.Set(left)
	return c
}

// press stops the clock of the side to move, before its move is played. If the side had no time left, press ends the game and
// returns false. lag is the time that the move took through the network. press gives this time back to the side, up to the
// side's limit.
func (g *Game) press(now time.Time, lag time.Duration) (inTime bool) {
	if !g.Running() {
		return true
	}
	side, took := g.Board.Turn(), g.thought(now)
	lag = min(max(lag, 0), g.lag(side), took)
	left := g.Clock(side, now).Left() + lag
	g.meta.Clock.Spent[side] += (took - lag).Milliseconds()
	g.meta.Clock.Lag[side] += lag.Milliseconds()
	g.meta.Clock.Since = 0
	if left > 0 {
		return true
	}
	g.Outcome, g.Reason = game.WinFor(side.Other()).String(), record.ReasonTime
	return false
}

// lag returns the maximum time that can be given back for the transfer of a side's next move.
func (g *Game) lag(side game.Side) time.Duration {
	budget := mostLag + time.Duration(g.made(side))*lagOfMove - time.Duration(g.meta.Clock.Lag[side])*time.Millisecond
	return min(max(budget, 0), mostLag)
}

// applyMove plays the move of a person or a computer player. If the move is too late, applyMove does not play it, and ends the
// game.
func (g *Game) applyMove(m game.Move, now time.Time, lag time.Duration) error {
	if !g.Ongoing() {
		return game.ErrOver
	}
	if !g.press(now, lag) {
		return nil
	}
	if err := game.Play(g.Board, m); err != nil {
		return err
	}
	g.write()
	g.moved(now)
	return nil
}

// takeBack returns to the last turn of a person before the current turn. It also works after the end of the game.
func (g *Game) takeBack() error {
	if g.meta.Clock != nil {
		return request.ErrClocked
	}
	if err := request.TakeBack(g.Board, g.players(), 0); err != nil {
		return err
	}
	g.write()
	return nil
}

// resign ends the game as lost for the side to move or, if a computer player is to move, for the other side.
func (g *Game) resign() error {
	loser, err := request.Resigning(g.Board, g.players(), g.Ongoing())
	if err == nil {
		g.Outcome, g.Reason = game.WinFor(loser.Other()).String(), request.ReasonResigned
	}
	return err
}

// flag ends a game if the side to move is out of time. If people have seats at the game, flag waits a little longer, because a
// move that was made in time may still be on its way through the network.
func (g *Game) flag(now time.Time) error {
	if !g.Ongoing() || !g.Running() {
		return request.ErrInTime
	}
	left := g.Clock(g.Board.Turn(), now).Left()
	if g.Held() {
		left += g.lag(g.Board.Turn())
	}
	if left > 0 {
		return request.ErrInTime
	}
	g.press(now, 0)
	return nil
}

func (gs *Games) loadGame(id string) (g Game, err error) {
	if g.Game, err = gs.o.Store.Game(id); err != nil {
		return g, err
	}
	return g, gs.readGame(&g)
}

// readGame sets the Board and the meta of a game that was loaded from the store.
func (gs *Games) readGame(g *Game) (err error) {
	g.Board, err = gs.o.Position(g.Game.Game, g.Start, g.Moves)
	if err == nil && len(g.Extra) > 0 {
		err = json.Unmarshal(g.Extra, &g.meta)
	}
	return err
}

// saveGame stores a game. plies is the number of moves that the game had when it was loaded.
func (gs *Games) saveGame(g Game, plies int) error {
	g.Extra, _ = json.Marshal(g.meta) // Marshal cannot fail, because meta contains only numbers and texts
	if !g.Held() || g.Ongoing() || !g.Ended.IsZero() {
		return gs.o.Store.SaveGame(g.Game, plies, nil)
	}
	// All offers end with the game. Afterwards only messages between the players (Phrases) and a rematch change the game.
	g.Ended, g.meta.Agreement.Offers = time.Now(), [2]Offers{}
	g.Extra, _ = json.Marshal(g.meta)
	var rate store.Rate
	if g.Rated && g.Outcome != aborted {
		rate = rating(g.Outcome, g.Ended)
	}
	return gs.o.Store.SaveGame(g.Game, plies, rate)
}
