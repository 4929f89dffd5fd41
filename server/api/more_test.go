// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"encoding/json"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/analysis"
	"github.com/krow-lab/krow/app/diagram"
	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/research/report"
	"github.com/krow-lab/krow/server/api"
	"github.com/krow-lab/krow/server/gate"
)

// place writes a position as a query.
func place(game, moves string, more ...string) string {
	q := url.Values{"game": {game}, "moves": {moves}}
	for i := 0; i+1 < len(more); i += 2 {
		q.Set(more[i], more[i+1])
	}
	return "?" + q.Encode()
}

func TestBoardOfPosition(t *testing.T) {
	s := newSite(t)
	b := get[diagram.Board](s, 200, "GET", "/api/position"+place("renju", "h8 a1 h9 c1 i10 e1 j10 g1"), nil)
	if len(b.Forbidden) != 1 || b.Forbidden[0].Move != "h10" || b.Look != "points" {
		t.Errorf("renju: forbidden %v, look %s; want h10, points", b.Forbidden, b.Look)
	}
	b = get[diagram.Board](s, 200, "GET", "/api/position"+place("ultimate", "55"), nil)
	if len(b.Moves) != 8 || b.Blocks != "........." || b.Look != "nested" {
		t.Errorf("ultimate: %d moves, blocks %q, look %s", len(b.Moves), b.Blocks, b.Look)
	}
	b = get[diagram.Board](s, 200, "GET", "/api/position"+place("connect4", "4455"), nil)
	if !slices.Equal(b.Targets, []int{0, 1, 2, 17, 18, 5, 6}) || b.Look != "falling" || b.Across[6] != "7" || !slices.Equal(b.Played, []string{"4", "4", "5", "5"}) {
		t.Errorf("connect4: targets %v, look %s, columns %v", b.Targets, b.Look, b.Across)
	}
	b = get[diagram.Board](s, 200, "GET", "/api/position"+place("gomoku", "h8 a1 h9 a2 h10 a3 h11 a4 h12"), nil)
	if b.Outcome != "first wins" || !slices.Equal(b.Row, []int{112, 127, 142, 157, 172}) {
		t.Errorf("gomoku: %s by %v", b.Outcome, b.Row)
	}
	b = get[diagram.Board](s, 200, "GET", "/api/position"+place("connect6:9", "e5 a1 b1"), nil)
	if !slices.Equal(b.Last, []int{1, 0}) || b.Turn != "first" {
		t.Errorf("connect6: last turn %v, %s to move", b.Last, b.Turn)
	}
}

func TestOverlay(t *testing.T) {
	s := newSite(t)
	o := get[diagram.Overlay](s, 200, "GET", "/api/overlay"+place("gomoku", "h8 a1 h9 a2 h10 a3 h11", "heuristic", "mics"), nil)
	if len(o.Wins) != 2 || o.Wins[0].Side != "first" || len(o.Values) != 225-7 {
		t.Errorf("wins %v, %d values", o.Wins, len(o.Values))
	}
	found := slices.ContainsFunc(o.Threats, func(t diagram.Threat) bool { return t.Size == 4 && t.Class == "open" && t.Side == "first" })
	if !found {
		t.Errorf("no open four in %v", o.Threats)
	}
	// X has two on the second row and two on column c: the third of both makes two rows of three that may win.
	o = get[diagram.Overlay](s, 200, "GET", "/api/overlay"+place("mnk:5,5,4", "a2 e5 b2 e4 c3 d5 c4"), nil)
	if !slices.ContainsFunc(o.Forks, func(p diagram.Point) bool { return p.Move == "c2" && p.Side == "first" }) {
		t.Errorf("forks %v, want c2 for the first side", o.Forks)
	}
}

// TestOpponents expects of each game its levels, the strongest player, and the published systems that play it. The page
// knows the name of each before it has asked for the list.
func TestOpponents(t *testing.T) {
	s := newSite(t)
	page, err := os.ReadFile("../../page/src/lib/names.ts")
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range families {
		list := get[struct{ Opponents []krow.Opponent }](s, 200, "GET", "/api/opponents?game="+url.QueryEscape(spec), nil).Opponents
		graded, systems, seen := []string{}, "", map[string]bool{}
		for _, o := range list {
			if seen[o.Player] {
				t.Errorf("%s: %s twice", spec, o.Player)
			}
			seen[o.Player] = true
			plain, quoted := "  "+o.Player+": '"+o.Name+"',", "  '"+o.Player+"': '"+o.Name+"',"
			if o.Name != "level" && !strings.Contains(string(page), plain) && !strings.Contains(string(page), quoted) {
				t.Errorf("names.ts has no name for %s, which is %s", o.Player, o.Name)
			}
			if o.Level > 0 {
				graded = append(graded, o.Player)
			}
			systems += o.System
		}
		want := map[string]string{"ultimate": "BBB", "atarigo:5": ""}
		published, other := want[spec]
		if !other {
			published = "A, ECD"
		}
		last := "best:time=5s"
		if spec == "connect4" {
			last = "proof" // its certificate comes with krow
		}
		if len(graded) < 3 || len(graded) > 10 || list[0].Player != "level:1" || list[len(list)-1].Player != last || systems != published {
			t.Errorf("%s: graded %v, published %q, want %q", spec, graded, systems, published)
		}
	}
}

// TestFilesAreImportedBack exports lines and imports them again.
func TestFilesAreImportedBack(t *testing.T) {
	s := newSite(t)
	for _, tc := range []struct{ game, moves, format string }{
		{"gomoku", "h8 h9 i9", "sgf"},
		{"renju", "h8 h9 i9", "sgf"},
		{"gomoku:19", "k10 k11", "psq"},
		{"mnk:7,6,4", "a1 b2", "sgf"},
		{"ultimate", "55 51 15", "text"},
		{"connect4", "4 4 3", "text"},
	} {
		status, data := s.ask("GET", "/api/export"+place(tc.game, tc.moves, "format", tc.format), nil)
		if status != 200 {
			t.Fatalf("%s %s: %d %s", tc.game, tc.format, status, data)
		}
		body := object{"text": string(data)}
		if tc.format != "sgf" {
			body["game"] = tc.game
		}
		got := get[request.Imported](s, 200, "POST", "/api/import", body)
		if strings.Join(got.Moves, " ") != tc.moves || got.Game != tc.game {
			t.Errorf("%s as %s: %s %v, want %s", tc.game, tc.format, got.Game, got.Moves, tc.moves)
		}
	}
	for _, bad := range []string{"", "(;", "(;GM[4]SZ[15];B[zz])", "Piskvorky 20x20\nx", "h8 h8"} {
		if status, data := s.ask("POST", "/api/import", object{"text": bad, "game": "gomoku"}); status != 422 {
			t.Errorf("import %q = %d %s", bad, status, data)
		}
	}
}

// TestLinksToPositions reads links to a position and to a game.
func TestLinksToPositions(t *testing.T) {
	s := newSite(t)
	got := get[request.Imported](s, 200, "POST", "/api/import", object{"text": "https://krow.example/analyze?game=gomoku:9&moves=e5+d4"})
	if got.Game != "gomoku:9" || strings.Join(got.Moves, " ") != "e5 d4" {
		t.Errorf("a position: %+v", got)
	}
	g := get[api.Game](s, 200, "POST", "/api/games", object{"game": "connect4", "first": "human", "second": "human", "moves": "4 4"})
	got = get[request.Imported](s, 200, "POST", "/api/import", object{"text": s.http.URL + "/play/" + g.ID})
	if got.Game != "connect4" || strings.Join(got.Moves, " ") != "4 4" {
		t.Errorf("a game: %+v", got)
	}
}

func TestSetup(t *testing.T) {
	s := newSite(t)
	type set struct {
		Start string
		Board diagram.Board
	}
	got := get[set](s, 200, "POST", "/api/setup", object{"game": "gomoku", "stones": "h8 i9/h9", "turn": "second"})
	b := get[diagram.Board](s, 200, "GET", "/api/position"+place("gomoku", "a1", "start", got.Start), nil)
	if got.Board.Turn != "second" || b.Turn != "first" || b.Ply != 4 {
		t.Errorf("set up: %s to move, then %s at ply %d", got.Board.Turn, b.Turn, b.Ply)
	}
	g := get[api.Game](s, 200, "POST", "/api/games", object{"game": "gomoku", "start": got.Start, "first": "human", "second": "human"})
	g = get[api.Game](s, 200, "POST", "/api/games/"+g.ID+"/moves", object{"move": "a1", "ply": 0})
	if g.Plies != 1 || g.Board.Ply != 4 {
		t.Errorf("a game from there: %d moves, ply %d", g.Plies, g.Board.Ply)
	}
}

// TestLab holds alpha-beta to minimax: the same value and a smaller tree, whose cuts add up.
func TestLab(t *testing.T) {
	s := newSite(t)
	for _, moves := range []string{"", "b2 a1", "b2 a1 c3"} {
		full := get[analysis.Tree](s, 200, "GET", "/api/lab"+place("tictactoe", moves, "search", "minimax", "depth", "5", "limit", "20000"), nil)
		cut := get[analysis.Tree](s, 200, "GET", "/api/lab"+place("tictactoe", moves, "search", "alphabeta", "depth", "5", "limit", "20000"), nil)
		if !full.Complete || !cut.Complete || full.Nodes[0].Value != cut.Nodes[0].Value || cut.Visited >= full.Visited || full.Cuts != 0 || cut.Cuts == 0 {
			t.Errorf("after %q: minimax %d nodes, value %v; alpha-beta %d nodes, %d cuts, value %v", moves, full.Visited, full.Nodes[0].Value, cut.Visited, cut.Cuts, cut.Nodes[0].Value)
		}
		for i, n := range full.Nodes {
			if i > 0 && (n.Parent >= i || full.Nodes[n.Parent].Left < n.Left) {
				t.Fatalf("node %d hangs wrong: %+v", i, n)
			}
		}
	}
	few := get[analysis.Tree](s, 200, "GET", "/api/lab"+place("tictactoe", "", "depth", "9", "limit", "100"), nil)
	if few.Complete || len(few.Nodes) != 100 {
		t.Errorf("with a limit of 100: %d nodes, complete %t", len(few.Nodes), few.Complete)
	}
}

func TestReview(t *testing.T) {
	s := newSite(t)
	plies := []int{}
	blunder, levels := 0.0, false
	// c1 lets the second side win at once.
	s.stream("/api/review"+place("tictactoe", "a1 b2 a3 a2 c1 c2", "player", "minimax:depth=9", "millis", "5000"), func(e event) bool {
		if e.name == "judgement" {
			var j analysis.Judgement
			if err := json.Unmarshal(e.data, &j); err != nil {
				t.Fatal(err)
			}
			plies = append(plies, j.Ply)
			if j.Ply == 4 {
				blunder = j.Loss
			}
		}
		levels = levels || e.name == "levels"
		return false
	})
	if !levels {
		t.Error("the levels are not estimated")
	}
	if !slices.Equal(plies, []int{6, 5, 4, 3, 2, 1, 0}) || blunder != 0.5 {
		t.Errorf("positions %v; move 5 loses %v, want 0.5", plies, blunder)
	}
}

// TestMatch plays a match of three players to its end, and asks for it again.
func TestMatch(t *testing.T) {
	s := newSite(t)
	spec := object{"game": "tictactoe", "players": []string{"random", "rules", "greedy"}, "games": 4, "plies": 1, "millis": 0, "seed": 3}
	m := get[api.MatchView](s, 200, "POST", "/api/matches", spec)
	path := "/api/matches/" + itoa(m.ID)
	s.stream(path+"/events", func(e event) bool {
		if e.name == "match" {
			if err := json.Unmarshal(e.data, &m); err != nil {
				t.Fatal(err)
			}
		}
		return false
	})
	if !m.Done || m.Step != 12 || len(m.Pairs) != 3 || len(m.Ratings) != 3 || len(m.Latest) != 12 || m.Ratings[2].Name != "random" {
		t.Errorf("at the end: %+v", m)
	}
	again := get[api.MatchView](s, 200, "POST", "/api/matches", spec)
	if again.ID != m.ID || again.Step != 12 {
		t.Errorf("asked again: match %d with %d games", again.ID, again.Step)
	}
	get[any](s, 204, "DELETE", path, nil)
	get[any](s, 404, "GET", path, nil)
	for _, bad := range []object{
		{"game": "tictactoe", "players": []string{"random"}, "games": 4, "plies": 0, "millis": 0, "seed": 1},
		{"game": "tictactoe", "players": []string{"random", "random"}, "games": 4, "plies": 0, "millis": 0, "seed": 1},
		{"game": "tictactoe", "players": []string{"random", "human"}, "games": 4, "plies": 0, "millis": 0, "seed": 1},
		{"game": "tictactoe", "players": []string{"random", "program:/bin/sh"}, "games": 4, "plies": 0, "millis": 0, "seed": 1},
		{"game": "chess", "players": []string{"random", "rules"}, "games": 4, "plies": 0, "millis": 0, "seed": 1},
	} {
		if status, data := s.ask("POST", "/api/matches", bad); status != 422 {
			t.Errorf("%v = %d %s", bad, status, data)
		}
	}
}

// TestMatchGoesOn stops the server in a match: asked for again, it goes on with the next game.
func TestMatchGoesOn(t *testing.T) {
	s := newSite(t)
	spec := object{"game": "connect4", "players": []string{"random", "mcts:sims=100"}, "games": 6, "plies": 2, "millis": 0, "seed": 3}
	m := get[api.MatchView](s, 200, "POST", "/api/matches", spec)
	events := "/api/matches/" + itoa(m.ID) + "/events"
	played := func(n int) func(e event) bool {
		return func(e event) bool {
			if e.name == "match" {
				if err := json.Unmarshal(e.data, &m); err != nil {
					t.Fatal(err)
				}
			}
			return m.Step >= n
		}
	}
	s.stream(events, played(1))
	s.close()
	s.open()
	get[api.MatchView](s, 200, "POST", "/api/matches", spec)
	s.stream(events, played(6))
	if m.Step != 6 || m.Pairs[0].Games != 6 {
		t.Errorf("after the restart: %+v", m)
	}
}

func TestLearningRun(t *testing.T) {
	s := newSite(t)
	r := get[api.RunView](s, 200, "POST", "/api/runs", object{"learner": "qlearning:episodes=3,depth=1", "game": "mnk:4,4,4", "seed": 1})
	path := "/api/runs/" + itoa(r.ID)
	s.stream(path+"/events", func(e event) bool {
		if e.name == "run" {
			if err := json.Unmarshal(e.data, &r); err != nil {
				t.Fatal(err)
			}
		}
		return false
	})
	if !r.Done || len(r.Curve) != 3 || r.Curve[2].Games == 0 {
		t.Errorf("at the end: %+v", r)
	}
	if status, data := s.ask("GET", path+"/weights", nil); status != 200 || !json.Valid(data) {
		t.Errorf("weights: %d %s", status, data)
	}
	if status, data := s.ask("POST", "/api/runs", object{"learner": "qlearning:weights=x", "game": "mnk:4,4,4", "seed": 1}); status != 422 {
		t.Errorf("a file: %d %s", status, data)
	}
}

func TestStudies(t *testing.T) {
	s := newSite(t)
	list := get[struct{ Experiments []api.ExperimentItem }](s, 200, "GET", "/api/experiments", nil)
	if len(list.Experiments) < 5 {
		t.Errorf("%d studies", len(list.Experiments))
	}
	if r := get[report.Data](s, 200, "GET", "/api/experiments/published", nil); r.Made == "" || len(r.Blocks) == 0 {
		t.Errorf("the report that came with krow: %q, made %q, %d blocks", r.Title, r.Made, len(r.Blocks))
	}
	get[any](s, 404, "GET", "/api/experiments/published?reading=exact", nil)
	get[any](s, 404, "GET", "/api/experiments/nothing", nil)
	w := get[gate.Work](s, 200, "POST", "/api/experiments/heuristics/start?small=true", nil)
	if w.State != "waiting" && w.State != "running" {
		t.Errorf("begun: %+v", w)
	}
	if w = get[gate.Work](s, 200, "POST", "/api/experiments/heuristics/stop?small=true", nil); w.State != "stopped" {
		t.Errorf("stopped: %+v", w)
	}
	s.stream("/api/experiments/heuristics/events?small=true", func(e event) bool { return false })
}

func itoa(id int64) string { data, _ := json.Marshal(id); return string(data) }
