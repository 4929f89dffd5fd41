// SPDX-License-Identifier: Apache-2.0

package connect4

type worker struct {
	geometry
	thread
	far   *table // that all threads share
	near  *table // of this thread, for late positions
	root  node
	stack [][]node // children of each node on the way, by depth
}

// newWorkers returns a worker for each thread, and the far table.
func newWorkers(g *wideGeometry, hash int, threads []thread) (store, []searcher) {
	far := newTable(hash, g.columns*int(g.stride), len(threads) > 1)
	var all []searcher
	for _, t := range threads {
		w := &worker{geometry: g.narrow(), thread: t, far: far, near: far.near(g.columns * int(g.stride))}
		w.stack = make([][]node, g.cells+1)
		for i := range w.stack {
			w.stack[i] = make([]node, g.columns)
		}
		all = append(all, w)
	}
	return far, all
}

// clear empties the near table, and says whether the worker has used the far one.
func (w *worker) clear() (used bool) {
	if w.near == w.far {
		return true
	}
	w.near.clear()
	used = w.late > 0
	w.late = 0
	return used
}

func (w *worker) tableOf(n *node) *table {
	if n.ply >= w.late {
		return w.near
	}
	return w.far
}

func (w *worker) test(beta int) int { return w.search(&w.root, beta, 0) }

// search returns a bound of the score of n: a lower one if it is beta or more, else an upper one. The side to move
// cannot win at once, nor is its move forced. A stopped worker returns nothing of use.
func (w *worker) search(n *node, beta, depth int) int {
	w.nodes++
	if w.nodes >= w.next {
		if w.checkLimit(); w.stopped {
			return 0
		}
	}
	start := w.nodes
	t := w.tableOf(n)
	lower, upper := int(n.lower), int(n.upper)
	shared := n.ply < w.shared
	// Step 1. The table. Where nodes are not shared the parent has just asked it.
	if depth == 0 || shared {
		l, u := t.probe(n.mixed)
		lower, upper = max(lower, l), min(upper, u)
		if lower >= beta {
			return lower
		}
		if upper < beta {
			return upper
		}
	}
	// Step 2. Look at each child: its bounds may settle n. A child that cannot reach beta is dropped.
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
			t.store(n.mixed, max(lower, cl), upper, w.nodes-start+1)
			return cl
		}
		if cu < beta {
			best = max(best, cu)
			continue
		}
		c.order = w.rank(n, c, m, beta)
		c.mixed = w.key(c)
		if c.ply < w.late {
			w.far.fetch(c.mixed)
		}
		k++
	}
	// Step 3. Ask the table about all children before one is entered. CITE: Steininger, c4, 2025.
	row = row[:k]
	for i := range row {
		c := &row[i]
		l, u := w.tableOf(c).probe(c.mixed)
		c.lower, c.upper = max(c.lower, int8(l)), min(c.upper, int8(u))
		cl, cu := c.bounds()
		if cl >= beta {
			t.store(n.mixed, max(lower, cl), upper, w.nodes-start+1)
			return cl
		}
		if cu < beta {
			best = max(best, cu)
			c.order = searched
			k--
		}
	}
	// Step 4. Search the children that are left, a child that another thread is searching after the others.
	for all := k; k > 0; {
		c := pick(row)
		if shared {
			if k < all && k > 1 && w.wait(c) {
				continue
			}
			w.busy.Add(t.name(c.mixed))
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
			w.busy.Drop(t.name(c.mixed))
		}
		if w.stopped {
			return 0
		}
		if v >= beta {
			t.store(n.mixed, max(lower, v), upper, w.nodes-start+1)
			return v
		}
		best = max(best, v)
	}
	best = min(best, upper)
	t.store(n.mixed, lower, best, w.nodes-start+1)
	return best
}

// wait puts a child that another thread is searching behind its siblings, once, and says whether it did.
func (w *worker) wait(c *node) bool {
	if c.order == waiting || !w.busy.Has(w.far.name(c.mixed)) {
		return false
	}
	c.order = waiting
	return true
}

func pick(row []node) *node {
	best := &row[0]
	for i := 1; i < len(row); i++ {
		if row[i].order > best.order {
			best = &row[i]
		}
	}
	return best
}

// rank returns how early to search the child c of n after the move m. A child after forced moves comes first, then one
// in which the mover has many winning cells, most of all above a playable cell, then the one nearest to the center.
func (w *worker) rank(n, c *node, m board, beta int) int32 {
	r := int32(w.centerAt[m.first()])
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
