// SPDX-License-Identifier: Apache-2.0

// Package live keeps the games that people and players play now: whose turn it is, clocks, moves taken back,
// resignations, and players who think about their moves.
//
// # Basics
//
//	games := live.New(ctx, live.Options{Store: db, Player: catalog.Player, Position: position})
//	defer games.Close()
//	g, err := games.Begin(live.Start{Board: b, First: live.Human, Second: "best"})
//	g, err = games.Move(g.ID, g.Plies, "h8")
//	changed, end := games.Watch(g.ID) // after each change
//
// A change is in the store before anybody is told of it. It is asked for with the number of moves that the game has as
// far as the sender knows, so that no one answers a position that is gone.
//
// # Caveats
//
// Players move by themselves as long as it is their turn. Where no person plays they go on only while somebody
// watches. What players think is lost when the process ends; Watch sets them going again.
package live

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/krow-lab/krow/clock"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/store"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// Options are what games are played with.
type Options struct {
	Store *store.Store
	// Player makes the player of a spec.
	Player func(g game.Game, spec string, seed uint64) (player.Player, error)
	// Position returns the position of a game after moves from a start, which is empty for that of the game.
	Position func(game, start, moves string) (game.Board, error)
	// Moved, unless nil, is called after each move with the time that a player thought about it.
	Moved func(thought time.Duration)
	// Failed, unless nil, is called when a player did not move.
	Failed func(id string, err error)
}

// Games are the games of a store. What is kept here is only of those at which something happens now.
type Games struct {
	o     Options
	life  context.Context
	stop  context.CancelFunc
	room  chan struct{} // a place for each player who thinks
	tasks sync.WaitGroup

	mu  sync.Mutex
	now map[string]*activity
	// failed are the games whose players failed lately, the latest last. Their troubles are kept while nobody watches.
	failed []string
}

// activity is what happens at a game.
type activity struct {
	thinking bool
	again    bool               // somebody asked for moves while a player thought
	trouble  error              // why the last player did not move, or nil
	stop     context.CancelFunc // ends the search of the player who thinks
	watchers map[chan struct{}]bool
}

const (
	// maxThinking is how many players think at once. Each has a limit of time, so that all of them answer in time.
	maxThinking = 16
	// longestMove bounds a move, waiting for room to think included.
	longestMove = 10 * time.Second
	// maxFailed is how many troubles are kept.
	maxFailed = 100
)

// ErrBusy is the trouble of a player for whom there was no room to think.
var ErrBusy = errors.New("too many players are thinking")

// New returns the games of a store, in which players think until ctx is done.
func New(ctx context.Context, o Options) *Games {
	g := &Games{o: o, room: make(chan struct{}, maxThinking), now: map[string]*activity{}}
	g.life, g.stop = context.WithCancel(ctx)
	return g
}

// Stop ends every search. No player begins to think afterwards: that is decided under the lock.
func (gs *Games) Stop() {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	gs.stop()
}

// Close ends every search and waits for its end.
func (gs *Games) Close() {
	gs.Stop()
	gs.tasks.Wait()
}

// Start is how a game begins.
type Start struct {
	Board         game.Board // with the moves that are played already
	Position      string     // that the game started from, or empty; see Options.Position
	First, Second string     // specs of the players
	Clock         clock.Control
}

// Begin begins a game. The error of a player that cannot be made is a *PlayerError.
func (gs *Games) Begin(s Start) (Game, error) {
	g := Game{Board: s.Board, control: s.Clock, WebGame: store.WebGame{
		ID: strings.ToLower(rand.Text()[:16]), Game: s.Board.Game().String(), Start: s.Position, First: s.First, Second: s.Second,
	}}
	for _, spec := range []string{s.First, s.Second} {
		p, err := gs.o.Player(s.Board.Game(), spec, 1)
		if err != nil {
			return g, &PlayerError{spec, err}
		}
		player.Close(p)
	}
	g.write()
	if err := gs.o.Store.AddWebGame(g.WebGame); err != nil {
		return g, err
	}
	gs.wake(g.ID)
	return gs.Game(g.ID)
}

// Game returns a game as it stands, or store.ErrNoGame.
func (gs *Games) Game(id string) (Game, error) {
	g, err := gs.load(id)
	if err != nil {
		return g, err
	}
	gs.mu.Lock()
	defer gs.mu.Unlock()
	if a := gs.now[id]; a != nil {
		g.Thinking, g.Trouble = a.thinking && g.Ongoing() && !g.person(), a.trouble
	}
	return g, nil
}

// load reads a game from the store.
func (gs *Games) load(id string) (g Game, err error) {
	if g.WebGame, err = gs.o.Store.WebGame(id); err != nil {
		return g, err
	}
	if g.Board, err = gs.o.Position(g.WebGame.Game, g.Start, g.Moves); err == nil {
		err = g.readClocks()
	}
	if err != nil {
		err = fmt.Errorf("game %s: %w", id, err)
	}
	return g, err
}

// Move plays a person's move in a game that has as many plies. One that comes too late ends the game.
func (gs *Games) Move(id string, plies int, word string) (Game, error) {
	return gs.change(id, plies, func(g *Game) error {
		err := g.move(word, time.Now())
		if err == nil {
			gs.moved(0)
		}
		return err
	})
}

// TakeBack returns to the last turn of a person before this one, also after the end.
func (gs *Games) TakeBack(id string, plies int) (Game, error) {
	return gs.change(id, plies, (*Game).takeBack)
}

// Resign ends a game for the person who plays it; where two do, for the one who is to move.
func (gs *Games) Resign(id string, plies int) (Game, error) {
	return gs.change(id, plies, (*Game).resign)
}

// Flag ends a game whose side to move is out of time.
func (gs *Games) Flag(id string, plies int) (Game, error) {
	return gs.change(id, plies, func(g *Game) error { return g.flag(time.Now()) })
}

// Delete forgets a game.
func (gs *Games) Delete(id string) error {
	if err := gs.o.Store.DeleteWebGame(id); err != nil {
		return err
	}
	gs.tell(id, true)
	return nil
}

// change lets f change a game that has as many plies, stores it, and tells everyone. A player who thinks about the
// position before stops, and its answer is dropped.
func (gs *Games) change(id string, plies int, f func(*Game) error) (Game, error) {
	g, err := gs.load(id)
	if err != nil {
		return g, err
	}
	if g.Plies != plies {
		return g, fmt.Errorf("%w: it has %d moves, not %d", ErrChanged, g.Plies, plies)
	}
	if err := f(&g); err != nil {
		return g, err
	}
	if err := gs.o.Store.SaveWebGame(g.WebGame, plies); err != nil {
		return g, err
	}
	gs.tell(id, true)
	gs.wake(id)
	return gs.Game(id)
}

func (gs *Games) moved(thought time.Duration) {
	if gs.o.Moved != nil {
		gs.o.Moved(thought)
	}
}

// at returns what happens at a game, which is kept while anybody needs it. The caller holds the lock.
func (gs *Games) at(id string) *activity {
	a := gs.now[id]
	if a == nil {
		a = &activity{stop: func() {}, watchers: map[chan struct{}]bool{}}
		gs.now[id] = a
	}
	return a
}

// clear forgets what nobody needs. The caller holds the lock.
func (gs *Games) clear(id string) {
	if a := gs.now[id]; a != nil && !a.thinking && len(a.watchers) == 0 && (a.trouble == nil || !slices.Contains(gs.failed, id)) {
		delete(gs.now, id)
	}
}

// Watch lets the players of a game move whose turn it is. It returns a channel that has something whenever the game has
// changed, and a function that ends it.
func (gs *Games) Watch(id string) (changed <-chan struct{}, end func()) {
	c := make(chan struct{}, 1)
	gs.mu.Lock()
	gs.at(id).watchers[c] = true
	gs.mu.Unlock()
	gs.wake(id)
	return c, func() {
		gs.mu.Lock()
		defer gs.mu.Unlock()
		delete(gs.at(id).watchers, c)
		gs.clear(id)
	}
}

// tell tells the watchers of a game that it has changed, without waiting for any, and may stop its player.
func (gs *Games) tell(id string, stop bool) {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	a := gs.now[id]
	if a == nil {
		return
	}
	if stop {
		a.stop()
	}
	a.tell()
}

func (a *activity) tell() {
	for w := range a.watchers {
		select {
		case w <- struct{}{}:
		default: // it has not looked yet since the last time
		}
	}
}

// Room waits for room for one more player to think, and returns a function that gives it back.
func (gs *Games) Room(ctx context.Context) (leave func(), err error) {
	select {
	case gs.room <- struct{}{}:
		return func() { <-gs.room }, nil
	case <-ctx.Done():
		return nil, ErrBusy
	}
}

// wake lets the players of a game move.
func (gs *Games) wake(id string) {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	a := gs.at(id)
	if a.thinking || gs.life.Err() != nil {
		a.again = true
		gs.clear(id)
		return
	}
	a.thinking, a.trouble = true, nil
	gs.tasks.Go(func() { gs.moves(id) })
}

// moves plays the moves of players, one after the other, until it is a person's turn.
func (gs *Games) moves(id string) {
	for {
		more, err := gs.once(id)
		gs.mu.Lock()
		a := gs.at(id)
		more, a.again = more || a.again, false
		a.tell()
		if more && err == nil && gs.life.Err() == nil {
			gs.mu.Unlock()
			continue
		}
		a.thinking = false
		if err != nil {
			gs.fail(id, err)
		}
		gs.clear(id)
		gs.mu.Unlock()
		return
	}
}

// fail keeps why a player did not move. The caller holds the lock.
func (gs *Games) fail(id string, err error) {
	gs.at(id).trouble = err
	gs.failed = append(slices.DeleteFunc(gs.failed, func(o string) bool { return o == id }), id)
	if len(gs.failed) > maxFailed {
		oldest := gs.failed[0]
		gs.failed = slices.Delete(gs.failed, 0, 1)
		gs.clear(oldest)
	}
	if gs.o.Failed != nil {
		gs.o.Failed(id, err)
	}
}

// once plays one move and says whether there was one to play.
func (gs *Games) once(id string) (more bool, err error) {
	// A search that is stopped from here on, by a move taken back say, must not be answered: so the means to stop it is
	// set before the game is read.
	ctx, cancel := context.WithTimeout(gs.life, longestMove)
	defer cancel()
	gs.mu.Lock()
	a := gs.at(id)
	a.stop = cancel
	alone := len(a.watchers) == 0
	gs.mu.Unlock()

	g, err := gs.load(id)
	if errors.Is(err, store.ErrNoGame) {
		return false, nil
	}
	if err != nil || !g.Ongoing() || g.person() || alone && g.First != Human && g.Second != Human {
		return false, err
	}
	leave, err := gs.Room(ctx)
	if err != nil {
		return gs.stopped(ctx)
	}
	defer leave()
	m, took, err := gs.choose(ctx, g)
	if gs.life.Err() != nil || errors.Is(ctx.Err(), context.Canceled) {
		return gs.stopped(ctx)
	}
	spec, plies := g.Player(g.Board.Turn()), g.Plies
	if err == nil {
		err = g.answer(m, time.Now())
	}
	if err != nil {
		return false, &PlayerError{spec, err}
	}
	gs.moved(took)
	if err := gs.o.Store.SaveWebGame(g.WebGame, plies); err != nil && !errors.Is(err, store.ErrConflict) {
		return false, err
	}
	return true, nil
}

// stopped says how to go on after a search was stopped: with the game as it is now, unless all of them are.
func (gs *Games) stopped(ctx context.Context) (bool, error) {
	if gs.life.Err() != nil {
		return false, nil
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return false, ErrBusy
	}
	return true, nil
}

// choose returns the move of the player whose turn it is, and the time it took. Its seed follows from the game and the
// ply, and its time from its clock.
func (gs *Games) choose(ctx context.Context, g Game) (m game.Move, took time.Duration, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	side, start := g.Board.Turn(), time.Now()
	if g.Clocked() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, g.Clock(side, start).Budget(game.FreeCells(g.Board)))
		defer cancel()
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %d", g.ID, g.Plies)
	p, err := gs.o.Player(g.Board.Game(), g.Player(side), h.Sum64())
	if err != nil {
		return game.NoMove, 0, err
	}
	defer player.Close(p)
	m, err = p.Move(ctx, g.Board.Clone(), search.Limits{})
	return m, time.Since(start), err
}
