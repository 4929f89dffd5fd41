// SPDX-License-Identifier: Apache-2.0

// Package experiments contains the studies of krow, with one file for each study.
//
// # Basics
//
//	for _, st := range experiments.All() {
//		document, err := st.Report(ctx, &research.Session{Store: db})
//	}
//
// # Caveats
//
// All seeds are 1, which was fixed before the first run. Games with a time limit for a move depend on the machine; the report of
// such a study mentions it.
package experiments

import (
	"context"
	"fmt"
	"slices"

	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/arena/stats"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/research"
	"github.com/krow-lab/krow/research/report"
)

// seed is the seed of every random choice in every study.
const seed = 1

// threatReading names the rule by which the players of matches count threats. It is part of the keys of games. Before November
// 2026 the rule was different: a gapped threat could have k-1 stones or more. The keys of games from that time do not contain
// threatReading, so these games are not mixed with newer ones.
const threatReading = "gap=exact"

// All returns the studies in the order in which a reader should read them.
func All() []research.Study {
	return []research.Study{
		publishedStudy(),
		{
			Name: "published-robust", Doc: "does learning help? the published pairings from many openings, both sides",
			Cite: "Abdoulaye 2017, chapter 4", Run: robust,
		},
		{
			Name: "stability", Doc: "do the learned parameters stand still after five episodes? a curve for each board",
			Cite: "Abdoulaye 2017, chapter 4", Run: stability,
		},
		{
			Name: "ultimate-2018", Doc: "the genetic run and the tables of the Ultimate Tic-Tac-Toe report",
			Cite: "Eustache and Genuyt 2018", Run: ultimate2018,
		},
		{
			Name: "mnk-challenge", Doc: "the 25 boards of the m,n,k competition, two points for a win as first, three as second",
			Cite: "system D", Chooses: true, Run: challenge,
		},
		{
			Name: "heuristics", Doc: "every heuristic against every other, at depths 2, 4 and 6",
			Run: heuristics,
		},
		{
			Name: "variety", Doc: "which heuristic leads on which game: 16 boards, depths 2, 4 and 6, a table each",
			Cite: "Abdoulaye 2017, perspectives", Run: variety,
		},
		{
			Name: "learners", Doc: "every learner with the same budget of games, and the strength of its player",
			Run: learners,
		},
		{
			Name: "gomoku-techniques", Doc: "what each technique of the gomoku engine is worth: the engine against itself without it",
			Run: ablation,
		},
	}
}

// Names returns the names of the studies.
func Names() (all []string) {
	for _, st := range All() {
		all = append(all, st.Name)
	}
	return all
}

// Find returns the study with this name. If there is none, the error is a [spec.Error].
func Find(name string) (research.Study, error) {
	for _, st := range All() {
		if st.Name == name {
			return st, nil
		}
	}
	return research.Study{}, spec.Unknown("study", name, Names())
}

// playAll adds the number of games of the matches to the planned total. Then it plays the matches one after the other.
func playAll(ctx context.Context, s *research.Session, matches []research.Match) ([]research.Played, error) {
	for _, m := range matches {
		s.Plan(m.Games)
	}
	played := make([]research.Played, len(matches))
	for i, m := range matches {
		var err error
		if played[i], err = s.Match(ctx, m); err != nil {
			return nil, err
		}
	}
	return played, nil
}

// pairs returns a match with the settings of m for each pair of contenders.
func pairs(contenders []research.Contender, m research.Match) []research.Match {
	var all []research.Match
	for i, a := range contenders {
		for _, b := range contenders[i+1:] {
			m.A, m.B = a, b
			all = append(all, m)
		}
	}
	return all
}

func matchTable(name, caption string, matches []research.Match, played []research.Played) report.Table {
	t := report.Table{Name: name, Caption: caption, Columns: []string{"game", "A", "B", "games", "won", "drawn", "lost", "Elo of A", "95 %"}}
	for i, m := range matches {
		s := played[i].Summary
		t.Add(
			m.Game, m.A.Name, m.B.Name, s.Games, s.AWins, s.Draws, s.BWins,
			fmt.Sprintf("%+.0f", s.Elo), fmt.Sprintf("± %.0f", s.EloError),
		)
	}
	return t
}

// again returns a block with the commands that reproduce the report.
func again(s *research.Session, name string) report.Block {
	choice, out := name+s.Choice(), name
	if s.Reading != "" {
		out += "-" + s.Reading
	}
	return report.Code(fmt.Sprintf("krow experiment run %s --jobs 2\nkrow experiment report %s --out research/reports/%s", choice, choice, out))
}

// ladder rates all players of the matches together. It returns a plot and a table called name. The rating of the player
// anchor is 0; if anchor is empty, the mean rating is 0.
func ladder(name, caption, anchor string, matches []research.Match, played []research.Played) ([]report.Block, error) {
	var pairings []stats.Pairing
	for i, m := range matches {
		pairings = append(pairings, pairedGames(m, played[i])...)
	}
	ratings, err := stats.Rate(pairings, anchor)
	if err != nil {
		return nil, err
	}
	t := report.Table{Name: name, Columns: []string{"player", "games", "score", "Elo", "95 %"}}
	plot := report.Intervals{Caption: caption, Axis: "Elo"}
	for _, r := range ratings {
		t.Add(r.Name, r.Games, fmt.Sprintf("%.3f", r.Score), fmt.Sprintf("%+.0f", r.Elo), fmt.Sprintf("± %.0f", r.Error))
		plot.Items = append(plot.Items, report.Interval{Name: r.Name, Value: r.Elo, Lo: r.Lo, Hi: r.Hi})
	}
	return []report.Block{plot, t}, nil
}

// pairedGames returns a Pairing for each pair of games of a match. Matches with equal settings play the same openings, so pairs
// of games with the same opening have the same value of Shared.
func pairedGames(m research.Match, played research.Played) []stats.Pairing {
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
