// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/krow-lab/krow/server/api"
	"github.com/krow-lab/krow/server/match"
)

// TestMatchLive watches a game of a match grow move by move and stops the match; the next one plays to its end.
func TestMatchLive(t *testing.T) {
	s := newSite(t)
	spec := object{"game": "mnk:9,9,5", "players": []string{"mcts:time=300ms", "mcts:time=250ms"}, "games": 40, "plies": 0, "millis": 0, "seed": 3}
	m := get[api.MatchView](s, 200, "POST", "/api/matches", spec)
	path := fmt.Sprintf("/api/matches/%d", m.ID)
	var before []string
	s.stream(path+"/events", func(e event) bool {
		var l match.Live
		if e.name != "live" {
			return false
		}
		if err := json.Unmarshal(e.data, &l); err != nil {
			t.Fatal(err)
		}
		if l.Board.Ply != len(l.Moves) || !slices.Contains([]string{"mcts:time=300ms", "mcts:time=250ms"}, l.First) || l.First == l.Second {
			t.Errorf("a game as it stands is %+v", l)
		}
		grown := len(before) > 0 && len(l.Moves) > len(before) && slices.Equal(l.Moves[:len(before)], before)
		before = l.Moves
		return grown
	})
	if len(before) < 2 {
		t.Fatalf("the last game seen has the moves %v", before)
	}
	if m = get[api.MatchView](s, 200, "POST", path+"/stop", nil); m.Done || m.Step >= 40 {
		t.Fatalf("stopped: %+v", m)
	}
	// Another match has its turn now, and plays to its end.
	m = get[api.MatchView](s, 200, "POST", "/api/matches", object{"game": "tictactoe", "players": []string{"random", "rules"}, "games": 4, "plies": 0, "millis": 0, "seed": 3})
	path = fmt.Sprintf("/api/matches/%d", m.ID)
	s.stream(path+"/events", func(event) bool { return false })
	if m = get[api.MatchView](s, 200, "GET", path, nil); !m.Done || m.Step != 4 || m.Live != nil || len(m.Ratings) != 2 {
		t.Errorf("at the end: %+v", m)
	}
}
