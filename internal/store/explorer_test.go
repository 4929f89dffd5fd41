// SPDX-License-Identifier: Apache-2.0

package store

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"
)

// withoutExplorer makes the tables of the explorer again as they were before migration 5.
var withoutExplorer = []string{"DROP TABLE places", "DROP TABLE collected", "DROP TABLE collections"}

func TestExplorer(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "krow.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	club, err := s.Collect("club")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := s.Collect("club"); err != nil || again.ID != club.ID {
		t.Errorf("the same name is collection %d and %d, %v", club.ID, again.ID, err)
	}
	other, err := s.Collect("other")
	if err != nil {
		t.Fatal(err)
	}
	const high = 1<<63 + 5 // a key is no signed number
	add := func(c Collection, want int, games ...Collected) {
		t.Helper()
		if n, err := s.AddCollected(c.ID, games); n != want || err != nil {
			t.Errorf("%d games added, want %d, %v", n, want, err)
		}
	}
	a := Collected{Digest: 1, Game: "gomoku", First: "anna", Moves: "h8 h9", Outcome: 1, Keys: []uint64{1, 2, high}}
	b := Collected{Digest: high, Game: "gomoku", Moves: "h8", Outcome: 3, Keys: []uint64{1, 2}}
	add(club, 2, a, b, a)
	add(other, 1, a, Collected{Digest: 3, Game: "gomoku", Moves: "a1", Keys: []uint64{1, 7}})
	got := func(keys ...uint64) []Place {
		t.Helper()
		all, err := s.Places(keys)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	if p := got(high); len(p) != 1 || p[0].Key != high || p[0].Results != [4]int{0, 1, 0, 0} || !slices.Equal(p[0].Games, []int64{1}) {
		t.Errorf("a position of one game is %+v", p)
	}
	if p := got(1); len(p) != 2 || p[0].Results != [4]int{0, 1, 0, 1} || p[1].Results != [4]int{1, 0, 0, 0} {
		t.Errorf("a position of two collections is %+v", p)
	}
	games, err := s.CollectedGames([]int64{2, 1, 99})
	if err != nil || len(games) != 2 || games[0].First != "anna" {
		t.Errorf("games %+v, %v", games, err)
	}
	// A game is taken back with its places.
	a.ID, a.Collection = 1, club.ID
	if err := s.RemoveCollected(a); err != nil {
		t.Fatal(err)
	}
	if p := got(2, high); len(p) != 1 || p[0].Results != [4]int{0, 0, 0, 1} {
		t.Errorf("without the game the places are %+v", p)
	}
	if err := s.DeleteCollection(club.ID); err != nil {
		t.Fatal(err)
	}
	if p := got(1, 2); len(p) != 1 || p[0].Collection != other.ID {
		t.Errorf("without the collection the places are %+v", p)
	}
	if err := s.DeleteCollection(club.ID); !errors.Is(err, ErrNoCollection) {
		t.Errorf("deleted twice: %v", err)
	}
	add(other, 1, a)
	all, err := s.Collections()
	if err != nil || len(all) != 1 || all[0].Games != 2 {
		t.Errorf("collections %+v, %v", all, err)
	}
}

// A place keeps the numbers of its first games, and counts all of them.
func TestPlaceOfMany(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "krow.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c, err := s.Collect("many")
	if err != nil {
		t.Fatal(err)
	}
	for part := range uint64(3) {
		var games []Collected
		for i := range uint64(300) {
			games = append(games, Collected{Digest: part*300 + i, Outcome: uint8(i % 4), Keys: []uint64{7, 1000 + part*300 + i}})
		}
		if n, err := s.AddCollected(c.ID, games); n != 300 || err != nil {
			t.Fatal(n, err)
		}
	}
	p, err := s.Places([]uint64{7})
	if err != nil || len(p) != 1 || p[0].Results != [4]int{225, 225, 225, 225} || len(p[0].Games) < 12 || p[0].Games[0] != 1 {
		t.Errorf("%+v, %v", p, err)
	}
}
