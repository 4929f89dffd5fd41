// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"encoding/json"
	"fmt"
	"slices"
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

// private begins a game against a program, plays a move in it and hides it.
func (s *clubSite) private(owner string) api.Game {
	s.t.Helper()
	g := said[api.Game](s, owner, "POST", "/games", object{"game": "tictactoe", "first": "human", "second": "human"})
	g = said[api.Game](s, owner, "POST", "/games/"+g.ID+"/moves", object{"move": "b2", "ply": 0})
	s.done(owner, "POST", "/games/"+g.ID+"/visibility", object{"visibility": "private"})
	return g
}

// done asks for something that has no answer.
func (s *clubSite) done(who, method, path string, body any) {
	s.t.Helper()
	if code, answer := s.answered(who, method, "/api"+path, body); code != 204 {
		s.t.Fatalf("%s: %s %s: %d %s", who, method, path, code, answer)
	}
}

// between begins a game between bob and cyd in which bob has played a move.
func (s *clubSite) between(terms object) api.Game {
	s.t.Helper()
	c := said[lobby.Challenge](s, "bob", "POST", "/challenges", object{"terms": terms})
	g := said[api.Game](s, "cyd", "POST", "/challenges/"+c.ID+"/accept", object{})
	return said[api.Game](s, "bob", "POST", "/games/"+g.ID+"/moves", object{"move": "b2", "ply": 0})
}

// TestStrangerCannotTouchPrivateGame: to strangers a private game is not there, whatever they do with it, and nothing of it is
// in the answer.
func TestStrangerCannotTouchPrivateGame(t *testing.T) {
	s := newClubSite(t, club.Guest)
	solo, held := s.private("bob"), s.between(object{"game": "tictactoe", "colour": "first"})
	s.done("cyd", "POST", "/games/"+held.ID+"/visibility", object{"visibility": "private"})
	for _, g := range []api.Game{solo, held} {
		var tries []object
		for _, do := range []string{"resign", "draw", "takeback", "decline", "abort", "rematch", "flag"} {
			tries = append(tries, object{"path": "act", "do": do, "ply": 1}, object{"path": "act", "do": do, "ply": 9})
		}
		tries = append(tries,
			object{"path": "say", "phrase": "hello", "ply": 1}, object{"path": "opening", "answered": 0, "answer": "swap"},
			object{"path": "moves", "move": "a1", "ply": 9},
		)
		for _, who := range []string{"guest", "otto"} {
			for _, body := range tries {
				path := body["path"].(string)
				sent := object{}
				for k, v := range body {
					if k != "path" {
						sent[k] = v
					}
				}
				if code, answer := s.answered(who, "POST", "/api/games/"+g.ID+"/"+path, sent); code != 404 || strings.Contains(answer, "moves") {
					t.Errorf("%s: %s %v: %d %s", who, path, sent, code, answer)
				}
			}
		}
		if now := said[api.Game](s, "bob", "GET", "/games/"+g.ID, nil); len(now.Moves) != 1 || now.Outcome != "ongoing" {
			t.Errorf("the game is %v, %s", now.Moves, now.Outcome)
		}
	}
}

// TestStrangerCannotActInSharedGame: who has the link of a game looks on, and changes nothing.
func TestStrangerCannotActInSharedGame(t *testing.T) {
	s := newClubSite(t, club.Guest)
	g := said[api.Game](s, "bob", "POST", "/games", object{"game": "tictactoe", "first": "human", "second": "human"})
	for _, who := range []string{"guest", "cyd", "otto"} {
		for _, do := range []string{"resign", "takeback", "draw"} {
			if code, answer := s.answered(who, "POST", "/api/games/"+g.ID+"/act", object{"do": do, "ply": 0}); code != 403 {
				t.Errorf("%s: %s: %d %s", who, do, code, answer)
			}
		}
	}
}

// TestOpeningOfGameWithoutSeats: a game without seats has no opening whose questions could be answered.
func TestOpeningOfGameWithoutSeats(t *testing.T) {
	s := newClubSite(t, club.Guest)
	g := said[api.Game](s, "bob", "POST", "/games", object{"game": "tictactoe", "first": "human", "second": "human"})
	code, answer := s.answered("bob", "POST", "/api/games/"+g.ID+"/opening", object{"answered": 0, "answer": "swap"})
	if code != 409 || !strings.Contains(answer, `"no-offer"`) {
		t.Errorf("%d %s", code, answer)
	}
}

// TestImportShowsWhatTheGameShows: a link that is imported asks for the right to look, and shows spectators no move before its
// time.
func TestImportShowsWhatTheGameShows(t *testing.T) {
	s := newClubSite(t, club.Guest)
	solo, held := s.private("bob"), s.between(object{"game": "tictactoe", "colour": "first"})
	s.done("cyd", "POST", "/games/"+held.ID+"/visibility", object{"visibility": "private"})
	delayed := s.between(object{"game": "tictactoe", "colour": "first", "delay": 600})
	for _, tc := range []struct {
		name, who string
		game      api.Game
		code      int
		moves     int
	}{
		{"own", "bob", solo, 200, 1},
		{"private, as a member", "cyd", solo, 404, 0},
		{"private, as an organiser", "otto", solo, 404, 0},
		{"private, as a guest", "guest", solo, 404, 0},
		{"private with seats, as a player", "cyd", held, 200, 1},
		{"private with seats, as an organiser", "otto", held, 404, 0},
		{"delayed, as a player", "cyd", delayed, 200, 1},
		{"delayed, as a spectator", "otto", delayed, 200, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			code, answer := s.answered(tc.who, "POST", "/api/import", object{"text": "https://x.example/play/" + tc.game.ID})
			var got request.Imported
			if err := json.Unmarshal([]byte(answer), &got); err != nil || code != tc.code || len(got.Moves) != tc.moves {
				t.Errorf("%d %s, want %d with %d moves", code, answer, tc.code, tc.moves)
			}
		})
	}
	// No other request tells a spectator of a delayed game how many moves there are.
	for ply := range 3 {
		for _, try := range []struct {
			path string
			body object
		}{
			{"moves", object{"move": "a1", "ply": ply}},
			{"act", object{"do": "resign", "ply": ply}},
			{"act", object{"do": "flag", "ply": ply}},
			{"say", object{"phrase": "hello", "ply": ply}},
		} {
			if code, answer := s.answered("otto", "POST", "/api/games/"+delayed.ID+"/"+try.path, try.body); code != 403 {
				t.Errorf("%s %v: %d %s", try.path, try.body, code, answer)
			}
		}
	}
}

const botSource = "def choose(position, clock):\n    return position.moves()[0]\n"

// TestUnpublishedBotPlaysForItsAuthor: a bot that nobody else may see plays for nobody else, and so do its versions that were
// not published.
func TestUnpublishedBotPlaysForItsAuthor(t *testing.T) {
	s := newClubSite(t, club.Guest)
	said[any](s, "bob", "POST", "/bots/fork", object{"source": botSource})
	said[any](s, "bob", "POST", "/bots/fork", object{"source": botSource + "# second\n"})
	l := said[api.LeagueView](s, "otto", "POST", "/leagues", object{"name": "lunch", "game": "tictactoe", "nodes": 0, "plies": 0, "seed": 1, "field": "none"})
	seed, name := 0, ""
	ways := func(spec string) map[string]func(who string) (int, string) {
		return map[string]func(who string) (int, string){
			"game": func(who string) (int, string) {
				return s.answered(who, "POST", "/api/games", object{"game": "tictactoe", "first": "human", "second": spec})
			},
			"match": func(who string) (int, string) {
				seed++
				return s.answered(who, "POST", "/api/matches", object{"game": "tictactoe", "players": []string{"random", spec}, "games": 2, "plies": 0, "millis": 0, "seed": seed})
			},
			"trial": func(who string) (int, string) {
				return s.answered(who, "POST", "/api/workshop/try", object{"name": "x", "source": botSource, "game": "tictactoe", "side": "first", "opponent": spec})
			},
			"opening": func(who string) (int, string) {
				return s.answered(who, "GET", "/api/opening/answer?game=gomoku&rule=swap2&player="+strings.ReplaceAll(spec, ",", "%2C"), nil)
			},
			"league": func(who string) (int, string) {
				seed++
				name = fmt.Sprint("entry-", seed)
				code, answer := s.answered(who, "POST", fmt.Sprintf("/api/leagues/%d/members", l.ID), object{"name": name, "spec": spec, "author": ""})
				if code == 200 {
					said[any](s, who, "DELETE", fmt.Sprintf("/leagues/%d/members/%s", l.ID, name), nil)
				}
				return code, answer
			},
		}
	}
	check := func(state, spec string, others bool) {
		t.Helper()
		for way, try := range ways(spec) {
			for _, who := range []string{"bob", "cyd", "otto", "ann", "guest"} {
				code, answer := try(who)
				want := who == "bob" || others
				if who == "guest" && way != "game" && way != "opening" || way == "league" && who == "cyd" {
					want = false // it takes a role, or a bot of one's own
				}
				if got := code == 200; got != want {
					t.Errorf("%s: %s: %s as %s: %d %.100s, want %t", state, way, spec, who, code, answer, want)
				} else if !want && code != 401 && code != 403 && !strings.Contains(answer, "no-bot") {
					t.Errorf("%s: %s: %s as %s: %d %.100s", state, way, spec, who, code, answer)
				}
			}
		}
	}
	check("not published", "bot:fork", false)
	check("not published", "bot:fork,version=1", false)
	check("not published", "bot:FORK,version=2", false)
	said[any](s, "bob", "POST", "/bots/fork/publish", object{"version": 1})
	check("published", "bot:fork", true)
	check("published", "bot:fork,version=1", true)
	check("published", "bot:fork,version=2", false)
	said[any](s, "bob", "POST", "/bots/fork/publish", object{"version": 0})
	check("taken back", "bot:fork", false)
	check("taken back", "bot:fork,version=1", false)
	// No player has a bot of the store inside.
	for _, spec := range []string{"limited:of=bot:fork", "limited:of=(bot:fork)", "limited:(of=bot:fork)", " bot:fork", "bot: fork"} {
		if code, answer := ways(spec)["game"]("cyd"); code == 200 {
			t.Errorf("%s: %d %s", spec, code, answer)
		}
	}
}

// TestVisitorIsNotFirstMember: a visitor neither plays an unpublished bot of the first member nor begins a game in that member's name.
func TestVisitorIsNotFirstMember(t *testing.T) {
	s := newClubSite(t, club.Guest)
	said[any](s, "ann", "POST", "/bots/annbot", object{"source": botSource})
	for _, who := range []string{"guest", ""} {
		if code, answer := s.answered(who, "POST", "/api/games", object{"game": "tictactoe", "first": "human", "second": "bot:annbot"}); code == 200 {
			t.Errorf("%q plays it: %s", who, answer)
		}
		if code, answer := s.answered(who, "GET", "/api/opening/answer?game=gomoku&rule=swap2&player=bot:annbot", nil); code == 200 {
			t.Errorf("%q asks it: %s", who, answer)
		}
	}
	if code, answer := s.answered("", "POST", "/api/games", object{"game": "tictactoe", "first": "human", "second": "human"}); code != 403 {
		t.Errorf("a game of a browser without a name: %d %s", code, answer)
	}
	if _, answer := s.answered("ann", "GET", "/api/games", nil); !strings.Contains(answer, `"games":[]`) {
		t.Errorf("games of the first member: %s", answer)
	}
}

// TestMembersEnterTheirOwnBots: a member enters at most three bots of their own in a league, under their own name; an organiser
// enters every program.
func TestMembersEnterTheirOwnBots(t *testing.T) {
	s := newClubSite(t, club.Guest)
	for who, names := range map[string][]string{"bob": {"b1", "b2", "b3", "b4"}, "cyd": {"c1"}} {
		for _, name := range names {
			said[any](s, who, "POST", "/bots/"+name, object{"source": botSource})
		}
	}
	said[any](s, "cyd", "POST", "/bots/c1/publish", object{"version": 1})
	l := said[api.LeagueView](s, "otto", "POST", "/leagues", object{"name": "lunch", "game": "tictactoe", "nodes": 0, "plies": 0, "seed": 1, "field": "none"})
	path := fmt.Sprintf("/api/leagues/%d/members", l.ID)
	for _, tc := range []struct {
		who, spec, author string
		code              int
		want              string // author
	}{
		{"bob", "rules", "", 403, ""},
		{"bob", "alphabeta:depth=60", "", 403, ""},
		{"bob", "bot:c1", "", 403, ""},
		{"bob", "bot:b1", "ann", 200, "bob"},
		{"bob", "bot:b2", "", 200, "bob"},
		{"bob", "bot:b3", "", 200, "bob"},
		{"bob", "bot:b4", "", 422, ""},
		{"cyd", "bot:c1", "", 200, "cyd"},
		{"otto", "rules", "somebody", 200, "somebody"},
		{"guest", "random", "", 401, ""},
		{"cyd", "bot:none", "", 404, ""},
	} {
		t.Run(tc.who+" "+tc.spec, func(t *testing.T) {
			code, answer := s.answered(tc.who, "POST", path, object{"name": "", "spec": tc.spec, "author": tc.author})
			if code != tc.code {
				t.Fatalf("%d %s, want %d", code, answer, tc.code)
			}
			if code != 200 {
				return
			}
			members, err := s.db.Members(l.ID)
			if err != nil {
				t.Fatal(err)
			}
			if m := members[len(members)-1]; m.Author != tc.want {
				t.Errorf("entered by %q, want %q", m.Author, tc.want)
			}
		})
	}
	// A member takes out bots of their own, and has room for another one then.
	for _, tc := range []struct {
		who, name string
		code      int
	}{{"cyd", "bot-b1-version-1", 403}, {"bob", "rules", 403}, {"bob", "bot-b1-version-1", 200}, {"otto", "rules", 200}} {
		if code, answer := s.answered(tc.who, "DELETE", path+"/"+tc.name, nil); code != tc.code {
			t.Errorf("%s takes out %s: %d %.200s, want %d", tc.who, tc.name, code, answer, tc.code)
		}
	}
	s.done("bob", "POST", "/club/name", object{"name": "Боб"})
	said[any](s, "bob", "POST", strings.TrimPrefix(path, "/api"), object{"name": "", "spec": "bot:b4", "author": ""})
}

// TestPrivateRunIsNotHandedOver: who begins a run or a match by the settings of somebody else's gets one of their own.
func TestPrivateRunIsNotHandedOver(t *testing.T) {
	s := newClubSite(t, club.Guest)
	for _, tc := range []struct {
		path string
		body object
	}{
		{"matches", object{"game": "tictactoe", "players": []string{"random", "rules"}, "games": 2, "plies": 0, "millis": 0, "seed": 7}},
		{"runs", object{"learner": "genetic:players=4,each=2,games=24", "game": "tictactoe", "seed": 3}},
	} {
		t.Run(tc.path, func(t *testing.T) {
			type thing struct {
				ID         int64  `json:"id"`
				Owner      int64  `json:"owner"`
				Visibility string `json:"visibility"`
			}
			begin := func(who string) thing { return said[thing](s, who, "POST", "/"+tc.path, tc.body) }
			bobs := begin("bob")
			for _, visibility := range []string{"private", "link", "public"} {
				s.done("bob", "POST", fmt.Sprintf("/runs/%d/visibility", bobs.ID), object{"visibility": visibility})
				if again := begin("bob"); again.ID != bobs.ID {
					t.Errorf("%s: bob gets %+v, had %+v", visibility, again, bobs)
				}
				cyds := begin("cyd")
				if cyds.ID == bobs.ID || cyds.Owner == bobs.Owner || cyds.Visibility != "public" {
					t.Errorf("%s: cyd gets %+v, and bob has %+v", visibility, cyds, bobs)
				}
				if again := begin("cyd"); again.ID != cyds.ID {
					t.Errorf("%s: cyd gets %+v, had %+v", visibility, again, cyds)
				}
			}
		})
	}
}

// TestPrivateGamesAreNotExplored: the explorer shows nobody the games that are private, also when they become private later.
func TestPrivateGamesAreNotExplored(t *testing.T) {
	s := newClubSite(t, club.Guest)
	g := said[api.Game](s, "bob", "POST", "/games", object{"game": "mnk:4,4,4", "first": "human", "second": "human"})
	g = said[api.Game](s, "bob", "POST", "/games/"+g.ID+"/moves", object{"move": "b2", "ply": 0})
	said[api.Game](s, "bob", "POST", "/games/"+g.ID+"/act", object{"do": "resign", "ply": 1})
	m := said[api.MatchView](s, "bob", "POST", "/matches", object{"game": "tictactoe", "players": []string{"random", "rules"}, "games": 2, "plies": 0, "millis": 0, "seed": 1})
	for !said[api.MatchView](s, "bob", "GET", fmt.Sprintf("/matches/%d", m.ID), nil).Done {
		time.Sleep(5 * time.Millisecond)
	}
	for _, tc := range []struct {
		visibility  string
		game, match int
	}{{"private", 0, 0}, {"link", 1, 2}, {"private", 0, 0}, {"public", 1, 0}} { // a match that was private once stays out
		s.done("bob", "POST", "/games/"+g.ID+"/visibility", object{"visibility": tc.visibility})
		s.done("bob", "POST", fmt.Sprintf("/runs/%d/visibility", m.ID), object{"visibility": tc.visibility})
		for game, want := range map[string]int{"mnk:4,4,4": tc.game, "tictactoe": tc.match} {
			v := said[api.Explored](s, "cyd", "GET", "/explorer?game="+strings.ReplaceAll(game, ",", "%2C"), nil)
			if got := v.Results.All(); got != want || len(v.Games) != want {
				t.Errorf("%s: %d games of %s, want %d", tc.visibility, got, game, want)
			}
		}
	}
}

// TestGuestIsNotShownAsMember: a guest who calls himself by the name of a member is shown as a guest.
func TestGuestIsNotShownAsMember(t *testing.T) {
	s := newClubSite(t, club.Guest)
	c := said[lobby.Challenge](s, "guest", "POST", "/challenges", object{"name": "bob", "listed": true, "terms": object{"game": "tictactoe"}})
	g := said[api.Game](s, "cyd", "POST", "/challenges/"+c.ID+"/accept", object{})
	for what, names := range map[string][]string{"challenge": {c.By}, "game": g.Between.Names[:]} {
		if slices.Contains(names, "bob") || !slices.Contains(names, "bob (guest)") {
			t.Errorf("%s: %q", what, names)
		}
	}
}

// TestExplorerWaitsForSpectators: the explorer has a game only when spectators have seen its end.
func TestExplorerWaitsForSpectators(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newPipes(t)
		s := &clubSite{site: &site{t: t, file: storetest.File(t), listener: &l}, log: &logged{}}
		s.openClub(club.Guest)
		defer s.close()
		for delay, who := range map[int]string{600: "cyd", 0: "bob"} {
			g := s.between(object{"game": "tictactoe", "colour": "first", "delay": delay})
			said[api.Game](s, who, "POST", "/games/"+g.ID+"/act", object{"do": "resign", "ply": 1})
			time.Sleep(time.Second)
		}
		explored := func() int { return said[api.Explored](s, "otto", "GET", "/explorer?game=tictactoe", nil).Results.All() }
		for range 2 {
			if n := explored(); n != 1 {
				t.Errorf("at the end: %d games, want 1", n)
			}
		}
		time.Sleep(10 * time.Minute)
		for range 2 {
			if n := explored(); n != 2 {
				t.Errorf("afterwards: %d games, want 2", n)
			}
		}
	})
}

// TestExportHasNoGuest: the key of a guest is in no answer to another person.
func TestExportHasNoGuest(t *testing.T) {
	s := newClubSite(t, club.Guest)
	c := said[lobby.Challenge](s, "guest", "POST", "/challenges", object{"name": "gast", "listed": true, "terms": object{"game": "tictactoe"}})
	g := said[api.Game](s, "bob", "POST", "/challenges/"+c.ID+"/accept", object{})
	code, answer := s.answered("bob", "GET", "/api/club/export", nil)
	if code != 200 || !strings.Contains(answer, g.ID) || strings.Contains(answer, `"guest":`) {
		t.Errorf("%d %s", code, answer)
	}
}
