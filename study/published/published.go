// SPDX-License-Identifier: Apache-2.0

// Package published plays the thirty published tables again, cell by cell. Does the generic heuristic with learned
// parameters beat the one with fixed parameters, and its rivals?
//
// # Basics
//
//	rows, err := published.Run(ctx, session, published.Options{Cells: published.Cells(), Learner: "qlearning", Learn: learn})
//	for _, r := range rows {
//		fmt.Println(r.Cell.Table, r.Cell.Game, r.Cell.Published, r.Result.Verdict)
//	}
//
// [Run] learns what the cells need, plays their games, and explains the lost ones: which move the learned parameters
// changed first, and which parameter decided it. [Time] measures how much longer the learned player thinks. Times differ
// from run to run, so they are kept apart from the cells.
//
// Both sides search with alpha-beta to depth 4, on boards of size k to 11 for k = 3, 4, 5. One game decides a cell, since
// nothing in it is random. The player has the generic heuristic with learned parameters ("improved"). Its opponent has
// the fixed ones ("brute") or a rival heuristic. Twelve of the tables are in the paper as well.
//
//	4.1 - 4.6    gomoku        brute        k = 3, 4, 5, in each pair the player first, then second
//	4.7 - 4.12   gomoku        Shevchenko
//	4.13 - 4.18  tic-tac-toe   brute
//	4.19 - 4.24  tic-tac-toe   Chua
//	4.25 - 4.30  Connect Four  brute
//
// # Caveats
//
// The texts fix neither the order of moves nor how ties break, so a cell may differ for no deeper reason. Here the first
// of the best moves is played, and nothing was ever tuned to agree. Gomoku and tic-tac-toe of equal size and k are the
// same game, so 4.13 to 4.18 share the games of 4.1 to 4.6.
//
// By default the heuristic values a finished game like any leaf, as the texts write. Shevchenko's heuristic then never
// sees the opponent's win. Its closed threats count, as in the paper. The thesis does not say whether the player goes on
// learning while it plays ([Variant]). If it does, each game begins with the weights learned before, so no cell depends on
// another.
//
// CITE: Abdoulaye, Détermination des paramètres d'une heuristique générique pour les jeux de type « n-alignés »
// par apprentissage automatique, 2017, chapter 4. CITE: Abdoulaye, Houndji, Ezin and Aglin, Generic Heuristic for
// the mnk-games, 2018.
package published

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/krow-lab/krow/game/mnk"
)

// Verdict is how a game ended for the player.
type Verdict string

// The verdicts.
const (
	Win  Verdict = "win"
	Draw Verdict = "draw"
	Loss Verdict = "loss"
)

// The heuristics of the tables.
const (
	Improved   = "improved" // the generic one with learned parameters
	Brute      = "brute"    // the generic one with fixed parameters
	Shevchenko = "shevchenko"
	Chua       = "chua"
)

// Cell is one result of one table.
type Cell struct {
	Table      string // of the thesis
	PaperTable string // empty where the paper has none
	Family     string // "gomoku", "tictactoe" or "connect4"
	Game       string // its spec: "mnk:7,7,4", "connect4:7x7"
	Size, K    int
	Player     string // Improved; Brute makes a control of the cell
	Opponent   string // Brute, Shevchenko or Chua
	MovesFirst bool   // the player does
	Published  Verdict
	Note       string // what the text leaves in doubt
}

// The tables as data: the header names the columns.
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

// cell reads a row of the tables, which are embedded and cannot be wrong.
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
		return mnk.MNK(c.Size, c.Size, c.K)
	case "connect4":
		return mnk.Connect4(c.Size, c.Size, c.K)
	}
	return nil, fmt.Errorf("no family of games is called %q", c.Family)
}
