// SPDX-License-Identifier: Apache-2.0

package pairing

import (
	"cmp"
	"slices"

	"github.com/krow-lab/krow/arena"
)

// Standing is a player's rank in a tournament, with the points and tie-breaks that it depends on.
type Standing struct {
	// Players who are equal in points and in all tie-breaks share a rank. In an arena tournament a win is worth 2 or 4 points.
	arena.Standing
	Player int    `json:"player"`
	Name   string `json:"name" doc:"name of the player"`
	// Buchholz is the sum of the points of the opponents, SonnebornBerger the sum of the points of the beaten opponents plus
	// half the points of the opponents who drew. A walkover adds nothing to either of these two sums.
	//
	// CITE: FIDE Handbook C.07, Tie-break regulations.
	Buchholz        float64 `json:"buchholz"`
	SonnebornBerger float64 `json:"sonneborn_berger"`
	Round           int     `json:"round,omitempty" doc:"in a knock-out: the last round that the player has reached; for the winner one more"`
	Streak          int     `json:"streak,omitempty" doc:"in an arena: number of wins in a row"`
}

// The points in an arena: a win is worth two points, a draw one. After two wins in a row, each result is worth twice as many
// points, up to and including the first result that is not a win.
const (
	arenaWin     = 2
	arenaStreak  = 2
	arenaDoubled = 2
)

// Standings returns the standings of all players, the leader first. Two players are ordered by the first of these criteria in
// which they differ:
//
//	round robin   points, Sonneborn-Berger, wins
//	Swiss         points, Buchholz, Sonneborn-Berger, wins
//	knock-out     the last round reached
//	arena         points, wins
//
// Players who are equal by all criteria share a rank, and are listed in the order of their seeds.
func (e *Event) Standings() []Standing {
	all := make([]Standing, e.Players)
	for i := range all {
		all[i].Player = i
	}
	for r, round := range e.Rounds {
		for _, p := range round {
			e.count(all, r, p)
		}
	}
	for _, round := range e.Rounds {
		for _, p := range round {
			if p.Second == Nobody || p.Given != Open || p.Result == Open {
				continue
			}
			a, b := &all[p.First], &all[p.Second]
			a.Buchholz += b.Points
			b.Buchholz += a.Points
			a.SonnebornBerger += share(p.Result) * b.Points
			b.SonnebornBerger += (1 - share(p.Result)) * a.Points
		}
	}
	if n := len(e.Rounds); e.Kind == Knockout && n > 0 && !e.going() && len(e.ties()) == 1 {
		if t := e.ties()[0]; t[1] == Nobody {
			all[t[0]].Round++
		} else if _, winner := e.tie(t[0], t[1]); winner != Nobody {
			all[winner].Round++
		}
	}
	slices.SortStableFunc(all, e.compare)
	for i := range all {
		all[i].Rank = i + 1
		if i > 0 && e.compare(all[i-1], all[i]) == 0 {
			all[i].Rank = all[i-1].Rank
		}
	}
	return all
}

// share returns the score of the first player for the result r: 1, 0.5 or 0.
func share(r Result) float64 { return [...]float64{0, 1, 0.5, 0}[r] }

// count adds the result of p, a pair of the given round, to the standings of its two players.
func (e *Event) count(all []Standing, round int, p Pair) {
	a := &all[p.First]
	a.Round = round + 1
	if p.Second == Nobody {
		if e.Kind == Swiss {
			a.Points++
		}
		return
	}
	b := &all[p.Second]
	b.Round = round + 1
	r := p.Ended()
	if r == Open {
		return
	}
	e.score(a, share(r))
	e.score(b, 1-share(r))
}

// score counts a game in s. The parameter score is the player's result: 1, 0.5 or 0. In an arena the player gets the points
// of an arena for this result.
func (e *Event) score(s *Standing, score float64) {
	worth := score
	if e.Kind == Arena {
		worth = arenaWin * score
		if s.Streak >= arenaStreak {
			worth *= arenaDoubled
		}
	}
	s.Add(int(2 * score))
	s.Points += worth - score
	if score == 1 {
		s.Streak++
	} else {
		s.Streak = 0
	}
}

// compare returns a negative number if a ranks above b, and 0 if they share a rank.
func (e *Event) compare(a, b Standing) int {
	more := func(x, y float64) int { return cmp.Compare(y, x) }
	wins := cmp.Compare(b.Won, a.Won)
	switch e.Kind {
	case Knockout:
		return cmp.Compare(b.Round, a.Round)
	case Arena:
		return cmp.Or(more(a.Points, b.Points), wins)
	case RoundRobin:
		return cmp.Or(more(a.Points, b.Points), more(a.SonnebornBerger, b.SonnebornBerger), wins)
	}
	return cmp.Or(more(a.Points, b.Points), more(a.Buchholz, b.Buchholz), more(a.SonnebornBerger, b.SonnebornBerger), wins)
}
