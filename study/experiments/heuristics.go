// SPDX-License-Identifier: Apache-2.0

package experiments

import (
	"context"
	"fmt"

	"github.com/krow-lab/krow/study"
	"github.com/krow-lab/krow/study/report"
)

// heuristicNames are the heuristics of boards with lines.
var heuristicNames = []string{"brute", "generic", "shevchenko", "chua", "lines", "mics"}

// arenaBoard is a board on which heuristics meet: how deep, and how many games for each depth of 2, 4 and 6.
type arenaBoard struct {
	game  string
	plies int // random, at the start
	games [3]int
}

var heuristicBoards = []arenaBoard{
	{"mnk:6,6,4", 2, [3]int{60, 60, 40}},
	{"connect4", 4, [3]int{60, 60, 60}},
	{"mnk:7,7,5", 6, [3]int{60, 40, 6}},
	{"gomoku:9", 8, [3]int{60, 10, 0}},
}

// heuristics lets every heuristic meet every other at equal depth, and itself at the next depth.
func heuristics(ctx context.Context, s *study.Session) (*report.Document, error) {
	boards := heuristicBoards
	if s.Quick {
		boards = []arenaBoard{{"connect4", 4, [3]int{2, 2, 0}}, {"mnk:5,5,4", 2, [3]int{2, 2, 0}}}
	}
	var matches []study.Match
	for _, b := range boards {
		matches = append(matches, b.matches()...)
	}
	played, err := playAll(ctx, s, matches)
	if err != nil {
		return nil, err
	}
	d := &report.Document{Title: "Every heuristic against every other"}
	d.Blocks = append(d.Blocks, report.Text("Alpha-beta with a transposition table, to depth 2, 4 and 6, finished games exact, so that the heuristics alone "+
		"make the difference. Each opening of random moves is played from both sides. Every heuristic meets every other at equal depth, and "+
		"itself two plies deeper; from all games together come the ratings."), again(s, "heuristics"))
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

func of(game string, matches []study.Match, played []study.Played) (m []study.Match, p []study.Played) {
	for i := range matches {
		if matches[i].Game == game {
			m, p = append(m, matches[i]), append(p, played[i])
		}
	}
	return m, p
}

func (b arenaBoard) matches() []study.Match {
	var all []study.Match
	var last []study.Contender
	for i, depth := range []int{2, 4, 6} {
		if b.games[i] == 0 {
			continue
		}
		m := study.Match{Game: b.game, Games: b.games[i], Seed: seed, Plies: b.plies, Reading: threatReading}
		var here []study.Contender
		for _, h := range heuristicNames {
			spec := fmt.Sprintf("alphabeta:depth=%d,hash=16M,eval=%s,terminal=exact", depth, h)
			here = append(here, study.Contender{Name: fmt.Sprintf("%s, depth %d", h, depth), Spec: spec})
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
