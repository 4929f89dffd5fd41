// SPDX-License-Identifier: Apache-2.0

package explorer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/krow-lab/krow/game"
)

// Memory is a Store in memory, for one goroutine at a time. The zero Memory is empty.
type Memory struct {
	names   []string // names of the collections; the ID of a collection is its index plus 1
	games   []Collected
	last    int64 // the ID of the game that was added last
	digests map[uint64]bool
}

// Collect returns the ID of a collection.
func (m *Memory) Collect(name string) (int64, error) {
	i := slices.Index(m.names, name)
	if i < 0 {
		i = len(m.names)
		m.names = append(m.names, name)
	}
	return int64(i + 1), nil
}

// AddCollected adds games.
func (m *Memory) AddCollected(collection int64, games []Collected) (added int, err error) {
	if m.digests == nil {
		m.digests = map[uint64]bool{}
	}
	for _, g := range games {
		if m.digests[g.Digest] {
			continue
		}
		m.digests[g.Digest] = true
		m.last++
		added++
		g.ID, g.Collection = m.last, collection
		m.games = append(m.games, g)
	}
	return added, nil
}

// Empty removes all games of a collection.
func (m *Memory) Empty(collection int64) {
	m.games = slices.DeleteFunc(m.games, func(g Collected) bool {
		if g.Collection == collection {
			delete(m.digests, g.Digest)
		}
		return g.Collection == collection
	})
}

// Collection is a collection of a Memory.
type Collection struct {
	ID    int64  `json:"id"`
	Name  string `json:"name"`
	Games int    `json:"games"`
}

// Collections returns the collections that have games.
func (m *Memory) Collections() (all []Collection) {
	for i, name := range m.names {
		all = append(all, Collection{ID: int64(i + 1), Name: name})
	}
	for _, g := range m.games {
		all[g.Collection-1].Games++
	}
	return slices.DeleteFunc(all, func(c Collection) bool { return c.Games == 0 })
}

// CollectedGames returns games by their IDs.
func (m *Memory) CollectedGames(ids []int64) (games []Collected, err error) {
	for _, g := range m.games {
		if slices.Contains(ids, g.ID) {
			games = append(games, g)
		}
	}
	slices.SortStableFunc(games, func(a, b Collected) int { return cmp.Compare(b.Year, a.Year) })
	return games, nil
}

// Count looks for the keys in each game.
func (m *Memory) Count(f Filter, keys []uint64, add func(key uint64, r Results)) (ids []int64, err error) {
	words := f.Words()
	for _, g := range m.games {
		if !f.passes(&g, words) {
			continue
		}
		var r Results
		r.Count(g.Outcome)
		for i, key := range keys {
			if _, found := slices.BinarySearch(g.Keys, key); found {
				add(key, r)
				if i == 0 && len(ids) < GamesShown {
					ids = append(ids, g.ID)
				}
			}
		}
	}
	return ids, nil
}

// passes reports whether f selects the game g. words is the result of f.Words.
func (f Filter) passes(g *Collected, words []string) bool {
	return f.Has(g.Collection) && (f.Outcome == game.Ongoing || uint8(f.Outcome) == g.Outcome) &&
		g.Year >= f.From && (f.To == 0 || g.Year <= f.To) &&
		slices.ContainsFunc(g.Names[:], func(name string) bool {
			return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(name, word) })
		})
}
