// SPDX-License-Identifier: Apache-2.0

package network

// policy is the part of a network that rates moves. With the numbers of a cell from the view of the side to move, it computes
//
//	query = base + hidden times weights of the query                                      64 numbers
//	score = numbers of the cell times query + share of the engine's own rating + near
//
// If the score of one move is LooksUnit greater than the score of another move, the first move is e times as likely to be the
// best move. near is a weight that depends on the place of the cell: see [Place].
type policy struct {
	ordered bool // whether the network has a policy
	base    [Width]int32
	query   [Hidden / 2][Width][2]int16 // weights by pairs of hidden numbers
	near    [Places]int16
	looks   int32
}

// PolicyHead contains the inputs of the policy that are the same for all cells of a position.
type PolicyHead [Width]int16

// LooksUnit is the difference between two scores at which one move is e times as likely to be the best move as the other. The
// engine's own ratings have the same unit.
const LooksUnit = 48

const (
	queryShift = 9 // number of bits by which hidden numbers and the query are shifted right
	judgeShift = 13
	looksShift = 8
	mostBase   = 1 << 30 // maximum of Base, so that the query cannot overflow
	queryUnit  = float64(LooksUnit<<judgeShift) / cellOne
)

// Ordered reports whether the network has a policy.
func (n *Network) Ordered() bool { return n.ordered }

// PolicyHead computes the policy head of a position for the side to move. The parameters s, side and mask are as for Value.
func (n *Network) PolicyHead(q *PolicyHead, s *Accumulator, side uint8, mask uint32) {
	var h [Hidden]int32
	head(&h, &s[side&1], &s[side&1^1], n, &n.masks[mask%Masks])
	query(q, &h, n)
}

// ScoreCells writes to dst the policy's score of each cell; q is the policy head of the position. In the cells, First must be the
// pattern of the side to move.
func (n *Network) ScoreCells(dst []int32, q *PolicyHead, cells []Cell) {
	if len(cells) > 0 {
		scoreCells(dst[:len(cells)], q, &n.rows, cells)
	}
}

// Score returns the rating of a move. judged is the score that ScoreCells computed for the move's cell, looks is the engine's
// own rating, and place is the place of the cell: see [Place].
func (n *Network) Score(judged, looks int32, place uint8) int32 {
	return judged>>judgeShift + (looks*n.looks)>>looksShift + int32(n.near[place])
}

// Places is the number of different places. The place of a cell is one number that stands for two distances of the cell: from
// the last stone, and from the stone before that.
const (
	kinds  = 13
	Places = kinds * kinds
)

// Place returns the place of a cell. last is the kind of its distance from the last stone, and before is the kind of its
// distance from the stone before that: see [Distance].
func Place(last, before uint8) uint8 { return last*kinds + before }

// farKind is the kind of all distances greater than four cells. It is also used if there is no stone to measure from.
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
