// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/clock"
	"github.com/krow-lab/krow/search"
)

// thinking is work on another goroutine. Its result is a function for the session to call: nobody else touches that.
type thinking struct {
	stop     context.CancelFunc
	conclude chan func()
}

// answers returns the channel that gets the end of the thinking, or nil if nobody thinks.
func (s *session) answers() <-chan func() {
	if s.think == nil {
		return nil
	}
	return s.think.conclude
}

// work runs do on another goroutine, to ask the player about the position in the time of a command. After the end of the
// input nobody can say STOP, and do is stopped at once.
func (s *session) work(at time.Time, do func(ctx context.Context, a *asker, b game.Board, lim search.Limits) func()) {
	lim, latest := s.limits(at)
	a, b := &asker{mind: s.mind, latest: latest}, clone(s.b)
	ctx, cancel := context.WithCancel(context.Background())
	if s.eof {
		cancel()
	}
	t := &thinking{stop: cancel, conclude: make(chan func(), 1)}
	s.think = t
	go func() {
		defer cancel()
		t.conclude <- do(ctx, a, b, lim)
	}()
}

// limits bounds the thinking about a command, and says when the answer must be there; the zero time is never.
func (s *session) limits(at time.Time) (search.Limits, time.Time) {
	lim := search.Limits{Depth: s.options.depth, Nodes: s.options.nodes}
	c := clock.New(s.options.control)
	c.Set(s.left)
	most := c.Most()
	if most == clock.Unlimited {
		return lim, time.Time{}
	}
	plan, longest := c.Budget(game.FreeCells(s.b))
	gone := time.Since(at)
	lim.Time, lim.Most = max(plan-gone, clock.Least), max(longest-gone, clock.Least)
	// If the search is slow to stop, it may use half of the reserved time.
	return lim, at.Add(longest + max((most-longest)/2, grace))
}

// grace is the time by which a search may be late, even if there is no time at all.
const grace = 10 * time.Millisecond

// spend subtracts the time since a command came from the remaining time of the match.
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
	if s.b.Outcome() != game.Ongoing {
		return errOver
	}
	return s.ready()
}

// thinkMove lets the player think about its move, plays it and prints it.
func (s *session) thinkMove(at time.Time) error {
	if err := s.able(); err != nil {
		return err
	}
	s.work(at, func(ctx context.Context, a *asker, b game.Board, lim search.Limits) func() {
		v := a.askPlayer(ctx, b, lim)
		return func() {
			s.spend(at)
			s.reportInfo(v.info, v.err)
			s.playAnswer(v.info.PV[:1])
		}
	})
	return nil
}

// pondering is how long a brain ponders at most.
const pondering = time.Hour

// ponder thinks on the other side's time, if that is wanted. The next command ends it.
func (s *session) ponder() {
	if !s.options.ponder || s.think != nil || s.eof || s.b == nil || s.b.Outcome() != game.Ongoing || s.mind == nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.rest = cancel
	m, b := s.mind, clone(s.b)
	go m.analyze(ctx, b, search.Limits{Time: pondering}, nil)
}

// playAnswer plays the moves and tells them on one line.
func (s *session) playAnswer(moves []game.Move) {
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

func clone(b game.Board) game.Board { return b.Clone().(game.Board) }
