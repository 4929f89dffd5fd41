// SPDX-License-Identifier: Apache-2.0

// Package network implements a small neural network with integer weights that corrects the evaluation of the gomoku engine and
// scores moves.
//
// # Basics
//
//	n.Update(&after, &before, changes)       // a stone has changed the patterns of some cells
//	v := n.Value(&after, side, mask, static) // hundredths of a unit, for the side to move
//	n.PolicyHead(&q, &after, side, mask)            // the inputs of the policy that all cells share
//	n.ScoreCells(scores, &q, cells)               // the policy's score of each cell
//	v = n.Score(scores[i], looks, place)     // the rating of a move to one of them
//	d := n.Draw(&after, side, mask, stones, free, chance) // the probability of a draw
//
// # The network
//
// For every empty cell the engine has two patterns: the shapes that a stone of the first side would make in the four lines through
// the cell, and the shapes that a stone of the second side would make. Each pattern has two rows of weights: one for the side whose
// stone makes it, and one for the enemy of that side:
//
//	cell   = own row of one side's pattern + enemy row of the other's, clipped to 0..cellOne 64 numbers, for each side
//	sums   = the sum over all empty cells                                                    2 x 64
//	hidden = sums of the mover, sums of the enemy -> 32 numbers + row of the threats, clipped
//	value  = share of the static evaluation + sum of hidden
//
// A network may have a policy, which uses the same rows of weights and the same hidden layer as the value: see
// [Network.ScoreCells]. It may also estimate the probability of a draw: see [Network.Draw].
//
// A stone changes the patterns of few cells, so the sums are updated by the differences of these cells. A pattern does not contain
// the directions of its lines, so the network gives the same value to a board and to its seven rotations and reflections.
//
// # Caveats
//
// A Network does not change after it was made, so several goroutines may use it at once. It does not see wins: the engine uses it
// only in positions in which no side can win at once.
//
// # Speed
//
// The inner loops use vector instructions on AVX2, AVX-512, arm64 and WebAssembly. The vector versions give the same results as the
// versions in plain Go, bit for bit.
//
// CITE: Nasu, Efficiently Updatable Neural-Network-based Evaluation Functions for Computer Shogi, 2018.
package network

import "slices"

// Sizes of the network, and the unit of a cell's numbers.
const (
	// The number of patterns without a five. A pattern contains the four shapes that a stone of one side on an empty cell makes
	// in the four lines through the cell.
	Patterns    = 2380
	fivePattern = Patterns
	Masks       = 1 << 11 // number of sets of threats: the callers give a set as a mask of 11 bits
	Width       = 64      // how many numbers describe a cell for each side
	Hidden      = 32
	cellOne     = 511

	none    = fivePattern + 1 // pattern of a cell that has a stone; all numbers of such a cell are 0
	numRows = none + 1
)

// Units and shifts of the fixed-point numbers. Sums are shifted down to 16 bits before they are multiplied.
const (
	maxCells    = 22 * 22
	sumShift    = 4
	weightUnit  = 8192                             // the integer that represents 1 in the weights of the hidden layer
	hiddenOne   = weightUnit * cellOne >> sumShift // maximum of a hidden number; greater numbers are clipped
	hiddenShift = 4                                // number of bits by which a hidden number is shifted right before it is multiplied
	valueShift  = 17                               // number of bits by which the sum of the hidden layer is shifted right
	// The product of Network.share and the static evaluation is shifted right by this number of bits.
	shareShift = 8
	noneRow    = -1 << 14
)

// Cell describes an empty cell by the pattern of each side. The number of a pattern is less than Patterns or, if a stone would
// make a five, equal to fivePattern.
type Cell struct{ First, Second uint16 }

// None describes a cell that has a stone.
var None = Cell{none, none}

// Change describes a cell before and after a move.
type Change struct{ From, To Cell }

// mostChanges is the maximum number of changes in one call of Update: the sum of the differences of 64 cells fits into 16 bits.
const mostChanges = 64

// Accumulator contains, for the view of each side, the sums over all empty cells of the numbers that describe a cell.
type Accumulator [2][Width]int32

// row contains the weights of a pattern: first for the side whose stone makes it, then for the enemy of that side.
type row [2 * Width]int16

// Network is a trained network. It does not change.
type Network struct {
	rows [numRows]row
	// Weights by pairs of inputs. The inputs are the sums over all empty cells: first the sums of the side to move, then the sums
	// of the enemy.
	hidden [Width][Hidden][2]int16
	masks  [Masks][Hidden]int32
	out    [Hidden]int32
	share  int32 // share of the static evaluation in the value; 1<<shareShift represents 1
	offset int32 // constant that is added to the value
	policy
	draws  draws
	game   string // name of the game for which it was trained
	recipe string // the command that made the network, to inform readers of the file
}

// Game returns the name of the game for which the network was trained.
func (n *Network) Game() string { return n.game }

// Recipe returns the command that made the network.
func (n *Network) Recipe() string { return n.recipe }

// Update writes to dst the sums of src after at most 64 changes. dst and src may be the same.
func (n *Network) Update(dst, src *Accumulator, changes []Change) {
	if len(changes) == 0 {
		*dst = *src
		return
	}
	update(dst, src, &n.rows, changes)
}

// Sum returns the sums of a position from the beginning, without an earlier position. cells are all its empty cells.
func (n *Network) Sum(cells []Cell) (s Accumulator) {
	for some := range slices.Chunk(cells, mostChanges) {
		var changes [mostChanges]Change
		for i, c := range some {
			changes[i] = Change{None, c}
		}
		n.Update(&s, &s, changes[:len(some)])
	}
	return s
}

// Value returns the value of a position for the side to move, in hundredths of a unit. side, 0 or 1, is the side to move. mask
// contains the threats, and static is the engine's own evaluation.
func (n *Network) Value(s *Accumulator, side uint8, mask uint32, static int32) int32 {
	var h [Hidden]int32
	v := head(&h, &s[side&1], &s[side&1^1], n, &n.masks[mask%Masks])
	return v>>valueShift + (static*n.share)>>shareShift + n.offset
}
