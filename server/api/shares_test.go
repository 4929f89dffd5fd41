// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"strconv"
	"testing"

	"github.com/krow-lab/krow/server/api"
	"github.com/krow-lab/krow/server/store"
)

// refused asks for something and returns the code of the problem that comes, or "" where there is none.
func (s *site) refused(method, path string, body any) string {
	status, data := s.ask(method, path, body)
	if status < 400 {
		return ""
	}
	var p api.Problem
	if err := json.Unmarshal(data, &p); err != nil || p.Status != status {
		s.t.Errorf("%s %s = %d %s", method, path, status, data)
	}
	return p.Code
}

// TestManyStreams opens streams until the server has enough of the client, which is all addresses of a home, whatever cookies they send. Another client gets one all the same, and the
// first one, too, when it has closed its own.
func TestManyStreams(t *testing.T) {
	s := newSite(t, behindProxy)
	g := s.begin("tictactoe", "human", "human")
	path := "/api/games/" + g.ID + "/events"
	ctx, cancel := context.WithCancel(t.Context())
	open := func(from string) int {
		q, err := http.NewRequestWithContext(ctx, "GET", s.http.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("X-Forwarded-For", "203.0.113.9, "+from) // the first is what the client made up
		q.AddCookie(&http.Cookie{Name: "krow", Value: rand.Text()})
		a, err := s.http.Client().Do(q)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { a.Body.Close() })
		if a.StatusCode == http.StatusTooManyRequests && a.Header.Get("Retry-After") == "" {
			t.Error("it does not say when to try again")
		}
		return a.StatusCode
	}
	n := 0
	for n < 300 && open("2001:db8::"+strconv.Itoa(n+1)) == http.StatusOK {
		n++
	}
	if n != 160 {
		t.Errorf("%d streams were opened, want 160", n)
	}
	if status := open("2001:db8:0:1::1"); status != http.StatusOK {
		t.Errorf("another client got %d", status)
	}
	cancel()
	s.metric("krow_streams", "0")
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	if status := open("2001:db8::" + strconv.Itoa(n+1)); status != http.StatusOK {
		t.Errorf("afterwards it got %d", status)
	}
}

// TestManyGames begins games without end: they end, and those that were refused are not there.
func TestManyGames(t *testing.T) {
	s := newSite(t)
	body := object{"game": "tictactoe", "first": "human", "second": "human"}
	n := 0
	for ; n < 1000 && s.refused("POST", "/api/games", body) == ""; n++ {
	}
	if code := s.refused("POST", "/api/games", body); code != "too-many" {
		t.Errorf("refused as %q", code)
	}
	all, err := s.db.Games(store.GameFilter{Count: 2000})
	if err != nil || n < 60 || n >= 1000 || len(all) != n {
		t.Errorf("%d games begun, %d kept, %v", n, len(all), err)
	}
}
