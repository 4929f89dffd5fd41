// SPDX-License-Identifier: Apache-2.0

package experiments

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/krow-lab/krow/arena/stats"
	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/research"
	"github.com/krow-lab/krow/research/report"
	"github.com/krow-lab/krow/search"
)

// heuristicNames are the heuristics for games won by rows.
var heuristicNames = []string{"brute", "generic", "shevchenko", "chua", "lines", "mics"}

// arenaBoard is a board on which heuristics meet. games are the numbers of games at depth 2, 4 and 6.
type arenaBoard struct {
	game  string
	plies int // random plies at the start
	games [3]int
}

var heuristicBoards = []arenaBoard{
	{"mnk:6,6,4", 2, [3]int{60, 60, 40}},
	{"connect4", 4, [3]int{60, 60, 60}},
	{"mnk:7,7,5", 6, [3]int{60, 40, 6}},
	{"gomoku:9", 8, [3]int{60, 10, 0}},
}

// heuristics plays every heuristic against every other heuristic at equal depth, and against itself at the next greater depth.
func heuristics(ctx context.Context, s *research.Session) (*report.Document, error) {
	boards := heuristicBoards
	if s.Quick {
		boards = []arenaBoard{{"connect4", 4, [3]int{2, 2, 0}}, {"mnk:5,5,4", 2, [3]int{2, 2, 0}}}
	}
	var matches []research.Match
	for _, b := range boards {
		matches = append(matches, b.matches()...)
	}
	played, err := playAll(ctx, s, matches)
	if err != nil {
		return nil, err
	}
	d := &report.Document{Title: "Every heuristic against every other"}
	d.Blocks = append(d.Blocks, report.Text("Alpha-beta with a transposition table, to depth 2, 4 and 6, finished games exact, so that the heuristics alone "+
		"make the difference. Each opening of random moves is played from both sides. Every heuristic meets every other at "+
		"equal depth, and itself two plies deeper; all games together give the ratings."), again(s, "heuristics"))
	all, err := ladder("elo", "Over all boards: Elo with 95 % intervals; the mean is 0.", "", matches, played)
	if err != nil {
		return nil, err
	}
	d.Blocks = append(d.Blocks, all...)
	for i, b := range boards {
		m, p := of(b.game, matches, played)
		one, err := ladder(fmt.Sprintf("elo-%d", i+1), "Elo on "+b.game+".", "", m, p)
		if err != nil {
			return nil, err
		}
		d.Blocks = append(append(d.Blocks, report.Heading{Level: 2, Text: b.game}), one...)
	}
	d.Blocks = append(d.Blocks, report.Heading{Level: 2, Text: "Matches"}, matchTable("matches", "", matches, played))
	return d, nil
}

func of(game string, matches []research.Match, played []research.Played) (m []research.Match, p []research.Played) {
	for i := range matches {
		if matches[i].Game == game {
			m, p = append(m, matches[i]), append(p, played[i])
		}
	}
	return m, p
}

func (b arenaBoard) matches() []research.Match {
	var all []research.Match
	var last []research.Contender
	for i, depth := range []int{2, 4, 6} {
		if b.games[i] == 0 {
			continue
		}
		m := research.Match{Game: b.game, Games: b.games[i], Seed: seed, Plies: b.plies, Reading: threatReading}
		var here []research.Contender
		for _, h := range heuristicNames {
			spec := fmt.Sprintf("alphabeta:depth=%d,hash=16M,eval=%s,terminal=exact", depth, h)
			here = append(here, research.Contender{Name: fmt.Sprintf("%s, depth %d", h, depth), Spec: spec})
		}
		all = append(all, pairs(here, m)...)
		for j := range last {
			m.A, m.B = here[j], last[j]
			all = append(all, m)
		}
		last = here
	}
	return all
}

// gomokuOpenings are balanced openings, one on each line, as krow openings prints them; # begins a comment.
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

// The numbers of games and nodes for a technique. If ablationGames grows, the stored games are kept and more are played.
const (
	ablationGames = 2000 // each opening is played twice, with the sides exchanged
	ablationNodes = 5000
)

// ablation plays, for each technique of the gomoku engine, a match between the engine and the same engine without the
// technique.
func ablation(ctx context.Context, s *research.Session) (*report.Document, error) {
	games, techniques := ablationGames, gomoku.Techniques()
	m := research.Match{
		Game: "gomoku", A: research.Named(engineSpec), Seed: seed,
		Suite: research.Suite{Openings: lines(gomokuOpenings)}, Limits: search.Limits{Nodes: ablationNodes}, Reading: engineReading,
	}
	if s.Quick {
		games, techniques, m.Limits.Nodes = 2, techniques[:1], 200
	}
	m.Games = games
	var matches []research.Match
	for _, name := range techniques {
		m.B = research.Named(engineSpec + "," + name + "=off")
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
	plot := report.Intervals{Caption: "Elo of the technique, with 95 % intervals.", Axis: "Elo"}
	for i, name := range techniques {
		s := played[i].Summary
		e := stats.Counts{Pairs: s.Pentanomial}.Estimate()
		t.Add(
			name, s.Games, s.AWins, s.Draws, s.BWins,
			fmt.Sprintf("%+.0f", e.Elo), fmt.Sprintf("%+.0f to %+.0f", e.Lo, e.Hi), formatAnswer(e),
		)
		plot.Items = append(plot.Items, report.Interval{Name: name, Value: e.Elo, Lo: e.Lo, Hi: e.Hi})
	}
	return &report.Document{Title: "What each technique of the gomoku engine is worth", Blocks: []report.Block{
		report.Text(fmt.Sprintf("The engine with its network plays gomoku on 15x15 against itself with one technique switched off, one thread, "+
			"%d nodes a move: %d games for each technique, from balanced openings, each by both sides. *Not significant* means that the 95 %% "+
			"interval contains 0.", m.Limits.Nodes, m.Games)),
		again(s, "gomoku-techniques"), plot, t,
	}}, nil
}

// engineSpec has a small table, because the games use few nodes a move. engineReading is part of the keys of games.
// engineReading must be changed when the engine plays differently, so that games of different engines are not counted together.
const (
	engineSpec    = "gomoku:hash=4"
	engineReading = "late moves left out in wide windows, 2026-11-27"
)
