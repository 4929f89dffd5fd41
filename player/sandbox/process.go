// SPDX-License-Identifier: Apache-2.0

//go:build !js

package sandbox

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/krow-lab/krow/player/subprocess"
)

// These are the names (argument 0) with which the binary is started as a child. There are no other arguments. The server starts
// the binary with the first name. That process starts the binary again with the second name, in new namespaces. If the system
// does not allow namespaces, the first process runs the programs itself.
const (
	calledFirst = "krow-cage-outside"
	called      = "krow-cage"
)

// Process is a child process that runs programs. It belongs to one goroutine at a time.
type Process struct {
	cmd     *exec.Cmd
	in, out *os.File
	errs    *os.File
	kind    string
	hash    string // hash of the program that the child has loaded
	broken  bool
	// Used reports whether the child has played an earlier game and was idle after it. Meanwhile the system may have ended the
	// child.
	Used bool
}

// idle contains the children that have no game. A child that is not used for some time is killed.
var idle struct {
	sync.Mutex
	all   []*Process
	timer *time.Timer
}

const (
	mostIdle = 8
	idleTime = 20 * time.Second
)

// Take returns a child for programs of a kind. It prefers an idle child that has loaded the program with this hash, and
// otherwise takes any idle child. If none is idle, it starts a new child. Each kind has its own children, because a child that
// has run a module may already use more memory than the limit of a Starlark program.
func Take(kind, hash string) (*Process, error) {
	idle.Lock()
	defer idle.Unlock()
	at := -1
	for i, p := range idle.all {
		if p.kind == kind && (at < 0 || p.hash == hash) {
			at = i
		}
	}
	if at >= 0 {
		p := idle.all[at]
		idle.all = append(idle.all[:at], idle.all[at+1:]...)
		return p, nil
	}
	return start(kind)
}

// Give adds the child to the idle children when its game is over.
func (p *Process) Give() {
	if p.broken {
		return
	}
	idle.Lock()
	defer idle.Unlock()
	p.Used = true
	idle.all = append(idle.all, p)
	if len(idle.all) > mostIdle {
		idle.all[0].kill()
		idle.all = idle.all[1:]
	}
	if idle.timer == nil {
		idle.timer = time.AfterFunc(idleTime, CloseIdle)
	} else {
		idle.timer.Reset(idleTime)
	}
}

// CloseIdle ends all idle children.
func CloseIdle() {
	idle.Lock()
	defer idle.Unlock()
	for _, p := range idle.all {
		p.kill()
	}
	idle.all = nil
}

func start(kind string) (*Process, error) {
	path, err := self()
	if err != nil {
		return nil, err
	}
	var pipes [6]*os.File
	for i := 0; i < len(pipes); i += 2 {
		if pipes[i], pipes[i+1], err = os.Pipe(); err != nil {
			closeAll(pipes[:i]...)
			return nil, err
		}
	}
	p := &Process{kind: kind, in: pipes[1], out: pipes[2], errs: pipes[4]}
	p.cmd = &exec.Cmd{Path: path, Args: []string{calledFirst}, Env: []string{}, Stdin: pipes[0], Stdout: pipes[3], Stderr: pipes[5]}
	if runtime.GOOS != "windows" {
		p.cmd.Dir = "/"
	}
	subprocess.OwnGroup(p.cmd)
	keepFiles()
	err = p.cmd.Start()
	closeAll(pipes[0], pipes[3], pipes[5])
	if err != nil {
		closeAll(p.in, p.out, p.errs)
		return nil, err
	}
	return p, nil
}

// self returns a path of this binary that works even if the file was replaced since the start.
func self() (string, error) {
	const link = "/proc/self/exe"
	if runtime.GOOS == "linux" {
		return link, nil
	}
	return os.Executable()
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		f.Close()
	}
}

// ErrLate is returned by Ask when the child has not answered in time.
var ErrLate = errors.New("no answer in time")

// Ask sends a request to the child and returns the answer. If the child does not have the program's text, Ask also sends the
// text. A reply with a Fault is not an error. Ask kills the child after an error, and after a fault that may have damaged the
// child.
func (p *Process) Ask(ctx context.Context, wall time.Duration, req Request, text []byte) (Reply, error) {
	if err := ctx.Err(); err != nil {
		return Reply{}, err
	}
	reply, err := p.exchange(ctx, wall, req, nil)
	if err == nil && reply.Need {
		req.Sent = true
		reply, err = p.exchange(ctx, wall, req, text)
	}
	switch {
	case err == nil && reply.Fault != nil && (req.Kind == KindWASM || fatal(reply.Fault.Reason)):
		p.kill()
	case err != nil && ctx.Err() != nil:
		p.kill()
		return Reply{}, ctx.Err()
	case errors.Is(err, os.ErrDeadlineExceeded):
		p.kill()
		return Reply{}, ErrLate
	case err != nil:
		return Reply{Fault: died(p.kill())}, nil
	default:
		p.hash = req.Hash
	}
	return reply, nil
}

func (p *Process) exchange(ctx context.Context, wall time.Duration, req Request, text []byte) (reply Reply, err error) {
	until := time.Now().Add(wall)
	p.in.SetWriteDeadline(until)
	p.out.SetReadDeadline(until)
	stop := context.AfterFunc(ctx, func() {
		p.in.SetWriteDeadline(time.Unix(1, 0))
		p.out.SetReadDeadline(time.Unix(1, 0))
	})
	defer stop()
	if err := writeFrame(p.in, req, text); err != nil {
		return reply, err
	}
	_, err = readFrame(p.out, &reply)
	return reply, err
}

// fatal reports whether a child must be killed after a fault with this reason.
func fatal(reason string) bool { return reason == CPU || reason == Memory || reason == Crash }

// kill ends the child and all processes that it started, and returns the end of its standard error.
func (p *Process) kill() string {
	if p.broken {
		return ""
	}
	p.broken = true
	subprocess.KillGroup(p.cmd)
	p.errs.SetReadDeadline(time.Now().Add(time.Second))
	words, _ := io.ReadAll(io.LimitReader(p.errs, 1<<10)) // after an error, words contains the bytes read before it
	_ = p.cmd.Wait()                                      // the status is ignored, because it only reports that the child was killed
	closeAll(p.in, p.out, p.errs)
	return string(words)
}

// died returns the Fault for a child that has ended. words is the end of its standard error, which shows the reason.
func died(words string) *Fault {
	has := func(some ...string) bool {
		return slices.ContainsFunc(some, func(w string) bool { return strings.Contains(words, w) })
	}
	switch {
	case has("stack overflow", "stack exceeds"):
		return &Fault{Text: "it nests too deeply", Reason: Depth}
	case strings.HasPrefix(words, "SIGABRT: "):
		return &Fault{Text: "it takes too long", Reason: CPU}
	// The Go runtime prints these messages if the operating system gives it no more memory. It then ends the process by a
	// signal, and not with a panic.
	case has("out of memory", "allocate", "cannot map", "failed to reserve", "failed to create new OS thread", "pthread_create failed"), strings.HasPrefix(words, "SIGSEGV: "):
		return &Fault{Text: "it uses too much memory", Reason: Memory}
	}
	first, _, _ := strings.Cut(words, "\n")
	return &Fault{Text: strings.TrimSuffix("its process ended: "+oneLine(first), ": "), Reason: Crash}
}
