// SPDX-License-Identifier: Apache-2.0

package local

import (
	"encoding/json"
	"testing"
)

// answer returns the decoded answer to a request that must not fail.
func answer[T any](t *testing.T, method, address string, body any) (v T) {
	t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	text, ok := Reply(method, address, data)
	if !ok {
		t.Fatalf("%s %s: %s", method, address, text)
	}
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestGame(t *testing.T) {
	g := answer[Game](t, "POST", "/local/game", map[string]any{"do": "begin", "game": Game{ID: "a", Game: "tictactoe", First: "human", Second: "best"}})
	for g.Outcome == "ongoing" {
		ply := g.Plies
		if g.Thinking {
			g = answer[Game](t, "POST", "/local/reply", g)
		} else {
			g = answer[Game](t, "POST", "/local/game", map[string]any{"do": "move", "game": g, "move": g.Board.Moves[0], "ply": ply})
		}
		if g.Plies != ply+1 {
			t.Fatalf("after ply %d: ply %d", ply, g.Plies)
		}
	}
	if g.Outcome == "first wins" {
		t.Errorf("the best player loses: %v", g.Moves)
	}
	g = answer[Game](t, "POST", "/local/game", map[string]any{"do": "takeback", "game": g, "ply": g.Plies})
	if g.Outcome != "ongoing" || g.Thinking {
		t.Errorf("after a move was taken back: %s, thinking %v", g.Outcome, g.Thinking)
	}
	if text, ok := Reply("POST", "/local/game", []byte(`{"do":"move","ply":7,"game":{"game":"tictactoe"}}`)); ok {
		t.Errorf("a move in a game that has changed: %s", text)
	}
	g = answer[Game](t, "POST", "/local/game", map[string]any{"do": "resign", "game": g, "ply": g.Plies})
	if g.Outcome != "second wins" || g.Reason != "resigned" {
		t.Errorf("after resigning: %s, %s", g.Outcome, g.Reason)
	}
}

func TestAnalysis(t *testing.T) {
	var best string
	err := Stream("/analysis?game=connect4:4x4&seconds=1&player=best", func(event string, v any) {
		var lines struct {
			Lines []struct{ Best, Value string }
		}
		text, _ := json.Marshal(v)
		if err := json.Unmarshal(text, &lines); event != "lines" || err != nil {
			t.Errorf("%s: %v", event, err)
		}
		best = lines.Lines[0].Best
	})
	if err != nil || best == "" {
		t.Errorf("best %q, %v", best, err)
	}
}

func TestPuzzles(t *testing.T) {
	type view struct {
		ID   string
		Game string
	}
	p := answer[view](t, "GET", "/puzzles/today?day=2026-11-22", nil)
	if again := answer[view](t, "GET", "/puzzles/today?day=2026-11-22", nil); again != p {
		t.Errorf("puzzles of one day: %v and %v", p, again)
	}
	if found := answer[view](t, "GET", "/puzzles/"+p.ID, nil); found != p {
		t.Errorf("found %v, want %v", found, p)
	}
	if next := answer[view](t, "GET", "/puzzles/next?game="+p.Game+"&after="+p.ID, nil); next.Game != p.Game || next == p {
		t.Errorf("next is %v", next)
	}
	hint := answer[struct{ Move string }](t, "GET", "/puzzles/"+p.ID+"/hint?step=3", nil)
	if a := answer[struct{ Why string }](t, "GET", "/puzzles/"+p.ID+"/answer?move="+hint.Move, nil); a.Why != "goes" && a.Why != "solved" {
		t.Errorf("the move of the hint: %v", a)
	}
}

func TestProblem(t *testing.T) {
	for address, want := range map[string]string{"/position?game=chess": "bad-game", "/lobby": "no-page", "/puzzles/none": "no-puzzle", "/position?game=gomoku&moves=z99": "bad-move"} {
		var p problem
		text, ok := Reply("GET", address, nil)
		if err := json.Unmarshal(text, &p); err != nil || ok || p.Code != want {
			t.Errorf("%s: %s", address, text)
		}
	}
}
