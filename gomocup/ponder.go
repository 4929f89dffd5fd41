// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"context"
	"time"

	"github.com/krow-lab/krow/search"
)

// ponder thinks about the position on the other side's time, if that is wanted, so that the player knows more about it
// when it is its turn. The next command, whatever it is, ends it.
func (s *session) ponder() {
	if !s.options.ponder || s.think != nil || s.eof || s.b == nil || s.over() || s.player == nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.idle = &thinking{stop: cancel, conclude: make(chan func(), 1)}
	pl, b, done := s.player, clone(s.b), s.idle.conclude
	go func() {
		defer cancel()
		analyze(ctx, pl, b, search.Limits{Time: pondering}, func(search.Info) {})
		done <- nil
	}()
}

// pondering is how long a brain ponders at most.
const pondering = time.Hour

// rest ends the pondering. A player that goes on is left behind.
func (s *session) rest() {
	if s.idle == nil {
		return
	}
	s.idle.stop()
	select {
	case <-s.idle.conclude:
	case <-time.After(patience):
		s.player = nil
	}
	s.idle = nil
}
