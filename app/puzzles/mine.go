// SPDX-License-Identifier: Apache-2.0

package puzzles

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/arena/work"
	"github.com/krow-lab/krow/internal/atomicfile"
)

// Quota says how many puzzles are wanted of a game.
type Quota struct {
	Game  string
	Count int
}

// Collection returns the quotas of a collection of count puzzles.
func Collection(count int) []Quota {
	shares := []Quota{{"connect4", 34}, {"ultimate", 24}, {"gomoku", 16}, {"renju", 13}, {"standard", 10}, {"caro", 3}}
	for i := range shares {
		shares[i].Count = (shares[i].Count*count + 99) / 100
	}
	return shares
}

// Mine describes the puzzles to find. The puzzles of a game depend on its number alone.
type Mine struct {
	Quotas []Quota
	Seed   uint64
	Queue  work.Queue // plays the games: see Kinds
}

// Out is the file that the puzzles of a mine are kept in, and how a person hears of them.
type Out struct {
	Name string // empty: they are only returned
	Tell func(n int, p Puzzle)
}

// often is the number of puzzles after which a file is written again.
const often = 25

// File returns a file of puzzles: first the puzzles of the file out, if it exists, and then the new ones. It writes
// out now and then and at the end, so that little is lost.
func (m Mine) File(ctx context.Context, out Out) ([]byte, error) {
	var have []Puzzle
	if _, err := os.Stat(out.Name); out.Name != "" && err == nil {
		if have, err = Load(out.Name); err != nil {
			return nil, err
		}
	}
	return out.keep(have, func(found func(Puzzle) error) error { return m.Find(ctx, have, found) })
}

// keep returns a file of the puzzles of have, and of the puzzles that find finds.
func (out Out) keep(have []Puzzle, find func(found func(Puzzle) error) error) (data []byte, err error) {
	for _, p := range have {
		if data, err = p.Append(data); err != nil {
			return nil, err
		}
	}
	n := len(have)
	err = find(func(p Puzzle) (err error) {
		if data, err = p.Append(data); err != nil {
			return err
		}
		n++
		out.Tell(n, p)
		if out.Name != "" && n%often == 0 {
			return atomicfile.Write(out.Name, data)
		}
		return nil
	})
	if out.Name != "" {
		err = cmp.Or(err, atomicfile.Write(out.Name, data))
	}
	return data, err
}

// Find calls found with each puzzle that is missing from have, until the quotas are met. It continues where have
// ends. In five in a row at most two thirds are defences, because defences are found more often than wins with one
// first move. An interrupted search that continues finds the same puzzles as an uninterrupted one.
func (m Mine) Find(ctx context.Context, have []Puzzle, found func(Puzzle) error) error {
	for _, q := range m.Quotas {
		v, err := m.searchQuota(q, have)
		for err == nil && v.count < q.Count {
			err = v.dig(ctx, found)
		}
		if err != nil && !errors.Is(err, errEnough) {
			return err
		}
	}
	return nil
}

// quotaSearch is the search for the puzzles of one game.
type quotaSearch struct {
	Mine
	quota       Quota
	game        string
	next        int // number of the game that is played next
	last        int // of the last with a puzzle
	had         map[string]bool
	count       int
	defences    int // of the games before next
	mostDefence int
}

// searchQuota returns the search for the missing puzzles; it starts where have ends.
func (m Mine) searchQuota(q Quota, have []Puzzle) (*quotaSearch, error) {
	g, err := krow.Game(q.Game)
	if err != nil {
		return nil, err
	}
	v := &quotaSearch{Mine: m, quota: q, game: g.String(), had: map[string]bool{}, mostDefence: (2*q.Count + 2) / 3}
	again := 0
	for _, p := range have {
		n, mine := v.number(p)
		if !mine {
			continue
		}
		if n > v.next { // game next is played again
			v.next, v.defences, again = n, v.defences+again, 0
		}
		again += b2i(p.Theme == Defence)
		v.had[p.Moves] = true
		v.count++
	}
	v.last = v.next
	return v, nil
}

// number returns the number of the game that a puzzle comes from, and whether it is one of this search.
func (v *quotaSearch) number(p Puzzle) (n int, mine bool) {
	var seed uint64
	_, err := fmt.Sscanf(p.From, "self-play %d/%d", &seed, &n)
	return n, err == nil && seed == v.Seed && p.Game == v.game
}

// errWins ends a part of the search: there are defences enough.
var errWins = errors.New("wins only")

// dig has games played until the quota is met, or there are defences enough.
func (v *quotaSearch) dig(ctx context.Context, found func(Puzzle) error) error {
	from, winsOnly := v.next, v.defences >= v.mostDefence
	units := func(yield func(work.Unit, error) bool) {
		for n := from; ; n++ {
			u, err := work.New(unitKind, unitArgs{v.quota.Game, n, winsOnly}, v.Seed)
			if !yield(u, err) || err != nil {
				return
			}
		}
	}
	err := v.Queue.Run(ctx, units, func(i int, data []byte) error {
		var all []Puzzle
		if err := json.Unmarshal(data, &all); err != nil {
			return err
		}
		if err := v.addPuzzles(from+i, all, found); err != nil {
			return err
		}
		if !winsOnly && v.defences >= v.mostDefence {
			return errWins
		}
		return nil
	})
	if errors.Is(err, errWins) {
		return nil
	}
	return err
}

// addPuzzles counts the puzzles of game n.
func (v *quotaSearch) addPuzzles(n int, all []Puzzle, found func(Puzzle) error) error {
	for _, p := range all {
		v.last = n
		v.defences += b2i(p.Theme == Defence)
		if v.had[p.Moves] {
			continue
		}
		if err := found(p); err != nil {
			return err
		}
		if v.count++; v.count >= v.quota.Count {
			return errEnough
		}
	}
	if v.next = n + 1; v.next-v.last >= barrenGames {
		return fmt.Errorf("no puzzle in %d games of %s", barrenGames, v.game)
	}
	return nil
}

// unitKind is the kind of a unit of work that is a game to take puzzles from.
const unitKind = "game with puzzles"

// unitArgs are the arguments of a work unit. Its seed is the miner's seed.
type unitArgs struct {
	Game     string `json:"game"`
	Number   int    `json:"number"`
	WinsOnly bool   `json:"wins_only,omitempty"`
}

// Kinds returns the table of the work units that a process can do for miners of puzzles.
func Kinds() work.Kinds {
	return work.Kinds{unitKind: func(ctx context.Context, u work.Unit) ([]byte, error) {
		var args unitArgs
		if err := json.Unmarshal(u.Args, &args); err != nil {
			return nil, err
		}
		m, err := NewMiner(args.Game, u.Seed)
		if err != nil {
			return nil, err
		}
		all, err := m.Puzzles(ctx, args.Number, args.WinsOnly)
		if err != nil {
			return nil, err
		}
		return json.Marshal(all)
	}}
}
