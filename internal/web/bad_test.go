// SPDX-License-Identifier: Apache-2.0

package web_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/internal/web"
)

// TestBad sends what cannot be meant. Each gets a problem document of one line, and the store stays as it was.
func TestBad(t *testing.T) {
	s := newSite(t)
	g := s.begin("tictactoe", "human", "human")
	over := get[web.Game](s, 200, "POST", "/api/games", object{"game": "tictactoe", "first": "human", "second": "human", "moves": "a1 b1 a2 b2 a3"})
	machine := s.begin("gomoku", "best:time=9s", "human")
	tests := []struct {
		name, method, path string
		body               any
		want               int
	}{
		{"no JSON", "POST", "/api/games", "{", 400},
		{"another type", "POST", "/api/games", `{"game":7,"first":"human","second":"human"}`, 422},
		{"an unknown field", "POST", "/api/games", object{"game": "tictactoe", "first": "human", "second": "human", "x": 1}, 422},
		{"no player", "POST", "/api/games", object{"game": "tictactoe", "first": "human"}, 422},
		{"a foreign game", "POST", "/api/games", object{"game": "chess", "first": "human", "second": "human"}, 422},
		{"a board too large", "POST", "/api/games", object{"game": "gomoku:100", "first": "human", "second": "human"}, 422},
		{"a game that is too long", "POST", "/api/games", object{"game": strings.Repeat("x", 101), "first": "human", "second": "human"}, 422},
		{"a program", "POST", "/api/games", object{"game": "gomoku", "first": "human", "second": "program:/bin/sh"}, 422},
		{"a file", "POST", "/api/games", object{"game": "mnk:5,5,4", "first": "human", "second": "greedy:eval=generic(weights=/etc/passwd)"}, 422},
		{"much memory", "POST", "/api/games", object{"game": "gomoku", "first": "human", "second": "best:hash=65536"}, 422},
		{"much work", "POST", "/api/games", object{"game": "gomoku", "first": "human", "second": "oracle:100000000"}, 422},
		{"an illegal move list", "POST", "/api/games", object{"game": "tictactoe", "first": "human", "second": "human", "moves": "a1 a1"}, 422},
		{"a damaged start", "POST", "/api/games", object{"game": "tictactoe", "first": "human", "second": "human", "start": "AAAA"}, 422},
		{"too much", "POST", "/api/games", `{"game":"` + strings.Repeat("x", 1<<19) + `"}`, 413},
		{"a taken cell", "POST", "/api/games/" + over.ID + "/moves", object{"move": "a1", "ply": 5}, 422},
		{"a move of another game", "POST", "/api/games/" + g.ID + "/moves", object{"move": "h8", "ply": 0}, 422},
		{"two moves", "POST", "/api/games/" + g.ID + "/moves", object{"move": "a1 b1", "ply": 0}, 422},
		{"no move", "POST", "/api/games/" + g.ID + "/moves", object{"move": "", "ply": 0}, 422},
		{"another ply", "POST", "/api/games/" + g.ID + "/moves", object{"move": "a1", "ply": 1}, 409},
		{"a negative ply", "POST", "/api/games/" + g.ID + "/moves", object{"move": "a1", "ply": -1}, 422},
		{"out of turn", "POST", "/api/games/" + machine.ID + "/moves", object{"move": "a1", "ply": 0}, 409},
		{"nothing to take back", "POST", "/api/games/" + g.ID + "/takeback", object{"ply": 0}, 409},
		{"an unknown game", "GET", "/api/games/aaaaaaaaaaaaaaaa", nil, 404},
		{"a wrong name", "GET", "/api/games/AAAA", nil, 422},
		{"a path trick", "GET", "/api/games/..%2f..%2fetc", nil, 422},
		{"no game", "GET", "/api/position", nil, 422},
		{"a foreign position", "GET", "/api/position?game=chess", nil, 422},
		{"opponents of nothing", "GET", "/api/opponents?game=", nil, 422},
		{"an analysis of nothing", "GET", "/api/analysis?game=x", nil, 422},
		{"an analysis by a person", "GET", "/api/analysis?game=gomoku&player=human", nil, 422},
		{"an analysis by a die", "GET", "/api/analysis?game=gomoku&player=random", nil, 422},
		{"an analysis of the end", "GET", "/api/analysis?game=tictactoe&moves=a1+b1+a2+b2+a3", nil, 422},
		{"too many lines", "GET", "/api/analysis?game=gomoku&lines=1000", nil, 422},
		{"deep JSON", "POST", "/api/games", strings.Repeat("[", 100_000), 400},
		{"form data", "POST", "/api/games", "game=gomoku", 400},
		{"a broken SGF", "POST", "/api/import", object{"text": "(;GM[4]FF[4]SZ[15];B[zz];W[", "game": ""}, 422},
		{"a deep SGF", "POST", "/api/import", object{"text": strings.Repeat("(;", 50_000), "game": ""}, 422},
		{"a broken PSQ", "POST", "/api/import", object{"text": "Piskvorky 15x15, 11:11, 0\n99,99,0\n", "game": ""}, 422},
		{"a path as a study", "GET", "/api/studies/..%2f..%2fgo.mod", nil, 404},
		{"a number too large", "GET", "/api/runs/99999999999999999999", nil, 422},
		{"a negative number", "POST", "/api/matches/-1/stop", nil, 422},
		{"a file of values", "GET", "/api/overlay?game=mnk:5,5,4&heuristic=" + url.QueryEscape("generic(weights=/etc/passwd)"), nil, 422},
		{"a file in the lab", "GET", "/api/lab?game=tictactoe&heuristic=" + url.QueryEscape("generic(weights=/etc/passwd)"), nil, 422},
		{"a board too large for the lab", "GET", "/api/lab?game=gomoku", nil, 422},
		{"a depth of much work", "GET", "/api/lab?game=tictactoe&depth=99", nil, 422},
		{"a file to learn from", "POST", "/api/runs", object{"learner": "genetic:target=generic(weights=/etc/passwd)", "game": "gomoku:9", "seed": 1}, 422},
		{"a person in a match", "POST", "/api/matches", object{"game": "tictactoe", "players": []string{"human", "random"}, "games": 2, "plies": 0, "millis": 0, "seed": 1}, 422},
		{"what no run has learned", "POST", "/api/games", object{"game": "ultimate", "first": "human", "second": "run:7,step=1"}, 422},
		{"learned, of no step", "POST", "/api/games", object{"game": "ultimate", "first": "human", "second": "run:7"}, 422},
		{"learned, of nothing", "POST", "/api/games", object{"game": "ultimate", "first": "human", "second": "run:../7,step=1"}, 422},
		{"another method", "PUT", "/api/games", nil, 405},
		{"a page that is sent", "POST", "/analyze", "{}", 405},
	}
	before := games(s)
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got, data := s.ask(tc.method, tc.path, tc.body)
			if got != tc.want {
				t.Fatalf("%s %s = %d %s, want %d", tc.method, tc.path, got, data, tc.want)
			}
			var p struct {
				Status int
				Detail string
			}
			if err := json.Unmarshal(data, &p); err != nil || p.Status != got || p.Detail == "" || strings.Contains(p.Detail, "\n") {
				t.Errorf("no problem document: %s", data)
			}
		})
	}
	if after := games(s); after != before {
		t.Errorf("the store has %q, want %q", after, before)
	}
}

// TestPrivate asks for every argument that the catalog says is a file, a program, memory or threads: none is given
// to a request, whatever the catalog comes to have.
func TestPrivate(t *testing.T) {
	s := newSite(t)
	dear := regexp.MustCompile(`([a-z]+)=(?:FILE|PATH|DIR|MB)|(threads|jobs)=N|(program):PATH`)
	seen := 0
	for _, kind := range []string{"players", "heuristics", "learners"} {
		for _, item := range catalog.List(kind) {
			for _, m := range dear.FindAllStringSubmatch(item.Usage, -1) {
				seen++
				text := m[1] + m[2] + "=1"
				if m[3] != "" {
					text = "1"
				}
				path, body := "/api/games", object{"game": "gomoku:9", "first": "human", "second": item.Name + ":" + text}
				switch kind {
				case "heuristics":
					body["second"] = "greedy:eval=" + item.Name + "(" + text + ")"
				case "learners":
					path, body = "/api/runs", object{"game": "gomoku:9", "learner": item.Name + ":" + text, "seed": 1}
				}
				status, data := s.ask("POST", path, body)
				if status != 422 || !strings.Contains(string(data), "cannot be asked for here") {
					t.Errorf("%v = %d %s", body, status, data)
				}
			}
		}
	}
	if seen < 8 {
		t.Errorf("only %d arguments were found", seen)
	}
}

// games writes down every game that is listed, less what changes by itself.
func games(s *site) string {
	all, err := s.db.WebGames(1000, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	var b strings.Builder
	for _, g := range all {
		b.WriteString(g.ID + " " + g.Game + " " + g.First + " " + g.Second + " " + g.Moves + "\n")
	}
	return b.String()
}

// FuzzAPI sends anything to the interface: it answers without a failure of its own, and what it refuses leaves no
// trace.
func FuzzAPI(f *testing.F) {
	f.Add("POST", "/api/games", `{"game":"tictactoe","first":"human","second":"human"}`)
	f.Add("POST", "/api/games", `{"game":"mnk:3,3,3","first":"human","second":"human","moves":"a1 b2","start":"x"}`)
	f.Add("POST", "/api/games/aaaaaaaaaaaaaaaa/moves", `{"move":"a1","ply":0}`)
	f.Add("GET", "/api/position?game=connect4&moves=4455", ``)
	f.Add("GET", "/api/position?game=ultimate:draw=boards&moves=55+51", ``)
	f.Add("GET", "/api/opponents?game=renju", ``)
	f.Add("GET", "/api/games?limit=5&skip=2", ``)
	f.Add("DELETE", "/api/games/aaaaaaaaaaaaaaaa", ``)
	f.Add("POST", "/api/games", "{\"game\":\"gomoku\\u0000\",\"first\":\"\xff\"}")
	s := newSite(f)
	f.Fuzz(func(t *testing.T, method, path, body string) {
		if !strings.HasPrefix(path, "/") || strings.Contains(path, "/events") || strings.Contains(path, "/analysis") {
			t.Skip()
		}
		q, err := http.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
		if err != nil {
			t.Skip()
		}
		q.Header.Set("Content-Type", "application/json")
		before := games(s)
		w := httptest.NewRecorder()
		s.web.ServeHTTP(w, q)
		if w.Code >= 500 {
			t.Errorf("%s %s %q = %d %s", method, path, body, w.Code, w.Body)
		}
		if w.Code >= 400 && games(s) != before {
			t.Errorf("%s %s %q was refused and left a game", method, path, body)
		}
	})
}
