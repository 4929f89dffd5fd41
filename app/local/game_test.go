// SPDX-License-Identifier: Apache-2.0

package local

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/krow-lab/krow/app/request"
)

// TestChangesOfGame sends the changes that a page without a server makes, one after the other, each with the game of the last answer.
func TestChangesOfGame(t *testing.T) {
	var g Game
	send := func(do, move string, ply, status int) {
		t.Helper()
		body, err := json.Marshal(map[string]any{"game": g, "do": do, "move": move, "ply": ply})
		if err != nil {
			t.Fatal(err)
		}
		r := Answer("POST", "/local/game", body)
		if r.Status != status {
			t.Fatalf("%s %s: status %d, want %d: %s", do, move, r.Status, status, r.Body)
		}
		if status == 200 {
			g = Game{}
			if err := json.Unmarshal(r.Body, &g); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := func(moves, outcome, reason string) {
		t.Helper()
		if got := fmt.Sprint(g.Moves); got != moves || g.Outcome != outcome || g.Reason != reason {
			t.Errorf("%v %s %q, want %v %s %q", got, g.Outcome, g.Reason, moves, outcome, reason)
		}
	}
	g = Game{Game: request.Game{Summary: request.Summary{Game: "tictactoe", First: "human", Second: "random"}}}
	send("begin", "", 0, 200)
	send("takeback", "", 0, 409)
	send("move", "b2", 0, 200)
	want("[b2]", "ongoing", "")
	send("move", "a1", 1, 409)   // the program is to move
	send("takeback", "", 0, 409) // of an older state
	send("takeback", "", 1, 200)
	want("[]", "ongoing", "")
	send("move", "z9", 0, 422)
	send("flag", "", 0, 409)
	send("resign", "", 0, 200)
	want("[]", "second wins", "resigned")
	send("resign", "", 0, 409)

	g = Game{Game: request.Game{Summary: request.Summary{Game: "tictactoe", First: "human", Second: "human"}, Clock: &request.ClockView{Clock: request.Clock{Seconds: 60}}}}
	send("begin", "", 0, 200)
	send("move", "b2", 0, 200)
	send("takeback", "", 1, 409)
	send("flag", "", 1, 409)
	g.Updated = g.Updated.Add(-2 * time.Minute) // the other side thought for two minutes
	send("move", "a1", 1, 200)
	want("[b2]", "first wins", "time")
}
