// SPDX-License-Identifier: Apache-2.0

package published

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/krow-lab/krow/study/report"
)

// Tally counts verdicts.
type Tally struct{ Win, Draw, Loss int }

func (t *Tally) add(v Verdict) {
	switch v {
	case Win:
		t.Win++
	case Draw:
		t.Draw++
	case Loss:
		t.Loss++
	}
}

// Agreement compares rows with the published cells.
type Agreement struct {
	Table     string // empty where it is of all
	Agree     int
	Cells     int
	Ours      Tally
	Published Tally
}

func (a *Agreement) add(r Row) {
	a.Cells++
	if r.Agrees() {
		a.Agree++
	}
	a.Ours.add(r.Result.Verdict)
	a.Published.add(r.Cell.Published)
}

// Agree returns the agreement of each table, in the order in which they first appear, and of all rows.
func Agree(rows []Row) (tables []Agreement, all Agreement) {
	at := map[string]int{}
	for _, r := range rows {
		i, ok := at[r.Cell.Table]
		if !ok {
			i = len(tables)
			at[r.Cell.Table] = i
			tables = append(tables, Agreement{Table: r.Cell.Table})
		}
		tables[i].add(r)
		all.add(r)
	}
	return tables, all
}

// String returns the three counts.
func (t Tally) String() string { return fmt.Sprintf("%d, %d, %d", t.Win, t.Draw, t.Loss) }

// header names the columns of Table. The last six are empty but for lost games.
var header = []string{
	"thesis_table", "paper_table", "family", "game", "board_size", "k", "player", "opponent", "moves_first",
	"published", "ours", "agree", "plies", "player_nodes", "opponent_nodes", "moves",
	"parts_at_ply", "learned_move", "fixed_move", "changed", "deciders", "makers",
}

// Table returns the table of all cells: a line for each row, which begins with the number of the thesis table.
func Table(rows []Row) report.Table {
	t := report.Table{Name: "cells", Columns: header}
	for _, r := range rows {
		t.Rows = append(t.Rows, r.fields())
	}
	return t
}

// first says who moves first.
func (c Cell) first() string {
	if c.MovesFirst {
		return "player"
	}
	return "opponent"
}

// fields returns the columns of a row.
func (r Row) fields() []string {
	c, x := r.Cell, r.Result
	count := func(n uint64) string { return strconv.FormatUint(n, 10) }
	fields := []string{
		c.Table, c.PaperTable, c.Family, c.Game, strconv.Itoa(c.Size), strconv.Itoa(c.K), c.Player, c.Opponent, c.first(),
		string(c.Published), string(x.Verdict), strconv.FormatBool(r.Agrees()), strconv.Itoa(x.Plies()),
		count(x.Player.Nodes), count(x.Opponent.Nodes), strings.Join(x.Moves, " "),
	}
	e := r.Explanation
	if e == nil {
		return append(fields, "", "", "", "", "", "")
	}
	return append(fields, strconv.Itoa(e.Ply), e.Learned, e.Fixed,
		strings.Join(e.Changed, "; "), strings.Join(e.Deciders, "; "), strings.Join(e.Makers, "; "))
}

var timesHeader = []string{
	"games", "k", "positions", "fixed: nodes", "fixed: time", "update: time", "learned / fixed: nodes", "learned / fixed: time",
	"online / learned: nodes", "online / learned: time",
}

// TimesTable returns the medians of what Time measured, for each kind of game and row length, and for all. Online
// times contain the update. A ratio of times above 1 says that the learned, or the online, player is the slower one.
func TimesTable(times []Times) report.Table {
	type group struct {
		family string
		k      string
	}
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
	table := report.Table{Name: "times", Columns: timesHeader}
	for _, at := range append(groups, all) {
		if len(samples[at]) > 0 {
			table.Rows = append(table.Rows, append([]string{at.family, at.k}, medians(samples[at])...))
		}
	}
	return table
}

// medians returns the line of a group of at least one sample.
func medians(samples []Sample) []string {
	over := func(f func(Sample) float64) string { return fmt.Sprintf("%.2f", medianOf(samples, f)) }
	micro := func(f func(Sample) time.Duration) string {
		return medianOf(samples, f).Round(time.Microsecond).String()
	}
	return []string{
		fmt.Sprint(len(samples)),
		fmt.Sprint(medianOf(samples, func(s Sample) uint64 { return s.Fixed.Nodes })),
		micro(func(s Sample) time.Duration { return s.Fixed.Time }),
		micro(func(s Sample) time.Duration { return s.Update }),
		over(func(s Sample) float64 { return float64(s.Frozen.Nodes) / float64(s.Fixed.Nodes) }),
		over(func(s Sample) float64 { return float64(s.Frozen.Time) / float64(s.Fixed.Time) }),
		over(func(s Sample) float64 { return float64(s.Online.Nodes) / float64(s.Frozen.Nodes) }),
		over(func(s Sample) float64 { return float64(s.Online.Time+s.Update) / float64(s.Frozen.Time) }),
	}
}

// medianOf returns the median of f over samples, of which there is at least one: the lower of the two in the
// middle.
func medianOf[T cmp.Ordered](samples []Sample, f func(Sample) T) T {
	values := make([]T, len(samples))
	for i, s := range samples {
		values[i] = f(s)
	}
	slices.Sort(values)
	return values[(len(values)-1)/2]
}
