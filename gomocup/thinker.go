// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/opening"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

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
	info      search.Info   // the best answer; its first move is legal
	lines     []search.Info // every line as it was told last, the best first; of one that was never told the PV is empty
	err       error
	abandoned bool // the player has not come back, and must not be asked again
}

// told keeps what a player tells while it thinks.
type told struct {
	mu    sync.Mutex
	lines []search.Info
}

func (t *told) keep(i search.Info) {
	t.mu.Lock()
	defer t.mu.Unlock()
	line := max(i.Line, 1)
	for len(t.lines) < line {
		t.lines = append(t.lines, search.Info{})
	}
	i.PV = slices.Clone(i.PV)
	t.lines[line-1] = i
}

func (t *told) all() []search.Info {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.lines)
}

// think returns the player's answer. There is always a legal move in it: that of the last report where the player
// has not answered by the latest time, and that of anyMove where it never came to anything.
func (t *thinker) think(ctx context.Context) (v verdict) {
	var told told
	c := make(chan verdict, 1)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := clone(t.board)
	go func() {
		i, err := analyze(ctx, t.player, p, t.limits, func(i search.Info) {
			told.keep(i)
			t.report(t.board, i) // p may be some moves further
		})
		c <- verdict{info: i, err: err}
	}()
	select {
	case v = <-c:
		if len(v.info.PV) > 0 {
			v.info.Line = 1
			told.keep(v.info)
		}
	case <-t.tooLate():
		cancel()
		v.abandoned, v.err = true, errLate
	}
	if v.lines = told.all(); v.abandoned && len(v.lines) > 0 {
		v.info = v.lines[0]
	}
	if len(v.info.PV) == 0 || !game.Legal(t.board, v.info.PV[0]) {
		if v.err == nil {
			v.err = errors.New("the player has no legal move")
		}
		v.info = search.Info{PV: []game.Move{anyMove(t.board)}}
	}
	return v
}

// anyMove returns the sound move around the stones that is nearest to the middle: for a player that never came to anything.
func anyMove(b game.Board) game.Move {
	columns, rows := b.Size()
	off := func(m game.Move) int {
		x, y := 2*(b.Cell(m)%columns)-columns+1, 2*(b.Cell(m)/columns)-rows+1
		return x*x + y*y
	}
	return slices.MinFunc(opening.Around(b), func(a, b game.Move) int { return cmp.Compare(off(a), off(b)) })
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
func analyze(
	ctx context.Context, pl player.Player, p game.Position, lim search.Limits, report func(search.Info),
) (info search.Info, err error) {
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
