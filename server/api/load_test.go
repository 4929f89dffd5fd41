// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/krow-lab/krow/server/api"
)

// load is what a load test asks for.
type load struct {
	clients int
	at      string // the position that is analysed
	player  string
	seconds int           // of each analysis
	lasts   time.Duration // clients ask again until then; 0: once
	plays   int           // moves of another client meanwhile
}

// TestLoad has many analyses at once, while somebody plays. Every client is served, moves are answered, and what they
// took is given back. With KROW_LONG it is 200 clients for two minutes, and tells what it measured.
func TestLoad(t *testing.T) {
	l := load{clients: 60, at: "game=tictactoe&moves=b2", player: "minimax:depth=9", seconds: 600, plays: 3}
	if os.Getenv("KROW_LONG") != "" {
		l = load{clients: 200, at: "game=gomoku&moves=h8", player: "best", seconds: 10, lasts: 2 * time.Minute, plays: 40}
	}
	s := newSite(t, behindProxy)
	idle := runtime.NumGoroutine()
	var first runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&first)

	var mu sync.Mutex
	var waits []time.Duration
	var late time.Duration // how much longer anybody waited than was told at first
	var clients sync.WaitGroup
	end := time.Now().Add(l.lasts)
	for i := range l.clients {
		clients.Add(1)
		go func() {
			defer clients.Done()
			for {
				start := time.Now()
				answered, told, err := ask(t.Context(), s.http, fmt.Sprintf("10.0.%d.%d", i/250, i%250), l)
				if err != nil {
					t.Errorf("client %d: %v", i, err)
					return
				}
				mu.Lock()
				waits = append(waits, answered.Sub(start))
				late = max(late, answered.Sub(start)-told)
				mu.Unlock()
				if !time.Now().Before(end) {
					return
				}
			}
		}()
	}
	slowest := playAlong(t, s, l.plays)
	stuck(t, s)
	clients.Wait()

	s.http.Client().CloseIdleConnections()
	for runtime.NumGoroutine() > idle+2 && t.Context().Err() == nil {
		runtime.Gosched()
	}
	var last runtime.MemStats
	for range 30_000 { // two goroutines more than before may still hold what a search took
		runtime.GC()
		if runtime.ReadMemStats(&last); last.HeapAlloc <= first.HeapAlloc+64<<20 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	slices.Sort(waits)
	t.Logf("%d clients, %d answers: wait until the first line %v at the middle, %v at most, %v longer than was told; slowest move beyond its limit %v; heap %d MB before, %d MB after",
		l.clients, len(waits), waits[len(waits)/2], waits[len(waits)-1], late, slowest, first.HeapAlloc>>20, last.HeapAlloc>>20)
	if len(waits) < l.clients {
		t.Errorf("%d of %d clients were served", len(waits), l.clients)
	}
	if l.lasts > 0 && slowest > time.Second {
		t.Errorf("a move took %v longer than its limit", slowest)
	}
	if last.HeapAlloc > first.HeapAlloc+64<<20 {
		t.Errorf("the heap grew from %d MB to %d MB", first.HeapAlloc>>20, last.HeapAlloc>>20)
	}
}

// ask analyses a position to its end, and returns when the first line came, and how long it was told at first that
// others take.
func ask(ctx context.Context, at *httptest.Server, from string, l load) (answered time.Time, told time.Duration, err error) {
	q, err := http.NewRequestWithContext(ctx, "GET", fmt.Sprintf("%s/api/analysis?%s&seconds=%d&player=%s", at.URL, l.at, l.seconds, l.player), nil)
	if err != nil {
		return answered, told, err
	}
	q.Header.Set("X-Forwarded-For", from)
	a, err := at.Client().Transport.RoundTrip(q)
	if err != nil {
		return answered, told, err
	}
	defer a.Body.Close()
	lines := bufio.NewScanner(a.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		switch text := lines.Text(); {
		case told == 0 && strings.Contains(text, `"seconds":`):
			var q api.Queued
			if err := json.Unmarshal([]byte(strings.TrimPrefix(text, "data: ")), &q); err != nil {
				return answered, told, err
			}
			told = time.Duration(q.Seconds * float64(time.Second))
		case text == "event: lines" && answered.IsZero():
			answered = time.Now()
		case strings.Contains(text, `"reason":"error"`):
			return answered, told, fmt.Errorf("%s", text)
		}
	}
	if answered.IsZero() {
		return answered, told, fmt.Errorf("no line came, and the stream ended: %v", lines.Err())
	}
	return answered, told, nil
}

// playAlong plays a game against a player with a limit, and returns how much longer than that its slowest move took.
func playAlong(t *testing.T, s *site, moves int) (slowest time.Duration) {
	const limit = 100 * time.Millisecond
	g := s.begin("gomoku", "human", "best:time=100ms")
	for range moves {
		start := time.Now()
		g = get[api.Game](s, 200, "POST", "/api/games/"+g.ID+"/moves", object{"move": sound(g.Board), "ply": g.Plies})
		g = s.until(g.ID, turnOfPerson)
		slowest = max(slowest, time.Since(start)-limit)
		if g.Outcome != "ongoing" {
			g = s.begin("gomoku", "human", "best:time=100ms")
		}
	}
	return slowest
}

// stuck opens a stream that is never read, and one whose request never ends, and leaves both: nothing of them stays,
// as the count of goroutines shows.
func stuck(t *testing.T, s *site) {
	for _, text := range []string{
		"GET /api/analysis?game=tictactoe&seconds=1&player=oracle HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{",
	} {
		c, err := net.Dial("tcp", strings.TrimPrefix(s.http.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
