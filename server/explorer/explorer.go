// SPDX-License-Identifier: Apache-2.0

// Package explorer stores collections of games, indexed by their positions, and returns the moves that were played from a position.
//
// # Basics
//
//	e := explorer.New(db)
//	report, err := e.Import(ctx, "club", files, progress)
//	view, err := e.Explore(board, explorer.Filter{}) // what was played from here, in all collections
//
// Positions that are equal up to symmetry are counted together, and the order of moves does not matter: a game counts for a move if
// it reached, at any time, the position after that move.
//
// # Caveats
//
// A game must begin at the start position: games with stones that were set up are refused. Only the first games of a position are
// listed, however many there are. A filtered request uses stored lists of games; it does not replay the games.
package explorer

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/symmetry"
	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/server/store"
)

// The names of the collections that Sync fills.
const (
	gamesHere      = "games played here"
	gamesOfMatches = "games of matches"
)

// Explorer reads and writes the collections in a store.
type Explorer struct {
	db *store.Store

	mu   sync.Mutex // held while Sync runs
	last atomic.Pointer[passed]
}

// New returns the explorer of a store.
func New(db *store.Store) *Explorer { return &Explorer{db: db} }

// Results counts games by how they ended.
type Results = store.Results

// Row is a move, with the results of the games that reached the position after it.
type Row struct {
	Move    game.Move
	Also    []game.Move // other moves that lead to the same position up to symmetry
	Results Results
}

// Game is a game that reached the requested position.
type Game struct {
	ID            int64
	First, Second string
	Event         string
	Year          int
	Outcome       game.Outcome
	Moves         []game.Move // rotated or mirrored so that they lead to the requested position itself
	Ply           int         // number of moves before the position
}

// View contains the statistics of the requested position.
type View struct {
	Results Results
	Rows    []Row  // the most frequently played first
	Games   []Game // some of the games with this position
}

// gamesShown is the maximum number of games that a view lists.
const gamesShown = 12

// ErrStart is returned for a position that was set up with stones, so that the moves to it are unknown.
var ErrStart = fault.New("bad-start", "games begin at the start, and this position was set up")

// Filter selects the games that are counted. The zero Filter selects all.
type Filter struct {
	Collections []int64
	Player      string       // words that the name of at least one player must contain
	Outcome     game.Outcome // Ongoing: any
	From, To    int          // years, 0 for any
}

func (f Filter) all() bool {
	return strings.TrimSpace(f.Player) == "" && f.Outcome == game.Ongoing && f.From == 0 && f.To == 0
}

// Explore returns the moves that were played from b in the games that pass a filter. It does not change b.
func (e *Explorer) Explore(b game.Board, f Filter) (v View, err error) {
	history := b.AppendHistory(nil)
	if len(history) != b.Ply() {
		return v, ErrStart
	}
	l := symmetry.NewLine(b.Game())
	for _, m := range history {
		if err := l.Play(m); err != nil {
			return v, err
		}
	}
	here := l.Key()
	keys := []uint64{here}
	at := map[uint64]int{} // maps the key of a position to its row
	for _, m := range l.Position().AppendMoves(nil) {
		if err := l.Play(m); err != nil {
			return v, err
		}
		key := l.Key()
		l.Undo()
		if i, ok := at[key]; ok {
			v.Rows[i].Also = append(v.Rows[i].Also, v.Rows[i].Move)
			v.Rows[i].Move = m // of several symmetric moves the last one, which is in the upper right part of the board, where openings are usually shown
			continue
		}
		at[key] = len(v.Rows)
		v.Rows = append(v.Rows, Row{Move: m})
		keys = append(keys, key)
	}
	count := e.countAll
	if !f.all() {
		count = e.countPassing
	}
	ids, err := count(&v, f, keys, at)
	if err != nil {
		return v, err
	}
	if v.Games, err = e.games(l, here, ids); err != nil {
		return v, err
	}
	v.Rows = slices.DeleteFunc(v.Rows, func(r Row) bool { return r.Results.All() == 0 })
	slices.SortStableFunc(v.Rows, func(a, b Row) int { return b.Results.All() - a.Results.All() })
	return v, nil
}

// countAll adds the stored results of the positions with these keys to v. keys[0] is the key of the requested position, and at maps
// the other keys to rows of v. It returns the ids of some games that reached keys[0].
func (e *Explorer) countAll(v *View, f Filter, keys []uint64, at map[uint64]int) (ids []int64, err error) {
	places, err := e.db.Places(keys)
	if err != nil {
		return nil, err
	}
	for _, p := range places {
		if !f.has(p.Collection) {
			continue
		}
		if i, ok := at[p.Key]; ok {
			v.Rows[i].Results.Add(p.Results)
		}
		if p.Key == keys[0] {
			v.Results.Add(p.Results)
		}
	}
	err = e.db.Playings(keys[:1], func(_ uint64, collection int64, games store.GameList) error {
		if !f.has(collection) {
			return nil
		}
		return games.Each(func(id int64) bool {
			ids = append(ids, id)
			return len(ids) < gamesShown
		})
	})
	return ids, err
}

// countPassing does the same as countAll, but counts only the games that pass f.
func (e *Explorer) countPassing(v *View, f Filter, keys []uint64, at map[uint64]int) (ids []int64, err error) {
	passing, err := e.passing(f)
	if err != nil {
		return nil, err
	}
	err = e.db.Playings(keys, func(key uint64, collection int64, games store.GameList) error {
		if !f.has(collection) {
			return nil
		}
		var results Results
		err := games.Each(func(id int64) bool {
			if o, ok := passing.Outcome(id); ok {
				results.Count(o)
				if key == keys[0] && len(ids) < gamesShown {
					ids = append(ids, id)
				}
			}
			return true
		})
		if i, ok := at[key]; ok {
			v.Rows[i].Results.Add(results)
		}
		if key == keys[0] {
			v.Results.Add(results)
		}
		return err
	})
	return ids, err
}

// passed is a cached result of the method passing: the games of all collections that pass the filter by, and the version of the
// store from which they were read.
type passed struct {
	by      string
	version int64
	games   store.GameSet
}

// passing returns the games of all collections that pass f. It caches the last result, because a user who steps through a game
// needs it again at each move.
func (e *Explorer) passing(f Filter) (store.GameSet, error) {
	f.Collections = nil
	by := fmt.Sprint(f)
	version, err := e.db.Version()
	if err != nil {
		return nil, err
	}
	if last := e.last.Load(); last != nil && last.by == by && last.version == version {
		return last.games, nil
	}
	only := store.CollectedFilter{Player: strings.Fields(plain(f.Player)), From: f.From, To: f.To, Outcome: uint8(f.Outcome)}
	games, err := e.db.Passing(only)
	if err == nil {
		e.last.Store(&passed{by, version, games})
	}
	return games, err
}

func (f Filter) has(collection int64) bool {
	return len(f.Collections) == 0 || slices.Contains(f.Collections, collection)
}

// games returns the first few games with these ids, rotated or mirrored so that they lead to the position of l. here is the key of
// that position.
func (e *Explorer) games(l *symmetry.Line, here uint64, ids []int64) ([]Game, error) {
	all, err := e.db.CollectedGames(ids[:min(len(ids), gamesShown)])
	if err != nil {
		return nil, err
	}
	var games []Game
	for _, c := range all {
		if g, ok := seenFrom(l, here, c); ok {
			games = append(games, g)
		}
	}
	return games, nil
}

// seenFrom rotates or mirrors a game so that it leads to the position of l itself. here is the key of that position. ok is false if
// the game does not reach it.
func seenFrom(l *symmetry.Line, here uint64, c store.Collected) (g Game, ok bool) {
	rules := l.Position().Game()
	moves, err := notation.ParseMoves(rules, c.Moves)
	if err != nil {
		return g, false
	}
	back := l.Views()[l.View()].Inverse()
	own := symmetry.NewLine(rules)
	for ply := 0; ; ply++ {
		if own.Key() == here {
			to := own.Views()[own.View()]
			g = Game{ID: c.ID, First: c.First, Second: c.Second, Event: c.Event, Year: c.Year, Outcome: game.Outcome(c.Outcome), Ply: ply}
			for _, m := range moves {
				g.Moves = append(g.Moves, back.Moves[to.Moves[m]])
			}
			return g, true
		}
		if ply == len(moves) || own.Play(moves[ply]) != nil {
			return g, false
		}
	}
}

// syncedAtOnce is the maximum number of games of each kind that one call of Sync adds.
const syncedAtOnce = 500

// SyncAll calls Sync until no more games are left.
func (e *Explorer) SyncAll() error {
	for {
		if more, err := e.Sync(); err != nil || !more {
			return err
		}
	}
}

// Sync adds new games of this server to their collections: games played at the board, and games of matches. It leaves out private
// games, and removes a game that has become private. A call adds at most some hundreds of games, the oldest first. more reports
// whether there are further games to add.
func (e *Explorer) Sync() (more bool, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	here, err := e.db.Collect(gamesHere)
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
		if err = index(&c); err == nil {
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
	var games []store.Collected
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
	var games []store.Collected
	for _, g := range played {
		seen = g.Number
		games = appendPlayed(games, g, store.RunOrigin(g.Run))
	}
	return len(played) == syncedAtOnce, e.follow(collection, games, seen)
}

// appendPlayed appends game g, unless it began with stones on the board or its rules are unknown to this program.
func appendPlayed(games []store.Collected, g store.Game, origin string) []store.Collected {
	outcome, _ := record.ParseOutcome(g.Outcome) // Ongoing if the game has no result
	c := store.Collected{Game: g.Game, First: g.First, Second: g.Second, Year: g.Created.Year(), Moves: g.Moves, Outcome: uint8(outcome), Origin: origin}
	if g.Start != "" || index(&c) != nil {
		return games
	}
	return append(games, c)
}

// follow adds games to a collection, and stores seen, the time or the number of the last game that was examined.
func (e *Explorer) follow(collection int64, games []store.Collected, seen int64) error {
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

// lineKeys returns the keys of all positions of a game, sorted and without duplicates. l must be at the start position, and is
// there again afterwards.
func lineKeys(l *symmetry.Line, moves []game.Move) ([]uint64, error) {
	keys := make([]uint64, 1, len(moves)+1)
	keys[0] = l.Key()
	played := 0
	var err error
	for _, m := range moves {
		if err = l.Play(m); err != nil {
			break
		}
		played++
		keys = append(keys, l.Key())
	}
	for range played {
		l.Undo()
	}
	slices.Sort(keys)
	return slices.Compact(keys), err
}
