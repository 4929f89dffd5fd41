// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/server/api"
	"github.com/krow-lab/krow/server/store"
)

// TestBadRequestsChangeNothing sends what cannot be meant. Each gets a problem document of one line, and the store stays as it was.
func TestBadRequestsChangeNothing(t *testing.T) {
	s := newSite(t)
	g := s.begin("tictactoe", "human", "human")
	falling := s.begin("connect4", "human", "human")
	over := get[api.Game](s, 200, "POST", "/api/games", object{"game": "tictactoe", "first": "human", "second": "human", "moves": "a1 b1 a2 b2 a3"})
	machine := s.begin("gomoku", "mcts:time=9s", "human") // best does not think about the only move it looks at
	tests := []struct {
		name, method, path string
		body               any
		want               int
		code               string
	}{
		{"no JSON", "POST", "/api/games", "{", 400, "bad-body"},
		{"another type", "POST", "/api/games", `{"game":7,"first":"human","second":"human"}`, 422, "bad-request"},
		{"an unknown field", "POST", "/api/games", object{"game": "tictactoe", "first": "human", "second": "human", "x": 1}, 422, "bad-request"},
		{"a rated game against a program", "POST", "/api/games", object{"game": "tictactoe", "first": "human", "second": "best", "rated": true}, 422, "bad-terms"},
		{"a clock of two kinds", "POST", "/api/games", object{"game": "tictactoe", "first": "human", "second": "best", "clock": object{"seconds": 60, "turn": 60}}, 422, "bad-terms"},
		{"no player", "POST", "/api/games", object{"game": "tictactoe", "first": "human"}, 422, "bad-request"},
		{"a foreign game", "POST", "/api/games", object{"game": "chess", "first": "human", "second": "human"}, 422, "bad-game"},
		{"a board too large", "POST", "/api/games", object{"game": "gomoku:100", "first": "human", "second": "human"}, 422, "bad-game"},
		{"a game that is too long", "POST", "/api/games", object{"game": strings.Repeat("x", 101), "first": "human", "second": "human"}, 422, "bad-request"},
		{"a program", "POST", "/api/games", object{"game": "gomoku", "first": "human", "second": "program:/bin/sh"}, 422, "bad-player"},
		{"a file", "POST", "/api/games", object{"game": "mnk:5,5,4", "first": "human", "second": "greedy:eval=generic(weights=/etc/passwd)"}, 422, "bad-player"},
		{"much memory", "POST", "/api/games", object{"game": "gomoku", "first": "human", "second": "best:hash=65536"}, 422, "bad-player"},
		{"much work", "POST", "/api/games", object{"game": "gomoku", "first": "human", "second": "mcts:sims=100000000"}, 422, "bad-player"},
		{"an illegal move list", "POST", "/api/games", object{"game": "tictactoe", "first": "human", "second": "human", "moves": "a1 a1"}, 422, "bad-move"},
		{"a damaged start", "POST", "/api/games", object{"game": "tictactoe", "first": "human", "second": "human", "start": "AAAA"}, 422, "bad-start"},
		{"too much", "POST", "/api/games", `{"game":"` + strings.Repeat("x", 1<<19) + `"}`, 413, "too-large"},
		{"a taken cell", "POST", "/api/games/" + over.ID + "/moves", object{"move": "a1", "ply": 5}, 422, "game-over"},
		{"a move of another game", "POST", "/api/games/" + g.ID + "/moves", object{"move": "h8", "ply": 0}, 422, "bad-move"},
		{"two moves", "POST", "/api/games/" + g.ID + "/moves", object{"move": "a1 b1", "ply": 0}, 422, "bad-move"},
		{"two columns", "POST", "/api/games/" + falling.ID + "/moves", object{"move": "44", "ply": 0}, 422, "bad-move"},
		{"no move", "POST", "/api/games/" + g.ID + "/moves", object{"move": "", "ply": 0}, 422, "bad-move"},
		{"another ply", "POST", "/api/games/" + g.ID + "/moves", object{"move": "a1", "ply": 1}, 409, "changed"},
		{"a negative ply", "POST", "/api/games/" + g.ID + "/moves", object{"move": "a1", "ply": -1}, 422, "bad-request"},
		{"out of turn", "POST", "/api/games/" + machine.ID + "/moves", object{"move": "a1", "ply": 0}, 409, "not-your-turn"},
		{"nothing to take back", "POST", "/api/games/" + g.ID + "/act", object{"do": "takeback", "ply": 0}, 409, "no-takeback"},
		{"an unknown game", "GET", "/api/games/aaaaaaaaaaaaaaaa", nil, 404, "no-game"},
		{"a wrong name", "GET", "/api/games/AAAA", nil, 404, "no-game"},
		{"a path trick", "GET", "/api/games/..%2f..%2fetc", nil, 404, "no-game"},
		{"no game", "GET", "/api/position", nil, 422, "bad-request"},
		{"a foreign position", "GET", "/api/position?game=chess", nil, 422, "bad-game"},
		{"opponents of nothing", "GET", "/api/opponents?game=", nil, 422, "bad-request"},
		{"an analysis of nothing", "GET", "/api/analysis?game=x", nil, 422, "bad-game"},
		{"an analysis of the end", "GET", "/api/analysis?game=tictactoe&moves=a1+b1+a2+b2+a3", nil, 422, "game-over"},
		{"too many lines", "GET", "/api/analysis?game=gomoku&lines=1000", nil, 422, "bad-request"},
		{"deep JSON", "POST", "/api/games", strings.Repeat("[", 100_000), 400, "bad-body"},
		{"form data", "POST", "/api/games", "game=gomoku", 400, "bad-body"},
		{"a broken SGF", "POST", "/api/import", object{"text": "(;GM[4]FF[4]SZ[15];B[zz];W[", "game": ""}, 422, "bad-text"},
		{"a deep SGF", "POST", "/api/import", object{"text": strings.Repeat("(;", 50_000), "game": ""}, 422, "bad-text"},
		{"a broken PSQ", "POST", "/api/import", object{"text": "Piskvorky 15x15, 11:11, 0\n99,99,0\n", "game": ""}, 422, "bad-text"},
		{"a link to nothing", "POST", "/api/import", object{"text": "http://localhost/games", "game": ""}, 422, "bad-text"},
		{"a link to a lost game", "POST", "/api/import", object{"text": "http://localhost/play/aaaaaaaaaaaaaaaa", "game": ""}, 404, "no-game"},
		{"a path as an experiment", "GET", "/api/experiments/..%2f..%2fgo.mod", nil, 404, "no-experiment"},
		{"a number too large", "GET", "/api/runs/99999999999999999999", nil, 422, "bad-request"},
		{"a negative number", "POST", "/api/matches/-1/stop", nil, 422, "bad-request"},
		{"a file of values", "GET", "/api/overlay?game=mnk:5,5,4&heuristic=" + url.QueryEscape("generic(weights=/etc/passwd)"), nil, 422, "bad-heuristic"},
		{"a file in the lab", "GET", "/api/lab?game=tictactoe&heuristic=" + url.QueryEscape("generic(weights=/etc/passwd)"), nil, 422, "bad-heuristic"},
		{"a board too large for the lab", "GET", "/api/lab?game=gomoku", nil, 422, "large-tree"},
		{"a depth of much work", "GET", "/api/lab?game=tictactoe&depth=99", nil, 422, "bad-request"},
		{"a file to learn from", "POST", "/api/runs", object{"learner": "genetic:target=generic(weights=/etc/passwd)", "game": "gomoku:9", "seed": 1}, 422, "bad-learner"},
		{"a person in a match", "POST", "/api/matches", object{"game": "tictactoe", "players": []string{"human", "random"}, "games": 2, "plies": 0, "millis": 0, "seed": 1}, 422, "person-in-match"},
		{"what no run has learned", "POST", "/api/games", object{"game": "ultimate", "first": "human", "second": "run:7,step=1"}, 404, "no-run"},
		{"learned, of no step", "POST", "/api/games", object{"game": "ultimate", "first": "human", "second": "run:7"}, 404, "no-run"},
		{"learned, of nothing", "POST", "/api/games", object{"game": "ultimate", "first": "human", "second": "run:../7,step=1"}, 422, "bad-player"},
		{"another method", "PUT", "/api/games", nil, 405, "bad-method"},
		{"a page that is sent", "POST", "/analyze", "{}", 405, "bad-method"},
	}
	before := games(s)
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got, data := s.ask(tc.method, tc.path, tc.body)
			if got != tc.want {
				t.Fatalf("%s %s = %d %s, want %d", tc.method, tc.path, got, data, tc.want)
			}
			var p api.Problem
			if err := json.Unmarshal(data, &p); err != nil || p.Status != got || p.Detail == "" || strings.Contains(p.Detail, "\n") {
				t.Errorf("no problem document: %s", data)
			}
			if p.Code != tc.code {
				t.Errorf("code %q, want %q: %s", p.Code, tc.code, data)
			}
		})
	}
	if after := games(s); after != before {
		t.Errorf("the store has %q, want %q", after, before)
	}
}

// TestUntrustedReadNoFiles asks in every way for a file, a program, memory or threads, which package krow refuses strangers.
func TestUntrustedReadNoFiles(t *testing.T) {
	s := newSite(t)
	get := func(path string, more ...string) string { return path + place("gomoku:8", "", more...) }
	const file, program = "generic(weights=/etc/passwd)", "program:/bin/sh"
	tests := []struct {
		method, path string
		body         any
	}{
		{"POST", "/api/games", object{"game": "gomoku:9", "first": "human", "second": "greedy:eval=" + file}},
		{"POST", "/api/matches", object{"game": "gomoku:9", "players": []string{"random", program}, "games": 2, "plies": 0, "millis": 0, "seed": 1}},
		{"POST", "/api/runs", object{"game": "gomoku:9", "learner": "spsa:jobs=8", "seed": 1}},
		{"GET", get("/api/lab", "heuristic", file), nil},
		{"GET", get("/api/overlay", "heuristic", "indicators(weights=/etc/passwd)"), nil},
		{"GET", get("/api/analysis", "player", "best:hash=64M"), nil},
		{"GET", get("/api/review", "player", "best:threads=4"), nil},
		{"GET", "/api/opening/answer?game=gomoku&rule=swap2&player=" + url.QueryEscape(program), nil},
	}
	for _, tc := range tests {
		// A stream begins before its player is made.
		want := 422
		if strings.HasPrefix(tc.path, "/api/analysis") || strings.HasPrefix(tc.path, "/api/review") {
			want = 200
		}
		if status, data := s.ask(tc.method, tc.path, tc.body); status != want || !strings.Contains(string(data), "cannot be asked for here") {
			t.Errorf("%s %s %v = %d %s", tc.method, tc.path, tc.body, status, data)
		}
	}
}

// games writes down every game that is listed, less what changes by itself.
func games(s *site) string {
	all, err := s.db.Games(store.GameFilter{Count: 1000})
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
			return
		}
		q, err := http.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
		if err != nil {
			return
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

// TestCodesHaveWords expects that the description explains every code of a problem, and that the page has words for it in each
// of its languages.
func TestCodesHaveWords(t *testing.T) {
	data, err := newSite(t).web.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	var api struct {
		Components struct {
			Schemas struct {
				Problem struct {
					Properties struct {
						Code struct {
							Enum  []string
							Means map[string]string `json:"x-enum-descriptions"`
						}
					}
				}
			}
		}
	}
	if err := json.Unmarshal(data, &api); err != nil {
		t.Fatal(err)
	}
	code := api.Components.Schemas.Problem.Properties.Code
	for _, c := range code.Enum {
		if !strings.Contains(code.Means[c], ": ") {
			t.Errorf("nothing says what %s means", c)
		}
	}
	for _, language := range []string{"en", "fr"} {
		files, err := filepath.Glob("../../page/src/texts/" + language + "*.ts")
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		var texts []byte
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, text...)
		}
		for _, c := range code.Enum {
			if !strings.Contains(string(texts), "'problem."+c+"'") {
				t.Errorf("%s has no text for %s", language, c)
			}
		}
	}
	if len(code.Enum) < 30 {
		t.Errorf("only %d codes", len(code.Enum))
	}
}

// TestAnalysisByNoAnalyst asks players for an analysis who have nothing to say: the stream ends with the problem.
func TestAnalysisByNoAnalyst(t *testing.T) {
	s := newSite(t)
	for _, path := range []string{"/api/analysis?game=gomoku&player=human", "/api/analysis?game=gomoku&player=random", "/api/review?game=gomoku&moves=h8&player=random"} {
		var done request.Done
		s.stream(path, func(e event) bool {
			if e.name == "done" {
				if err := json.Unmarshal(e.data, &done); err != nil {
					t.Error(err)
				}
			}
			return e.name == "done"
		})
		if done.Reason != "error" || done.Code != "no-analyst" {
			t.Errorf("%s ended with %+v, want no-analyst", path, done)
		}
	}
}
