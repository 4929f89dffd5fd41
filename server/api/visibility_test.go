// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/krow-lab/krow/server/api"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/lobby"
)

// TestVisibility: the owner of a game or a run says who may look at it, and nobody else does.
func TestVisibility(t *testing.T) {
	s := newClubSite(t, club.Guest)
	var g api.Game
	_, data := s.answered("bob", "POST", "/api/games", object{"game": "tictactoe", "first": "human", "second": "human"})
	if err := json.Unmarshal([]byte(data), &g); err != nil || g.Visibility != "link" {
		t.Fatalf("%s, %v", data, err)
	}
	_, data = s.answered("bob", "POST", "/api/runs", object{"learner": "genetic:players=4,each=2,games=24", "game": "tictactoe", "seed": 3})
	var r api.RunView
	if err := json.Unmarshal([]byte(data), &r); err != nil || r.ID == 0 || r.Visibility != "public" {
		t.Fatalf("%s, %v", data, err)
	}
	game, run := "/api/games/"+g.ID, fmt.Sprintf("/api/runs/%d", r.ID)
	tests := []struct {
		thing, visibility string
		as                string
		set, look         int // status for that one, and for cyd afterwards
	}{
		{game, "private", "cyd", 403, 200},
		{game, "private", "guest", 403, 200},
		{game, "private", "bob", 204, 404},
		{game, "link", "cyd", 404, 404},
		{game, "public", "bob", 204, 200},
		{run, "private", "cyd", 403, 200},
		{run, "private", "bob", 204, 404},
		{run, "link", "bob", 204, 200},
	}
	for _, tc := range tests {
		t.Run(tc.thing+" "+tc.visibility+" as "+tc.as, func(t *testing.T) {
			if got, data := s.answered(tc.as, "POST", tc.thing+"/visibility", object{"visibility": tc.visibility}); got != tc.set {
				t.Errorf("set: %d %s, want %d", got, data, tc.set)
			}
			if got, data := s.answered("cyd", "GET", tc.thing, nil); got != tc.look {
				t.Errorf("look: %d %s, want %d", got, data, tc.look)
			}
			if got, data := s.answered("bob", "GET", tc.thing, nil); got != 200 {
				t.Errorf("its owner looks: %d %s", got, data)
			}
		})
	}
	// Nobody else meets what a private run has learned either.
	s.answered("bob", "POST", run+"/visibility", object{"visibility": "private"})
	meet := object{"game": "tictactoe", "first": "human", "second": fmt.Sprintf("run:%d", r.ID)}
	if status, data := s.answered("cyd", "POST", "/api/games", meet); status != 404 || !strings.Contains(data, "no-run") {
		t.Errorf("cyd meets a private run: %d %s", status, data)
	}
	if _, data := s.answered("bob", "POST", "/api/games", meet); strings.Contains(data, "no-run") {
		t.Errorf("its owner does not meet it: %s", data)
	}
	for who, want := range map[string]bool{"bob": true, "cyd": false} {
		if _, data := s.answered(who, "GET", "/api/runs", nil); strings.Contains(data, fmt.Sprintf(`"id":%d`, r.ID)) != want {
			t.Errorf("%s sees the run in the list: %t, want %t", who, !want, want)
		}
	}
}

// TestStreamEndsWhenPrivate: who watches the match or the run of another member sees nothing more of it when it has become private.
func TestStreamEndsWhenPrivate(t *testing.T) {
	s := newClubSite(t, club.Guest)
	m := said[api.MatchView](s, "bob", "POST", "/matches", object{"game": "gomoku", "players": []string{"random", "rules"}, "games": 2000, "plies": 0, "millis": 0, "seed": 1})
	said[api.MatchView](s, "bob", "POST", fmt.Sprintf("/matches/%d/stop", m.ID), nil)
	r := said[api.RunView](s, "bob", "POST", "/runs", object{"learner": "genetic:players=8,each=50,games=400000", "game": "gomoku", "seed": 3})
	said[api.RunView](s, "bob", "POST", fmt.Sprintf("/runs/%d/stop", r.ID), nil)
	for kind, id := range map[string]int64{"matches": m.ID, "runs": r.ID} {
		t.Run(kind, func(t *testing.T) {
			stream := s.as("cyd", "GET", fmt.Sprintf("/api/%s/%d/events", kind, id), nil).Body
			lines := bufio.NewReader(stream)
			if line, err := lines.ReadString('\n'); err != nil || strings.Contains(line, "gone") {
				t.Fatalf("%q, %v", line, err)
			}
			s.done("bob", "POST", fmt.Sprintf("/runs/%d/visibility", id), object{"visibility": "private"})
			defer time.AfterFunc(5*time.Second, func() { stream.Close() }).Stop()
			if rest, err := io.ReadAll(lines); err != nil || !strings.Contains(string(rest), "event: gone") {
				t.Errorf("the stream goes on: %v", err)
			}
		})
	}
}

// TestProfile: a challenge to a named member reaches that member alone, the game stands in both profiles, and a private one in
// nobody else's list.
func TestProfile(t *testing.T) {
	s := newClubSite(t, club.Watcher)
	ask := func(who, method, path string, body, answer any) {
		t.Helper()
		if status, data := s.answered(who, method, path, body); status != 200 || json.Unmarshal([]byte(data), answer) != nil {
			t.Fatalf("%s: %s %s: %d %s", who, method, path, status, data)
		}
	}
	var bob, cyd api.Me
	ask("bob", "GET", "/api/club", nil, &bob)
	ask("cyd", "GET", "/api/club", nil, &cyd)
	terms := object{"game": "tictactoe", "clock": object{"turn": 86400}, "colour": "second"}
	if status, data := s.answered("bob", "POST", "/api/challenges", object{"terms": terms, "invited": 999}); status != 404 || !strings.Contains(data, "no-member") {
		t.Errorf("a challenge to nobody: %d %s", status, data)
	}
	var c lobby.Challenge
	ask("bob", "POST", "/api/challenges", object{"terms": terms, "invited": cyd.Member}, &c)
	news := func(who string) (n lobby.News) { t.Helper(); ask(who, "GET", "/api/news", nil, &n); return n }
	if n := news("cyd"); len(n.Challenges) != 1 || n.Challenges[0].ID != c.ID || len(n.Turns) != 0 {
		t.Errorf("news of cyd: %+v", n)
	}
	for _, who := range []string{"bob", "otto", ""} {
		if n := news(who); len(n.Challenges)+len(n.Turns) != 0 {
			t.Errorf("news of %q: %+v", who, n)
		}
	}
	var g api.Game
	ask("cyd", "POST", "/api/challenges/"+c.ID+"/accept", object{}, &g)
	if n := news("cyd"); len(n.Turns) != 1 || n.Turns[0].ID != g.ID {
		t.Errorf("cyd is to move: %+v", n)
	}
	ask("cyd", "POST", "/api/games/"+g.ID+"/moves", object{"move": "b2", "ply": 0}, &g)
	if n := news("bob"); len(n.Turns) != 1 {
		t.Errorf("bob is to move: %+v", n)
	}
	ask("bob", "POST", "/api/games/"+g.ID+"/act", object{"do": "resign", "ply": 1}, &g)

	var p lobby.Profile
	path := fmt.Sprintf("/api/people/%d", cyd.Member)
	ask("bob", "GET", path, nil, &p)
	if p.Name != "cyd" || len(p.Games) != 1 || p.Games[0].You != 0 || p.Lost != 1 || p.Won+p.Drawn != 0 {
		t.Errorf("cyd as bob sees it: %+v", p)
	}
	// Either player makes it private; others neither see it nor find it.
	if status, data := s.answered("otto", "POST", "/api/games/"+g.ID+"/visibility", object{"visibility": "private"}); status != 403 {
		t.Errorf("otto hides it: %d %s", status, data)
	}
	if status, data := s.answered("bob", "POST", "/api/games/"+g.ID+"/visibility", object{"visibility": "private"}); status != 204 {
		t.Errorf("bob hides it: %d %s", status, data)
	}
	for who, want := range map[string]int{"bob": 200, "cyd": 200, "otto": 404, "": 404} {
		if status, data := s.answered(who, "GET", "/api/games/"+g.ID, nil); status != want {
			t.Errorf("%q looks at it: %d %s, want %d", who, status, data, want)
		}
	}
	for who, want := range map[string]int{"cyd": 1, "otto": 0} {
		ask(who, "GET", path, nil, &p)
		if len(p.Games) != want {
			t.Errorf("%s sees %d games of cyd, want %d", who, len(p.Games), want)
		}
	}
	// Visitors do not find out who is a member.
	for _, id := range []int64{cyd.Member, 999} {
		if status, _ := s.answered("", "GET", fmt.Sprintf("/api/people/%d", id), nil); status != 401 {
			t.Errorf("a visitor asks for member %d: %d", id, status)
		}
	}
	if status, data := s.answered("bob", "GET", "/api/people/999", nil); status != 404 || !strings.Contains(data, "no-member") {
		t.Errorf("a member who is not there: %d %s", status, data)
	}
}
