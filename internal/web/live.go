// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// lives are the games that matches are playing, for whoever watches. They are in no store before they are over.
type lives struct {
	mu    sync.Mutex
	games map[int64]*Live // by run
}

// Live is a game of a match as it stands.
type Live struct {
	First  string   `json:"first"`
	Second string   `json:"second"`
	Moves  []string `json:"moves" nullable:"false"`
	Board  Board    `json:"board"`
}

// mark tells two states of a game apart.
func (l *Live) mark() string {
	if l == nil {
		return ""
	}
	return fmt.Sprint(l.First, l.Moves)
}

// look returns the game that a match is playing, or nil.
func (l *lives) look(run int64) *Live {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.games[run]
}

// end forgets the game of a match.
func (l *lives) end(run int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.games, run)
}

// watch has the players of a match show each position that they are asked about.
func (l *lives) watch(run int64, m *arena.Match) {
	names := [2]string{m.A.Name, m.B.Name}
	for i, f := range []*arena.Factory{&m.A, &m.B} {
		fresh := f.New
		f.New = func(seed uint64) (player.Player, error) {
			p, err := fresh(seed)
			if err != nil {
				return nil, err
			}
			return &seen{p, func(p game.Position) { l.show(run, p, names[i], names[1-i]) }}, nil
		}
	}
}

// show keeps a position in which mover is to move.
func (l *lives) show(run int64, p game.Position, mover, other string) {
	b, ok := p.(game.Board)
	if !ok {
		return
	}
	v := &Live{First: mover, Second: other, Board: newBoard(b), Moves: strings.Fields(notation.FormatMoves(p.Game(), p.AppendHistory(nil)))}
	if p.Turn() == game.Second {
		v.First, v.Second = other, mover
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.games[run] = v
}

// seen is a player who shows what it is asked about.
type seen struct {
	player.Player
	show func(game.Position)
}

// Move shows p and asks the player.
func (s *seen) Move(ctx context.Context, p game.Position, lim search.Limits) (game.Move, error) {
	s.show(p)
	return s.Player.Move(ctx, p, lim)
}

// Close closes a player that can be closed.
func (s *seen) Close() error {
	if c, ok := s.Player.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
