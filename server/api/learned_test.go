// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/krow-lab/krow/server/api"
	"github.com/krow-lab/krow/server/club"
)

// learn learns and returns the run at its end.
func (s *site) learn(learner, game string) (r api.RunView) {
	s.t.Helper()
	r = get[api.RunView](s, 200, "POST", "/api/runs", object{"learner": learner, "game": game, "seed": 1})
	s.stream("/api/runs/"+itoa(r.ID)+"/events", func(e event) bool {
		if e.name == "run" {
			if err := json.Unmarshal(e.data, &r); err != nil {
				s.t.Fatal(err)
			}
		}
		return false
	})
	if !r.Done {
		s.t.Fatalf("the run ended so: %+v", r)
	}
	return r
}

// TestColony breeds a colony, plays against its second best, and lets its generations meet.
func TestColony(t *testing.T) {
	s := newSite(t)
	r := s.learn("genetic:generations=4,players=6,games=10", "ultimate")
	id := itoa(r.ID)
	if !slices.Equal(r.Rungs, []int{1, 2, 4}) || r.Colony == nil || r.Colony.Size != 6 || len(r.Colony.Members) != 6 {
		t.Fatalf("rungs %v, colony %+v", r.Rungs, r.Colony)
	}
	for i, m := range r.Colony.Members {
		if len(m.Values) != len(r.Colony.Traits) || m.Born < 1 || m.Born > 4 || i > 0 && m.Fitness > r.Colony.Members[i-1].Fitness {
			t.Errorf("member %d: %+v", i+1, m)
		}
	}
	_, data := s.ask("GET", "/api/opponents?game=ultimate", nil)
	if !strings.Contains(string(data), `"run:`+id+`,step=4"`) {
		t.Errorf("what was learned is no opponent: %s", data)
	}
	second := r.Colony.Members[1].Player
	if want := "run:" + id + ",step=4,member=2"; second != want {
		t.Errorf("the second member is %s, want %s", second, want)
	}
	g := s.begin("ultimate", "human", second)
	g = get[api.Game](s, 200, "POST", "/api/games/"+g.ID+"/moves", object{"move": "55", "ply": 0})
	if g = s.until(g.ID, turnOfPerson); g.Plies != 2 || g.Trouble != nil {
		t.Errorf("after the second member's move: %+v", g.Summary)
	}
	if g := s.begin("ultimate", "human", "run:"+id+",member=2"); g.Second != second {
		t.Errorf("without a step the second member is kept as %s, want %s", g.Second, second)
	}
	for _, bad := range []string{"run:" + id + ",step=5", "run:" + id + ",step=3", "run:" + id + ",step=4,member=7", "run", "run:" + id + ",step=4,depth=3"} {
		if status, data := s.ask("POST", "/api/games", object{"game": "ultimate", "first": "human", "second": bad}); status != 422 {
			t.Errorf("%s = %d %s", bad, status, data)
		}
	}
	if status, data := s.ask("POST", "/api/games", object{"game": "ultimate", "first": "human", "second": "run:999,step=1"}); status != 404 {
		t.Errorf("a run that does not exist = %d %s", status, data)
	}
	if status, _ := s.ask("POST", "/api/games", object{"game": "gomoku", "first": "human", "second": second}); status != 422 {
		t.Errorf("the colony plays gomoku: %d", status)
	}
	s.ladder(r)
}

// ladder lets the steps of a run meet.
func (s *site) ladder(r api.RunView) {
	t, id := s.t, itoa(r.ID)
	m := get[api.MatchView](s, 200, "POST", "/api/matches", object{
		"game": "ultimate", "players": []string{"run:" + id + ",step=1", "run:" + id + ",step=2", "random"}, "games": 2, "plies": 4, "millis": 0, "seed": 1,
	})
	s.stream("/api/matches/"+itoa(m.ID)+"/events", func(e event) bool {
		if e.name == "match" {
			m = api.MatchView{}
			if err := json.Unmarshal(e.data, &m); err != nil {
				t.Fatal(err)
			}
		}
		return false
	})
	if !m.Done || len(m.Ratings) != 3 {
		t.Fatalf("the ladder ended so: %+v", m)
	}
}

// TestLearnedPlayers plays by weights of the other kinds.
func TestLearnedPlayers(t *testing.T) {
	s := newSite(t)
	for _, tc := range []struct{ learner, game string }{
		{"qlearning:episodes=2,depth=1", "mnk:4,4,3"},
		{"spsa:games=8,target=indicators,measure=0", "ultimate"},
		{"spsa:games=8,target=mics(nodes=50),measure=0", "mnk:4,4,3"},
	} {
		r := s.learn(tc.learner, tc.game)
		if r.Colony != nil {
			t.Errorf("%s has a colony", tc.learner)
		}
		player := "run:" + itoa(r.ID) + ",step=" + strconv.Itoa(r.Step)
		g := s.begin(tc.game, player, "human")
		if g = s.until(g.ID, turnOfPerson); g.Plies != 1 || g.Trouble != nil {
			t.Errorf("%s: %+v", tc.learner, g.Summary)
		}
		if status, data := s.ask("POST", "/api/games", object{"game": tc.game, "first": "human", "second": player + ",member=2"}); status != 422 {
			t.Errorf("%s has a second member: %d %s", tc.learner, status, data)
		}
	}
}

// TestParametersOfOwnBots: members let krow learn the parameters of their own bots, also of published ones, and of no others. An
// argument that names a file or another target is refused.
func TestParametersOfOwnBots(t *testing.T) {
	s := newClubSite(t, club.Watcher)
	said[any](s, "bob", "POST", "/bots/near", object{"source": "X = param('x', 3, 0, 9)\ndef score(position, move):\n    return -abs(move - X)"})
	said[any](s, "bob", "POST", "/bots/near/publish", object{"version": 1})
	ask := func(who, learner, bot string) int {
		code, _ := s.answered(who, "POST", "/api/runs", object{"learner": learner, "game": "tictactoe", "seed": 1, "bot": bot})
		return code
	}
	const learner = "spsa:games=8,measure=1"
	for _, wrong := range []struct {
		who, learner, bot string
		want              int
	}{
		{"cyd", learner, "bot:near", 404},
		{"cyd", learner, "bot:near,version=1", 404},
		{"bob", learner, "bot:far", 404},
		{"bob", learner, "random", 404},
		{"bob", learner, "bot:near,version=2", 404},
		{"bob", learner + ",target=mics", "bot:near", 422},
		{"bob", "spsa:games=8,target=bot(/etc/passwd)", "", 422},
		{"bob", "qlearning", "bot:near", 422},
	} {
		if got := ask(wrong.who, wrong.learner, wrong.bot); got != wrong.want {
			t.Errorf("%s begins %s for %q: %d, want %d", wrong.who, wrong.learner, wrong.bot, got, wrong.want)
		}
	}
	if got := ask("bob", learner, "bot:near"); got != 200 {
		t.Fatalf("bob begins to learn: %d", got)
	}
	if all := said[[]api.RunItem](s, "bob", "GET", "/runs", nil); len(all) != 1 || all[0].Bot != "bot:near,version=1" {
		t.Errorf("the runs are %+v", all)
	}
}
