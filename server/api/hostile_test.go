// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/krow-lab/krow/server/api"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/lobby"
)

// TestMovesStayFastUnderAttack has members play while visitors of many addresses take all they can get: streams, analyses, games, guesses
// of passwords. Every move of a member is played, and visitors get no more than their part. The visitors are a process of
// their own, of low priority, so that what is measured is how the server shares its cores. With KROW_LONG it is 2,000 visitors,
// each of whom asks once a second, and 20 members for half a minute, whose moves must be answered within 0.2 s.
func TestMovesStayFastUnderAttack(t *testing.T) {
	visitors, members, moves, pause, rest := 40, 3, 3, time.Duration(0), 50*time.Millisecond
	switch {
	case testing.Short():
		visitors, members, moves = 12, 2, 1
	case os.Getenv("KROW_LONG") != "":
		visitors, members, moves, pause, rest = 2000, 20, 30, time.Second, time.Second
	}
	s := newClubSite(t, club.Guest, func(o *api.Options) { o.People.Cheap = pause == 0 }) // a guess costs what it costs on a server
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

	var g api.Game
	_, data := s.answered("bob", "POST", "/api/games", object{"game": "gomoku", "first": "human", "second": "human"})
	if err := json.Unmarshal([]byte(data), &g); err != nil {
		t.Fatal(err)
	}
	end := startVisitors(t, attack{URL: s.http.URL, Game: g.ID, Visitors: visitors, Rest: rest})
	beside := s.playAll(members, moves, pause)
	asked, refused := end()
	t.Logf("%d visitors asked %d times and were refused %d times; members' %d moves alone: %v at the middle, %v at most; beside them %v and %v, and %v at the 99th percentile",
		visitors, asked, refused, len(alone), alone[len(alone)/2], alone[len(alone)-1], beside[len(beside)/2], beside[len(beside)-1], beside[len(beside)*99/100])
	if refused == 0 {
		t.Error("no visitor was refused anything")
	}
	if at := beside[len(beside)*99/100]; os.Getenv("KROW_LONG") != "" && at > alone[len(alone)*99/100]+200*time.Millisecond {
		t.Errorf("moves took %v at the 99th percentile", at)
	}
	if n := strings.Count(s.log.String(), "write deadline"); n > 0 {
		t.Errorf("%d lines about deadlines", n)
	}
}

// TestManyWatchersOfOneGame has many visitors watch one game between two members. A move is answered, and reaches the other player, as it does
// without them: players come first. With KROW_LONG it is 2,000 visitors and 100 moves, and time is measured.
func TestManyWatchersOfOneGame(t *testing.T) {
	visitors, moves, pause := 30, 6, time.Duration(0)
	if os.Getenv("KROW_LONG") != "" {
		visitors, moves, pause = 2000, 100, 300*time.Millisecond
	}
	s := newClubSite(t, club.Watcher)
	begin := func() string {
		var c lobby.Challenge
		var g api.Game
		s.get("bob", "POST", "/api/challenges", object{"terms": object{"game": "gomoku", "colour": "first"}}, &c)
		s.get("cyd", "POST", "/api/challenges/"+c.ID+"/accept", object{}, &g)
		return g.ID
	}
	aloneAnswer, aloneReach := s.playWatched(begin(), moves, pause)
	game := begin()
	end := startVisitors(t, attack{URL: s.http.URL, Game: game, Visitors: visitors, Watch: true})
	answer, reach := s.playWatched(game, moves, pause)
	if asked, _ := end(); asked < visitors {
		t.Errorf("%d of %d visitors asked", asked, visitors)
	}
	at := func(all []time.Duration, percent int) time.Duration { return all[(len(all)-1)*percent/100] }
	t.Logf("%d watch. A move is answered in %v at the middle and %v at the 99th percentile (alone %v and %v), and reaches the other player in %v and %v (alone %v and %v)",
		visitors, at(answer, 50), at(answer, 99), at(aloneAnswer, 50), at(aloneAnswer, 99), at(reach, 50), at(reach, 99), at(aloneReach, 50), at(aloneReach, 99))
	if most := at(aloneReach, 99) + 100*time.Millisecond; os.Getenv("KROW_LONG") != "" && at(reach, 99) > most {
		t.Errorf("a move reached the other player in %v at the 99th percentile, want %v", at(reach, 99), most)
	}
}

// get asks as a member and reads the answer, which is a success.
func (s *clubSite) get(name, method, path string, body, answer any) {
	s.t.Helper()
	if status, data := s.answered(name, method, path, body); status != 200 || json.Unmarshal([]byte(data), answer) != nil {
		s.t.Fatalf("%s: %s %s: %d %s", name, method, path, status, data)
	}
}

// playWatched plays moves of a game between bob, who began, and cyd. It returns how long they took to be answered, and to reach
// the other player, the quickest first.
func (s *clubSite) playWatched(id string, moves int, pause time.Duration) (answer, reach []time.Duration) {
	names := []string{"bob", "cyd"}
	heard := [2]chan int{make(chan int, moves+1), make(chan int, moves+1)} // plies that a player hears of
	for side, name := range names {
		a := s.as(name, "GET", "/api/games/"+id+"/events", nil)
		defer a.Body.Close()
		go func() {
			for lines := bufio.NewReader(a.Body); ; {
				line, err := lines.ReadString('\n')
				if err != nil {
					return
				}
				var g api.Game
				if data, ok := strings.CutPrefix(line, "data: "); ok && json.Unmarshal([]byte(data), &g) == nil && g.ID != "" {
					heard[side] <- g.Plies
				}
			}
		}()
		<-heard[side]
	}
	for ply := range moves {
		start := time.Now()
		done := make(chan time.Duration, 1)
		go func() {
			for plies := 0; plies <= ply; plies = <-heard[1-ply%2] {
			}
			done <- time.Since(start)
		}()
		var g api.Game
		s.get(names[ply%2], "POST", "/api/games/"+id+"/moves", object{"move": apart(ply), "ply": ply}, &g)
		answer = append(answer, time.Since(start))
		reach = append(reach, <-done)
		time.Sleep(pause)
	}
	slices.Sort(answer)
	slices.Sort(reach)
	return answer, reach
}

// attack is what visitors do to a server.
type attack struct {
	URL, Game string
	Visitors  int
	Rest      time.Duration // of each visitor, between two requests
	Watch     bool          // they do nothing but watch the game, all of them
}

// visitorsVariable makes a process of this test the visitors: see TestHostileVisitors.
const visitorsVariable = "KROW_VISITORS"

// startVisitors lets visitors attack in a process of their own, until the returned function ends them. It returns when each has
// begun and one was refused something.
func startVisitors(t *testing.T, a attack) (end func() (asked, refused int)) {
	t.Helper()
	args := []string{os.Args[0], "-test.run=^TestHostileVisitors$"}
	if nice, err := exec.LookPath("nice"); err == nil {
		args = append([]string{nice, "-n", "19"}, args...)
	}
	data, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), visitorsVariable+"="+string(data))
	cmd.Stderr = os.Stderr
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err := errors.Join(err1, err2, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); line != "ready\n" {
		in.Close()
		t.Fatalf("the visitors say %q: %v, %v", line, err, cmd.Wait())
	}
	return func() (asked, refused int) {
		in.Close()
		line, err := lines.ReadString('\n')
		if _, err1 := fmt.Sscan(line, &asked, &refused); err1 != nil {
			t.Errorf("the visitors say %q: %v", line, err)
		}
		_, _ = io.Copy(io.Discard, lines) // PASS
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
		return asked, refused
	}
}

// TestHostileVisitors are the visitors of TestMovesStayFastUnderAttack: they attack until the standard input ends, and then say how often they asked
// and were refused.
func TestHostileVisitors(t *testing.T) {
	text := os.Getenv(visitorsVariable)
	if text == "" {
		t.Skip("it is a part of TestMovesStayFastUnderAttack")
	}
	var a attack
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	var asked, refused atomic.Int64
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2 * a.Visitors}}
	defer client.CloseIdleConnections()
	ready, felt := make(chan struct{}, a.Visitors), make(chan struct{}) // each has begun; one was refused
	var first sync.Once
	for i := range a.Visitors {
		all.Go(func() {
			if !a.Watch {
				ready <- struct{}{} // a stream in the queue may be answered much later
			}
			for n := 0; ctx.Err() == nil; n++ {
				status := a.harm(ctx, client, i, n)
				asked.Add(1)
				if a.Watch && status == 200 {
					ready <- struct{}{}
					return
				}
				if status == 429 || status == 503 || status == 401 {
					refused.Add(1)
					first.Do(func() { close(felt) })
				}
			}
		})
	}
	for range a.Visitors {
		<-ready
	}
	if !a.Watch {
		<-felt
	}
	fmt.Println("ready")
	_, _ = io.Copy(io.Discard, os.Stdin)
	cancel()
	all.Wait()
	fmt.Println(asked.Load(), refused.Load())
}

// harm sends what a hostile visitor sends, and returns the status. Streams stay open until ctx is done.
func (a attack) harm(ctx context.Context, client *http.Client, visitor, n int) int {
	method, path, body := "GET", "/api/games/"+a.Game+"/events", ""
	what := (visitor + n) % 4
	if a.Watch {
		what = 0
	}
	switch what {
	case 1:
		path = "/api/analysis?game=gomoku&moves=h8&seconds=600"
	case 2:
		method, path, body = "POST", "/api/games", `{"game":"gomoku","first":"human","second":"human"}`
	case 3:
		method, path, body = "POST", "/api/club/login", fmt.Sprintf(`{"name":"member%d","password":"guess %d"}`, visitor%20, n)
	}
	q, err := http.NewRequestWithContext(ctx, method, a.URL+path, strings.NewReader(body))
	if err != nil {
		return 0
	}
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("X-Forwarded-For", fmt.Sprintf("10.1.%d.%d", visitor/250, visitor%250))
	q.AddCookie(&http.Cookie{Name: "krow", Value: fmt.Sprint("visitor ", visitor, n)})
	r, err := client.Do(q)
	if err != nil {
		return 0
	}
	if r.StatusCode == 200 && method == "GET" {
		go func() {
			_, _ = io.Copy(io.Discard, r.Body)
			r.Body.Close()
		}()
	} else {
		_, _ = io.Copy(io.Discard, r.Body)
		r.Body.Close()
	}
	select {
	case <-ctx.Done():
	case <-time.After(a.Rest):
	}
	return r.StatusCode
}

// apart returns the move of a ply on the first, third, fifth ... row of a board of 15 x 15. Nobody gets five in a row.
func apart(ply int) string { return fmt.Sprintf("%c%d", 'a'+ply%15, 1+2*(ply/15)%15) }

// playAll lets members play both sides of a game each, and returns how long their moves took, the quickest first.
func (s *clubSite) playAll(members, moves int, pause time.Duration) (took []time.Duration) {
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range members {
		name := fmt.Sprintf("member%d", i)
		var g api.Game
		if status, data := s.answered(name, "POST", "/api/games", object{"game": "gomoku", "first": "human", "second": "human"}); status != 200 || json.Unmarshal([]byte(data), &g) != nil {
			s.t.Fatalf("%s: %d %s", name, status, data)
		}
		all.Go(func() {
			for ply := range moves {
				start := time.Now()
				status, data := s.answered(name, "POST", "/api/games/"+g.ID+"/moves", object{"move": apart(ply), "ply": ply})
				if status != 200 {
					s.t.Errorf("%s: move %d: %d %s", name, ply, status, data)
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
