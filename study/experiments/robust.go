// SPDX-License-Identifier: Apache-2.0

package experiments

import (
	"context"
	"fmt"

	"github.com/krow-lab/krow/stats"
	"github.com/krow-lab/krow/study"
	"github.com/krow-lab/krow/study/published"
	"github.com/krow-lab/krow/study/report"
)

// pairing is one question of published-robust, asked on all sizes of board.
type pairing struct {
	family, opponent string
	k                int
}

// learnedSpec is the learner whose parameters are asked about: the published one.
const learnedSpec = "qlearning"

// judge must see no forced end in an opening.
const judge = "alphabeta:depth=4,eval=brute,terminal=exact"

// robust plays each published pairing from many openings.
func robust(ctx context.Context, s *study.Session) (*report.Document, error) {
	order, boards := pairings(s)
	matches, of := []study.Match{}, map[pairing][]int{}
	for _, q := range order {
		for _, board := range boards[q] {
			m, err := robustMatch(ctx, s, q, board)
			if err != nil {
				return nil, err
			}
			of[q] = append(of[q], len(matches))
			matches = append(matches, m)
		}
	}
	played, err := playAll(ctx, s, matches)
	if err != nil {
		return nil, err
	}
	d := &report.Document{Title: "Does learning help? The published pairings from many openings"}
	d.Blocks = append(d.Blocks, report.Text("In the published tables one game decides a cell. Here each pairing is played on each "+
		"board from different openings of four random moves in which neither side can force a win within four plies, by both "+
		"sides: alpha-beta to depth 4, finished games valued by the heuristic as in the texts, parameters learned by the "+
		"published Q-learning for each board, tic-tac-toe against the fixed parameters being the same games as gomoku. *Yes* means that the 95 % interval lies above 0, *no* that it lies below, "+
		"*unresolved* that it holds 0."))
	d.Blocks = append(d.Blocks, again(s, "published-robust"))
	help := answers("help", "Learned against fixed parameters, over all sizes of board.", "does learning help")
	rivals := answers("rivals", "The learned parameters against the rival heuristics, over all sizes of board.", "stronger than the rival")
	plot := report.Intervals{Name: "elo", Caption: "Elo of the learned parameters, with 95 % intervals.", Axis: "Elo"}
	for _, q := range order {
		line, e := q.line(of[q], played)
		t := &help
		if q.opponent != published.Brute {
			t = &rivals
		}
		t.Rows = append(t.Rows, line)
		plot.Items = append(plot.Items, report.Interval{Name: fmt.Sprintf("%s k=%d, %s", q.family, q.k, q.opponent), Value: e.Elo, Lo: e.Lo, Hi: e.Hi})
	}
	d.Blocks = append(d.Blocks, report.Heading{Level: 2, Text: "Answers"}, help, rivals, plot,
		report.Heading{Level: 2, Text: "Board by board"}, matchTable("boards", "A has the learned parameters.", matches, played))
	return d, nil
}

// answers is a table of answers to a question.
func answers(name, caption, question string) report.Table {
	return report.Table{Name: name, Caption: caption, Columns: []string{"game", "k", "opponent", "games", "won", "drawn", "lost", "Elo", "95 %", question}}
}

// line answers a question from its matches.
func (q pairing) line(of []int, played []study.Played) ([]string, stats.Estimate) {
	var pooled stats.Counts
	won, drawn, lost := 0, 0, 0
	for _, i := range of {
		for j, n := range played[i].Pentanomial {
			pooled.Pairs[j] += n
		}
		won, drawn, lost = won+played[i].AWins, drawn+played[i].Draws, lost+played[i].BWins
	}
	e := pooled.Estimate()
	return []string{
		q.family, fmt.Sprint(q.k), q.opponent, fmt.Sprint(e.Games), fmt.Sprint(won), fmt.Sprint(drawn), fmt.Sprint(lost),
		fmt.Sprintf("%+.0f", e.Elo), fmt.Sprintf("%+.0f to %+.0f", e.Lo, e.Hi), answer(e),
	}, e
}

func answer(e stats.Estimate) string {
	switch {
	case e.Lo > 0:
		return "yes"
	case e.Hi < 0:
		return "no"
	}
	return "unresolved"
}

// pairings returns the questions in the order of the tables, and the boards of each. Boards of k columns and
// rows have hardly any openings.
func pairings(s *study.Session) (order []pairing, boards map[pairing][]published.Cell) {
	boards = map[pairing][]published.Cell{}
	for _, c := range published.Cells() {
		q := pairing{c.Family, c.Opponent, c.K}
		if c.Family == "tictactoe" && c.Opponent == published.Brute {
			continue // the same games as those of gomoku
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

// most is how many openings a board has; large boards, on which a game takes ten seconds, have fewer.
const most = 20

func openings(c published.Cell) int {
	if c.Size > 9 && c.Family != "connect4" {
		return most / 5
	}
	return most
}

func robustMatch(ctx context.Context, s *study.Session, q pairing, c published.Cell) (none study.Match, err error) {
	board := c.Game
	l, err := s.Learn(ctx, board, learnedSpec, seed)
	if err != nil {
		return none, err
	}
	u := study.Suite{Game: board, Count: s.Pick(4, most), Plies: 4, Judge: judge, Seed: seed}
	if u.Openings, err = s.Openings(ctx, u); err != nil {
		return none, err
	}
	return study.Match{
		Game: board, Reading: threatReading, Games: 2 * min(len(u.Openings), openings(c)), Seed: seed, Suite: u,
		A: study.Contender{Name: "learned by " + learnedSpec, Spec: "alphabeta:depth=4,hash=16M,eval=generic(weights=" + l.File + ")"},
		B: study.Contender{Name: q.opponent, Spec: "alphabeta:depth=4,hash=16M,eval=" + q.opponent},
	}, nil
}
