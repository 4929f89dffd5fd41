// SPDX-License-Identifier: Apache-2.0

// Code generated from geometry.go; DO NOT EDIT.
// SHA-256 of that: 85c92048cbfe1312537012cfa0544768848c753041442279ffdb516fcc39fa90

package connect4

type wideGeometry struct {
	columns, rows, k int
	stride           uint
	cells            int
	quick            bool
	bottom, top      wideBoard
	all              wideBoard
	mine, reply      wideBoard
	shifts           [4]uint
	column           []wideBoard

	columnAt [wideBoardBits]wideBoard
	centerAt [wideBoardBits]int8
}

func newWideGeometry(columns, rows, k int) wideGeometry {
	stride, _ := fits(columns, rows)
	g := wideGeometry{columns: columns, rows: rows, k: k, stride: stride, cells: columns * rows}
	g.quick = stride == 8 && k == 4
	g.shifts = [4]uint{1, stride - 1, stride, stride + 1}
	for c := range columns {
		at := c * int(stride)
		g.bottom = g.bottom.or(wideBit(at))
		whole := wideBit(at + rows)
		g.top = g.top.or(whole)
		for r := range rows {
			b := wideBit(at + r)
			g.all = g.all.or(b)
			whole = whole.or(b)
			if (rows-r)%2 == 1 {
				g.reply = g.reply.or(b)
			} else {
				g.mine = g.mine.or(b)
			}
		}
		g.column = append(g.column, whole)
		for r := range rows {
			g.columnAt[at+r] = whole
			g.centerAt[at+r] = int8(min(c, columns-1-c))
		}
	}
	return g
}

func (g *wideGeometry) playable(stones wideBoard) wideBoard { return stones.plus(g.bottom).and(g.all) }

func (g *wideGeometry) winsAny(b wideBoard) wideBoard {
	var r wideBoard
	for _, s := range g.shifts {
		if g.k == 4 {
			r = r.or(wideAround(b, s))
			continue
		}
		for below := range g.k {
			gap := g.all
			for i := 1; i <= below && !gap.empty(); i++ {
				gap = gap.and(b.up(uint(i) * s))
			}
			for i := 1; i < g.k-below && !gap.empty(); i++ {
				gap = gap.and(b.down(uint(i) * s))
			}
			r = r.or(gap)
		}
	}
	return r
}

func wideAround(b wideBoard, s uint) wideBoard {
	up, down := b.up(s), b.down(s)
	p := up.and(up.up(s))
	q := down.and(down.down(s))
	return p.and(up.up(2 * s).or(down)).or(q.and(down.down(2 * s).or(up)))
}

func (g *wideGeometry) hasLineAny(b wideBoard) bool {
	for _, s := range g.shifts {
		r := b
		for i := 1; i < g.k && !r.empty(); i++ {
			r = r.and(b.down(uint(i) * s))
		}
		if !r.empty() {
			return true
		}
	}
	return false
}

func (g *wideGeometry) mirrorAny(b wideBoard) wideBoard {
	var r wideBoard
	for range g.columns {
		r = r.up(g.stride).or(b.and(g.column[0]))
		b = b.down(g.stride)
	}
	return r
}
