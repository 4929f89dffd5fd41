// SPDX-License-Identifier: Apache-2.0

package experiments

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/learn/qlearning"
	"github.com/krow-lab/krow/research"
	"github.com/krow-lab/krow/research/published"
	"github.com/krow-lab/krow/research/report"
)

// reading is a variant of the published experiment: a choice of the settings that its texts leave open.
type reading struct {
	name, doc string
	published.Point
	// play is true if Exact, which values finished games by their result, applies only during play and not during learning.
	play    bool
	control bool // whether the player uses the fixed parameters of the thesis instead of learned parameters
}

var readings = []reading{
	{name: "text", doc: "as the texts write the experiment"},
	{name: "closed", doc: "Shevchenko's closed threats count, as in the paper", Point: published.Point{Closed: true}},
	{name: "exact", doc: "finished games exact in play", Point: published.Point{Exact: true}, play: true},
	{name: "exact-trained", doc: "finished games exact in play and in learning", Point: published.Point{Exact: true}},
	{name: "online", doc: "parameters updated during play; the learned player's extra time", Point: published.Point{Online: true}},
	{name: "exact-online", doc: "finished games exact in play, parameters updated during play", Point: published.Point{Exact: true, Online: true}, play: true},
	{name: "exact-trained-online", doc: "finished games exact in play and in learning, parameters updated during play", Point: published.Point{Exact: true, Online: true}},
	{name: "control", doc: "fixed parameters in the place of the learned ones: what agrees without learning", control: true},
	{name: "adjust-importance", doc: "after an update the parameters are put in the order of importance", Point: published.Point{Adjust: qlearning.ByImportance}},
	{name: "adjust-off", doc: "after an update the parameters stay as they are, as figure 3.1 has it", Point: published.Point{Adjust: qlearning.Unadjusted}},
	{name: "exact-rule", doc: "a row longer than k does not win, as the thesis defines the family", Point: published.Point{Exactly: true}},
	{name: "gap-all", doc: "threats of every size may have a gap, not only those of k-1 stones", Point: published.Point{Threats: threat.Reading{All: true}}},
	{name: "play-on", doc: "searches play on below a finished game, in play and in learning", Point: published.Point{Beyond: true}},
	{name: earlier, doc: "as krow read it until November 2026: importance=value end=zero gap=least closed=on", Point: published.Point{
		Importance: qlearning.Value, End: qlearning.Zero, Threats: threat.Reading{Least: true}, Closed: true,
	}},
}

// earlier is the name of the variant that was the only one until November 2026. Its games have the same keys as at that time,
// so that stored games are used.
const earlier = "earlier"

// allReadings is the name of the report that compares all variants.
const allReadings = "all"

func publishedStudy() research.Study {
	st := research.Study{
		Name: "published", Doc: "the thirty tables of the thesis, played again",
		Cite: "Abdoulaye 2017, chapter 4; Abdoulaye, Houndji, Ezin and Aglin 2018", Run: runPublished,
	}
	for _, r := range readings {
		st.Readings = append(st.Readings, research.Reading{Name: r.name, Doc: r.doc})
	}
	st.Readings = append(st.Readings, research.Reading{Name: allReadings, Doc: "every combination of eight switches, and which of them matter"})
	return st
}

func runPublished(ctx context.Context, s *research.Session) (*report.Document, error) {
	for _, r := range readings {
		if r.name == cmp.Or(s.Reading, readings[0].name) {
			return r.runReading(ctx, s)
		}
	}
	return everyReading(ctx, s)
}

// sized returns the cells of the published tables. In a quick session it returns only the cells with a board size of at most
// the parameter quick.
func sized(s *research.Session, quick int) []published.Cell {
	cells := published.Cells()
	if s.Quick {
		cells = slices.DeleteFunc(cells, func(c published.Cell) bool { return c.Size > quick })
	}
	return cells
}

// options returns the options of published.Run for the variant.
func (r reading) options(s *research.Session) published.Options {
	p := r.Point
	p.Exact = p.Exact && !r.play
	o := p.Study(sized(s, 5), seed)
	o.Variant.Exact = r.Exact
	if r.name == earlier {
		o.Learner = fmt.Sprintf("qlearning exact=false seed=%d", seed)
	}
	if r.control {
		o = published.Control(o)
	}
	return o
}

func (r reading) runReading(ctx context.Context, s *research.Session) (*report.Document, error) {
	o := r.options(s)
	s.Plan(len(o.Cells))
	rows, err := published.Run(ctx, s, o)
	if err != nil {
		return nil, err
	}
	cells := published.Table(rows)
	cells.Caption, cells.HideInText = "Every cell: the published result, the result here, and the game.", true
	tables, all := published.Agree(rows)
	d := &report.Document{Title: "The published tables, played again: " + r.doc, Blocks: []report.Block{
		report.Text(r.about()),
		report.Text(fmt.Sprintf("*%d of %d cells agree.* Ours: %s. Published: %s.", all.Agree, all.Cells, won(all.Ours), won(all.Published))),
		again(s, "published"),
		report.Heading{Level: 2, Text: "Agreement"},
		agreementGrid(rows), agreementTable(tables, all),
		report.Heading{Level: 2, Text: "Effort for a move"},
		effortTable(rows),
	}}
	// The times of moves are measured for only one of the variants that update the parameters during play.
	if r.Online && !r.Exact {
		times, err := published.Time(ctx, s, o)
		if err != nil {
			return nil, err
		}
		d.Blocks = append(d.Blocks, timeBlocks(times)...)
	}
	d.Blocks = append(d.Blocks, lossBlocks(rows)...)
	if notes := doubts(rows); len(notes.Rows) > 0 {
		d.Blocks = append(d.Blocks, report.Heading{Level: 2, Text: "What the text leaves in doubt"}, notes)
	}
	d.Blocks = append(d.Blocks, report.Heading{Level: 2, Text: "Cells"}, cells)
	return d, nil
}

func won(t published.Tally) string {
	return fmt.Sprintf("%d won, %d drawn, %d lost", t[published.Win], t[published.Draw], t[published.Loss])
}

// setting describes the settings that all variants have in common.
const setting = "Alpha-beta to depth 4 on both sides, boards of size k to 11, k = 3, 4, 5; the player has the generic heuristic with " +
	"parameters learned for the board by the published Q-learning (five episodes, seed 1), the opponent the fixed ones (brute), " +
	"Shevchenko's or Chua's. One game decides a cell, and nothing in it is random. The texts fix neither the order of " +
	"moves nor the choice between equal moves: here the first best move in move order is played, and nothing was tuned to agree. "

// about returns a paragraph that describes the variant.
func (r reading) about() string {
	text := setting
	if r.control {
		text += "Here the player keeps the *fixed* parameters, so all agreement is without learning. "
	}
	if r.Exact {
		text += "The searches value a finished game by its result, an earlier win higher. "
	} else {
		text += "The searches value a finished game by the heuristic, as the texts write. "
	}
	if r.Exact && !r.play {
		text += "So it was in learning. "
	}
	if r.Online {
		text += "The player keeps learning after each of its moves, and begins each game with the table that it has learned. "
	} else if !r.control {
		text += "The learned parameters are frozen during play. "
	}
	switch r.Adjust {
	case qlearning.ByImportance:
		text += "After an update the parameters are put in the order of importance, not in the order of their fixed values. "
	case qlearning.Unadjusted:
		text += "After an update the parameters stay as they are: algorithm 8 and figure 3.1 have no adjustments. "
	}
	if r.Closed {
		text += "Shevchenko's heuristic counts closed threats, as the paper has it. "
	}
	if r.name == earlier {
		text += "Importance is the order of the fixed parameters, separate for each side, which is not a reading of the " +
			"figure; a finished game " +
			"has no next action; a gapped threat may have k-1 stones or more. "
	}
	return text
}

// agreementGrid returns a grid with a row for each table and a column for each board size.
func agreementGrid(rows []published.Row) report.Grid {
	g := report.Grid{
		Caption: "The player's wins (W), draws (D) and losses (L); in brackets the published result if it differs.",
		Tones:   [3]string{"no such board", "as published", "not as published"},
	}
	low, high := 11, 3
	for _, r := range rows {
		low, high = min(low, r.Cell.Size), max(high, r.Cell.Size)
	}
	for n := low; n <= high; n++ {
		g.Columns = append(g.Columns, fmt.Sprintf("%d x %d", n, n))
	}
	line := map[string]int{}
	for _, r := range rows {
		i, ok := line[r.Cell.Table]
		if !ok {
			i = len(g.Rows)
			line[r.Cell.Table] = i
			first := "second"
			if r.Cell.MovesFirst {
				first = "first"
			}
			g.Rows = append(g.Rows, fmt.Sprintf("%s  %s k=%d, %s, %s", r.Cell.Table, r.Cell.Family, r.Cell.K, r.Cell.Opponent, first))
			g.Cells = append(g.Cells, make([]report.Cell, high-low+1))
		}
		g.Cells[i][r.Cell.Size-low] = gridCell(r)
	}
	return g
}

func gridCell(r published.Row) report.Cell {
	letter := func(v published.Verdict) string { return strings.ToUpper(string(v[:1])) }
	if r.Agrees() {
		return report.Cell{Text: letter(r.Result.Verdict), Tone: report.Agree}
	}
	return report.Cell{Text: letter(r.Result.Verdict) + " (" + letter(r.Cell.Published) + ")", Tone: report.Differ}
}

func agreementTable(tables []published.Agreement, all published.Agreement) report.Table {
	t := report.Table{Name: "tables", Columns: []string{"table", "agree", "cells", "ours: won, drawn, lost", "published: won, drawn, lost"}}
	for _, a := range append(tables, all) {
		t.Add(cmp.Or(a.Table, "all"), a.Agree, a.Cells, a.Ours, a.Published)
	}
	return t
}

func effortTable(rows []published.Row) report.Table {
	t := report.Table{Caption: "Nodes for a move, in the mean over all games against an opponent.", Columns: []string{"opponent", "player's nodes", "opponent's nodes"}}
	for _, name := range []string{published.Brute, published.Shevchenko, published.Chua} {
		var player, opponent published.Effort
		for _, r := range rows {
			if r.Cell.Opponent == name {
				player.Moves, player.Nodes = player.Moves+r.Result.Player.Moves, player.Nodes+r.Result.Player.Nodes
				opponent.Moves, opponent.Nodes = opponent.Moves+r.Result.Opponent.Moves, opponent.Nodes+r.Result.Opponent.Nodes
			}
		}
		if player.Moves > 0 && opponent.Moves > 0 {
			t.Add(name, player.Nodes/uint64(player.Moves), opponent.Nodes/uint64(opponent.Moves))
		}
	}
	return t
}

func lossBlocks(rows []published.Row) []report.Block {
	t := report.Table{
		Name: "losses", Caption: "Enough alone means that this parameter, put into the fixed ones, makes them choose the player's move.",
		Columns: []string{"table", "game", "published", "our loss"},
	}
	for _, r := range rows {
		if r.Explanation != nil {
			t.Add(r.Cell.Table, r.Cell.Game, r.Cell.Published, r.Explanation)
		}
	}
	return []report.Block{
		report.Heading{Level: 2, Text: "Lost games"},
		report.Text("Why does the learned player sometimes lose? For each lost game: its first move that fixed parameters would not have made in the " +
			"same position, and the decisive parameter: setting it alone back to its fixed value restores their move."), t,
	}
}

// doubts returns a table of the cells whose published result is unclear, with the reasons.
func doubts(rows []published.Row) report.Table {
	t := report.Table{Columns: []string{"table", "note"}}
	last := ""
	for _, r := range rows {
		if r.Cell.Note != "" && r.Cell.Table != last {
			t.Add(r.Cell.Table, r.Cell.Note)
			last = r.Cell.Table
		}
	}
	return t
}

func timeBlocks(times []published.Times) []report.Block {
	return []report.Block{
		report.Heading{Level: 2, Text: "The extra time of a move"},
		report.Text("Medians over every third position in which the player was to move: the same search with fixed parameters, with " +
			"learned ones, and with the parameters that learning during play had reached, each the fastest of three runs; the last time contains the " +
			"update. These are the only figures here in which two runs differ."),
		published.TimesTable(times),
	}
}
