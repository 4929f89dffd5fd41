// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/krow-lab/krow/server/api"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/store"
	"github.com/krow-lab/krow/server/store/storetest"
)

// behindProxy lets tests come from any address: the test itself is the proxy.
func behindProxy(o *api.Options) { o.Proxy = netip.MustParseAddr("127.0.0.1") }

// clubSite is a server with members: ann is its owner, otto an organiser, and bob and cyd are members.
type clubSite struct {
	*site
	tokens map[string]string // of sessions, by name
	log    *logged
}

// logged is what a server wrote to its log.
type logged struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

const password = "correct horse battery"

func newClubSite(t testing.TB, guests club.Role, more ...func(*api.Options)) *clubSite {
	t.Helper()
	s := &clubSite{site: &site{t: t, file: storetest.File(t)}, log: &logged{}}
	s.openClub(guests, more...)
	t.Cleanup(s.close)
	return s
}

// openClub opens the site as a club, and lets its members in.
func (s *clubSite) openClub(guests club.Role, more ...func(*api.Options)) {
	t := s.t
	s.tokens = map[string]string{}
	s.open(append([]func(*api.Options){behindProxy, func(o *api.Options) {
		o.Club, o.Guests, o.People, o.Log = true, guests, club.Options{Cheap: true}, slog.New(slog.NewTextHandler(s.log, nil))
	}}, more...)...)
	c := club.New(s.db, club.Options{Cheap: true})
	if err := c.First("ann", password); err != nil {
		t.Fatal(err)
	}
	for _, m := range []struct {
		name string
		role club.Role
	}{{"otto", club.Organiser}, {"bob", club.Member}, {"cyd", club.Member}} {
		link, err := c.Add(club.Alone, m.name, m.role)
		if err != nil {
			t.Fatal(err)
		}
		if _, s.tokens[m.name], err = c.Join(link, "", password, club.Browser{}); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	if _, s.tokens["ann"], err = c.Login(t.Context(), "ANN", password, "", club.Browser{}); err != nil {
		t.Fatal(err)
	}
	for name := range s.tokens {
		if got, data := s.answered(name, "POST", "/api/club/prove", object{"password": password}); got != 204 {
			t.Fatalf("%s proves nothing: %d %s", name, got, data)
		}
	}
}

// as asks as a member, or as a visitor where name is "" or "guest", and returns the answer.
func (s *clubSite) as(name, method, path string, body any) *http.Response {
	s.t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		s.t.Fatal(err)
	}
	if body == nil {
		data = nil
	}
	q, err := http.NewRequest(method, s.http.URL+path, bytes.NewReader(data))
	if err != nil {
		s.t.Fatal(err)
	}
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("X-Forwarded-For", "192.0.2.1")
	if token := s.tokens[name]; token != "" {
		q.AddCookie(&http.Cookie{Name: "krow-session", Value: token})
	}
	if strings.HasPrefix(name, "guest") {
		q.AddCookie(&http.Cookie{Name: "krow", Value: name})
	}
	a, err := s.http.Client().Do(q)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { a.Body.Close() })
	return a
}

// answered is as with the status and the body.
func (s *clubSite) answered(name, method, path string, body any) (int, string) {
	s.t.Helper()
	a := s.as(name, method, path, body)
	data, err := io.ReadAll(a.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	a.Body.Close()
	return a.StatusCode, string(data)
}

// operation is one of the interface as its description has it.
type operation struct {
	method, path, id, least, summary string
}

func operations(s *site) (all []operation) {
	data, err := s.web.OpenAPI()
	if err != nil {
		s.t.Fatal(err)
	}
	var api struct {
		Paths map[string]map[string]struct {
			OperationID string
			Summary     string
			Least       string `json:"x-least-role"`
		}
	}
	if err := json.Unmarshal(data, &api); err != nil {
		s.t.Fatal(err)
	}
	for path, methods := range api.Paths {
		for method, o := range methods {
			all = append(all, operation{strings.ToUpper(method), path, o.OperationID, o.Least, o.Summary})
		}
	}
	slices.SortFunc(all, func(a, b operation) int { return strings.Compare(a.path+a.method, b.path+b.method) })
	return all
}

// callers are somebody of each role, with what visitors may do.
var callers = []struct {
	name string
	role club.Role
}{{"", club.Nobody}, {"", club.Watcher}, {"guest", club.Guest}, {"bob", club.Member}, {"otto", club.Organiser}, {"ann", club.Owner}}

// TestRolesOfOperations calls each operation of the interface as somebody of each role. Whoever has less than its least role is
// refused before anything is read; the others are answered, if only that there is no such thing.
func TestRolesOfOperations(t *testing.T) {
	sites := map[club.Role]*clubSite{}
	for _, role := range []club.Role{club.Nobody, club.Watcher, club.Guest} {
		sites[role] = newClubSite(t, role)
	}
	all := operations(sites[club.Nobody].site)
	if len(all) < 80 {
		t.Fatalf("only %d operations", len(all))
	}
	for _, o := range all {
		least, ok := club.ParseRole(o.least)
		if !ok {
			t.Errorf("%s %s does not say who may call it", o.method, o.path)
			continue
		}
		path := strings.NewReplacer("{id}", "999999", "{name}", "nobody", "{step}", "1").Replace(o.path)
		for _, who := range callers {
			s := sites[who.role]
			if s == nil {
				s = sites[club.Nobody]
			}
			if o.id == "logout" && who.role >= least {
				continue // it would work
			}
			a := s.as(who.name, o.method, path, nil)
			a.Body.Close()
			refused := a.StatusCode == http.StatusUnauthorized || a.StatusCode == http.StatusForbidden
			if want := who.role < least; refused != want {
				t.Errorf("%s %s as %s: status %d, refused %t, want %t", o.method, path, who.role, a.StatusCode, refused, want)
			}
		}
	}
}

// noPage says who needs the operations that the page does not.
var noPage = map[string]string{"bot-question": "program"}

// pageSource returns the sources of the page, without what is generated.
func pageSource(t *testing.T) string {
	var all strings.Builder
	err := filepath.WalkDir("../../page/src", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == filepath.FromSlash("../../page/src/lib/api.gen.ts") {
			return err
		}
		data, err := os.ReadFile(name)
		all.Write(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// TestRightsPage compares the table of all operations by role with docs/reference/rights.md.
func TestRightsPage(t *testing.T) {
	var b strings.Builder
	b.WriteString(`# Who may call what

Each operation of the [interface](../../page/openapi.json) names the lowest role that may call it. On a server without members
everybody is an owner. An operation on a game or run also checks who owns the game or run. Only this person, or an owner of the
server, may continue it. Organisers may stop and delete it, unless it is private. For all others a private game or run does not
exist. TestRightsOfThings lists how the server answers the owner and other people in each of these cases. ` + "`UPDATE=1 go test\n./server/api -run TestRights`" + ` writes this page from the operations.

The last column names the user of the operation: the page, or a program such as ` + "`krow bot connect`" + `.

| method | path | what it does | least role | needed by |
|---|---|---|---|---|
`)
	source := pageSource(t)
	for _, o := range operations(newSite(t)) {
		need := cmp.Or(noPage[o.id], "page")
		for _, part := range strings.Split(strings.TrimPrefix(o.path, "/api/"), "/") {
			if need == "page" && part[0] != '{' && !strings.Contains(source, "/"+part) {
				t.Errorf("nothing in page/src asks for %s %s: who needs it?", o.method, o.path)
			}
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s |\n", o.method, o.path, o.summary, o.least, need)
	}
	const name = "../../docs/reference/rights.md"
	if update {
		if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil || b.String() != string(want) {
		t.Errorf("the operations differ from %s (%v): UPDATE=1 go test rewrites it", name, err)
	}
}

// TestOthersThings does with a game and a match of one's own, and of somebody else, what can be done with them.
func TestOthersThings(t *testing.T) {
	s := newClubSite(t, club.Guest)
	begin := func(name string) api.Game {
		_, data := s.answered(name, "POST", "/api/games", object{"game": "tictactoe", "first": "human", "second": "human"})
		var g api.Game
		if err := json.Unmarshal([]byte(data), &g); err != nil || g.ID == "" {
			t.Fatalf("%s began %s, %v", name, data, err)
		}
		return g
	}
	tests := []struct {
		who, whose       string
		look, move, away int
	}{
		{"bob", "bob", 200, 200, 204},
		{"cyd", "bob", 200, 403, 403},
		{"otto", "bob", 200, 403, 204},
		{"ann", "bob", 200, 200, 204},
		{"guest", "bob", 200, 403, 403},
		{"guest1", "guest1", 200, 200, 204},
		{"guest2", "guest1", 200, 403, 403},
		{"", "guest1", 200, 403, 403},
		{"bob", "guest1", 200, 403, 403},
	}
	for _, tc := range tests {
		t.Run(tc.who+" with that of "+tc.whose, func(t *testing.T) {
			g := begin(tc.whose)
			if got, data := s.answered(tc.who, "GET", "/api/games/"+g.ID, nil); got != tc.look {
				t.Errorf("look: %d %s, want %d", got, data, tc.look)
			}
			if got, data := s.answered(tc.who, "POST", "/api/games/"+g.ID+"/moves", object{"move": "b2", "ply": 0}); got != tc.move {
				t.Errorf("move: %d %s, want %d", got, data, tc.move)
			}
			if tc.move == 403 {
				for _, do := range []string{"takeback", "resign", "flag"} {
					if got, data := s.answered(tc.who, "POST", "/api/games/"+g.ID+"/act", object{"do": do, "ply": 0}); got != 403 {
						t.Errorf("%s: %d %s, want 403", do, got, data)
					}
				}
			}
			_, list := s.answered(tc.who, "GET", "/api/games", nil)
			if listed := strings.Contains(list, g.ID); listed != (tc.who == tc.whose) {
				t.Errorf("listed: %t in %s", listed, list)
			}
			if got, data := s.answered(tc.who, "DELETE", "/api/games/"+g.ID, nil); got != tc.away {
				t.Errorf("delete: %d %s, want %d", got, data, tc.away)
			}
		})
	}

	match := object{"game": "tictactoe", "players": []string{"random", "rules"}, "games": 2, "plies": 0, "millis": 0, "seed": 5}
	_, data := s.answered("bob", "POST", "/api/matches", match)
	var m api.MatchView
	if err := json.Unmarshal([]byte(data), &m); err != nil || m.ID == 0 {
		t.Fatalf("a match: %s, %v", data, err)
	}
	path := fmt.Sprintf("/api/matches/%d", m.ID)
	for _, tc := range []struct {
		who          string
		method, path string
		want         int
	}{
		{"cyd", "GET", path, 200},
		{"cyd", "POST", path + "/stop", 403},
		{"cyd", "DELETE", path, 403},
		{"guest", "DELETE", path, 401},
		{"bob", "POST", path + "/stop", 200},
		{"bob", "DELETE", path, 204},
	} {
		if got, data := s.answered(tc.who, tc.method, tc.path, nil); got != tc.want {
			t.Errorf("%s: %s %s = %d %s, want %d", tc.who, tc.method, tc.path, got, data, tc.want)
		}
	}

	if got, data := s.answered("bob", "POST", "/api/bots/fork", object{"source": "def move(p):\n  return p.moves()[0]\n"}); got != 200 {
		t.Fatalf("a bot: %d %s", got, data)
	}
	for who, want := range map[string]int{"bob": 200, "cyd": 404, "otto": 404} {
		if got, data := s.answered(who, "GET", "/api/bots/fork/source", nil); got != want {
			t.Errorf("the source as %s: %d %s, want %d", who, got, data, want)
		}
	}
}

// session returns the token that an answer sets, and the whole cookie.
func sessionOf(a *http.Response) (token, cookie string) {
	for _, c := range a.Cookies() {
		if c.Name == "krow-session" {
			return c.Value, a.Header.Get("Set-Cookie")
		}
	}
	return "", ""
}

// TestSessions: login, a token of somebody's choice, end of sessions, and what a cookie says.
func TestSessions(t *testing.T) {
	s := newClubSite(t, club.Nobody)
	s.tokens["mallory"] = "chosen"
	a := s.as("mallory", "POST", "/api/club/login", object{"name": "bob", "password": password})
	token, cookie := sessionOf(a)
	if a.StatusCode != 200 || len(token) < 40 || token == "chosen" {
		t.Fatalf("login: %d %q", a.StatusCode, token)
	}
	for _, want := range []string{"HttpOnly", "SameSite=Lax", "Path=/"} {
		if !strings.Contains(cookie, want) {
			t.Errorf("the cookie %q is not %s", cookie, want)
		}
	}
	if strings.Contains(cookie, "Secure") {
		t.Errorf("Secure without TLS: %q", cookie)
	}
	if got, data := s.answered("mallory", "GET", "/api/members", nil); got != 401 {
		t.Errorf("a chosen token: %d %s", got, data)
	}
	// Whoever logs in again in a browser gets another token, and the old one is worth nothing.
	s.tokens["bob2"] = token
	again, _ := sessionOf(s.as("bob2", "POST", "/api/club/login", object{"name": "bob", "password": password}))
	if again == "" || again == token {
		t.Fatalf("the second token is %q", again)
	}
	if got, _ := s.answered("bob2", "GET", "/api/members", nil); got != 401 {
		t.Errorf("the token of before: %d", got)
	}
	s.tokens["bob2"] = again
	if got, data := s.answered("bob2", "DELETE", "/api/club/sessions/others", nil); got != 204 {
		t.Errorf("end the others: %d %s", got, data)
	}
	for who, want := range map[string]int{"bob": 401, "bob2": 200, "cyd": 200} {
		if got, _ := s.answered(who, "GET", "/api/club/sessions", nil); got != want {
			t.Errorf("%s after that: %d, want %d", who, got, want)
		}
	}
	// A session of somebody else cannot be ended.
	var list []store.Session
	_, data := s.answered("cyd", "GET", "/api/club/sessions", nil)
	if err := json.Unmarshal([]byte(data), &list); err != nil || len(list) != 1 || !list[0].This {
		t.Fatalf("sessions of cyd: %s, %v", data, err)
	}
	if got, _ := s.answered("bob2", "DELETE", "/api/club/sessions/"+list[0].ID, nil); got != 404 {
		t.Errorf("bob ends a session of cyd: %d", got)
	}
	if got, _ := s.answered("bob2", "POST", "/api/club/logout", nil); got != 200 {
		t.Errorf("logout: %d", got)
	}
	if got, _ := s.answered("bob2", "GET", "/api/members", nil); got != 401 {
		t.Errorf("after logout: %d", got)
	}
}

// TestStreamOfSession: who has opened a stream hears nothing more when the session has ended.
func TestStreamOfSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newPipes(t)
		s := &clubSite{site: &site{t: t, file: storetest.File(t), listener: &l}, log: &logged{}}
		s.openClub(club.Guest)
		defer s.close()
		g := said[api.Game](s, "bob", "POST", "/games", object{"game": "tictactoe", "first": "human", "second": "human"})
		stream := s.as("bob", "GET", "/api/games/"+g.ID+"/events", nil)
		ended := make(chan time.Time, 1)
		go func() {
			_, _ = io.Copy(io.Discard, stream.Body)
			ended <- time.Now()
		}()
		time.Sleep(time.Hour)
		if code, answer := s.answered("bob", "POST", "/api/club/logout", nil); code != http.StatusOK {
			t.Fatalf("%d %s", code, answer)
		}
		start := time.Now()
		if took := (<-ended).Sub(start); took < 0 || took > time.Minute {
			t.Errorf("the stream ended after %v", took)
		}
	})
}

// TestLogin: a wrong name and a wrong password are answered alike, guesses are throttled and logged, and members of other
// addresses go on meanwhile.
func TestLogin(t *testing.T) {
	s := newClubSite(t, club.Nobody)
	login := func(name, password string) (int, string) {
		return s.answered("", "POST", "/api/club/login", object{"name": name, "password": password})
	}
	_, wrongName := login("nobody", password)
	_, wrongPassword := login("bob", "wrong")
	if wrongName != wrongPassword || !strings.Contains(wrongName, "wrong-password") {
		t.Errorf("a wrong name is answered %s, a wrong password %s", wrongName, wrongPassword)
	}
	n := 2
	for ; n < 100; n++ {
		if status, data := login(fmt.Sprintf("name%d", n), "wrong"); status == 429 {
			break
		} else if status != 401 {
			t.Fatalf("guess %d: %d %s", n, status, data)
		}
	}
	if n < 30 || n > 45 { // a class of thirty logs in at once
		t.Errorf("%d guesses of one address", n)
	}
	if text := s.log.String(); !strings.Contains(text, "login failed") || !strings.Contains(text, "login throttled") || strings.Contains(text, password) {
		t.Errorf("the log: %s", text)
	}
	if got, _ := s.answered("bob", "GET", "/api/members", nil); got != 200 {
		t.Errorf("bob, who is logged in at that address: %d", got)
	}
}

// TestKnownBrowser: while somebody guesses at a name from many addresses, its owner logs in where they have logged in before.
func TestKnownBrowser(t *testing.T) {
	s := newClubSite(t, club.Nobody)
	login := func(browser, from, password string) int {
		return s.from(browser, from, "POST", "/api/club/login", object{"name": "bob", "password": password})
	}
	if got := login("bob's own", "198.51.100.1", password); got != 200 {
		t.Fatalf("the first login: %d", got)
	}
	for i := range 12 {
		login("", fmt.Sprintf("203.0.113.%d", i), "wrong")
	}
	tests := []struct {
		name, browser, from, password string
		want                          int
	}{
		{"another browser, another address", "new", "198.51.100.2", password, 429},
		{"another browser, bob's address", "new", "198.51.100.1", password, 429},
		{"bob's browser, another address", "bob's own", "198.51.100.3", password, 200},
		{"bob's browser, a wrong password", "bob's own", "198.51.100.3", "wrong", 401},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if got := login(tc.browser, tc.from, tc.password); got != tc.want {
				t.Errorf("login: %d, want %d", got, tc.want)
			}
		})
	}
	n := 0
	for ; n < 20 && login("bob's own", "198.51.100.4", "wrong") == 401; n++ {
	}
	if n > 10 {
		t.Errorf("%d guesses in bob's own browser", n)
	}
}

// from asks as a visitor with a browser's name from an address, and returns the status.
func (s *clubSite) from(browser, address, method, path string, body any) int {
	s.t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		s.t.Fatal(err)
	}
	q, err := http.NewRequest(method, s.http.URL+path, bytes.NewReader(data))
	if err != nil {
		s.t.Fatal(err)
	}
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("X-Forwarded-For", address)
	if browser != "" {
		q.AddCookie(&http.Cookie{Name: "krow", Value: strings.ReplaceAll(browser, " ", "-")})
	}
	a, err := s.http.Client().Do(q)
	if err != nil {
		s.t.Fatal(err)
	}
	a.Body.Close()
	return a.StatusCode
}

// TestInvite: an organiser invites, somebody joins once, and cannot be more than the link says.
func TestInvite(t *testing.T) {
	s := newClubSite(t, club.Nobody)
	if got, data := s.answered("otto", "POST", "/api/invitations", object{"role": "owner"}); got != 403 {
		t.Errorf("an organiser invites an owner: %d %s", got, data)
	}
	_, data := s.answered("otto", "POST", "/api/invitations", object{"role": "member", "note": "for Dora"})
	var link api.LinkSecret
	if err := json.Unmarshal([]byte(data), &link); err != nil || len(link.Link) < 40 {
		t.Fatalf("%s, %v", data, err)
	}
	if _, data := s.answered("otto", "GET", "/api/invitations", nil); strings.Contains(data, link.Link) || !strings.Contains(data, "for Dora") {
		t.Errorf("the list: %s", data)
	}
	join := func(name, password string) (int, string) {
		return s.answered("", "POST", "/api/club/join", object{"link": link.Link, "name": name, "password": password})
	}
	for _, tc := range []struct{ name, password, code string }{
		{"dora", "short", "weak-password"},
		{"dora", "aaaaaaaaaaaa", "weak-password"},
		{"dora", "dora-dora-dora", "weak-password"},
		{"d  ora", password, "bad-name"},
		{"dоra", password, "bad-name"}, // with a Cyrillic letter
		{"Bob", password, "taken"},
		{"", password, "bad-name"},
	} {
		if got, data := join(tc.name, tc.password); got != 422 || !strings.Contains(data, `"`+tc.code+`"`) {
			t.Errorf("%q with %q: %d %s, want %s", tc.name, tc.password, got, data, tc.code)
		}
	}
	if got, data := join("Dora", password); got != 200 || !strings.Contains(data, `"role":"member"`) {
		t.Fatalf("join: %d %s", got, data)
	}
	if got, data := join("Emma", password); got != 404 || !strings.Contains(data, "no-link") {
		t.Errorf("the link again: %d %s", got, data)
	}
	if _, data := s.answered("otto", "GET", "/api/audit", nil); !strings.Contains(data, "for Dora") || !strings.Contains(data, `"join"`) {
		t.Errorf("the audit log: %s", data)
	}
}

// TestNoNames: nobody from outside finds out who is a member, or whether a link would do for another name.
func TestNoNames(t *testing.T) {
	s := newClubSite(t, club.Watcher)
	bad := strings.Repeat("x", 43)
	for _, path := range []string{"/api/club/join", "/api/club/join/passkey/begin"} {
		var answers []string
		for _, name := range []string{"bob", "nobody", "an  n"} {
			body := object{"link": bad, "name": name}
			if path == "/api/club/join" {
				body["password"] = password
			}
			status, data := s.answered("", "POST", path, body)
			answers = append(answers, fmt.Sprint(status, data))
		}
		if answers[0] != answers[1] || answers[0] != answers[2] || !strings.Contains(answers[0], "no-link") {
			t.Errorf("%s: %q", path, answers)
		}
	}
	for _, o := range []struct{ method, path string }{
		{"GET", "/api/members"}, {"GET", "/api/people/1"}, {"GET", "/api/people/99"}, {"POST", "/api/members/2/link"}, {"GET", "/api/invitations"}, {"GET", "/api/audit"},
	} {
		if got, data := s.answered("", o.method, o.path, nil); got != 401 || strings.Contains(data, "bob") {
			t.Errorf("%s %s: %d %s", o.method, o.path, got, data)
		}
	}
}

// TestOtherSites calls each operation with a member's session as the browser does for another site: by its page, a form, a
// frame or a picture.
func TestOtherSites(t *testing.T) {
	s := newClubSite(t, club.Guest)
	for _, o := range operations(s.site) {
		path := strings.NewReplacer("{id}", "1", "{name}", "nobody", "{step}", "1", "{member}", "1").Replace(o.path)
		for _, h := range [][2]string{
			{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Origin", "https://evil.example"}, {"Origin", "null"}, {"Referer", "https://evil.example/krow"},
		} {
			q, err := http.NewRequest(o.method, s.http.URL+path, strings.NewReader("name=bob"))
			if err != nil {
				t.Fatal(err)
			}
			q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			q.Header.Set(h[0], h[1])
			q.AddCookie(&http.Cookie{Name: "krow-session", Value: s.tokens["ann"]})
			a, err := s.http.Client().Do(q)
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(a.Body)
			a.Body.Close()
			if err != nil || a.StatusCode != http.StatusForbidden || !strings.Contains(string(data), `"other-site"`) {
				t.Errorf("%s %s with %s: %d %s, %v", o.method, path, h, a.StatusCode, data, err)
			}
		}
	}
}

// TestStolenSession: who has got hold of a session, but has no password, cannot make the account their own.
func TestStolenSession(t *testing.T) {
	s := newClubSite(t, club.Nobody)
	tests := []struct {
		name, who, path string
		body            any
		want            int
	}{
		{"a passkey without the password", "bob", "/api/club/passkeys/begin", object{"password": ""}, 401},
		{"a passkey with a guess", "bob", "/api/club/passkeys/begin", object{"password": "battery staple"}, 401},
		{"a passkey with the password", "bob", "/api/club/passkeys/begin", object{"password": password}, 422}, // none at an address
		{"another password", "cyd", "/api/club/password", object{"old": "", "password": "battery staple"}, 401},
		{"a link for another password", "ann", "/api/members/1/link", nil, 403},
		{"a link for an owner, by an organiser", "otto", "/api/members/1/link", nil, 403},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if got, data := s.answered(tc.who, "POST", tc.path, tc.body); got != tc.want {
				t.Errorf("%d %s, want %d", got, data, tc.want)
			}
		})
	}
	n := 0
	for ; n < 30; n++ {
		if got, _ := s.answered("bob", "POST", "/api/club/passkeys/begin", object{"password": fmt.Sprint("guess ", n)}); got == 429 {
			break
		}
	}
	if n > 10 {
		t.Errorf("%d guesses with a session", n)
	}
}

// TestBanAndRemove: a ban ends sessions, organisers have no say over each other, and the last owner stays.
func TestBanAndRemove(t *testing.T) {
	s := newClubSite(t, club.Nobody)
	var list []store.Member
	_, data := s.answered("ann", "GET", "/api/members", nil)
	if err := json.Unmarshal([]byte(data), &list); err != nil {
		t.Fatal(err)
	}
	path := map[string]string{}
	for _, m := range list {
		path[m.Name] = fmt.Sprintf("/api/members/%d", m.ID)
	}
	for _, tc := range []struct {
		who, method, path string
		body              any
		want              int
	}{
		{"otto", "POST", path["ann"] + "/ban", object{"reason": "x"}, 403},
		{"otto", "POST", path["otto"] + "/link", nil, 403},
		{"otto", "POST", path["bob"] + "/role", object{"role": "owner"}, 403},
		{"ann", "POST", path["ann"] + "/role", object{"role": "member"}, 409},
		{"ann", "POST", "/api/club/leave", object{"name": "ann"}, 409},
		{"otto", "POST", path["bob"] + "/ban", object{"reason": "cheats"}, 204},
		{"bob", "GET", "/api/members", nil, 401},
		{"", "POST", "/api/club/login", object{"name": "bob", "password": password}, 403},
		{"", "POST", "/api/club/login", object{"name": "bob", "password": "no"}, 401},
		{"otto", "POST", path["bob"] + "/ban", object{"reason": ""}, 204},
		{"", "POST", "/api/club/login", object{"name": "bob", "password": password}, 200},
		{"cyd", "POST", "/api/games", object{"game": "tictactoe", "first": "human", "second": "human"}, 200},
		{"cyd", "GET", "/api/club/export", nil, 200},
		{"cyd", "POST", "/api/club/leave", object{"name": "bob"}, 422},
		{"cyd", "POST", "/api/club/leave", object{"name": "cyd"}, 204},
		{"cyd", "GET", "/api/members", nil, 401},
		{"", "POST", "/api/club/login", object{"name": "cyd", "password": password}, 401},
	} {
		if got, data := s.answered(tc.who, tc.method, tc.path, tc.body); got != tc.want {
			t.Errorf("%s: %s %s %v = %d %s, want %d", tc.who, tc.method, tc.path, tc.body, got, data, tc.want)
		}
	}
	if all, err := s.db.Games(store.GameFilter{Count: 10}); err != nil || len(all) != 0 {
		t.Errorf("of a member who left: %v, %v", all, err)
	}
	if _, data := s.answered("ann", "GET", "/api/audit", nil); strings.Contains(data, "cyd") {
		t.Errorf("the audit log still names a member who left: %s", data)
	}
}
