// SPDX-License-Identifier: Apache-2.0

package match

import (
	"sync"

	"github.com/krow-lab/krow/app/diagram"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
)

// Live is the current state of a game in progress that belongs to a match or a league. Such a game is stored only when it is
// over.
type Live struct {
	First  string        `json:"first"`
	Second string        `json:"second"`
	Moves  []string      `json:"moves" nullable:"false"`
	Board  diagram.Board `json:"board"`
}

// Shown contains the games in progress of matches and leagues: for each job the game that it is playing.
type Shown struct{ games sync.Map }

// Game returns the game that a job is playing, or nil.
func (s *Shown) Game(job string) *Live {
	v, _ := s.games.Load(job)
	l, _ := v.(*Live)
	return l
}

// Watch returns a function that records the current position of the game that a job plays.
func (s *Shown) Watch(job string) func(first, second string, p game.Position) {
	return func(first, second string, p game.Position) {
		if b, ok := p.(game.Board); ok {
			s.games.Store(job, &Live{first, second, notation.MoveNames(p.Game(), p.AppendHistory(nil)), diagram.New(b)})
		}
	}
}

// Delete forgets the game of a job that has ended.
func (s *Shown) Delete(job string) { s.games.Delete(job) }
