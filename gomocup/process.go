// SPDX-License-Identifier: Apache-2.0

package gomocup

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

// process is a brain in a process of its own, in a process group of its own:
//
//	send ──> stdin │ brain │ stdout ──> next     a line at a time, CRLF one way and any end the other
//	               │       │ stderr ──> tail     its last words
//
// It must be ended once, whatever happened before.
type process struct {
	cmd    *exec.Cmd
	stdin  *os.File
	lines  chan string   // closed when the brain has ended and all it said is read
	quit   chan struct{} // closed when nobody will read lines any more
	exited chan struct{} // closed when the brain has ended
	err    error         // how it ended; valid once exited is closed
	stderr *tail
	said   []string  // the last lines of both ends, for the error of a crash
	heard  time.Time // when the last line came
}

// straggler is how long a pipe is read after the brain's end, if its children keep it open.
const straggler = 200 * time.Millisecond

// running are the brains that have not ended. The lock is held while one starts, so that KillAll misses none.
var running = struct {
	sync.Mutex
	all map[*process]bool
}{all: map[*process]bool{}}

// KillAll kills every brain and its children, for a process that ends at once. From here on none is started.
func KillAll() {
	running.Lock() // for ever
	for p := range running.all {
		killGroup(p.cmd)
	}
}

func launch(path string, args []string) (*process, error) {
	running.Lock()
	defer running.Unlock()
	in, stdin, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, stdout := io.Pipe()
	p := &process{
		cmd: exec.Command(path, args...), stdin: stdin, stderr: &tail{},
		lines: make(chan string), quit: make(chan struct{}), exited: make(chan struct{}),
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = in, stdout, p.stderr
	p.cmd.WaitDelay = straggler
	ownGroup(p.cmd)
	err = p.cmd.Start()
	in.Close()
	if err != nil {
		stdin.Close()
		return nil, err
	}
	running.all[p] = true
	go p.read(newLineReader(out))
	go func() {
		p.err = p.cmd.Wait()
		killGroup(p.cmd) // its children
		running.Lock()
		delete(running.all, p)
		running.Unlock()
		stdout.Close()
		close(p.exited)
	}()
	return p, nil
}

// read hands over the lines of the brain until it ends; after quit it throws them away.
func (p *process) read(r lineReader) {
	defer close(p.lines)
	for {
		line, err := r.next()
		if errors.Is(err, errLong) {
			line = "(a line that is too long)"
		} else if err != nil {
			return
		}
		select {
		case p.lines <- line:
		case <-p.quit:
		}
	}
}

const writing = 5 * time.Second

// breath is the time before the next command. Rapfi 0.43 loses one that comes in the instant it stops thinking.
const breath = 5 * time.Millisecond

// send writes a line. A brain that has ended, or does not read, is an error.
func (p *process) send(format string, args ...any) error {
	time.Sleep(time.Until(p.heard.Add(breath)))
	line := fmt.Sprintf(format, args...)
	p.remember("> " + line)
	p.stdin.SetWriteDeadline(time.Now().Add(writing)) // without deadlines for pipes the write waits
	if _, err := p.stdin.WriteString(line + "\r\n"); err != nil {
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return fmt.Errorf("the program does not read its input: %w", player.ErrTimeout)
		}
		return p.crashed()
	}
	return nil
}

// next returns the next line that the brain says. The error is that of ctx, or tells how the brain ended.
func (p *process) next(ctx context.Context) (string, error) {
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

// answer returns the next line that is not for people.
func (p *process) answer(ctx context.Context) (string, error) {
	for {
		line, err := p.next(ctx)
		if err != nil {
			return "", err
		}
		if word, _ := cut(line); word != "MESSAGE" && word != "DEBUG" && word != "INFO" {
			return line, nil
		}
	}
}

const remembered = 3

func (p *process) remember(line string) {
	if len(p.said) == remembered {
		p.said = append(p.said[:0], p.said[1:]...)
	}
	p.said = append(p.said, shown(strings.ReplaceAll(line, "\r\n", " ")))
}

// crashed returns the error of a brain that ended: its status, its last words, and what was said before.
func (p *process) crashed() error {
	select {
	case <-p.exited:
	case <-time.After(patience):
		return fmt.Errorf("%w: it has closed its input or output%s", player.ErrCrashed, p.context())
	}
	how := "exit status 0"
	if p.err != nil {
		how = p.err.Error()
	}
	return fmt.Errorf("%w: %s%s", player.ErrCrashed, how, p.context())
}

// context returns what the ends said last, for the end of an error.
func (p *process) context() string {
	s := ""
	if words := p.stderr.String(); words != "" {
		s += fmt.Sprintf("; stderr: %s", words)
	}
	if len(p.said) > 0 {
		s += fmt.Sprintf("; last lines: %s", strings.Join(p.said, " | "))
	}
	return s
}

// end sends END, waits so long, and then kills the brain and its children. It says whether it ended by itself.
func (p *process) end(wait time.Duration) (byItself bool) {
	close(p.quit)
	p.stdin.SetWriteDeadline(time.Now().Add(wait))
	p.stdin.WriteString("END\r\n") // it may have ended already
	p.stdin.Close()
	select {
	case <-p.exited:
		byItself = true
	case <-time.After(wait):
		killGroup(p.cmd)
		<-p.exited
	}
	for range p.lines { // until the reader has ended
	}
	return byItself
}

type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailSize = 1 << 10

// Write keeps the end of b.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if n := len(t.text) - tailSize; n > 0 {
		t.text = append(t.text[:0], t.text[n:]...)
	}
	return len(b), nil
}

// String returns what is kept as one line.
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
