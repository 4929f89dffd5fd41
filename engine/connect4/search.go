// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"time"

	"github.com/krow-lab/krow/tt"
)

// worker searches in one thread.
type worker struct {
	geometry
	table   *table // all threads'
	near    *table // of this thread: for positions from ply late on, most of which are never met again
	late    uint8  // 0 at first: small tasks leave the other table alone
	o       Options
	limit   *limit
	id      int
	busy    *tt.Claims // of all threads
	shared  uint8      // they tell each other what they search before this ply; 0 with one thread
	nodes   uint64     // positions entered in this task
	next    uint64     // nodes at which to look whether to stop
	every   uint64     // so many nodes after the last look, at most
	pulse   uint64     // nodes at which to say how many there are
	stopped bool       // what search returns means nothing any more
	stack   [][]node   // children of each node on the way, by depth
}

func newWorker(s *core, id int) *worker {
	w := &worker{geometry: s.geometry, table: s.table, o: s.o, limit: &s.limit, id: id, every: lookEvery(s.columns, s.k), busy: s.busy}
	if w.busy != nil {
		w.shared = uint8(max(w.cells-sharedCells, 0))
	}
	w.near = s.table.near(s.columns * int(s.stride))
	w.stack = make([][]node, s.cells+1)
	for i := range w.stack {
		w.stack[i] = make([]node, s.columns)
	}
	return w
}

// of returns the table that keeps n.
func (w *worker) of(n *node) *table {
	if n.ply >= w.late {
		return w.near
	}
	return w.table
}

// useAll begins to use both tables.
func (w *worker) useAll() { w.late = uint8(max(w.cells-lateCells, 0)) }

// clear empties what the worker alone remembers, and says whether there is more.
func (w *worker) clear() (more bool) {
	if w.near == w.table {
		return true
	}
	w.near.clear()
	more = w.late > 0
	w.late = 0
	return more
}

// checkLimit stops the worker when its time or its nodes are used up.
func (w *worker) checkLimit() {
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
		<-l.ctx.Done() // soon: where all processors search, the clock of ctx waits for one that rests
	}
	if l.done.Load() || l.ctx.Err() != nil {
		w.stopped = true
	}
}

// search returns a bound of the score of n: a lower one if it is beta or more, else an upper one. The
// side to move cannot win at once. What it returns after it was stopped means nothing.
func (w *worker) search(n *node, beta, depth int) int {
	w.nodes++
	if w.nodes >= w.next {
		if w.checkLimit(); w.stopped {
			return 0
		}
	}
	start := w.nodes
	table := w.of(n)
	lower, upper := int(n.lower), int(n.upper)
	shared := n.ply < w.shared
	if depth == 0 || shared { // else the parent has asked, just now
		l, u := table.probe(n.mixed)
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
			table.store(n.mixed, max(lower, cl), upper, w.nodes-start+1)
			return cl
		}
		if cu < beta {
			best = max(best, cu)
			continue
		}
		c.order = w.rank(n, c, m, beta)
		c.mixed = w.key(c)
		if c.ply < w.late {
			w.table.fetch(c.mixed)
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
			table.store(n.mixed, max(lower, cl), upper, w.nodes-start+1)
			return cl
		}
		if cu < beta {
			best = max(best, cu)
			c.order = searched
			k--
		}
	}
	for all := k; k > 0; {
		c := pick(row)
		if shared {
			if k < all && k > 1 && w.wait(c) {
				continue
			}
			w.busy.Add(table.name(c.mixed))
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
			w.busy.Drop(table.name(c.mixed))
		}
		if w.stopped {
			return 0
		}
		if v >= beta {
			table.store(n.mixed, max(lower, v), upper, w.nodes-start+1)
			return v
		}
		best = max(best, v)
	}
	best = min(best, upper)
	table.store(n.mixed, lower, best, w.nodes-start+1)
	return best
}

// wait puts a child that another thread is searching behind its siblings, once, and says whether it has.
func (w *worker) wait(c *node) bool {
	if c.order == waiting || !w.busy.Has(w.table.name(c.mixed)) {
		return false
	}
	c.order = waiting
	return true
}

// pick returns the child to search next.
func pick(row []node) *node {
	best := &row[0]
	for i := 1; i < len(row); i++ {
		if row[i].order > best.order {
			best = &row[i]
		}
	}
	return best
}

// rank says which of the children to search first: those after forced moves, and those with many cells that
// win, best where the other side must not play below them, then the nearest to the center.
func (w *worker) rank(n, c *node, m board, beta int) int32 {
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
	closed := int32(mine.and(w.playable(c.turn.or(c.other)).up(1)).count()) // columns
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

// What follows is for boards of both widths.

// What rank adds up. Tuned by counts of nodes on random positions of 8 to 28 plies.
const (
	forcingRank = 400
	winRank     = 256
	closedRank  = 128 // of a cell that wins and lies on top of a playable one
	slowScore   = 5   // for scores nearer to 0, where the end is far, 4 times that
	lateScore   = 3   // scores nearer to 0 are mostly of games that zugzwang decides
	goodRank    = 256 // more, then, on a row that counts in zugzwang: the answering side's replies, the other's rest
)

// The order of a child that is done, and of one that another thread is searching.
const (
	searched = -1 << 31
	waiting  = searched + 1
)

// sharedCells is with how many empty cells threads no longer tell each other what they search: it is done too soon.
const sharedCells = 18

// lookEvery returns how many nodes a worker enters before it looks whether to stop: about a millisecond of 7 x 6,
// and fewer where a node has many moves with long lines to look at.
func lookEvery(columns, k int) uint64 { return uint64(min(max(1<<20/(columns*k*k), 1), 1<<12)) }

// growAfter is how many nodes a task has before it takes the whole table.
const growAfter = 1 << 15

// lateCells is with how many empty cells positions go to the table near the processor, where a probe takes a tenth of
// the time. Most positions are late, and few of them are met again: 2 to 7 % more nodes on 7 x 6.
const lateCells = 16

// pulseLooks is how often the first worker looks before it says how many nodes there are.
const pulseLooks = 16
