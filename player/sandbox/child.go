// SPDX-License-Identifier: Apache-2.0

package sandbox

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player/ugi"
)

// child is the state of a child process, which runs one program at a time.
type child struct {
	games func(spec string) (game.Game, error)
	walls Walls

	// The memory of the process without the memory of the program, in bytes.
	mapped, resident, heap uint64
	first                  uint64 // value of resident before the first program was loaded

	hash    string // hash of the loaded program
	program program
	match   match // the current game
	game    game.Game
	text    string        // text of the position in the last request
	at      game.Position // the position that text describes

	// The fields that the watcher also uses.
	mu    sync.Mutex
	alarm *alarm // nil while no program runs
	said  bool   // whether the answer has been written
}

// program is a compiled program.
type program interface {
	// begin begins a game.
	begin(b beginning) (match, *Fault)
	close()
}

type beginning struct {
	game   game.Game
	seed   uint64
	params map[string]float64
	limits Limits
}

// match is a program that plays a game.
type match interface {
	// describe adds the program's declarations (its parameters and the like) to the reply.
	describe(*Reply)
	// move chooses a move in a position. It leaves the position unchanged.
	move(ctx context.Context, p game.Position, req Request, r *Reply) *Fault
	end()
}

func (c *child) do(req Request, text []byte) (r Reply) {
	req.Limits = req.Limits.Or()
	c.arm(req.Limits)
	defer c.disarm()
	start := time.Now()
	defer func() { r.Time = time.Since(start).Seconds() }()
	switch req.Op {
	case OpCheck:
		if !req.Sent {
			return Reply{Need: true}
		}
		var p program
		if p, r.Faults = c.read(req, text); p != nil {
			p.close()
		}
	case OpLoad:
		r = c.load(req, text)
	case OpEnd:
		if c.match != nil {
			c.match.end()
			c.match = nil
		}
		if c.program != nil {
			debug.FreeOSMemory() // return free memory to the system, because the process may now be idle
		}
	case OpWalls:
		r.Walls = &c.walls
	case OpMove:
		if c.match == nil {
			return Reply{Fault: &Fault{Text: "no game has begun", Reason: Error}}
		}
		p, err := c.position(req.Position)
		if err != nil {
			return Reply{Fault: &Fault{Text: err.Error(), Reason: Error}}
		}
		r.Fault = c.match.move(context.Background(), p, req, &r)
	default:
		r.Fault = &Fault{Text: fmt.Sprintf("an unknown request %q", req.Op), Reason: Error}
	}
	return r
}

// load begins a game. Before that, it compiles the program, unless the child has already loaded it.
func (c *child) load(req Request, text []byte) (r Reply) {
	if c.match != nil {
		c.match.end()
		c.match = nil
	}
	if c.hash != req.Hash || c.program == nil {
		if !req.Sent {
			return Reply{Need: true}
		}
		if c.program != nil {
			c.program.close()
			c.program = nil
		}
		program, faults := c.read(req, text)
		if len(faults) > 0 {
			f := faults[0]
			f.Reason = Error
			return Reply{Fault: &f, Faults: faults}
		}
		c.hash, c.program = req.Hash, program
		c.arm(req.Limits)
	}
	g, err := c.games(req.Game)
	if err != nil {
		return Reply{Fault: &Fault{Text: err.Error(), Reason: Error}}
	}
	c.game, c.text = g, ""
	if c.match, r.Fault = c.program.begin(beginning{g, req.Seed, req.Params, req.Limits}); r.Fault == nil {
		c.match.describe(&r)
	}
	return r
}

// position returns the position of a request. Usually the position follows from the position of the previous request by a few
// moves. Then the function plays only these moves.
func (c *child) position(text string) (game.Position, error) {
	rest, follows := strings.CutPrefix(text, c.text)
	if c.text == "" || !follows || rest != "" && rest[0] != ' ' {
		p, err := ugi.ParsePosition(c.game, text)
		c.text, c.at = text, p
		if err != nil {
			c.text = ""
		}
		return p, err
	}
	c.text = ""
	for _, word := range strings.Fields(rest) {
		if word == "moves" {
			continue
		}
		m, err := c.game.Parse(word)
		if err == nil {
			err = game.Play(c.at, m)
		}
		if err != nil {
			return nil, err
		}
	}
	c.text = text
	return c.at, nil
}
