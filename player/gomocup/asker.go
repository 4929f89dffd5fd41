// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"cmp"
	"context"
	"errors"
	"io"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/clock"
	"github.com/krow-lab/krow/internal/rescue"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/opening"
	"github.com/krow-lab/krow/search"
)

// mind is a player that answers one question at a time. If an answer is late, the next question waits until that answer has
// arrived.
type mind struct {
	player player.Player
	made   Settings
	free   chan struct{} // contains one token while no question is with the player
}

func newMind(p player.Player, made Settings) *mind {
	m := &mind{p, made, make(chan struct{}, 1)}
	m.free <- struct{}{}
	return m
}

// patience is the time that a player may take to return after its context is done.
const patience = 500 * time.Millisecond

// close closes the player. If the player does not return from its last question within the time patience, close abandons the
// player without closing it. After closing the player under a memory limit of the manager, close returns the freed memory to
// the operating system at once.
func (m *mind) close() {
	select {
	case <-m.free:
	case <-time.After(patience):
		return
	}
	if c, ok := m.player.(io.Closer); ok {
		c.Close()
	}
	if m.player = nil; m.made.Memory > 0 {
		debug.FreeOSMemory()
	}
}

// analyze returns the analysis of an Analyst, or the move of any other player with score 0. It first waits for a late answer to the
// previous question; this wait counts towards lim.Time. A panic becomes an error.
func (m *mind) analyze(
	ctx context.Context, p game.Position, lim search.Limits, report func(search.Info),
) (info search.Info, err error) {
	select {
	case <-m.free:
	default:
		begun := time.Now()
		select {
		case <-m.free:
		case <-ctx.Done():
			return search.Info{}, ctx.Err()
		}
		if lim.Time > 0 {
			gone := time.Since(begun)
			lim.Time, lim.Most = max(lim.Time-gone, clock.Least), max(lim.Most-gone, 0)
		}
	}
	defer func() { m.free <- struct{}{} }()
	defer rescue.Into(&err)
	if a, ok := m.player.(player.Analyst); ok {
		return a.Analyze(ctx, p, lim, report)
	}
	move, err := m.player.Move(ctx, p, lim)
	if err != nil {
		return search.Info{}, err
	}
	return search.Info{PV: []game.Move{move}}, nil
}

// asker asks a player one or more questions, which share one deadline. After a late answer it asks no further questions.
type asker struct {
	mind   *mind
	latest time.Time // the time by which answers must come; zero: no limit
	late   bool
	first  *verdict // the answer to the first question
}

type verdict struct {
	info search.Info // the best answer; its first move is legal
	err  error
}

var errLate = errors.New("the player exceeded its time")

// analyze is a function of the type opening.Analyze that asks the player.
func (a *asker) analyze(ctx context.Context, b game.Board, lim search.Limits) (search.Info, error) {
	if a.late {
		return search.Info{}, errLate
	}
	v := a.askPlayer(ctx, b, lim)
	return v.info, v.err
}

// askPlayer returns the player's answer, which always contains a legal move. If the player is late, askPlayer uses the player's
// last report. If that report contains no legal move, it uses the result of anyMove.
func (a *asker) askPlayer(ctx context.Context, b game.Board, lim search.Limits) (v verdict) {
	var last atomic.Pointer[search.Info] // the player's last report
	answers := make(chan verdict, 1)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := clone(b)
	go func() {
		i, err := a.mind.analyze(ctx, p, lim, func(i search.Info) {
			i.PV = slices.Clone(i.PV)
			last.Store(&i)
		})
		answers <- verdict{info: i, err: err}
	}()
	if v, a.late = a.wait(ctx, answers); a.late {
		v.err = errLate
		if i := last.Load(); i != nil {
			v.info = *i
		}
	}
	if len(v.info.PV) == 0 || !game.Legal(b, v.info.PV[0]) {
		if v.err == nil {
			v.err = errors.New("the player has no legal move")
		}
		v.info = search.Info{PV: []game.Move{anyMove(b)}}
	}
	if a.first == nil {
		a.first = &v
	}
	return v
}

// wait returns the answer. late is true if no answer arrives by a.latest, or within the time patience after ctx is done.
func (a *asker) wait(ctx context.Context, answers <-chan verdict) (v verdict, late bool) {
	var tooLate <-chan time.Time
	if !a.latest.IsZero() {
		tooLate = time.After(time.Until(a.latest))
	}
	select {
	case v = <-answers:
		return v, false
	case <-tooLate:
		return v, true
	case <-ctx.Done():
	}
	select {
	case v = <-answers:
		return v, false
	case <-time.After(patience):
		return v, true
	}
}

// anyMove returns, of the moves near the stones that opening.Around returns, the move nearest to the middle of the board.
func anyMove(b game.Board) game.Move {
	columns, rows := b.Size()
	off := func(m game.Move) int {
		x, y := 2*(b.Cell(m)%columns)-columns+1, 2*(b.Cell(m)/columns)-rows+1
		return x*x + y*y
	}
	return slices.MinFunc(opening.Around(b), func(a, b game.Move) int { return cmp.Compare(off(a), off(b)) })
}
