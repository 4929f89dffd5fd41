// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"database/sql"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/server/api"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/lobby"
	"github.com/krow-lab/krow/server/store/storetest"
)

// insert changes the store behind the server's back.
func (s *site) insert(query string, args ...any) {
	s.t.Helper()
	db, err := sql.Open("sqlite", s.file)
	if err != nil {
		s.t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(query, args...); err != nil {
		s.t.Fatal(err)
	}
}

// memberID returns the number of a member.
func (s *clubSite) memberID(name string) int64 {
	s.t.Helper()
	m, err := club.New(s.db, club.Options{Cheap: true}).Find(name)
	if err != nil {
		s.t.Fatal(err)
	}
	return m.ID
}

var friendly = object{"terms": object{"game": "tictactoe"}}

// refusals asks, as a member who has no room left, for each thing that stays in the store.
func (s *clubSite) refusals(who string, asks map[string]any) {
	s.t.Helper()
	for path, body := range asks {
		if status, data := s.answered(who, "POST", path, body); status != http.StatusTooManyRequests || !strings.Contains(data, "delete") {
			s.t.Errorf("%s: %d %s, want 429", path, status, data)
		}
	}
}

// TestQuotaOfBytes gives a member a bot of 256 MiB, the most that is kept of one. Nothing else is kept then.
func TestQuotaOfBytes(t *testing.T) {
	s := newClubSite(t, club.Nobody)
	offer := said[lobby.Challenge](s, "cyd", "POST", "/challenges", friendly)
	mine := said[lobby.Challenge](s, "bob", "POST", "/challenges", friendly)
	old := said[api.Game](s, "cyd", "POST", "/challenges/"+mine.ID+"/accept", object{})
	said[api.Game](s, "bob", "POST", "/games/"+old.ID+"/act", object{"do": "resign", "ply": 0})
	event := object{"terms": object{"name": "cup", "kind": "round-robin", "terms": object{"game": "tictactoe"}}}
	s.insert("INSERT INTO bot_texts (hash, text) VALUES (x'01', x'')")
	s.insert("INSERT INTO bots (id, name, author, kind, created, updated) VALUES (77, 'huge', $1, 'wasm', 0, 0)", fmt.Sprint(s.memberID("bob")))
	s.insert("INSERT INTO bot_versions (bot, version, hash, size, at) VALUES (77, 1, x'01', $1, 0)", 256<<20)
	s.refusals("bob", map[string]any{
		"/api/games":      object{"game": "tictactoe", "first": "human", "second": "human"},
		"/api/challenges": friendly,
		"/api/challenges/" + offer.ID + "/accept": object{},
		"/api/games/" + old.ID + "/act":           object{"do": "rematch", "ply": 0},
		"/api/tournaments":                        event,
		"/api/puzzles/own":                        object{"game": "tictactoe", "moves": "a1 b1 a2 b2", "line": "a3"},
		"/api/matches":                            object{"game": "tictactoe", "players": []string{"random", "rules"}, "games": 2, "plies": 0, "millis": 0, "seed": 1},
		"/api/runs":                               object{"learner": "spsa", "game": "tictactoe", "seed": 1},
		"/api/bots/small":                         object{"source": "def move(p):\n  return p.moves()[0]\n"},
	})
}

// TestQuotaOfGames gives a member 20,000 games with others, the most that one has.
func TestQuotaOfGames(t *testing.T) {
	s := newClubSite(t, club.Nobody)
	offer := said[lobby.Challenge](s, "cyd", "POST", "/challenges", friendly)
	const id = "01234567-89ab"
	saved := object{"format": "krow site 1", "kept": object{"game/" + id: object{"id": id, "game": "tictactoe", "first": "human", "second": "best", "moves": []string{"b2"}, "outcome": "second wins"}}}
	s.insert(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
		INSERT INTO games SELECT NULL, 'x' || i, NULL, NULL, 'tictactoe', '', 'human', 'human', '', 0, 0, 'draw', '', '', 0, '', 'link', 0, 0, 'tictactoe blitz', 0,
		CASE WHEN i % 2 THEN $1 ELSE 999 END, '', '', CASE WHEN i % 2 THEN 999 ELSE $1 END, '', '', 0, 0, 0, 0, 0, 1 FROM n`, s.memberID("bob"))
	s.refusals("bob", map[string]any{
		"/api/games":      object{"game": "tictactoe", "first": "human", "second": "human"},
		"/api/challenges": friendly,
		"/api/challenges/" + offer.ID + "/accept": object{},
		"/api/saved": saved,
	})
	if status, data := s.answered("cyd", "POST", "/api/saved", saved); status != 200 || !strings.Contains(data, `"games":1`) {
		t.Errorf("a file of another member: %d %s", status, data)
	}
	if status, data := s.answered("cyd", "POST", "/api/games", object{"game": "tictactoe", "first": "human", "second": "human"}); status != 200 {
		t.Errorf("another member: %d %s", status, data)
	}
}

// TestQuotasOfGuests gives one guest 200 games, the most that one has, and then all guests 20,000.
func TestQuotasOfGuests(t *testing.T) {
	s := newClubSite(t, club.Guest)
	begin := func(guest string) int {
		status, _ := s.answered(guest, "POST", "/api/games", object{"game": "tictactoe", "first": "human", "second": "human"})
		return status
	}
	fill := func(n int, guest string) {
		s.insert(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
			INSERT INTO games SELECT NULL, $2 || i, NULL, NULL, game, start, first, second, moves, plies, opening, outcome, reason, extra, 0, CASE WHEN $2 = 'own' THEN guest ELSE $2 END,
			visibility, created, updated, '', 0, 0, '', '', 0, '', '', 0, 0, 0, 0, 0, 0 FROM games, n WHERE guest > '' LIMIT $1`, n, guest)
	}
	if got := begin("guest1"); got != 200 {
		t.Fatalf("the first game: %d", got)
	}
	fill(199, "own")
	if got := begin("guest1"); got != http.StatusTooManyRequests {
		t.Errorf("a guest with 200 games: %d, want 429", got)
	}
	if got := begin("guest2"); got != 200 {
		t.Errorf("another guest: %d, want 200", got)
	}
	fill(20_000, "others")
	if got := begin("guest3"); got != http.StatusServiceUnavailable {
		t.Errorf("guests with 20,000 games: %d, want 503", got)
	}
	if got := begin("bob"); got != 200 {
		t.Errorf("a member: %d, want 200", got)
	}
}

// TestRatesOfVisitors does at one address, without a pause, what has a limit.
func TestRatesOfVisitors(t *testing.T) {
	tests := []struct {
		name, method, path string
		body               any
		most               int
	}{
		{"requests", "GET", "/api/club", nil, 200},
		{"games", "POST", "/api/games", object{"game": "tictactoe", "first": "human", "second": "human"}, 60},
		{"challenges", "POST", "/api/challenges", friendly, 30},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newPipes(t)
				s := &clubSite{site: &site{t: t, file: storetest.File(t), listener: &l}, log: &logged{}}
				s.openClub(club.Guest)
				defer s.close()
				for n := 1; n <= tc.most+1; n++ {
					status, data := s.answered(fmt.Sprint("guest", n/10), tc.method, tc.path, tc.body) // ten of each browser
					if (status == http.StatusTooManyRequests) != (n > tc.most) {
						t.Fatalf("number %d: %d %s", n, status, data)
					}
				}
				if status, data := s.answered("bob", tc.method, tc.path, tc.body); status != 200 {
					t.Errorf("a member at that address: %d %s", status, data)
				}
			})
		})
	}
}

// TestTriesAtPuzzlesAreLimited tries puzzles faster than a person does.
func TestTriesAtPuzzlesAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newPipes(t)
		s := &clubSite{site: &site{t: t, file: storetest.File(t), listener: &l}, log: &logged{}}
		s.openClub(club.Nobody)
		defer s.close()
		p := said[request.PuzzleView](s, "bob", "GET", "/puzzles/today", nil)
		n := 0
		for ; n < 200; n++ {
			status, data := s.answered("bob", "POST", "/api/puzzles/"+p.ID+"/tries", object{"score": 1})
			if status == http.StatusTooManyRequests {
				break
			}
			if status != 200 {
				t.Fatalf("try %d: %d %s", n, status, data)
			}
		}
		if n != 100 {
			t.Errorf("%d tries at once, want 100", n)
		}
		if status, data := s.answered("cyd", "POST", "/api/puzzles/"+p.ID+"/tries", object{"score": 1}); status != 200 {
			t.Errorf("another member: %d %s", status, data)
		}
	})
}

// TestRequestsOfMembersAreLimited asks as a member without a pause.
func TestRequestsOfMembersAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newPipes(t)
		s := &clubSite{site: &site{t: t, file: storetest.File(t), listener: &l}, log: &logged{}}
		s.openClub(club.Nobody)
		defer s.close()
		time.Sleep(time.Minute) // then the requests that opened the club no longer count
		n := 0
		for ; n < 2000; n++ {
			a := s.as("bob", "GET", "/api/club", nil)
			a.Body.Close()
			if a.StatusCode == http.StatusTooManyRequests {
				break
			}
		}
		if n != 1000 {
			t.Errorf("%d requests of a member at once, want 1000", n)
		}
		if status, data := s.answered("cyd", "GET", "/api/club", nil); status != 200 {
			t.Errorf("another member: %d %s", status, data)
		}
	})
}
