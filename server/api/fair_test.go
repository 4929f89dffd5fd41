// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/krow-lab/krow/server/api"
	"github.com/krow-lab/krow/server/club"
)

// TestFairPlay: while a rated game is in progress, the server does not tell its players, nor anybody at their address, what is good in
// its position. A game against a program that was begun before it has to wait, too. Other positions of the board are free.
func TestFairPlay(t *testing.T) {
	s := newClubSite(t, club.Watcher)
	const moves = "b2 a1 c1 a3"
	before := said[api.Game](s, "bob", "POST", "/games", object{"game": "tictactoe", "moves": moves, "first": "human", "second": "rules"})
	g := s.between(object{"game": "tictactoe", "rated": true, "colour": "first", "clock": object{"seconds": 3600}})
	for i, m := range strings.Fields(moves)[1:] {
		g = said[api.Game](s, []string{"cyd", "bob"}[i%2], "POST", "/games/"+g.ID+"/moves", object{"move": m, "ply": i + 1})
	}
	// Another name of the game, a larger board, other colours and a view are the same position.
	const there, elsewhere, free = "?game=mnk:3,3,3&moves=b2+a1+c1+a3", "?game=mnk:7,6,4&moves=c3+d4+c5+e3", "?game=tictactoe&moves=b2+a1+a2+c2"
	const source = "tests = [('tictactoe', 'b2 a1 c1 a3', 'a2')]\ndef choose(position, clock):\n    return position.moves()[0]\n"
	helps := []struct {
		name, method, path string
		body               any
	}{
		{"a game against a program", "POST", "/games", object{"game": "tictactoe", "moves": moves, "first": "rules", "second": "human"}},
		{"one that was begun before", "POST", "/games/" + before.ID + "/moves", object{"move": "a2", "ply": 4}},
		{"analysis", "GET", "/analysis" + there + "&player=rules", nil},
		{"review", "GET", "/review" + there + "&player=rules", nil},
		{"search lab", "GET", "/lab" + there, nil},
		{"overlay", "GET", "/overlay" + there, nil},
		{"overlay of a larger board", "GET", "/overlay" + elsewhere, nil},
		{"solver", "GET", "/solve" + there, nil},
		{"trial of a bot", "POST", "/workshop/try", object{"name": "b", "source": source, "game": "tictactoe", "moves": moves, "side": "first", "opponent": "rules"}},
		{"tests of a bot", "POST", "/workshop/test", object{"name": "b", "source": source}},
		{"a puzzle of one's own", "POST", "/puzzles/own", object{"game": "mnk:3,3,3", "moves": moves, "line": "a2"}},
	}
	ask := func(who string, barred, named bool) {
		t.Helper()
		for _, h := range helps {
			if who != "bob" && strings.Contains(h.path, before.ID) {
				continue // that is bob's
			}
			_, answer := s.answered(who, h.method, "/api"+h.path, h.body)
			if strings.Contains(answer, `"fair-play"`) != barred || strings.Contains(answer, "/play/"+g.ID) != named {
				t.Errorf("%s, %s: barred %v, named %v, want %v, %v: %.200s", who, h.name, !barred, !named, barred, named, answer)
			}
		}
	}
	inBook := func(who string, want bool) {
		t.Helper()
		if got := said[api.Explored](s, who, "GET", "/explorer?game=renju&moves=h8+g7+i7+g9", nil); (got.Book != nil) != want {
			t.Errorf("%s gets %d scores of the book", who, len(got.Book))
		}
	}
	inBook("bob", false)
	ask("bob", true, true)
	ask("otto", true, false) // at the same address
	if code, answer := s.answered("bob", "GET", "/api/overlay"+free, nil); code != http.StatusOK {
		t.Errorf("another position: %d %s", code, answer)
	}
	if here, there := s.from("", "192.0.2.1", "GET", "/api/overlay"+there, nil), s.from("", "192.0.2.7", "GET", "/api/overlay"+there, nil); here != http.StatusForbidden || there != http.StatusOK {
		t.Errorf("a visitor at the address of the players: %d, and elsewhere: %d", here, there)
	}
	said[api.Game](s, "bob", "POST", "/games/"+g.ID+"/act", object{"do": "resign", "ply": 4})
	ask("bob", false, false)
	inBook("bob", true)
}

// said returns the answer to somebody.
func said[T any](s *clubSite, who, method, path string, body any) (v T) {
	s.t.Helper()
	code, answer := s.answered(who, method, "/api"+path, body)
	if err := json.Unmarshal([]byte(answer), &v); err != nil || code != http.StatusOK {
		s.t.Fatalf("%s %s: %d %s", method, path, code, answer)
	}
	return v
}

// TestRatingsOnBoard: a rated game shows the ratings of both sides, and after its end the change. A spectator of a delayed game sees no
// ratings, which would tell the result.
func TestRatingsOnBoard(t *testing.T) {
	s := newClubSite(t, club.Guest)
	for delay, seen := range map[int]int{0: 2, 600: 0} {
		g := s.between(object{"game": "tictactoe", "rated": true, "colour": "first", "delay": delay, "clock": object{"seconds": 3600}})
		if r := g.Between.Ratings; len(r) != 2 || r[0].Gain != 0 || r[0].Deviation < 100 {
			t.Errorf("the ratings are %+v", r)
		}
		for i, m := range []string{"a1", "b1", "a2", "b3"} {
			g = said[api.Game](s, []string{"cyd", "bob"}[i%2], "POST", "/games/"+g.ID+"/moves", object{"move": m, "ply": i + 1})
		}
		if r := g.Between.Ratings; len(r) != 2 || r[0].Gain <= 0 || r[1].Gain >= 0 || r[0].Rating <= r[1].Rating {
			t.Errorf("after the game the ratings are %+v", r)
		}
		if r := said[api.Game](s, "guest", "GET", "/games/"+g.ID, nil).Between.Ratings; len(r) != seen {
			t.Errorf("with a delay of %d s a spectator sees %+v", delay, r)
		}
	}
}
