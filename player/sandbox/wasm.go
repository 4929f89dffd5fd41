// SPDX-License-Identifier: Apache-2.0

//go:build !js

package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player/ugi"
)

const wasi = wasi_snapshot_preview1.ModuleName

// wasmProgram is a compiled WebAssembly module.
type wasmProgram struct {
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
}

const page = 64 << 10 // size of a page of WebAssembly memory, in bytes

// readWASM compiles a module. The module can use at most the given memory, in bytes. readWASM does not run the module.
func readWASM(text []byte, memory int64) (program, []Fault) {
	ctx := context.Background()
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(uint32(min(max(memory/page, 1), 65536)))
	w := &wasmProgram{runtime: wazero.NewRuntimeWithConfig(ctx, config)}
	if err := w.read(ctx, text); err != nil {
		w.close()
		return nil, []Fault{{Text: oneLine(err.Error()), Reason: Error}}
	}
	return w, nil
}

func (w *wasmProgram) read(ctx context.Context, text []byte) (err error) {
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, w.runtime); err != nil {
		return err
	}
	if text, err = boundTables(text); err != nil {
		return err
	}
	if w.compiled, err = w.runtime.CompileModule(ctx, text); err != nil {
		return fmt.Errorf("unsupported module: %w", err)
	}
	for _, f := range w.compiled.ImportedFunctions() {
		if module, name, _ := f.Import(); module != wasi {
			return fmt.Errorf("the module imports %s.%s, but a bot can import only WASI (%s)", module, name, wasi)
		}
	}
	for _, m := range w.compiled.ImportedMemories() {
		module, name, _ := m.Import()
		return fmt.Errorf("the module imports the memory %s.%s, but a bot must have its own memory", module, name)
	}
	if w.compiled.ExportedFunctions()["_start"] == nil {
		return errors.New("the module exports no function _start: compile it as a program for WASI, not as a library")
	}
	return nil
}

func (w *wasmProgram) close() { _ = w.runtime.Close(context.Background()) } // no error is possible, because no module is running

// wasmMatch is a module that plays a game. It reads and writes lines, as a UGI engine does.
type wasmMatch struct {
	beginning
	in   *feed
	said chan string   // lines of the module's output
	over chan struct{} // receives a value when the module has printed too much
	done chan struct{} // closed when the module has ended
	err  error         // how the module ended; valid after done is closed

	mu      sync.Mutex
	rest    []byte // the start of a line of output that is not complete yet
	written int    // bytes of output for this move
}

func (w *wasmProgram) begin(b beginning) (match, *Fault) {
	m := &wasmMatch{beginning: b, in: newFeed(), said: make(chan string), over: make(chan struct{}, 1), done: make(chan struct{})}
	lots := rng.Rand(rng.Mix(b.seed, 0xb07))
	config := wazero.NewModuleConfig().WithName("").WithArgs("bot").WithStdin(m.in).WithStdout(m).WithStderr(m).
		WithRandSource(&lottery{&lots})
	go func() {
		defer close(m.done)
		module, err := w.runtime.InstantiateModule(context.Background(), w.compiled, config)
		if module != nil {
			_ = module.Close(context.Background()) // an error does not matter, because the module has ended
		}
		m.err = err
	}()
	if _, f := m.until("ugi", "ugiok", nil); f != nil {
		return nil, f // after this fault the parent kills the process
	}
	start := fmt.Sprintf("setoption name Game value %s\nsetoption name Seed value %d\nuginewgame\nisready", b.game, b.seed)
	if _, f := m.until(start, "readyok", nil); f != nil {
		return nil, f
	}
	return m, nil
}

func (m *wasmMatch) describe(*Reply) {}

// end closes the module's input and waits until the module has ended. If it does not end, the parent kills this process.
func (m *wasmMatch) end() {
	m.in.close()
	for {
		select {
		case <-m.said:
		case <-m.done:
			return
		}
	}
}

// Write receives the module's output and splits it into lines.
func (m *wasmMatch) Write(data []byte) (int, error) {
	m.mu.Lock()
	m.written += len(data)
	over := m.written > m.limits.Output
	m.mu.Unlock()
	if over {
		select {
		case m.over <- struct{}{}:
		default:
		}
		return 0, io.ErrShortWrite
	}
	m.rest = append(m.rest, data...)
	for {
		line, rest, ends := bytes.Cut(m.rest, []byte("\n"))
		if !ends {
			return len(data), nil
		}
		m.said <- string(line)
		m.rest = rest
	}
}

// until sends the module a line of text, and reads lines until one begins with word. It returns the rest of that line, and calls
// hear with each line before it.
func (m *wasmMatch) until(text, word string, hear func(string)) (string, *Fault) {
	m.mu.Lock()
	m.written = 0
	m.mu.Unlock()
	m.in.put(text + "\n")
	for {
		select {
		case line := <-m.said:
			line = strings.TrimSpace(line)
			if first, rest, _ := strings.Cut(line, " "); first == word {
				return rest, nil
			}
			if hear != nil {
				hear(line)
			}
		case <-m.in.hungry:
			// The module has only one thread and has begun to read, so it has written all its lines.
			return "", &Fault{Text: fmt.Sprintf("it reads on instead of answering with %s", word), Reason: Error}
		case <-m.over:
			return "", &Fault{Text: fmt.Sprintf("it prints more than %d kB for a move", m.limits.Output>>10), Reason: Output}
		case <-m.done:
			return "", &Fault{Text: m.ending(), Reason: Error}
		}
	}
}

// ending returns the text of a Fault that describes how the module ended.
func (m *wasmMatch) ending() string {
	exit := new(sys.ExitError)
	switch {
	case errors.As(m.err, &exit):
		return fmt.Sprintf("it ended with status %d", exit.ExitCode())
	case m.err != nil:
		text, _, _ := strings.Cut(m.err.Error(), "\n")
		return "it failed: " + oneLine(text)
	}
	return "it ended"
}

// move asks the module for its move. It sends the position in the notation of UGI, the same position in a form that is easier to
// parse, and the command go.
func (m *wasmMatch) move(_ context.Context, p game.Position, req Request, r *Reply) *Fault {
	started := time.Now()
	legal := game.AppendSound(nil, p)
	text := strings.Builder{}
	text.WriteString(ugi.FormatPosition(p) + "\n")
	if board := notation.FormatFEN(p); board != "" {
		text.WriteString("board " + board + "\n")
	}
	text.WriteString("legalmoves " + notation.FormatMoves(m.game, legal) + "\ngo")
	if req.Depth > 0 {
		fmt.Fprintf(&text, " depth %d", req.Depth)
	}
	if req.Nodes > 0 {
		fmt.Fprintf(&text, " nodes %d", req.Nodes)
	}
	if req.Time > 0 {
		fmt.Fprintf(&text, " movetime %d", max(req.Time.Milliseconds(), 1))
	}
	ply := p.Ply()
	answer, f := m.until(text.String(), "bestmove", func(line string) {
		if req.Log {
			r.Lines = append(r.Lines, Line{Ply: ply, Text: oneLine(line)})
		}
	})
	if f == nil {
		f = m.readAnswer(p, answer, r)
	}
	if req.Log {
		end := Line{Ply: ply, Time: time.Since(started), Fault: f}
		if f == nil {
			end.Move = m.game.Format(game.Move(r.Move))
		}
		r.Lines = append(r.Lines, end)
	}
	return f
}

func (m *wasmMatch) readAnswer(p game.Position, text string, r *Reply) *Fault {
	name, _, _ := strings.Cut(text, " ")
	move, err := m.game.Parse(name)
	if err == nil && !game.Legal(p, move) {
		err = errors.New("no legal move")
	}
	if err != nil {
		return &Fault{Text: fmt.Sprintf("it says bestmove %s: %v", oneLine(name), err), Reason: Illegal}
	}
	r.Move, r.PV = int(move), []int{int(move)}
	return nil
}

// feed is the standard input of a module. It sends a signal when the module tries to read and no input is pending.
type feed struct {
	mu     sync.Mutex
	more   *sync.Cond
	data   []byte
	closed bool
	hungry chan struct{}
}

func newFeed() *feed {
	f := &feed{hungry: make(chan struct{}, 1)}
	f.more = sync.NewCond(&f.mu)
	return f
}

func (f *feed) put(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	select {
	case <-f.hungry:
	default:
	}
	f.data = append(f.data, text...)
	f.more.Broadcast()
}

func (f *feed) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	f.more.Broadcast()
}

// Read waits until there is something to read.
func (f *feed) Read(b []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.data) == 0 {
		if f.closed {
			return 0, io.EOF
		}
		select {
		case f.hungry <- struct{}{}:
		default:
		}
		f.more.Wait()
	}
	n := copy(b, f.data)
	f.data = f.data[n:]
	return n, nil
}

// lottery is the module's source of random numbers.
type lottery struct{ r *rng.Rand }

// Read fills b.
func (l *lottery) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(l.r.Next() >> 56)
	}
	return len(b), nil
}
