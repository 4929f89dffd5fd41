// SPDX-License-Identifier: Apache-2.0

// Package live manages the games in progress on a server: it plays the moves of people and computer players, runs the clocks, and
// handles takebacks, draw offers and resignations. In this package a player is a computer player unless the text says otherwise.
//
// # Basics
//
//	games := live.New(ctx, live.Options{Store: db, Player: krow.Player, Position: position})
//	defer games.Close()
//	g, err := games.Begin(live.Start{GameTerms: terms, First: request.Human, Second: "best"})
//	g, err = games.Move(live.Actor{}, g.ID, g.Plies, m)
//	changed, end := games.Watch(g.ID) // after each change
//
// In a game between people each side has a [Seat], and only the holder of the seat moves for the side, resigns or offers a draw:
//
//	g, err := games.Begin(live.Start{GameTerms: terms, First: request.Human, Second: request.Human, Seats: [2]live.Seat{ann, bob}})
//	g, err = games.Move(live.Actor{Seat: ann}, g.ID, g.Plies, m)
//	g, err = games.Act(live.Actor{Seat: bob}, g.ID, g.Plies, live.DoDraw) // a draw when ann does the same
//
// A change is stored before anybody sees it. Each request for a change contains the number of moves that its sender has seen, and
// is refused if the game has a different number of moves.
//
// # Caveats
//
// Computer players move when it is their turn, without a request. A game without people continues only while somebody watches it.
// When the process ends, a search in progress is lost; after a restart, Watch starts the player again.
//
// While no process serves the games, their clocks stop, to within a quarter of a second: see Resume. The server ends a game between
// people when a side is out of time. The transaction that ends a rated game also stores the new ratings of both sides.
package live

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/server/store"
)

// Options contains the settings of Games, and the functions that Games calls.
type Options struct {
	Store *store.Store
	// Player makes the player of a spec.
	Player func(g game.Game, spec string, seed uint64) (player.Player, error)
	// Position returns the position of a game after moves from a start position. An empty start is the game's own
	// start.
	Position func(game, start, moves string) (game.Board, error)
	// Longest replaces the constant Longest as the time limit of a move, unless it is 0.
	Longest time.Duration
	// Moved is called after each move, with the time that a computer player thought about it.
	Moved func(thought time.Duration)
	// Failed is called when a player did not move.
	Failed func(id string, err error)
	// Changed is called after each change of a game between people, or is nil.
	Changed func(g Game)
}

// Games manages the games in progress of a store.
type Games struct {
	o     Options
	life  context.Context
	stop  context.CancelFunc
	room  chan struct{} // contains a value for each player that is thinking
	own   sync.Map      // maps a person to a chan struct{} with a value for each player that is thinking in that person's games
	tasks sync.WaitGroup
	cache cache

	mu  sync.Mutex
	now map[string]*activity // games in use
	// troubles maps each game to the reason why its player to move did not move. It has at most maxTroubles entries.
	troubles map[string]error
	// due maps each game to the time when it must be checked: if the side to move has not moved by then, it is out of time, or
	// has waited too long to begin the game.
	due    map[string]time.Time
	chairs map[chair]presence // the people who are present at games in progress
	// A standstill is a time in which this process did not run, for example because the machine was suspended. expected is the
	// time when the process started, or continued after a standstill. Nobody counts as away before this time.
	expected time.Time
	beating  bool      // whether keepTime is running
	stills   int       // number of times that clocks were corrected after a standstill
	served   time.Time // when catchUp last looked for a standstill; keepTime and every change of a game call it

	still sync.Mutex // held while clocks are corrected after a standstill; always locked before mu
}

const (
	// maxThinking is the maximum number of players that think at once. The limit leaves each of them enough processor time for
	// its move.
	maxThinking = 16
	// Longest is the time limit of a player's move, including the wait until the player may think. Options.Longest can replace it.
	Longest     = 10 * time.Second
	maxTroubles = 100
)

// New returns the games of a store. Players think until ctx is done.
func New(ctx context.Context, o Options) *Games {
	g := &Games{
		o: o, room: make(chan struct{}, maxThinking), now: map[string]*activity{}, troubles: map[string]error{}, due: map[string]time.Time{},
		chairs: map[chair]presence{}, expected: time.Now(),
	}
	g.life, g.stop = context.WithCancel(ctx)
	return g
}

// Stop ends every search. No player begins to think afterwards.
func (gs *Games) Stop() {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	gs.stop()
}

// Close ends every search and waits for its end.
func (gs *Games) Close() {
	gs.Stop()
	gs.tasks.Wait()
	gs.cache.close()
}

// Start describes a game to begin.
type Start struct {
	request.GameTerms
	Moves         string // the moves already played
	First, Second string // specs of the players

	// Seats of people. If both seats are empty, everybody with the link can move for a side that no computer player plays, and
	// Rated, Rule, Delay, Challenge and Tournament are ignored. A rated game requires two members as seats. In a game with an
	// opening Rule, the first seat is the person who begins the opening.
	Seats [2]Seat
	ID    string // if it is empty, a random ID is chosen
	// Challenge is the ID of the challenge from which the game is started, or empty.
	Challenge string
	// The tournament to which the game belongs, or 0.
	Tournament   int64
	Round, Place int
	Owner        int64  // number of the member who owns a game without seats, or 0
	Guest        string // secret name, from a cookie, of the guest who owns a game without seats, or empty
}

// ErrRated is returned for a rated game in which not both sides are members.
var ErrRated = fault.New("bad-terms", "a rated game is one of two members")

// Begin begins a game. If a player cannot be made, the error is a *PlayerError.
func (gs *Games) Begin(s Start) (Game, error) {
	b, err := gs.o.Position(s.Game, s.GameTerms.Start, s.Moves)
	if err != nil {
		return Game{}, err
	}
	g := Game{Board: b, Game: store.Game{
		ID: cmp.Or(s.ID, newID()), Game: b.Game().String(), Start: s.GameTerms.Start, First: s.First, Second: s.Second, Owner: s.Owner, Guest: s.Guest,
	}}
	for _, spec := range []string{s.First, s.Second} {
		p, err := gs.o.Player(b.Game(), spec, 1)
		if err != nil {
			return g, &PlayerError{spec, err}
		}
		player.Close(p)
	}
	if s.Clock != (request.Clock{}) {
		g.meta.Clock = &clocks{Clock: s.Clock}
	}
	g.write()
	if s.Seats[0].Taken() || s.Seats[1].Taken() {
		return gs.beginSeated(g, s)
	}
	g.Extra, _ = json.Marshal(g.meta) // Marshal cannot fail, because meta contains only numbers
	if err := gs.o.Store.AddGame(g.Game, ""); err != nil {
		return g, err
	}
	gs.wake(g.ID)
	return gs.publishChange(g.ID)
}

// beginSeated begins a game in which people have seats.
func (gs *Games) beginSeated(g Game, s Start) (Game, error) {
	first, second := s.Seats[0], s.Seats[1]
	if s.Rated && (first.Member == 0 || second.Member == 0 || first.Same(second)) {
		return g, ErrRated
	}
	g.meta.Agreement = &agreement{Delay: s.Delay, Rule: s.Rule}
	if s.Rule != "" {
		o, err := gs.session(&g)
		if err != nil {
			return g, err
		}
		g.Board = o.Board() // an opening rule may place the first stone
		g.write()
	}
	g.Extra, _ = json.Marshal(g.meta) // Marshal cannot fail, because meta contains only numbers and texts
	g.Pool, g.Rated, g.Seats, g.Tournament, g.Round, g.Place = Pool(g.Game.Game, s.Clock.Speed()), s.Rated, s.Seats, s.Tournament, s.Round, s.Place
	if err := gs.o.Store.AddGame(g.Game, s.Challenge); err != nil {
		return g, err
	}
	gs.wake(g.ID)
	return gs.publishChange(g.ID)
}

// Game returns the current state of a game, or store.ErrNoGame.
func (gs *Games) Game(id string) (Game, error) {
	g, err := gs.loadGame(id)
	if err != nil {
		return g, fmt.Errorf("game %s: %w", id, err)
	}
	gs.addActivity(&g)
	return g, nil
}

// addActivity sets the fields Thinking and Trouble of a game.
func (gs *Games) addActivity(g *Game) {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	a := gs.now[g.ID]
	g.Thinking, g.Trouble = a != nil && a.thinking && g.Ongoing() && !g.person(), gs.troubles[g.ID]
}

// Move plays a person's move in a game. plies must be the number of moves that the game has. A move that comes too late ends the
// game.
func (gs *Games) Move(by Actor, id string, plies int, m game.Move) (Game, error) {
	came := time.Now() // taken first, so that later delays of the server do not count as thinking time
	return gs.change(by, id, plies, func(g *Game) error {
		side, err := g.may(by.Seat)
		switch {
		case err != nil:
			return err
		case g.Opening():
			return errOpening
		case !g.person() || side != g.Board.Turn():
			return request.ErrTurn
		}
		return g.applyMove(m, came, by.Lag)
	})
}

// Delete deletes a game. It refuses to delete a game between people that is in progress, or that counts for a rating or a
// tournament.
func (gs *Games) Delete(id string) error {
	g, err := gs.loadGame(id)
	if err != nil {
		return err
	}
	if g.two() && (g.Ongoing() || g.Rated || g.Tournament != 0) {
		return errKept
	}
	if err := gs.o.Store.DeleteGame(id); err != nil {
		return err
	}
	gs.cache.forget(id)
	gs.notifyWatchers(id, true)
	return nil
}

// change calls f to change a game, stores the game, and notifies everybody who watches it. plies must be the number of moves that
// the game has.
func (gs *Games) change(by Actor, id string, plies int, f func(*Game) error) (Game, error) {
	g, err := gs.updateGame(id, plies, f)
	if err != nil {
		if _, seat := g.may(by.Seat); seat != nil && g.Delay() > 0 {
			// A spectator gets the error that they have no seat. The error err could reveal a move that spectators may not see
			// yet.
			err = seat
		}
		return g, err
	}
	if g.Plies > plies {
		gs.o.Moved(0)
	}
	if !g.Ongoing() {
		gs.cache.forget(id)
	}
	if _, seated := g.Side(by.Seat); seated {
		// This records that the person is present. Usually the open page of the game does, but a person who plays through the API
		// may have none.
		gs.count(id, by.Seat, 0)
	}
	gs.notifyWatchers(id, g.Plies != plies || !g.Ongoing())
	if g.First != request.Human || g.Second != request.Human {
		gs.wake(id)
	}
	return gs.publishChange(id)
}

// maxTries is the number of tries to store a change. A try fails only if another change of the same game is stored meanwhile.
const maxTries = 50

// updateGame calls f to change a game, and stores the game. plies must be the number of moves that the game has. If another
// change of the game is stored meanwhile, for example a phrase that a player says, updateGame calls f again with the new state
// of the game, provided that the moves are the same.
func (gs *Games) updateGame(id string, plies int, f func(*Game) error) (g Game, err error) {
	gs.catchUp()
	return gs.updateNow(id, plies, f)
}

func (gs *Games) updateNow(id string, plies int, f func(*Game) error) (g Game, err error) {
	moves := ""
	for try := range maxTries {
		if g, err = gs.loadGame(id); err != nil {
			return g, err
		}
		if g.Plies != plies {
			return g, fault.Errorf("%w: it has %d moves, not %d", request.ErrChanged, g.Plies, plies)
		}
		if try > 0 && g.Moves != moves {
			return g, request.ErrChanged
		}
		moves = g.Moves
		if g.Running() {
			g.meta.Clock.Since = g.since().UnixMilli() // keeps the clock running unless f changes this
		}
		if err := f(&g); err != nil {
			return g, err
		}
		if g.Running() && g.meta.Clock.Since == 0 {
			g.meta.Clock.Since = time.Now().UnixMilli()
		}
		if err = gs.saveGame(g, plies); !errors.Is(err, store.ErrConflict) {
			return g, err
		}
	}
	return g, err
}
