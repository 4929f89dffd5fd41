// SPDX-License-Identifier: Apache-2.0

//go:build unix

package cli_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestBotConnect: a program of this machine plays on a server by its token, is waited for after it was killed, and plays a match.
func TestBotConnect(t *testing.T) {
	dir := t.TempDir()
	server, url := serving(t, filepath.Join(dir, "krow.db"))
	post := func(v any, path, body string) {
		t.Helper()
		ask(t, v, func() (*http.Response, error) {
			return http.Post(url+"/api"+path, "application/json", strings.NewReader(body))
		})
	}
	var made struct{ Token string }
	post(&made, "/away/friend/token", "{}")
	file := filepath.Join(dir, "token.txt")
	if err := os.WriteFile(file, []byte(made.Token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	connect := func() *process { return start(t, "bot", "connect", url, "rules", "--token-file", file) }
	type playing struct {
		ID      string
		Moves   []string
		Outcome string
	}
	var g playing
	// until asks for the game until it has so many moves, or is over.
	until := func(plies int) {
		t.Helper()
		for ; len(g.Moves) < plies && g.Outcome == "ongoing"; time.Sleep(10 * time.Millisecond) {
			ask(t, &g, func() (*http.Response, error) { return http.Get(url + "/api/games/" + g.ID) })
		}
	}
	post(&g, "/games", `{"game":"tictactoe","first":"human","second":"bot:friend"}`)
	post(&g, "/games/"+g.ID+"/moves", `{"move":"b2","ply":0}`)
	client := connect()
	until(2)
	if err := client.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	client.end(t)
	free := "a2"
	if g.Moves[1] == free {
		free = "b1"
	}
	post(&g, "/games/"+g.ID+"/moves", fmt.Sprintf(`{"move":"%s","ply":2}`, free))
	client = connect()
	until(4)
	var m struct {
		ID     int64
		Done   bool
		Latest []struct{ Outcome, Reason string }
	}
	post(&m, "/matches", `{"game":"tictactoe","players":["bot:friend","random"],"games":4,"plies":0,"millis":0,"seed":1}`)
	for ; !m.Done; time.Sleep(10 * time.Millisecond) {
		ask(t, &m, func() (*http.Response, error) { return http.Get(fmt.Sprintf("%s/api/matches/%d", url, m.ID)) })
	}
	for _, g := range m.Latest {
		if len(m.Latest) != 4 || g.Reason != "win" && g.Reason != "draw" {
			t.Errorf("the match: %+v", m)
		}
	}
	// Another program with the token takes its place, and a token that is none has no bot.
	second := connect()
	if _, status := client.end(t); status != 1 || !strings.Contains(client.stderr.String(), "another program has connected with this token") {
		t.Errorf("the first program: %d, %s", status, client.stderr.String())
	}
	if err := os.WriteFile(file, []byte("krow-bot-none"), 0o600); err != nil {
		t.Fatal(err)
	}
	stranger := connect()
	if _, status := stranger.end(t); status != 1 || !strings.Contains(stranger.stderr.String(), "has no bot with this token") {
		t.Errorf("a stranger: %d, %s", status, stranger.stderr.String())
	}
	finish(t, second)
	finish(t, server)
}
