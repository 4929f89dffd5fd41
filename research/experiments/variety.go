// SPDX-License-Identifier: Apache-2.0

package experiments

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/krow-lab/krow/arena/stats"
	"github.com/krow-lab/krow/research"
	"github.com/krow-lab/krow/research/report"
)

// lineHeuristics are the heuristics for boards with lines, each with its defaults. "learned" is the generic heuristic with
// learned parameters. "none" is the control: a search that recognizes finished games and values all other positions equally.
var lineHeuristics = []research.Contender{
	{Name: "learned", Spec: "generic"},
	research.Named("brute"), research.Named("shevchenko"), research.Named("chua"),
	research.Named("lines"), research.Named("mics"), research.Named("none"),
}

// cellHeuristics are the heuristics for the only game of this study without lines.
var cellHeuristics = []research.Contender{{Name: "indicators (bred)", Spec: "indicators(weights=bred)"}, research.Named("none")}

// varied is a board of the grid.
type varied struct {
	game       string
	heuristics []research.Contender
	plies      int // random plies at the start
	games      int // number of games for each pair of heuristics at each depth
	nodes      int // maximum number of nodes for a move; 0 means no limit
}

var (
	varietyDepths = []int{2, 4, 6}
	varietyBoards = []varied{
		{"tictactoe", lineHeuristics, 2, 20, 0},
		{"mnk:4,4,4", lineHeuristics, 2, 20, 2000},
		{"mnk:5,5,4", lineHeuristics, 2, 20, 2000},
		{"mnk:10,4,4", lineHeuristics, 2, 20, 2000},
		{"mnk:6,6,4", lineHeuristics, 2, 20, 2000},
		{"connect4", lineHeuristics, 4, 20, 2000},
		{"connect4:9x7,k=5", lineHeuristics, 4, 20, 2000},
		{"mnk:7,7,4", lineHeuristics, 4, 20, 2000},
		{"mnk:7,7,5", lineHeuristics, 6, 20, 2000},
		{"ultimate", cellHeuristics, 4, 20, 2000},
		{"gomoku", lineHeuristics, 8, 2, 500},
		{"standard:8", lineHeuristics, 6, 2, 500},
		{"caro:8", lineHeuristics, 6, 2, 500},
		{"pente:8", lineHeuristics, 6, 2, 500},
		{"connect6:8", lineHeuristics, 6, 2, 500},
		{"renju:8", lineHeuristics, 6, 2, 500},
	}
)

// varietyCell contains the matches on one board at one depth. The name of each player is the name of its heuristic, without the
// depth.
type varietyCell struct {
	board   varied
	depth   int
	matches []research.Match
	played  []research.Played
}

// variety plays every heuristic against every other on a grid of boards and depths.
func variety(ctx context.Context, s *research.Session) (*report.Document, error) {
	boards := varietyBoards
	if s.Quick {
		boards = []varied{{"tictactoe", lineHeuristics, 2, 2, 0}, {"connect4:5x4", lineHeuristics, 2, 2, 100}, {"ultimate", cellHeuristics, 4, 2, 100}}
	}
	var cells []varietyCell
	var matches []research.Match
	for _, b := range boards {
		for _, depth := range varietyDepths {
			c := varietyCell{board: b, depth: depth, matches: b.matches(depth)}
			cells, matches = append(cells, c), append(matches, c.matches...)
		}
	}
	all, err := playAll(ctx, s, matches)
	if err != nil {
		return nil, err
	}
	rest := all
	for i := range cells {
		c := &cells[i]
		c.played, rest = rest[:len(c.matches)], rest[len(c.matches):]
		for j := range c.matches {
			m := &c.matches[j]
			m.A.Name, m.B.Name = heuristicOf(m.A.Name), heuristicOf(m.B.Name)
		}
	}
	d := &report.Document{Title: "Every heuristic on a variety of games", Blocks: []report.Block{
		report.Text("Alpha-beta with a transposition table to depth 2, 4 and 6, finished games exact. On each board and at each depth every " +
			"heuristic that applies meets every other from openings of random moves, each from both sides. *learned* is the heuristic of " +
			"system A with the learned parameters, *brute* is the same with its fixed parameters. Every heuristic counts threats as it does " +
			"by default. *none* is the control: a search that sees finished games and nothing else. If the table names a number of nodes, a " +
			"move has at most this number, and reaches depth 6 only if they suffice. The heuristics know nothing of captures (Pente) and of " +
			"forbidden points (Renju). None of them applies to atari-go."),
		again(s, "variety"),
	}}
	table := matchTable("matches", "", matches, all)
	table.HideInText = true
	return d, varietyTables(d, cells, table)
}

// varietyTables appends a table of the leaders, the ratings over all boards and on each board, and a table of all matches.
func varietyTables(d *report.Document, cells []varietyCell, matches report.Table) error {
	sum := report.Table{Name: "leaders", Columns: []string{"game", "random plies", "games a pair", "nodes a move"}}
	for _, depth := range varietyDepths {
		sum.Columns = append(sum.Columns, fmt.Sprintf("depth %d", depth))
	}
	alone := map[string]int{}
	var boards []report.Block
	for row := range slices.Chunk(cells, len(varietyDepths)) {
		b := row[0].board
		t := report.Table{Name: fmt.Sprintf("elo-%d", len(boards)/2+1), Columns: []string{"heuristic"}}
		for _, h := range b.heuristics {
			t.Add(h.Name)
		}
		line := []any{b.game, b.plies, b.games, b.limit()}
		for _, c := range row {
			leaders, err := c.rate(&t)
			if err != nil {
				return fmt.Errorf("%s, depth %d: %w", b.game, c.depth, err)
			}
			text := leaders[0]
			switch len(leaders) {
			case 1:
				alone[text]++
			case len(b.heuristics):
				text = "not significant"
			default:
				text = "not significant: " + strings.Join(leaders, ", ")
			}
			line = append(line, text)
		}
		sum.Add(line...)
		boards = append(boards, report.Heading{Level: 2, Text: b.game}, t)
	}
	d.Blocks = append(d.Blocks, report.Heading{Level: 2, Text: "Which heuristic leads"}, report.Text("The first of a cell stands alone if the 95 % "+
		"interval of its lead over each other heuristic lies above 0. If not, *not significant* names it and the heuristics "+
		"whose interval contains 0. The same games choose and judge the first, so a few of many cells are wrong by "+
		"chance."), sum, report.List{ledBy(alone, len(cells))},
		report.Heading{Level: 2, Text: "All boards with lines"}, report.Text("All games of a depth together. A board with more games weighs more. The mean is 0."))
	for i, depth := range varietyDepths {
		var m []research.Match
		var p []research.Played
		for _, c := range cells[i:] {
			if c.depth == depth && len(c.board.heuristics) == len(lineHeuristics) {
				m, p = append(m, c.matches...), append(p, c.played...)
			}
		}
		all, err := ladder(fmt.Sprintf("elo-depth-%d", depth), fmt.Sprintf("Depth %d: Elo with 95 %% intervals; the mean is 0.", depth), "", m, p)
		if err != nil {
			return err
		}
		d.Blocks = append(d.Blocks, all...)
	}
	d.Blocks = append(append(d.Blocks, boards...), report.Heading{Level: 2, Text: "Matches"}, matches)
	return nil
}

// limit returns the text of a table cell: the maximum number of nodes for a move.
func (b varied) limit() string {
	if b.nodes == 0 {
		return ""
	}
	return fmt.Sprint(b.nodes)
}

// matches returns the matches on the board at a depth. The name of a player consists of the heuristic, the depth, and the limit
// of nodes if there is one.
func (b varied) matches(depth int) []research.Match {
	var here []research.Contender
	for _, h := range b.heuristics {
		name, spec := fmt.Sprintf("%s, depth %d", h.Name, depth), fmt.Sprintf("alphabeta:depth=%d,eval=%s,terminal=exact", depth, h.Spec)
		if b.nodes > 0 {
			name, spec = fmt.Sprintf("%s, %d nodes", name, b.nodes), fmt.Sprintf("%s,nodes=%d", spec, b.nodes)
		}
		here = append(here, research.Contender{Name: name, Spec: spec})
	}
	return pairs(here, research.Match{Game: b.game, Games: b.games, Seed: seed, Plies: b.plies})
}

// heuristicOf returns the heuristic in the name of a contender.
func heuristicOf(name string) string {
	name, _, _ = strings.Cut(name, ",")
	return name
}

// rate adds the ratings of the cell to a table that has a row for each heuristic. It returns the leader, followed by the players
// whose difference from the leader is not significant.
func (c varietyCell) rate(t *report.Table) (leaders []string, err error) {
	var pairings []stats.Pairing
	for i, m := range c.matches {
		pairings = append(pairings, pairedGames(m, c.played[i])...)
	}
	ratings, err := stats.Rate(pairings, "")
	if err != nil {
		return nil, err
	}
	t.Columns = append(t.Columns, fmt.Sprintf("Elo, depth %d", c.depth), "95 %")
	for i := range t.Rows {
		for _, r := range ratings {
			if r.Name == t.Rows[i][0] {
				t.Rows[i] = append(t.Rows[i], fmt.Sprintf("%+.0f", r.Elo), fmt.Sprintf("± %.0f", r.Error))
			}
		}
	}
	behind, err := stats.Rate(pairings, ratings[0].Name)
	for _, r := range behind {
		if r.Hi >= 0 { // also true for the leader, whose interval is 0 to 0
			leaders = append(leaders, r.Name)
		}
	}
	return leaders, err
}

// ledBy returns a sentence with the number of cells in which each heuristic is the only leader.
func ledBy(alone map[string]int, cells int) string {
	left := cells
	var parts []string
	for _, h := range slices.Concat(lineHeuristics, cellHeuristics[:1]) {
		if n := alone[h.Name]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s in %d", h.Name, n))
			left -= n
		}
	}
	return fmt.Sprintf("Of %d cells, alone at the top: %s. Not significant: %d.", cells, cmp.Or(strings.Join(parts, ", "), "none"), left)
}
