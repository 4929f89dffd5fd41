// SPDX-License-Identifier: Apache-2.0

package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/krow-lab/krow/app/solve"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rescue"
)

const (
	// maxSolving bounds the positions that are solved at once, each with a table that it keeps while it waits.
	maxSolving = 4
	// maxCertificate is how large a certificate may be to be sent, in bytes.
	maxCertificate = 1 << 18
)

type solveInput struct {
	Place
	Seconds int `query:"seconds" minimum:"1" maximum:"600" default:"60" doc:"of work, without the time in the queue"`
	Hash    int `query:"hash" minimum:"1" maximum:"256" default:"64" doc:"size of the table in MB"`
}

// Resolve finds the position, since a stream that has begun cannot be refused.
func (in *solveInput) Resolve(huma.Context) []error {
	err := in.find()
	switch {
	case err != nil:
	case in.position.Outcome() != game.Ongoing:
		err = gameOver.new()
	case !solve.Knows(in.position.Game()):
		err = noSolver.with(fmt.Sprintf("%s has %v", in.position.Game(), solve.ErrNone), in.Game)
	}
	return wrong(err)
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

// solving is the work on one position. run goes on where the turn before has ended.
type solving struct {
	in     *solveInput
	s      *solve.Solver
	solved bool
	moves  []game.Move // to be solved

	mu     sync.Mutex
	known  *solve.Solution
	events []any // to be sent
}

func (w *solving) learn(v solve.Solution) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.known = &v
}

func (w *solving) say(event any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, event)
}

// run solves the position, then its moves, and writes the certificate.
func (w *solving) run(ctx context.Context) (err error) {
	defer rescue.Into(&err)
	p := w.in.position
	if w.s == nil {
		if w.s, err = solve.New(p.Game(), solve.Options{Hash: w.in.Hash << 20}); err != nil {
			return badGame.wrap(err, w.in.Game)
		}
	}
	if !w.solved {
		v, err := w.s.Solve(ctx, p, w.learn)
		if err != nil {
			w.learn(v)
			return err
		}
		line, err := w.s.Line(ctx, p, v)
		if err != nil {
			return err
		}
		w.solved, w.moves = true, p.AppendMoves(nil)
		w.say(newSolution(v, p.Game(), line))
	}
	for ; len(w.moves) > 0; w.moves = w.moves[1:] {
		m := w.moves[0]
		v, err := w.s.Move(ctx, p, m)
		if err != nil {
			return err
		}
		w.say(SolvedMove{v, p.Game().Format(m)})
	}
	var file bytes.Buffer
	err = w.s.Certify(ctx, p, &limited{&file, maxCertificate})
	if err == nil || errors.Is(err, errLarge) {
		w.say(Certificate{strings.NewReplacer(":", "-", ",", "-", "=", "").Replace(p.Game().String()) + ".proof", file.Bytes(), err != nil})
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

func (w *solving) tell(send sse.Sender) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.known != nil && !w.known.Solved {
		w.events = append(w.events, newSolution(*w.known, w.in.position.Game(), nil))
		w.known = nil
	}
	for ; len(w.events) > 0; w.events = w.events[1:] {
		if err := send.Data(w.events[0]); err != nil {
			return err
		}
	}
	return nil
}

// solve works in turns until all is done or the time is up.
func (s *Server) solve(ctx context.Context, in *solveInput, send sse.Sender) {
	if err := s.fair(ctx, in.position); err != nil {
		end(send, err)
		return
	}
	leave, ok := s.solving.Try(clientOf(ctx))
	if !ok {
		end(send, busy.with("too many positions are being solved", ""))
		return
	}
	defer leave()
	defer s.numbers.analysisTime.UpdateDuration(time.Now())
	w := &solving{in: in}
	left, err := s.within(time.Duration(in.Seconds)*time.Second), errTurn
	for err == errTurn && left > 0 {
		err = s.turn(ctx, clientOf(ctx), false, send, func(ctx context.Context) error {
			began := time.Now()
			defer func() { left -= time.Since(began) }()
			limited, cancel := context.WithTimeout(ctx, left)
			defer cancel()
			err := w.run(limited)
			if limited.Err() != nil {
				return ctx.Err() // the time that is up is no error
			}
			return err
		}, func() error { return w.tell(send) })
	}
	end(send, err)
}
