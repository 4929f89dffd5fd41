// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/krow-lab/krow/server/api"
	"github.com/krow-lab/krow/server/store"
	"github.com/krow-lab/krow/server/store/storetest"
)

// TestSlowReader opens the events of a game and never reads them, while others play on: they are answered at once, and
// when a write has waited for gate.WriteTime, the stream is dropped.
func TestSlowReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newPipes(t)
		s := &site{t: t, file: storetest.File(t), listener: &l}
		s.open()
		defer s.close()
		g := s.begin("mnk:70,70,5", "human", "human")
		slow := l.dial()
		if _, err := io.WriteString(slow, "GET /api/games/"+g.ID+"/events HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(slow, make([]byte, len("HTTP/1.1 200"))); err != nil { // the stream has begun
			t.Fatal(err)
		}
		start := time.Now()
		for range 3 { // each event has the 4900 cells, and nothing takes them
			g = get[api.Game](s, 200, "POST", "/api/games/"+g.ID+"/moves", object{"move": g.Board.Moves[g.Plies], "ply": g.Plies})
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("the moves of others took %v while nobody read the stream", took)
		}
		for _, open := range []string{"1", "0"} {
			if _, data := s.ask("GET", "/metrics", nil); !strings.Contains(string(data), "krow_streams "+open+"\n") {
				t.Errorf("after %v there is not %s stream", time.Since(start), open)
			}
			time.Sleep(time.Minute)
		}
		_ = slow.SetReadDeadline(time.Now().Add(time.Second))
		if _, err := io.Copy(io.Discard, slow); err != nil {
			t.Errorf("the connection of the slow reader: %v", err)
		}
	})
}

// metric waits until a number of the server's is what it should be.
func (s *site) metric(name, want string) {
	s.t.Helper()
	for s.t.Context().Err() == nil {
		if _, data := s.ask("GET", "/metrics", nil); strings.Contains(string(data), name+" "+want+"\n") {
			return
		}
	}
}

// pipes is a listener in memory, so that its time is the test's.
type pipes struct {
	conns chan net.Conn
	ended context.Context
	end   context.CancelFunc
}

func newPipes(t *testing.T) pipes {
	ctx, cancel := context.WithCancel(t.Context())
	return pipes{make(chan net.Conn), ctx, cancel}
}

// dial returns the client's end of a new connection.
func (p pipes) dial() net.Conn {
	mine, theirs := net.Pipe()
	p.conns <- theirs
	return mine
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.ended.Done():
		return nil, errors.New("closed")
	}
}
func (p pipes) Close() error   { p.end(); return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }

// TestHalfOpen sends requests that never end, and none at all: the server hangs up by itself.
func TestHalfOpen(t *testing.T) {
	tests := []struct {
		name, text string
		most       time.Duration
	}{
		{"nothing", "", 6 * time.Second},
		{"half a header", "GET /api/games HTTP/1.1\r\nHost: local", 6 * time.Second},
		{"half a body", "POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{", 31 * time.Second},
		{"idle after an answer", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 3 * time.Minute},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { halfOpen(t, tc.text, tc.most) })
		})
	}
}

func halfOpen(t *testing.T, text string, most time.Duration) {
	db, err := store.Open(storetest.File(t))
	if err != nil {
		t.Fatal(err)
	}
	server, err := api.New(api.Options{Store: db, Hosts: []string{}})
	if err != nil {
		t.Fatal(err)
	}
	l := newPipes(t)
	served := make(chan error)
	go func() { served <- server.Serve(l.ended, l) }()
	mine := l.dial()
	start := time.Now()
	go func() { _, _ = io.WriteString(mine, text) }() // ends when the pipe does
	_, _ = io.ReadAll(mine)
	if took := time.Since(start); took > most {
		t.Errorf("the server hung up after %v, want at most %v", took, most)
	}
	_ = mine.Close()
	l.end()
	<-served
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}
