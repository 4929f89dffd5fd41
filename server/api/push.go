// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/live"
)

const (
	callers      = 4    // number of calls that are sent at the same time
	waitingCalls = 1000 // number of calls that wait for a caller; further calls are not sent
)

// call tells a member that it is their turn in a correspondence game.
type call struct {
	member int64
	turn   string // the state of the game at the call
	Game   string `json:"game"`
	By     string `json:"by"` // name of the opponent
}

// callMover calls the member who is to move in a correspondence game, once for each turn.
func (s *Server) callMover(g live.Game) {
	if !s.o.Club || !g.Ongoing() || !g.Held() || g.Limit().Speed() != request.Correspondence {
		s.called.Delete(g.ID)
		return
	}
	mover := s.live.Mover(g)
	_, answers := g.Rule()
	c := call{g.Seats[mover].Member, fmt.Sprint(mover, g.Plies, len(answers)), g.ID, s.meet.Called(g.Seats[1-mover])}
	if last, _ := s.called.Swap(g.ID, c.turn); last == c.turn || c.member == 0 {
		return // the turn is the same as at the last call, because only a message or an offer was added, or a guest is to move
	}
	select {
	case s.calls <- c:
	default:
		s.log.Warn("too many calls wait", "game", g.ID)
	}
}

// sendCalls sends calls until the server stops.
func (s *Server) sendCalls() {
	for {
		select {
		case <-s.life.Done():
			return
		case c := <-s.calls:
			message, _ := json.Marshal(c) // two texts
			if err := s.club.Push(s.life, c.member, c.Game, message); err != nil {
				s.log.Warn("a call was not sent", "game", c.Game, "error", err)
			}
		}
	}
}

// PushKey is the key with which a browser subscribes to the server's messages.
type PushKey struct {
	Key string `json:"key"`
}

func (s *Server) pushKey(context.Context, *struct{}) (k PushKey, err error) {
	k.Key, err = s.club.PushKey()
	return k, err
}

type subscription struct{ Body club.Subscription }

func (s *Server) subscribe(ctx context.Context, in *subscription) error {
	if !s.o.Club {
		return notAllowed.new()
	}
	return s.club.Subscribe(visitOf(ctx).token, in.Body)
}
