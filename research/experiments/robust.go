// SPDX-License-Identifier: Apache-2.0

package experiments

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/krow-lab/krow/arena/stats"
	"github.com/krow-lab/krow/research"
	"github.com/krow-lab/krow/research/published"
	"github.com/krow-lab/krow/research/report"
)

// pairing is a question of the study: how do the learned parameters score against an opponent in a family of games with k in a
// row? The question is examined on boards of all sizes.
type pairing struct {
	family, opponent string
	k                int
}

// learnedSpec is the spec of the published learner, whose parameters are examined.
const learnedSpec = "qlearning"

// judge is the player that decides whether an opening is used. An opening is rejected if judge sees a forced end of the game.
const judge = "alphabeta:depth=4,eval=brute,terminal=exact"

// robust plays each published pairing from many openings.
func robust(ctx context.Context, s *research.Session) (*report.Document, error) {
	order, boards := pairings(s)
	matches, played, err := playPairings(ctx, s, order, boards)
	if err != nil {
		return nil, err
	}
	of := map[pairing][]int{}
	for i, m := range matches {
		of[m.pairing] = append(of[m.pairing], i)
	}
	d := &report.Document{Title: "Does learning help? The published pairings from many openings"}
	d.Blocks = append(d.Blocks, report.Text("In the published tables one game decides a cell. Here each pairing is played on each "+
		"board from different openings of four random moves in which neither side can force a win within four plies, by both "+
		"sides: alpha-beta to depth 4, finished games valued by the heuristic as in the texts, parameters learned by the "+
		"published Q-learning for each board, tic-tac-toe against the fixed parameters being the same games as gomoku. *Yes* means that the 95 % interval lies above 0, *no* that it lies below, "+
		"*not significant* that it contains 0."))
	d.Blocks = append(d.Blocks, again(s, "published-robust"))
	help := answers("help", "Learned against fixed parameters, over the boards that were played.", "does learning help")
	rivals := answers("rivals", "The learned parameters against the rival heuristics, over the boards that were played.", "stronger than the rival")
	plot := report.Intervals{Caption: "Elo of the learned parameters, with 95 % intervals.", Axis: "Elo"}
	var all []research.Match
	for _, m := range matches {
		all = append(all, m.Match)
	}
	for _, q := range order {
		line, e := q.line(fmt.Sprintf("%s to %s", boards[q][0].Game, boards[q][len(of[q])-1].Game), of[q], played)
		t := &help
		if q.opponent != published.Brute {
			t = &rivals
		}
		t.Rows = append(t.Rows, line)
		plot.Items = append(plot.Items, report.Interval{Name: fmt.Sprintf("%s k=%d, %s", q.family, q.k, q.opponent), Value: e.Elo, Lo: e.Lo, Hi: e.Hi})
	}
	d.Blocks = append(d.Blocks, report.Heading{Level: 2, Text: "Answers"}, help, rivals, plot,
		report.Heading{Level: 2, Text: "Board by board"}, matchTable("boards", "A has the learned parameters.", all, played))
	return d, nil
}

// askedMatch is a match on one board, played for a pairing.
type askedMatch struct {
	pairing
	research.Match
}

// playPairings plays the pairings on all boards. It begins with the pairings of Connect Four, which take little time. The games
// on small boards come before the games on large boards.
func playPairings(ctx context.Context, s *research.Session, order []pairing, boards map[pairing][]published.Cell) (matches []askedMatch, played []research.Played, err error) {
	type board struct {
		q pairing
		c published.Cell
	}
	var all []board
	for _, q := range order {
		for _, c := range boards[q] {
			all = append(all, board{q, c})
			s.Plan(2 * openings(c))
		}
	}
	cost := func(b board) int {
		if b.c.Family == "connect4" {
			return 0
		}
		return b.c.Size
	}
	slices.SortStableFunc(all, func(a, b board) int { return cmp.Or(cmp.Compare(cost(a), cost(b)), cmp.Compare(a.c.Size, b.c.Size)) })
	for _, b := range all {
		m, err := robustMatch(ctx, s, b.q, b.c)
		if err != nil {
			return nil, nil, err
		}
		s.Plan(m.Games - 2*openings(b.c)) // corrects the planned total, because a board may have fewer openings than planned
		p, err := s.Match(ctx, m)
		if err != nil {
			return nil, nil, err
		}
		matches, played = append(matches, askedMatch{b.q, m}), append(played, p)
	}
	return matches, played, nil
}

// answers returns a table for the answers to a question. The table has no rows yet.
func answers(name, caption, question string) report.Table {
	return report.Table{Name: name, Caption: caption, Columns: []string{"game", "k", "opponent", "boards", "games", "won", "drawn", "lost", "Elo", "95 %", question}}
}

// line returns the row of the pairing in the table of answers, and the estimated Elo. Both are computed from the matches of this
// pairing, which are the elements of played with the given indices.
func (q pairing) line(boards string, indices []int, played []research.Played) ([]string, stats.Estimate) {
	var pooled stats.Counts
	won, drawn, lost := 0, 0, 0
	for _, i := range indices {
		for j, n := range played[i].Pentanomial {
			pooled.Pairs[j] += n
		}
		won, drawn, lost = won+played[i].AWins, drawn+played[i].Draws, lost+played[i].BWins
	}
	e := pooled.Estimate()
	return []string{
		q.family, fmt.Sprint(q.k), q.opponent, boards, fmt.Sprint(e.Games), fmt.Sprint(won), fmt.Sprint(drawn), fmt.Sprint(lost),
		fmt.Sprintf("%+.0f", e.Elo), fmt.Sprintf("%+.0f to %+.0f", e.Lo, e.Hi), formatAnswer(e),
	}, e
}

func formatAnswer(e stats.Estimate) string {
	switch {
	case e.Lo > 0:
		return "yes"
	case e.Hi < 0:
		return "no"
	}
	return "not significant"
}

// pairings returns the pairings in the order of the published tables, and the boards of each pairing. It leaves out boards of k
// columns and rows, which have hardly any openings.
func pairings(s *research.Session) (order []pairing, boards map[pairing][]published.Cell) {
	boards = map[pairing][]published.Cell{}
	for _, c := range published.Cells() {
		q := pairing{c.Family, c.Opponent, c.K}
		if c.Family == "tictactoe" && c.Opponent == published.Brute {
			continue // the family gomoku has the same games
		}
		if !c.MovesFirst || c.Size <= c.K || s.Quick && c.Size > 6 {
			continue
		}
		if boards[q] == nil {
			order = append(order, q)
		}
		boards[q] = append(boards[q], c)
	}
	return order, boards
}

// most is the maximum number of openings that are used on a board. Large boards, on which a game takes ten seconds, have fewer
// openings.
const most = 20

func openings(c published.Cell) int {
	if c.Size > 9 && c.Family != "connect4" {
		return most / 5
	}
	return most
}

func robustMatch(ctx context.Context, s *research.Session, q pairing, c published.Cell) (none research.Match, err error) {
	board := c.Game
	l, err := s.Learn(ctx, board, learnedSpec, seed)
	if err != nil {
		return none, err
	}
	u := research.Suite{Game: board, Count: s.Pick(4, most), Plies: 4, Judge: judge, Seed: seed}
	if u.Openings, err = s.Openings(ctx, u); err != nil {
		return none, err
	}
	return research.Match{
		Game: board, Reading: threatReading, Games: 2 * min(len(u.Openings), openings(c)), Seed: seed, Suite: u,
		A: research.Contender{Name: "learned by " + learnedSpec, Spec: "alphabeta:depth=4,hash=16M,eval=generic(weights=" + l.File + ")"},
		B: research.Contender{Name: q.opponent, Spec: "alphabeta:depth=4,hash=16M,eval=" + q.opponent},
	}, nil
}
