// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"math"
	"math/bits"

	"github.com/krow-lab/krow/engine/ultimate/board"
	rules "github.com/krow-lab/krow/game/ultimate"
)

// The heuristic knows nothing but chances. The first table holds, for each small board, how likely either side is to
// win it if a coin says for each stone whose it is and a die where it goes. The heuristic takes these chances for
// independent, adds up those of the eight lines of small boards for either side, and makes of the difference an
// expected score. Its four numbers were set by hand.
const (
	perLine   = 3.2  // logits, for a line that is certain
	perBoard  = 0.15 // for a small board
	tempo     = 0.10 // for the side to move
	freeTempo = 0.35 // in addition where it may choose the board
)

// chances[code] are those of both sides in a small board, whose code is ternary[first] + 2*ternary[second].
var chances = func() (t [19683][2]float32) {
	for code := len(t) - 1; code >= 0; code-- { // a stone more is a greater code
		t[code] = chance(&t, code)
	}
	return t
}()

var ternary = func() (t [board.Full + 1]uint16) {
	for set := range t {
		for power, c := uint16(1), 0; c < 9; power, c = 3*power, c+1 {
			t[set] += power * uint16(set>>c&1)
		}
	}
	return t
}()

// chance returns the chances in a small board, given those of all with more stones.
func chance(t *[19683][2]float32, code int) (p [2]float32) {
	var set [2]uint16
	for c, rest := 0, code; c < 9; c, rest = c+1, rest/3 {
		if s := rest % 3; s > 0 {
			set[s-1] |= 1 << c
		}
	}
	if won := [2]bool{rules.HasLine(set[0]), rules.HasLine(set[1])}; won[0] || won[1] {
		return [2]float32{btof(won[0]), btof(won[1])}
	}
	free := board.Full &^ (set[0] | set[1])
	each := 0.5 / float32(max(bits.OnesCount16(free), 1))
	for ; free != 0; free &= free - 1 {
		power := int(ternary[free&-free])
		for s := range 2 {
			next := t[code+(s+1)*power]
			p[0], p[1] = p[0]+each*next[0], p[1]+each*next[1]
		}
	}
	return p
}

func btof(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

// rows are the eight rows of three.
var rows = [8][3]uint8{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}}

// heuristic returns the expected score of the side to move, 0 to 1.
func heuristic(b *board.Board) float32 {
	var p [2][9]float32
	sum := [2]float32{}
	for i := range 9 {
		switch bit := uint16(1) << i; {
		case b.Won[0]&bit != 0:
			p[0][i] = 1
		case b.Won[1]&bit != 0:
			p[1][i] = 1
		case b.Closed&bit == 0:
			both := &chances[ternary[b.Stones[0][i]&board.Full]+2*ternary[b.Stones[1][i]&board.Full]]
			p[0][i], p[1][i] = both[0], both[1]
		}
		sum[0], sum[1] = sum[0]+perBoard*p[0][i], sum[1]+perBoard*p[1][i]
	}
	for s := range sum {
		for _, r := range rows {
			sum[s] += perLine * p[s][r[0]] * p[s][r[1]] * p[s][r[2]]
		}
	}
	side := b.Turn & 1
	x := sum[side] - sum[side^1] + tempo
	if b.Forced == board.Any {
		x += freeTempo
	}
	return float32(1 / (1 + math.Exp(-float64(x))))
}
