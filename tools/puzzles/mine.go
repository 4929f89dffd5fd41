// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/puzzles"
	"github.com/krow-lab/krow/arena/work"
)

// quota is the wanted number of puzzles for a game.
type quota struct {
	game  string
	count int
}

// collection returns the quotas of a collection of count puzzles.
func collection(count int) []quota {
	shares := []quota{{"connect4", 34}, {"ultimate", 24}, {"gomoku", 16}, {"renju", 13}, {"standard", 10}, {"caro", 3}}
	for i := range shares {
		shares[i].count = (shares[i].count*count + 99) / 100
	}
	return shares
}

// mine finds new puzzles until the file has the wanted number for each game, and appends them to the file.
func mine(ctx context.Context, o options, have []puzzles.Puzzle) error {
	quotas := collection(o.count)
	if o.game != "" {
		quotas = []quota{{o.game, o.count}}
	}
	out, err := os.OpenFile(o.file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer out.Close()
	n := len(have)
	for _, q := range quotas {
		err := q.find(ctx, o, have, func(p puzzles.Puzzle) error {
			line, err := p.Append(nil)
			if err == nil {
				_, err = out.Write(line)
			}
			n++
			fmt.Fprintf(os.Stderr, "\r%d puzzles, %s %s", n, p.Game, p.From)
			return err
		})
		if err != nil {
			return err
		}
	}
	fmt.Fprintln(os.Stderr)
	return out.Close()
}

// These errors stop playGames. errEnough means that the quota is reached. errWins means that there are enough puzzles with
// the theme defence; the search then continues for wins only.
var (
	errEnough = errors.New("enough")
	errWins   = errors.New("wins only")
)

// barrenGames is the number of games without a puzzle after which a search ends, because on a small board there may be no
// puzzle.
const barrenGames = 500

// find calls found with each new puzzle until the quota is reached. It continues after the last puzzle of have, so that an
// interrupted search finds the same puzzles as an uninterrupted search. In games without an exact solver at most half of the
// puzzles are defences, because defences are found more often than wins with only one winning move.
func (q quota) find(ctx context.Context, o options, have []puzzles.Puzzle, found func(puzzles.Puzzle) error) error {
	g, err := krow.Game(q.game)
	if err != nil {
		return err
	}
	// next is the number of the next game to play. It begins with the game of the last puzzle in the parameter have: that game is
	// played again, because it may contain more puzzles.
	next, defences, known := 0, 0, map[string]bool{}
	number := func(p puzzles.Puzzle) (n int) {
		var seed uint64
		if _, err := fmt.Sscanf(p.From, "self-play %d/%d", &seed, &n); err != nil || seed != o.seed || p.Game != g.String() {
			return -1
		}
		return n
	}
	for _, p := range have {
		if n := number(p); n >= 0 {
			next, known[p.Moves] = max(next, n), true
		}
	}
	for _, p := range have {
		if n := number(p); n >= 0 && n < next {
			defences += b2i(p.Theme == puzzles.Defence)
		}
	}
	last, most := next, (q.count+1)/2
	for len(known) < q.count {
		from, winsOnly := next, defences >= most
		err := q.playGames(ctx, o, from, winsOnly, func(n int, all []puzzles.Puzzle) error {
			for _, p := range all {
				last = n
				defences += b2i(p.Theme == puzzles.Defence)
				if known[p.Moves] {
					continue
				}
				known[p.Moves] = true
				if err := found(p); err != nil {
					return err
				}
				if len(known) >= q.count {
					return errEnough
				}
			}
			if next = n + 1; next-last >= barrenGames {
				return fmt.Errorf("no puzzle in %d games of %s", barrenGames, g)
			}
			if !winsOnly && defences >= most {
				return errWins
			}
			return nil
		})
		if err != nil && !errors.Is(err, errWins) && !errors.Is(err, errEnough) {
			return err
		}
	}
	return nil
}

// playGames plays the games with the numbers from, from+1, ..., several at once. It calls done with the puzzles of each
// game in the order of the numbers, until done returns an error.
func (q quota) playGames(ctx context.Context, o options, from int, winsOnly bool, done func(n int, all []puzzles.Puzzle) error) error {
	const kind = "game"
	pool := work.Pool{Jobs: o.jobs, Kinds: work.Kinds{kind: func(ctx context.Context, u work.Unit) ([]byte, error) {
		var n int
		if err := json.Unmarshal(u.Args, &n); err != nil {
			return nil, err
		}
		m, err := newMiner(q.game, o.seed)
		if err != nil {
			return nil, err
		}
		all, err := m.findPuzzles(ctx, n, winsOnly)
		if err != nil {
			return nil, err
		}
		return json.Marshal(all)
	}}}
	units := func(yield func(work.Unit, error) bool) {
		for n := from; yield(work.New(kind, n, o.seed)); n++ {
		}
	}
	return pool.Run(ctx, units, func(i int, data []byte) error {
		var all []puzzles.Puzzle
		if err := json.Unmarshal(data, &all); err != nil {
			return err
		}
		return done(from+i, all)
	})
}
