// SPDX-License-Identifier: Apache-2.0

// Package published replays the thirty published tables of a thesis, cell by cell. The tables answer the question whether the
// generic heuristic with learned parameters beats the same heuristic with fixed parameters, and rival heuristics.
//
// # Basics
//
//	rows, err := published.Run(ctx, session, published.Options{Cells: published.Cells(), Learner: "qlearning", Learn: learn})
//	for _, r := range rows {
//		fmt.Println(r.Cell.Table, r.Cell.Game, r.Cell.Published, r.Result.Verdict)
//	}
//
// [Run] learns the parameters for the cells, plays the games of the cells, and explains the lost games: it finds the first move
// that differs from the move of the fixed parameters, and the parameter that caused the difference. [Time] measures how much
// longer the learned player thinks. Times differ from run to run, so they are stored separately from the cells.
//
// Both sides search with alpha-beta to depth 4, on boards of size k to 11 for k = 3, 4, 5. The result of a cell is the result of
// one game, because nothing in it is random. The player has the generic heuristic with learned parameters ("improved"). Its
// opponent has the fixed parameters ("brute") or a rival heuristic. Twelve of the tables are also in the paper.
//
//	4.1 - 4.6    gomoku        brute        k = 3, 4, 5, in each pair the player first, then second
//	4.7 - 4.12   gomoku        Shevchenko
//	4.13 - 4.18  tic-tac-toe   brute
//	4.19 - 4.24  tic-tac-toe   Chua
//	4.25 - 4.30  Connect Four  brute
//
// # Caveats
//
// The thesis and the paper specify neither the order of moves nor the choice among equal moves. This alone may cause a result
// that differs from a table. Here the first of the best moves is played, and nothing was tuned to agree with the tables. Gomoku
// and tic-tac-toe with the same size and k are the same game, so tables 4.13 to 4.18 share the games of 4.1 to 4.6.
//
// By default the heuristic evaluates a finished game like any other leaf, as the thesis and the paper specify. Shevchenko's
// heuristic then never recognizes a win of the opponent. By default it does not count closed threats, as in the thesis. The
// thesis leaves open whether the player continues to learn while it plays ([Variant]). If it does, each game begins with the
// weights learned before the games, so that no cell depends on another.
//
// CITE: Abdoulaye, Détermination des paramètres d'une heuristique générique pour les jeux de type « n-alignés »
// par apprentissage automatique, 2017, chapter 4. CITE: Abdoulaye, Houndji, Ezin and Aglin, Generic Heuristic for
// the mnk-games, 2018.
package published

import (
	"cmp"
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/research/report"
)

// Verdict is the result of a game for the player.
type Verdict string

// The verdicts.
const (
	Win  Verdict = "win"
	Draw Verdict = "draw"
	Loss Verdict = "loss"
)

// The names of the heuristics that play in the published tables.
const (
	Improved   = "improved" // the generic heuristic with learned parameters
	Brute      = "brute"    // the generic heuristic with fixed parameters
	Shevchenko = "shevchenko"
	Chua       = "chua"
)

// Cell is one result of one table.
type Cell struct {
	Table      string // table of the thesis
	PaperTable string // table of the paper; empty if the paper lacks it
	Family     string // "gomoku", "tictactoe" or "connect4"
	Game       string // spec of the game, such as "mnk:7,7,4" or "connect4:7x7"
	Size, K    int
	// Player is Improved, or Brute in a control, which keeps the fixed parameters to show the results without learning.
	Player     string
	Opponent   string // Brute, Shevchenko or Chua
	MovesFirst bool   // whether the player moves first
	Exactly    bool   // whether a row longer than k does not win; always false in Connect Four
	Published  Verdict
	Note       string // explanation if the published result of the cell is unclear, otherwise empty
}

// tables contains the published tables; its header names the columns.
//
//go:embed testdata/published_tables.csv
var tables string

var cells = sync.OnceValue(func() []Cell {
	rows, err := csv.NewReader(strings.NewReader(tables)).ReadAll()
	if err != nil {
		panic(err)
	}
	out := make([]Cell, 0, len(rows))
	for _, row := range rows[1:] {
		out = append(out, cell(row))
	}
	return out
})

// Cells returns the cells in the order of the tables.
func Cells() []Cell { return append([]Cell(nil), cells()...) }

// cell converts a row of the tables to a Cell. It does not check the row, because the tables are embedded.
func cell(row []string) Cell {
	c := Cell{
		Table: row[0], PaperTable: row[1], Family: row[2], Size: number(row[3]), K: number(row[4]),
		Player: row[5], Opponent: row[6], MovesFirst: row[7] == Improved, Published: Verdict(row[8]), Note: row[9],
	}
	g, err := c.game()
	if err != nil {
		panic(err)
	}
	c.Game = g.String()
	return c
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

func (c Cell) game() (*mnk.Game, error) {
	switch c.Family {
	case "gomoku", "tictactoe":
		g, err := mnk.MNK(c.Size, c.Size, c.K)
		if err == nil && c.Exactly {
			return g.Exactly()
		}
		return g, err
	case "connect4":
		return mnk.Connect4(c.Size, c.Size, c.K)
	}
	return nil, fmt.Errorf("unknown family of games %q", c.Family)
}

// Tally counts verdicts.
type Tally map[Verdict]int

// String returns the counts of wins, draws and losses.
func (t Tally) String() string { return fmt.Sprintf("%d, %d, %d", t[Win], t[Draw], t[Loss]) }

// Agreement counts the cells whose result equals the published result.
type Agreement struct {
	Table           string // table of the thesis; empty for the sum of all tables
	Agree, Cells    int
	Ours, Published Tally
}

func (a *Agreement) add(r Row) {
	a.Cells++
	if r.Agrees() {
		a.Agree++
	}
	a.Ours[r.Result.Verdict]++
	a.Published[r.Cell.Published]++
}

// Agree returns the agreement in each table, in the order in which the tables first appear, and in all rows together.
func Agree(rows []Row) (tables []Agreement, all Agreement) {
	all = Agreement{Ours: Tally{}, Published: Tally{}}
	at := map[string]int{}
	for _, r := range rows {
		i, ok := at[r.Cell.Table]
		if !ok {
			i = len(tables)
			at[r.Cell.Table] = i
			tables = append(tables, Agreement{Table: r.Cell.Table, Ours: Tally{}, Published: Tally{}})
		}
		tables[i].add(r)
		all.add(r)
	}
	return tables, all
}

// Table returns a table with a line for each element of rows. The last six columns are filled only in the lines of lost games.
func Table(rows []Row) report.Table {
	t := report.Table{Name: "cells", Columns: []string{
		"thesis_table", "paper_table", "family", "game", "board_size", "k", "player", "opponent", "moves_first",
		"published", "ours", "agree", "plies", "player_nodes", "opponent_nodes", "moves",
		"parts_at_ply", "learned_move", "fixed_move", "changed", "deciders", "makers",
	}}
	list := func(names []string) string { return strings.Join(names, "; ") }
	for _, r := range rows {
		c, x, first := r.Cell, r.Result, "opponent"
		if c.MovesFirst {
			first = "player"
		}
		e, ply := Explanation{}, any("")
		if r.Explanation != nil {
			e, ply = *r.Explanation, r.Explanation.Ply
		}
		t.Add(c.Table, c.PaperTable, c.Family, c.Game, c.Size, c.K, c.Player, c.Opponent, first,
			c.Published, x.Verdict, r.Agrees(), len(x.Moves), x.Player.Nodes, x.Opponent.Nodes, strings.Join(x.Moves, " "),
			ply, e.Learned, e.Fixed, list(e.Changed), list(e.Deciders), list(e.Makers))
	}
	return t
}

// TimesTable returns the medians of the measurements of Time, for each kind of game and row length, and for all. The times of
// the online player include the update of its weights. A ratio of times above 1 means that the learned or the online player is
// slower.
func TimesTable(times []Times) report.Table {
	type group struct{ family, k string }
	var groups []group
	samples := map[group][]Sample{}
	all := group{"all", ""}
	for _, t := range times {
		at := group{t.Cell.Family, fmt.Sprint(t.Cell.K)}
		if samples[at] == nil {
			groups = append(groups, at)
		}
		samples[at] = append(samples[at], t.Samples...)
		samples[all] = append(samples[all], t.Samples...)
	}
	table := report.Table{Name: "times", Columns: []string{
		"games", "k", "positions", "fixed: nodes", "fixed: time", "update: time", "learned / fixed: nodes", "learned / fixed: time",
		"online / learned: nodes", "online / learned: time",
	}}
	for _, at := range append(groups, all) {
		s := samples[at]
		if len(s) == 0 {
			continue
		}
		ratio := func(f func(Sample) float64) string { return fmt.Sprintf("%.2f", medianOf(s, f)) }
		micro := func(f func(Sample) time.Duration) time.Duration { return medianOf(s, f).Round(time.Microsecond) }
		table.Add(at.family, at.k, len(s),
			medianOf(s, func(s Sample) uint64 { return s.Fixed.Nodes }),
			micro(func(s Sample) time.Duration { return s.Fixed.Time }),
			micro(func(s Sample) time.Duration { return s.Update }),
			ratio(func(s Sample) float64 { return float64(s.Frozen.Nodes) / float64(s.Fixed.Nodes) }),
			ratio(func(s Sample) float64 { return float64(s.Frozen.Time) / float64(s.Fixed.Time) }),
			ratio(func(s Sample) float64 { return float64(s.Online.Nodes) / float64(s.Frozen.Nodes) }),
			ratio(func(s Sample) float64 { return float64(s.Online.Time+s.Update) / float64(s.Frozen.Time) }))
	}
	return table
}

// medianOf returns the median of f over at least one sample: for an even number the lower of the two middle values.
func medianOf[T cmp.Ordered](samples []Sample, f func(Sample) T) T {
	values := make([]T, len(samples))
	for i, s := range samples {
		values[i] = f(s)
	}
	slices.Sort(values)
	return values[(len(values)-1)/2]
}
