// SPDX-License-Identifier: Apache-2.0

package experiments

import (
	"fmt"
	"slices"

	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/stats"
	"github.com/krow-lab/krow/study"
	"github.com/krow-lab/krow/study/report"
)

// ladder rates all players of the matches together: a table and a plot, both named name. anchor stands at 0, or
// the mean does where it is empty.
func ladder(name, caption, anchor string, matches []study.Match, played []study.Played) ([]report.Block, error) {
	var pairings []stats.Pairing
	for i, m := range matches {
		pairings = append(pairings, pairedGames(m, played[i])...)
	}
	ratings, err := stats.Rate(pairings, anchor)
	if err != nil {
		return nil, err
	}
	t := report.Table{Name: name, Columns: []string{"player", "games", "score", "Elo", "95 %"}}
	plot := report.Intervals{Name: name, Caption: caption, Axis: "Elo"}
	for _, r := range ratings {
		t.Add(r.Name, r.Games, fmt.Sprintf("%.3f", r.Score), fmt.Sprintf("%+.0f", r.Elo), fmt.Sprintf("± %.0f", r.Error))
		plot.Items = append(plot.Items, report.Interval{Name: r.Name, Value: r.Elo, Lo: r.Lo, Hi: r.Hi})
	}
	return []report.Block{plot, t}, nil
}

// pairedGames returns each pair of games by itself. Matches alike play the same openings, which tie their games
// together.
func pairedGames(m study.Match, played study.Played) []stats.Pairing {
	var all []stats.Pairing
	for pair := range slices.Chunk(played.Results, 2) {
		var t arena.Tally
		for _, r := range pair {
			t.Add(r)
		}
		opening := fmt.Sprintf("%s, seed %d, %d plies, %s: %d", m.Game, m.Seed, m.Plies, m.Suite, len(all))
		all = append(all, stats.Pairing{A: m.A.Name, B: m.B.Name, Counts: stats.Counts{Pairs: t.Summary().Pentanomial}, Shared: opening})
	}
	return all
}
