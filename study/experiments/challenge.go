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
	points, total, forfeits := map[[2]string]int{}, map[string]int{}, map[string]int{} // by player and board, and by player
	for i, m := range matches {
		for _, r := range played[i].Results {
			a, b := score(r)
			points[[2]string{m.A.Name, m.Game}] += a
			points[[2]string{m.B.Name, m.Game}] += b
			total[m.A.Name], total[m.B.Name] = total[m.A.Name]+a, total[m.B.Name]+b
		}
		forfeits[m.A.Name] += played[i].AForfeits
		forfeits[m.B.Name] += played[i].BForfeits
	}
	names := slices.Clone(players)
	slices.SortStableFunc(names, func(a, b string) int { return total[b] - total[a] })
	ranking := report.Table{Name: "standings", Columns: []string{"player", "points", "forfeits"}}
	for _, name := range names {
		ranking.Add(name, total[name], forfeits[name])
	}
	return &report.Document{Title: "The 25 boards of the m,n,k competition", Blocks: []report.Block{
		report.Text(fmt.Sprintf("Each player meets each other on each board, once as first and once as second: 2 points for a win as first, 3 "+
			"as second, 1 for a draw. The competition allowed 10 s a move; here it is %v, and a tenth of that on the two largest boards. "+
			"Moves are limited by time, so that another machine may play other games; those that were played are kept.", limit)),
		again(s, "mnk-challenge"), ranking, boardsGrid(names, boards, points),
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

// boardsGrid has a row for each board and a column for each player.
func boardsGrid(players, boards []string, points map[[2]string]int) report.Grid {
	g := report.Grid{
		Name: "boards", Caption: "Points by board; green where no one made more.", Rows: boards, Columns: players,
		Tones: [3]string{"fewer points", "most points of the board", ""},
	}
	for _, b := range boards {
		best := 0
		for _, name := range players {
			best = max(best, points[[2]string{name, "mnk:" + b}])
		}
		var row []report.Cell
		for _, name := range players {
			n, tone := points[[2]string{name, "mnk:" + b}], report.NoTone
			if n == best {
				tone = report.Agree
			}
			row = append(row, report.Cell{Text: fmt.Sprint(n), Tone: tone})
		}
		g.Cells = append(g.Cells, row)
	}
	return g
}

func gamesTable(matches []study.Match, played []study.Played) report.Table {
	t := report.Table{Name: "games", HideInText: true, Columns: []string{"game", "first", "second", "outcome", "reason", "plies"}}
	for i, m := range matches {
		for _, r := range played[i].Results {
			first, second := m.A.Name, m.B.Name
			if r.A == game.Second {
				first, second = second, first
			}
			t.Add(m.Game, first, second, r.Outcome, r.Reason, len(r.Moves))
		}
	}
	return t
}
