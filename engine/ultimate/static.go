// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"math"
	"math/bits"

	"github.com/krow-lab/krow/game"
	rules "github.com/krow-lab/krow/game/ultimate"
)

// winsNow reports whether the side to move can complete a line of small boards with its next move.
func winsNow(b *rules.Board) bool { return b.Threats(b.Turn)&b.Open() != 0 }

// quiet returns cells of a small board that are safe in this sense: after a move on one of them, the game is not over, and
// the next move cannot win. It returns most of these cells, not all. The parameter threats contains the small boards with
// which the other side would complete a row.
func quiet(b *rules.Board, small uint8, threats uint16) uint16 {
	free := b.Free(int(small) % 9)
	if free&(free-1) == 0 {
		return 0 // the move would fill the board
	}
	q := free &^ rules.Completing(b.Stones[b.Turn&1][small%9])
	if threats != 0 {
		q &^= threats | b.Closed
	}
	return q
}

// bounds returns the least and the greatest possible result of a position for the side to move, as far as they are known
// without a search. Under the draw rule Plain, a side that cannot complete any row cannot win.
func bounds(b *rules.Board) (low, high int) {
	low, high = lost, won
	if b.Rules.Draw != rules.Plain {
		return low, high
	}
	if !canAlign(b, b.Turn) {
		high = drawn
	}
	if !canAlign(b, b.Turn^1) {
		low = drawn
	}
	return low, high
}

func canAlign(b *rules.Board, side uint8) bool {
	enemy, could := &b.Stones[side&1^1], uint16(0)
	for i, stones := range enemy {
		could |= uint16(hopes[stones&rules.Full]) << i
	}
	return rules.HasLine(could&^(b.Closed|b.Won[0]|b.Won[1]) | b.Won[side&1])
}

// hopes tells whether a side can still complete a line. The index is the set of cells with enemy stones. The entry is 1 if
// some line contains none of these cells, and otherwise 0. A table of numbers avoids a branch.
var hopes = func() (t [rules.Full + 1]uint8) {
	for set := range t {
		if rules.HasLine(^uint16(set)) {
			t[set] = 1
		}
	}
	return t
}()

func result(o game.Outcome, side uint8) int {
	switch w, ok := o.Winner(); {
	case !ok:
		return drawn
	case uint8(w) == side:
		return won
	}
	return lost
}

// The heuristic is used if there is no network. A table contains the chance of each side to win a small board if the
// remaining cells are filled with stones of random sides in random order. The heuristic treats these chances as independent.
// For each side it adds the chances to win each small board and to complete each of the eight lines of small boards. Then it
// converts the difference between the two sides to an expected score. The four constants below were set by hand.
const (
	perLine   = 3.2  // logits for a line of small boards that are certainly won
	perBoard  = 0.15 // logits for a small board that is certainly won
	tempo     = 0.10 // logits for being the side to move
	freeTempo = 0.35 // further logits if the side to move may choose the small board
)

// heuristic returns the expected score of the side to move, from 0 to 1.
func heuristic(b *rules.Board) float32 {
	var p [2][9]float32
	sum := [2]float32{}
	for i := range 9 {
		switch bit := uint16(1) << i; {
		case b.Won[0]&bit != 0:
			p[0][i] = 1
		case b.Won[1]&bit != 0:
			p[1][i] = 1
		case b.Closed&bit == 0:
			both := &chances[b.Code(i)]
			p[0][i], p[1][i] = both[0], both[1]
		}
		sum[0], sum[1] = sum[0]+float32(perBoard*p[0][i]), sum[1]+float32(perBoard*p[1][i])
	}
	for s := range sum {
		for _, r := range rows {
			sum[s] += float32(perLine * p[s][r[0]] * p[s][r[1]] * p[s][r[2]])
		}
	}
	side := b.Turn & 1
	x := sum[side] - sum[side^1] + tempo
	if b.Forced == rules.Any {
		x += freeTempo
	}
	return float32(1 / (1 + math.Exp(-float64(x))))
}

var rows = [8][3]uint8{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}}

// chances contains the chances of both sides to win a small board, by its code.
var chances = func() (t [rules.Codes][2]float32) {
	for code := len(t) - 1; code >= 0; code-- { // codes with one more stone are greater, so they come first
		t[code] = chance(&t, code)
	}
	return t
}()

// chance returns the chances in a small board, computed from the chances in the boards with one more stone.
func chance(t *[rules.Codes][2]float32, code int) (p [2]float32) {
	var set [2]uint16
	for c, rest := 0, code; c < 9; c, rest = c+1, rest/3 {
		if s := rest % 3; s > 0 {
			set[s-1] |= 1 << c
		}
	}
	for s := range set {
		if rules.HasLine(set[s]) {
			p[s] = 1
		}
	}
	if p[0]+p[1] > 0 {
		return p
	}
	free := rules.Full &^ (set[0] | set[1])
	each := 0.5 / float32(max(bits.OnesCount16(free), 1))
	for ; free != 0; free &= free - 1 {
		power := int(rules.Ternary[free&-free])
		for s := range 2 {
			next := t[code+(s+1)*power]
			p[0], p[1] = p[0]+float32(each*next[0]), p[1]+float32(each*next[1])
		}
	}
	return p
}
