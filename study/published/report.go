// SPDX-License-Identifier: Apache-2.0

package published

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/krow-lab/krow/study/report"
)

// Tally counts verdicts.
type Tally map[Verdict]int

// String returns the counts of wins, draws and losses.
func (t Tally) String() string { return fmt.Sprintf("%d, %d, %d", t[Win], t[Draw], t[Loss]) }

// Agreement compares rows with the published cells.
type Agreement struct {
	Table           string // empty for the sum of all
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

// Agree returns the agreement of each table, in the order in which they first appear, and of all rows.
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

// Table returns the table of all cells: a line for each row. The last six columns are empty but for lost games.
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

// TimesTable returns the medians of what Time measured, for each kind of game and row length, and for all. Online
// times contain the update. A ratio of times above 1 says that the learned, or the online, player is the slower one.
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

// medianOf returns the median of f over at least one sample: the lower of two in the middle.
func medianOf[T cmp.Ordered](samples []Sample, f func(Sample) T) T {
	values := make([]T, len(samples))
	for i, s := range samples {
		values[i] = f(s)
	}
	slices.Sort(values)
	return values[(len(values)-1)/2]
}
