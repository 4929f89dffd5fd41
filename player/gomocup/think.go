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

// thinking is a search in another goroutine. The result of the search is a function. The session's goroutine calls it, because
// no other goroutine may change the session.
type thinking struct {
	stop     context.CancelFunc
	conclude chan func()
}

// answers returns the channel with the result of the current thinking, or nil if there is none.
func (s *session) answers() <-chan func() {
	if s.think == nil {
		return nil
	}
	return s.think.conclude
}

// work runs the function do in another goroutine. do asks the player about the position. The parameter at is the time at which
// the command arrived; the time limits count from it. After the end of the input the command STOP cannot arrive, so work stops
// do at once.
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

// limits returns the limits of the search for a command, which arrived at the time in the parameter at. It also returns the
// time by which the answer must be sent, or the zero time if there is no limit.
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
	// The variable longest is the time after which the search should stop. A search that stops late may also use half of the time
	// between longest and most.
	return lim, at.Add(longest + max((most-longest)/2, grace))
}

// grace is the time by which a search may be late in any case, even if little time is left.
const grace = 10 * time.Millisecond

// spend subtracts the time that a command has taken from the remaining time of the match. The parameter at is the time at
// which the command arrived.
func (s *session) spend(at time.Time) {
	c := clock.New(s.options.control)
	c.Set(s.left)
	c.Spend(time.Since(at))
	s.left = c.Left()
}

// errOver is the error for a command to move after the end of the game.
var errOver = errors.New("the game is over")

// able returns an error if the brain cannot move, because the game is over or no player can be made.
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

// pondering is the maximum time for which a brain ponders.
const pondering = time.Hour

// ponder lets the player think during the opponent's time, if the manager has allowed that. The next command ends the
// pondering.
func (s *session) ponder() {
	if !s.options.ponder || s.think != nil || s.eof || s.b == nil || s.b.Outcome() != game.Ongoing || s.mind == nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.rest = cancel
	m, b := s.mind, clone(s.b)
	go m.analyze(ctx, b, search.Limits{Time: pondering}, nil)
}

// playAnswer plays the moves and prints them on one line.
func (s *session) playAnswer(moves []game.Move) {
	var line []string
	for _, pt := range pointsOf(s.b, moves) {
		line = append(line, pt.String())
	}
	for _, m := range moves {
		s.b.Play(m)
	}
	s.out.Say("%s", strings.Join(line, " "))
}

// pointsOf returns the points on which moves place their stones if they are played one after the other from b.
func pointsOf(b game.Board, moves []game.Move) (all []point) {
	b = clone(b)
	for _, m := range moves {
		all = append(all, pointOf(b, m))
		b.Play(m)
	}
	return all
}

func clone(b game.Board) game.Board { return b.Clone().(game.Board) }
