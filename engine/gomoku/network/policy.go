// SPDX-License-Identifier: Apache-2.0

package network

// policy is the part of a network that rates moves. With the numbers of a cell as the side to move sees it,
//
//	query = base + hidden times weights of the query                                      64 numbers
//	score = numbers of the cell times query + share of the engine's own rating + near
//
// A score that is greater by LooksUnit means e times the chance that the move is the best. near is the place of the cell: see
// [Place].
type policy struct {
	ordered bool // the network has a policy
	base    [Width]int32
	query   [Hidden / 2][Width][2]int16 // by pairs of hidden numbers
	near    [Places]int16
	looks   int32
}

// PolicyHead holds the policy inputs that all cells of a position share.
type PolicyHead [Width]int16

// LooksUnit is the difference in score that means e times the chance that a move is the best. The engine's own ratings have the
// same unit.
const LooksUnit = 48

const (
	queryShift = 9 // of the hidden numbers, and of the query
	judgeShift = 13
	looksShift = 8
	mostBase   = 1 << 30 // with it the query cannot overflow
	queryUnit  = float64(LooksUnit<<judgeShift) / cellOne
)

// Ordered reports whether the network has a policy.
func (n *Network) Ordered() bool { return n.ordered }

// PolicyHead computes the policy head of a position for the side to move. The parameters are those of Value.
func (n *Network) PolicyHead(q *PolicyHead, s *Accumulator, side uint8, mask uint32) {
	var h [Hidden]int32
	head(&h, &s[side&1], &s[side&1^1], n, &n.masks[mask%Masks])
	query(q, &h, n)
}

// ScoreCells writes to dst the policy's score of each cell, where q is the head of the position. First is the pattern of the side
// to move.
func (n *Network) ScoreCells(dst []int32, q *PolicyHead, cells []Cell) {
	if len(cells) > 0 {
		scoreCells(dst[:len(cells)], q, &n.rows, cells)
	}
}

// Score returns the rating of a move from the score of ScoreCells for its cell, its place on the board and the engine's own
// rating.
func (n *Network) Score(judged, looks int32, place uint8) int32 {
	return judged>>judgeShift + (looks*n.looks)>>looksShift + int32(n.near[place])
}

// Places is the number of different places. The place of a cell is its direction and distance from the last stone, and from
// the last but one.
const (
	kinds  = 13
	Places = kinds * kinds
)

// Place returns the place of a cell at the given kinds of distance from the last two stones.
func Place(last, before uint8) uint8 { return last*kinds + before }

// farKind is the kind of a great distance, also if there is no stone.
const farKind = 0

// Distance returns the kind of the distance between two cells, which is the same in all rotations and reflections of the board.
//
//	12 12 12 12 .      the stone, at X, and a quarter of the cells around it
//	6  7  8  9  12
//	3  4  5  8  12
//	1  2  4  7  12
//	X  1  3  6  10     and 11 four cells away on the diagonal
func Distance(dx, dy int) uint8 {
	a, b := max(dx, -dx), max(dy, -dy)
	a, b = max(a, b), min(a, b)
	switch {
	case a > 4 || a == 0:
		return farKind
	case a < 4:
		return uint8(a*(a+1)/2 + b)
	case b == 0:
		return 10
	case b == 4:
		return 11
	}
	return 12
}
