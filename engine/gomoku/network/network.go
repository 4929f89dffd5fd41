// SPDX-License-Identifier: Apache-2.0

// Package network corrects the evaluation of the gomoku engine by a small neural network in integers, and scores the
// moves.
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
// The engine knows for every empty cell two patterns: the shapes that a stone of the first side would make there in the
// four lines, and the shapes that a stone of the second side would make. Each pattern has a row of weights for the side
// whose stone it is, and one for its enemy:
//
//	cell   = own row of one side's pattern + enemy row of the other's, clipped to 0..cellOne 64 numbers, for each side
//	sums   = the sum over all empty cells                                                    2 x 64
//	hidden = sums of the mover, sums of the enemy -> 32 numbers + row of the threats, clipped
//	value  = share of the static evaluation + sum of hidden
//
// A network may have a policy, which shares rows and hidden numbers with the value: see [Network.ScoreCells]. It may also
// estimate how likely a draw is: see [Network.Draw].
//
// A stone changes few cells, so the sums are kept up to date by differences. The patterns do not tell the directions of lines
// apart, so the network gives the same value to a board and to its seven rotations and reflections.
//
// # Caveats
//
// A Network never changes, so several goroutines may use it at once. It does not recognize wins: the engine evaluates with it only
// positions without a win at hand.
//
// # Speed
//
// The inner loops are in vector instructions for AVX2, arm64 and WebAssembly. They give the same results as the versions in Go, bit
// for bit.
//
// CITE: Nasu, Efficiently Updatable Neural-Network-based Evaluation Functions for Computer Shogi, 2018.
package network

import "slices"

// Sizes of the network, and the unit of its cells.
const (
	Patterns    = 2380 // of a cell in which no stone makes a five
	fivePattern = Patterns
	Masks       = 1 << 11 // of threats
	Width       = 64      // numbers of a cell
	Hidden      = 32
	cellOne     = 511

	none    = fivePattern + 1 // the cell holds a stone: its numbers are 0
	numRows = none + 1
)

// The fixed-point units and shifts. The sums are shifted down to 16 bits before they are multiplied.
const (
	maxCells    = 22 * 22
	sumShift    = 4
	weightUnit  = 8192                             // of the weights of hidden
	hiddenOne   = weightUnit * cellOne >> sumShift // at which a hidden number is clipped
	hiddenShift = 4                                // of a hidden number before it is multiplied
	valueShift  = 17                               // of the value
	shareShift  = 8                                // of the share of the static evaluation
	noneRow     = -1 << 14
)

// Cell describes an empty cell: the pattern of each side, below Patterns, or fivePattern.
type Cell struct{ First, Second uint16 }

// None is a cell with a stone.
var None = Cell{none, none}

// Change describes how a cell has changed.
type Change struct{ From, To Cell }

// mostChanges is the maximum number of changes in one call of Update: the differences of 64 cells fit into 16 bits.
const mostChanges = 64

// Accumulator are the sums over all empty cells, as each side sees them.
type Accumulator [2][Width]int32

// row is the weights of a pattern: for the side whose stone makes it, then for its enemy.
type row [2 * Width]int16

// Network is a trained network. It does not change.
type Network struct {
	rows   [numRows]row
	hidden [Width][Hidden][2]int16 // by pairs of inputs: the sums of the mover, then of the enemy
	masks  [Masks][Hidden]int32
	out    [Hidden]int32
	share  int32 // of the static evaluation
	offset int32 // added to the value
	policy
	draws  draws
	game   string // that it was trained for
	recipe string // how the network was made, as a note for readers of the file
}

// Game returns the name of the game that the network was trained for.
func (n *Network) Game() string { return n.game }

// Recipe returns the command that made the network.
func (n *Network) Recipe() string { return n.recipe }

// Update writes to dst the sums of src after some changes, at most 64. dst and src may be the same.
func (n *Network) Update(dst, src *Accumulator, changes []Change) {
	if len(changes) == 0 {
		*dst = *src
		return
	}
	update(dst, src, &n.rows, changes)
}

// Sum returns the sums of the given cells.
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

// Value returns the value of a position for the side to move, 0 or 1, in hundredths of a unit. mask holds the threats
// and static is the engine's own evaluation.
func (n *Network) Value(s *Accumulator, side uint8, mask uint32, static int32) int32 {
	var h [Hidden]int32
	v := head(&h, &s[side&1], &s[side&1^1], n, &n.masks[mask%Masks])
	return v>>valueShift + (static*n.share)>>shareShift + n.offset
}
