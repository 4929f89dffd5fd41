// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/krow-lab/krow/server/api"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/gate"
	"github.com/krow-lab/krow/server/store/storetest"
)

// serve answers a request to a path with a body, and returns the bytes that were allocated meanwhile. A body of unknown length is
// -1 long.
func (s *site) serve(from, path string, body io.Reader, length int64) (status int, answer string, bytes uint64) {
	s.t.Helper()
	q := httptest.NewRequest("POST", "http://localhost"+path, body)
	q.ContentLength, q.RemoteAddr = length, "127.0.0.1:1"
	q.Header.Set("X-Forwarded-For", from)
	q.Header.Set("Content-Type", "application/json")
	var before, after runtime.MemStats
	w := httptest.NewRecorder()
	runtime.ReadMemStats(&before)
	s.web.ServeHTTP(w, q)
	runtime.ReadMemStats(&after)
	return w.Code, w.Body.String(), after.TotalAlloc - before.TotalAlloc
}

// frugal checks that a body was refused, in memory that grows no faster than the body.
func (s *site) frugal(from, path, body string) {
	s.t.Helper()
	status, answer, used := s.serve(from, path, strings.NewReader(body), int64(len(body)))
	if (status < 400 || status >= 500 || status == http.StatusTooManyRequests) && !strings.HasPrefix(path, "/api/explorer/import") { // which lists what it cannot read
		s.t.Errorf("%s of %.60q: %d %s", path, body, status, answer)
	}
	if most := uint64(1<<20 + 50*len(body)); used > most {
		s.t.Errorf("%s of %d bytes %.60q took %d kB, want at most %d", path, len(body), body, used>>10, most>>10)
	}
	if len(answer) > 20_000 {
		s.t.Errorf("%s of %.60q is answered with %d bytes", path, body, len(answer))
	}
}

// repeat writes n numbered parts with a comma between two.
func repeat(n int, part string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strings.ReplaceAll(part, "#", fmt.Sprint(i)))
	}
	return b.String()
}

// TestUnknownKeysCostLittle sends one request with many keys that no operation has, to an operation that everybody may call.
func TestUnknownKeysCostLittle(t *testing.T) {
	s := newSite(t, behindProxy)
	s.frugal("192.0.2.1", "/api/club/login", "{"+repeat(900, `"unknown key #":0`)+"}")
	status, answer, _ := s.serve("192.0.2.1", "/api/club/login", strings.NewReader("{"+repeat(99, `"x#":0`)+"}"), -1)
	if got := strings.Count(answer, `"location"`); status != 422 || got > 20 || got < 2 {
		t.Errorf("%d with %d wrong fields, want at most 20: %s", status, got, answer)
	}
}

// TestValuesAreCounted sends more values than a body has, and as many commas within a string.
func TestValuesAreCounted(t *testing.T) {
	s := newSite(t, behindProxy)
	for body, want := range map[string]string{
		`{"name":"ann","password":[` + repeat(1000, `0`) + `]}`:                                 "more than 1000 JSON values",
		`{"name":"ann","password":"` + strings.Repeat(`,[\\\"{`, 150) + `","x":` + "0}":         "unexpected property",
		`{"game":"tictactoe","players":[` + repeat(1000, `"x"`) + `]}` + strings.Repeat(" ", 9): "more than 1000 JSON values",
	} {
		if status, answer, _ := s.serve("192.0.2.1", "/api/club/login", strings.NewReader(body), -1); status < 400 || status >= 500 || !strings.Contains(answer, want) {
			t.Errorf("%.60q: %d %s, want %s", body, status, answer, want)
		}
	}
}

// TestBodiesAreBounded sends to every operation with a body what breaks its limits: unknown keys, deep nesting, wrong types by the
// thousand and a body that is too long. Each is refused, in memory that grows no faster than the body.
func TestBodiesAreBounded(t *testing.T) {
	s := newSite(t, behindProxy)
	limits := s.web.BodyLimits()
	n := 0
	for _, o := range operations(s) {
		most, has := limits[o.id]
		if !has {
			continue
		}
		n++
		if most <= 0 || most > 128<<20 {
			t.Errorf("%s takes a body of %d bytes", o.id, most)
		}
		from := fmt.Sprintf("10.0.%d.1", n) // each has the requests of a client of its own
		path := strings.NewReplacer("{id}", "999999", "{name}", "nobody").Replace(o.path)
		if o.id == "collect" {
			path += "?name=x.sgf&to=x"
		}
		for _, body := range []string{
			"{" + repeat(1000, `"x#":{"y":[0]}`) + "}",
			"[" + repeat(3000, `{}`) + "]",
			strings.Repeat(`{"next":[`, 3000),
			`{"game":[` + repeat(1000, `{"game":7}`) + `],"players":[` + repeat(1000, `[]`) + `],"next":[` + repeat(1000, `{"move":7}`) + `],"terms":{` + repeat(300, `"clock#":{}`) + `}}`,
		} {
			s.frugal(from, path, body)
		}
		if status, answer, _ := s.serve(from, path, iotest.ErrReader(io.ErrUnexpectedEOF), most+1); status != http.StatusRequestEntityTooLarge {
			t.Errorf("%s of %d bytes: %d %s, want 413", o.id, most+1, status, answer)
		}
		if most <= 2<<20 {
			if status, answer, _ := s.serve(from, path, bytes.NewReader(bytes.Repeat([]byte{' '}, int(most)+1)), -1); status != http.StatusRequestEntityTooLarge {
				t.Errorf("%s of more than %d bytes, whose length is not announced: %d %s, want 413", o.id, most, status, answer)
			}
		}
	}
	if n < 40 {
		t.Errorf("only %d operations have bodies", n)
	}
}

// TestTreesAreBounded sends trees of moves that are damaged, too large or too deep.
func TestTreesAreBounded(t *testing.T) {
	s := newSite(t, behindProxy)
	tests := []struct {
		name, body string
		status     int
		code       string
	}{
		{"no move", `{"move":"","next":[` + repeat(5_000, `{}`) + `]}`, 422, "bad-request"},
		{"no list", `{"move":"","next":{}}`, 422, "bad-request"},
		{"no text", `{"move":7,"next":[]}`, 422, "bad-request"},
		{"no object", `[]`, 422, "bad-request"},
		{"an unknown key", `{"move":"","next":[],"mark":true}`, 422, "bad-request"},
		{"another game's move", `{"move":"","next":[{"move":"z99","next":[]}]}`, 422, "bad-move"},
		{"a long comment", `{"move":"","comment":"` + strings.Repeat("x", 4001) + `","next":[]}`, 422, "bad-request"},
		{"too many moves", `{"move":"","next":[` + repeat(20_001, `{"move":"h8","next":[]}`) + `]}`, 422, "large-library"},
		{"too deep", strings.Repeat(`{"move":"h8","next":[`, 30_000), 422, "large-library"},
		{"cut off", `{"move":"","next":[`, 400, "bad-body"},
		{"more than one", `{"move":"","next":[]}{}`, 400, "bad-body"},
		{"nothing", ``, 400, "bad-body"},
	}
	for i, tc := range tests {
		for _, path := range []string{"/api/library?game=gomoku", "/api/page?game=gomoku"} {
			t.Run(tc.name+path, func(t *testing.T) {
				s.t = t
				from := fmt.Sprintf("192.0.2.%d", i+1)
				s.frugal(from, path, tc.body)
				if status, answer, _ := s.serve(from, path, strings.NewReader(tc.body), -1); status != tc.status || !strings.Contains(answer, `"`+tc.code+`"`) {
					t.Errorf("%d %s, want %d %s", status, answer, tc.status, tc.code)
				}
			})
		}
	}
	s.t = t
	whole := `{"next":[` + repeat(20_000, `{"comment":"a","next":[],"move":"h8"}`) + `],"move":""}`
	if status, answer, used := s.serve("192.0.2.99", "/api/page?game=gomoku", strings.NewReader(whole), int64(len(whole))); status != 200 || used > 100<<20 {
		t.Errorf("20,000 moves: %d %.200s, %d MB", status, answer, used>>20)
	}
}

// TestGuestsSendShortBodies sends more than 1 MB as a guest, which members may send.
func TestGuestsSendShortBodies(t *testing.T) {
	s := newClubSite(t, club.Guest)
	long := `{"move":"","next":[]` + strings.Repeat(" ", 1<<20) + "}"
	for _, length := range []int64{int64(len(long)), -1} {
		if status, answer, _ := s.serve("192.0.2.1", "/api/page?game=gomoku", strings.NewReader(long), length); status != http.StatusRequestEntityTooLarge {
			t.Errorf("a guest: %d %s, want 413", status, answer)
		}
	}
	q, err := http.NewRequest("POST", s.http.URL+"/api/page?game=gomoku", strings.NewReader(long))
	if err != nil {
		t.Fatal(err)
	}
	q.AddCookie(&http.Cookie{Name: "krow-session", Value: s.tokens["bob"]})
	a, err := s.http.Client().Do(q)
	if err != nil {
		t.Fatal(err)
	}
	a.Body.Close()
	if a.StatusCode != 200 {
		t.Errorf("a member: %d", a.StatusCode)
	}
}

// sender sends bodies of visitors and members over connections in memory.
type sender struct {
	*clubSite
	pipes
}

// inTheClub runs f with the time of a test of its own.
func inTheClub(t *testing.T, f func(s sender)) {
	synctest.Test(t, func(t *testing.T) {
		l := newPipes(t)
		s := &clubSite{site: &site{t: t, file: storetest.File(t), listener: &l}, log: &logged{}}
		s.openClub(club.Guest)
		defer s.close()
		f(sender{s, l})
	})
}

// send sends half of a body from 192.0.2.host and then, when more is closed, the rest. It returns the status once the answer has come.
func (s sender) send(host byte, token, path, body string, more chan struct{}) (status *string) {
	status = new(string)
	c, theirs := net.Pipe()
	s.conns <- addressed{theirs, fmt.Sprintf("192.0.2.%d:1", host)}
	go func() {
		defer c.Close()
		go func() {
			_, _ = fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nCookie: krow=guest%d; krow-session=%s\r\nContent-Length: %d\r\n\r\n", path, host, token, len(body))
			_, _ = io.WriteString(c, body[:len(body)/2])
			<-more
			_, _ = io.WriteString(c, body[len(body)/2:])
		}()
		line := make([]byte, len("HTTP/1.1 200"))
		if _, err := io.ReadFull(c, line); err == nil {
			*status = string(line[len("HTTP/1.1 "):])
		}
	}()
	return status
}

// treeOf returns a tree of moves that is about n bytes long.
func treeOf(n int) string { return `{"move":"","next":[]` + strings.Repeat(" ", n) + "}" }

// TestLargeBodiesWait has guests send large bodies and stop within them: another large one of a guest is read after these, a small
// one and a member's at once. One client has only a part of the places.
func TestLargeBodiesWait(t *testing.T) {
	inTheClub(t, func(s sender) {
		const path = "/api/page?game=gomoku"
		open, hold := make(chan struct{}), make(chan struct{})
		close(open)
		for i := range api.VisitorsLargeBodies {
			s.send(byte(1+i/gate.LargeOfOne), "", path, treeOf(300_000), hold)
		}
		synctest.Wait()
		many, third := s.send(1, "", path, treeOf(300_000), open), s.send(9, "", path, treeOf(300_000), open)
		small, member := s.send(1, "", path, treeOf(3000), open), s.send(1, s.tokens["bob"], path, treeOf(300_000), open)
		synctest.Wait()
		if *many != "429" || *third != "" || *small != "200" || *member != "200" {
			t.Errorf("while the places are taken: %q for one more of a client, %q for a large one, %q for a small one, %q for a member's", *many, *third, *small, *member)
		}
		close(hold)
		synctest.Wait()
		if *third != "200" {
			t.Errorf("the large one got %q afterwards", *third)
		}
	})
}

// TestSlowLines sends bodies in as much time as a slow line needs.
func TestSlowLines(t *testing.T) {
	inTheClub(t, func(s sender) {
		slow, later := make(chan struct{}), make(chan struct{})
		game := s.send(1, "", "/api/games", `{"game":"tictactoe","first":"human","second":"human"}`, slow)
		tree := s.send(2, "", "/api/page?game=gomoku", treeOf(1_000_000), later)
		time.Sleep(20 * time.Second)
		close(slow)
		time.Sleep(20 * time.Second)
		close(later)
		synctest.Wait()
		if *game != "200" || *tree != "200" {
			t.Errorf("a small body in 20 s: %q, a large one in 40 s: %q", *game, *tree)
		}
	})
}

// TestSlowSendersHoldNoPlace has one visitor begin games with bodies that do not end: others begin theirs at once.
func TestSlowSendersHoldNoPlace(t *testing.T) {
	inTheClub(t, func(s sender) {
		open, never := make(chan struct{}), make(chan struct{})
		close(open)
		body := `{"game":"tictactoe","first":"human","second":"human"}`
		for range 4 {
			s.send(1, "", "/api/games", body, never)
			s.send(1, s.tokens["ann"], "/api/games", body, never)
		}
		synctest.Wait()
		guest, member := s.send(2, "", "/api/games", body, open), s.send(2, s.tokens["bob"], "/api/games", body, open)
		synctest.Wait()
		if *guest != "200" || *member != "200" {
			t.Errorf("while one begins: a guest got %q, a member %q", *guest, *member)
		}
		close(never)
	})
}

// TestPatientAnalysisIsAlive: an analysis that gives way to players of games sends pulses meanwhile. HTTP/2 ends a stream on which
// nothing was written in gate.WriteTime.
func TestPatientAnalysisIsAlive(t *testing.T) {
	inTheClub(t, func(s sender) {
		if err := s.web.Crowd(context.Background()); err != nil {
			t.Fatal(err)
		}
		c, theirs := net.Pipe()
		s.conns <- addressed{theirs, "192.0.2.1:1"}
		defer c.Close()
		if _, err := io.WriteString(c, "GET /api/analysis?game=tictactoe&seconds=0 HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		_ = c.SetReadDeadline(time.Now().Add(time.Minute)) // a pipe has deadlines
		data, _ := io.ReadAll(c)                           // until then
		if n := strings.Count(string(data), "event: pulse"); n < 3 {
			t.Errorf("%d pulses in a minute: %s", n, data)
		}
	})
}
