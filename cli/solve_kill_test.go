// SPDX-License-Identifier: Apache-2.0

//go:build unix

package cli_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// solvingGame is solved in some tenths of a second, with a file that is written all the time.
func solvingGame(part string, more ...string) []string {
	return append([]string{"solve", "mnk:7,4,4", "--hash", "4M", "--resume", part, "--save-every", "1ms", "--json"}, more...)
}

// TestSolveKilled: whenever the solver is killed, the file of unfinished work is whole, and the next one goes on with it.
func TestSolveKilled(t *testing.T) {
	part := filepath.Join(t.TempDir(), "part")
	rng := rand.New(rand.NewPCG(8, 5))
	known := uint64(0)
	for kills := 0; kills < 6; {
		p := start(t, solvingGame(part)...)
		ended, status := make(chan struct{}), 0
		go func() {
			_, status = p.end(t)
			close(ended)
		}()
		saved(part, 1+rng.IntN(15), ended)
		p.Process.Signal(syscall.SIGKILL)
		if <-ended; status == 0 {
			if known > 0 {
				break // it was faster
			}
			if err := os.Remove(part); err != nil {
				t.Fatal(err)
			}
			continue
		}
		kills++
		copied := filepath.Join(t.TempDir(), "copy")
		if err := os.WriteFile(copied, read(t, part), 0o666); err != nil {
			t.Fatal(err)
		}
		last, status := start(t, solvingGame(copied, "--time", "1ns")...).end(t)
		if status != 1 || !strings.Contains(last, `"proved":"at least a draw"`) {
			t.Fatalf("exit status %d: %s", status, last)
		}
		known = max(known, nodesIn(t, last))
	}
	last, status := start(t, solvingGame(part)...).end(t)
	if status != 0 || !strings.Contains(last, `"value":"draw"`) {
		t.Fatalf("exit status %d: %s", status, last)
	}
	if nodes := nodesIn(t, last); nodes < known || known == 0 {
		t.Errorf("%d nodes in the end, %d before", nodes, known)
	}
}

// saved waits until a file has been written so many times more, or until its writer has ended.
func saved(name string, times int, ended <-chan struct{}) {
	last, _ := os.Stat(name)
	for times > 0 {
		select {
		case <-ended:
			return
		default:
		}
		now, err := os.Stat(name)
		if err == nil && (last == nil || !os.SameFile(last, now) || !last.ModTime().Equal(now.ModTime())) {
			last = now
			times--
		}
		time.Sleep(time.Millisecond)
	}
}

// nodesIn returns the nodes of an object.
func nodesIn(t *testing.T, object string) uint64 {
	t.Helper()
	var o struct{ Nodes uint64 }
	if err := json.Unmarshal([]byte(object), &o); err != nil {
		t.Fatal(err)
	}
	return o.Nodes
}
