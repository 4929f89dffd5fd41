// SPDX-License-Identifier: Apache-2.0

package published

import (
	"strconv"
	"strings"

	"github.com/krow-lab/krow/study/report"
)

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
