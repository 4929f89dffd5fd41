// SPDX-License-Identifier: Apache-2.0

package league

import (
	"fmt"
	"slices"
	"strings"

	"github.com/krow-lab/krow/arena/stats"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/server/store"
)

// fixture is a meeting of two members in a round. They play two games from the same seed.
type fixture struct {
	round  int
	a, b   *Member // a moves first in the first game
	played int
}

const gamesOfFixture = 2

// result is the part of a game that the table and the plan of the next round need.
type result struct {
	number  int64 // number of the game in the store
	round   int
	sides   [2]int // numbers of the members by side
	points  [2]int // number of half points by side
	forfeit bool
	opening string
}

// resultOf returns the result of a stored game, or an error if one of its players is not a member.
func (l *League) resultOf(g store.Game) (r result, err error) {
	o, err := record.ParseOutcome(g.Outcome)
	if err != nil {
		return r, fmt.Errorf("game %d: %w", g.Number, err)
	}
	words := strings.Fields(g.Moves)
	r = result{number: g.Number, round: g.Round, points: [2]int{1, 1}, forfeit: record.Game{Reason: g.Reason}.Forfeited(), opening: strings.Join(words[:g.Opening], " ")}
	for side, name := range [2]string{g.First, g.Second} {
		m, err := l.member(name)
		if err != nil {
			return r, err
		}
		r.sides[side] = m.Number
		if w, won := o.Winner(); won && w == game.Side(side) {
			r.points = [2]int{}
			r.points[side] = 2
		}
	}
	return r, nil
}

// openFixtures returns the fixtures of the current round that have games left to play. The caller holds the lock, and has called
// refresh.
func (l *League) openFixtures() (open []fixture) {
	r := l.row.Round
	of := map[string]*Member{}
	var playing []string
	for i := range l.members {
		if m := &l.members[i]; m.Plays(r) {
			of[m.Name] = m
			playing = append(playing, m.Name)
		}
	}
	past := slices.DeleteFunc(l.pairings(r), func(p stats.Pairing) bool { return of[p.A] == nil || of[p.B] == nil })
	played := map[[2]int]int{}
	for _, g := range l.games {
		if g.round == r {
			played[g.pair()]++
		}
	}
	if r == 0 {
		return nil
	}
	for _, m := range stats.Telling(playing, past, max(1, len(playing))) {
		f := fixture{round: r, a: of[m[0]], b: of[m[1]]}
		f.played = played[[2]int{min(f.a.Number, f.b.Number), max(f.a.Number, f.b.Number)}]
		if f.played < gamesOfFixture {
			open = append(open, f)
		}
	}
	return open
}

// pair returns the numbers of the members of a game, the smaller first.
func (r result) pair() [2]int {
	return [2]int{min(r.sides[0], r.sides[1]), max(r.sides[0], r.sides[1])}
}

// pairings returns the results of all rounds before the given one, for package stats. The two games of a fixture make one
// Pairing. Pairings whose games began with the same opening have the same value in the field Shared.
func (l *League) pairings(before int) (all []stats.Pairing) {
	type key struct {
		round int
		pair  [2]int
	}
	// at maps each fixture to the index of its Pairing in the slice all. The first game of the fixture creates the Pairing.
	at := map[key]int{}
	for _, g := range l.games {
		if g.round >= before {
			continue
		}
		k := key{g.round, g.pair()}
		i, second := at[k]
		if !second {
			at[k] = len(all)
			p := stats.Pairing{A: l.members[g.sides[0]-1].Name, B: l.members[g.sides[1]-1].Name, Shared: g.opening}
			p.Counts.Singles[g.points[0]]++
			all = append(all, p)
			continue
		}
		c := &all[i].Counts
		first := slices.Index(c.Singles[:], 1)
		*c = stats.Counts{}
		c.Pairs[first+g.points[1]]++
	}
	return all
}
