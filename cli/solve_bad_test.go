// SPDX-License-Identifier: Apache-2.0

//go:build unix

package cli_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestBadUnfinished: a file of unfinished work with a change that its checksum agrees to is refused in one line.
func TestBadUnfinished(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "good")
	args := func(name string) []string {
		return []string{"solve", "connect4:7x5", "--time", "1ns", "--hash", "64K", "--json", "--resume", name}
	}
	if last, status := start(t, args(good)...).end(t); status != 1 || !strings.Contains(last, `"proved"`) {
		t.Fatalf("exit status %d: %s", status, last)
	}
	file := string(read(t, good))
	file = file[:len(file)-sha256.Size]
	hash := regexp.MustCompile(`"hash":\d+`)
	bounds := regexp.MustCompile(`"lower":-?\d+,"upper":-?\d+`)
	tests := []struct{ name, file, want string }{
		{"nothing changed", file, `the time is up`},
		{"another size of the table", hash.ReplaceAllString(file, `"hash":1000000`), `the file is damaged`},
		{"no table", hash.ReplaceAllString(file, `"hash":0`), `not enough memory for a table of 0 bytes`},
		{"less than none", hash.ReplaceAllString(file, `"hash":-1`), `not enough memory for a table of -1 bytes`},
		{"more than there is", hash.ReplaceAllString(file, `"hash":9007199254740992`), `not enough memory for a table of 9007199254740992 bytes`},
		{"bounds that cross", bounds.ReplaceAllString(file, `"lower":3,"upper":1`), `the file is damaged`},
		{"bounds beyond the board", bounds.ReplaceAllString(file, `"lower":-1,"upper":99`), `the file is damaged`},
		{"cut short", file[:len(file)-8], `the file is damaged`},
		{"longer", file + "12345678", `the file is damaged`},
		{"another key", strings.Replace(file, `"hash"`, `"HASH"`, 1), `the file is damaged`},
		{"text after the first line's object", strings.Replace(file, "}\n", "} x\n", 1), `not a file of unfinished work`},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "part")
			sum := sha256.Sum256([]byte(tc.file))
			if err := os.WriteFile(name, append([]byte(tc.file), sum[:]...), 0o666); err != nil {
				t.Fatal(err)
			}
			p := start(t, args(name)...)
			_, status := p.end(t)
			if got := p.stderr.String(); status != 1 || !strings.Contains(got, tc.want) || strings.Count(got, "\n") != 1 {
				t.Errorf("exit status %d: %s", status, got)
			}
		})
	}
}

// TestInterruptPipe: Ctrl-C ends the wait for whoever writes to a pipe, and for more from whoever has written to it.
func TestInterruptPipe(t *testing.T) {
	tests := map[string]string{
		"positions": "solve connect4 --positions PIPE",
		"resume":    "solve connect4 --resume PIPE",
		"book":      "solve connect4 --book PIPE",
		"verify":    "verify PIPE",
	}
	for name, args := range tests {
		for _, opened := range []bool{false, true} {
			if opened && name == "verify" {
				continue // it is refused at once
			}
			t.Run(name+map[bool]string{true: " with a writer"}[opened], func(t *testing.T) {
				t.Parallel()
				pipe := filepath.Join(t.TempDir(), "pipe")
				if err := syscall.Mkfifo(pipe, 0o600); err != nil {
					t.Fatal(err)
				}
				words := strings.Fields(strings.ReplaceAll(args, "PIPE", pipe))
				if !opened {
					p, _, status := interrupted(t, false, words...)
					wantInterrupted(t, p, status)
					return
				}
				p := start(t, words...)
				w, err := os.OpenFile(pipe, os.O_WRONLY, 0) // as soon as it is read
				if err != nil {
					t.Fatal(err)
				}
				defer w.Close()
				if err := p.Process.Signal(os.Interrupt); err != nil {
					t.Fatal(err)
				}
				_, status := p.end(t)
				wantInterrupted(t, p, status)
			})
		}
	}
}

func wantInterrupted(t *testing.T, p *process, status int) {
	t.Helper()
	if status != 130 || !regexp.MustCompile(`^krow: .*interrupted\n$`).Match(p.stderr.Bytes()) {
		t.Errorf("exit status %d: %s", status, &p.stderr)
	}
}

// TestInterruptTwiceWriting: whoever ends a command that has a file to write finds the old one, and nothing beside it.
func TestInterruptTwiceWriting(t *testing.T) {
	dir := t.TempDir()
	part := filepath.Join(dir, "part")
	args := []string{"solve", "connect4:7x7", "--hash", "1M", "--resume", part, "--json", "--time"}
	if _, status := start(t, append(args, "1ns")...).end(t); status != 1 {
		t.Fatalf("exit status %d", status)
	}
	old := read(t, part)
	p := exec.CommandContext(t.Context(), "krow", append(args, "1h")...)
	p.Stdout = full(t) // so that it never winds up
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	for !exists(filepath.Join(dir, ".part.new")) { // until it works
		time.Sleep(time.Millisecond)
	}
	ended := make(chan struct{})
	go func() {
		p.Wait()
		close(ended)
	}()
	for tick := time.Tick(20 * time.Millisecond); ended != nil; {
		select {
		case <-tick:
			p.Process.Signal(os.Interrupt)
		case <-ended:
			ended = nil
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 || !bytes.Equal(read(t, part), old) {
		t.Fatalf("there is %v, %v", files, err)
	}
}

// full returns a pipe that nobody reads and that takes nothing more.
func full(t *testing.T) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	raw, err := w.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	// The descriptor does not block yet, so that the write that finds no room fails.
	if err := raw.Control(func(fd uintptr) {
		for err == nil {
			_, err = syscall.Write(int(fd), make([]byte, 1<<12))
		}
	}); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(err, syscall.EAGAIN) {
		t.Fatal(err)
	}
	return w
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// TestSolveKeepsWorkWithoutTerminal: work is kept when the terminal is gone, however often that is told, and after a signal; under nohup it
// goes on.
func TestSolveKeepsWorkWithoutTerminal(t *testing.T) {
	for _, tc := range []struct {
		trap, time string
		signal     syscall.Signal
		times      int
		want       string
	}{
		{"-", "1h", syscall.SIGHUP, 1 << 30, "interrupted"},
		{"''", "1s", syscall.SIGHUP, 1 << 30, "the time is up"},
		{"-", "1h", syscall.SIGTERM, 1, "interrupted"},
	} {
		if tc.trap == "-" && tc.signal == syscall.SIGHUP && signal.Ignored(tc.signal) {
			continue // these tests run under nohup, which no shell takes back
		}
		dir := t.TempDir()
		part := filepath.Join(dir, "part")
		p := exec.CommandContext(t.Context(), "sh", "-c", "trap "+tc.trap+` HUP; exec krow "$@"`, "sh",
			"solve", "connect4:7x7", "--hash", "1M", "--resume", part, "--time", tc.time)
		var told bytes.Buffer
		p.Stderr = &told
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			p.Wait()
			close(ended)
		}()
		for tick := time.Tick(time.Millisecond); ended != nil; {
			select {
			case <-tick:
				if tc.times > 0 && exists(filepath.Join(dir, ".part.new")) { // it works
					tc.times--
					p.Process.Signal(tc.signal)
				}
			case <-ended:
				ended = nil
			}
		}
		if _, err := os.Stat(part); err != nil || !strings.Contains(told.String(), tc.want) {
			t.Errorf("%v, %s, %v", p.ProcessState, &told, err)
		}
	}
}
