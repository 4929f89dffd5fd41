// SPDX-License-Identifier: Apache-2.0

//go:build unix

package cli_test

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// serving starts a server and returns it with its address.
func serving(t *testing.T, db string) (*process, string) {
	t.Helper()
	p := start(t, "serve", "--addr", "127.0.0.1:0", "--db", db)
	line, err := p.stdout.ReadString('\n')
	m := regexp.MustCompile(`^serving (http://127\.0\.0\.1:\d+)/ `).FindStringSubmatch(line)
	if err != nil || m == nil {
		t.Fatalf("%q, %v, %s", line, err, p.stderr.String())
	}
	return p, m[1]
}

// TestServe plays a move, stops the server by SIGTERM, and finds the game again at the next.
func TestServe(t *testing.T) {
	db := filepath.Join(t.TempDir(), "krow.db")
	p, url := serving(t, db)
	var g struct {
		ID    string
		Moves []string
	}
	ask(t, &g, func() (*http.Response, error) {
		return http.Post(url+"/api/games", "application/json", strings.NewReader(`{"game":"gomoku","first":"human","second":"human"}`))
	})
	ask(t, &g, func() (*http.Response, error) {
		return http.Post(url+"/api/games/"+g.ID+"/moves", "application/json", strings.NewReader(`{"move":"h8","ply":0}`))
	})
	// A stream that is open does not keep the server.
	stream, err := http.Get(url + "/api/games/" + g.ID + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	finish(t, p)
	p, url = serving(t, db)
	ask(t, &g, func() (*http.Response, error) { return http.Get(url + "/api/games/" + g.ID) })
	if len(g.Moves) != 1 || g.Moves[0] != "h8" {
		t.Errorf("after the restart: %v", g.Moves)
	}
	finish(t, p)
}

// TestServeTaken serves at a port that another has: that is told, and no database is made.
func TestServeTaken(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	db := filepath.Join(t.TempDir(), "krow.db")
	p := start(t, "serve", "--addr", l.Addr().String(), "--db", db)
	if _, status := p.end(t); status != 1 || !strings.Contains(p.stderr.String(), "address already in use") {
		t.Errorf("exit status %d, %s", status, p.stderr.String())
	}
	if _, err := os.Stat(db); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the database: %v", err)
	}
}

// ask decodes the answer to a request, which must succeed.
func ask(t *testing.T, v any, f func() (*http.Response, error)) {
	t.Helper()
	a, err := f()
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	data, err := io.ReadAll(a.Body)
	if err != nil || a.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", a.Status, data, err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatal(err)
	}
}

// finish stops a server as a supervisor does.
func finish(t *testing.T, p *process) {
	t.Helper()
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if _, status := p.end(t); status != 0 {
		t.Errorf("exit status %d, %s", status, p.stderr.String())
	}
}
