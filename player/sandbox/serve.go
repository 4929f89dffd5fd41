// SPDX-License-Identifier: Apache-2.0

package sandbox

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/cpu"
	"github.com/krow-lab/krow/player/ugi"
)

// Serve runs this process as a child if it was started as one, and then does not return. It must be called before anything else,
// in the init function of a package that every binary which opens bots imports. games returns the game of a spec.
func Serve(games func(spec string) (game.Game, error)) {
	if len(os.Args) != 1 || os.Args[0] != called && os.Args[0] != calledFirst {
		return
	}
	if os.Args[0] == calledFirst {
		enterNamespaces()
	}
	debug.SetTraceback("none")
	debug.SetMaxStack(64 << 20)
	runtime.GOMAXPROCS(2)   // the program and the watcher, or the collector
	debug.SetGCPercent(400) // programs produce much garbage; the memory limit makes the collector run in time
	c := &child{games: games, walls: confine()}
	c.mapped, c.first = memoryInUse()
	c.resident = c.first
	go c.watch()
	requests := make(chan received)
	go receive(requests)
	for r := range requests {
		c.reply(c.do(r.Request, r.text))
	}
}

type received struct {
	Request
	text []byte
}

// receive reads requests. It continues to read while a program runs, so that the child ends when its parent ends.
func receive(requests chan<- received) {
	in := bufio.NewReader(os.Stdin)
	for {
		var r received
		var err error
		if r.text, err = readFrame(in, &r.Request); err != nil {
			os.Exit(0)
		}
		requests <- r
	}
}

// child is the state of a child.
type child struct {
	games func(spec string) (game.Game, error)
	walls Walls

	// Memory of the process without the program's own, in bytes.
	mapped, resident, heap uint64
	first                  uint64 // resident before the first program was loaded

	hash    string // hash of the loaded program
	program program
	match   match // the current game
	game    game.Game
	text    string        // text of the position in the last request
	at      game.Position // the position itself

	// Shared with the watcher.
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
	// move chooses a move in a position. It leaves the position as it found it.
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
			debug.FreeOSMemory() // the process may now be idle for some time
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

// load begins a game.
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

// The limits of the compilation of a module.
const (
	compileTime   = 30 * time.Second
	compileMemory = 768 << 20
	mostCompiled  = 256 << 20 // limit of the memory that remains in use after it
)

// read compiles a program of either kind.
func (c *child) read(req Request, text []byte) (program, []Fault) {
	if req.Kind != KindWASM {
		return readStarlark(req.Name, text)
	}
	c.arm(Limits{CPU: compileTime, Memory: compileMemory})
	p, faults := readWASM(text, req.Limits.Memory)
	debug.FreeOSMemory()
	c.mapped, c.resident = memoryInUse()
	c.heap = heapInUse()
	c.arm(req.Limits)
	if p != nil && c.resident > c.first+mostCompiled {
		p.close()
		return nil, []Fault{{Text: fmt.Sprintf("compiled, it takes more than %d MB", mostCompiled>>20), Reason: Memory}}
	}
	return p, faults
}

// position returns the position of a request. Usually only a few moves lead there from the previous position, so it plays those.
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

// alarm holds the limits at which the watcher ends the process.
type alarm struct {
	limit    int64  // limit of the program's memory
	heap     uint64 // size of the process's heap above which the program uses too much memory
	resident uint64
	cpu      time.Duration // processor time of the process at which the program is late
}

// exceeded reports whether the process uses too much memory.
func (a *alarm) exceeded() bool {
	_, resident := memoryInUse()
	return heapInUse() > a.heap || resident > a.resident
}

const watchEvery = 5 * time.Millisecond

var begun = time.Now()

// used returns the processor time that this process has used or, where it is not known, the time since the process began, which is at
// least that.
func used() time.Duration { return cmp.Or(cpu.Time(), time.Since(begun)) }

// heapInUse returns the size of all objects, including garbage, in bytes.
func heapInUse() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// watch ends the process when the program uses too much memory or is late.
func (c *child) watch() {
	for {
		time.Sleep(watchEvery)
		c.mu.Lock()
		a := c.alarm
		c.mu.Unlock()
		if a == nil {
			continue
		}
		if a.exceeded() {
			debug.FreeOSMemory() // memory that is no longer used does not count
			if a.exceeded() {
				c.last(&Fault{Text: fmt.Sprintf("it uses more than %d MB of memory", a.limit>>20), Reason: Memory})
			}
		}
		if used() > a.cpu {
			c.last(&Fault{Text: "it takes too long", Reason: CPU})
		}
	}
}

// slack is the memory that the process may use in addition to twice the program's own.
const slack = 64 << 20

// arm starts the watch.
func (c *child) arm(l Limits) {
	a := &alarm{limit: l.Memory, heap: uint64(l.Memory), resident: c.resident + 2*uint64(l.Memory) + slack, cpu: used() + l.CPU}
	if _, compiled := c.program.(*wasmProgram); compiled {
		a.heap = c.heap + 2*uint64(l.Memory) + slack // a module's memory is copied when it grows
	}
	debug.SetMemoryLimit(int64(a.heap))
	provide(c.mapped, l.Memory)
	endAt(a.cpu)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.alarm, c.said = a, false
}

// disarm ends the watch. If a module continues to run after its move, the system ends it.
func (c *child) disarm() {
	endAt(used())
	c.mu.Lock()
	defer c.mu.Unlock()
	c.alarm = nil
}

// reply writes an answer.
func (c *child) reply(r Reply) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := writeFrame(os.Stdout, r, nil); err != nil {
		os.Exit(1)
	}
	c.said = true
}

// last writes a final answer, unless the request has been answered already, and ends the process.
func (c *child) last(f *Fault) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.alarm == nil || c.said {
		return
	}
	_ = writeFrame(os.Stdout, Reply{Fault: f}, nil) // an error does not matter, because the parent notices the end
	os.Exit(0)
}
