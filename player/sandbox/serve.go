// SPDX-License-Identifier: Apache-2.0

//go:build !js

package sandbox

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/cpu"
)

// Serve runs this process as a child if it was started as one, and then does not return. A binary that opens bots must call it
// before anything else. games returns the game of a spec.
func Serve(games func(spec string) (game.Game, error)) {
	if len(os.Args) != 1 || os.Args[0] != called && os.Args[0] != calledFirst {
		return
	}
	if os.Args[0] == calledFirst {
		enterNamespaces()
	}
	debug.SetTraceback("none")
	debug.SetMaxStack(64 << 20)
	runtime.GOMAXPROCS(2) // one thread for the program, one for the watcher or the collector
	// Programs produce much garbage, so the garbage collector runs less often than usual. The memory limit that the method arm
	// sets makes it run before the program uses too much memory.
	debug.SetGCPercent(400)
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

// receive reads requests. It continues to read while a program runs, so that the child ends when its parent ends: then the
// input ends too.
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

// The limits of the compilation of a module.
const (
	compileTime   = 30 * time.Second
	compileMemory = 768 << 20
	mostCompiled  = 256 << 20 // limit of the memory that remains in use after the compilation
)

// read compiles the program in text: a module of WebAssembly if req.Kind is KindWASM, and otherwise a program in Starlark.
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

// alarm contains the limits at which the watcher ends the process.
type alarm struct {
	limit    int64  // limit of the program's memory
	heap     uint64 // size of the process's heap above which the program uses too much memory
	resident uint64
	cpu      time.Duration // the watcher ends the process at this processor time
}

// exceeded reports whether the process uses too much memory.
func (a *alarm) exceeded() bool {
	_, resident := memoryInUse()
	return heapInUse() > a.heap || resident > a.resident
}

const watchEvery = 5 * time.Millisecond

var begun = time.Now()

// used returns the processor time that this process has used. If the system does not report it, used returns the time since the
// process began, which is at least the processor time of a process on one processor.
func used() time.Duration { return cmp.Or(cpu.Time(), time.Since(begun)) }

// heapInUse returns the size of all objects, including garbage, in bytes.
func heapInUse() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// watch ends the process when the program uses too much memory or processor time.
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
			debug.FreeOSMemory() // return unused memory to the system, so that it does not count
			if a.exceeded() {
				c.last(&Fault{Text: fmt.Sprintf("it uses more than %d MB of memory", a.limit>>20), Reason: Memory})
			}
		}
		if used() > a.cpu {
			c.last(&Fault{Text: "it takes too long", Reason: CPU})
		}
	}
}

// slack is the memory that the process may use in addition to twice the memory of the program.
const slack = 64 << 20

// arm starts the watch.
func (c *child) arm(l Limits) {
	a := &alarm{limit: l.Memory, heap: uint64(l.Memory), resident: c.resident + 2*uint64(l.Memory) + slack, cpu: used() + l.CPU}
	if _, compiled := c.program.(*wasmProgram); compiled {
		a.heap = c.heap + 2*uint64(l.Memory) + slack // twice the limit, because a module's memory is copied when it grows
	}
	debug.SetMemoryLimit(int64(a.heap))
	provide(c.mapped, l.Memory)
	endAt(a.cpu)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.alarm, c.said = a, false
}

// disarm ends the watch. If a module continues to run after its move, the timer of the operating system ends it.
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

// last writes a final answer and ends the process. If the request has been answered already, it does nothing.
func (c *child) last(f *Fault) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.alarm == nil || c.said {
		return
	}
	_ = writeFrame(os.Stdout, Reply{Fault: f}, nil) // an error does not matter, because the parent notices that this process ends
	os.Exit(0)
}
