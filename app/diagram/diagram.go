// SPDX-License-Identifier: Apache-2.0

// Package diagram computes what the terminal and the web page show of a board: the stones, the names of rows and columns, the
// last turn, the winning row, forbidden moves, threats, and the immediate effects of moves.
//
// # Basics
//
//	v := diagram.New(b)                 // the current board
//	o := diagram.NewOverlay(b, nil)     // threats, wins and forks of both sides
//	steps, err := diagram.Line(ctx, b, "i9 g7", 40)
//
// Cells are counted as in game.Board: column + row*columns, row 0 at the bottom.
//
// # Caveats
//
// Wins and forks of the side that is not to move are computed as if it were to move. In ultimate tic-tac-toe this is
// impossible, because the stones and the side to move do not determine a position. So an overlay of that game contains no wins
// and forks of the side that is not to move.
package diagram

import (
	"slices"
	"strconv"
	"strings"

	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/notation"
)

// Board contains the data for drawing a position.
type Board struct {
	Game      string      `json:"game" doc:"spec of the game"`
	Look      string      `json:"look" enum:"points,squares,falling,nested" doc:"style in which the board is drawn"`
	Columns   int         `json:"columns"`
	Rows      int         `json:"rows"`
	Cells     string      `json:"cells" doc:"a character for each cell from the bottom left: . x o"`
	Turn      string      `json:"turn" enum:"first,second"`
	Ply       int         `json:"ply"`
	Outcome   string      `json:"outcome" enum:"ongoing,first wins,second wins,draw"`
	Reason    string      `json:"reason,omitempty" doc:"why the game ended, if a special rule of the game ended it"`
	Moves     []string    `json:"moves" nullable:"false" doc:"the legal moves"`
	Targets   []int       `json:"targets" nullable:"false" doc:"the cell on which each legal move places its stone"`
	Forbidden []Forbidden `json:"forbidden" nullable:"false" doc:"legal moves that lose at once"`
	Last      []int       `json:"last" nullable:"false" doc:"cells of the last turn, the latest first"`
	Removed   []int       `json:"removed,omitempty" doc:"cells from which the last turn captured stones"`
	Row       []int       `json:"row" nullable:"false" doc:"cells of the winning rows"`
	Blocks    string      `json:"blocks,omitempty" doc:"only for nested boards: the owner of each small board from the top left: x, o, . if undecided, or - if nobody has won it"`
	Across    []string    `json:"across" nullable:"false" doc:"names of the columns"`
	Up        []string    `json:"up" nullable:"false" doc:"names of the rows from the bottom"`
	Captured  []int       `json:"captured,omitempty" doc:"number of pairs that the first and the second side have captured"`
	Left      int         `json:"left,omitempty" doc:"number of stones left to place in this turn, in games in which it may be more than one"`
	Played    []string    `json:"played,omitempty" doc:"the moves since the start; only in the answer to a request for a position"`

	Small *Small `json:"-"` // state of the small boards; nil if the board has no small boards
}

// Forbidden is a move that loses at once, with the reason.
type Forbidden struct {
	Move string `json:"move"`
	Cell int    `json:"cell"`
	Why  string `json:"why"`
}

// Small describes the small boards of a nested board. They are numbered row by row from the top left.
type Small struct {
	Owner  [9]game.Stone
	Closed [9]bool // whether each small board accepts no more stones
	Forced int     // small board for the next stone, or -1 if any open small board is allowed
	Row    []int   // the three small boards in the row that won the game
}

// Won returns the numbers of the small boards that the given side has won.
func (s *Small) Won(side game.Side) []int {
	var won []int
	for i, owner := range s.Owner {
		if owner == side.Stone() {
			won = append(won, i)
		}
	}
	return won
}

const glyphs = ".xo"

// New returns the data for drawing b.
func New(b game.Board) Board {
	g := b.Game()
	columns, rows := b.Size()
	legal := b.AppendMoves(nil)
	v := Board{
		Game: g.String(), Look: Look(b), Columns: columns, Rows: rows, Turn: b.Turn().String(), Ply: b.Ply(), Outcome: b.Outcome().String(),
		Reason: game.Foul(b), Moves: notation.MoveNames(g, legal), Targets: []int{}, Forbidden: []Forbidden{}, Left: left(b),
	}
	v.Last, v.Removed = lastTurn(b)
	v.Row = winningRow(b, v.Last)
	cells := make([]byte, columns*rows)
	for i, s := range b.Cells() {
		cells[i] = glyphs[s]
	}
	v.Cells = string(cells)
	for _, m := range legal {
		v.Targets = append(v.Targets, b.Cell(m))
	}
	for m, why := range game.Forbidden(b, legal) {
		v.Forbidden = append(v.Forbidden, Forbidden{g.Format(m), b.Cell(m), why})
	}
	for c := range columns {
		name := game.FormatColumn(c)
		if v.Look == "falling" {
			name = g.Format(game.Move(c))
		}
		v.Across = append(v.Across, name)
	}
	for r := range rows {
		v.Up = append(v.Up, strconv.Itoa(r+1))
	}
	if m, ok := g.(*mnk.Game); ok && m.Rules().Captures > 0 {
		c := b.(game.Capturer)
		v.Captured = []int{c.Captured(game.First), c.Captured(game.Second)}
	}
	v.nested(b)
	return v
}

// Look returns the style in which a game is drawn. As usual, games on large boards are drawn with stones on the intersections
// of lines.
func Look(b game.Board) string {
	name, _, _ := strings.Cut(b.Game().String(), ":")
	switch _, nested := b.(*ultimate.Position); {
	case nested:
		return "nested"
	case falls(b):
		return "falling"
	case slices.Contains([]string{"gomoku", "standard", "caro", "renju", "pente", "connect6", "atarigo"}, name):
		return "points"
	}
	return "squares"
}

// falls reports whether stones fall, so that a move names only a column.
func falls(b game.Board) bool {
	columns, _ := b.Size()
	return b.Game().Moves() == columns && b.Game().Format(0) == "1"
}

// left returns the number of stones still to be placed in this turn, or 0 in a game with one stone per turn.
func left(b game.Board) int {
	turns, ok := b.Game().(game.TurnSharer)
	if !ok || b.Outcome() != game.Ongoing {
		return 0
	}
	if _, usual := turns.StonesLeft(1); usual < 2 {
		return 0
	}
	return int(b.(game.Settable).Setup().Memory[0])
}

// lastTurn returns the cells of the moves of the last turn, the latest first. The last turn is the longest sequence of moves
// of one side at the end of the game. removed contains the cells from which the turn captured stones.
func lastTurn(b game.Board) (cells, removed []int) {
	now := b.Cells()
	b = b.Clone().(game.Board)
	cells = []int{}
	var side game.Side
	for _, m := range slices.Backward(b.AppendHistory(nil)) {
		b.Undo()
		if len(cells) > 0 && b.Turn() != side {
			break
		}
		side = b.Turn()
		cells = append(cells, b.Cell(m))
		for c, stone := range b.Cells() {
			if stone != game.Empty && now[c] == game.Empty {
				removed = append(removed, c)
			}
		}
	}
	return cells, removed
}

// winningRow returns the cells of the rows that won the game. It returns no cells if nobody has won, or if games of this
// kind are not won by rows. If a move has been played, only rows through the last stone are returned.
func winningRow(b game.Board, last []int) []int {
	cells := []int{}
	winner, won := b.Outcome().Winner()
	lined, ok := b.(game.Lined)
	if !won || !ok {
		return cells
	}
	for _, t := range threat.Find(lined) {
		if t.Class == threat.Complete && t.Side == winner && (len(last) == 0 || slices.Contains(t.Cells, last[0])) {
			cells = append(cells, t.Cells...)
		}
	}
	slices.Sort(cells)
	return slices.Compact(cells)
}

func (v *Board) nested(b game.Board) {
	p, ok := b.(*ultimate.Position)
	if !ok {
		return
	}
	s := &Small{Forced: -1}
	if board, forced := p.Forced(); forced {
		s.Forced = board
	}
	blocks := make([]byte, len(s.Owner))
	for i := range blocks {
		s.Owner[i], s.Closed[i] = p.Owner(i), p.Closed(i)
		blocks[i] = glyphs[s.Owner[i]]
		if s.Owner[i] == game.Empty && s.Closed[i] {
			blocks[i] = '-'
		}
	}
	if winner, won := p.Outcome().Winner(); won {
		own := p.Won(winner)
		for i := range blocks {
			// A small board belongs to a winning row if it completes a row together with other small boards that the winner has
			// won.
			if own>>i&1 != 0 && ultimate.Completing(own&^(1<<i))>>i&1 != 0 {
				s.Row = append(s.Row, i)
			}
		}
	}
	v.Blocks, v.Small = string(blocks), s
}
