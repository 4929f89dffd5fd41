// SPDX-License-Identifier: Apache-2.0

package subprocess

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/krow-lab/krow/game/clock"
	"github.com/krow-lab/krow/player"
)

// Options name the program to run, with its arguments and limits.
type Options struct {
	Path string // path of the program, or a name to look up in PATH
	Args []string
	// Turn is the time for a move if the caller sets no limits. 0 means DefaultTurn, or no time limit if Nodes is set.
	Turn   time.Duration
	Nodes  uint64        // nodes for a move if the caller sets no limits; only for UGI
	Match  time.Duration // time for all moves of a game; only for Gomocup; 0: no limit
	Margin time.Duration // time that the program may use beyond its limit; 0: DefaultMargin
	// Start is the maximum time from the start of the program until it is ready. 0 means half a minute, or Margin if Margin is
	// longer.
	Start  time.Duration
	Memory int64 // memory limit in bytes, sent to the program but not enforced; 0: no limit
	// Log receives every line that is sent to or read from the program; nil: none. Close closes it.
	Log *os.File
}

// Defaults of the fields of Options.
const (
	defaultTurn   = time.Second
	DefaultMargin = 100 * time.Millisecond
	defaultStart  = 30 * time.Second
)

// Program is a program whose process starts when it is needed. The process is killed, with its children, after the first error.
type Program struct {
	sync.Mutex              // held during a request
	Options                 // the defaults replace fields that are 0
	*Process                // nil before the start and after the end
	Err        error        // the first error
	Clock      *clock.Clock // see player.Clocked
	Clocked    bool         // whether SetClock was called, because the game has clocks
	style      Style
	begin      func(context.Context) error
}

// NewProgram returns a program that is not started yet. begin is called after the start of the process. It exchanges messages with
// the process until the process is ready.
func NewProgram(style Style, o Options, begin func(context.Context) error) *Program {
	if o.Turn == 0 && o.Nodes == 0 {
		o.Turn = defaultTurn
	}
	if o.Margin == 0 {
		o.Margin = DefaultMargin
	}
	if o.Start == 0 {
		o.Start = max(defaultStart, o.Margin)
	}
	return &Program{Options: o, style: style, begin: begin}
}

// Name returns the program's file name.
func (p *Program) Name() string { return filepath.Base(p.Path) }

// SetClock sets the clock of a game with clocks. The program receives the remaining time, and manages it itself.
func (p *Program) SetClock(c clock.Clock) {
	p.Lock()
	defer p.Unlock()
	p.Clock, p.Clocked = &c, true
}

// Start starts the process, and waits until it is ready to play. Some programs take seconds to start; this time is not
// subtracted from the clock of the game.
func (p *Program) Start() error {
	p.Lock()
	defer p.Unlock()
	return p.Ready(context.Background())
}

// Ready starts the process, unless it runs or has failed, and waits until it is ready. The caller holds the lock.
func (p *Program) Ready(ctx context.Context) (err error) {
	if p.Err != nil || p.Process != nil {
		return p.Err
	}
	within, cancel := context.WithTimeout(ctx, p.Options.Start)
	defer cancel()
	if p.Process, err = Launch(p.style, p.Path, p.Args, p.Log); err == nil {
		err = p.begin(within)
	}
	if err == nil {
		return nil
	}
	if within.Err() != nil && ctx.Err() == nil {
		err = p.Late(p.Options.Start)
	}
	return p.Fail(err)
}

// Late returns the error of a program that has not answered within the given time.
func (p *Program) Late(after time.Duration) error {
	return fmt.Errorf("%w after %v%s", player.ErrTimeout, after, p.Context())
}

// Context returns the last lines sent and received, if the program runs.
func (p *Program) Context() string {
	if p.Process == nil {
		return ""
	}
	return p.Process.Context()
}

// Fail ends the program after the error err, and returns err with the program's name and its last lines. The caller holds the lock.
func (p *Program) Fail(err error) error {
	if !strings.Contains(err.Error(), LastLines) {
		err = fmt.Errorf("%w%s", err, p.Context())
	}
	p.Err = fmt.Errorf("%s: %w", p.Name(), err)
	p.end(0)
	return p.Err
}

// Goodbye is the time that a program may take to end by itself.
const Goodbye = time.Second

// Close ends the program, after it has answered a pending question. It may be called twice.
func (p *Program) Close() error {
	p.Lock()
	defer p.Unlock()
	p.end(Goodbye)
	if p.Log != nil {
		p.Log.Close()
	}
	if p.Err == nil {
		p.Err = errors.New("the program is closed")
	}
	return nil
}

func (p *Program) end(wait time.Duration) {
	if p.Process != nil {
		p.Process.End(wait)
		p.Process = nil
	}
}
