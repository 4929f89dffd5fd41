// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/server/api"
	"github.com/krow-lab/krow/server/club"
)

// TestTakeIn sends what a page without a server saved, twice, and with games that are refused.
func TestTakeIn(t *testing.T) {
	s := newClubSite(t, club.Nobody)
	p := said[request.PuzzleView](s, "bob", "GET", "/puzzles/today", nil)
	kept := object{
		"bot/x":    object{},
		"training": fmt.Sprintf(`{"Tries":[{"Puzzle":%q,"Score":1,"At":"2026-01-02T03:04:05.6789Z"},{"Puzzle":"none","Score":1},{"Puzzle":%q,"At":"2126-01-02T03:04:05Z"}]}`, p.ID, p.ID),
	}
	game := func(id, second, moves, outcome string) object {
		g := object{"id": id, "game": "tictactoe", "first": "human", "second": second, "moves": strings.Fields(moves), "outcome": outcome, "reason": "resigned"}
		kept["game/"+id] = g
		return g
	}
	game("01234567-89ab", "best", "b2 a1", "second wins")
	game("01234567-89ac", "best", "b2 a1", "ongoing")
	game("01234567-89ad", "best", "b2 z1", "draw")
	game("../23456789ab", "best", "b2 a1", "draw")
	game("01234567-89ae", "best", "a1 b1 a2 b2 a3", "draw") // no draw by the rules
	game("01234567-89af", "best", "b2", "ongoing")["clock"] = object{"seconds": 60, "left": []int{60000, 60000}}
	game("01234567-89ba", "bot:missing", "b2", "ongoing")
	game("01234567-89bb", "proof", "b2", "ongoing")
	file := object{"format": "krow site 1", "settings": object{}, "kept": kept}
	for _, want := range []string{`{"games":3,"tries":1}`, `{"games":0,"tries":0}`} {
		if status, data := s.answered("bob", "POST", "/api/saved", file); status != 200 || strings.TrimSpace(string(data)) != want {
			t.Errorf("%d %s, want %s", status, data, want)
		}
	}
	if status, data := s.answered("bob", "GET", "/api/games", nil); status != 200 || strings.Count(string(data), `"private"`) != 3 || !strings.Contains(string(data), `"first wins"`) {
		t.Errorf("games %d: %s", status, data)
	}
	moved := said[api.Game](s, "bob", "POST", "/games/01234567-89ac/moves", object{"move": "c3", "ply": 2})
	if moved.Plies < 3 || moved.Outcome != "ongoing" {
		t.Errorf("the unfinished game after a move: %+v", moved.Summary)
	}
	if _, data := s.answered("bob", "GET", "/api/puzzles/progress", nil); !strings.Contains(string(data), `"solved":1,`) {
		t.Errorf("progress: %s", data)
	}
	if status, data := s.answered("bob", "POST", "/api/saved", object{"format": "other"}); status != 422 || !strings.Contains(string(data), "bad-text") {
		t.Errorf("another file: %d %s", status, data)
	}
}
