// SPDX-License-Identifier: Apache-2.0

package solve

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rescue"
	"github.com/krow-lab/krow/notation"
)

// maxCertificate is the maximum size of the certificate of a session in bytes.
const maxCertificate = 1 << 18

// SolvedLine is a solution for the side to move. For a solved position, SolvedLine also contains a line of best play.
type SolvedLine struct {
	Solution
	PV []string `json:"pv" nullable:"false" doc:"line of moves that begins with a best move"`
}

// SolvedMove is the value of a move for the side that makes it.
type SolvedMove struct {
	Solution
	Move string `json:"move"`
}

// Certificate is a file with the proof of the value, for krow verify.
type Certificate struct {
	Name  string `json:"name"`
	Data  []byte `json:"data"`
	Large bool   `json:"large,omitempty" doc:"whether the certificate is too large to be sent"`
}

// Session solves one position, then its moves, and then writes its certificate. Its work can be interrupted and continued. Use
// NewSession.
type Session struct {
	p      game.Position
	o      Options
	s      *Solver
	solved bool
	moves  []game.Move // moves not yet solved

	mu     sync.Mutex
	known  *Solution
	events []any // results not yet passed to Report
}

// NewSession returns a session that has not begun, for a position of a game that has a solver.
func NewSession(p game.Position, o Options) *Session { return &Session{p: p, o: o} }

func (w *Session) learn(v Solution) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.known = &v
}

func (w *Session) add(event any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, event)
}

// Work solves the position, then its moves, and writes the certificate. It continues where the previous call was interrupted.
func (w *Session) Work(ctx context.Context) (err error) {
	defer rescue.Into(&err)
	p := w.p
	if w.s == nil {
		if w.s, err = New(p.Game(), w.o); err != nil {
			return err
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
		w.add(SolvedLine{v, notation.MoveNames(p.Game(), line)})
	}
	for ; len(w.moves) > 0; w.moves = w.moves[1:] {
		m := w.moves[0]
		v, err := w.s.Move(ctx, p, m)
		if err != nil {
			return err
		}
		w.add(SolvedMove{v, p.Game().Format(m)})
	}
	var file bytes.Buffer
	err = w.s.Certify(ctx, p, &limited{&file, maxCertificate})
	if err == nil || errors.Is(err, errLarge) {
		w.add(Certificate{strings.NewReplacer(":", "-", ",", "-", "=", "").Replace(p.Game().String()) + ".proof", file.Bytes(), err != nil})
		return nil
	}
	return err
}

var errLarge = errors.New("the certificate is too large to be sent")

// limited is a buffer that accepts a limited number of bytes. When the limit is exceeded, Write empties the buffer and returns
// an error.
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

// Report calls send with each new result since the previous call: a SolvedLine, SolvedMove or Certificate.
func (w *Session) Report(send func(any) error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.known != nil && !w.known.Solved {
		w.events = append(w.events, SolvedLine{*w.known, []string{}})
		w.known = nil
	}
	for ; len(w.events) > 0; w.events = w.events[1:] {
		if err := send(w.events[0]); err != nil {
			return err
		}
	}
	return nil
}
