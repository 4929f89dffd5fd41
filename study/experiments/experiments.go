// SPDX-License-Identifier: Apache-2.0

// Package experiments has the studies, a file for each.
//
// # Basics
//
//	for _, st := range experiments.All() {
//		document, err := st.Report(ctx, &study.Session{Store: db})
//	}
//
// # Caveats
//
// Seeds are 1, and were fixed before the first run. Games with a limit on the time of a move depend on the machine, and
// the report says so.
package experiments

import (
	"context"
	"fmt"

	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/study"
	"github.com/krow-lab/krow/study/report"
)

// seed is that of every draw in every study.
const seed = 1

// All returns the studies, in the order to read them.
func All() []study.Study {
	return []study.Study{
		publishedStudy(),
		{
			Name: "published-robust", Doc: "does learning help? the published pairings from many openings, both sides",
			Cite: "Abdoulaye 2017, chapter 4", Run: robust,
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
			Name: "learners", Doc: "every learner on the same budget of games, and what its player is worth",
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

// Find returns the study of a name. A reading that once was a study of its own, such as published-exact, is found by its
// old name; only then reading is not empty. The error is a [spec.Error].
func Find(name string) (st study.Study, reading string, err error) {
	for _, st := range All() {
		if st.Name == name {
			return st, "", nil
		}
		for _, r := range st.Readings {
			if name == st.Name+"-"+r.Name {
				return st, r.Name, nil
			}
		}
	}
	return st, "", spec.Unknown("study", name, Names())
}

// playAll plans matches and plays them in turn.
func playAll(ctx context.Context, s *study.Session, matches []study.Match) ([]study.Played, error) {
	for _, m := range matches {
		s.Plan(m.Games)
	}
	played := make([]study.Played, len(matches))
	for i, m := range matches {
		var err error
		if played[i], err = s.Match(ctx, m); err != nil {
			return nil, err
		}
	}
	return played, nil
}

// pairs returns a match like m for every two contenders.
func pairs(contenders []study.Contender, m study.Match) []study.Match {
	var all []study.Match
	for i, a := range contenders {
		for _, b := range contenders[i+1:] {
			m.A, m.B = a, b
			all = append(all, m)
		}
	}
	return all
}

// matchTable lists matches with their figures.
func matchTable(name, caption string, matches []study.Match, played []study.Played) report.Table {
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

// again returns the commands that make a report.
func again(s *study.Session, name string) report.Block {
	choice, out := name+s.Choice(), name
	if s.Reading != "" {
		out += "-" + s.Reading
	}
	return report.Code(fmt.Sprintf("krow study run %s --jobs 2\nkrow study report %s --out docs/studies/%s", choice, choice, out))
}
