// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/gate"
	"github.com/krow-lab/krow/server/live"
)

// pulse is the interval between messages on a stream that has nothing else to send. Such a message shows whether the client is
// still connected.
const pulse = 15 * time.Second

// The library's default limit for a write is five seconds, which is too short on a busy machine.
func init() { sse.WriteTimeout = gate.WriteTime }

// Pulse shows that the stream is alive.
type Pulse struct{}

// linked returns a context that ends when the request ends or the server stops.
func (s *Server) linked(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(s.life, cancel)
	return ctx, func() { stop(); cancel() }
}

// Gone reports that the game, run, league or study of a stream was deleted, or that the client may no longer see it.
type Gone struct{}

// frame is a game encoded as an event.
type frame struct {
	text    []byte        // the event; nil if the game was deleted
	next    time.Duration // time until a spectator sees the next move or the end of the game, or 0 if nothing is hidden
	private bool
}

// frameOf returns a game as an event for one viewer: the person in the seat by, or a spectator.
func (s *Server) frameOf(by live.Seat, g live.Game, err error) frame {
	v, next, err := s.seenNow(by, g, err)
	if err != nil {
		return frame{}
	}
	data, _ := json.Marshal(v) // no error, because v contains only texts and numbers
	return frame{slices.Concat([]byte("event: game\ndata: "), data, []byte("\n\n")), next, v.Visibility == string(club.Private)}
}

// watcher is a person who watches a game.
type watcher struct {
	seat  live.Seat // the watcher's seat in the game; an empty seat for a spectator
	first bool      // the watcher plays or owns the game, and receives a change before spectators do
}

func (s *Server) watcher(ctx context.Context, id string) (w watcher, err error) {
	g, err := s.gameFor(ctx, club.Look, id)
	if by := s.seatOf(ctx, ""); err == nil && g.Held() {
		if _, w.first = g.Side(by); w.first {
			w.seat = by
		}
	} else if err == nil {
		w.first = club.May(club.From(ctx), club.Change, thingOf(g))
	}
	return w, err
}

// sendGame sends a game to a watcher. It returns the time after which the game must be sent again even without a change, or 0 if it
// need not. The event is encoded only once for all spectators.
func (s *Server) sendGame(ctx context.Context, w watcher, id string) (next time.Duration, err error) {
	send := visitOf(ctx).answer.Send
	if w.seat.Taken() {
		g, err := s.live.Game(id)
		f := s.frameOf(w.seat, g, err)
		return f.next, send(f.text)
	}
	if !w.first {
		// The number of events that are sent to spectators in a second is limited, so that the cores have time for players even
		// if there are many spectators or slow readers.
		if err := s.spectators.Wait(ctx); err != nil {
			return 0, err
		}
	}
	f := s.live.Show(id, func(g live.Game, err error) any { return s.frameOf(live.Seat{}, g, err) }).(frame)
	if f.private {
		if _, err := s.gameFor(ctx, club.Look, id); err != nil {
			return 0, err
		}
	}
	return f.next, send(f.text)
}

// events sends the game now and after each change. It also starts the computer player to move, which may not be thinking yet after
// a restart of the server.
func (s *Server) events(ctx context.Context, in *GameRef, send sse.Sender) {
	ctx, cancel := s.linked(ctx)
	defer cancel()
	gone := func() {
		if ctx.Err() == nil { // if ctx is done, the server stops or the client has left, and the game was not deleted
			_ = send.Data(Gone{})
		}
	}
	w, err := s.watcher(ctx, in.ID)
	if err != nil {
		gone()
		return
	}
	changed, end := s.live.Watch(in.ID, w.first)
	defer end()
	if w.seat.Taken() {
		defer s.live.Attend(in.ID, w.seat)()
	}
	tick := time.NewTicker(pulse)
	defer tick.Stop()
	for {
		next, err := s.sendGame(ctx, w, in.ID)
		if err != nil {
			gone()
			return
		}
		var more <-chan time.Time
		if next > 0 {
			more = time.After(next)
		}
		for waiting := true; waiting; {
			select {
			case <-ctx.Done():
				return
			case <-changed:
				waiting = false
			case <-more:
				waiting = false
			case <-tick.C:
				if send.Data(Pulse{}) != nil {
					return
				}
			}
		}
	}
}

// Queued reports the place of a request in the queue.
type Queued struct {
	Place   int     `json:"place" doc:"place in the queue, from 1"`
	Seconds float64 `json:"seconds" doc:"estimated waiting time"`
}

// sendDone sends the Done event for work that ended with err.
func sendDone(send sse.Sender, err error) {
	done := request.Done{Reason: "finished"}
	switch {
	case err == errTurn:
		done.Reason = "turn"
	case err == gate.ErrGone, errors.Is(err, context.Canceled):
		done.Reason = "stopped"
	case err != nil:
		p := problemOf(err)
		done = request.Done{Reason: "error", Error: p.Detail, Code: p.Code, What: p.What}
	}
	_ = send.Data(done) // an error means that the client has left, so nobody waits for the event
}

const beat = 100 * time.Millisecond

// waitForTurn sends the place in the queue until the turn comes, and reports whether it came.
func (s *Server) waitForTurn(ctx context.Context, t *gate.Ticket, send sse.Sender) bool {
	tick := time.NewTicker(pulse)
	defer tick.Stop()
	told := 0
	for {
		place, wait := s.queue.Place(t)
		if place != told && place > 0 {
			if send.Data(Queued{place, wait.Seconds()}) != nil {
				return false
			}
			told = place
		}
		select {
		case <-t.Turn:
			return true
		case <-ctx.Done():
			return false
		case <-tick.C:
			if send.Data(Pulse{}) != nil {
				return false
			}
		case <-t.Moved:
		}
	}
}

// errTurn ends the work of a stream when its turn is over and others wait.
var errTurn = errors.New("the turn is over")

// crowded reports whether the thinking players, the running analyses, and a number of additional analyses (more) would together
// need more cores than the machine has.
func (s *Server) crowded(more int) bool {
	running, _ := s.queue.Lengths()
	thinking := s.live.Thinking()
	return thinking > 0 && thinking+running+more > s.cores
}

// safely calls work. If work panics, it logs the panic and returns a failure of the server.
func (s *Server) safely(ctx context.Context, work func(context.Context) error) (err error) {
	defer func() {
		if why := recover(); why != nil {
			s.panicked("a stream", why)
			err = failedInside.new()
		}
	}()
	return work(ctx)
}

// workInTurn waits for a turn in the queue, and then calls work once. It cancels the context of work when the turn is over. It
// calls tell each time the interval beat has passed, and at the end. If patient is true, work begins only when the players of
// games leave a core free, and is canceled as soon as these players need the core.
func (s *Server) workInTurn(ctx context.Context, client gate.Client, patient bool, send sse.Sender, work func(context.Context) error, tell func() error) error {
	ctx, cancel := s.linked(ctx)
	defer cancel()
	tick, alive := time.NewTicker(beat), time.NewTicker(pulse)
	defer tick.Stop()
	defer alive.Stop()
	for patient && s.crowded(1) {
		select {
		case <-ctx.Done():
			return gate.ErrGone
		case <-alive.C:
			if send.Data(Pulse{}) != nil {
				return gate.ErrGone
			}
		case <-tick.C:
		}
	}
	t, err := s.queue.Join(client)
	if err != nil {
		return err
	}
	defer s.queue.Leave(t)
	if !s.waitForTurn(ctx, t, send) {
		return gate.ErrGone
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	finished := make(chan error, 1)
	go func() { finished <- s.safely(ctx, work) }()
	for {
		select {
		case err := <-finished:
			_ = tell()
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return err
		case <-alive.C:
			if send.Data(Pulse{}) != nil {
				stop(gate.ErrGone)
			}
		case <-tick.C:
			if s.queue.Over(t) || patient && s.crowded(0) {
				stop(errTurn)
			}
			if tell() != nil {
				stop(gate.ErrGone)
			}
		}
	}
}
