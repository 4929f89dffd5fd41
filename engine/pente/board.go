// SPDX-License-Identifier: Apache-2.0

package pente

import (
	"math/bits"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/internal/rng"
)

// The board is stored with a margin of four cells; the margin at the right end of a row is also the margin at the left end of the
// next row:
//
//	stride 32   # # # # . . . # # # #   cell (column, row) = margin + column + (margin + row) * stride
const (
	margin  = 4
	stride  = 32
	maxSide = stride - margin
	// Four diagonal steps of stride + 1 from the last cell of the board may end one row beyond the margin, so one row is added.
	// Another row makes cells a multiple of 64.
	cells = (maxSide + 2*margin + 2) * stride
	words = cells / 64
)

// steps are the differences between a cell and the next cell, for each line; the other four of the eight directions have the
// opposite differences.
var steps = [4]int{1, stride, stride + 1, stride - 1}

type cell struct {
	stone   game.Stone // content of the cell; edge if the cell is outside the board
	keys    [4]uint16  // by line: the contents of the eight cells around this cell, see lines
	summary [2]summary // for an empty cell, by side: the effects of a stone of the side there
}

// set is a set of cells.
type set [words]uint64

func (s *set) flip(c int)     { s[c>>6] ^= 1 << (c & 63) }
func (s *set) has(c int) bool { return s[c>>6]>>(c&63)&1 != 0 }

// first returns the first cell of the set, or 0.
func (s *set) first() int {
	for i, w := range s {
		if w != 0 {
			return i<<6 | bits.TrailingZeros64(w)
		}
	}
	return 0
}

func (s *set) append(dst []uint16) []uint16 {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			dst = append(dst, uint16(i<<6|bits.TrailingZeros64(w)))
		}
	}
	return dst
}

type undo struct {
	key  uint64
	cell uint16
	// pairs contains the directions in which the stone captured a pair: bit i for steps[i], bit i+4 for the opposite direction.
	// The bits from 8 up are for captured threes.
	pairs uint16
}

// board is a position with the data that the search needs; each move updates the data.
type board struct {
	lines         *lines
	columns, rows int
	target        int // a side wins with this number of captured pairs, or stones in keryo
	turn          game.Side
	empties       int
	taken         [2]int   // by side: number of captured pairs, or stones in keryo
	worth         [2]int32 // by side: sum of the worths of the summaries of all cells
	key           uint64
	sets          [2][classes]set // by side: the cells on which a stone makes a five, a four and so on (pattern.go)
	cells         [cells]cell
	history       [maxPly + 1]undo
	ply           int
}

func newBoard(g *mnk.Game) *board {
	r := g.Rules()
	keryo := 0
	if r.Threes {
		keryo = 1
	}
	b := &board{lines: tables[keryo](), columns: r.Columns, rows: r.Rows, target: r.Captures}
	b.clear()
	return b
}

func (b *board) clear() {
	b.empties, b.taken, b.worth, b.key, b.ply, b.turn = b.columns*b.rows, [2]int{}, [2]int32{}, 0, 0, game.First
	b.sets = [2][classes]set{}
	for c := range b.cells {
		b.cells[c] = cell{stone: edge}
	}
	for m := range b.empties {
		b.cells[b.cell(game.Move(m))].stone = game.Empty
	}
	for m := range b.empties {
		c := b.cell(game.Move(m))
		for d, step := range steps {
			for i := 1; i <= 4; i++ {
				b.cells[c].keys[d] |= uint16(b.at(c-i*step))<<(8-2*i) | uint16(b.at(c+i*step))<<(6+2*i)
			}
		}
		b.enter(c)
	}
}

// at returns the stone on a cell, or edge if the cell is outside the board.
func (b *board) at(c int) game.Stone { return b.cells[c].stone }

func (b *board) cell(m game.Move) int {
	return margin + int(m)%b.columns + (margin+int(m)/b.columns)*stride
}

func (b *board) move(c int) game.Move {
	return game.Move(c%stride - margin + (c/stride-margin)*b.columns)
}

// load sets the board to p.
func (b *board) load(p *mnk.Position) {
	b.clear()
	for m, stone := range p.Cells() {
		if stone != game.Empty {
			b.put(b.cell(game.Move(m)), game.Side(stone-1))
		}
	}
	for s := range game.Side(2) {
		b.take(s, p.Captured(s))
	}
	if b.turn = p.Turn(); b.turn == game.Second {
		b.key ^= keySecond
	}
}

// Random numbers that enter the key for the parts of the state other than stones.
const (
	keySecond = rng.Golden
	keyTaken  = 1 << 21
)

// keys contains the keys of stones, by cell and side.
var keys = func() (k [cells][2]uint64) {
	for i := range k {
		k[i] = [2]uint64{rng.Nth(uint64(2 * i)), rng.Nth(uint64(2*i + 1))}
	}
	return k
}()

// take adds n to the captures of s.
func (b *board) take(s game.Side, n int) {
	for range n {
		b.taken[s]++
		b.key ^= rng.Nth(keyTaken + uint64(s)<<8 + uint64(b.taken[s]))
	}
}

// play places a stone of the side to move. It does not check for wins, because the search has done this before.
func (b *board) play(c int) {
	s := b.turn
	u := undo{key: b.key, cell: uint16(c)}
	taking := b.sets[s][takes].has(c)
	b.put(c, s)
	if taking {
		mine, foe := s.Stone(), s.Other().Stone()
		for i := range 8 {
			d, long := direction(i), 2
			if b.at(c+d) != foe || b.at(c+2*d) != foe {
				continue
			}
			if b.lines.keryo && b.at(c+3*d) == foe {
				long = 3
			}
			if b.at(c+(long+1)*d) != mine {
				continue
			}
			u.pairs |= 1 << (i + 8*(long-2))
			for n := 1; n <= long; n++ {
				b.lift(c+n*d, s.Other())
			}
			b.take(s, b.lines.counts(long))
		}
	}
	b.history[b.ply] = u
	b.ply++
	b.pass()
}

// pass makes the other side the side to move.
func (b *board) pass() {
	b.turn = b.turn.Other()
	b.key ^= keySecond
}

// undo takes back the last stone and restores captured stones.
func (b *board) undo() {
	b.ply--
	u := &b.history[b.ply]
	b.turn = b.turn.Other()
	for i := range 16 {
		if u.pairs>>i&1 != 0 {
			for n := 1; n <= 2+i/8; n++ {
				b.put(int(u.cell)+n*direction(i&7), b.turn.Other())
			}
			b.taken[b.turn] -= b.lines.counts(2 + i/8)
		}
	}
	b.lift(int(u.cell), b.turn)
	b.key = u.key
}

func direction(i int) int {
	if i >= 4 {
		return -steps[i-4]
	}
	return steps[i]
}

func (b *board) put(c int, s game.Side) {
	cell := &b.cells[c]
	for s := range cell.summary {
		b.change(c, game.Side(s), 0)
	}
	cell.stone = s.Stone()
	b.empties--
	b.key ^= keys[c][s]
	b.spread(c, uint16(s.Stone()))
}

func (b *board) lift(c int, s game.Side) {
	b.cells[c].stone = game.Empty
	b.empties++
	b.key ^= keys[c][s]
	b.spread(c, uint16(s.Stone()))
	b.enter(c)
}

// enter computes the summary of an empty cell for each side.
func (b *board) enter(c int) {
	for s := range game.Side(2) {
		sum := summary(0)
		for _, key := range b.cells[c].keys {
			sum += b.lines.summaries[b.lines.index[key][s]]
		}
		b.change(c, s, sum)
	}
}

// spread updates the keys and summaries of the cells around c after the content of c has changed. The parameter stone contains
// the changed bits.
func (b *board) spread(c int, stone uint16) {
	for d, step := range steps {
		for i := 1; i <= 4; i++ {
			if !b.touch(c+i*step, d, stone<<(8-2*i)) {
				break
			}
		}
		for i := 1; i <= 4; i++ {
			if !b.touch(c-i*step, d, stone<<(6+2*i)) {
				break
			}
		}
	}
}

// touch changes the key of a cell in the line of direction d by the bits of change. It reports whether the cell is on the board.
func (b *board) touch(c, d int, change uint16) bool {
	cell := &b.cells[c]
	key := cell.keys[d]
	cell.keys[d] = key ^ change
	if cell.stone != game.Empty {
		return cell.stone != edge
	}
	before, after := b.lines.index[key], b.lines.index[key^change]
	for s := range game.Side(2) {
		if before[s] != after[s] {
			b.change(c, s, cell.summary[s]-b.lines.summaries[before[s]]+b.lines.summaries[after[s]])
		}
	}
	return true
}

// change replaces the summary of cell c for side s. It updates the side's total worth, and adds c to the side's sets or removes
// it from them, as the new summary requires.
func (b *board) change(c int, s game.Side, sum summary) {
	old := b.cells[c].summary[s]
	b.cells[c].summary[s] = sum
	b.worth[s] += sum.worth() - old.worth()
	if (old^sum)&setBits == 0 {
		return
	}
	for i, mask := range masks {
		if (old&mask == 0) != (sum&mask == 0) {
			b.sets[s][i].flip(c)
		}
	}
}

// winning returns a cell on which s wins at once, or 0.
func (b *board) winning(s game.Side) int {
	if c := b.sets[s][makesFive].first(); c != 0 {
		return c
	}
	for i, w := range &b.sets[s][takes] {
		for ; w != 0; w &= w - 1 {
			if c := i<<6 | bits.TrailingZeros64(w); b.taken[s]+b.cells[c].summary[s].captures() >= b.target {
				return c
			}
		}
	}
	return 0
}

// appendWinning appends all cells on which s wins at once.
func (b *board) appendWinning(dst []uint16, s game.Side) []uint16 {
	dst = b.sets[s][makesFive].append(dst)
	for i, w := range &b.sets[s][takes] {
		for w &^= b.sets[s][makesFive][i]; w != 0; w &= w - 1 {
			if c := i<<6 | bits.TrailingZeros64(w); b.taken[s]+b.cells[c].summary[s].captures() >= b.target {
				dst = append(dst, uint16(c))
			}
		}
	}
	return dst
}

// appendForced appends all moves that can stop the enemy from winning at once: the cells of the wins, and captures. No other
// move occupies a cell that a win needs, or removes a stone that a win needs.
func (b *board) appendForced(dst []uint16) []uint16 {
	from := len(dst)
	dst = b.appendWinning(dst, b.turn.Other())
	wins := dst[from:]
	for i, w := range &b.sets[b.turn][takes] {
	next:
		for ; w != 0; w &= w - 1 {
			c := uint16(i<<6 | bits.TrailingZeros64(w))
			for _, win := range wins {
				if win == c {
					continue next
				}
			}
			dst = append(dst, c)
		}
	}
	return dst
}
