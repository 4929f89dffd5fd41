// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"testing"

	"github.com/krow-lab/krow/server/api"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/lobby"
	"github.com/krow-lab/krow/server/tournament"
)

// browser is a client that keeps its cookies, as a guest is known by one.
type browser struct {
	*site
	client *http.Client
}

func (s *site) browser() *browser {
	s.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	b := &browser{s, &http.Client{Jar: jar, Transport: s.http.Client().Transport}}
	if _, code := b.do("GET", "/lobby", nil); code != 200 {
		s.t.Fatalf("the lobby answers %d", code)
	}
	return b
}

func (b *browser) do(method, path string, body any) ([]byte, int) {
	b.t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		b.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.http.URL+path, bytes.NewReader(data))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	a, err := b.client.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer a.Body.Close()
	var answer bytes.Buffer
	if _, err := answer.ReadFrom(a.Body); err != nil {
		b.t.Fatal(err)
	}
	return answer.Bytes(), a.StatusCode
}

// as asks and reads the answer.
func as[T any](b *browser, status int, method, path string, body any) (v T) {
	b.t.Helper()
	data, code := b.do(method, "/api"+path, body)
	if code != status {
		b.t.Fatalf("%s %s: %d, want %d: %s", method, path, code, status, data)
	}
	if err := json.Unmarshal(data, &v); err != nil && status != 204 {
		b.t.Fatal(err)
	}
	return v
}

// TestTwoBrowsersMeet: two browsers meet by a link, play, end the game by agreement and play again; a third one only watches.
func TestTwoBrowsersMeet(t *testing.T) {
	s := newSite(t)
	ann, bob, eve := s.browser(), s.browser(), s.browser()
	terms := object{"game": "tictactoe", "colour": "first", "clock": object{"seconds": 3600}}
	for _, bad := range []object{
		{"name": "a  b", "terms": terms},
		{"name": "Aнна", "terms": terms}, // its first letter is Latin
		{"name": "ann", "terms": object{"game": "gomoko"}},
		{"name": "ann", "terms": object{"game": "gomoku", "clock": object{"seconds": 3}}},
		{"name": "ann", "terms": object{"game": "gomoku", "rated": true, "clock": object{"seconds": 60}}},
	} {
		if p := as[api.Problem](ann, 422, "POST", "/challenges", bad); p.Detail == "" {
			t.Errorf("%v: %+v", bad, p)
		}
	}
	c := as[lobby.Challenge](ann, 200, "POST", "/challenges", object{"name": "ann", "terms": terms, "listed": true})
	if l := as[api.Lobby](bob, 200, "GET", "/lobby", nil); len(l.Challenges) != 1 || l.Challenges[0].By != "ann" || l.Challenges[0].Mine || len(l.Phrases) != 12 {
		t.Errorf("the lobby is %+v", l)
	}
	as[api.Problem](ann, 422, "POST", "/challenges/"+c.ID+"/accept", object{"name": "ann"})
	g := as[api.Game](bob, 200, "POST", "/challenges/"+c.ID+"/accept", object{"name": "bob"})
	if b := g.Between; b == nil || b.Names != [2]string{"ann", "bob"} || b.You != 1 || !b.Two || g.Clock == nil {
		t.Fatalf("%+v", g)
	}
	as[api.Problem](eve, 404, "POST", "/challenges/"+c.ID+"/accept", object{})
	if c = as[lobby.Challenge](ann, 200, "GET", "/challenges/"+c.ID, nil); c.Game != g.ID {
		t.Errorf("the challenge came to %q", c.Game)
	}
	// Both have the game among theirs, under their names; the third one has not.
	for you, b := range []*browser{ann, bob, eve} {
		type list struct{ Games []lobby.Listed }
		l := as[list](b, 200, "GET", "/games", nil).Games
		if you == 2 {
			if len(l) != 0 {
				t.Errorf("a stranger has the games %+v", l)
			}
		} else if len(l) != 1 || l[0].ID != g.ID || l[0].You != you || l[0].Names != [2]string{"ann", "bob"} || l[0].Board == nil {
			t.Errorf("player %d has the games %+v", you, l)
		}
	}

	game := "/games/" + g.ID
	if p := as[api.Problem](eve, 403, "POST", game+"/moves", object{"move": "b2", "ply": 0}); p.Code != "other-seat" {
		t.Errorf("%+v", p)
	}
	as[api.Problem](bob, 409, "POST", game+"/moves", object{"move": "b2", "ply": 0})
	as[api.Game](ann, 200, "POST", game+"/moves", object{"move": "b2", "ply": 0, "lag": 20})
	as[api.Game](bob, 200, "POST", game+"/moves", object{"move": "a1", "ply": 1})
	as[api.Problem](ann, 409, "POST", game+"/act", object{"do": "abort", "ply": 2})
	if g = as[api.Game](bob, 200, "POST", game+"/say", object{"phrase": "luck", "ply": 2}); len(g.Between.Said) != 1 {
		t.Errorf("said: %+v", g.Between.Said)
	}
	as[api.Problem](bob, 409, "POST", game+"/say", object{"phrase": "rubbish", "ply": 2})
	as[api.Problem](eve, 403, "POST", game+"/act", object{"do": "resign", "ply": 2})
	as[api.Problem](ann, 409, "DELETE", game, nil)
	as[api.Game](ann, 200, "POST", game+"/act", object{"do": "draw", "ply": 2})
	if g = as[api.Game](bob, 200, "POST", game+"/act", object{"do": "draw", "ply": 2}); g.Outcome != "draw" || g.Reason != "agreed" {
		t.Errorf("%s %s", g.Outcome, g.Reason)
	}
	as[api.Game](bob, 200, "POST", game+"/act", object{"do": "rematch", "ply": 2})
	if g = as[api.Game](ann, 200, "POST", game+"/act", object{"do": "rematch", "ply": 2}); g.Between.Next == "" {
		t.Fatalf("%+v", g.Between)
	}
	// The server is away for a moment, and everybody finds the game again.
	s.close()
	s.open()
	for _, b := range []*browser{ann, bob, eve} {
		b.site = s
	}
	next := as[api.Game](bob, 200, "GET", "/games/"+g.Between.Next, nil)
	if next.Between.You != 0 || next.Between.Names != [2]string{"bob", "ann"} {
		t.Errorf("the rematch is %+v", next.Between)
	}
	if l := as[api.Lobby](eve, 200, "GET", "/lobby", nil); len(l.Watch) != 1 || l.Watch[0].You != -1 {
		t.Errorf("a spectator's lobby: %+v", l.Watch)
	}
	s.stream("/api/games/"+next.ID+"/events", func(e event) bool {
		var seen api.Game
		return e.name == "game" && json.Unmarshal(e.data, &seen) == nil && seen.Between.You == -1
	})
}

// TestOpeningBetween: an opening is answered by its players.
func TestOpeningBetween(t *testing.T) {
	s := newSite(t)
	ann, bob := s.browser(), s.browser()
	c := as[lobby.Challenge](ann, 200, "POST", "/challenges", object{"terms": object{"game": "gomoku:9", "rule": "swap2", "colour": "first"}})
	g := as[api.Game](bob, 200, "POST", "/challenges/"+c.ID+"/accept", object{})
	path := "/games/" + g.ID + "/opening"
	as[api.Problem](bob, 409, "POST", path, object{"answered": 0, "answer": "e5 e6 d5"})
	as[api.Problem](ann, 422, "POST", path, object{"answered": 0, "answer": "e5"})
	as[api.Game](ann, 200, "POST", path, object{"answered": 0, "answer": "e5 e6 d5"})
	if g = as[api.Game](bob, 200, "POST", path, object{"answered": 1, "answer": "swap"}); g.Between.Opening || g.Between.You != 0 || g.Plies != 3 {
		t.Errorf("%+v", g.Between)
	}
}

// TestTournament: a tournament is made, joined and played over the interface.
func TestTournament(t *testing.T) {
	s := newSite(t)
	var people []*browser
	for range 4 {
		people = append(people, s.browser())
	}
	v := as[tournament.Tournament](people[0], 200, "POST", "/tournaments", object{
		"by": object{"name": "p0"}, "terms": object{"name": "пятница", "kind": "knockout", "terms": object{"game": "tictactoe", "clock": object{"seconds": 3600}}},
	})
	path := fmt.Sprintf("/tournaments/%d", v.ID)
	for i, b := range people {
		as[tournament.Tournament](b, 200, "POST", path, object{"do": "join", "name": fmt.Sprintf("p%d", i)})
	}
	as[api.Problem](people[1], 403, "POST", path, object{"do": "begin"})
	as[api.Problem](people[1], 403, "DELETE", path, nil)
	v = as[tournament.Tournament](people[0], 200, "POST", path, object{"do": "begin"})
	for len(v.Rounds) > 0 && v.State == "going" {
		for _, m := range v.Rounds[len(v.Rounds)-1] {
			for _, b := range people { // the second side resigns
				if g := as[api.Game](b, 200, "GET", "/games/"+m.Game, nil); g.Between.You == 1 {
					as[api.Game](b, 200, "POST", "/games/"+m.Game+"/act", object{"do": "resign", "ply": 0})
				}
			}
		}
		v = as[tournament.Tournament](people[2], 200, "GET", path, nil)
	}
	if v.State != "over" || len(v.Rounds) != 2 || v.Rows[0].Round != 3 || v.Rows[0].Name != v.Rounds[1][0].First {
		t.Errorf("%+v", v)
	}
	as[api.Problem](people[0], 422, "DELETE", path, nil)
}

// TestPlayersListTheirGames: a game of two members is in the list of both, with their names, and not in the list of the owner.
func TestPlayersListTheirGames(t *testing.T) {
	s := newClubSite(t, club.Guest)
	c := said[lobby.Challenge](s, "bob", "POST", "/challenges", object{"terms": object{"game": "tictactoe", "colour": "first"}, "listed": true})
	g := said[api.Game](s, "cyd", "POST", "/challenges/"+c.ID+"/accept", object{})
	type list struct {
		Games []struct {
			ID    string
			Names []string
		}
	}
	for _, who := range []string{"bob", "cyd"} {
		if got := said[list](s, who, "GET", "/games", nil).Games; len(got) != 1 || got[0].ID != g.ID || fmt.Sprint(got[0].Names) != "[bob cyd]" {
			t.Errorf("the games of %s are %v", who, got)
		}
	}
	if got := said[list](s, "ann", "GET", "/games", nil).Games; len(got) != 0 {
		t.Errorf("the games of the owner are %v", got)
	}
}
