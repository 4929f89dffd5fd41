// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"math/bits"

	"github.com/krow-lab/krow/game"
)

// zone is a bit set of cells, by rows.
type zone [stride]uint32

func (z *zone) add(c int) { z[c/stride&(stride-1)] |= 1 << (uint(c) % stride) }

func (z *zone) join(o *zone) {
	for i := range z {
		z[i] |= o[i]
	}
}

func (z *zone) has(c int) bool { return z[c/stride&(stride-1)]>>(uint(c)%stride)&1 != 0 }

// meet leaves of z what is in o as well, and with exact what is in a line with c.
func (z *zone) meet(o *zone, c int, exact bool) {
	keep := *o
	for i := 1; exact && i <= maxReach; i++ {
		for _, step := range &steps {
			keep.add((c + i*step) & cellMask)
			keep.add((c - i*step) & cellMask)
		}
	}
	for i := range z {
		z[i] &= keep[i]
	}
}

func (z *zone) fill() {
	for i := range z {
		z[i] = ^uint32(0)
	}
}

// addFours adds the cells where the defender would make a four, and the whole board where what is forbidden to him
// hides some.
func (w *worker) addFours(z *zone, foe game.Side) {
	if w.rule.side[foe].renju && w.counts[foe][forbidden] > 0 {
		z.fill()
		return
	}
	for y := margin; y < margin+w.rule.rows; y++ {
		for row := w.hot[foe&1][y] & w.free[y]; row != 0; row &= row - 1 {
			if c := y*stride + bits.TrailingZeros32(row); w.cells[c&cellMask].class[foe&1] >= makesFour {
				z.add(c)
			}
		}
	}
}

// addFives adds the stone on c just placed, and the cells where its side makes five now. In caro it adds all cells
// of its lines, which may bear on a five.
func (w *worker) addFives(z *zone, c int) {
	me := w.turn.Other()
	z.add(c)
	for y := margin; y < margin+w.rule.rows; y++ {
		for row := w.hot[me&1][y] & w.free[y]; row != 0; row &= row - 1 {
			if e := y*stride + bits.TrailingZeros32(row); w.cells[e&cellMask].class[me&1] == makesFive {
				z.add(e)
			}
		}
	}
	if !w.rule.side[me&1].blocked {
		return
	}
	for _, step := range &steps {
		for i := 1; i <= maxReach; i++ {
			z.add((c + i*step) & cellMask)
			z.add((c - i*step) & cellMask)
		}
	}
}
