// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/krow-lab/krow/clock"
	"github.com/krow-lab/krow/game"
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
	lim := search.Limits{Depth: s.options.depth, Nodes: s.nodes(), Lines: lines}
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

// over says whether the game is over: by its rules, or after as many moves as the manager allows.
func (s *session) over() bool {
	return s.b.Outcome() != game.Ongoing || s.options.moves > 0 && s.b.Ply() >= s.options.moves
}

// able returns an error when there is nothing to think about, or nobody to do it.
func (s *session) able() error {
	if s.b == nil {
		return errNoGame
	}
	if s.over() {
		return errOver
	}
	return s.ready()
}

// leave parts with a player that somebody is still in.
func (s *session) leave(abandoned bool) {
	if abandoned {
		s.player = nil
	}
}

// move thinks about the best moves, as many as lines, plays one and tells it.
func (s *session) move(at time.Time, lines int) error {
	if err := s.able(); err != nil {
		return err
	}
	c, err := s.choice()
	if err != nil {
		return err
	}
	lim, latest := s.limits(at, c.lines(lines))
	t := thinker{player: s.player, board: clone(s.b), limits: lim, latest: latest, report: c.unless(s.reporter(lines))}
	s.begins(lim, func(ctx context.Context) func() {
		v := t.think(ctx)
		i, ok := c.choose(t.board, v)
		return func() {
			s.leave(v.abandoned)
			if !ok {
				s.chooseOther(at, c)
				return
			}
			s.spend(at)
			s.tell(i, v.err)
			s.answer(i.PV[:1])
		}
	})
	return nil
}

// answer plays the moves and tells them on one line.
func (s *session) answer(moves []game.Move) {
	var line []string
	for _, pt := range pointsOf(s.b, moves) {
		line = append(line, pt.String())
	}
	for _, m := range moves {
		s.b.Play(m)
	}
	s.out.say("%s", strings.Join(line, " "))
}

// pointsOf returns where moves, played one after the other from b, put their stones.
func pointsOf(b game.Board, moves []game.Move) (all []point) {
	b = clone(b)
	for _, m := range moves {
		all = append(all, pointOf(b, m))
		b.Play(m)
	}
	return all
}

func clone(b game.Board) game.Board {
	c, ok := b.Clone().(game.Board)
	if !ok {
		panic("gomocup: the clone of a board is none")
	}
	return c
}
