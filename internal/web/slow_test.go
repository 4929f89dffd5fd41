// SPDX-License-Identifier: Apache-2.0

package web_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/krow-lab/krow/internal/store"
	"github.com/krow-lab/krow/internal/store/storetest"
	"github.com/krow-lab/krow/internal/web"
)

// TestSlowReader opens the events of a game and never reads them, while others play on: they are answered, and when
// the buffers are full the stream is dropped.
func TestSlowReader(t *testing.T) {
	usual := sse.WriteTimeout
	sse.WriteTimeout = 200 * time.Millisecond
	s := newSite(t)
	defer func() { s.close(); s.open(); sse.WriteTimeout = usual }() // no stream goes on
	small := httptest.NewUnstartedServer(s.web)
	small.Config.ConnState = func(c net.Conn, state http.ConnState) {
		if tcp, ok := c.(*net.TCPConn); ok && state == http.StateNew {
			_ = tcp.SetWriteBuffer(4096) // what it would not take, the test takes longer to fill
		}
	}
	small.Start()
	defer small.Close()
	c, err := net.Dial("tcp", small.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.(*net.TCPConn).SetReadBuffer(4096)
	g := s.begin("mnk:70,70,5", "human", "human")
	if _, err := io.WriteString(c, "GET /api/games/"+g.ID+"/events HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(c, make([]byte, len("HTTP/1.1 200"))); err != nil { // the stream has begun
		t.Fatal(err)
	}
	for range 50 { // more than the buffers take: each event has the 4900 cells
		g = get[web.Game](s, 200, "POST", "/api/games/"+g.ID+"/moves", object{"move": g.Board.Moves[g.Plies], "ply": g.Plies})
	}
	s.metric("krow_streams", "0")
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
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.ended.Done():
		return nil, errors.New("closed")
	}
}
func (p pipes) Close() error   { return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

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
	server, err := web.New(web.Options{Store: db, Hosts: []string{}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	l := pipes{make(chan net.Conn), ctx}
	served := make(chan error)
	go func() { served <- server.Serve(ctx, l) }()
	mine, theirs := net.Pipe()
	l.conns <- theirs
	start := time.Now()
	go func() { _, _ = io.WriteString(mine, text) }() // ends when the pipe does
	_, _ = io.ReadAll(mine)
	if took := time.Since(start); took > most {
		t.Errorf("the server hung up after %v, want at most %v", took, most)
	}
	_ = mine.Close()
	cancel()
	<-served
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}
