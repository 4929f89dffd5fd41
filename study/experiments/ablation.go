// SPDX-License-Identifier: Apache-2.0

package experiments

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/stats"
	"github.com/krow-lab/krow/study"
	"github.com/krow-lab/krow/study/report"
)

// gomokuOpenings are balanced, one on a line, the output of krow openings; # begins a comment.
//
//go:embed openings/gomoku.txt
var gomokuOpenings string

func lines(file string) (all []string) {
	for line := range strings.Lines(file) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			all = append(all, line)
		}
	}
	return all
}

// How the engine meets itself without a technique. More games go on from those that are kept.
const (
	ablationGames = 400
	ablationNodes = 10_000
)

// ablation lets the gomoku engine meet itself with each technique switched off.
func ablation(ctx context.Context, s *study.Session) (*report.Document, error) {
	games, techniques := ablationGames, gomoku.Techniques()
	m := study.Match{
		Game: "gomoku", A: study.Named(engineSpec), Seed: seed,
		Suite: study.Suite{Openings: lines(gomokuOpenings)}, Limits: search.Limits{Nodes: ablationNodes},
	}
	if s.Quick {
		games, techniques, m.Limits.Nodes = 2, techniques[:1], 200
	}
	m.Games = games
	var matches []study.Match
	for _, name := range techniques {
		m.B = study.Named(engineSpec + "," + name + "=off")
		matches = append(matches, m)
	}
	played, err := playAll(ctx, s, matches)
	if err != nil {
		return nil, err
	}
	t := report.Table{
		Name: "techniques", Caption: "The engine against itself without the technique.",
		Columns: []string{"technique", "games", "won", "drawn", "lost", "Elo", "95 %", "worth having"},
	}
	plot := report.Intervals{Name: "elo", Caption: "Elo of the technique, with 95 % intervals.", Axis: "Elo"}
	for i, name := range techniques {
		s := played[i].Summary
		e := stats.Counts{Pairs: s.Pentanomial}.Estimate()
		t.Add(
			name, s.Games, s.AWins, s.Draws, s.BWins,
			fmt.Sprintf("%+.0f", e.Elo), fmt.Sprintf("%+.0f to %+.0f", e.Lo, e.Hi), answer(e),
		)
		plot.Items = append(plot.Items, report.Interval{Name: name, Value: e.Elo, Lo: e.Lo, Hi: e.Hi})
	}
	return &report.Document{Title: "What each technique of the gomoku engine is worth", Blocks: []report.Block{
		report.Text(fmt.Sprintf("The engine plays gomoku on 15x15 against itself with one technique switched off, one thread, %d nodes a move, "+
			"from balanced openings, each by both sides. *Unresolved* means that the 95 %% interval holds 0.", m.Limits.Nodes)),
		again(s, "gomoku-techniques"), plot, t,
	}}, nil
}

// engineSpec has a small table, for games of few nodes.
const engineSpec = "gomoku:hash=4"
