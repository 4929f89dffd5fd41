// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/store"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// tables are the games at which something happens now: players think, or somebody watches. What they know is lost
// when the server stops; the games are in the store.
type tables struct {
	s     *Server
	slots chan struct{} // one for each player who thinks

	mu    sync.Mutex
	games map[string]*table
	// stuck are the games whose players failed lately, the latest last: their troubles are kept even while nobody watches.
	stuck []string
}

type table struct {
	thinking bool
	again    bool               // somebody asked for moves while somebody thought
	trouble  *Problem           // why the last player did not move, or nil
	stop     context.CancelFunc // of whoever thinks
	watchers map[chan struct{}]bool
}

// maxThinking is how many players think about moves at once. Each has a limit of time, so that all of them
// answer in time, only less well.
const maxThinking = 16

func newTables(s *Server) *tables {
	return &tables{s: s, slots: make(chan struct{}, maxThinking), games: map[string]*table{}}
}

// at returns the table of a game, which is kept while anybody needs it. The caller holds the lock.
func (t *tables) at(id string) *table {
	tb := t.games[id]
	if tb == nil {
		tb = &table{stop: func() {}, watchers: map[chan struct{}]bool{}}
		t.games[id] = tb
	}
	return tb
}

// clear forgets a table that nobody needs. The caller holds the lock.
func (t *tables) clear(id string) {
	if tb := t.games[id]; tb != nil && !tb.thinking && len(tb.watchers) == 0 && (tb.trouble == nil || !slices.Contains(t.stuck, id)) {
		delete(t.games, id)
	}
}

// maxStuck is how many troubles are kept for whoever may ask.
const maxStuck = 100

// fail keeps why a player did not move. The caller holds the lock.
func (t *tables) fail(id string, err error) {
	t.at(id).trouble = problemOf(err)
	t.stuck = append(slices.DeleteFunc(t.stuck, func(o string) bool { return o == id }), id)
	if len(t.stuck) > maxStuck {
		oldest := t.stuck[0]
		t.stuck = slices.Delete(t.stuck, 0, 1)
		t.clear(oldest)
	}
}

func (t *tables) state(id string) (thinking bool, trouble *Problem) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if tb := t.games[id]; tb != nil {
		return tb.thinking, tb.trouble
	}
	return false, nil
}

// watch returns a channel that has something whenever the game has changed, and a function that ends it.
func (t *tables) watch(id string) (changed chan struct{}, end func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	changed = make(chan struct{}, 1)
	t.at(id).watchers[changed] = true
	return changed, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.at(id).watchers, changed)
		t.clear(id)
	}
}

// tell tells the watchers of a game that it has changed, without waiting for any.
func (t *tables) tell(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if tb := t.games[id]; tb != nil {
		tb.tell()
	}
}

func (tb *table) tell() {
	for w := range tb.watchers {
		select {
		case w <- struct{}{}:
		default: // it has not looked yet since the last time
		}
	}
}

// stop ends the search for a move, whose answer is dropped.
func (t *tables) stop(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if tb := t.games[id]; tb != nil {
		tb.stop()
	}
}

// wake lets the players of a game move as long as it is their turn. Where no person plays they go on only while
// somebody watches.
func (t *tables) wake(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	tb := t.at(id)
	if tb.thinking || t.s.life.Err() != nil {
		tb.again = true
		t.clear(id)
		return
	}
	tb.thinking, tb.trouble = true, nil
	t.s.busy.Add(1)
	go func() {
		defer t.s.busy.Done()
		t.moves(id)
	}()
}

// moves plays the moves of players, one after the other, until it is a person's turn.
func (t *tables) moves(id string) {
	for {
		more, err := t.once(id)
		t.mu.Lock()
		tb := t.at(id)
		more, tb.again = more || tb.again, false
		if more && err == nil && t.s.life.Err() == nil {
			tb.tell()
			t.mu.Unlock()
			continue
		}
		tb.thinking = false
		if err != nil {
			t.fail(id, err)
			t.s.log.Warn("player failed", "game", id, "error", err)
		}
		tb.tell()
		t.clear(id)
		t.mu.Unlock()
		return
	}
}

// once plays one move and says whether there was one to play.
func (t *tables) once(id string) (more bool, err error) {
	// Whatever is stopped from here on, by a move taken back say, must not be answered any more: so the means to
	// stop it is set before the game is read.
	ctx, cancel := context.WithTimeout(t.s.life, longestMove)
	defer cancel()
	t.mu.Lock()
	tb := t.at(id)
	tb.stop = cancel
	alone := len(tb.watchers) == 0
	t.mu.Unlock()

	g, err := t.s.db.WebGame(id)
	if errors.Is(err, store.ErrNoGame) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	b, err := position(g.Game, g.Start, g.Moves)
	if err != nil || g.Outcome != ongoing || b.Outcome() != game.Ongoing || seat(g, b.Turn()) == human {
		return false, err
	}
	if alone && g.First != human && g.Second != human {
		return false, nil
	}
	select {
	case t.slots <- struct{}{}:
		defer func() { <-t.slots }()
	case <-ctx.Done():
		return t.stopped(ctx)
	}
	m, err := t.s.choose(ctx, g, b)
	if t.s.life.Err() != nil || errors.Is(ctx.Err(), context.Canceled) {
		return t.stopped(ctx)
	}
	plies := g.Plies
	inTime := press(&g, b, time.Now())
	if err == nil && inTime {
		err = game.Play(b, m)
	}
	if err != nil {
		return false, noMove.of(fmt.Errorf("%s: %w", seat(g, b.Turn()), err), seat(g, b.Turn()))
	}
	if inTime {
		write(&g, b)
	}
	t.s.numbers.moves.Add(1)
	if err := t.s.db.SaveWebGame(g, plies); err != nil && !errors.Is(err, store.ErrConflict) {
		return false, err
	}
	return true, nil
}

// stopped says how to go on after a search was stopped: with the game as it is now, unless the server ends.
func (t *tables) stopped(ctx context.Context) (bool, error) {
	if t.s.life.Err() != nil {
		return false, nil
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return false, busy.because("too many players are thinking", "")
	}
	return true, nil
}

// choose returns the move of the player whose turn it is. Its seed follows from the game and the ply.
func (s *Server) choose(ctx context.Context, g store.WebGame, b game.Board) (m game.Move, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %d", g.ID, g.Plies)
	p, err := s.player(b.Game(), seat(g, b.Turn()), h.Sum64())
	if err != nil {
		return game.NoMove, err
	}
	defer leave(p)
	start := time.Now()
	defer func() { s.numbers.thought(time.Since(start)) }()
	if d := budget(g, b); d > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, d)
		defer cancel()
	}
	return p.Move(ctx, b.Clone(), search.Limits{})
}

// leave closes a player that can be closed.
func leave(p player.Player) {
	if c, ok := p.(io.Closer); ok {
		_ = c.Close() // what is left of it is not ours to mend
	}
}
