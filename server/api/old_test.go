// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/krow-lab/krow/server/api"
)

// TestOldDatabase opens a database that build 0faa82d left behind: its game, its matches and its runs are shown, and
// what was kept of a run plays.
func TestOldDatabase(t *testing.T) {
	f, err := os.Open("../../cli/testdata/0faa82d/krow.db.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	s := &site{t: t, file: filepath.Join(t.TempDir(), "krow.db")}
	if err := os.WriteFile(s.file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	s.open()
	t.Cleanup(s.close)

	const id = "ib4463v5zm4khlnz"
	if g := get[api.Game](s, 200, "GET", "/api/games/"+id, nil); g.Game != "gomoku" || g.First != "human" || g.Second != "rules" || g.Plies != 2 || g.Outcome != "ongoing" {
		t.Errorf("the game is %+v", g.Summary)
	}
	// It has clocks, which stood still while the server was away.
	if g := get[api.Game](s, 200, "POST", "/api/games/"+id+"/moves", object{"move": "a1", "ply": 2}); g.Outcome != "ongoing" || g.Plies != 3 {
		t.Errorf("the game after a move: %+v", g.Summary)
	}

	for match, game := range map[string]string{"3": "tictactoe", "4": "mnk:4,4,3"} {
		m := get[api.MatchView](s, 200, "GET", "/api/matches/"+match, nil)
		if m.Spec.Game != game || !m.Done || m.Played != 12 || len(m.Pairs) != 3 || len(m.Ratings) != 3 || len(m.Latest) != 12 || m.Spec.Players[2] != "run:1,step=3" {
			t.Errorf("match %s is %+v", match, m)
		}
		sum := 0
		for _, p := range m.Pairs {
			sum += p.AWins + p.Draws + p.BWins
		}
		if sum != 12 {
			t.Errorf("match %s has %d results", match, sum)
		}
	}

	type run struct {
		learner     string
		step, steps int
		done        bool
		rungs       []int
	}
	for id, want := range map[string]run{
		"1": {"qlearning:episodes=3,importance=value,end=zero,gap=least", 3, 3, true, []int{1, 3}},
		"2": {"spsa:games=200000,target=generic(gap=least)", 624, 50000, false, []int{1}},
		"5": {"qlearning:episodes=8,importance=value,end=zero,gap=least", 8, 8, true, []int{1, 2, 4, 8}},
		"6": {"genetic:players=6,generations=2,games=4", 2, 2, true, []int{1, 2}},
	} {
		r := get[api.RunView](s, 200, "GET", "/api/runs/"+id, nil)
		if r.Learner != want.learner || r.Step != want.step || r.Steps != want.steps || r.Done != want.done || !slices.Equal(r.Rungs, want.rungs) || len(r.Curve) != want.step {
			t.Errorf("run %s is %+v with %d points and the rungs %v, want %+v", id, r.RunItem, len(r.Curve), r.Rungs, want)
		}
		if (r.Colony != nil) != (id == "6") {
			t.Errorf("run %s has the colony %+v", id, r.Colony)
		}
	}
	// Its page kept the states after the rungs of run 5: they play without being made again.
	for _, player := range []string{"run:5,step=1", "run:5,step=4", "run:5"} {
		g := s.begin("mnk:3,3,3", player, "human")
		if g = s.until(g.ID, turnOfPerson); g.Plies != 1 || g.Trouble != nil {
			t.Errorf("%s: %+v", player, g.Summary)
		}
	}
	if status, data := s.ask("POST", "/api/games", object{"game": "mnk:3,3,3", "first": "run:5,step=3", "second": "human"}); status != 422 {
		t.Errorf("a step that is not kept = %d %s", status, data)
	}
	// A run that was not done goes on where it was. Its spec says how threats were counted then.
	r := get[api.RunView](s, 200, "POST", "/api/runs", object{"learner": "spsa:games=200000,target=generic(gap=least)", "game": "mnk:5,5,4", "seed": 1})
	s.stream("/api/runs/2/events", func(e event) bool {
		r = get[api.RunView](s, 200, "GET", "/api/runs/2", nil)
		return r.Step > 624
	})
	if r = get[api.RunView](s, 200, "POST", "/api/runs/2/stop", nil); r.ID != 2 || r.Step <= 624 || len(r.Curve) != r.Step {
		t.Errorf("the run that was begun before is %+v", r.RunItem)
	}
}
