// SPDX-License-Identifier: Apache-2.0

//go:build unix

package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/krow-lab/krow/internal/cluster"
)

// TestSolveAway: a proof by workers goes on when its organiser and a worker are killed, and counts each search once.
func TestSolveAway(t *testing.T) {
	s, err := cluster.Serve(cluster.ServerOptions{Addr: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	worker := func(name string) *process { return start(t, "work", "--join", s.URL(), "--cores", "1", "--name", name) }
	first, second := worker("first"), worker("second")
	defer finish(t, second)
	file := filepath.Join(t.TempDir(), "jobs")
	solving := func(file string) *process {
		return start(t, "solve", "connect4:6x4", "--unit-nodes", "10000", "--hash", "1M", "--json", "--resume", file, "--nats", s.URL())
	}
	for ended := 0; ended == 0; { // it was faster: once more from the beginning
		if err := os.RemoveAll(file); err != nil {
			t.Fatal(err)
		}
		p := solving(file)
		results(t, file, 5)
		p.Process.Signal(syscall.SIGKILL)
		_, ended = p.end(t)
	}
	first.Process.Signal(syscall.SIGKILL)
	first.end(t)
	p := solving(file)
	out, status := p.end(t)
	if status != 0 || !strings.Contains(out, `"value":"loss"`) || !strings.Contains(p.stderr.String(), "going on after ") {
		t.Fatalf("exit status %d: %s%s", status, out, p.stderr.String())
	}
	var solved struct{ Units int }
	if err := json.Unmarshal([]byte(out), &solved); err != nil || bytes.Count(read(t, file), []byte("\n")) != solved.Units+1 {
		t.Errorf("%v, the file has not the results of %d units:\n%s", err, solved.Units, read(t, file))
	}
}

// results waits until a file of results has so many.
func results(t *testing.T, file string, n int) {
	t.Helper()
	for {
		if data, err := os.ReadFile(file); err == nil && bytes.Count(data, []byte("\n")) > n {
			return
		}
		if t.Context().Err() != nil {
			t.Fatal("the test is over")
		}
		time.Sleep(5 * time.Millisecond)
	}
}
