// SPDX-License-Identifier: Apache-2.0

package gomoku

import "github.com/krow-lab/krow/engine/gomoku/network"

// patterns holds patternOf of every code.
var patterns = func() *[1 << 16]uint16 {
	t := new([1 << 16]uint16)
	for code := range t {
		t[code] = uint16(patternOf(uint32(code)))
	}
	return t
}()

// cellOfCode returns what the network sees of an empty cell.
func cellOfCode(code uint32) network.Cell {
	return network.Cell{First: patterns[code&0xffff], Second: patterns[code>>16]}
}

// use makes the board evaluate by a network, or by none.
func (b *board) use(n *network.Network) {
	if b.net = n; n != nil {
		b.sums = make([]network.Sums, maxPlies+1)
		b.sumUp()
	}
}

// sumUp computes the network's sums of the position from all its cells. What they were before it is not known.
func (b *board) sumUp() {
	b.fresh = b.plies
	if b.net == nil {
		return
	}
	var cells []network.Cell
	b.each(func(c int) {
		if b.stones[c] == codeEmpty {
			cells = append(cells, cellOfCode(b.cells[c].code))
		}
	})
	b.sums[b.plies] = b.net.Sum(cells)
}

// sumsNow returns the network's sums of the position. They are computed when they are asked for, ply by ply, from the
// last that is known.
func (b *board) sumsNow() *network.Sums {
	for ; b.fresh < b.plies; b.fresh++ {
		var changes [network.MostChanges]network.Change
		n := 0
		if f := &b.frames[b.fresh]; f.cell != 0 {
			changes[0] = network.Change{From: cellOfCode(b.cells[f.cell&cellMask].code), To: network.None}
			n = 1
			for i := range f.changed[:f.changes] {
				old := &f.changed[i]
				changes[n] = network.Change{From: cellOfCode(old.code), To: cellOfCode(old.next)}
				n++
			}
		}
		b.net.Update(&b.sums[b.fresh+1], &b.sums[b.fresh], changes[:n])
	}
	return &b.sums[b.plies]
}
