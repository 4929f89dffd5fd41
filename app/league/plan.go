// SPDX-License-Identifier: Apache-2.0

package league

import (
	"cmp"
	"slices"

	"github.com/krow-lab/krow/internal/store"
	"github.com/krow-lab/krow/stats"
)

// fixture is a meeting of two members: so many games from the same seed.
type fixture struct {
	cup, round int
	a, b       *Member
	games      int
	played     []store.LeagueGame // by leg, without gaps
}

// pair names two members in one round of the table or of a cup.
type pair struct{ cup, round, a, b int }

// round returns what the round that was begun last plays, and whether nothing of it is missing. The caller holds the
// lock, and has refreshed.
func (l *League) round() (all []fixture, done bool, err error) {
	r := l.row.Round
	if r == 0 {
		return nil, true, nil
	}
	_, first, _, err := l.seasonOf(r)
	if err != nil {
		return nil, false, err
	}
	of := map[string]*Member{}
	var playing []string
	for i := range l.members {
		if m := &l.members[i]; m.plays(r) {
			of[m.Name] = m
			playing = append(playing, m.Name)
		}
	}
	past := l.pairings(func(g *store.LeagueGame) bool { return g.Cup == 0 && g.Round >= first && g.Round < r })
	past = slices.DeleteFunc(past, func(p stats.Pairing) bool { return of[p.A] == nil || of[p.B] == nil })
	for _, m := range stats.Telling(playing, past, max(1, len(playing))) {
		all = append(all, fixture{round: r, a: of[m[0]], b: of[m[1]], games: 2})
	}
	return l.missing(all)
}

// seasonOf returns the season to which a round belongs.
func (l *League) seasonOf(round int) (n, first, next int, err error) {
	for n = len(l.seasons); n > 1 && l.seasons[n-1].First > round; n-- {
	}
	return l.season(n)
}

// missing gives fixtures the games that were played, and returns those that are not over.
func (l *League) missing(all []fixture) (open []fixture, done bool, err error) {
	at := map[pair]*fixture{}
	for i := range all {
		f := &all[i]
		at[pair{f.cup, f.round, f.a.Number, f.b.Number}] = f
	}
	for _, g := range l.games {
		if f := at[pair{g.Cup, g.Round, g.A, g.B}]; f != nil {
			f.played = append(f.played, g)
		}
	}
	for _, f := range all {
		slices.SortFunc(f.played, func(a, b store.LeagueGame) int { return cmp.Compare(a.Leg, b.Leg) })
		if len(f.played) < f.games {
			open = append(open, f)
		}
	}
	return open, len(open) == 0, nil
}

// pairings returns results for package stats: a pairing for each pair of games, whose opening it shares with others.
func (l *League) pairings(wanted func(*store.LeagueGame) bool) (all []stats.Pairing) {
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
		if !wanted(g) {
			continue
		}
		k := key{pair{g.Cup, g.Round, g.A, g.B}, g.Leg / 2}
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
