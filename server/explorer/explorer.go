// SPDX-License-Identifier: Apache-2.0

// Package explorer keeps the collections of games of package app/explorer in the store of a server, and adds the games that are
// played on the server.
//
// # Basics
//
//	e := explorer.New(db)
//	report, err := e.Import(ctx, "club", files, explorer.Options{})
//	view, err := e.Explore(board, explorer.Filter{}) // what was played from here, in all collections
//
// # Caveats
//
// A filtered request uses stored lists of games; it does not replay the games.
package explorer

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/krow-lab/krow/app/explorer"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/server/store"
)

// These types come from package app/explorer.
type (
	Filter  = explorer.Filter
	Options = explorer.Options
	File    = explorer.File
	Report  = explorer.Report
	Results = explorer.Results
)

// gamesOfMatches is the name of a collection that Sync fills. The other collection is [explorer.PlayedHere].
const gamesOfMatches = "games of matches"

// Explorer reads and writes the collections in the store of a server.
type Explorer struct {
	*explorer.Explorer
	db *store.Store

	mu sync.Mutex // held while Sync runs
}

// New returns the explorer of a store.
func New(db *store.Store) *Explorer {
	return &Explorer{Explorer: explorer.New(&indexed{Store: db}), db: db}
}

// indexed makes a server's store an [explorer.Store]: it adds the methods that package app/explorer needs.
type indexed struct {
	*store.Store
	last atomic.Pointer[passed]
}

// Collect returns the ID of the collection with this name. If there is no such collection, Collect creates it.
func (e *indexed) Collect(name string) (int64, error) {
	c, err := e.Store.Collect(name)
	return c.ID, err
}

// Count implements [explorer.Store] with the index of the store. Without a filter by player, outcome or year, it reads stored
// sums; otherwise it counts the games that pass f.
func (e *indexed) Count(f Filter, keys []uint64, add func(key uint64, r Results)) (ids []int64, err error) {
	if strings.TrimSpace(f.Player) == "" && f.Outcome == game.Ongoing && f.From == 0 && f.To == 0 {
		return e.countAll(f, keys, add)
	}
	return e.countPassing(f, keys, add)
}

// countAll counts the games of all collections of f. It does not look at the other fields of f.
func (e *indexed) countAll(f Filter, keys []uint64, add func(key uint64, r Results)) (ids []int64, err error) {
	places, err := e.Places(keys)
	if err != nil {
		return nil, err
	}
	for _, p := range places {
		if f.Has(p.Collection) {
			add(p.Key, p.Results)
		}
	}
	err = e.Playings(keys[:1], func(_ uint64, collection int64, games store.GameList) error {
		if !f.Has(collection) {
			return nil
		}
		return games.Each(func(id int64) bool {
			ids = append(ids, id)
			return len(ids) < explorer.GamesShown
		})
	})
	return ids[:min(len(ids), explorer.GamesShown)], err
}

// countPassing counts the games that pass f.
func (e *indexed) countPassing(f Filter, keys []uint64, add func(key uint64, r Results)) (ids []int64, err error) {
	passing, err := e.passing(f)
	if err != nil {
		return nil, err
	}
	err = e.Playings(keys, func(key uint64, collection int64, games store.GameList) error {
		if !f.Has(collection) {
			return nil
		}
		var results Results
		err := games.Each(func(id int64) bool {
			if o, ok := passing.Outcome(id); ok {
				results.Count(o)
				if key == keys[0] && len(ids) < explorer.GamesShown {
					ids = append(ids, id)
				}
			}
			return true
		})
		add(key, results)
		return err
	})
	return ids, err
}

// passed is a cached result of the method passing. It contains the games of all collections that pass a filter, and the version
// of the store from which they were read. The field by is the filter as text.
type passed struct {
	by      string
	version int64
	games   store.GameSet
}

// passing returns the games that pass f, from all collections: it ignores the field Collections of f. It caches the last result,
// because a user who steps through a game needs this result again at each move.
func (e *indexed) passing(f Filter) (store.GameSet, error) {
	f.Collections = nil
	by := fmt.Sprint(f)
	version, err := e.Version()
	if err != nil {
		return nil, err
	}
	if last := e.last.Load(); last != nil && last.by == by && last.version == version {
		return last.games, nil
	}
	only := store.CollectedFilter{Player: f.Words(), From: f.From, To: f.To, Outcome: uint8(f.Outcome)}
	games, err := e.Passing(only)
	if err == nil {
		e.last.Store(&passed{by, version, games})
	}
	return games, err
}

// syncedAtOnce is the maximum number of games of each kind that one call of Sync adds.
const syncedAtOnce = 500

// Sync adds new games of this server to their collections: games played at the board, and games of matches. It leaves out private
// games, and removes a game that has become private. A call adds at most some hundreds of games, the oldest first. more reports
// whether there are further games to add.
func (e *Explorer) Sync() (more bool, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	here, err := e.db.Collect(explorer.PlayedHere)
	if err != nil {
		return false, err
	}
	matches, err := e.db.Collect(gamesOfMatches)
	if err != nil {
		return false, err
	}
	if err := e.removeGone(here.ID, matches.ID); err != nil {
		return false, err
	}
	moreHere, err := e.syncBoard(here.ID)
	if err != nil {
		return false, err
	}
	moreMatches, err := e.syncMatches(matches.ID)
	return moreHere || moreMatches, err
}

// removeGone removes games that were deleted or became private.
func (e *Explorer) removeGone(here, matches int64) error {
	gone, err := e.db.Gone(here, matches)
	for _, c := range gone {
		if err = explorer.Index(&c); err == nil {
			err = e.db.RemoveCollected(c)
		}
		if err != nil {
			return err
		}
	}
	return err
}

// syncBoard adds new games played at the board to a collection, at most syncedAtOnce.
func (e *Explorer) syncBoard(collection int64) (more bool, err error) {
	seen, err := e.db.Seen(collection)
	if err != nil {
		return false, err
	}
	late, err := e.db.LateGames(time.UnixMilli(seen), syncedAtOnce)
	if err != nil {
		return false, err
	}
	played, err := e.db.NewGames(time.UnixMilli(seen), syncedAtOnce)
	if err != nil {
		return false, err
	}
	var games []explorer.Collected
	for _, g := range slices.Concat(late, played) {
		seen = max(seen, g.Updated.UnixMilli())
		games = appendPlayed(games, g, g.ID)
	}
	return len(played) == syncedAtOnce, e.follow(collection, games, seen)
}

// syncMatches adds new games of matches to a collection, at most syncedAtOnce.
func (e *Explorer) syncMatches(collection int64) (more bool, err error) {
	seen, err := e.db.Seen(collection)
	if err != nil {
		return false, err
	}
	played, err := e.db.NewGamesOfRuns(seen, syncedAtOnce)
	if err != nil {
		return false, err
	}
	var games []explorer.Collected
	for _, g := range played {
		seen = g.Number
		games = appendPlayed(games, g, store.RunOrigin(g.Run))
	}
	return len(played) == syncedAtOnce, e.follow(collection, games, seen)
}

// appendPlayed appends game g, unless it began with stones on the board or its rules are unknown to this program.
func appendPlayed(games []explorer.Collected, g store.Game, origin string) []explorer.Collected {
	outcome, _ := record.ParseOutcome(g.Outcome) // for a game without a result, ParseOutcome returns Ongoing and an error
	c := explorer.Collected{Game: g.Game, First: g.First, Second: g.Second, Year: g.Created.Year(), Moves: g.Moves, Outcome: uint8(outcome), Origin: origin}
	if g.Start != "" || explorer.Index(&c) != nil {
		return games
	}
	return append(games, c)
}

// follow adds games to a collection. It also stores seen, which is the time or the number of the last examined game.
func (e *Explorer) follow(collection int64, games []explorer.Collected, seen int64) error {
	if len(games) > 0 {
		if _, err := e.db.AddCollected(collection, games); err != nil {
			return err
		}
	}
	if before, err := e.db.Seen(collection); err != nil || before == seen {
		return err
	}
	return e.db.SetSeen(collection, seen)
}
