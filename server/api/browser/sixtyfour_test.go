// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/krow-lab/krow/server/api"
	"github.com/krow-lab/krow/server/tournament"
)

// follower is a player of a tournament without the page, who waits on the stream of news for games.
type follower struct {
	site   *site
	from   string // its address, as the proxy of the server tells it
	client http.Client
	called map[string]time.Time // by game: when the stream named it first
}

// ask sends a request and decodes the answer. It reports whether the server answered it with 200.
func (f *follower) ask(method, path string, body, answer any) bool {
	data, err := json.Marshal(body)
	if err != nil {
		f.site.t.Error(err)
		return false
	}
	r, err := http.NewRequestWithContext(f.site.t.Context(), method, "http://"+f.site.addr+"/api"+path, bytes.NewReader(data))
	if err != nil {
		f.site.t.Error(err)
		return false
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Forwarded-For", f.from)
	a, err := f.client.Do(r)
	if err != nil {
		return false
	}
	defer a.Body.Close()
	return a.StatusCode == http.StatusOK && json.NewDecoder(a.Body).Decode(answer) == nil
}

// enter opens a page, by which the server knows a guest again.
func (f *follower) enter() bool {
	a, err := f.client.Get("http://" + f.site.addr + "/lobby")
	if err != nil {
		f.site.t.Error(err)
		return false
	}
	return a.Body.Close() == nil
}

// follow plays the first legal move in each game that the stream names, until the stream ends.
func (f *follower) follow() {
	r, err := http.NewRequestWithContext(f.site.t.Context(), "GET", "http://"+f.site.addr+"/api/news/events", nil)
	if err != nil {
		f.site.t.Error(err)
		return
	}
	r.Header.Set("X-Forwarded-For", f.from)
	a, err := f.client.Do(r)
	if err != nil {
		f.site.t.Error(err)
		return
	}
	defer a.Body.Close()
	for lines := bufio.NewScanner(a.Body); lines.Scan(); {
		var n api.News
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok || json.Unmarshal([]byte(data), &n) != nil {
			continue
		}
		if _, known := f.called[n.Called]; !known && n.Called != "" {
			f.called[n.Called] = time.Now()
		}
		for _, turn := range n.Turns {
			var g api.Game
			if f.ask("GET", "/games/"+turn.ID, nil, &g) && len(g.Board.Moves) > 0 {
				f.ask("POST", "/games/"+turn.ID+"/moves", map[string]any{"move": g.Board.Moves[0], "ply": g.Plies}, &g) // refused if the news are old
			}
		}
	}
}

// plays makes a page do what it shows: it presses the first legal cell, and the button that leads back from a finished game. It
// keeps when the page showed each game first.
const plays = `(() => { window.called = {}
const press = (cell) => {
	if (!cell) return
	const r = cell.getBoundingClientRect(), at = { bubbles: true, isPrimary: true, button: 0, clientX: r.x + r.width / 2, clientY: r.y + r.height / 2 }
	cell.dispatchEvent(new PointerEvent('pointerdown', at))
	cell.dispatchEvent(new PointerEvent('pointerup', at))
	cell.dispatchEvent(new MouseEvent('click', at))
}
setInterval(() => {
	const game = location.pathname.match(/^\/play\/(.+)/)?.[1]
	if (game) window.called[game] ??= Date.now()
	if (document.querySelector('.status.over')) document.querySelector('a.main[href^="/tournaments/"]')?.click()
	else if (!document.querySelector('[role=grid][aria-busy=true]')) press(document.querySelector('.cell.legal'))
}, 200); return true })()`

// TestTournamentOfSixtyFour, with KROW_LONG, plays a Swiss tournament of three rounds with a minute for each side: eight browsers do
// what their pages show, and 56 programs follow the stream of news. Nobody may lose on time.
func TestTournamentOfSixtyFour(t *testing.T) {
	if os.Getenv("KROW_LONG") == "" {
		t.Skip("it plays 96 games with eight browsers: KROW_LONG=1 runs it")
	}
	s := prepare(t, ownAddress())
	s.proxy = true
	s.start()
	host := &follower{site: s, from: "10.0.1.0", client: http.Client{Jar: must(cookiejar.New(nil))}}
	var cup tournament.Tournament
	if !host.enter() || !host.ask("POST", "/tournaments", map[string]any{"terms": map[string]any{
		"name": "sixty-four", "kind": "swiss", "rounds": 3, "terms": map[string]any{"game": "tictactoe", "clock": map[string]any{"seconds": 60}},
	}}, &cup) {
		t.Fatal("no tournament")
	}
	path := fmt.Sprintf("/tournaments/%d", cup.ID)
	var programs []*follower
	var following sync.WaitGroup
	for i := range 56 {
		f := &follower{site: s, from: fmt.Sprintf("10.0.0.%d", i), client: http.Client{Jar: must(cookiejar.New(nil))}, called: map[string]time.Time{}}
		if !f.enter() || !f.ask("POST", path, map[string]any{"do": "join", "name": fmt.Sprint("program", i)}, &cup) {
			t.Fatalf("program %d cannot join", i)
		}
		programs = append(programs, f)
		following.Go(f.follow)
	}
	var pages []*page
	for range 8 {
		p := s.somebody(path)
		p.press("Join")
		p.until(`document.querySelectorAll('main li').length === ` + strconv.Itoa(57+len(pages)) + ` && [...document.querySelectorAll('button')].some(b => b.innerText === 'Leave')`)
		js[bool](p, plays)
		pages = append(pages, p)
	}
	if !host.ask("POST", path, map[string]any{"do": "begin"}, &cup) {
		t.Fatal("it does not begin")
	}
	if len(cup.Players) != 64 || slices.Contains(cup.Gone, true) {
		t.Errorf("%d players begin, of whom %v are gone", len(cup.Players), cup.Gone)
	}
	for _, p := range pages {
		p.until(`document.querySelector('main')?.innerText.includes('Winner: ')`)
	}
	if !host.ask("GET", path, nil, &cup) || cup.State != "over" || len(cup.Rounds) != 3 {
		t.Fatalf("%s after %d rounds", cup.State, len(cup.Rounds))
	}
	begun := map[string]time.Time{}
	for _, round := range cup.Rounds {
		for _, m := range round {
			var g api.Game
			if !host.ask("GET", "/games/"+m.Game, nil, &g) || g.Outcome == "ongoing" || g.Reason == "time" || g.Reason == "left" {
				t.Errorf("%s – %s ended by %q", m.First, m.Second, g.Reason)
			}
			begun[m.Game] = g.Created
		}
	}
	var byPage []time.Duration
	for _, p := range pages {
		for game, at := range js[map[string]int64](p, `window.called`) {
			byPage = append(byPage, time.UnixMilli(at).Sub(begun[game]))
		}
	}
	s.stop()
	following.Wait()
	var byStream []time.Duration
	for _, f := range programs {
		for game, at := range f.called {
			byStream = append(byStream, at.Sub(begun[game]))
		}
	}
	if len(byPage) != 3*len(pages) || len(byStream) != 3*len(programs) {
		t.Errorf("pages were called to %d games, programs to %d", len(byPage), len(byStream))
	}
	slices.Sort(byPage)
	slices.Sort(byStream)
	for who, times := range map[string][]time.Duration{"pages": byPage, "programs": byStream} {
		t.Logf("%s: called after %v (median), %v (most)", who, times[len(times)/2].Round(time.Millisecond), times[len(times)-1].Round(time.Millisecond))
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
