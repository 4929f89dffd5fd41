// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/server/api"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/lobby"
	"github.com/krow-lab/krow/server/store"
	"github.com/krow-lab/krow/server/tournament"
)

// askers are those who ask in the matrix. All things are bob's. Visitors may play, and dan's session is one of a banned member.
var askers = []string{"bob", "cyd", "guest", "otto", "dan", ""}

// row says of an operation what each asker gets, in the order of askers: y an answer, n a refusal, - that the thing does not exist.
// The first word is for private things, and for bots that are not published; the second for those by link, the third for public
// ones. One word is for things without a visibility.
type row struct {
	thing, want string
	body        object
	query       string
	uses        bool // an allowed request may use the thing up
}

const (
	ownerChanges  = "y----- ynnnnn ynnnnn"
	looks         = "y----- yyyyyy yyyyyy"
	memberChanges = "y-n-nn ynnnnn ynnnnn"
	memberStops   = "y-n-nn ynnynn ynnynn"
	mineAlone     = "y-n-nn"
	organisers    = "nnnynn"
	everybody     = "yyyyyy"
	owners        = "nnnnnn"
)

// matrix has a row, or several, for each operation with the name of a thing in its path.
var matrix = map[string][]row{
	"game":   {{thing: "solo", want: looks}, {thing: "held", want: looks}},
	"events": {{thing: "solo", want: looks}, {thing: "held", want: looks}},
	"move":   {{thing: "solo", want: ownerChanges, body: object{"move": "a1", "ply": 99}}, {thing: "held", want: ownerChanges, body: object{"move": "a1", "ply": 0}, uses: true}},
	"act": {
		{thing: "solo", want: ownerChanges, body: object{"do": "takeback", "ply": 0}},
		{thing: "solo", want: ownerChanges, body: object{"do": "resign", "ply": 0}, uses: true},
		{thing: "held", want: ownerChanges, body: object{"do": "abort", "ply": 0}, uses: true},
		{thing: "held", want: ownerChanges, body: object{"do": "takeback", "ply": 0}},
		{thing: "held", want: ownerChanges, body: object{"do": "resign", "ply": 0}, uses: true},
		{thing: "solo", want: ownerChanges, body: object{"do": "flag", "ply": 0}},
		{thing: "held", want: looks, body: object{"do": "flag", "ply": 0}},
	},
	"say":            {{thing: "solo", want: "n----- nnnnnn nnnnnn", body: object{"phrase": "hello", "ply": 0}}, {thing: "held", want: ownerChanges, body: object{"phrase": "hello", "ply": 0}, uses: true}},
	"answer-opening": {{thing: "solo", want: ownerChanges, body: object{"answered": 0, "answer": "swap"}}, {thing: "held", want: ownerChanges, body: object{"answered": 0, "answer": "swap"}}},
	"show-game":      {{thing: "solo", want: ownerChanges, body: object{"visibility": "link"}, uses: true}, {thing: "held", want: ownerChanges, body: object{"visibility": "link"}, uses: true}},
	"delete-game":    {{thing: "solo", want: "y----- ynnynn ynnynn", uses: true}, {thing: "held", want: "n----- nnnynn nnnynn"}},

	"match":        {{thing: "match", want: looks}},
	"match-events": {{thing: "match", want: looks}},
	"stop-match":   {{thing: "match", want: memberStops}},
	"delete-match": {{thing: "match", want: memberStops, uses: true}},
	"run":          {{thing: "run", want: looks}},
	"run-events":   {{thing: "run", want: looks}},
	"weights":      {{thing: "run", want: looks}},
	"stop-run":     {{thing: "run", want: memberStops}},
	"delete-run":   {{thing: "run", want: memberStops, uses: true}},
	"show-run":     {{thing: "run", want: memberChanges, body: object{"visibility": "link"}, uses: true}, {thing: "match", want: memberChanges, body: object{"visibility": "link"}, uses: true}},

	"bot":             {{thing: "bot", want: mineAlone}, {thing: "published bot", want: mineAlone}},
	"bot-source":      {{thing: "bot", want: mineAlone}, {thing: "published bot", want: mineAlone}},
	"bot-results":     {{thing: "bot", want: mineAlone}, {thing: "published bot", want: mineAlone}},
	"save-bot":        {{thing: "bot", want: "ynnnnn", body: object{"source": botSource}}},
	"save-module":     {{thing: "bot", want: "yynynn", body: object{}}}, // the body is no module, which is found out first
	"publish-bot":     {{thing: "bot", want: mineAlone, body: object{"version": 1}, uses: true}, {thing: "published bot", want: mineAlone, body: object{"version": 0}, uses: true}},
	"delete-bot":      {{thing: "bot", want: mineAlone, uses: true}, {thing: "published bot", want: mineAlone, uses: true}},
	"bot-token":       {{thing: "away", want: "ynnnnn"}},
	"delete-away-bot": {{thing: "away", want: mineAlone, uses: true}},

	"find-challenge":    {{thing: "challenge", want: everybody}},
	"accept":            {{thing: "challenge", want: "yyyynn", body: object{}, uses: true}, {thing: "challenge to cyd", want: "yynnnn", body: object{}, uses: true}},
	"withdraw":          {{thing: "challenge", want: "ynnnnn", uses: true}, {thing: "challenge to cyd", want: "yynnnn", uses: true}},
	"tournament":        {{thing: "tournament", want: everybody}},
	"join-tournament":   {{thing: "tournament", want: "yyyynn", body: object{"do": "join"}, uses: true}, {thing: "tournament", want: "ynnnnn", body: object{"do": "begin"}}},
	"delete-tournament": {{thing: "tournament", want: "ynnynn", uses: true}},
	"profile":           {{thing: "member", want: "yynynn"}},

	"puzzle":        {{thing: "puzzle", want: "y-----"}},
	"hint":          {{thing: "puzzle", want: "y-----", query: "?step=1"}},
	"answer":        {{thing: "puzzle", want: "y-----", query: "?move=a1"}},
	"tried":         {{thing: "puzzle", want: mineAlone, body: object{"score": 1}}},
	"forget-puzzle": {{thing: "puzzle", want: mineAlone, uses: true}},

	"study":         {{thing: "study", want: everybody}},
	"save-study":    {{thing: "study", want: "ynnnnn", body: object{"name": "mine", "chapters": []object{{"name": "one", "game": "tictactoe", "tree": object{}}}}}},
	"show-board":    {{thing: "study", want: "ynnnnn", body: object{"live": true, "player": 0, "chapter": 0, "game": "tictactoe", "moves": []string{"a1"}, "drawn": []string{}, "by": "page", "version": 0}}},
	"play-on-board": {{thing: "study", want: "nnnnnn", body: object{"moves": []string{"a1"}, "move": "b2"}}}, // its owner does not allow moves
	"study-events":  {{thing: "study", want: everybody}},
	"delete-study":  {{thing: "study", want: "ynnnnn", uses: true}},

	"league":        {{thing: "league", want: everybody}},
	"league-events": {{thing: "league", want: everybody}},
	"league-games":  {{thing: "league", want: everybody}},
	"league-grid":   {{thing: "league", want: everybody}},
	"export-league": {{thing: "league", want: everybody}},
	"join-league":   {{thing: "league", want: organisers, body: object{"name": "", "spec": "rules", "author": ""}, uses: true}},
	"leave-league":  {{thing: "entry", want: "ynnynn", uses: true}},
	"play-league":   {{thing: "league", want: organisers}},
	"stop-league":   {{thing: "league", want: organisers}},
	"delete-league": {{thing: "league", want: organisers, uses: true}},

	"end-session":          {{thing: "session", want: mineAlone, uses: true}},
	"remove-passkey":       {{thing: "passkey", want: mineAlone, uses: true}},
	"take-back-invitation": {{thing: "invitation", want: organisers, uses: true}},
	"ban":                  {{thing: "member", want: organisers, body: object{"reason": "cheats"}}},
	"set-role":             {{thing: "member", want: owners, body: object{"role": "member"}}},
	"password-link":        {{thing: "member", want: owners}},
	"remove-member":        {{thing: "member", want: owners}},

	// These are the server's, not a member's.
	"delete-collection": {{thing: "collection", want: organisers, uses: true}},
	"steer":             {{thing: "nothing", want: "nnn-nn", body: object{}}},
	"report":            {{thing: "nothing", want: "------"}},
	"experiment-events": {{thing: "nothing", want: everybody}},
	"start-experiment":  {{thing: "nothing", want: "nnn-nn", body: object{}}},
	"stop-experiment":   {{thing: "nothing", want: "nnn-nn"}},
}

// things makes things of bob's.
type things struct {
	*clubSite
	n   int   // things made
	dan int64 // the banned member
}

// newThings opens a site that has a banned member, too.
func newThings(t *testing.T) *things {
	s := &things{clubSite: newClubSite(t, club.Guest)}
	c := club.New(s.db, club.Options{Cheap: true})
	link, err := c.Add(club.Alone, "dan", club.Member)
	if err == nil {
		_, s.tokens["dan"], err = c.Join(link, "", password, club.Browser{})
	}
	if err != nil {
		t.Fatal(err)
	}
	if s.dan = s.member("dan"); c.Ban(club.Alone, s.dan, "cheats") != nil {
		t.Fatal("dan is not banned")
	}
	return s
}

// member returns the number of a member.
func (s *things) member(name string) int64 {
	return said[api.Me](s.clubSite, name, "GET", "/club", nil).Member
}

// make makes a thing and returns what stands in paths for it.
func (s *things) make(kind, visibility string) map[string]string {
	s.t.Helper()
	s.n++
	id, name := "", fmt.Sprint("thing", s.n)
	show := func(path string) {
		if visibility != "" {
			s.done("bob", "POST", path+"/visibility", object{"visibility": visibility})
		}
	}
	challenge := func(invited int64) string {
		terms := object{"game": "tictactoe", "colour": "first", "clock": object{"seconds": 3600}}
		return said[lobby.Challenge](s.clubSite, "bob", "POST", "/challenges", object{"terms": terms, "invited": invited}).ID
	}
	wait := func(path string) {
		for !said[struct{ Done bool }](s.clubSite, "bob", "GET", path, nil).Done {
			time.Sleep(5 * time.Millisecond)
		}
		show("/runs" + path[strings.LastIndexByte(path, '/'):])
	}
	switch kind {
	case "solo":
		id = said[api.Game](s.clubSite, "bob", "POST", "/games", object{"game": "tictactoe", "first": "human", "second": "human"}).ID
		show("/games/" + id)
	case "held":
		id = said[api.Game](s.clubSite, "ann", "POST", "/challenges/"+challenge(0)+"/accept", object{}).ID
		show("/games/" + id)
	case "match":
		id = fmt.Sprint(said[api.MatchView](s.clubSite, "bob", "POST", "/matches", object{"game": "tictactoe", "players": []string{"random", "rules"}, "games": 2, "plies": 0, "millis": 0, "seed": s.n}).ID)
		wait("/matches/" + id)
	case "run":
		id = fmt.Sprint(said[api.RunView](s.clubSite, "bob", "POST", "/runs", object{"learner": "qlearning:episodes=1,depth=1", "game": "mnk:3,3,3", "seed": s.n}).ID)
		wait("/runs/" + id)
	case "bot", "published bot":
		said[any](s.clubSite, "bob", "POST", "/bots/"+name, object{"source": botSource})
		if kind != "bot" {
			said[any](s.clubSite, "bob", "POST", "/bots/"+name+"/publish", object{"version": 1})
		}
	case "away":
		said[any](s.clubSite, "bob", "POST", "/away/"+name+"/token", nil)
	case "challenge":
		id = challenge(0)
	case "challenge to cyd":
		id = challenge(s.member("cyd"))
	case "tournament":
		terms := object{"name": name, "kind": "round-robin", "terms": object{"game": "tictactoe", "clock": object{"seconds": 60}}}
		id = fmt.Sprint(said[tournament.Tournament](s.clubSite, "bob", "POST", "/tournaments", object{"terms": terms}).ID)
	case "member":
		id = fmt.Sprint(s.dan)
	case "puzzle":
		id = said[request.PuzzleView](s.clubSite, "bob", "POST", "/puzzles/own", object{"game": "tictactoe", "moves": "a1 b1 a2 b2", "line": "a3"}).ID
	case "study":
		id = said[api.StudyView](s.clubSite, "bob", "POST", "/studies", object{"name": name, "chapters": []object{{"name": "one", "game": "tictactoe", "tree": object{}}}}).ID
	case "league", "entry":
		l := said[api.LeagueView](s.clubSite, "otto", "POST", "/leagues", object{"name": name, "game": "tictactoe", "nodes": 0, "plies": 0, "seed": 1, "field": "none"})
		id = fmt.Sprint(l.ID)
		if kind == "entry" {
			said[any](s.clubSite, "bob", "POST", "/bots/"+name, object{"source": botSource})
			said[any](s.clubSite, "bob", "POST", "/leagues/"+id+"/members", object{"name": name, "spec": "bot:" + name, "author": ""})
		}
	case "session":
		own := s.as("bob again", "POST", "/api/club/login", object{"name": "bob", "password": password})
		if own.StatusCode != 200 {
			s.t.Fatalf("login: %d", own.StatusCode)
		}
		for _, x := range said[[]store.Session](s.clubSite, "bob", "GET", "/club/sessions", nil) {
			if !x.This {
				id = x.ID
			}
		}
	case "passkey":
		if err := s.db.AddPasskey(store.Passkey{ID: []byte(name), Member: s.member("bob"), Handle: []byte(name), Name: name, Credential: []byte("{}")}, 100); err != nil {
			s.t.Fatal(err)
		}
		id = fmt.Sprintf("%x", name)
	case "invitation":
		said[any](s.clubSite, "otto", "POST", "/invitations", object{"role": "member", "note": name})
		id = said[[]store.MemberLink](s.clubSite, "otto", "GET", "/invitations", nil)[0].ID
	case "collection":
		c, err := s.db.Collect(name)
		if err != nil {
			s.t.Fatal(err)
		}
		id = fmt.Sprint(c.ID)
	}
	return map[string]string{"{id}": id, "{name}": name, "{member}": id}
}

// verdict asks and says how it is answered: y, n or -.
func (s *things) verdict(who string, o operation, path string, body any) (verdict, answer string) {
	s.t.Helper()
	code, answer := 0, ""
	if strings.HasSuffix(o.path, "/events") {
		code, answer = s.firstEvent(who, path)
	} else {
		code, answer = s.answered(who, o.method, path, body)
	}
	switch {
	case code == 404, strings.HasPrefix(answer, "event: gone"):
		verdict = "-"
	case code == 401, code == 403, strings.Contains(answer, "the name is taken"), strings.Contains(answer, "no-offer") && o.id == "say":
		verdict = "n"
	case code < 300, code == 409, code == 422 && !strings.Contains(answer, `"bad-request"`):
		verdict = "y"
	default:
		verdict = "?"
	}
	return verdict, fmt.Sprintf("%d %.200s", code, answer)
}

// firstEvent returns the status of a stream and its first event.
func (s *things) firstEvent(who, path string) (code int, event string) {
	ctx, cancel := context.WithCancel(s.t.Context())
	defer cancel()
	q, err := http.NewRequestWithContext(ctx, "GET", s.http.URL+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	if token := s.tokens[who]; token != "" {
		q.AddCookie(&http.Cookie{Name: "krow-session", Value: token})
	}
	a, err := s.http.Client().Do(q)
	if err != nil {
		s.t.Fatal(err)
	}
	defer a.Body.Close()
	for in := bufio.NewScanner(a.Body); in.Scan(); {
		if line := in.Text(); strings.HasPrefix(line, "event:") {
			return a.StatusCode, line
		}
	}
	return a.StatusCode, ""
}

// TestRightsOfThings asks for each operation on a thing as everybody, of things of each visibility, and compares what they get with the
// matrix. An operation without a row fails.
func TestRightsOfThings(t *testing.T) {
	s := newThings(t)
	known := map[string]bool{}
	for _, o := range operations(s.site) {
		known[o.id] = true
		if s.n > 30 { // a member begins so many games and then has to wait
			s = newThings(t)
		}
		if !strings.Contains(o.path, "{") {
			continue
		}
		rows := matrix[o.id]
		if len(rows) == 0 {
			t.Errorf("%s %s (%s) has no row in the matrix", o.method, o.path, o.id)
		}
		for _, r := range rows {
			words := strings.Fields(r.want)
			for i, want := range words {
				visibility := ""
				if len(words) > 1 {
					visibility = []string{"private", "link", "public"}[i]
				}
				var body any = r.body
				if r.body == nil {
					body = nil
				}
				var thing map[string]string
				for j, who := range askers {
					if thing == nil {
						thing = s.make(r.thing, visibility)
					}
					path := o.path
					for key, value := range thing {
						path = strings.ReplaceAll(path, key, value)
					}
					got, answer := s.verdict(who, o, path+r.query, body)
					if got != want[j:j+1] {
						t.Errorf("%s of a %s %s as %q: %s, want %s: %s", o.id, visibility, r.thing, who, got, want[j:j+1], answer)
					}
					if r.uses && got == "y" {
						thing = nil
					}
				}
			}
		}
	}
	for id := range matrix {
		if !known[id] {
			t.Errorf("the matrix has a row for %s, which is no operation", id)
		}
	}
}
