// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/krow-lab/krow/app/analysis"
	"github.com/krow-lab/krow/app/diagram"
	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/server/api"
	"github.com/krow-lab/krow/server/bots"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/store"
	"github.com/krow-lab/krow/server/store/storetest"
)

func TestMain(m *testing.M) {
	bots.Enable()
	goleak.VerifyTestMain(m)
}

// site is a server at work, on a store of its own.
type site struct {
	t    testing.TB
	db   *store.Store
	file string
	web  *api.Server
	http *httptest.Server

	listener *pipes // instead of the network
}

func newSite(t testing.TB, change ...func(*api.Options)) *site {
	t.Helper()
	s := &site{t: t, file: storetest.File(t)}
	s.open(change...)
	t.Cleanup(s.close)
	return s
}

func (s *site) open(change ...func(*api.Options)) {
	s.t.Helper()
	var err error
	if s.db, err = store.Open(s.file); err != nil {
		s.t.Fatal(err)
	}
	o := api.Options{Store: s.db, Version: "test", Hosts: []string{}, Cores: 2, People: club.Options{Cheap: true}, Patience: 100}
	for _, f := range change {
		f(&o)
	}
	if s.web, err = api.New(o); err != nil {
		s.t.Fatal(err)
	}
	if s.listener == nil {
		s.http = httptest.NewServer(s.web)
		return
	}
	s.http = httptest.NewUnstartedServer(s.web)
	_ = s.http.Listener.Close()
	s.http.Listener = s.listener
	s.http.Start()
	s.http.Client().Transport.(*http.Transport).DialContext = func(context.Context, string, string) (net.Conn, error) { return s.listener.dial(), nil }
}

func (s *site) close() {
	s.web.Close()
	s.http.Close()
	if err := s.db.Close(); err != nil {
		s.t.Error(err)
	}
}

// ask sends a request and returns the status and the answer.
func (s *site) ask(method, path string, body any) (int, []byte) {
	s.t.Helper()
	var r io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		r = strings.NewReader(b)
	default:
		data, err := json.Marshal(b)
		if err != nil {
			s.t.Fatal(err)
		}
		r = bytes.NewReader(data)
	}
	q, err := http.NewRequest(method, s.http.URL+path, r)
	if err != nil {
		s.t.Fatal(err)
	}
	if r != nil {
		q.Header.Set("Content-Type", "application/json")
	}
	a, err := s.http.Client().Do(q)
	if err != nil {
		s.t.Fatal(err)
	}
	defer a.Body.Close()
	data, err := io.ReadAll(a.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return a.StatusCode, data
}

// get asks for a value, which must come with status.
func get[T any](s *site, status int, method, path string, body any) (v T) {
	s.t.Helper()
	got, data := s.ask(method, path, body)
	if got != status {
		s.t.Fatalf("%s %s = %d %s, want %d", method, path, got, data, status)
	}
	if len(data) > 0 {
		if err := json.Unmarshal(data, &v); err != nil {
			s.t.Fatalf("%s %s: %v in %s", method, path, err, data)
		}
	}
	return v
}

type object = map[string]any

// begin begins a game.
func (s *site) begin(game, first, second string) api.Game {
	s.t.Helper()
	return get[api.Game](s, 200, "POST", "/api/games", object{"game": game, "first": first, "second": second})
}

// event is one event of a stream.
type event struct {
	name string
	data []byte
}

// stream reads the events of a path until f says that it has seen enough, or they end.
func (s *site) stream(path string, f func(event) bool) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	defer cancel()
	q, err := http.NewRequestWithContext(ctx, "GET", s.http.URL+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	a, err := s.http.Client().Do(q)
	if err != nil {
		s.t.Fatal(err)
	}
	defer a.Body.Close()
	if a.StatusCode != 200 {
		data, _ := io.ReadAll(a.Body)
		s.t.Fatalf("%s = %d %s", path, a.StatusCode, data)
	}
	var e event
	lines := bufio.NewScanner(a.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		switch text := lines.Text(); {
		case strings.HasPrefix(text, "event: "):
			e.name = text[len("event: "):]
		case strings.HasPrefix(text, "data: "):
			e.data = []byte(text[len("data: "):])
			if f(e) {
				return
			}
			e = event{}
		}
	}
}

// until follows a game until it is as f wants it.
func (s *site) until(id string, f func(api.Game) bool) (g api.Game) {
	s.t.Helper()
	found := false
	s.stream("/api/games/"+id+"/events", func(e event) bool {
		if e.name != "game" {
			return false
		}
		if err := json.Unmarshal(e.data, &g); err != nil {
			s.t.Fatal(err)
		}
		found = f(g)
		return found
	})
	if !found {
		s.t.Fatalf("the events of game %s ended", id)
	}
	return g
}

func turnOfPerson(g api.Game) bool {
	player := g.First
	if g.Board.Turn == "second" {
		player = g.Second
	}
	return g.Outcome != "ongoing" || player == "human"
}

// families is a game of each look and each special rule, with a player that ends it soon.
var families = []string{"mnk:4,4,3", "tictactoe", "gomoku:7", "standard:6", "caro:6", "renju:7", "pente:7", "connect4", "connect6:7", "ultimate", "atarigo:5"}

// TestPlayEachFamily plays each family to its end against a player, moving at the first legal cell that is not forbidden.
func TestPlayEachFamily(t *testing.T) {
	s := newSite(t)
	for i, spec := range families {
		t.Run(spec, func(t *testing.T) {
			seats := [2]string{"human", "random"}
			first, second := seats[i%2], seats[1-i%2]
			g := s.begin(spec, first, second)
			for range 200 {
				g = s.until(g.ID, turnOfPerson)
				if g.Outcome != "ongoing" {
					break
				}
				g = get[api.Game](s, 200, "POST", "/api/games/"+g.ID+"/moves", object{"move": sound(g.Board), "ply": g.Plies})
			}
			if g.Outcome == "ongoing" || g.Plies != len(g.Moves) || g.Board.Outcome != g.Outcome || g.Thinking {
				t.Errorf("after %d moves: %+v", g.Plies, g.Summary)
			}
			kept, err := s.db.Game(g.ID)
			if err != nil || kept.Moves != strings.Join(g.Moves, " ") || kept.Outcome != g.Outcome {
				t.Errorf("the store has %+v, %v", kept, err)
			}
		})
	}
	list := get[struct{ Games []request.Summary }](s, 200, "GET", "/api/games", nil)
	if len(list.Games) != len(families) {
		t.Errorf("%d games are listed, want %d", len(list.Games), len(families))
	}
}

// sound returns a legal move that is not forbidden, if there is one.
func sound(b diagram.Board) string {
	bad := map[string]bool{}
	for _, f := range b.Forbidden {
		bad[f.Move] = true
	}
	for _, m := range b.Moves {
		if !bad[m] {
			return m
		}
	}
	return b.Moves[0]
}

func TestTakebackAndResign(t *testing.T) {
	s := newSite(t)
	g := s.begin("gomoku:9", "human", "random")
	for _, m := range []string{"e5", "a1", "b9", "c3"} {
		if strings.Contains(strings.Join(g.Moves, " "), m) {
			continue
		}
		g = get[api.Game](s, 200, "POST", "/api/games/"+g.ID+"/moves", object{"move": m, "ply": g.Plies})
		g = s.until(g.ID, turnOfPerson)
	}
	plies := g.Plies
	g = get[api.Game](s, 200, "POST", "/api/games/"+g.ID+"/act", object{"do": "takeback", "ply": plies})
	if g.Plies != plies-2 || g.Board.Turn != "first" {
		t.Errorf("after a takeback: ply %d, %s to move; want %d, first", g.Plies, g.Board.Turn, plies-2)
	}
	g = get[api.Game](s, 200, "POST", "/api/games/"+g.ID+"/act", object{"do": "resign", "ply": g.Plies})
	if g.Outcome != "second wins" || g.Reason != "resigned" {
		t.Errorf("after resigning: %s, %s", g.Outcome, g.Reason)
	}
	get[object](s, 422, "POST", "/api/games/"+g.ID+"/moves", object{"move": g.Board.Moves[0], "ply": g.Plies})
	g = get[api.Game](s, 200, "POST", "/api/games/"+g.ID+"/act", object{"do": "takeback", "ply": g.Plies})
	if g.Outcome != "ongoing" || g.Board.Turn != "first" {
		t.Errorf("a takeback after resigning: %+v", g.Summary)
	}
}

// TestTakebackStopsThinking takes back while a player thinks: its answer must not come afterwards.
func TestTakebackStopsThinking(t *testing.T) {
	s := newSite(t)
	g := s.begin("gomoku", "human", "best:time=1000s")
	g = get[api.Game](s, 200, "POST", "/api/games/"+g.ID+"/moves", object{"move": "h8", "ply": 0})
	g = get[api.Game](s, 200, "POST", "/api/games/"+g.ID+"/act", object{"do": "takeback", "ply": g.Plies})
	g = s.until(g.ID, func(g api.Game) bool { return !g.Thinking })
	if g.Plies != 0 || g.Trouble != nil {
		t.Errorf("after a takeback: %d moves, trouble %+v", g.Plies, g.Trouble)
	}
}

// TestRestartKeepsMove stops the server while a player thinks. The move of the person is kept, and the player moves once
// somebody looks at the game again.
func TestRestartKeepsMove(t *testing.T) {
	s := newSite(t)
	g := s.begin("gomoku:9", "human", "best:time=200ms")
	id := g.ID
	get[api.Game](s, 200, "POST", "/api/games/"+id+"/moves", object{"move": "e5", "ply": 0})
	s.close()
	s.open()
	g = s.until(id, func(g api.Game) bool { return g.Plies == 2 })
	if g.Moves[0] != "e5" {
		t.Errorf("moves after the restart: %v", g.Moves)
	}
}

func TestWatch(t *testing.T) {
	s := newSite(t)
	g := s.begin("tictactoe", "random", "random")
	if g.Plies != 0 {
		t.Errorf("%d moves were played though nobody watches", g.Plies)
	}
	if g = s.until(g.ID, func(g api.Game) bool { return g.Outcome != "ongoing" }); g.Plies < 5 {
		t.Errorf("the game ended after %d moves", g.Plies)
	}
}

func TestAnalysis(t *testing.T) {
	s := newSite(t)
	var best analysis.Info
	var done request.Done
	s.stream("/api/analysis?game=connect4&moves=4+1+4+1+4&seconds=600&lines=2", func(e event) bool {
		switch e.name {
		case "lines":
			var l analysis.Lines
			if err := json.Unmarshal(e.data, &l); err != nil {
				t.Fatal(err)
			}
			best = l.Lines[0]
		case "done":
			if err := json.Unmarshal(e.data, &done); err != nil {
				t.Fatal(err)
			}
		}
		return false
	})
	if done.Reason != "finished" || len(best.PV) == 0 || best.PV[0] != "4" || best.Cells[0] != 24 {
		t.Errorf("the analysis ended %q with %+v, want finished with 4", done.Reason, best)
	}
}

// TestAnalysisStops leaves a stream: its slot must be free again, since there is only one.
func TestAnalysisStops(t *testing.T) {
	s := newSite(t)
	for range 3 {
		s.stream("/api/analysis?game=gomoku&seconds=600", func(e event) bool { return e.name == "lines" })
	}
}

func TestPages(t *testing.T) {
	s := newSite(t)
	for path, want := range map[string]int{"/": 200, "/play/abc": 200, "/healthz": 200, "/metrics": 200, "/openapi.json": 200, "/api": 200, "/api.css": 200, "/nothing": 404, "/assets/../embed.go": 404, "/..%2f..%2fgo.mod": 404, "/dist/index.html": 404} {
		if got, data := s.ask("GET", path, nil); got != want {
			t.Errorf("GET %s = %d %.100s, want %d", path, got, data, want)
		}
	}
	q, _ := http.NewRequest("GET", s.http.URL+"/", nil)
	a, err := s.http.Client().Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	for name, want := range map[string]string{"Content-Security-Policy": "default-src 'none'", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"} {
		if got := a.Header.Get(name); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	q.Header.Set("If-None-Match", a.Header.Get("ETag"))
	b, err := s.http.Client().Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Body.Close()
	if b.StatusCode != http.StatusNotModified {
		t.Errorf("asked again: %d, want 304", b.StatusCode)
	}
}

// TestGuard calls the server by other names and from other sites, also by GET.
func TestGuard(t *testing.T) {
	s := newSite(t, func(o *api.Options) { o.Hosts = []string{"Krow.example"} })
	tests := []struct {
		name, host, header, value string
		want                      int // of what changes, of what is read, and of a page
		read, page                int
	}{
		{"a program", "localhost:1234", "", "", 200, 200, 200},
		{"an address", "127.0.0.1", "Sec-Fetch-Site", "same-origin", 200, 200, 200},
		{"a name in capitals", "LocalHost", "", "", 200, 200, 200},
		{"a name that was given", "krow.example:80", "", "", 200, 200, 200},
		{"another name", "evil.example", "", "", 421, 421, 421},
		{"typed", "localhost", "Sec-Fetch-Site", "none", 200, 200, 200},
		{"another site", "localhost", "Sec-Fetch-Site", "cross-site", 403, 403, 200},
		{"another port", "localhost", "Sec-Fetch-Site", "same-site", 403, 403, 200},
		{"an old browser", "localhost", "Origin", "http://localhost", 200, 200, 200},
		{"an old browser elsewhere", "localhost", "Origin", "http://evil.example", 403, 403, 200},
		{"an old browser in a frame", "localhost", "Origin", "null", 403, 403, 200},
		{"a picture elsewhere", "localhost", "Referer", "http://evil.example/a", 403, 403, 200},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			ask := func(method, path, body string) int {
				q, _ := http.NewRequest(method, s.http.URL+path, strings.NewReader(body))
				q.Header.Set("Content-Type", "application/json")
				q.Host = tc.host
				if tc.header != "" {
					q.Header.Set(tc.header, tc.value)
				}
				a, err := s.http.Client().Do(q)
				if err != nil {
					t.Fatal(err)
				}
				defer a.Body.Close()
				return a.StatusCode
			}
			if got := ask("POST", "/api/games", `{"game":"tictactoe","first":"human","second":"human"}`); got != tc.want {
				t.Errorf("a change: status %d, want %d", got, tc.want)
			}
			for _, path := range []string{"/api/lab?game=tictactoe&depth=1", "/api/analysis?game=tictactoe&player=oracle&seconds=1"} {
				if got := ask("GET", path, ""); got != tc.read {
					t.Errorf("%s: status %d, want %d", path, got, tc.read)
				}
			}
			if got := ask("GET", "/", ""); got != tc.page {
				t.Errorf("a page: status %d, want %d", got, tc.page)
			}
		})
	}
}

var update = os.Getenv("UPDATE") != ""

// TestOpenAPI compares the description with page/openapi.json, so that whoever changes the interface sees it.
func TestOpenAPI(t *testing.T) {
	s := newSite(t)
	data, err := s.web.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := json.Indent(&got, data, "", " "); err != nil {
		t.Fatal(err)
	}
	got.WriteByte('\n')
	const name = "../../page/openapi.json"
	if update {
		if err := os.WriteFile(name, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("the interface differs from %s (%v): UPDATE=1 go test rewrites it", name, err)
	}
}
