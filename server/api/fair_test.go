// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/krow-lab/krow/server/api"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/lobby"
)

// TestFairPlay: while a rated game goes on, nothing that the server does tells its players what is good on such a board. A game
// against a program that was begun before it has to wait, too.
func TestFairPlay(t *testing.T) {
	s := newClubSite(t, club.Nobody)
	before := said[api.Game](s, "bob", "POST", "/games", object{"game": "tictactoe", "first": "human", "second": "rules"})
	c := said[lobby.Challenge](s, "cyd", "POST", "/challenges", object{"terms": object{"game": "tictactoe", "rated": true, "clock": object{"seconds": 3600}}})
	g := said[api.Game](s, "bob", "POST", "/challenges/"+c.ID+"/accept", object{})
	// Another name of the game is the same board.
	const there = "?game=mnk:3,3,3&moves=b2"
	const source = "tests = [('tictactoe', 'b2', 'a1')]\ndef choose(position, clock):\n    return position.moves()[0]\n"
	helps := []struct {
		name, method, path string
		body               any
	}{
		{"a game against a program", "POST", "/games", object{"game": "tictactoe", "moves": "b2", "first": "rules", "second": "human"}},
		{"one that was begun before", "POST", "/games/" + before.ID + "/moves", object{"move": "b2", "ply": 0}},
		{"analysis", "GET", "/analysis" + there + "&player=rules", nil},
		{"review", "GET", "/review" + there + "&player=rules", nil},
		{"search lab", "GET", "/lab" + there, nil},
		{"overlay", "GET", "/overlay" + there, nil},
		{"solver", "GET", "/solve" + there, nil},
		{"trial of a bot", "POST", "/workshop/try", object{"name": "b", "source": source, "game": "tictactoe", "moves": "b2", "side": "first", "opponent": "rules"}},
		{"tests of a bot", "POST", "/workshop/test", object{"name": "b", "source": source}},
		{"a puzzle of one's own", "POST", "/puzzles/own", object{"game": "mnk:3,3,3", "moves": "b2", "line": "a1"}},
	}
	ask := func(who string, barred bool) {
		t.Helper()
		for _, h := range helps {
			if _, answer := s.answered(who, h.method, "/api"+h.path, h.body); strings.Contains(answer, `"fair-play"`) != barred {
				t.Errorf("%s, %s: barred %v, want %v: %.200s", who, h.name, !barred, barred, answer)
			}
		}
	}
	ask("bob", true)
	ask("otto", false)
	if code, answer := s.answered("bob", "POST", "/api/games/"+g.ID+"/act", object{"do": "resign", "ply": 0}); code != http.StatusOK {
		t.Fatalf("%d %s", code, answer)
	}
	ask("bob", false)
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
