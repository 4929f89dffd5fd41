// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"testing"

	"github.com/krow-lab/krow/server/api"
)

func TestClockOfGame(t *testing.T) {
	s := newSite(t)
	body := map[string]any{"game": "tictactoe", "first": "human", "second": "human", "clock": map[string]int{"seconds": 3600, "increment": 5}}
	g := get[api.Game](s, 200, "POST", "/api/games", body)
	if c := g.Clock; c == nil || c.Running || c.Left[0] != 3_600_000 || c.Left[1] != 3_600_000 {
		t.Fatalf("a new clock is %+v, want an hour for each, not running", c)
	}
	url := "/api/games/" + g.ID
	get[map[string]any](s, 409, "POST", url+"/act", object{"do": "flag", "ply": 0})
	g = get[api.Game](s, 200, "POST", url+"/moves", map[string]any{"move": "b2", "ply": 0})
	if c := g.Clock; !c.Running || c.Left[0] != 3_605_000 || c.Left[1] > 3_600_000 {
		t.Errorf("after a move the clock is %+v; want it running, the first side with its increment", c)
	}
	get[map[string]any](s, 409, "POST", url+"/act", object{"do": "flag", "ply": 1})
	get[map[string]any](s, 409, "POST", url+"/act", object{"do": "takeback", "ply": 1})

	// Two hours later, as far as the store knows.
	old, err := s.db.Game(g.ID)
	if err != nil {
		t.Fatal(err)
	}
	old.Extra = []byte(`{"clock":{"seconds":3600,"increment":5,"spent":[0,7200000]}}`)
	if err := s.db.SaveGame(old, old.Plies, nil); err != nil {
		t.Fatal(err)
	}
	g = get[api.Game](s, 200, "POST", url+"/moves", map[string]any{"move": "a1", "ply": 1})
	if g.Outcome != "first wins" || g.Reason != "time" || g.Plies != 1 {
		t.Errorf("a move after the time is %s by %q after %d moves, want first wins by time after 1", g.Outcome, g.Reason, g.Plies)
	}
	get[map[string]any](s, 422, "POST", url+"/moves", map[string]any{"move": "a1", "ply": 1}) // it stays over
	for _, c := range []map[string]int{{"seconds": 1, "increment": 0}, {"seconds": 60, "increment": -1}} {
		body["clock"] = c
		get[map[string]any](s, 422, "POST", "/api/games", body)
	}
}

// A player's clock runs while it thinks. How its time follows from the clock is a test of server/live.
func TestClockOfPlayers(t *testing.T) {
	s := newSite(t)
	g := get[api.Game](s, 200, "POST", "/api/games", map[string]any{
		"game": "gomoku", "first": "human", "second": "best:time=100ms", "clock": map[string]int{"seconds": 3600, "increment": 0},
	})
	get[api.Game](s, 200, "POST", "/api/games/"+g.ID+"/moves", map[string]any{"move": "h8", "ply": 0})
	g = s.until(g.ID, func(g api.Game) bool { return g.Plies == 2 || g.Outcome != "ongoing" })
	if g.Plies != 2 || g.Clock.Left[1] >= 3_600_000 {
		t.Errorf("after %d moves the player has %d ms left, want its answer to have taken a part of its hour", g.Plies, g.Clock.Left[1])
	}
}
