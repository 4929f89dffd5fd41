// SPDX-License-Identifier: Apache-2.0

package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/krow-lab/krow/app/solve"
	"github.com/krow-lab/krow/game"
)

const (
	// maxSolving bounds the positions that are solved at once, each with a table that it keeps while it waits.
	maxSolving = 4
	// maxCertificate is how large a certificate may be to be sent, in bytes.
	maxCertificate = 1 << 18
)

type solveInput struct {
	Place
	Seconds int    `query:"seconds" minimum:"1" maximum:"600" default:"60" doc:"of work, without the time in the queue"`
	Hash    int    `query:"hash" minimum:"1" maximum:"256" default:"64" doc:"size of the table in MB"`
	Tab     string `cookie:"krow" maxLength:"40"`

	client string
}

// Resolve finds the position, since a stream that has begun cannot be refused.
func (in *solveInput) Resolve(ctx huma.Context) []error {
	err := in.find()
	switch {
	case err != nil:
	case in.position.Outcome() != game.Ongoing:
		err = gameOver.plain()
	case !solve.Knows(in.position.Game()):
		err = noSolver.because(fmt.Sprintf("%s has %v", in.position.Game(), solve.ErrNone), in.Game)
	}
	if err != nil {
		return []error{err}
	}
	in.client = clientOf(ctx.RemoteAddr(), in.Tab)
	return nil
}

// Solution is what is proved so far, for the side to move; when it is solved, with best play.
type Solution struct {
	solve.Solution
	PV []string `json:"pv" nullable:"false" doc:"moves that begin with one that keeps the value"`
}

// SolvedMove is what a move is worth, for the side that makes it.
type SolvedMove struct {
	solve.Solution
	Move string `json:"move"`
}

// Certificate is the proof of the value as a file, which krow verify checks.
type Certificate struct {
	Name  string `json:"name"`
	Data  []byte `json:"data"`
	Large bool   `json:"large,omitempty" doc:"it is too large to be sent"`
}

// errTurn ends a turn in the queue while others wait.
var errTurn = errors.New("the turn is over")

// solving is the work on one position. run goes on where the turn before has ended.
type solving struct {
	in     *solveInput
	s      *solve.Solver
	moves  []game.Move // to be solved
	known  atomic.Pointer[solve.Solution]
	events chan any
}

// run solves the position, then its moves, and writes the certificate.
func (w *solving) run(ctx context.Context) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	p := w.in.position
	if w.s == nil {
		if w.s, err = solve.New(p.Game(), solve.Options{Hash: w.in.Hash << 20}); err != nil {
			return badGame.of(err, w.in.Game)
		}
	}
	if v := w.known.Load(); v == nil || !v.Solved {
		v, err := w.s.Solve(ctx, p, func(v solve.Solution) { w.known.Store(&v) })
		w.known.Store(&v)
		if err != nil {
			return err
		}
		line, err := w.s.Line(ctx, p, v)
		if err != nil {
			return err
		}
		w.moves = p.AppendMoves(nil)
		w.events <- newSolution(v, p.Game(), line)
	}
	for ; len(w.moves) > 0; w.moves = w.moves[1:] {
		m := w.moves[0]
		v, err := w.s.Move(ctx, p, m)
		if err != nil {
			return err
		}
		w.events <- SolvedMove{v, p.Game().Format(m)}
	}
	if !w.s.Certifies() {
		return nil
	}
	var file bytes.Buffer
	err = w.s.Certify(ctx, p, &limited{&file, maxCertificate})
	if err == nil || errors.Is(err, errLarge) {
		w.events <- Certificate{strings.NewReplacer(":", "-", ",", "-", "=", "").Replace(p.Game().String()) + ".proof", file.Bytes(), err != nil}
		return nil
	}
	return err
}

func newSolution(v solve.Solution, g game.Game, line []game.Move) Solution {
	s := Solution{v, []string{}}
	for _, m := range line {
		s.PV = append(s.PV, g.Format(m))
	}
	return s
}

var errLarge = errors.New("the certificate is too large to be sent")

// limited is a buffer that takes so many bytes more, and none once there were too many.
type limited struct {
	*bytes.Buffer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		l.Reset()
		return 0, errLarge
	}
	return l.Buffer.Write(p)
}

// solve takes turns in the queue until the work is done or its time is up.
func (s *Server) solve(ctx context.Context, in *solveInput, send sse.Sender) {
	ctx, cancel := s.linked(ctx)
	defer cancel()
	select {
	case s.solving <- struct{}{}:
		defer func() { <-s.solving }()
	default:
		_ = send.Data(trouble(busy.because("too many positions are being solved", "")))
		return
	}
	s.numbers.analyses.Add(1)
	w := &solving{in: in, events: make(chan any)}
	left, err := time.Duration(in.Seconds)*time.Second, errTurn
	for errors.Is(err, errTurn) && left > 0 {
		var t *ticket
		if t, err = s.queue.join(in.client); err != nil {
			break
		}
		if !s.wait(ctx, t, send) {
			s.queue.leave(t)
			return
		}
		began := time.Now()
		err = s.turn(ctx, w, t, left, send)
		left -= time.Since(began)
		s.queue.leave(t)
	}
	if v := w.known.Load(); v != nil && !v.Solved {
		_ = send.Data(newSolution(*v, in.position.Game(), nil)) // a client that has gone need not know
	}
	done := Done{Reason: "finished"}
	if err != nil && !errors.Is(err, errTurn) {
		done = trouble(err)
	}
	_ = send.Data(done)
}

// turn works until all is done, the time is up, or the turn is over while others wait: errTurn.
func (s *Server) turn(ctx context.Context, w *solving, t *ticket, left time.Duration, send sse.Sender) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	ctx, cancel := context.WithTimeout(ctx, left)
	defer cancel()
	finished := make(chan error, 1)
	go func() { finished <- w.run(ctx) }()
	tick, alive := time.NewTicker(beat), time.NewTicker(pulse)
	defer tick.Stop()
	defer alive.Stop()
	var told *solve.Solution
	for {
		var e any
		select {
		case err := <-finished:
			if err == nil || ctx.Err() == nil {
				return err
			}
			if errors.Is(context.Cause(ctx), errTurn) {
				return errTurn
			}
			return nil // the time is up
		case e = <-w.events:
		case <-alive.C:
			e = Pulse{}
		case <-tick.C:
			if s.queue.over(t) {
				stop(errTurn)
			}
			if v := w.known.Load(); v != nil && v != told && !v.Solved {
				told, e = v, newSolution(*v, w.in.position.Game(), nil)
			}
		}
		if e != nil && send.Data(e) != nil {
			cancel() // the client has gone
		}
	}
}
