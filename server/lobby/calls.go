// SPDX-License-Identifier: Apache-2.0

package lobby

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/server/live"
)

const (
	callers      = 4    // number of calls that are sent at the same time
	waitingCalls = 1000 // number of calls that wait for a caller; further calls are not sent
)

// Calls tells members that it is their turn in a correspondence game. Use NewCalls.
type Calls struct {
	lobby   *Lobby
	waiting chan call
	last    sync.Map // maps each correspondence game to the turn for which its player was last called
	failed  func(game string, err error)
}

// call tells a member that it is their turn in a correspondence game.
type call struct {
	member int64
	Game   string `json:"game"`
	By     string `json:"by"` // name of the opponent
}

// NewCalls returns the calls of a lobby. The function failed is called with the ID of a game whose call was not sent.
func NewCalls(m *Lobby, failed func(game string, err error)) *Calls {
	return &Calls{lobby: m, waiting: make(chan call, waitingCalls), failed: failed}
}

// Mover calls the member who is to move in a correspondence game, once for each turn.
func (c *Calls) Mover(g live.Game) {
	if !g.Ongoing() || !g.Held() || g.Limit().Speed() != request.Correspondence {
		c.last.Delete(g.ID)
		return
	}
	mover := c.lobby.o.Games.Mover(g)
	_, answers := g.Rule()
	member, turn := g.Seats[mover].Member, fmt.Sprint(mover, g.Plies, len(answers))
	if last, _ := c.last.Swap(g.ID, turn); last == turn || member == 0 {
		return // the turn is the same as at the last call, because only a message or an offer was added, or a guest is to move
	}
	select {
	case c.waiting <- call{member, g.ID, c.lobby.Called(g.Seats[1-mover])}:
	default:
		c.failed(g.ID, fmt.Errorf("%d calls wait", waitingCalls))
	}
}

// Send sends calls by push until ctx is done. push sends a message about a topic to a member.
func (c *Calls) Send(ctx context.Context, push func(ctx context.Context, member int64, topic string, message []byte) error) {
	var senders sync.WaitGroup
	for range callers {
		senders.Go(func() {
			for {
				select {
				case <-ctx.Done():
					return
				case x := <-c.waiting:
					message, _ := json.Marshal(x) // two texts
					if err := push(ctx, x.member, x.Game, message); err != nil {
						c.failed(x.Game, err)
					}
				}
			}
		})
	}
	senders.Wait()
}
