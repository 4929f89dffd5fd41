// SPDX-License-Identifier: Apache-2.0

package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestForgottenNameIsGone: the name of a member who was removed is nowhere in the file, which nobody else may read.
func TestForgottenNameIsGone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "krow.db")
	s, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	id, err := s.AddClubMember(Member{Name: "Zuleikha", Key: "zuleikha", Role: "member"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.AddDeed(Deed{Member: id, Name: "Zuleikha", Action: "ban", About: id, What: "Zuleikha " + strings.Repeat("why ", 5000) + "Zuleikha"}); err != nil {
		t.Fatal(err)
	}
	if err := s.RemoveClubMember(id, "removed member"); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil || bytes.Contains(bytes.ToLower(data), []byte("zuleikha")) {
		t.Errorf("the file still names the member, or %v", err)
	}
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// TestRemoveClubMember: games with others stay under another name, and the member's own are gone.
func TestRemoveClubMember(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "krow.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	id, err := s.AddClubMember(Member{Name: "Bob", Key: "bob", Role: "member"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.AddClubMember(Member{Name: "BOB", Key: "bob", Role: "member"}); !errors.Is(err, ErrNameTaken) {
		t.Errorf("a name that is taken: %v", err)
	}
	for _, g := range []Game{
		{ID: "own", Owner: id},
		{ID: "other", Owner: 1},
		{ID: "guests", Guest: "g"},
		{ID: "both", Extra: json.RawMessage(`{"Bob":{"seats":[{"member":2},{"guest":"x","name":"Bob"}]}}`), Pool: "p", Seats: [2]Seat{{Member: id, Name: "Bob"}, {Member: 1, Name: "Ann"}}}, // a name may be a word of ours
	} {
		if err := s.AddGame(g, ""); err != nil {
			t.Fatal(err)
		}
	}
	for _, q := range []string{
		`INSERT INTO ratings VALUES (2, 'p', 1500, 100, 0.06, 1, 1)`,
		`INSERT INTO puzzle_tries (puzzle, game, theme, score, rated, rating, deviation, volatility, at, owner) VALUES ('p', 'g', 't', 1, 1, 1, 1, 1, 1, 2)`,
		`INSERT INTO audit (at, member, name, action, what) VALUES (1, 2, 'Bob', 'join', 'Bob')`,
	} {
		if _, err := s.writer.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.AddSession(Session{Hash: []byte("x"), Member: id}, 9); err != nil {
		t.Fatal(err)
	}
	if err := s.AddPasskey(Passkey{ID: []byte("k"), Member: id, Handle: []byte("h"), Credential: []byte("{}")}, 9); err != nil {
		t.Fatal(err)
	}
	if err := s.AddDevice(id, "b", 9); err != nil {
		t.Fatal(err)
	}
	if known, err := s.HasDevice("bob", "b"); !known || err != nil {
		t.Errorf("HasDevice = %t, %v", known, err)
	}
	run, err := s.Run("learn", "x", json.RawMessage(`{"a":1}`), 3)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.OwnRun(run.ID, id); err != nil {
		t.Fatal(err)
	}
	shared := int64(500 + len(`{"Bob":{"seats":[{"member":2},{"guest":"x","name":"Bob"}]}}`))
	if n, err := s.BytesOf(id); err != nil || n != 200+7+150+shared { // the game, the settings of the run, the try, and the game with Ann
		t.Errorf("BytesOf = %d, %v", n, err)
	}
	if err := s.RemoveClubMember(id, "removed member"); err != nil {
		t.Fatal(err)
	}
	if n, err := s.BytesOf(id); err != nil || n != shared { // it stays, for Ann
		t.Errorf("%d bytes are left of a member who was removed, %v", n, err)
	}
	if _, err := s.Passkey([]byte("k")); !errors.Is(err, ErrNoPasskey) {
		t.Errorf("their passkey: %v", err)
	}
	if err := s.RemoveClubMember(id, "removed member"); !errors.Is(err, ErrNoPerson) {
		t.Errorf("removed again: %v", err)
	}
	all, err := s.Games(GameFilter{Count: 10})
	if err != nil {
		t.Fatal(err)
	}
	left := map[string]string{}
	for _, g := range all {
		left[g.ID] = string(g.Extra)
	}
	if _, own := left["own"]; own || len(left) != 3 || strings.Count(left["both"], "Bob") != 2 {
		t.Errorf("games left: %v", left)
	}
	for query, want := range map[string]int{
		"SELECT count(*) FROM ratings":                                            0,
		"SELECT count(*) FROM puzzle_tries":                                       0,
		"SELECT count(*) FROM sessions":                                           0,
		"SELECT count(*) FROM games WHERE first_name = 'removed member'":          1,
		"SELECT count(*) FROM audit WHERE name LIKE '%Bob%' OR what LIKE '%Bob%'": 0,
		"SELECT count(*) FROM members WHERE name = 'Bob'":                         0,
	} {
		var n int
		if err := s.writer.QueryRow(query).Scan(&n); err != nil || n != want {
			t.Errorf("%s = %d, %v, want %d", query, n, err, want)
		}
	}
}

// TestGamesOfGuests: games among guests count for all guests, and the old ones go where there is no room.
func TestGamesOfGuests(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "krow.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	eve, fay, bob := Seat{Guest: "e"}, Seat{Guest: "f"}, Seat{Member: 1}
	for _, err := range []error{
		s.AddGame(Game{ID: "own", Guest: "e", Outcome: "draw"}, ""),
		s.AddGame(Game{ID: "bob's", Owner: 1, Outcome: "draw"}, ""),
		s.AddGame(Game{ID: "two", Outcome: "draw", Moves: "h8", Pool: "p", Seats: [2]Seat{eve, fay}}, ""),
		s.AddGame(Game{ID: "going", Outcome: "ongoing", Pool: "p", Seats: [2]Seat{fay, eve}}, ""),
		s.AddGame(Game{ID: "with bob", Outcome: "draw", Pool: "p", Seats: [2]Seat{bob, eve}}, ""),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if n, err := s.CountGames(0, "e"); n != (GameCounts{1, 3}) || err != nil {
		t.Errorf("CountGames = %+v, %v, want 1 and 3", n, err)
	}
	if n, err := s.BytesOf(0); n != 3*200+2 || err != nil {
		t.Errorf("BytesOf = %d, %v", n, err)
	}
	soon, ago := time.Now().Add(time.Hour), time.Now().Add(-time.Hour)
	for _, step := range []struct {
		over, idle time.Time
		gone       int64
	}{{ago, ago, 0}, {soon, ago, 2}, {soon, soon, 1}} {
		if n, err := s.ForgetGamesOfGuests(step.over, step.idle, 9); n != step.gone || err != nil {
			t.Errorf("%d games went, %v, want %d", n, err, step.gone)
		}
	}
	if all, err := s.Games(GameFilter{Count: 9}); len(all) != 2 || err != nil {
		t.Errorf("left: %+v, %v", all, err)
	}
}

// TestMemberCannotPushDeedsOut: however much members do to their own accounts, no line of somebody else goes. Age bounds all lines.
func TestMemberCannotPushDeedsOut(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "krow.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	day := int64(24 * time.Hour / time.Millisecond)
	for _, q := range []string{
		fmt.Sprintf(`INSERT INTO audit (at, member, name, action, what) VALUES (%d, 1, 'ann', 'ban', 'bob'), (%d, 1, 'ann', 'ban', 'old')`, now()-300*day, now()-400*day),
		fmt.Sprintf(`INSERT INTO audit (at, member, name, action, what, own) VALUES (%d, 2, 'cyd', 'join', 'cyd', 1), (%d, 2, 'cyd', 'join', 'old', 1)`, now()-80*day, now()-100*day),
		fmt.Sprintf(`WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 100100)
			INSERT INTO audit (at, member, name, action, what, own) SELECT %d, 3, 'eve', 'rename', 'eve to eve', 1 FROM n`, now()),
	} {
		if _, err := s.writer.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.AddDeed(Deed{Member: 3, Name: "eve", Action: Rename, What: "eve to eve", About: 3, Own: true}); err != nil {
		t.Fatal(err)
	}
	deeds, err := s.Deeds(10, 0, false)
	if err != nil || len(deeds) != 1 || deeds[0].What != "bob" {
		t.Errorf("deeds left: %+v, %v", deeds, err)
	}
	own, err := s.Deeds(200_000, 0, true)
	if err != nil || len(own) != maxOwn+1 || own[maxOwn].Name != "cyd" {
		t.Errorf("%d lines of members left, %v", len(own), err)
	}
	if page, err := s.Deeds(10, own[maxOwn-1].ID, true); err != nil || len(page) != 1 || page[0].Name != "cyd" {
		t.Errorf("the next page: %+v, %v", page, err)
	}
}

// TestRemovalLeavesLinesOfOthers: the lines about a removed member lose the name, and no other line changes.
func TestRemovalLeavesLinesOfOthers(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "krow.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	id, err := s.AddClubMember(Member{Name: "a_b", Key: "a_b", Role: "member"})
	if err != nil {
		t.Fatal(err)
	}
	lines := []struct {
		what  string
		about int64
		stays bool
	}{
		{"a_b cheats", id, false},
		{"former name", id, false},
		{"robert to axb", 0, true},
		{"a_b to robert", 9, true}, // another member, who had the name before
	}
	for _, l := range lines {
		if err := s.AddDeed(Deed{Member: 1, Name: "ann", Action: Rename, What: l.what, About: l.about}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.RemoveClubMember(id, "removed member"); err != nil {
		t.Fatal(err)
	}
	deeds, err := s.Deeds(100, 0, false)
	if err != nil || len(deeds) != len(lines) {
		t.Fatalf("%+v, %v", deeds, err)
	}
	for i, l := range lines {
		want := "removed member"
		if l.stays {
			want = l.what
		}
		if got := deeds[len(lines)-1-i].What; got != want {
			t.Errorf("line %q about %d: %q, want %q", l.what, l.about, got, want)
		}
	}
}

// TestRemoveFirstMember: the bots and runs of the first member go with the member; runs of the command line stay.
func TestRemoveFirstMember(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "krow.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.AddClubMember(Member{Name: "zoe", Key: "zoe", Role: "owner", Password: "x"}); err != nil {
		t.Fatal(err)
	}
	for _, author := range []string{"", "2"} {
		if _, err := s.AddBotVersion(Bot{Name: "bot" + author, Author: author, Kind: "starlark"}, []byte("x"+author), BotRoom{9, 9, 999}); err != nil {
			t.Fatal(err)
		}
		if err := s.SetAwayBot(AwayBot{Name: "away" + author, Author: author}, []byte("t"+author), 9); err != nil {
			t.Fatal(err)
		}
	}
	for owner, key := range []string{"console", "first", "second"} {
		r, err := s.Run("learn", key, json.RawMessage(`{}`), 1)
		if err != nil {
			t.Fatal(err)
		}
		if owner > 0 {
			if err := s.OwnRun(r.ID, int64(owner)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.RemoveClubMember(1, "removed member"); err != nil {
		t.Fatal(err)
	}
	var left []string
	all, err1 := s.Bots()
	for _, b := range all {
		left = append(left, b.Name)
	}
	away, err2 := s.AwayBots()
	for _, b := range away {
		left = append(left, b.Name)
	}
	runs, err3 := s.Runs("")
	for _, r := range runs {
		left = append(left, r.Key)
	}
	if got := strings.Join(left, " "); got != "bot2 away2 console second" || errors.Join(err1, err2, err3) != nil {
		t.Errorf("left: %s, %v", got, errors.Join(err1, err2, err3))
	}
}

// TestBanEndsChallenges: a ban ends the open challenges and subscriptions of the member, and its end the sessions; nobody else's.
func TestBanEndsChallenges(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "krow.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	id, err := s.AddClubMember(Member{Name: "eve", Key: "eve", Role: "member"})
	if err != nil {
		t.Fatal(err)
	}
	for _, member := range []int64{1, id} {
		if err := s.AddSession(Session{Hash: fmt.Append(nil, member), Member: member}, 9); err != nil {
			t.Fatal(err)
		}
		if _, err := s.writer.Exec("INSERT INTO challenges VALUES ($1, $1, '', 'x', 0, 1, '{}', '', 1)", member); err != nil {
			t.Fatal(err)
		}
		if err := s.Subscribe(Subscription{Session: fmt.Append(nil, member), Endpoint: fmt.Sprint(member)}); err != nil {
			t.Fatal(err)
		}
	}
	counts := func(reason string, sessions, others int) {
		t.Helper()
		if err := s.ChangeClubMember(1, id, func(_ Member, m *Member) (Deed, error) {
			m.Banned = reason
			return Deed{Member: 1, Action: "ban", About: id}, nil
		}); err != nil {
			t.Fatal(err)
		}
		for of, want := range map[string]int{"sessions WHERE member": sessions, "challenges WHERE member": others, "subscriptions WHERE endpoint": others} {
			for member, want := range map[int64]int{1: 1, id: want} {
				var n int
				if err := s.writer.QueryRow("SELECT count(*) FROM "+of+" = $1", fmt.Sprint(member)).Scan(&n); err != nil || n != want {
					t.Errorf("banned for %q: %d %s = %d, want %d, %v", reason, n, of, member, want, err)
				}
			}
		}
	}
	counts("cheats", 1, 0)
	counts("", 0, 0)
}
