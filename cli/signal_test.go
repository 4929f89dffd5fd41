// SPDX-License-Identifier: Apache-2.0

//go:build unix

package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// process is a krow that is running.
type process struct {
	*exec.Cmd
	ctx    context.Context // ends the test
	stdin  io.WriteCloser
	stdout *bufio.Reader
	stderr bytes.Buffer
}

// start runs krow, which is killed should the time of all tests be up.
func start(t *testing.T, args ...string) *process {
	t.Helper()
	return startIn(t, "", args...)
}

// startIn runs krow in a directory.
func startIn(t *testing.T, dir string, args ...string) *process {
	t.Helper()
	ctx := t.Context()
	if end, ok := t.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, end.Add(-time.Second))
		t.Cleanup(cancel)
	}
	p := &process{Cmd: exec.CommandContext(ctx, "krow", args...), ctx: ctx}
	p.Stderr, p.Dir = &p.stderr, dir
	in, err := p.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.stdin, p.stdout = in, bufio.NewReader(out)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	return p
}

// end reads what is left, and returns the last line of stdout and the exit status, or -1 after a signal.
func (p *process) end(t *testing.T) (last string, status int) {
	t.Helper()
	rest, err := io.ReadAll(p.stdout)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(rest)), "\n")
	return lines[len(lines)-1], p.ProcessState.ExitCode()
}

// Ctrl-C ends every command soon, and what it has is shown.
func TestInterruptEndsEveryCommand(t *testing.T) {
	tests := []struct {
		name, args     string
		wait           bool // for a line, before the signal
		status         int
		stdout, stderr string
	}{
		{"analyze", "analyze gomoku --player alphabeta --time 1h --json", true, 0, `^\{"final":true,.*"best":"\w+"`, `^$`},
		{"analyze in text", "analyze gomoku --player alphabeta --time 1h", true, 0, `^best \w+ `, `^$`},
		{"match", "match tictactoe random random --games 1000000000 --json", true, 130, `^\{"final":true,.*"error":"interrupted after \d+ games"\}$`, `^krow: interrupted after \d+ games\n$`},
		{"match at once", "match gomoku minimax:depth=9 minimax:depth=9 --jobs 2", false, 130, `^$`, `^krow: interrupted after 0 games\n$`},
		{"perft", "perft gomoku 9", false, 130, `^$`, `^krow: interrupted\n$`},
		{"bench", "bench", true, 130, ``, `^krow: interrupted\n$`},
		{"play", "play mnk:70,70,70 --first random --second minimax:depth=9 --json", true, 130, `^\{"final":true,.*"outcome":"ongoing",.*"seed":1\}$`, `^krow: the game was left unfinished\n$`},
		{"play while a person thinks", "play gomoku --second human", true, 130, ``, `^krow: the game was left unfinished\n$`},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p, last, status := interrupted(t, tc.wait, strings.Fields(tc.args)...)
			for status == 0 && tc.status != 0 { // it came to its end before the signal
				p, last, status = interrupted(t, tc.wait, strings.Fields(tc.args)...)
			}
			if status != tc.status {
				t.Errorf("exit status %d, want %d", status, tc.status)
			}
			if !regexp.MustCompile(tc.stdout).MatchString(last) {
				t.Errorf("the last line is %q, want %s", last, tc.stdout)
			}
			if !regexp.MustCompile(tc.stderr).Match(p.stderr.Bytes()) {
				t.Errorf("stderr is %q, want %s", &p.stderr, tc.stderr)
			}
		})
	}
}

// interrupted starts krow, interrupts it after a line, or where none tells that the work has begun after a while, and
// waits for its end. It waits longer and tries again where krow did not listen to signals yet.
func interrupted(t *testing.T, line bool, args ...string) (p *process, last string, status int) {
	t.Helper()
	for wait := 100 * time.Millisecond; ; wait *= 2 {
		p = start(t, args...)
		if !line {
			time.Sleep(wait)
		} else if _, err := p.stdout.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		if err := p.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		if last, status = p.end(t); p.ctx.Err() != nil {
			t.Fatal("it goes on after the signal")
		} else if status != -1 {
			return p, last, status
		}
	}
}

// Whoever interrupts twice does not wait for anything: here for a reader that never comes.
func TestInterruptTwice(t *testing.T) {
	p := start(t, "match", "tictactoe", "random", "random", "--games", "1000000000", "--json")
	ended := make(chan struct{})
	go func() {
		p.Process.Wait()
		close(ended)
	}()
	for tick := time.Tick(20 * time.Millisecond); ; {
		select {
		case <-ended:
			if p.ctx.Err() != nil {
				t.Error("it goes on after the signals")
			}
			return
		case <-tick:
			p.Process.Signal(os.Interrupt)
		}
	}
}

// stubborn is a program that ignores what would end it, has a child that does too, says who both are, and never moves.
const stubborn = `trap '' INT TERM HUP
sh -c 'while :; do sleep 60; done' &
while read -r line; do case "$line" in
START*) echo OK ;;
ABOUT*) echo 'name="stubborn"' ;;
BEGIN*|TURN*|DONE*) echo $$ $! > pids.new; mv pids.new pids; while :; do sleep 60; done ;;
esac; done`

// A program does not outlive krow, nor does its child, however little they listen: neither after a second interrupt, nor
// where the match gives up its player after the first.
func TestInterruptProgram(t *testing.T) {
	for name, margin := range map[string]string{"twice": "1h", "once": "1ms"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "stubborn.sh"), []byte(stubborn), 0o666); err != nil {
				t.Fatal(err)
			}
			p := startIn(t, dir, "match", "gomoku:9", "program:/bin/sh stubborn.sh,margin=1h", "random", "--games", "2", "--time", "1h", "--margin", margin)
			var pids []byte
			for pids == nil {
				time.Sleep(10 * time.Millisecond)
				pids, _ = os.ReadFile(filepath.Join(dir, "pids"))
				if p.ctx.Err() != nil {
					t.Fatalf("the program was not asked: %s", &p.stderr)
				}
			}
			ended := make(chan struct{})
			go func() { p.end(t); close(ended) }()
			for again := true; again; {
				p.Process.Signal(os.Interrupt)
				var next <-chan time.Time
				if name == "twice" {
					next = time.After(20 * time.Millisecond)
				}
				select {
				case <-ended:
					again = false
				case <-next:
				}
			}
			for _, pid := range strings.Fields(string(pids)) {
				for alive(pid) && p.ctx.Err() == nil {
					time.Sleep(10 * time.Millisecond)
				}
				if alive(pid) {
					t.Errorf("process %s outlives krow", pid)
					exec.Command("kill", "-9", pid).Run()
				}
			}
		})
	}
}

// alive says whether a process runs. One that has ended is a zombie until its parent asks about it.
func alive(pid string) bool {
	state, err := os.ReadFile("/proc/" + pid + "/stat")
	return err == nil && !strings.Contains(string(state), ") Z ")
}

// A match that was killed goes on when it is started again, and writes the same file as one that was not.
func TestMatchKilled(t *testing.T) {
	dir := t.TempDir()
	whole, killed := filepath.Join(dir, "whole"), filepath.Join(dir, "killed")
	match := func(out string) []string {
		return []string{"match", "connect4", "mcts:sims=40", "alphabeta:depth=2", "--games", "40", "--random-plies", "2", "--json", "--out", out}
	}
	first := start(t, match(whole)...)
	want, status := first.end(t)
	if status != 0 {
		t.Fatalf("exit status %d: %s", status, &first.stderr)
	}
	for n := 0; n < 3; {
		p := start(t, match(killed)...)
		for range 5 {
			if _, err := p.stdout.ReadString('\n'); err != nil {
				break
			}
		}
		p.Process.Signal(syscall.SIGKILL)
		if _, status := p.end(t); status == 0 { // it was faster: once more from the beginning
			if err := os.Remove(killed); err != nil {
				t.Fatal(err)
			}
			n = 0
			continue
		} else if status != -1 {
			t.Fatalf("run %d: exit status %d, want death by a signal: %s", n, status, &p.stderr)
		}
		n++
		if _, err := os.Stat(killed); err == nil {
			t.Fatalf("run %d: %s is there before it is complete", n, killed)
		}
	}
	last := start(t, match(killed)...)
	got, status := last.end(t)
	if status != 0 || !strings.HasPrefix(last.stderr.String(), "continuing after ") {
		t.Errorf("exit status %d: %s", status, &last.stderr)
	}
	if got != want {
		t.Errorf("the last line of the match that was killed is\n%s\nwant\n%s", got, want)
	}
	if a, b := read(t, whole), read(t, killed); !bytes.Equal(a, b) {
		t.Errorf("the file of the match that was killed is\n%s\nwant\n%s", b, a)
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Of two matches that write the same file, the second one gives way and harms nothing.
func TestMatchTwice(t *testing.T) {
	out := filepath.Join(t.TempDir(), "games")
	args := []string{"match", "tictactoe", "random", "random", "--games", "1000000000", "--out", out, "--json"}
	first := start(t, args...)
	if _, err := first.stdout.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	second := start(t, args...)
	if last, status := second.end(t); status != 1 || last != "" || !strings.Contains(second.stderr.String(), "another process is writing the file") {
		t.Errorf("the second match: exit status %d, stdout %q, stderr %q", status, last, &second.stderr)
	}
	first.Process.Signal(os.Interrupt)
	if last, status := first.end(t); status != 130 || !strings.HasPrefix(last, `{"final":true,`) {
		t.Errorf("the first match: exit status %d, %q, %s", status, last, &first.stderr)
	}
	for line := range bytes.Lines(read(t, out+".part")) {
		if !json.Valid(line) || line[len(line)-1] != '\n' {
			t.Fatalf("the first match wrote %q", line)
		}
	}
}
