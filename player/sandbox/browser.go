// SPDX-License-Identifier: Apache-2.0

//go:build js

package sandbox

import (
	"context"
	"errors"
	"time"

	"github.com/krow-lab/krow/game"
)

var gameOf func(spec string) (game.Game, error)

// Serve stores games, the function that returns the game that a spec (a text such as "gomoku") names. On other systems Serve
// does not return in a child process. Here it always returns, because there are no child processes in a browser: a web worker
// runs the bots, and the browser isolates the worker.
func Serve(games func(spec string) (game.Game, error)) { gameOf = games }

// ErrLate is never returned in a browser, where the limit of steps ends programs.
var ErrLate = errors.New("no answer in time")

// Process runs programs. On other systems it is a child process; in a browser it calls the programs directly.
type Process struct {
	child child
	Used  bool // always false
}

// Take returns a Process. For a WebAssembly module it returns an error, because in a browser only programs in Starlark can run.
func Take(kind, _ string) (*Process, error) {
	if kind == KindWASM {
		return nil, errors.New("a WebAssembly module needs a server")
	}
	return &Process{child: child{games: gameOf}}, nil
}

// Give does nothing.
func (p *Process) Give() {}

// Ask performs a request in this process. A reply with a Fault is not an error.
func (p *Process) Ask(ctx context.Context, _ time.Duration, req Request, text []byte) (Reply, error) {
	if err := ctx.Err(); err != nil {
		return Reply{}, err
	}
	req.Sent = true
	return p.child.do(req, text), nil
}

func (c *child) read(req Request, text []byte) (program, []Fault) {
	return readStarlark(req.Name, text)
}

type alarm struct{}

// arm and disarm do nothing, because a browser has no watcher that ends programs.
func (c *child) arm(Limits) {}
func (c *child) disarm()    {}
