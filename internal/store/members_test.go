// SPDX-License-Identifier: Apache-2.0

package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestForgotten: the name of a member who was removed is nowhere in the file, which nobody else may read.
func TestForgotten(t *testing.T) {
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
	if err := s.AddDeed(Deed{Member: id, Name: "Zuleikha", Action: "ban", What: "Zuleikha " + strings.Repeat("why ", 5000) + "Zuleikha"}); err != nil {
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
	for _, g := range []WebGame{
		{ID: "own", Owner: id},
		{ID: "other", Owner: 1},
		{ID: "guests", Guest: "g"},
		{ID: "both", Extra: json.RawMessage(`{"Bob":{"seats":[{"member":2},{"guest":"x","name":"Bob"}]}}`)}, // a name may be a word of ours
	} {
		if err := s.AddWebGame(g); err != nil {
			t.Fatal(err)
		}
	}
	for _, q := range []string{
		`INSERT INTO meetings VALUES ('both', 'p', 1, 2, '', 'Bob', 1, '', 'Ann', 0, 0, 0, 'draw', 0, 0, 1, 1)`,
		`INSERT INTO ratings VALUES (2, 'p', 1500, 100, 0.06, 1, 1)`,
		`INSERT INTO puzzle_tries (puzzle, game, theme, score, rated, rating, deviation, volatility, at, owner) VALUES ('p', 'g', 't', 1, 1, 1, 1, 1, 1, 2)`,
		`INSERT INTO audit (at, member, name, action, what) VALUES (1, 1, 'Ann', 'ban', 'Bob cheats'), (1, 2, 'Bob', 'join', 'Bob')`,
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
	all, err := s.WebGames(10, 0)
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
		"SELECT count(*) FROM meetings WHERE first_name = 'removed member'":       1,
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
		s.AddWebGame(WebGame{ID: "own", Guest: "e", Outcome: "draw"}),
		s.AddWebGame(WebGame{ID: "bob's", Owner: 1, Outcome: "draw"}),
		s.AddMeeting(WebGame{ID: "two", Outcome: "draw", Moves: "h8"}, Meeting{Seats: [2]Seat{eve, fay}}, ""),
		s.AddMeeting(WebGame{ID: "going", Outcome: "ongoing"}, Meeting{Seats: [2]Seat{fay, eve}}, ""),
		s.AddMeeting(WebGame{ID: "with bob", Outcome: "draw"}, Meeting{Seats: [2]Seat{bob, eve}}, ""),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if mine, guests, err := s.CountWebGames(0, "e"); mine != 1 || guests != 3 || err != nil {
		t.Errorf("CountWebGames = %d, %d, %v, want 1 and 3", mine, guests, err)
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
	if all, err := s.WebGames(9, 0); len(all) != 2 || err != nil {
		t.Errorf("left: %+v, %v", all, err)
	}
}
