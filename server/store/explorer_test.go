// SPDX-License-Identifier: Apache-2.0

package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow/app/explorer"
)

func TestExplorerCounts(t *testing.T) {
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
	add := func(c Collection, want int, games ...explorer.Collected) {
		t.Helper()
		if n, err := s.AddCollected(c.ID, games); n != want || err != nil {
			t.Errorf("%d games added, want %d, %v", n, want, err)
		}
	}
	a := explorer.Collected{Digest: 1, Game: "gomoku", First: "anna", Moves: "h8 h9", Outcome: 1, Year: 2001, Keys: []uint64{1, 2, high}, Names: [2]string{"anna", ""}}
	b := explorer.Collected{Digest: high, Game: "gomoku", Moves: "h8", Outcome: 3, Keys: []uint64{1, 2}, Names: [2]string{"bert", "anna lind"}}
	add(club, 2, a, b, a)
	add(other, 1, a, explorer.Collected{Digest: 3, Game: "gomoku", Moves: "a1", Keys: []uint64{1, 7}})
	got := func(keys ...uint64) []Place {
		t.Helper()
		all, err := s.Places(keys)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	if p := got(high); len(p) != 1 || p[0].Key != high || p[0].Results != (explorer.Results{First: 1}) {
		t.Errorf("a position of one game is %+v", p)
	}
	for key, want := range map[uint64][]int64{2: {1, 2}, high: {1}} {
		if p := playings(t, s, key); len(p) != 1 || !slices.Equal(p[club.ID], want) {
			t.Errorf("games of position %d: %+v, want %v", key, p, want)
		}
	}
	passing := func(f CollectedFilter) (ids string) {
		t.Helper()
		set, err := s.Passing(f)
		if err != nil {
			t.Fatal(err)
		}
		for id := range int64(200) {
			if o, ok := set.Outcome(id); ok {
				ids += fmt.Sprintf("%d:%d ", id, o)
			}
		}
		return strings.TrimSpace(ids)
	}
	for _, tc := range []struct {
		f    CollectedFilter
		want string
	}{
		{CollectedFilter{}, "1:1 2:3 3:0"},
		{CollectedFilter{Player: []string{"anna"}}, "1:1 2:3"},
		{CollectedFilter{Player: []string{"ann", "li"}}, "2:3"},
		{CollectedFilter{From: 2001}, "1:1"},
		{CollectedFilter{Outcome: 3}, "2:3"},
		{CollectedFilter{Player: []string{"anna"}, Outcome: 1}, "1:1"},
		{CollectedFilter{To: 2000}, "2:3 3:0"},
		{CollectedFilter{Player: []string{"bert"}, From: 2001}, ""},
	} {
		if got := passing(tc.f); got != tc.want {
			t.Errorf("%+v passes %q, want %q", tc.f, got, tc.want)
		}
	}
	if p := got(1); len(p) != 2 || p[0].Results != (explorer.Results{First: 1, Drawn: 1}) || p[1].Results != (explorer.Results{Unknown: 1}) {
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
	if p := got(2, high); len(p) != 1 || p[0].Results != (explorer.Results{Drawn: 1}) {
		t.Errorf("without the game the places are %+v", p)
	}
	if got := passing(CollectedFilter{Player: []string{"anna"}}); got != "2:3" {
		t.Errorf("without the game the filter passes %q", got)
	}
	if err := s.DeleteCollection(club.ID); err != nil {
		t.Fatal(err)
	}
	if p := got(1, 2); len(p) != 1 || p[0].Collection != other.ID {
		t.Errorf("without the collection the places are %+v", p)
	}
	if got := passing(CollectedFilter{}); got != "3:0" {
		t.Errorf("without the collection the filter passes %q", got)
	}
	if err := s.DeleteCollection(club.ID); !errors.Is(err, errNoCollection) {
		t.Errorf("deleted twice: %v", err)
	}
	add(other, 1, a)
	all, err := s.Collections()
	if err != nil || len(all) != 1 || all[0].Games != 2 {
		t.Errorf("collections %+v, %v", all, err)
	}
}

// playings returns the games of a position by collections.
func playings(t *testing.T, s *Store, key uint64) map[int64][]int64 {
	t.Helper()
	all := map[int64][]int64{}
	err := s.Playings([]uint64{key}, func(k uint64, collection int64, games GameList) error {
		if k != key {
			t.Errorf("position %d, want %d", k, key)
		}
		return games.Each(func(id int64) bool {
			all[collection] = append(all[collection], id)
			return true
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A place keeps the numbers of all games.
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
		var games []explorer.Collected
		for i := range uint64(300) {
			games = append(games, explorer.Collected{Digest: part*300 + i, Outcome: uint8(i % 4), Keys: []uint64{7, 1000 + part*300 + i}})
		}
		if n, err := s.AddCollected(c.ID, games); n != 300 || err != nil {
			t.Fatal(n, err)
		}
	}
	p, err := s.Places([]uint64{7})
	if err != nil || len(p) != 1 || p[0].Results != (explorer.Results{Unknown: 225, First: 225, Second: 225, Drawn: 225}) {
		t.Errorf("%+v, %v", p, err)
	}
	if all := playings(t, s, 7)[c.ID]; len(all) != 900 || all[0] != 1 || all[899] != 900 {
		t.Errorf("%+v", all)
	}
	set, err := s.Passing(CollectedFilter{Outcome: 3})
	o, last := set.Outcome(900)
	_, before := set.Outcome(899)
	_, far := set.Outcome(1 << 40)
	if err != nil || o != 3 || !last || before || far {
		t.Errorf("%v, %v, %v, %v, %v", o, last, before, far, err)
	}
}
