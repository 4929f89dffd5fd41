// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/krow-lab/krow/server/api"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/gate"
	"github.com/krow-lab/krow/server/store"
	"github.com/krow-lab/krow/server/store/storetest"
)

// TestPanicIsLoggedAndAnswered has a handler panic before its answer, and one within it.
func TestPanicIsLoggedAndAnswered(t *testing.T) {
	s := newClubSite(t, club.Nobody)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/early", func(http.ResponseWriter, *http.Request) { panic("early trouble") })
	mux.HandleFunc("GET /api/late", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "half") // into a buffer
		panic("late trouble")
	})
	h := s.web.Guard(mux)
	serve := func(path string) (w *httptest.ResponseRecorder, cut any) {
		defer func() { cut = recover() }()
		w = httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost"+path, nil))
		return w, nil
	}
	w, cut := serve("/api/early")
	var p api.Problem
	if err := json.Unmarshal(w.Body.Bytes(), &p); cut != nil || w.Code != 500 || err != nil || p.Code != "failed" || strings.Contains(w.Body.String(), "trouble") {
		t.Errorf("answered with %d %s, cut %v", w.Code, w.Body, cut)
	}
	if _, cut := serve("/api/late"); cut != http.ErrAbortHandler {
		t.Errorf("within an answer: %v, want %v", cut, http.ErrAbortHandler)
	}
	for _, want := range []string{"level=ERROR", "early trouble", "late trouble", "failures_test.go"} {
		if !strings.Contains(s.log.String(), want) {
			t.Errorf("the log does not have %q: %s", want, s.log)
		}
	}
	_, data := s.answered("ann", "GET", "/metrics", nil)
	for _, want := range []string{"krow_panics_total 2\n", `krow_requests_total{result="failed"} 2`, "krow_request_seconds_count ", "krow_move_seconds_count 0\n"} {
		if !strings.Contains(data, want) {
			t.Errorf("the metrics do not have %q: %s", want, data)
		}
	}
}

// TestSlowReaderIsCut asks for a page and does not read it.
func TestSlowReaderIsCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newPipes(t)
		s := &site{t: t, file: storetest.File(t), listener: &l}
		s.open()
		defer s.close()
		slow := l.dial()
		if _, err := io.WriteString(slow, "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if n, err := slow.Read(make([]byte, 1)); err != io.EOF {
			t.Errorf("after a minute the connection gives %d bytes, %v; want %v", n, err, io.EOF)
		}
	})
}

// TestPatientReaderIsNotCut reads a long answer slowly, a part at a time.
func TestPatientReaderIsNotCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newPipes(t)
		s := &site{t: t, file: storetest.File(t), listener: &l}
		s.open()
		defer s.close()
		want, err := s.web.OpenAPI()
		if err != nil {
			t.Fatal(err)
		}
		c := l.dial()
		if _, err := io.WriteString(c, "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		got, start := 0, time.Now()
		for part := make([]byte, 32<<10); ; time.Sleep(8 * time.Second) {
			n, err := io.ReadFull(c, part)
			if got += n; err != nil {
				break
			}
		}
		if got < len(want) || time.Since(start) < 20*time.Second {
			t.Errorf("%d of %d bytes came in %v", got, len(want), time.Since(start))
		}
	})
}

// failing is a listener that fails once, in a way that passes.
type failing struct {
	pipes
	failed *bool
}

func (l failing) Accept() (net.Conn, error) {
	if !*l.failed {
		*l.failed = true
		return nil, &net.OpError{Op: "accept", Err: syscall.EMFILE}
	}
	return l.pipes.Accept()
}

// TestLibraryErrorsAreLogged has the server run out of files for a moment. Only net/http knows.
func TestLibraryErrorsAreLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db, err := store.Open(storetest.File(t))
		if err != nil {
			t.Fatal(err)
		}
		var log logged
		server, err := api.New(api.Options{Store: db, Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))})
		if err != nil {
			t.Fatal(err)
		}
		l := failing{newPipes(t), new(bool)}
		served := make(chan error)
		go func() { served <- server.Serve(l.ended, l) }()
		time.Sleep(time.Second)
		l.end()
		<-served
		if !strings.Contains(log.String(), "too many open files") {
			t.Errorf("the log: %s", log.String())
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
}

// addressed is a connection from an address.
type addressed struct {
	net.Conn
	from string
}

func (c addressed) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(c.from))
}

// TestConnectionsOfAnAddressAreBounded opens more connections from one address than are taken. Others are served meanwhile, and so
// is the address when one has ended.
func TestConnectionsOfAnAddressAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db, err := store.Open(storetest.File(t))
		if err != nil {
			t.Fatal(err)
		}
		server, err := api.New(api.Options{Store: db, Proxy: netip.MustParseAddrPort("192.0.2.99:1").Addr()})
		if err != nil {
			t.Fatal(err)
		}
		l := newPipes(t)
		served := make(chan error)
		go func() { served <- server.Serve(l.ended, l) }()
		dial := func(from string) net.Conn {
			mine, theirs := net.Pipe()
			l.conns <- addressed{theirs, from}
			synctest.Wait()
			return mine
		}
		// answered asks for something on a connection, and returns whether an answer came.
		answered := func(c net.Conn) bool {
			_, err := io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
			if err == nil {
				_, err = io.ReadFull(c, make([]byte, len("HTTP/1.1 200 OK")))
			}
			return err == nil
		}
		var all []net.Conn
		for range gate.ConnectionsOfOne {
			all = append(all, dial("192.0.2.1:1"))
		}
		more, other, v6, proxy := dial("192.0.2.1:1"), dial("192.0.2.2:1"), dial("[2001:db8::1]:1"), dial("192.0.2.99:1")
		if answered(more) || !answered(other) || !answered(v6) || !answered(proxy) || !answered(all[0]) {
			t.Error("one connection more is answered, or another one is not")
		}
		all[1].Close()
		synctest.Wait()
		again := dial("192.0.2.1:1")
		if !answered(again) {
			t.Error("the address is not answered after one of its connections has ended")
		}
		for _, c := range append(all, more, other, v6, proxy, again) {
			c.Close()
		}
		l.end()
		<-served
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestAnswersAreNotStored looks at the header by which browsers and proxies keep no answer of the interface.
func TestAnswersAreNotStored(t *testing.T) {
	s := newClubSite(t, club.Guest)
	for path, want := range map[string]string{"/api/club": "no-store", "/api/members": "no-store", "/api/nothing": "no-store", "/api": "no-cache", "/": "no-cache"} {
		if got := s.as("", "GET", path, nil).Header.Get("Cache-Control"); got != want {
			t.Errorf("%s has Cache-Control %q, want %q", path, got, want)
		}
	}
}

// TestCookiesOverTLS: over TLS both cookies are secure and have the prefix by which no other host sets them.
func TestCookiesOverTLS(t *testing.T) {
	s := newClubSite(t, club.Guest)
	send := func(method, path, cookie, body string) *http.Response {
		q, err := http.NewRequest(method, s.http.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("X-Forwarded-Proto", "https")
		q.Header.Set("X-Forwarded-For", "192.0.2.1")
		q.Header.Set("Cookie", cookie)
		a, err := s.http.Client().Do(q)
		if err != nil {
			t.Fatal(err)
		}
		a.Body.Close()
		return a
	}
	session := send("POST", "/api/club/login", "", fmt.Sprintf(`{"name":"bob","password":%q}`, password)).Header.Get("Set-Cookie")
	browser := send("GET", "/", "", "").Header.Get("Set-Cookie")
	for name, cookie := range map[string]string{"__Host-krow-session=": session, "__Host-krow=": browser} {
		if !strings.HasPrefix(cookie, name) || !strings.Contains(cookie, "; Secure") || !strings.Contains(cookie, "; Path=/") || strings.Contains(cookie, "Domain") {
			t.Errorf("the cookie %s is set by %q", name, cookie)
		}
	}
	pair, _, _ := strings.Cut(session, ";")
	if got := send("GET", "/api/members", pair, "").StatusCode; got != 200 {
		t.Errorf("with the cookie: %d", got)
	}
	if got := send("GET", "/api/members", strings.TrimPrefix(pair, "__Host-"), "").StatusCode; got != 401 {
		t.Errorf("with a cookie that any host of the domain may set: %d, want 401", got)
	}
	pair, _, _ = strings.Cut(browser, ";")
	if got := send("GET", "/", pair, "").Header.Get("Set-Cookie"); got != "" {
		t.Errorf("a browser that has a name gets %q", got)
	}
}

// TestLogHasNoForeignNames logs in with a password in the field of the name.
func TestLogHasNoForeignNames(t *testing.T) {
	s := newClubSite(t, club.Nobody)
	for range 12 { // the last ones are throttled
		s.answered("", "POST", "/api/club/login", object{"name": password, "password": ""})
	}
	s.from("", "198.51.100.7", "POST", "/api/club/login", object{"name": "BOB", "password": "wrong"})
	text := s.log.String()
	if strings.Contains(text, password) || !strings.Contains(text, "login throttled") || !strings.Contains(text, "name=bob") {
		t.Errorf("the log: %s", text)
	}
}

// TestFullDisk lets the database grow no more: users read why nothing is kept, and /healthz says so until there is room again.
func TestFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newPipes(t)
		s := &site{t: t, file: storetest.File(t), listener: &l}
		s.open()
		defer s.close()
		health := func() string {
			status, data := s.ask("GET", "/healthz", nil)
			return fmt.Sprint(status, " ", strings.TrimSpace(string(data)))
		}
		begin := func() (int, string) {
			status, data := s.ask("POST", "/api/games", object{"game": "tictactoe", "first": "human", "second": "human"})
			return status, string(data)
		}
		if got := health(); got != "200 ok" {
			t.Errorf("health at first: %s", got)
		}
		if err := s.db.SetMaxPages(1); err != nil {
			t.Fatal(err)
		}
		status, data := begin()
		for n := 0; status == 200 && n < 55; n++ {
			status, data = begin()
		}
		if status != http.StatusInsufficientStorage || !strings.Contains(data, `"disk-full"`) {
			t.Errorf("a game on a full disk: %d %s", status, data)
		}
		for range 3 {
			if got, want := health(), "503 the database cannot be written: no space left"; got != want {
				t.Errorf("health: %s, want %s", got, want)
			}
			time.Sleep(time.Minute)
		}
		if err := s.db.SetMaxPages(1 << 30); err != nil {
			t.Fatal(err)
		}
		if got := health(); got != "200 ok" {
			t.Errorf("health when there is room: %s", got)
		}
		if status, data := begin(); status != 200 {
			t.Errorf("a game when there is room: %d %s", status, data)
		}
	})
}
