// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/krow-lab/krow/arena/pairing"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/server/api"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/lobby"
	"github.com/krow-lab/krow/server/store"
	"github.com/krow-lab/krow/server/tournament"
)

// leaver is a name that is nowhere in a store after its owner has left.
const leaver = "Zuleikha"

// TestRestoredClub: a backup that is taken while members play rated games and a tournament, and while one of them leaves, comes
// back as a whole club: its members, games, ratings and tournament agree, no move that was answered before is missing, and the
// tournament is played to its end. With KROW_LONG there are more members and backups.
func TestRestoredClub(t *testing.T) {
	pairs, backups := 3, 2
	if os.Getenv("KROW_LONG") != "" {
		pairs, backups = 20, 20
	}
	s := newClubSite(t, club.Nobody)
	s.addMembers(2*pairs, leaver)
	cup := s.makeCup(8, leaver)
	var g api.Game // in which the one who leaves is to lose
	s.meetFor(leaver, "bob", object{"game": "tictactoe", "colour": "first", "rated": true, "clock": object{"turn": 3 * 86400}}, &g)
	s.get(leaver, "POST", "/api/games/"+g.ID+"/moves", object{"move": "b2", "ply": 0}, &g)
	s.get("bob", "POST", "/api/games/"+g.ID+"/moves", object{"move": "a1", "ply": 1}, &g)

	s.playCup(cup, 3)

	var mu sync.Mutex
	answered := map[string]int{} // plies, by game
	stop := make(chan struct{})
	var playing sync.WaitGroup
	end := sync.OnceFunc(func() { close(stop); playing.Wait() })
	defer end()
	for i := range pairs {
		playing.Go(func() {
			for range 50 { // more are refused for a while
				select {
				case <-stop:
					return
				default:
				}
				var g api.Game
				s.meetFor(memberN(2*i), memberN(2*i+1), object{"game": "tictactoe", "colour": "first", "rated": true, "clock": object{"seconds": 3600}}, &g)
				for ply, move := range []string{"a1", "b1", "a2", "b2", "a3"} {
					s.get(memberN(2*i+ply%2), "POST", "/api/games/"+g.ID+"/moves", object{"move": move, "ply": ply}, &g)
					mu.Lock()
					answered[g.ID] = g.Plies
					mu.Unlock()
				}
			}
		})
	}
	dir := t.TempDir()
	for n := range backups {
		mu.Lock()
		before := map[string]int{}
		for id, plies := range answered {
			before[id] = plies
		}
		mu.Unlock()
		file := filepath.Join(dir, fmt.Sprintf("backup%d.db", n))
		if err := s.db.Backup(file); err != nil {
			t.Fatal(err)
		}
		s.checkRestored(file, before, cup, n > 0)
		if n == 0 {
			s.answered(leaver, "POST", "/api/club/prove", object{"password": password})
			if status, data := s.answered(leaver, "POST", "/api/club/leave", object{"name": leaver}); status != 204 {
				t.Fatalf("leave: %d %s", status, data)
			}
		}
	}
	end()
	s.get("bob", "GET", "/api/games/"+g.ID, nil, &g)
	if g.Reason != "resigned" || g.Outcome != "second wins" {
		t.Errorf("the game of the one who left: %s, %s", g.Outcome, g.Reason)
	}
}

func memberN(n int) string { return fmt.Sprintf("member%d", n) }

// addMembers adds members by number, and others by name.
func (s *clubSite) addMembers(n int, more ...string) {
	s.t.Helper()
	c := club.New(s.db, club.Options{Cheap: true})
	for i := range n {
		more = append(more, memberN(i))
	}
	for _, name := range more {
		link, err := c.Add(club.Alone, name, club.Member)
		if err != nil {
			s.t.Fatal(err)
		}
		if _, s.tokens[name], err = c.Join(link, "", password, club.Browser{}); err != nil {
			s.t.Fatal(err)
		}
	}
}

// meetFor begins a game of two members.
func (s *clubSite) meetFor(first, second string, terms object, g *api.Game) {
	var c lobby.Challenge
	s.get(first, "POST", "/api/challenges", object{"terms": terms}, &c)
	s.get(second, "POST", "/api/challenges/"+c.ID+"/accept", object{}, g)
}

// makeCup begins a Swiss tournament of three rounds of n players, of whom some have names.
func (s *clubSite) makeCup(n int, more ...string) (path string) {
	terms := object{"name": "friday", "kind": pairing.Swiss, "rounds": 3, "terms": object{"game": "tictactoe", "rated": true, "clock": object{"seconds": 3600}}}
	var v tournament.Tournament
	s.get("ann", "POST", "/api/tournaments", object{"terms": terms}, &v)
	path = fmt.Sprintf("/api/tournaments/%d", v.ID)
	more = append(more, "otto", "bob", "cyd")
	for i := range n - len(more) {
		more = append(more, memberN(i))
	}
	for _, name := range more {
		s.get(name, "POST", path, object{"do": "join"}, &v)
	}
	s.get("ann", "POST", path, object{"do": "begin"}, &v)
	return path
}

// playCup lets the second side resign in so many games of a tournament, and returns it.
func (s *clubSite) playCup(path string, most int) (v tournament.Tournament) {
	for most > 0 {
		s.get("ann", "GET", path, nil, &v)
		if v.State == "over" {
			return v
		}
		for _, p := range v.Rounds[len(v.Rounds)-1] {
			var g api.Game
			if p.Result != "" || most == 0 {
				continue
			}
			s.get(p.Second, "GET", "/api/games/"+p.Game, nil, &g)
			s.get(p.Second, "POST", "/api/games/"+p.Game+"/act", object{"do": "resign", "ply": g.Plies}, &g)
			most--
		}
	}
	return v
}

// checkRestored restores a backup beside the server, and asks whether all in it agrees.
func (s *clubSite) checkRestored(backup string, before map[string]int, cup string, left bool) {
	s.t.Helper()
	r := &clubSite{site: &site{t: s.t, file: backup + ".restored"}, tokens: s.tokens}
	if _, err := store.Restore(backup, r.file); err != nil {
		s.t.Fatal(err)
	}
	if data, err := os.ReadFile(r.file); err != nil || bytes.Contains(data, []byte(leaver)) == left {
		s.t.Errorf("the name of the one who leaves is in the file, or is not: left %t, %v", left, err)
	}
	r.open(behindProxy, func(o *api.Options) { o.Club = true })
	defer r.close()
	for id, plies := range before {
		g, err := r.db.Game(id)
		if err != nil || g.Plies < plies {
			s.t.Errorf("game %s has %d moves, and %d were answered: %v", id, g.Plies, plies, err)
		}
	}
	all, err := r.db.Games(store.GameFilter{Seated: true, Count: 1_000_000})
	if err != nil {
		s.t.Fatal(err)
	}
	type player struct {
		member int64
		pool   string
	}
	games, sums := map[player]int{}, map[player]float64{}
	for _, m := range all {
		for side, seat := range m.Seats {
			if p := (player{seat.Member, m.Pool}); m.Rated && m.Outcome != game.Ongoing.String() {
				games[p]++
				sums[p] += m.Gain[side]
			}
		}
	}
	rated := 0
	for p, n := range games {
		name, err := r.db.MemberName(p.member)
		if err != nil {
			s.t.Fatal(err)
		}
		ratings, err := r.db.Ratings(p.member, p.pool)
		switch {
		case err != nil:
			s.t.Fatal(err)
		case name == "" && len(ratings) != 0:
			s.t.Errorf("a member who was removed has a rating: %+v", ratings)
		case name != "" && (len(ratings) != 1 || ratings[0].Games != n || math.Abs(ratings[0].Rating-1500-sums[p]) > 1e-6):
			s.t.Errorf("%s has %+v after %d games with %+f points", name, ratings, n, sums[p])
		case name != "":
			rated++
		}
	}
	status, data := r.answered("", "POST", "/api/club/login", object{"name": "bob", "password": password})
	if status != 200 {
		s.t.Errorf("login: %d %s", status, data)
	}
	start := time.Now()
	v := r.playCup(cup, 100)
	points := 0.0
	for _, row := range v.Rows {
		points += row.Points
	}
	if v.State != "over" || len(v.Rounds) != 3 || points != 12 {
		text, _ := json.Marshal(v)
		s.t.Errorf("the tournament: %s", text)
	}
	s.t.Logf("%d games between people, %d ratings agree; the tournament was played to its end in %v", len(all), rated, time.Since(start).Round(time.Millisecond))
}
