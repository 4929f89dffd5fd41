// SPDX-License-Identifier: Apache-2.0

package gomoku

import "github.com/krow-lab/krow/engine/gomoku/network"

// use makes n the network with which the board evaluates positions. If n is nil, the board uses no network.
func (b *board) use(n *network.Network) {
	if b.net = n; n != nil {
		b.accumulators = make([]network.Accumulator, maxPlies+1)
		b.refresh()
	}
}

// refresh computes the sums of the network's first layer from all cells of the position, and not from the sums of the previous
// ply.
func (b *board) refresh() {
	b.fresh = b.plies
	if b.net == nil {
		return
	}
	var cells []network.Cell
	b.each(func(c int) {
		if b.stones[c] == codeEmpty {
			cells = append(cells, b.cells[c].patterns)
		}
	})
	b.accumulators[b.plies] = b.net.Sum(cells)
}

// scoreByPolicy replaces the scores of moves by the scores of the network's policy.
func (b *board) scoreByPolicy(list []scored) {
	n := b.net
	n.PolicyHead(&b.head, b.accumulator(), uint8(b.turn&1), b.threatMask())
	for i := range list {
		cell := b.cells[list[i].cell&cellMask].patterns
		if b.turn != 0 {
			cell.First, cell.Second = cell.Second, cell.First
		}
		b.seen[i] = cell
	}
	n.ScoreCells(b.judged[:], &b.head, b.seen[:len(list)])
	for i := range list {
		m := &list[i]
		m.score = n.Score(b.judged[i], m.score, b.place(int(m.cell)))
	}
}

// accumulator returns the sums of the network's first layer for the current position. The sums are computed only when needed,
// ply by ply, from the last known sums.
func (b *board) accumulator() *network.Accumulator {
	for ; b.fresh < b.plies; b.fresh++ {
		f, n := &b.frames[b.fresh], 0
		if f.cell != 0 {
			n = 1 + int(f.changes)
		}
		b.net.Update(&b.accumulators[b.fresh+1], &b.accumulators[b.fresh], f.seen[:n])
	}
	return &b.accumulators[b.plies]
}
