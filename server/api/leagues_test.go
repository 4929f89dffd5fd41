// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/krow-lab/krow/server/api"
	"github.com/krow-lab/krow/server/league"
	"github.com/krow-lab/krow/server/match"
)

// TestLeague makes a league, watches its games, and looks at all that it offers.
func TestLeague(t *testing.T) {
	s := newSite(t)
	l := get[api.LeagueView](s, 200, "POST", "/api/leagues", object{"name": "lunch", "game": "tictactoe", "nodes": 0, "plies": 2, "seed": 1, "field": "none"})
	path := fmt.Sprintf("/api/leagues/%d", l.ID)
	for _, spec := range []string{"random", "rules", "greedy"} {
		l = get[api.LeagueView](s, 200, "POST", path+"/members", object{"name": "", "spec": spec, "author": ""})
	}
	if len(l.Table.Rows) != 3 || !l.Table.Rows[0].New || l.Playing {
		t.Fatalf("before a game: %+v", l)
	}
	get[api.LeagueView](s, 200, "POST", path+"/play", nil)
	s.stream(path+"/events", func(e event) bool {
		if e.name == "league" {
			l = api.LeagueView{}
			if err := json.Unmarshal(e.data, &l); err != nil {
				t.Fatal(err)
			}
		}
		return l.Table.Games >= 12
	})
	get[api.LeagueView](s, 200, "POST", path+"/stop", nil)
	l = get[api.LeagueView](s, 200, "GET", path, nil)
	sum := 0
	for _, r := range l.Table.Rows {
		sum += r.Games
	}
	if l.Playing || l.Table.Games < 12 || sum != 2*l.Table.Games || len(l.Latest) == 0 {
		t.Errorf("after %d games the members have played %d: %+v", l.Table.Games, sum, l)
	}
	type games = []match.PlayedGame
	two := get[games](s, 200, "GET", path+"/games?of=random&against=rules", nil)
	if len(two) == 0 || two[0].First != "random" && two[0].Second != "random" {
		t.Errorf("games of random and rules: %+v", two)
	}
	one := get[games](s, 200, "GET", fmt.Sprintf("%s/games?game=%d", path, two[0].ID), nil)
	if len(one) != 1 || one[0].Moves != two[0].Moves {
		t.Errorf("one game: %+v", one)
	}
	met := get[[]league.Met](s, 200, "GET", path+"/grid", nil)
	if len(met) != 3 {
		t.Errorf("each against each: %+v", met)
	}
	if status, data := s.ask("GET", path+"/export?format=csv", nil); status != 200 || !strings.HasPrefix(string(data), "rank,member,") {
		t.Errorf("exported %d %.80s", status, data)
	}
	get[api.LeagueView](s, 200, "DELETE", path+"/members/random", nil)
	if status, _ := s.ask("DELETE", path, nil); status != 204 {
		t.Errorf("deleted with %d", status)
	}
	s.stream(path+"/events", func(e event) bool { return e.name == "gone" })
}

// TestLeagueRefuses asks for what makes no sense: a problem in one line, and nothing is kept.
func TestLeagueRefuses(t *testing.T) {
	s := newSite(t)
	spec := func(name, game string) object {
		return object{"name": name, "game": game, "nodes": 0, "plies": 2, "seed": 1, "field": "none"}
	}
	l := get[api.LeagueView](s, 200, "POST", "/api/leagues", spec("lunch", "tictactoe"))
	path := fmt.Sprintf("/api/leagues/%d", l.ID)
	member := func(name, player string) object {
		return object{"name": name, "spec": player, "author": ""}
	}
	tests := []struct {
		method, path string
		body         any
		status       int
		code         string
	}{
		{"POST", "/api/leagues", spec("<b>", "tictactoe"), 422, "bad-league"},
		{"POST", "/api/leagues", spec("lunch", "tictactoe"), 422, "taken"},
		{"POST", "/api/leagues", spec("other", "nogame"), 422, "bad-game"},
		{"POST", path + "/members", member("", "human"), 422, "person-in-match"},
		{"POST", path + "/members", member("", "program:./x"), 422, "bad-player"},
		{"POST", path + "/members", member("a b", "random"), 422, "bad-league"},
		{"POST", path + "/members", member("", "bot:../../etc/passwd"), 422, "bad-player"},
		{"DELETE", path + "/members/nobody", nil, 404, "no-league"},
		{"POST", path + "/play", nil, 422, "bad-league"},
		{"GET", path + "/games?of=nobody", nil, 404, "no-league"},
		{"GET", "/api/leagues/99", nil, 404, "no-league"},
	}
	for _, tc := range tests {
		t.Run(tc.method+tc.path, func(t *testing.T) {
			p := get[api.Problem](s, tc.status, tc.method, tc.path, tc.body)
			if p.Code != tc.code || strings.Contains(p.Detail, "\n") {
				t.Errorf("got %s: %s, want %s", p.Code, p.Detail, tc.code)
			}
		})
	}
	all := get[[]api.LeagueItem](s, 200, "GET", "/api/leagues", nil)
	if len(all) != 1 || all[0].Members != 0 {
		t.Errorf("kept: %+v", all)
	}
}

// TestLeagueGoesOn: a league that is played goes on when the server starts again.
func TestLeagueGoesOn(t *testing.T) {
	s := newSite(t)
	l := get[api.LeagueView](s, 200, "POST", "/api/leagues", object{"name": "lunch", "game": "connect4", "nodes": 0, "plies": 2, "seed": 1, "field": "none"})
	path := fmt.Sprintf("/api/leagues/%d", l.ID)
	for _, spec := range []string{"mcts:sims=300", "mcts:sims=200"} { // slow: the league is not over before the server ends
		get[api.LeagueView](s, 200, "POST", path+"/members", object{"name": "", "spec": spec, "author": ""})
	}
	wait := func(games int) (n int) {
		s.stream(path+"/events", func(e event) bool {
			var l api.LeagueView
			if e.name == "league" && json.Unmarshal(e.data, &l) == nil {
				n = l.Table.Games
			}
			return n >= games
		})
		return n
	}
	get[api.LeagueView](s, 200, "POST", path+"/play", nil)
	n := wait(1)
	s.close()
	s.open()
	if again := wait(n + 1); n == 0 || again <= n {
		t.Errorf("%d games, and %d after the restart", n, again)
	}
}

// TestLeagueFollowsBot: a newly published version takes the place of the previous one, with its arguments, in every league in which the
// bot plays; other players stay.
func TestLeagueFollowsBot(t *testing.T) {
	s := newSite(t)
	publish := func(name, move string) {
		b := get[struct{ Version int }](s, 200, "POST", "/api/bots/"+name, object{"source": "def choose(position, clock):\n    return position.moves()[" + move + "]\n"})
		get[any](s, 200, "POST", "/api/bots/"+name+"/publish", object{"version": b.Version})
	}
	publish("windy", "0")
	publish("calm", "0")
	var paths []string
	for _, name := range []string{"lunch", "supper"} {
		l := get[api.LeagueView](s, 200, "POST", "/api/leagues", object{"name": name, "game": "tictactoe", "nodes": 0, "plies": 2, "seed": 1, "field": "none"})
		paths = append(paths, fmt.Sprintf("/api/leagues/%d", l.ID))
		for spec, as := range map[string]string{"bot:windy": "", "bot:windy,steps=5000": "slow", "bot:calm": "calm-1", "rules": ""} {
			get[api.LeagueView](s, 200, "POST", paths[len(paths)-1]+"/members", object{"name": as, "spec": spec, "author": ""})
		}
	}
	publish("windy", "-1")
	for _, path := range paths {
		got := map[string]bool{}
		for _, r := range get[api.LeagueView](s, 200, "GET", path, nil).Table.Rows {
			if !r.Left {
				got[r.Name+" = "+r.Spec] = true
			}
		}
		for _, want := range []string{"bot-windy-version-2 = bot:windy,version=2", "slow-2 = bot:windy,steps=5000,version=2", "calm-1 = bot:calm,version=1", "rules = rules"} {
			if !got[want] || len(got) != 4 {
				t.Errorf("%s: the members are %v, want %s", path, got, want)
			}
		}
	}
}

// TestBotResults: a bot that moves illegally loses every game, and the results say against whom and why. A version that was replaced
// keeps its results, and comes after the one that plays.
func TestBotResults(t *testing.T) {
	s := newSite(t)
	publish := func(move string) {
		b := get[struct{ Version int }](s, 200, "POST", "/api/bots/windy", object{"source": "def choose(position, clock):\n    return " + move + "\n"})
		get[any](s, 200, "POST", "/api/bots/windy/publish", object{"version": b.Version})
	}
	publish("'z9'")
	l := get[api.LeagueView](s, 200, "POST", "/api/leagues", object{"name": "lunch", "game": "tictactoe", "nodes": 0, "plies": 2, "seed": 1, "field": "none"})
	path := fmt.Sprintf("/api/leagues/%d", l.ID)
	get[api.LeagueView](s, 200, "POST", path+"/members", object{"name": "windy-1", "spec": "bot:windy", "author": ""})
	get[api.LeagueView](s, 200, "POST", path+"/members", object{"name": "", "spec": "rules", "author": ""})
	get[api.LeagueView](s, 200, "POST", path+"/play", nil)
	s.stream(path+"/events", func(e event) bool {
		var l api.LeagueView
		return e.name == "league" && json.Unmarshal(e.data, &l) == nil && l.Table.Games >= 12
	})
	get[api.LeagueView](s, 200, "POST", path+"/stop", nil)
	publish("position.moves()[0]")

	got := get[[]league.BotResults](s, 200, "GET", "/api/bots/windy/results", nil)
	if len(got) != 2 || got[0].Version != 2 || got[0].Row.Left || len(got[0].Met) != 0 || got[1].Version != 1 || !got[1].Row.Left {
		t.Fatalf("the versions are %+v", got)
	}
	old := got[1]
	if old.Name != "lunch" || old.Game != "tictactoe" || len(old.Met) != 1 || len(old.Lost) != 10 {
		t.Fatalf("the results of version 1 are %+v", old)
	}
	if m := old.Met[0]; m.A != "windy-1" || m.B != "rules" || m.Won != 0 || m.Drawn != 0 || m.Lost != old.Row.Games {
		t.Errorf("version 1 has the results %+v in %d games", m, old.Row.Games)
	}
	for i, g := range old.Lost {
		if g.Winner != "rules" || !g.Forfeit || !strings.HasPrefix(g.Reason, "error: windy: choose returns \"z9\"") || i > 0 && g.ID >= old.Lost[i-1].ID {
			t.Errorf("loss %d is %+v", i, g)
		}
	}
	get[api.Problem](s, 404, "GET", "/api/bots/nobody/results", nil)
}
