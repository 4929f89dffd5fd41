// SPDX-License-Identifier: Apache-2.0

package league

import (
	"cmp"
	"slices"

	"github.com/krow-lab/krow/arena/stats"
	"github.com/krow-lab/krow/server/store"
)

// fixture is a meeting of two members: a number of games from the same seed.
type fixture struct {
	round  int
	a, b   *Member
	games  int
	played []store.LeagueGame // by leg, without gaps
}

// pair names two members in one round.
type pair struct{ round, a, b int }

// round returns the fixtures of the current round that are not over, and reports whether all are. The caller holds the lock,
// and has refreshed.
func (l *League) round() (all []fixture, done bool) {
	r := l.row.Round
	if r == 0 {
		return nil, true
	}
	of := map[string]*Member{}
	var playing []string
	for i := range l.members {
		if m := &l.members[i]; m.plays(r) {
			of[m.Name] = m
			playing = append(playing, m.Name)
		}
	}
	past := l.pairings(r)
	past = slices.DeleteFunc(past, func(p stats.Pairing) bool { return of[p.A] == nil || of[p.B] == nil })
	for _, m := range stats.Telling(playing, past, max(1, len(playing))) {
		all = append(all, fixture{round: r, a: of[m[0]], b: of[m[1]], games: 2})
	}
	return l.missing(all)
}

// missing adds the played games to the fixtures, and returns the fixtures that are not over.
func (l *League) missing(all []fixture) (open []fixture, done bool) {
	at := map[pair]*fixture{}
	for i := range all {
		f := &all[i]
		at[pair{f.round, f.a.Number, f.b.Number}] = f
	}
	for _, g := range l.games {
		if f := at[pair{g.Round, g.A, g.B}]; f != nil {
			f.played = append(f.played, g)
		}
	}
	for _, f := range all {
		slices.SortFunc(f.played, func(a, b store.LeagueGame) int { return cmp.Compare(a.Leg, b.Leg) })
		if len(f.played) < f.games {
			open = append(open, f)
		}
	}
	return open, len(open) == 0
}

// pairings returns the results of the rounds before one for package stats: a pairing for each pair of games, whose opening it
// shares with others.
func (l *League) pairings(before int) (all []stats.Pairing) {
	type key struct {
		pair
		legs int
	}
	first := map[key]int{} // points of A in the first game of a pair
	add := func(k key, opening string, c stats.Counts) {
		all = append(all, stats.Pairing{A: l.members[k.a-1].Name, B: l.members[k.b-1].Name, Counts: c, Shared: opening})
	}
	openings := map[key]string{}
	for i := range l.games {
		g := &l.games[i]
		if g.Round >= before {
			continue
		}
		k := key{pair{g.Round, g.A, g.B}, g.Leg / 2}
		other, second := first[k]
		if !second {
			first[k], openings[k] = g.Points, g.Opening
			continue
		}
		delete(first, k)
		var c stats.Counts
		c.Pairs[g.Points+other]++
		add(k, g.Opening, c)
	}
	for k, points := range first { // stats does not look at their order
		var c stats.Counts
		c.Singles[points]++
		add(k, openings[k], c)
	}
	return all
}
