// SPDX-License-Identifier: Apache-2.0

//go:build unix

package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/krow-lab/krow/server/cluster"
)

// TestClusterPlaysTheSameGames: processes with nothing shared but a port play the games that one process plays.
func TestClusterPlaysTheSameGames(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	s, err := cluster.Serve(cluster.ServerOptions{Addr: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	w := start(t, "work", "--join", s.URL(), "--jobs", "2", "--name", "w")
	dir := t.TempDir()
	match := []string{"match", "connect4", "mcts:sims=20", "random", "--games", "10", "--random-plies", "2", "--out"}
	away, here := filepath.Join(dir, "away"), filepath.Join(dir, "here")
	var results [2]string
	for i, args := range [][]string{{away, "--nats", s.URL()}, {here}} {
		p := start(t, append(match, args...)...)
		out, status := p.end(t)
		if status != 0 {
			t.Fatalf("exit status %d: %s", status, p.stderr.String())
		}
		results[i] = out
	}
	if results[0] != results[1] {
		t.Errorf("on a cluster\n%s\nalone\n%s", results[0], results[1])
	}
	a, err := os.ReadFile(away)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(here); err != nil || !bytes.Equal(a, b) {
		t.Errorf("the files of games differ, %v", err)
	}
	finish(t, w)
}
