// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"sync"

	"github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
)

// One of every heldOut files is held out: the network is not trained on it.
const heldOut = 32

// thousandths converts a score to thousandths. A proved win is 1000, a proved loss -1000.
func thousandths(s eval.Score) int16 { return int16(min(max(s, -eval.Unit), eval.Unit)) }

// samples are positions and their labels. A label is the expected result for the side to move, from 0 to 1.
type samples struct {
	views  []network.View
	labels []float32
}

func (s *samples) add(b *ultimate.Board, label float32) {
	s.views, s.labels = append(s.views, network.See(b)), append(s.labels, label)
}

func (s *samples) len() int { return len(s.labels) }

func result(o game.Outcome, turn uint8) float32 {
	switch o {
	case game.Draw:
		return 0.5
	case game.WinFor(game.Side(turn)):
		return 1
	}
	return 0
}

// turned[s][code] is the code of a small board after symmetry s of the whole board; the index code is its code before the
// symmetry. A code is a number that represents the contents of a small board. A symmetry moves the cells within each small
// board in the same way as it moves the small boards.
var turned = sync.OnceValue(func() *[8][network.Codes]uint16 {
	t := new([8][network.Codes]uint16)
	for s := range t {
		for code := range t[s] {
			t[s][code] = uint16(code)
			if code >= ultimate.Codes {
				continue
			}
			sum := uint16(0)
			for c, rest := 0, code; c < 9; c, rest = c+1, rest/3 {
				sum += uint16(rest%3) * ultimate.Ternary[1<<turn(s, c)]
			}
			t[s][code] = sum
		}
	}
	return t
})

func turnedView(v *network.View, s uint8) network.View {
	out := *v
	codes := &turned()[s&7]
	for i, code := range &v.Codes {
		out.Codes[turn(int(s), i)] = codes[code]
	}
	if v.Forced < ultimate.Any {
		out.Forced = uint8(turn(int(s), int(v.Forced)))
	}
	return out
}

// turn returns the cell to which symmetry s moves cell c of nine: bits 0 and 1 of s mirror, bit 2 swaps rows and columns.
func turn(s, c int) int {
	row, column := c/3, c%3
	if s&1 != 0 {
		row = 2 - row
	}
	if s&2 != 0 {
		column = 2 - column
	}
	if s&4 != 0 {
		row, column = column, row
	}
	return 3*row + column
}
