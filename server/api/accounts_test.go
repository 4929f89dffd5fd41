// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/krow-lab/krow/server/club"
)

// login begins a new session of a member, which has proved nothing yet.
func (s *clubSite) login(name string) {
	s.t.Helper()
	c := club.New(s.db, club.Options{Cheap: true})
	var err error
	if _, s.tokens[name], err = c.Login(s.t.Context(), name, password, "", club.Browser{}); err != nil {
		s.t.Fatal(err)
	}
}

// numberOf returns the number of a member.
func (s *clubSite) numberOf(name string) int64 {
	s.t.Helper()
	m, err := club.New(s.db, club.Options{Cheap: true}).Find(name)
	if err != nil {
		s.t.Fatal(err)
	}
	return m.ID
}

// TestSessionIsNoProof: a session alone does nothing that cannot be undone. After the password it does.
func TestSessionIsNoProof(t *testing.T) {
	s := newClubSite(t, club.Nobody)
	bob := fmt.Sprintf("/api/members/%d", s.numberOf("bob"))
	tests := []struct {
		name, who, method, path string
		body                    any
		want                    int // after the password
	}{
		{"another name", "bob", "POST", "/api/club/name", object{"name": "BOB"}, 204},
		{"a passkey less", "bob", "DELETE", "/api/club/passkeys/00", nil, 404},
		{"a token of a bot", "bob", "POST", "/api/away/far/token", object{}, 200},
		{"a ban", "otto", "POST", bob + "/ban", object{"reason": "cheats"}, 204},
		{"the end of a ban", "otto", "POST", bob + "/ban", object{"reason": ""}, 204},
		{"a role", "ann", "POST", bob + "/role", object{"role": "organiser"}, 204},
		{"a link for a password", "ann", "POST", bob + "/link", nil, 200},
		{"an invitation of an owner", "ann", "POST", "/api/invitations", object{"role": "owner"}, 200},
		{"removing", "ann", "DELETE", bob, nil, 204},
		{"leaving", "cyd", "POST", "/api/club/leave", object{"name": "cyd"}, 204},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			s.login(tc.who)
			if got, data := s.answered(tc.who, tc.method, tc.path, tc.body); got != 401 || !strings.Contains(data, `"log-in-again"`) {
				t.Errorf("by a session alone: %d %s", got, data)
			}
			if got, data := s.answered(tc.who, "POST", "/api/club/prove", object{"password": password}); got != 204 {
				t.Errorf("the password proves nothing: %d %s", got, data)
			}
			if got, data := s.answered(tc.who, tc.method, tc.path, tc.body); got != tc.want {
				t.Errorf("after the password: %d %s, want %d", got, data, tc.want)
			}
		})
	}
	if got, data := s.answered("otto", "POST", "/api/club/prove", object{"password": "battery staple"}); got != 401 {
		t.Errorf("a wrong password proves: %d %s", got, data)
	}
	if got, data := s.answered("otto", "POST", "/api/invitations", object{"role": "member"}); got != 200 {
		t.Errorf("an invitation of a member: %d %s", got, data)
	}
}

// TestBanEndsAwayBot: the program of a banned member's bot is disconnected at once, and its token no longer holds.
func TestBanEndsAwayBot(t *testing.T) {
	s := newClubSite(t, club.Nobody)
	_, data := s.answered("bob", "POST", "/api/away/far/token", object{})
	var made struct{ Token string }
	if err := json.Unmarshal([]byte(data), &made); err != nil || made.Token == "" {
		t.Fatalf("%s, %v", data, err)
	}
	ask := func() (status int) {
		q, err := http.NewRequest("POST", s.http.URL+"/api/away/next", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Krow-Bot", made.Token)
		q.Header.Set("Content-Type", "application/json")
		a, err := s.http.Client().Do(q)
		if err != nil {
			t.Error(err)
			return 0
		}
		a.Body.Close()
		return a.StatusCode
	}
	ended := make(chan int, 1)
	go func() { ended <- ask() }()
	for _, data := s.answered("bob", "GET", "/api/away", nil); !strings.Contains(data, `"connected":true`); _, data = s.answered("bob", "GET", "/api/away", nil) {
		select {
		case status := <-ended:
			t.Fatalf("the bot's request ended with %d", status)
		default:
		}
	}
	if got, data := s.answered("otto", "POST", fmt.Sprintf("/api/members/%d/ban", s.numberOf("bob")), object{"reason": "cheats"}); got != 204 {
		t.Fatalf("ban: %d %s", got, data)
	}
	if status := <-ended; status != 401 {
		t.Errorf("the bot's request ended with %d, want 401", status)
	}
	if status := ask(); status != 401 {
		t.Errorf("the bot of a banned member asks again: %d, want 401", status)
	}
}

// TestMemberCannotHideDeeds: what a member does to the own account does not push deeds of organisers off the list, and deeds are
// in the log of the process, with the address.
func TestMemberCannotHideDeeds(t *testing.T) {
	s := newClubSite(t, club.Nobody)
	if got, data := s.answered("otto", "POST", fmt.Sprintf("/api/members/%d/ban", s.numberOf("bob")), object{"reason": "cheats"}); got != 204 {
		t.Fatalf("ban: %d %s", got, data)
	}
	for i := range 210 {
		s.answered("cyd", "POST", "/api/club/name", object{"name": fmt.Sprint("cyd", i)})
	}
	_, list := s.answered("otto", "GET", "/api/audit", nil)
	if !strings.Contains(list, "bob cheats") || !strings.Contains(list, `"address":"192.0.2.1"`) || strings.Contains(list, `"rename"`) {
		t.Errorf("the deeds: %s", list)
	}
	if _, own := s.answered("otto", "GET", "/api/audit?own=true", nil); strings.Count(own, `"rename"`) != 5 || strings.Contains(own, "cheats") {
		t.Errorf("members' own doings: %s", own)
	}
	if text := s.log.String(); !strings.Contains(text, "action=ban by=otto") || !strings.Contains(text, "from=192.0.2.1") {
		t.Error("the ban is not in the log of the process")
	}
}

// TestOrganiserCannotTakeBackOwnersLinks: an organiser takes back own links, and none that an owner made.
func TestOrganiserCannotTakeBackOwnersLinks(t *testing.T) {
	s := newClubSite(t, club.Nobody)
	for _, tc := range []struct {
		maker string
		want  int
	}{{"ann", 403}, {"otto", 204}} {
		if got, data := s.answered(tc.maker, "POST", "/api/invitations", object{"role": "member", "note": tc.maker}); got != 200 {
			t.Fatalf("%d %s", got, data)
		}
		_, data := s.answered("otto", "GET", "/api/invitations", nil)
		var list []struct{ ID, Note string }
		if err := json.Unmarshal([]byte(data), &list); err != nil {
			t.Fatal(err)
		}
		for _, l := range list {
			if l.Note != tc.maker {
				continue
			}
			if got, data := s.answered("otto", "DELETE", "/api/invitations/"+l.ID, nil); got != tc.want {
				t.Errorf("%s: %d %s, want %d", tc.maker, got, data, tc.want)
			}
		}
	}
}
