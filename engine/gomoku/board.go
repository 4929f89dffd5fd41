// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"math/bits"

	"github.com/krow-lab/krow/engine/gomoku/network"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
)

// The board is part of a grid of 32 x 32 cells, with at least five cells of wall around it, so that a loop along a line need not
// test for the edge:
//
//	# # # # # # # # # # # ...     cell = x + 32*y; the board's a1 is x = y = 5
//	# # # # # # # # # # # ...
//	...
//	# # # # # . . . . . . ...
//
// Each line in each of the four directions is a word with two bits for each of its 32 cells. The bits have the same meaning
// as in a key, which is defined in shape.go. Cell (x, y) is at place x of the lines of directions 0, 2 and 3, and at place y
// of the line of direction 1.
const (
	stride    = 32
	margin    = maxReach
	gridCells = stride * stride
	cellMask  = gridCells - 1
	maxPlies  = maxSide*maxSide + maxPly + 64
	lineCount = 64
)

// zone is a set of cells of the grid, with one bit for each cell.
type zone [stride]uint32

func (z *zone) add(c int) { z[c/stride&(stride-1)] |= 1 << (uint(c) % stride) }

func (z *zone) has(c int) bool { return z[c/stride&(stride-1)]>>(uint(c)%stride)&1 != 0 }

func (z *zone) join(o *zone) {
	for i := range z {
		z[i] |= o[i]
	}
}

func (z *zone) fill() {
	for i := range z {
		z[i] = ^uint32(0)
	}
}

// addLines adds the cells that are on a line with c, at most maxReach cells away.
func (z *zone) addLines(c int) {
	for _, step := range &steps {
		for i := 1; i <= maxReach; i++ {
			z.add((c + i*step) & cellMask)
			z.add((c - i*step) & cellMask)
		}
	}
}

// steps are the differences between a cell and the next cell of its line, by direction.
var steps = [4]int{1, stride, stride + 1, 1 - stride}

// lineOf returns the index of the line through a cell in direction d, and the cell's place on this line.
func lineOf(d, cell int) (line, at int) {
	x, y := cell%stride, cell/stride
	switch d {
	case 0:
		return y, x
	case 1:
		return x, y
	case 2:
		return x - y + stride - 1, x
	}
	return x + y, x
}

// cellState contains what the board knows about one empty cell. Invariant: all other fields can be computed from the field
// code. While a cell is occupied, its state stays as it was before the stone was placed.
type cellState struct {
	code     uint32 // four shapes for each side, each of four bits: the low half is for the first side, the high half for the second side
	patterns network.Cell
	value    int16 // value to the first side minus value to the second side
	class    [2]class
}

type change struct {
	cellState
	cell uint16
}

// frame contains the data with which undo takes a stone back.
type frame struct {
	key     uint64
	value   int32
	cell    uint16 // 0 for a pass
	changes uint16 // number of entries in use in the field changed
	counts  [2][16]uint16
	near    [7]uint32                      // the old contents of the seven rows of board.near around the cell
	hot     [2][2*maxReach + 1]uint32      // the old contents of the rows of board.hot around the cell
	changed [8*maxReach + 1]change         // the old states of the cells that the stone changed; redraw also writes to the entry after the last
	moved   [8*maxReach + 1]uint8          // the indices of the changes that change a class; recode also writes to the entry after the last
	seen    [1 + 8*maxReach]network.Change // the changes for the network: first the stone's cell, then the cells in changed
}

// board is a position with all data that the search needs; each move updates the data.
type board struct {
	turn       game.Side
	plies      int // number of moves and passes played, which is also the number of frames in use
	empty      int // number of empty cells
	key        uint64
	value      int32            // sum of the values of the empty cells
	counts     [2][16]uint16    // by side and class: the number of empty cells
	hot        [2]zone          // by side: the cells of class makesThree or better, including occupied cells
	near, free zone             // near: the cells near a stone; free: the empty cells
	stones     [gridCells]uint8 // by cell: its content as a number: empty, first side, second side or wall
	cells      [gridCells]cellState
	lines      [4][lineCount]uint64
	tables     *shapes
	kinds      [2]*kinds
	threats    [2]*[1 << numThreats]int16 // by side to move: the value of each set of threats (see threatMask)
	rule       rule
	reach      int
	// In renju: whether Black leaves out all moves with two threes, even if the threes are not real. Then no stone of White can
	// make one of his moves forbidden.
	strict bool
	// Whether the defences against an open four are listed by lineDefences, which lists more moves than exactDefences.
	loose        bool
	net          *network.Network      // network of the evaluation; nil means that there is none
	accumulators []network.Accumulator // by ply: the network's sums over all empty cells
	head         network.PolicyHead    // head, seen and judged are buffers of scoreByPolicy
	seen         [maxSide * maxSide]network.Cell
	judged       [maxSide * maxSide]int32
	fresh        int // the last ply whose accumulator is up to date
	frames       [maxPlies]frame
}

// nearRows are seven rows of seven bits. The set bits are the cells at most two steps from the middle, and the cells three
// steps away in a straight line.
//
//	X . . X . . X
//	. X X X X X .
//	. X X X X X .
//	X X X . X X X
//	. X X X X X .
//	. X X X X X .
//	X . . X . . X
var nearRows = [7]uint32{0b1001001, 0b0111110, 0b0111110, 0b1110111, 0b0111110, 0b0111110, 0b1001001}

func newBoard(r *rule, w *Weights) *board {
	m := modelOf(r, w)
	b := &board{rule: *r, reach: r.reach(), tables: shapesOf(r), kinds: m.kinds, threats: m.threats}
	b.clear()
	return b
}

func (b *board) clear() {
	b.turn, b.plies, b.empty, b.key, b.value = game.First, 0, b.rule.columns*b.rule.rows, 0, 0
	b.counts, b.hot, b.near, b.free = [2][16]uint16{}, [2]zone{}, zone{}, zone{}
	for d := range b.lines {
		for i := range b.lines[d] {
			b.lines[d][i] = ^uint64(0)
		}
	}
	for i := range b.stones {
		b.stones[i] = codeWall
	}
	b.each(func(c int) {
		b.stones[c] = codeEmpty
		b.free.add(c)
		for d := range b.lines {
			line, at := lineOf(d, c)
			b.lines[d][line] ^= codeWall << (2 * at)
		}
	})
	b.each(func(c int) {
		q := &b.cells[c]
		*q = b.inspect(c)
		b.value += int32(q.value)
		for s := range 2 {
			b.counts[s][q.class[s]]++
			if q.class[s] >= makesThree {
				b.hot[s].add(c)
			}
		}
	})
	b.refresh()
}

func (b *board) each(f func(c int)) {
	for y := range b.rule.rows {
		for x := range b.rule.columns {
			f(b.cellAt(x, y))
		}
	}
}

func (b *board) cellAt(x, y int) int { return (y+margin)*stride + x + margin }

// inspect computes the state of an empty cell from the lines only.
func (b *board) inspect(c int) (q cellState) {
	for d := range b.lines {
		line, at := lineOf(d, c)
		q.code |= spread(b.tables[b.keyAt(b.lines[d][line], at)]) << (4 * d)
	}
	q.patterns = cellOf(q.code)
	first, second := &b.kinds[0][q.patterns.First], &b.kinds[1][q.patterns.Second]
	q.value, q.class = first.value-second.value, [2]class{first.class, second.class}
	return q
}

func cellOf(code uint32) network.Cell {
	return network.Cell{First: patterns[code&0xffff], Second: patterns[code>>16]}
}

// spread moves the shape of the second side from bit 4 to bit 16.
func spread(pair uint8) uint32 { return (uint32(pair) | uint32(pair)<<12) & 0x000f000f }

// keyAt returns the key of the cell at index at of the given line. The key contains the cells of the line around this cell
// (shape.go).
func (b *board) keyAt(line uint64, at int) uint32 {
	r := uint(b.reach)
	w := uint32(line >> (2 * (uint(at) - r) & 63))
	low := uint32(1)<<(2*r) - 1
	return w&low | (uint32(line>>(2*(uint(at)+1)&63))&low)<<(2*r)
}

// keyCell returns the cell whose contents are at place i of the key of cell c, in a line with this step.
func (b *board) keyCell(c, i, step int) int { return c + (i-b.reach+i/b.reach)*step }

// kindOf returns the kind of the empty cell c for s.
func (b *board) kindOf(s game.Side, c int) *kind {
	p := &b.cells[c&cellMask].patterns
	if s == game.First {
		return &b.kinds[0][p.First]
	}
	return &b.kinds[1][p.Second]
}

// made returns the shape that a stone of s makes in a line with this key.
func (b *board) made(key uint32, s game.Side) shape {
	return shape(b.tables[key&keyMask] >> (4 * s) & 15)
}

func (b *board) hash() uint64 { return b.key ^ uint64(b.turn)*rng.Golden }

// hashAfter returns the hash of the position after a move on c.
func (b *board) hashAfter(c int) uint64 {
	return b.key ^ stoneKey(b.turn, c) ^ uint64(b.turn.Other())*rng.Golden
}

func stoneKey(s game.Side, cell int) uint64 { return stoneKeys[s&1][cell&cellMask] }

var stoneKeys = func() (keys [2][gridCells]uint64) {
	for s := range keys {
		for c := range keys[s] {
			keys[s][c] = rng.Nth(uint64(s*gridCells + c))
		}
	}
	return keys
}()

// making returns the empty cells whose class for the side s is least or better. least must be makesThree or better.
func (b *board) making(s game.Side, least class) (z zone) {
	left := uint16(0) // number of cells that are not found yet
	for _, n := range b.counts[s&1][least&15:] {
		left += n
	}
	for y := margin; left > 0 && y < margin+b.rule.rows; y++ {
		for row := b.hot[s&1][y] & b.free[y]; row != 0; row &= row - 1 {
			if c := y*stride + bits.TrailingZeros32(row); b.cells[c&cellMask].class[s&1] >= least {
				z[y&(stride-1)] |= row & -row
				left--
			}
		}
	}
	return z
}

// find returns an empty cell whose class for the side s is exactly c, or 0 if there is no such cell; c must be makesThree or
// better.
func (b *board) find(s game.Side, c class) int {
	for y := margin; y < margin+b.rule.rows; y++ {
		for row := b.hot[s&1][y] & b.free[y]; row != 0; row &= row - 1 {
			if cell := y*stride + bits.TrailingZeros32(row); b.cells[cell&cellMask].class[s&1] == c {
				return cell
			}
		}
	}
	return 0
}

// last returns the cell of the n-th last ply (1 means the last), or 0 if that ply was a pass or there was none.
func (b *board) last(n int) int {
	if n > b.plies {
		return 0
	}
	return int(b.frames[b.plies-n].cell)
}
