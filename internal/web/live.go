// SPDX-License-Identifier: Apache-2.0

package web

import (
	"fmt"
	"sync"

	"github.com/krow-lab/krow/app/diagram"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
)

// shownGames are the games that matches are playing, for whoever watches. They are in no store before they are over.
type shownGames struct {
	mu    sync.Mutex
	games map[int64]*Live // by run
}

// Live is a game of a match as it stands.
type Live struct {
	First  string        `json:"first"`
	Second string        `json:"second"`
	Moves  []string      `json:"moves" nullable:"false"`
	Board  diagram.Board `json:"board"`
}

// mark tells two states of a game apart.
func (l *Live) mark() string {
	if l == nil {
		return ""
	}
	return fmt.Sprint(l.First, l.Moves)
}

// look returns the game that a match is playing, or nil.
func (l *shownGames) look(run int64) *Live {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.games[run]
}

// end forgets the game of a match.
func (l *shownGames) end(run int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.games, run)
}

// show keeps a position of the game that a match is playing.
func (l *shownGames) show(run int64, first, second string, p game.Position) {
	b, ok := p.(game.Board)
	if !ok {
		return
	}
	v := &Live{First: first, Second: second, Board: diagram.New(b), Moves: notation.MoveNames(p.Game(), p.AppendHistory(nil))}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.games[run] = v
}
