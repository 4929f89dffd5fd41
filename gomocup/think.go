// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/krow-lab/krow/clock"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// thinking is work on another goroutine, while the session listens for STOP and END. What it comes to is a function,
// which the session calls: nobody else touches the session.
type thinking struct {
	stop     context.CancelFunc
	conclude chan func()
	forever  bool // it does not end by itself
}

// answers returns where the end of the thinking is told; of none, never.
func (s *session) answers() <-chan func() {
	if s.think == nil {
		return nil
	}
	return s.think.conclude
}

// begins sets work going, which received its command at that time.
func (s *session) begins(lim search.Limits, work func(ctx context.Context) func()) {
	ctx, cancel := context.WithCancel(context.Background())
	t := &thinking{stop: cancel, conclude: make(chan func(), 1)}
	t.forever = lim.Time > longest
	s.think = t
	go func() {
		defer cancel()
		t.conclude <- work(ctx)
	}()
}

// longest is how long a brain goes on by itself when there is nobody left to stop it.
const longest = time.Minute

// hurry stops what would not end by itself, when nobody can say STOP any more.
func (s *session) hurry() {
	if s.think != nil && s.think.forever {
		s.think.stop()
	}
}

// patience is how long END waits for a search to notice.
const patience = 500 * time.Millisecond

// stop ends the session: nothing is said any more.
func (s *session) stop() {
	s.out.mute()
	if s.think == nil {
		return
	}
	s.think.stop()
	select {
	case <-s.think.conclude:
	case <-time.After(patience):
		s.player = nil // somebody is still in it
	}
}

// limits returns what bounds the thinking about a command that came at that time, and when the answer must be there
// at the latest; the zero time is never.
func (s *session) limits(at time.Time, lines int) (search.Limits, time.Time) {
	lim := search.Limits{Depth: s.options.depth, Nodes: s.options.nodes, Lines: lines}
	c := clock.New(s.options.control)
	c.Set(s.left)
	most := c.Most()
	if most == clock.Unlimited {
		return lim, time.Time{}
	}
	free := 0
	for _, stone := range s.b.Cells() {
		if stone == game.Empty {
			free++
		}
	}
	budget := c.Budget(free)
	lim.Time = max(budget-time.Since(at), clock.Least)
	// Of what is kept back, the search may take half, should it be slow to stop.
	return lim, at.Add(budget + max((most-budget)/2, grace))
}

// grace is what a search may be late by, even where there is no time at all.
const grace = 15 * time.Millisecond

// spend takes the time since a command came from what is left of the match.
func (s *session) spend(at time.Time) {
	c := clock.New(s.options.control)
	c.Set(s.left)
	c.Spend(time.Since(at))
	s.left = c.Left()
}

// errOver is the error of a command to move after the end.
var errOver = errors.New("the game is over")

// able returns an error when there is nothing to think about, or nobody to do it.
func (s *session) able() error {
	if s.b == nil {
		return errNoGame
	}
	if s.b.Outcome() != game.Ongoing {
		return errOver
	}
	return s.ready()
}

// move thinks about a move, plays it and tells it.
func (s *session) move(at time.Time, lines int) error {
	if err := s.able(); err != nil {
		return err
	}
	lim, latest := s.limits(at, lines)
	t := thinker{player: s.player, board: clone(s.b), limits: lim, latest: latest, report: s.reporter(lines)}
	s.begins(lim, func(ctx context.Context) func() {
		info, abandoned, err := t.think(ctx)
		return func() {
			s.spend(at)
			if abandoned {
				s.player = nil
			}
			s.tell(info, err)
			s.answer(info.PV[:1])
		}
	})
	return nil
}

// answer plays the moves and tells them on one line.
func (s *session) answer(moves []game.Move) {
	line := ""
	for i, m := range moves {
		if i > 0 {
			line += " "
		}
		line += pointOf(s.b, m).String()
		s.b.Play(m)
	}
	s.out.say("%s", line)
}

func clone(b game.Board) game.Board {
	c, ok := b.Clone().(game.Board)
	if !ok {
		panic("gomocup: the clone of a board is none")
	}
	return c
}

// thinker is one question to a player.
type thinker struct {
	player player.Player
	board  game.Board
	limits search.Limits
	latest time.Time // the zero time is never
	report func(b game.Board, i search.Info)
}

// verdict is how a question ended.
type verdict struct {
	info search.Info
	err  error
}

// think returns the player's answer. There is always a legal move in it: that of the last report where the player
// has not answered by the latest time, and any sound one where it never came to anything. abandoned says that the
// player has not come back, and must not be asked again.
func (t *thinker) think(ctx context.Context) (info search.Info, abandoned bool, err error) {
	var mu sync.Mutex
	var best search.Info
	keep := func(i search.Info) {
		mu.Lock()
		defer mu.Unlock()
		if i.Line <= 1 {
			best = i
			best.PV = append([]game.Move(nil), i.PV...)
		}
	}
	c := make(chan verdict, 1)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := clone(t.board)
	go func() {
		i, err := analyze(ctx, t.player, p, t.limits, func(i search.Info) {
			keep(i)
			t.report(t.board, i) // p may be some moves further
		})
		c <- verdict{i, err}
	}()
	select {
	case v := <-c:
		info, err = v.info, v.err
	case <-t.tooLate():
		cancel()
		abandoned, err = true, errors.New("the player is late")
		mu.Lock()
		info = best
		mu.Unlock()
	}
	if len(info.PV) == 0 || !game.Legal(t.board, info.PV[0]) {
		if err == nil {
			err = errors.New("the player has no legal move")
		}
		info = search.Info{PV: game.AppendSound(nil, t.board)[:1]}
	}
	return info, abandoned, err
}

// tooLate returns a channel that something comes from at the latest time.
func (t *thinker) tooLate() <-chan time.Time {
	if t.latest.IsZero() {
		return nil
	}
	return time.After(time.Until(t.latest))
}

// analyze asks an Analyst for what it thinks, and any other player for its move, which it then values at nothing. A
// panic is an error.
func analyze(ctx context.Context, pl player.Player, p game.Position, lim search.Limits, report func(search.Info)) (info search.Info, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	if a, ok := pl.(player.Analyst); ok {
		return a.Analyze(ctx, p, lim, report)
	}
	m, err := pl.Move(ctx, p, lim)
	if err != nil {
		return search.Info{}, err
	}
	return search.Info{PV: []game.Move{m}}, nil
}
