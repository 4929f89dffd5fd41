// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/server/club"
)

// TestTakeIn sends what a page without a server saved, twice, and with games that are refused.
func TestTakeIn(t *testing.T) {
	s := newClubSite(t, club.Nobody)
	p := said[request.PuzzleView](s, "bob", "GET", "/puzzles/today", nil)
	played := func(id, moves, outcome string) object {
		return object{"id": id, "game": "tictactoe", "first": "human", "second": "best", "moves": strings.Fields(moves), "outcome": outcome, "reason": "resigned"}
	}
	file := object{"format": "krow site 1", "settings": object{}, "kept": object{
		"game/0":   played("01234567-89ab", "b2 a1", "second wins"),
		"game/1":   played("01234567-89ac", "b2 a1", "ongoing"),
		"game/2":   played("01234567-89ad", "b2 z1", "draw"),
		"game/3":   played("../23456789ab", "b2 a1", "draw"),
		"game/4":   played("01234567-89ae", "a1 b1 a2 b2 a3", "draw"), // no draw by the rules
		"bot/x":    object{},
		"training": fmt.Sprintf(`{"Tries":[{"Puzzle":%q,"Score":1,"At":"2026-01-02T03:04:05.6789Z"},{"Puzzle":"none","Score":1},{"Puzzle":%q,"At":"2126-01-02T03:04:05Z"}]}`, p.ID, p.ID),
	}}
	for _, want := range []string{`{"games":2,"tries":1}`, `{"games":0,"tries":0}`} {
		if status, data := s.answered("bob", "POST", "/api/saved", file); status != 200 || strings.TrimSpace(string(data)) != want {
			t.Errorf("%d %s, want %s", status, data, want)
		}
	}
	if status, data := s.answered("bob", "GET", "/api/games", nil); status != 200 || strings.Count(string(data), `"private"`) != 2 || !strings.Contains(string(data), `"first wins"`) {
		t.Errorf("games %d: %s", status, data)
	}
	if _, data := s.answered("bob", "GET", "/api/puzzles/progress", nil); !strings.Contains(string(data), `"solved":1,`) {
		t.Errorf("progress: %s", data)
	}
	if status, data := s.answered("bob", "POST", "/api/saved", object{"format": "other"}); status != 422 || !strings.Contains(string(data), "bad-text") {
		t.Errorf("another file: %d %s", status, data)
	}
}
