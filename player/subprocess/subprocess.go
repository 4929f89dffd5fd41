// SPDX-License-Identifier: Apache-2.0

// Package subprocess runs programs that read and write lines, such as engines of other authors, each in a separate process group.
//
// # Basics
//
//	p, err := subprocess.Launch(subprocess.Style{End: "\r\n", Bye: "END"}, path, args, nil)
//	err = p.Send("START %d", 15)
//	line, err := p.Next(ctx)
//	byItself := p.End(time.Second)
//
// # Caveats
//
// A program may crash, print without end, or not read its input. In these cases no function of this package waits for ever. Ending
// a program also ends its children.
package subprocess

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/krow-lab/krow/player"
)

// Style describes the lines of a protocol.
type Style struct {
	End     string        // the characters that end each sent line
	Bye     string        // the line that asks the program to end
	MaxLine int           // maximum length of a line that is read, in bytes
	Breath  time.Duration // pause between a line from the program and the next line sent to it
}

// Process is a program that runs:
//
//	Send ──> stdin │ program │ stdout ──> Next     a line at a time; any end of a line is read
//	               │         │ stderr ──> tail     its last words
//
// End must be called once, even after an error.
type Process struct {
	style  Style
	cmd    *exec.Cmd
	stdin  *os.File
	lines  chan string   // closed when the program has ended and all its output is read
	quit   chan struct{} // closed when lines will no longer be read
	exited chan struct{} // closed when the program has ended
	err    error         // how the program ended; valid after exited is closed
	stderr *tail
	log    *os.File  // see Launch
	said   []string  // the last lines sent and received, for the error after a crash
	heard  time.Time // when the last line was received
}

// straggler is the time for which the output of a program is still read after its end, if its children keep the pipe open.
const straggler = 200 * time.Millisecond

// goodbye is the time that a program may take to end after it has closed its input or output.
const goodbye = 500 * time.Millisecond

// running contains the processes that have not ended. The lock is held during the start of a process, so that KillAll also
// kills a process that is being started.
var running = struct {
	sync.Mutex
	all map[*Process]bool
}{all: map[*Process]bool{}}

// KillAll kills every program and its children. It is called when this process is about to end. Afterwards no program can be
// started.
func KillAll() {
	running.Lock() // never unlocked, so that no program starts afterwards
	for p := range running.all {
		KillGroup(p.cmd)
	}
}

// Launch starts a program. The process must be ended with End. Every line of the conversation is written to the file log, unless
// it is nil, with the time, the number of the process, and a mark:
//
//	2026-11-28T01:52:03.120417Z 4711 = ./engine      the program has started or ended
//	2026-11-28T01:52:03.120533Z 4711 > START 15      a line that is sent
//	2026-11-28T01:52:03.121904Z 4711 < OK            a line that the program writes
//	2026-11-28T01:52:03.121938Z 4711 ! no network    standard error
func Launch(style Style, path string, args []string, log *os.File) (*Process, error) {
	running.Lock()
	defer running.Unlock()
	in, stdin, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, stdout := io.Pipe()
	p := &Process{
		style: style, cmd: exec.Command(path, args...), stdin: stdin, stderr: &tail{}, log: log,
		lines: make(chan string), quit: make(chan struct{}), exited: make(chan struct{}),
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = in, stdout, p.stderr
	p.cmd.WaitDelay = straggler
	if log != nil {
		p.stderr.note = func(line string) { p.note('!', line) }
	}
	OwnGroup(p.cmd)
	err = p.cmd.Start()
	in.Close()
	if err != nil {
		stdin.Close()
		return nil, err
	}
	running.all[p] = true
	p.note('=', p.cmd.String())
	go p.read(NewReader(out, style.MaxLine))
	go func() {
		p.err = p.cmd.Wait()
		p.note('=', p.cmd.ProcessState.String())
		KillGroup(p.cmd) // kills the children that still run
		running.Lock()
		delete(running.all, p)
		running.Unlock()
		stdout.Close()
		close(p.exited)
	}()
	return p, nil
}

// read sends the lines of the program to p.lines until the program ends. After p.quit is closed, read discards the lines.
func (p *Process) read(r *Reader) {
	defer close(p.lines)
	for {
		line, err := r.Next()
		if errors.Is(err, ErrLong) {
			line = "(a line that is too long)"
		} else if err != nil {
			return
		}
		p.note('<', line)
		select {
		case p.lines <- line:
		case <-p.quit:
		}
	}
}

// note writes a line to the log. An error is ignored, because a full disk must not end the game. Each line is written at once, so
// that programs of several games can share a file.
func (p *Process) note(mark rune, line string) {
	if p.log != nil {
		fmt.Fprintf(p.log, "%s %d %c %s\n", time.Now().Format("2006-01-02T15:04:05.000000Z07:00"), p.cmd.Process.Pid, mark, line)
	}
}

const writing = 5 * time.Second

// Send writes a line to the program. It returns an error if the program has ended or does not read.
func (p *Process) Send(format string, args ...any) error {
	time.Sleep(time.Until(p.heard.Add(p.style.Breath)))
	line := fmt.Sprintf(format, args...)
	for one := range strings.SplitSeq(line, p.style.End) {
		p.note('>', one)
	}
	p.remember("> " + line)
	p.stdin.SetWriteDeadline(time.Now().Add(writing)) // if the system has no deadlines for pipes, the write may block
	if _, err := p.stdin.WriteString(line + p.style.End); err != nil {
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return fmt.Errorf("the program does not read its input: %w", player.ErrTimeout)
		}
		return p.crashed()
	}
	return nil
}

// Next returns the next line that the program writes. The error is the error of ctx, or describes how the program ended.
func (p *Process) Next(ctx context.Context) (string, error) {
	select {
	case line, ok := <-p.lines:
		if !ok {
			return "", p.crashed()
		}
		p.remember("< " + line)
		p.heard = time.Now()
		return line, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

const remembered = 3

func (p *Process) remember(line string) {
	if len(p.said) == remembered {
		p.said = append(p.said[:0], p.said[1:]...)
	}
	p.said = append(p.said, Shown(strings.ReplaceAll(line, p.style.End, " ")))
}

// crashed returns the error for a program that has ended: its status, the end of its standard error, and its last lines.
func (p *Process) crashed() error {
	select {
	case <-p.exited:
	case <-time.After(goodbye):
		return fmt.Errorf("%w: it has closed its input or output%s", player.ErrCrashed, p.Context())
	}
	how := "exit status 0"
	if p.err != nil {
		how = p.err.Error()
	}
	return fmt.Errorf("%w: %s%s", player.ErrCrashed, how, p.Context())
}

// LastLines is the text that stands in an error before the last lines sent and received.
const LastLines = "; last lines: "

// Context returns the last lines sent and received, to be appended to an error.
func (p *Process) Context() string {
	s := ""
	if words := p.stderr.String(); words != "" {
		s += fmt.Sprintf("; stderr: %s", words)
	}
	if len(p.said) > 0 {
		s += fmt.Sprintf(LastLines+"%s", strings.Join(p.said, " | "))
	}
	return s
}

// End sends the line Bye of the style, waits at most the given time for the program to end, and then kills it and its children. It
// reports whether the program ended by itself.
func (p *Process) End(wait time.Duration) (byItself bool) {
	close(p.quit)
	p.stdin.SetWriteDeadline(time.Now().Add(wait))
	p.stdin.WriteString(p.style.Bye + p.style.End) // an error does not matter, because the program may have ended already
	p.stdin.Close()
	select {
	case <-p.exited:
		byItself = true
	case <-time.After(wait):
		KillGroup(p.cmd)
		<-p.exited
	}
	for range p.lines { // discard lines until the reader closes the channel
	}
	return byItself
}

type tail struct {
	mu   sync.Mutex
	text []byte
	note func(line string) // called with each line, unless it is nil
}

const tailSize = 1 << 10

// Write appends b to the text and keeps the last tailSize bytes.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for line := range bytes.Lines(b) {
		if t.note != nil {
			t.note(strings.TrimSpace(string(line)))
		}
	}
	t.text = append(t.text, b...)
	if n := len(t.text) - tailSize; n > 0 {
		t.text = append(t.text[:0], t.text[n:]...)
	}
	return len(b), nil
}

// String returns the kept text as one line.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := bytes.Fields(t.text)
	s := string(bytes.Join(lines, []byte(" ")))
	const most = 120
	if len(s) > most {
		s = "..." + s[len(s)-most:]
	}
	return strings.ToValidUTF8(s, "?")
}
