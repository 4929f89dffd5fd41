// SPDX-License-Identifier: Apache-2.0

package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/krow-lab/krow/app/club"
	"github.com/krow-lab/krow/internal/web"
)

// TestHostile has members play while visitors of many addresses take all they can get: streams, analyses, games, guesses
// of passwords. Every move of a member is played, and visitors get no more than their part. With KROW_LONG it is 2,000
// visitors and 20 members for half a minute, and members' moves must be answered within 0.2 s.
func TestHostile(t *testing.T) {
	visitors, members, moves, pause := 40, 3, 3, time.Duration(0)
	switch {
	case testing.Short():
		visitors, members, moves = 12, 2, 1
	case os.Getenv("KROW_LONG") != "":
		visitors, members, moves, pause = 2000, 20, 30, time.Second
	}
	s := newClubSite(t, club.Guest)
	c := club.New(s.db, club.Options{Cheap: true})
	for i := range members {
		name := fmt.Sprintf("member%d", i)
		link, err := c.Add(club.Alone, name, club.Member)
		if err != nil {
			t.Fatal(err)
		}
		if _, s.tokens[name], err = c.Join(link, "", password, club.Browser{}); err != nil {
			t.Fatal(err)
		}
	}
	alone := s.playAll(members, moves, pause)

	var g web.Game
	_, data := s.answered("bob", "POST", "/api/games", object{"game": "gomoku", "first": "human", "second": "human"})
	if err := json.Unmarshal([]byte(data), &g); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var attack sync.WaitGroup
	var asked, refused atomic.Int64
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2 * visitors}}
	defer client.CloseIdleConnections()
	ready := make(chan struct{}, visitors)
	for i := range visitors {
		attack.Go(func() {
			ready <- struct{}{} // a stream in the queue may be answered much later
			for n := 0; ctx.Err() == nil; n++ {
				status := s.harm(ctx, client, i, n, g.ID)
				asked.Add(1)
				if status == 429 || status == 503 || status == 401 {
					refused.Add(1)
				}
			}
		})
	}
	for range visitors {
		<-ready
	}
	beside := s.playAll(members, moves, pause)
	cancel()
	attack.Wait()
	t.Logf("%d visitors asked %d times and were refused %d times; members' %d moves alone: %v at the middle, %v at most; beside them %v and %v, and %v at the 99th percentile",
		visitors, asked.Load(), refused.Load(), len(alone), alone[len(alone)/2], alone[len(alone)-1], beside[len(beside)/2], beside[len(beside)-1], beside[len(beside)*99/100])
	if refused.Load() == 0 {
		t.Error("no visitor was refused anything")
	}
	if at := beside[len(beside)*99/100]; os.Getenv("KROW_LONG") != "" && at > alone[len(alone)*99/100]+200*time.Millisecond {
		t.Errorf("moves took %v at the 99th percentile", at)
	}
	if n := strings.Count(s.log.String(), "write deadline"); n > 0 {
		t.Errorf("%d lines about deadlines", n)
	}
}

// harm sends what a hostile visitor sends, and returns the status. Streams stay open until ctx is done.
func (s *clubSite) harm(ctx context.Context, client *http.Client, visitor, n int, game string) int {
	method, path, body := "GET", "/api/games/"+game+"/events", ""
	switch (visitor + n) % 4 {
	case 1:
		path = "/api/analysis?game=gomoku&moves=h8&seconds=600"
	case 2:
		method, path, body = "POST", "/api/games", `{"game":"gomoku","first":"human","second":"human"}`
	case 3:
		method, path, body = "POST", "/api/club/login", fmt.Sprintf(`{"name":"member%d","password":"guess %d"}`, visitor%20, n)
	}
	q, err := http.NewRequestWithContext(ctx, method, s.http.URL+path, strings.NewReader(body))
	if err != nil {
		return 0
	}
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("X-Forwarded-For", fmt.Sprintf("10.1.%d.%d", visitor/250, visitor%250))
	q.AddCookie(&http.Cookie{Name: "krow", Value: fmt.Sprint("visitor ", visitor, n)})
	a, err := client.Do(q)
	if err != nil {
		return 0
	}
	if a.StatusCode == 200 && method == "GET" {
		go func() {
			_, _ = io.Copy(io.Discard, a.Body)
			a.Body.Close()
		}()
	} else {
		_, _ = io.Copy(io.Discard, a.Body)
		a.Body.Close()
	}
	select {
	case <-ctx.Done():
	case <-time.After(50 * time.Millisecond):
	}
	return a.StatusCode
}

// playAll lets members play both sides of a game each, and returns how long their moves took, the quickest first.
func (s *clubSite) playAll(members, moves int, pause time.Duration) (took []time.Duration) {
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range members {
		name := fmt.Sprintf("member%d", i)
		var g web.Game
		if status, data := s.answered(name, "POST", "/api/games", object{"game": "gomoku", "first": "human", "second": "human"}); status != 200 || json.Unmarshal([]byte(data), &g) != nil {
			s.t.Fatalf("%s: %d %s", name, status, data)
		}
		all.Go(func() {
			for ply := range moves {
				start := time.Now()
				move := fmt.Sprintf("%c%d", 'a'+ply%15, 1+2*(ply/15)%15)
				status, data := s.answered(name, "POST", "/api/games/"+g.ID+"/moves", object{"move": move, "ply": ply})
				if status != 200 {
					s.t.Errorf("%s: move %s: %d %s", name, move, status, data)
					return
				}
				mu.Lock()
				took = append(took, time.Since(start))
				mu.Unlock()
				time.Sleep(pause)
			}
		})
	}
	all.Wait()
	slices.Sort(took)
	return took
}
