// SPDX-License-Identifier: Apache-2.0

package league

import (
	"cmp"
	"errors"
	"slices"

	"github.com/krow-lab/krow/server/bots"
	"github.com/krow-lab/krow/server/match"
	"github.com/krow-lab/krow/server/store"
)

// BotResults holds the results of one version of a bot in a league.
type BotResults struct {
	League  int64              `json:"league"`
	Name    string             `json:"name" doc:"name of the league"`
	Game    string             `json:"game"`
	Row     Row                `json:"row" doc:"row of the bot in the table"`
	Version int                `json:"version"`
	Ranked  int                `json:"ranked" doc:"number of members that have a rank"`
	Met     []Met              `json:"met" nullable:"false" doc:"results against each opponent; A is the bot"`
	Lost    []match.PlayedGame `json:"lost" nullable:"false" doc:"the latest games that the bot lost, the latest first"`
}

// shownLosses is the maximum number of games in BotResults.Lost.
const shownLosses = 10

// ResultsOf returns the results of the versions of a bot in all leagues. In each league the versions that play come first, and then
// the newer ones.
func (h *Host) ResultsOf(name string) (out []BotResults, err error) {
	all, err := h.db.Leagues()
	for _, x := range all {
		l, failed := h.League(x.ID)
		if failed != nil {
			continue // this version of krow cannot play the league
		}
		results, failed := l.results(name)
		out, err = append(out, results...), errors.Join(err, failed)
	}
	return out, err
}

func (l *League) results(name string) (out []BotResults, err error) {
	versions := map[string]int{} // by the member's name
	members, err := l.Members()
	for _, m := range members {
		if ref, is, failed := bots.ParseRef(m.Spec); is && failed == nil && ref.Name == name {
			versions[m.Name] = ref.Version
		}
	}
	if err != nil || len(versions) == 0 {
		return nil, err // the table is not computed, because this takes long if there are many games
	}
	t, err := l.Table()
	ranked := 0
	for _, r := range t.Rows {
		ranked = max(ranked, r.Rank)
	}
	for _, r := range t.Rows {
		v, is := versions[r.Name]
		if !is {
			continue
		}
		e := BotResults{League: l.ID, Name: l.Name, Game: l.Game.String(), Row: r, Version: v, Ranked: ranked, Met: []Met{}}
		for _, m := range t.Met {
			if m.B == r.Name {
				m = Met{A: m.B, B: m.A, Won: m.Lost, Drawn: m.Drawn, Lost: m.Won}
			}
			if m.A == r.Name {
				e.Met = append(e.Met, m)
			}
		}
		lost, failed := l.lost(r.Name, shownLosses)
		e.Lost, err = lost, errors.Join(err, failed)
		out = append(out, e)
	}
	slices.SortStableFunc(out, func(a, b BotResults) int { return cmp.Or(order(a.Row.Left, b.Row.Left), b.Version-a.Version) })
	return out, err
}

// lost returns the latest games that a member lost, at most count, the latest first.
func (l *League) lost(name string, count int) (out []match.PlayedGame, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	m, err := l.member(name)
	if err != nil {
		return nil, err
	}
	out = []match.PlayedGame{}
	for _, r := range slices.Backward(l.games) {
		side := slices.Index(r.sides[:], m.Number)
		if len(out) == count || side < 0 || r.points[side] > 0 {
			continue
		}
		rows, failed := l.db.Games(store.GameFilter{League: l.ID, Number: r.number})
		err = errors.Join(err, failed)
		for _, g := range rows {
			g.Extra = nil // drawings are left out
			out = append(out, match.View(g))
		}
	}
	return out, err
}
