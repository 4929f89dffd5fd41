// SPDX-License-Identifier: Apache-2.0

package experiments

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/study"
	"github.com/krow-lab/krow/study/report"
)

// challengeBoards are the boards of the competition.
var challengeBoards = []string{
	"3,3,3", "4,3,3", "4,4,3", "4,4,4", "5,4,4", "5,5,4", "5,5,5", "6,4,4", "6,5,4", "6,6,4", "6,6,5", "6,6,6", "7,4,4",
	"7,5,4", "7,6,4", "7,7,4", "7,5,5", "7,6,5", "7,7,5", "7,7,6", "7,7,7", "8,8,4", "10,10,5", "50,50,10", "70,70,10",
}

// challengers are those who tried it in the report of system D, and the players of systems A and C.
var challengers = []string{"mics", "rules", "lines", "alphabeta", "mcts", "greedy:eval=mics"}

// large are the boards on which a game may have thousands of moves; each has a tenth of the time there.
var large = []string{"50,50,10", "70,70,10"}

// thinking is the time of a move unless another is chosen: the competition's ten seconds would take weeks here.
const thinking = 20 * time.Millisecond

// challenge plays a round robin on the 25 boards, two points for a win as first, three as second, one for a draw.
func challenge(ctx context.Context, s *study.Session) (*report.Document, error) {
	boards := challengeBoards
	if s.Quick {
		boards = boards[:7]
	}
	players := challengers
	if len(s.Players) > 0 {
		players = s.Players
	}
	limit := cmp.Or(s.Time, thinking)
	var contenders []study.Contender
	for _, spec := range players {
		contenders = append(contenders, study.Named(spec))
	}
	var matches []study.Match
	for _, b := range boards {
		m := study.Match{Game: "mnk:" + b, Games: 2, Seed: seed, Limits: search.Limits{Time: limit}}
		if slices.Contains(large, b) {
			m.Limits.Time = limit / 10
		}
		matches = append(matches, pairs(contenders, m)...)
	}
	played, err := playAll(ctx, s, matches)
	if err != nil {
		return nil, err
	}
	points, forfeits := map[string]map[string]int{}, map[string]int{}
	for _, c := range players {
		points[c] = map[string]int{}
	}
	for i, m := range matches {
		for _, r := range played[i].Results {
			a, b := score(r)
			points[m.A.Name][m.Game] += a
			points[m.B.Name][m.Game] += b
		}
		forfeits[m.A.Name] += played[i].AForfeits
		forfeits[m.B.Name] += played[i].BForfeits
	}
	ranking, grid := standings(players, boards, points, forfeits)
	return &report.Document{Title: "The 25 boards of the m,n,k competition", Blocks: []report.Block{
		report.Text(fmt.Sprintf("Each player meets each other on each board, once as first and once as second: 2 points for a win as first, 3 "+
			"as second, 1 for a draw. The competition allowed 10 s a move; here it is %v, and a tenth of that on the two largest boards. "+
			"Moves are limited by time, so that another machine may play other games; those that were played are kept.", limit)),
		again(s, "mnk-challenge"), ranking, grid,
		report.Heading{Level: 2, Text: "Games"},
		gamesTable(matches, played),
	}}, nil
}

// score returns the points of A and of B.
func score(r arena.Result) (a, b int) {
	w, won := r.Outcome.Winner()
	if !won {
		return 1, 1
	}
	p := 2
	if w == game.Second {
		p = 3
	}
	if w == r.A {
		return p, 0
	}
	return 0, p
}

// standings ranks the players by points.
func standings(players, boards []string, points map[string]map[string]int, forfeits map[string]int) (report.Table, report.Grid) {
	total := func(name string) (sum int) {
		for _, n := range points[name] {
			sum += n
		}
		return sum
	}
	names := slices.Clone(players)
	slices.SortStableFunc(names, func(a, b string) int { return total(b) - total(a) })
	t := report.Table{Name: "standings", Columns: []string{"player", "points", "forfeits"}}
	g := report.Grid{
		Name: "boards", Caption: "Points by board; green where no one made more.", Rows: boards, Columns: names,
		Tones: [3]string{"fewer points", "most points of the board", ""},
	}
	for _, name := range names {
		t.Add(name, total(name), forfeits[name])
	}
	for _, b := range boards {
		best := 0
		for _, name := range names {
			best = max(best, points[name]["mnk:"+b])
		}
		var row []report.Cell
		for _, name := range names {
			c := report.Cell{Text: fmt.Sprint(points[name]["mnk:"+b])}
			if points[name]["mnk:"+b] == best {
				c.Tone = report.Agree
			}
			row = append(row, c)
		}
		g.Cells = append(g.Cells, row)
	}
	return t, g
}

// gamesTable lists every game.
func gamesTable(matches []study.Match, played []study.Played) report.Table {
	t := report.Table{Name: "games", HideInText: true, Columns: []string{"game", "first", "second", "outcome", "reason", "plies"}}
	for i, m := range matches {
		for _, r := range played[i].Results {
			first, second := m.A.Name, m.B.Name
			if r.A == game.Second {
				first, second = second, first
			}
			t.Add(m.Game, first, second, r.Outcome.String(), r.Reason, len(r.Moves))
		}
	}
	return t
}
