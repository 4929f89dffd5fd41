// SPDX-License-Identifier: Apache-2.0

// Package explorer indexes collections of games by their positions, and returns the moves that were played from a position.
//
// # Basics
//
//	e := explorer.New(&explorer.Memory{}) // or another Store
//	report, err := e.Import(ctx, "club", files, explorer.Options{})
//	view, err := e.Explore(board, explorer.Filter{}) // what was played from here, in all collections
//
// Positions that are equal up to symmetry are counted together, and the order of moves does not matter: the statistics of a
// move include each game that reached, at any time, the position after that move.
//
// # Caveats
//
// A game must begin at the start position: games with stones that were set up are refused. A view lists at most [GamesShown] of
// the games that reached its position.
package explorer

import (
	"slices"
	"strings"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/symmetry"
	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/notation"
)

// Explorer reads and writes the collections in a store.
type Explorer struct{ store Store }

// New returns the explorer of a store.
func New(s Store) *Explorer { return &Explorer{s} }

// Store keeps collections of games.
type Store interface {
	// Collect returns the ID of the collection with this name, and creates the collection if it is missing.
	Collect(name string) (int64, error)
	// AddCollected adds indexed games to a collection, and returns the number of new games. It ignores a game whose digest is
	// in the store already, in any collection.
	AddCollected(collection int64, games []Collected) (added int, err error)
	// CollectedGames returns the games with these IDs, if they exist, the latest years first.
	CollectedGames(ids []int64) ([]Collected, error)
	// Count looks for the games that pass f and reached one of the positions with the given keys. For each such position it calls
	// add with the key and the results of these games; it may call add several times for a key, and the results then add up. It
	// returns the IDs of at most GamesShown of the games that reached the position of keys[0].
	Count(f Filter, keys []uint64, add func(key uint64, r Results)) (ids []int64, err error)
}

// Results counts games by how they ended.
type Results struct {
	First   int `json:"first"`
	Drawn   int `json:"drawn"`
	Second  int `json:"second"`
	Unknown int `json:"unknown"`
}

// All returns the number of games.
func (r Results) All() int { return r.First + r.Drawn + r.Second + r.Unknown }

// Add adds the counts of n.
func (r *Results) Add(n Results) {
	r.First, r.Drawn, r.Second, r.Unknown = r.First+n.First, r.Drawn+n.Drawn, r.Second+n.Second, r.Unknown+n.Unknown
}

// Count counts a game with an outcome in the form of Collected.Outcome.
func (r *Results) Count(outcome uint8) {
	switch game.Outcome(outcome) {
	case game.FirstWins:
		r.First++
	case game.SecondWins:
		r.Second++
	case game.Draw:
		r.Drawn++
	default:
		r.Unknown++
	}
}

// Collected is a game of a collection. Keys contains the key of each position of the game, including the start, in ascending
// order without duplicates; symmetric positions have the same key. Names contains the players' names, normalized for
// comparison. The function Index sets Digest, Keys and Names.
type Collected struct {
	ID            int64
	Collection    int64
	Digest        uint64
	Game          string
	First, Second string
	Event         string
	Year          int
	Moves         string
	Outcome       uint8     // a game.Outcome; 0 means that the outcome is unknown
	Origin        string    // ID of the game if it was played on this server
	Keys          []uint64  `db:"-"`
	Names         [2]string `db:"-"`
}

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
	Rows    []Row  // the moves from the position, the most frequently played move first
	Games   []Game // some of the games that reached this position
}

// PlayedHere is the name of the collection of the games that a person played on the page.
const PlayedHere = "games played here"

// GamesShown is the maximum number of games that a view lists.
const GamesShown = 12

// ErrStart is returned for a position that was set up with stones, so that the moves to it are unknown.
var ErrStart = fault.New("bad-start", "games begin at the start, and this position was set up")

// Filter selects the games that are counted. The zero Filter selects all.
type Filter struct {
	Collections []int64
	Player      string       // words that the name of at least one player must contain
	Outcome     game.Outcome // Ongoing: any
	From, To    int          // the first and the last year; 0 means no limit
}

// Words returns the words of f.Player, normalized as in Collected.Names.
func (f Filter) Words() []string { return strings.Fields(plain(f.Player)) }

// Has reports whether f selects games of the given collection.
func (f Filter) Has(collection int64) bool {
	return len(f.Collections) == 0 || slices.Contains(f.Collections, collection)
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
			// The row names the last of several symmetric moves. This move is in the upper right part of the board, where
			// openings are usually shown.
			v.Rows[i].Move = m
			continue
		}
		at[key] = len(v.Rows)
		v.Rows = append(v.Rows, Row{Move: m})
		keys = append(keys, key)
	}
	ids, err := e.store.Count(f, keys, func(key uint64, r Results) {
		if i, ok := at[key]; ok {
			v.Rows[i].Results.Add(r)
		}
		if key == here {
			v.Results.Add(r)
		}
	})
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

// games returns the games with these ids, rotated or mirrored so that they lead to the position of l. here is the key of
// that position.
func (e *Explorer) games(l *symmetry.Line, here uint64, ids []int64) ([]Game, error) {
	all, err := e.store.CollectedGames(ids)
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

// seenFrom rotates or mirrors the game c so that it leads to the position of l itself, not only to a symmetric position.
// here is the key of the position of l. ok is false if the game reaches neither this position nor a symmetric one.
func seenFrom(l *symmetry.Line, here uint64, c Collected) (g Game, ok bool) {
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
