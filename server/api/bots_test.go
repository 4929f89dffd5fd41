// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/krow-lab/krow/server/api"
)

const firstMove = "def choose(position, clock):\n    return position.moves()[0]\n"

// unread is a body of which nothing may be read.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("the body is read")
	return 0, io.EOF
}

func (unread) Close() error { return nil }

// TestBotsBad: what cannot be kept or played is one line, and leaves nothing.
func TestBotsBad(t *testing.T) {
	s := newSite(t)
	try := func(source, opponent, game string) map[string]any {
		return map[string]any{"name": "b", "source": source, "game": game, "side": "first", "opponent": opponent}
	}
	for _, tc := range []struct {
		name, path string
		body       any
		want       string
	}{
		{"markup", "/bots/%3Cb%3E", map[string]string{"source": firstMove}, "bad-bot: the name of a bot must consist"},
		{"long name", "/bots/" + strings.Repeat("a", 41), map[string]string{"source": firstMove}, "bad-bot: the name of a bot must consist"},
		{"long source", "/bots/b", map[string]string{"source": strings.Repeat("#", 257<<10)}, "bad-bot: a bot in starlark can have at most 256 kB"},
		{"far too long", "/bots/b", map[string]string{"source": strings.Repeat("#", 8<<20)}, "too-large"},
		{"publish nothing", "/bots/b/publish", map[string]int{"version": 1}, "no-bot"},
		{"no game", "/workshop/try", try(firstMove, "rules", "chess"), "bad-game"},
		{"a person", "/workshop/try", try(firstMove, "human", "tictactoe"), "bad-player"},
		{"a file", "/workshop/try", try(firstMove, "bot:/etc/passwd", "tictactoe"), "bad-player"},
		{"no such bot", "/workshop/try", try(firstMove, "bot:none", "tictactoe"), "no-bot"},
		{"no source", "/workshop/try", try("", "rules", "tictactoe"), "no-bot"},
		{"tests of a broken source", "/workshop/test", map[string]string{"name": "b", "source": "x = 1 +"}, "bad-bot"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, answer := s.ask("POST", "/api"+tc.path, tc.body)
			var p api.Problem
			if err := json.Unmarshal(answer, &p); err != nil {
				t.Fatalf("%s: %v", answer, err)
			}
			if got := p.Code + ": " + p.Detail; !strings.HasPrefix(got, tc.want) || strings.Contains(got, "\n") {
				t.Errorf("%s, want %s", got, tc.want)
			}
		})
	}
	for _, body := range []string{"PK\x03\x04", "", "\x00asm\x02\x00\x00\x00"} {
		a, err := http.Post(s.http.URL+"/api/bots/module/module", "application/octet-stream", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		a.Body.Close()
		if a.StatusCode/100 != 4 {
			t.Errorf("the module %q: %s", body, a.Status)
		}
	}
	r := httptest.NewRequest("POST", "http://localhost/api/bots/module/module", unread{t})
	r.ContentLength = 100 << 20
	r.Header.Set("Content-Type", "application/octet-stream")
	w := httptest.NewRecorder()
	s.web.ServeHTTP(w, r)
	if w.Code != http.StatusRequestEntityTooLarge || !strings.Contains(w.Body.String(), `"too-large"`) {
		t.Errorf("a module of 100 MB: %d %s", w.Code, w.Body)
	}
	if _, answer := s.ask("GET", "/api/bots", nil); string(bytes.TrimSpace(answer)) != "[]" {
		t.Errorf("something is stored: %s", answer)
	}
}

// TestPublished: a published bot is among the opponents, and a game keeps its version.
func TestPublished(t *testing.T) {
	s := newSite(t)
	for _, source := range []string{firstMove, strings.Replace(firstMove, "[0]", "[1]", 1)} {
		if status, answer := s.ask("POST", "/api/bots/fork", map[string]string{"source": source}); status != http.StatusOK {
			t.Fatalf("%d %s", status, answer)
		}
	}
	if _, answer := s.ask("GET", "/api/opponents?game=tictactoe", nil); bytes.Contains(answer, []byte("bot:fork")) {
		t.Error("a draft is among the opponents")
	}
	if status, answer := s.ask("POST", "/api/bots/fork/publish", map[string]int{"version": 1}); status != http.StatusOK {
		t.Fatalf("%d %s", status, answer)
	}
	if _, answer := s.ask("GET", "/api/opponents?game=tictactoe", nil); !bytes.Contains(answer, []byte("bot:fork")) {
		t.Errorf("the published bot is not among the opponents: %s", answer)
	}
	g := s.begin("tictactoe", "bot:fork", "random")
	if g.First != "bot:fork,version=1" {
		t.Errorf("the first player is %s, want version 1", g.First)
	}
	s.until(g.ID, func(g api.Game) bool { return g.Outcome != "ongoing" })
	status, answer := s.ask("POST", "/api/workshop/try", map[string]any{"name": "fork", "game": "tictactoe", "side": "second", "opponent": "bot:fork,version=1"})
	lines := strings.Split(strings.TrimSpace(string(answer)), "\n")
	if status != http.StatusOK || len(lines) < 6 || !strings.Contains(lines[len(lines)-1], `"end":{"outcome":"`) || !strings.Contains(lines[1], `"bot":true`) {
		t.Errorf("%d, %d lines: %.300s", status, len(lines), answer)
	}
}
