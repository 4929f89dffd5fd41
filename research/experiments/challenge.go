// SPDX-License-Identifier: Apache-2.0

package experiments

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/research"
	"github.com/krow-lab/krow/research/report"
	"github.com/krow-lab/krow/search"
)

// challengeBoards are the boards of the m,n,k competition.
var challengeBoards = []string{
	"3,3,3", "4,3,3", "4,4,3", "4,4,4", "5,4,4", "5,5,4", "5,5,5", "6,4,4", "6,5,4", "6,6,4", "6,6,5", "6,6,6", "7,4,4",
	"7,5,4", "7,6,4", "7,7,4", "7,5,5", "7,6,5", "7,7,5", "7,7,6", "7,7,7", "8,8,4", "10,10,5", "50,50,10", "70,70,10",
}

// bare contains options for a plain alpha-beta search. They switch off the techniques that the plain search of Huang and
// Spadaccini did not have.
const bare = "eval=mics,order=none,hash=0,killer=off,refutation=off,history=off,pvs=off"

// challengers are the player that Huang and Spadaccini published (system D), its rivals, and the variants that their report
// rejected.
var challengers = []research.Contender{
	{Name: "system:D", Spec: "mics:weights=authors"},
	research.Named("rules"), research.Named("best"), research.Named("mcts"), research.Named("greedy:eval=mics"),
	{Name: "plain alphabeta", Spec: "alphabeta:deepening=off," + bare},
	{Name: "iterative deepening", Spec: "alphabeta:deepening=on," + bare},
}

// large are the boards on which a game may have thousands of moves. On these boards a move has a tenth of the usual time.
var large = []string{"50,50,10", "70,70,10"}

// thinking is the time for a move, and hurried the time for a move in a quick session.
const (
	thinking = 10 * time.Second
	hurried  = 20 * time.Millisecond
)

// challenge lets the first contender meet each of the other contenders on the 25 boards, in two games on each board: one in which
// it moves first, and one in which it moves second. A win counts two points for the contender that moved first, and three for the
// one that moved second; a draw counts one point for both. A report can be made before all games are played.
func challenge(ctx context.Context, s *research.Session) (*report.Document, error) {
	boards, limit := challengeBoards, cmp.Or(s.Time, thinking)
	if s.Quick {
		boards, limit = boards[:7], cmp.Or(s.Time, hurried)
	}
	contenders := challengers
	if len(s.Players) > 0 {
		contenders = nil
		for _, spec := range s.Players {
			contenders = append(contenders, research.Named(spec))
		}
	}
	var matches []research.Match
	for _, b := range boards {
		m := research.Match{Game: "mnk:" + b, A: contenders[0], Games: 2, Seed: seed, Limits: search.Limits{Time: limit}}
		if slices.Contains(large, b) {
			m.Limits.Time = limit / 10
		}
		for _, m.B = range contenders[1:] {
			matches = append(matches, m)
		}
	}
	play := playAll
	if s.ReadOnly {
		play = playedSoFar
	}
	played, err := play(ctx, s, matches)
	if err != nil {
		return nil, err
	}
	player := contenders[0].Name
	return &report.Document{Title: "The 25 boards of the m,n,k competition", Blocks: []report.Block{
		missing(matches, played),
		report.Text(fmt.Sprintf("`%s` meets each other player on each board, once as first and once as second: 2 points for a win as first, 3 "+
			"as second, 1 for a draw. A move has %v, and a tenth of this time on the two largest boards; the competition allowed 10 s. "+
			"Moves are limited by time, so another machine may play other games; finished games are kept.", player, limit)),
		again(s, "mnk-challenge"),
		report.Heading{Level: 2, Text: "Against each player"},
		standings(matches, played),
		report.Heading{Level: 2, Text: "Board by board"},
		boardsGrid(contenders[1:], boards, matches, played),
		report.Heading{Level: 2, Text: "Games"},
		gamesTable(matches, played),
	}}, nil
}

// playedSoFar returns the games of the matches that are in the store, or an error if there are none.
func playedSoFar(_ context.Context, s *research.Session, matches []research.Match) ([]research.Played, error) {
	played, games := make([]research.Played, len(matches)), 0
	for i, m := range matches {
		var err error
		if played[i], err = s.Kept(m); err != nil {
			return nil, err
		}
		games += played[i].Games
	}
	if games == 0 {
		return nil, fmt.Errorf("%s: %w", matches[0].Title(), research.ErrMissing)
	}
	return played, nil
}

// missing returns a paragraph about the number of played games, the boards on which games are missing, and the number of
// forfeited games.
func missing(matches []research.Match, played []research.Played) report.Block {
	var boards []string
	games, all, forfeits := 0, 0, 0
	for i, m := range matches {
		games, all = games+played[i].Games, all+m.Games
		forfeits += played[i].AForfeits + played[i].BForfeits
		if played[i].Games < m.Games && !slices.Contains(boards, m.Game) {
			boards = append(boards, m.Game)
		}
	}
	late := "None was forfeited."
	if forfeits > 0 {
		late = fmt.Sprintf("*%d were forfeited*. The machine was busy, so the times here are not fair: a player with a core "+
			"of its own keeps its time.", forfeits)
	}
	if games == all {
		return report.Text(fmt.Sprintf("All %d games were played. %s", all, late))
	}
	return report.Text(fmt.Sprintf("*Not finished: %d of %d games were played so far*, and the tables count those alone. %s Games are missing on: `%s`.",
		games, all, late, strings.Join(boards, "`, `")))
}

// standings returns a table with a row for each opponent of the first contender.
func standings(matches []research.Match, played []research.Played) report.Table {
	t := report.Table{Name: "standings", Columns: []string{
		"opponent", "games", "won as first", "won as second", "drawn", "lost", "points", "opponent's points", "forfeits", "opponent's forfeits",
	}}
	type row struct{ games, first, second, drawn, lost, points, others, forfeits, theirs int }
	rows, names := map[string]*row{}, []string(nil)
	for i, m := range matches {
		if rows[m.B.Name] == nil {
			rows[m.B.Name], names = &row{}, append(names, m.B.Name)
		}
		x := rows[m.B.Name]
		for _, r := range played[i].Results {
			a, b := score(r)
			x.games, x.points, x.others = x.games+1, x.points+a, x.others+b
			switch {
			case a == b:
				x.drawn++
			case a == 2:
				x.first++
			case a == 3:
				x.second++
			default:
				x.lost++
			}
		}
		x.forfeits, x.theirs = x.forfeits+played[i].AForfeits, x.theirs+played[i].BForfeits
	}
	for _, name := range names {
		x := rows[name]
		t.Add(name, x.games, x.first, x.second, x.drawn, x.lost, x.points, x.others, x.forfeits, x.theirs)
	}
	return t
}

// score returns the points of A and of B in a game.
func score(g record.Game) (a, b int) {
	w, won := g.Outcome.Winner()
	if !won {
		return 1, 1
	}
	p := 2
	if w == game.Second {
		p = 3
	}
	if w == g.A {
		return p, 0
	}
	return 0, p
}

// boardsGrid returns a grid with a row for each board and a column for each opponent. A cell contains the points of the first
// contender and of the opponent.
func boardsGrid(opponents []research.Contender, boards []string, matches []research.Match, played []research.Played) report.Grid {
	g := report.Grid{
		Caption: "Points of the first player and of its opponent; green if it has at least as many.", Rows: boards,
		Tones: [3]string{"fewer points", "as many points or more", ""},
	}
	for _, o := range opponents {
		g.Columns = append(g.Columns, o.Name)
	}
	for range boards {
		g.Cells = append(g.Cells, make([]report.Cell, len(opponents)))
	}
	for i, m := range matches {
		if played[i].Games < m.Games {
			continue // an empty cell is in no total
		}
		ours, theirs := 0, 0
		for _, r := range played[i].Results {
			a, b := score(r)
			ours, theirs = ours+a, theirs+b
		}
		cell := &g.Cells[i/len(opponents)][i%len(opponents)]
		if cell.Text = fmt.Sprintf("%d : %d", ours, theirs); ours >= theirs {
			cell.Tone = report.Agree
		}
	}
	return g
}

func gamesTable(matches []research.Match, played []research.Played) report.Table {
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
