// SPDX-License-Identifier: Apache-2.0

// Code generated from search.go; DO NOT EDIT.
// SHA-256 of that: b47a280e0bcee69911c066711fbb35601f5eaa8009407f168ec564b13613c755

package connect4

import (
	"time"

	"github.com/krow-lab/krow/tt"
)

type wideWorker struct {
	wideGeometry
	wideTable *wideTable
	near      *wideTable
	late      uint8
	o         Options
	limit     *limit
	id        int
	busy      *tt.Claims
	shared    uint8
	nodes     uint64
	next      uint64
	every     uint64
	pulse     uint64
	stopped   bool
	stack     [][]wideNode
}

func newWideWorker(s *wideCore, id int) *wideWorker {
	w := &wideWorker{wideGeometry: s.wideGeometry, wideTable: s.wideTable, o: s.o, limit: &s.limit, id: id, every: lookEvery(s.columns, s.k), busy: s.busy}
	if w.busy != nil {
		w.shared = uint8(max(w.cells-sharedCells, 0))
	}
	w.near = s.wideTable.near(s.columns * int(s.stride))
	w.stack = make([][]wideNode, s.cells+1)
	for i := range w.stack {
		w.stack[i] = make([]wideNode, s.columns)
	}
	return w
}

func (w *wideWorker) of(n *wideNode) *wideTable {
	if n.ply >= w.late {
		return w.near
	}
	return w.wideTable
}

func (w *wideWorker) useAll() { w.late = uint8(max(w.cells-lateCells, 0)) }

func (w *wideWorker) clear() (more bool) {
	if w.near == w.wideTable {
		return true
	}
	w.near.clear()
	more = w.late > 0
	w.late = 0
	return more
}

func (w *wideWorker) checkLimit() {
	l := w.limit
	w.next = w.nodes + w.every
	if w.nodes <= growAfter {
		w.next = min(w.next, growAfter+1)
	} else {
		w.useAll()
	}
	if w.nodes >= w.pulse && w.id == 0 && l.pulse != nil {
		w.pulse = w.nodes + w.every*pulseLooks
		l.pulse(w.nodes)
	}
	if l.nodes > 0 {
		w.next = min(w.next, l.nodes)
		w.stopped = w.nodes >= l.nodes
	}
	if !l.until.IsZero() && !time.Now().Before(l.until) {
		<-l.ctx.Done()
	}
	if l.done.Load() || l.ctx.Err() != nil {
		w.stopped = true
	}
}

func (w *wideWorker) search(n *wideNode, beta, depth int) int {
	w.nodes++
	if w.nodes >= w.next {
		if w.checkLimit(); w.stopped {
			return 0
		}
	}
	start := w.nodes
	wideTable := w.of(n)
	lower, upper := int(n.lower), int(n.upper)
	shared := n.ply < w.shared
	if depth == 0 || shared {
		l, u := wideTable.probe(n.mixed)
		lower, upper = max(lower, l), min(upper, u)
		if lower >= beta {
			return lower
		}
		if upper < beta {
			return upper
		}
	}
	row := w.stack[depth]
	k := 0
	best := -noBound
	moves := w.playable(n.turn.or(n.other)).not(n.fears.down(1))
	for ; !moves.empty(); moves = moves.rest() {
		m := moves.lowest()
		c := &row[k]
		w.look(n, c, m, beta)
		cl, cu := c.bounds()
		if cl >= beta {
			wideTable.store(n.mixed, max(lower, cl), upper, w.nodes-start+1)
			return cl
		}
		if cu < beta {
			best = max(best, cu)
			continue
		}
		c.order = w.rank(n, c, m, beta)
		c.mixed = w.key(c)
		if c.ply < w.late {
			w.wideTable.fetch(c.mixed)
		}
		k++
	}
	row = row[:k]
	for i := range row {
		c := &row[i]
		l, u := w.of(c).probe(c.mixed)
		c.lower, c.upper = max(c.lower, int8(l)), min(c.upper, int8(u))
		cl, cu := c.bounds()
		if cl >= beta {
			wideTable.store(n.mixed, max(lower, cl), upper, w.nodes-start+1)
			return cl
		}
		if cu < beta {
			best = max(best, cu)
			c.order = searched
			k--
		}
	}
	for all := k; k > 0; {
		c := widePick(row)
		if shared {
			if k < all && k > 1 && w.wait(c) {
				continue
			}
			w.busy.Add(wideTable.name(c.mixed))
		}
		k--
		c.order = searched
		v := 0
		if c.same {
			v = w.search(c, beta, depth+1)
		} else {
			v = -w.search(c, 1-beta, depth+1)
		}
		if shared {
			w.busy.Drop(wideTable.name(c.mixed))
		}
		if w.stopped {
			return 0
		}
		if v >= beta {
			wideTable.store(n.mixed, max(lower, v), upper, w.nodes-start+1)
			return v
		}
		best = max(best, v)
	}
	best = min(best, upper)
	wideTable.store(n.mixed, lower, best, w.nodes-start+1)
	return best
}

func (w *wideWorker) wait(c *wideNode) bool {
	if c.order == waiting || !w.busy.Has(w.wideTable.name(c.mixed)) {
		return false
	}
	c.order = waiting
	return true
}

func widePick(row []wideNode) *wideNode {
	best := &row[0]
	for i := 1; i < len(row); i++ {
		if row[i].order > best.order {
			best = &row[i]
		}
	}
	return best
}

func (w *wideWorker) rank(n, c *wideNode, m wideBoard, beta int) int32 {
	at := m.first()
	r := int32(w.centerAt[at])
	mine := c.fears
	if c.same {
		mine = c.wins
	}
	good := w.reply
	if (w.cells-int(n.ply))&1 == 0 {
		good = w.mine
	}
	closed := int32(mine.and(w.playable(c.turn.or(c.other)).up(1)).count())
	r += winRank * int32(mine.count())
	if -lateScore < beta && beta <= lateScore {
		r += goodRank * int32(mine.and(good).count())
	}
	if -slowScore < beta && beta <= slowScore {
		closed *= 4
	}
	r += closedRank * closed
	if c.ply > n.ply+1 {
		r += forcingRank
	}
	return r
}
