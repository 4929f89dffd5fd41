// SPDX-License-Identifier: Apache-2.0

package web

import (
	"slices"
	"strconv"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/threat"
)

// Board is a position as the page draws it. Cells are counted as in game.Board: column + row*columns, row 0 at the
// bottom.
type Board struct {
	Game      string      `json:"game" doc:"spec of the game"`
	Look      string      `json:"look" enum:"points,squares,falling,nested" doc:"how it is drawn"`
	Columns   int         `json:"columns"`
	Rows      int         `json:"rows"`
	Cells     string      `json:"cells" doc:"a character for each cell from the bottom left: . x o"`
	Turn      string      `json:"turn" enum:"first,second"`
	Ply       int         `json:"ply"`
	Outcome   string      `json:"outcome" enum:"ongoing,first wins,second wins,draw"`
	Reason    string      `json:"reason,omitempty" doc:"of a game that a rule of its own ended"`
	Moves     []string    `json:"moves" nullable:"false" doc:"the legal moves"`
	Targets   []int       `json:"targets" nullable:"false" doc:"the cell on which each legal move places its stone"`
	Forbidden []Forbidden `json:"forbidden" nullable:"false" doc:"legal moves that lose at once"`
	Last      []int       `json:"last" nullable:"false" doc:"cells of the last turn, the latest first"`
	Row       []int       `json:"row" nullable:"false" doc:"cells of the winning rows"`
	Blocks    string      `json:"blocks,omitempty" doc:"nested: who owns each small board from the top left: . x o, or - for nobody"`
	Across    []string    `json:"across" nullable:"false" doc:"names of the columns"`
	Up        []string    `json:"up" nullable:"false" doc:"names of the rows from the bottom"`
	Captured  []int       `json:"captured,omitempty" doc:"pairs taken by the first side and by the second"`
	Left      int         `json:"left,omitempty" doc:"stones left to place in this turn, where that may be more than one"`
	Played    []string    `json:"played,omitempty" doc:"of a position that was asked for: the moves since the start, one a word"`
}

// Forbidden is a move that loses at once, and why.
type Forbidden struct {
	Move string `json:"move"`
	Cell int    `json:"cell"`
	Why  string `json:"why"`
}

const glyphs = ".xo"

// newBoard returns the view of b.
func newBoard(b game.Board) Board {
	g := b.Game()
	columns, rows := b.Size()
	v := Board{
		Game: g.String(), Look: look(b), Columns: columns, Rows: rows, Turn: b.Turn().String(), Ply: b.Ply(), Outcome: b.Outcome().String(),
		Moves: []string{}, Targets: []int{}, Forbidden: []Forbidden{}, Last: lastTurn(b), Row: winningRow(b),
	}
	cells := make([]byte, columns*rows)
	for i, s := range b.Cells() {
		cells[i] = glyphs[s]
	}
	v.Cells = string(cells)
	f, _ := b.(game.Forbidder)
	for _, m := range b.AppendMoves(nil) {
		v.Moves, v.Targets = append(v.Moves, g.Format(m)), append(v.Targets, b.Cell(m))
		if f == nil {
			continue
		}
		if why := f.Forbidden(m); why != "" {
			v.Forbidden = append(v.Forbidden, Forbidden{g.Format(m), b.Cell(m), why})
		}
	}
	v.names(b)
	v.extras(b)
	return v
}

// played returns the moves of b's history.
func played(b game.Board) []string {
	moves := []string{}
	for _, m := range b.AppendHistory(nil) {
		moves = append(moves, b.Game().Format(m))
	}
	return moves
}

// falls says whether stones fall: a move is a column.
func falls(b game.Board) bool {
	columns, _ := b.Size()
	return b.Game().Moves() == columns && b.Game().Format(0) == "1"
}

// look says how a game is drawn: stones on points is the custom of games whose boards are large.
func look(b game.Board) string {
	switch _, nested := b.(*ultimate.Position); {
	case nested:
		return "nested"
	case falls(b):
		return "falling"
	case customary(b.Game().String()):
		return "points"
	}
	return "squares"
}

func (v *Board) names(b game.Board) {
	for c := range v.Columns {
		name := game.FormatCell(c, v.Columns)
		v.Across = append(v.Across, name[:len(name)-1]) // less its row, 1
		if v.Look == "falling" {
			v.Across[c] = b.Game().Format(game.Move(c))
		}
	}
	for r := range v.Rows {
		v.Up = append(v.Up, strconv.Itoa(r+1))
	}
}

// extras are what some games have besides stones.
func (v *Board) extras(b game.Board) {
	if u, ok := b.(*ultimate.Position); ok {
		blocks := make([]byte, 9)
		for i := range blocks {
			blocks[i] = glyphs[u.Owner(i)]
			if u.Owner(i) == game.Empty && u.Closed(i) {
				blocks[i] = '-'
			}
		}
		v.Blocks = string(blocks)
	}
	if c, ok := b.(interface{ Captured(game.Side) int }); ok {
		if first, second := c.Captured(game.First), c.Captured(game.Second); first+second > 0 {
			v.Captured = []int{first, second}
		}
	}
	v.Reason = game.Foul(b)
}

// lastTurn returns the cells of the last moves that one side made in a row, the latest first.
func lastTurn(b game.Board) []int {
	b = b.Clone().(game.Board)
	cells := []int{}
	var side game.Side
	for _, m := range slices.Backward(b.AppendHistory(nil)) {
		b.Undo()
		if len(cells) > 0 && b.Turn() != side {
			break
		}
		side = b.Turn()
		cells = append(cells, b.Cell(m))
	}
	return cells
}

// winningRow returns the cells of the rows that won, if rows win here.
func winningRow(b game.Board) []int {
	cells := []int{}
	winner, won := b.Outcome().Winner()
	lined, ok := b.(game.Lined)
	if !won || !ok {
		return cells
	}
	for _, t := range threat.Find(lined) {
		if t.Class == threat.Complete && t.Side == winner {
			cells = append(cells, t.Cells...)
		}
	}
	slices.Sort(cells)
	return slices.Compact(cells)
}
