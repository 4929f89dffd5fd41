// SPDX-License-Identifier: Apache-2.0

package mnk

import (
	"fmt"
	"math/bits"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
)

// border is the content of the cells around the grid, so that a loop along a line need not test for the edge.
const border game.Stone = 3

// Position is a state of a Game.
//
// The board is stored twice: in cells for callers, and in grid with a border. One border column lies between the rows of the
// grid. A step beyond the right edge of a row reaches the border place of this row, and a step beyond the left edge reaches the
// border place of the row below:
//
//	# # # # #      grid of a 4 x 2 board without its first place, stride 5; '#' is border
//	. . . . #      place of (column, row) = 1 + column + (row+1)*stride
//	. . . . #
//	# # # # #
type Position struct {
	g       *Game
	cells   []game.Stone
	grid    []game.Stone
	free    []uint64 // bit set of the free cells
	history []undo
	height  []uint8 // by column: its number of stones, in games with falling stones
	key     uint64
	ply     int
	empties int
	taken   [2]uint8 // by side: number of captured pairs, or of captured stones if Rules.Threes is true
	left    uint8    // number of stones that must still be placed in this turn
	fouled  bool     // whether the last stone lost the game by Rules.Foul
	turn    game.Side
	outcome game.Outcome
}

type undo struct {
	key  uint64
	cell int32
	// pairs has a bit for each of the eight directions in which the move captured a pair. Bits 8 to 15 are for captured threes.
	pairs uint16
	left  uint8
	turn  game.Side
}

func (g *Game) empty() *Position {
	n := g.r.Columns * g.r.Rows
	size := g.stride*(g.r.Rows+2) + 1
	buf := make([]game.Stone, n+size)
	p := &Position{
		g: g, cells: buf[:n:n], grid: buf[n:],
		free:    make([]uint64, (n+63)/64),
		history: make([]undo, 0, min(n, 128)),
		empties: n, left: uint8(g.r.Opening),
	}
	for i := range p.grid {
		p.grid[i] = border
	}
	for row := range g.r.Rows {
		clear(p.grid[g.padded(row*g.r.Columns):][:g.r.Columns])
	}
	for i := range p.free {
		p.free[i] = ^uint64(0)
	}
	if n%64 != 0 {
		p.free[len(p.free)-1] = 1<<(n%64) - 1
	}
	if g.r.Gravity {
		p.height = make([]uint8, g.r.Columns)
	}
	return p
}

func (g *Game) padded(cell int) int {
	row := int(uint32(cell) / uint32(g.r.Columns))
	return cell + row + g.stride + 1
}

// The following methods are described at game.Position, game.Board and game.Lined.

func (p *Position) Game() game.Game           { return p.g }
func (p *Position) Turn() game.Side           { return p.turn }
func (p *Position) Ply() int                  { return p.ply }
func (p *Position) Outcome() game.Outcome     { return p.outcome }
func (p *Position) Key() uint64               { return p.key }
func (p *Position) Size() (columns, rows int) { return p.g.r.Columns, p.g.r.Rows }
func (p *Position) Cells() []game.Stone       { return p.cells }
func (p *Position) K() int                    { return p.g.r.K }
func (p *Position) Exact(s game.Side) bool    { return p.g.r.Exact[s] }

// Captured returns the number of pairs that s has captured. If three stones can also be captured, it returns the number of
// captured stones instead.
func (p *Position) Captured(s game.Side) int { return int(p.taken[s]) }

// Cell returns the cell on which m would place its stone.
func (p *Position) Cell(m game.Move) int {
	if p.g.r.Gravity {
		return int(m) + int(p.height[m])*p.g.r.Columns
	}
	return int(m)
}

// AppendMoves appends the free cells, or the columns that are not full in games with falling stones.
func (p *Position) AppendMoves(dst []game.Move) []game.Move {
	if p.outcome != game.Ongoing {
		return dst
	}
	if p.g.r.Gravity {
		for c, h := range p.height {
			if int(h) < p.g.r.Rows {
				dst = append(dst, game.Move(c))
			}
		}
		return dst
	}
	for i, w := range p.free {
		for ; w != 0; w &= w - 1 {
			if m := i<<6 | bits.TrailingZeros64(w); p.opens(m) {
				dst = append(dst, game.Move(m))
			}
		}
	}
	return dst
}

// opens reports whether Rules.Distance allows a stone on cell at the current ply.
func (p *Position) opens(cell int) bool {
	d := p.g.r.Distance
	if d == 0 || p.ply != 0 && p.ply != 2 {
		return true
	}
	x, y := cell%p.g.r.Columns-p.g.r.Columns/2, cell/p.g.r.Columns-p.g.r.Rows/2
	if p.ply == 0 {
		return x == 0 && y == 0
	}
	return max(x, -x, y, -y) >= d
}

// Refusal returns the requirement of Rules.Distance for the next stone.
func (p *Position) Refusal(game.Move) string {
	if p.ply == 0 {
		return "the first stone must be in the centre"
	}
	return fmt.Sprintf("this stone must be at least %d columns or rows from the centre", p.g.r.Distance)
}

// Allows reports whether m, which must be a move of the game, is legal here.
func (p *Position) Allows(m game.Move) bool {
	if p.outcome != game.Ongoing {
		return false
	}
	if p.g.r.Gravity {
		return int(p.height[m]) < p.g.r.Rows
	}
	return p.free[m>>6]>>(m&63)&1 != 0 && p.opens(int(m))
}

// AppendHistory appends the moves played.
func (p *Position) AppendHistory(dst []game.Move) []game.Move {
	for _, u := range p.history {
		m := u.cell
		if p.g.r.Gravity {
			m %= int32(p.g.r.Columns)
		}
		dst = append(dst, game.Move(m))
	}
	return dst
}

// Play places a stone.
func (p *Position) Play(m game.Move) {
	cell := p.Cell(m)
	at := p.g.padded(cell)
	side := p.turn
	u := undo{key: p.key, cell: int32(cell), left: p.left, turn: side}
	foul := p.g.r.Foul != nil && side == game.First && p.Forbidden(m) != ""
	p.put(cell, at, side.Stone())
	if p.g.r.Captures > 0 {
		u.pairs = p.capture(cell, at, side)
	}
	p.history = append(p.history, u)
	p.ply++
	switch {
	case foul:
		p.lose()
	case p.wins(at, side) || p.g.r.Captures > 0 && int(p.taken[side]) >= p.g.r.Captures:
		p.outcome = game.WinFor(side)
	case p.empties == 0:
		p.outcome = game.Draw
	}
	if p.left--; p.left == 0 {
		p.turn, p.left = side.Other(), uint8(p.g.r.Turn)
		p.key ^= keySecond
	}
	if p.g.r.Turn > 1 {
		p.key ^= rng.Nth(keyLeft+uint64(u.left)) ^ rng.Nth(keyLeft+uint64(p.left))
	}
}

// Undo takes back the last move, with its captures.
func (p *Position) Undo() {
	u := p.history[len(p.history)-1]
	p.history = p.history[:len(p.history)-1]
	cell := int(u.cell)
	at := p.g.padded(cell)
	p.lift(cell, at)
	if u.pairs != 0 {
		p.restore(cell, at, u)
	}
	p.key, p.left, p.turn = u.key, u.left, u.turn
	p.ply--
	p.outcome, p.fouled = game.Ongoing, false
}

func (p *Position) lose() {
	p.outcome, p.fouled = game.SecondWins, true
	p.key ^= rng.Nth(keyFouled)
}

// put places a stone in all copies of the board, and lift removes it. Only put updates the key, because Undo restores the old
// key.
func (p *Position) put(cell, at int, s game.Stone) {
	p.cells[cell], p.grid[at] = s, s
	p.free[cell>>6] &^= 1 << (cell & 63)
	p.empties--
	p.key ^= stoneKey(cell, s)
	if p.height != nil {
		p.height[cell%p.g.r.Columns]++
	}
}

func (p *Position) lift(cell, at int) {
	p.cells[cell], p.grid[at] = game.Empty, game.Empty
	p.free[cell>>6] |= 1 << (cell & 63)
	p.empties++
	if p.height != nil {
		p.height[cell%p.g.r.Columns]--
	}
}

func (p *Position) wins(at int, s game.Side) bool {
	stone, k, grid := s.Stone(), p.g.r.K, p.grid
	for _, d := range &p.g.steps {
		i, j, n := at-d, at+d, 1
		for ; grid[i] == stone; i -= d {
			n++
		}
		for ; grid[j] == stone; j += d {
			n++
		}
		if n < k || n > k && p.g.r.Exact[s] {
			continue
		}
		if enemy := s.Other().Stone(); p.g.r.Blocked && grid[i] == enemy && grid[j] == enemy {
			continue
		}
		return true
	}
	return false
}

// Forbids reports whether the rules contain moves that are forbidden to the side to move. It is quick, because it does not look
// for such moves in the position.
func (p *Position) Forbids() bool {
	return p.g.r.Foul != nil && p.turn == game.First && p.outcome == game.Ongoing
}

// Forbidden returns the reason why m loses at once for the side to move, or "" if it does not.
func (p *Position) Forbidden(m game.Move) string {
	if !p.Forbids() {
		return ""
	}
	cell := p.Cell(m)
	at := p.g.padded(cell)
	p.grid[at] = p.turn.Stone()
	wins := p.wins(at, p.turn)
	p.grid[at] = game.Empty
	if wins {
		return ""
	}
	return p.g.r.Foul(p.cells, p.g.r.Columns, p.g.r.Rows, cell)
}

// Clone returns an independent copy.
func (p *Position) Clone() game.Position {
	q := *p
	buf := append(append(make([]game.Stone, 0, len(p.cells)+len(p.grid)), p.cells...), p.grid...)
	q.cells, q.grid = buf[:len(p.cells):len(p.cells)], buf[len(p.cells):]
	q.free = append([]uint64(nil), p.free...)
	q.history = append(make([]undo, 0, max(cap(p.history), 1)), p.history...)
	if p.height != nil {
		q.height = append([]uint8(nil), p.height...)
	}
	return &q
}

// The key of a position depends on the stones and on the following facts. keySecond is part of the key if Second is to move.
// The other constants are indices of numbers from rng.Nth. keyLeft is the first index of the numbers for the stones left in
// the turn. keyTaken is the first index of the numbers for the captured stones. keyFouled is the index of the number for a
// foul.
const (
	keySecond = rng.Golden
	keyLeft   = 1 << 20
	keyTaken  = 1 << 21
	keyFouled = 1 << 22
)

func stoneKey(cell int, s game.Stone) uint64 { return rng.Nth(uint64(cell)<<2 | uint64(s)) }
