// SPDX-License-Identifier: Apache-2.0

package connect4

type worker struct {
	geometry
	thread
	far   *table // the large table, which all threads share
	near  *table // a small table of this thread only, for positions late in the game
	root  node
	stack [][]node // by depth: the children of each node on the path
}

// newWorkers returns a worker for each thread, and the far table, which all workers share.
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

// clear clears the near table, which belongs to this worker alone, and reports whether the worker has used the far table, which
// all workers share.
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

// search returns a bound of the score of n: if the bound is beta or more, it is a lower bound, otherwise an upper bound. In n the
// side to move can neither win at once nor have a forced move. After the worker was stopped, the result is meaningless.
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
	// Step 1. Probe the table at the root, and at nodes that other threads may also search. At all other nodes the parent has
	// just probed it.
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
	// Step 2. Compute bounds of each child. These bounds may settle n. Drop each child whose score, for the mover, is less than
	// beta.
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
		c.move, c.order = m, unranked
		c.mixed = w.key(c)
		if c.ply < w.late {
			w.far.fetch(c.mixed)
		}
		k++
	}
	// Step 3. Probe the table for all children before one is entered. CITE: Steininger, c4, 2025.
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
	w.rank(n, row, k, beta)
	// Step 4. Search the remaining children; a child that another thread is searching comes last.
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

// If another thread is searching the child c, wait moves c behind its siblings, but only once. It reports whether it has moved
// c.
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

// rank sets the search order among the k children of n in row that are not settled.
func (w *worker) rank(n *node, row []node, k, beta int) {
	if k < 2 {
		return
	}
	good := w.reply // rows on which a threat of the mover wins at the end: the opponent must then play on the cell below the threat
	if (w.cells-int(n.ply))&1 == 0 {
		good = w.mine
	}
	early := w.k == 4 && int(n.ply) < w.cells-earlyCells && -lateScore < beta && beta <= lateScore
	for i := range row {
		c := &row[i]
		switch {
		case c.order == searched:
		case early:
			c.order = w.earlyRank(n, c, good)
		default:
			c.order = w.lateRank(n, c, good, beta)
		}
	}
}

// lateRank returns how promising c, a child of n, is. It adds bonuses for a forced reply, for winning cells of the mover,
// especially directly above a playable cell, and for a move near the center.
func (w *worker) lateRank(n, c *node, good board, beta int) int32 {
	mine := c.fears
	if c.same {
		mine = c.wins
	}
	closed := int32(mine.and(w.playable(c.turn.or(c.other)).up(1)).count())
	r := int32(w.centerAt[c.move.first()]) + winRank*int32(mine.count())
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

// earlyRank is used instead of lateRank far from the end of the game, where a better order is worth the time: it also counts
// lines that are not yet threats.
func (w *worker) earlyRank(n, c *node, good board) int32 {
	own, other, mine, theirs := c.other, c.turn, c.fears, c.wins
	r := int32(0)
	if c.same {
		own, other, mine, theirs = c.turn, c.other, c.wins, c.fears
		r += againWeight
	}
	if c.ply > n.ply+1 {
		r += forcingWeight
	}
	next := mine.and(w.playable(own.or(other)).up(1))
	r += int32(mine.count())*ownWeight + int32(mine.and(good).count())*goodWeight + int32(next.count())*nextWeight -
		int32(theirs.count())*otherWeight
	r += int32(mine.and(mine.up(1)).count())*ownTwiceWeight - int32(theirs.and(theirs.up(1)).count())*otherTwiceWeight +
		int32(theirs.and(mine.up(1)).count())*overOwnWeight - int32(mine.and(theirs.up(1)).count())*overOtherWeight
	r += w.chances(own, other)*ownChanceWeight - w.chances(other, own)*otherChanceWeight
	around := w.neighbours(c.move)
	r -= int32(around.and(n.turn).count())*ownNearWeight + int32(around.and(n.other).count())*otherNearWeight
	return r + int32(w.weightAt[c.move.first()])
}

// chances counts the lines of four that the side with the stones own can still complete. A line with one stone counts 1, and a
// line with two stones counts 4.
func (g *geometry) chances(own, other board) int32 {
	free := g.all.not(other)
	sum := 0
	for _, s := range g.shifts {
		line := free.and(free.down(s))
		line = line.and(line.down(2 * s))
		b, c, d := own.down(s), own.down(2*s), own.down(3*s)
		low, high := own.xor(b), c.xor(d) // low: one of the line's first two cells has a stone; high: one of its last two cells has a stone
		odd := low.xor(high)
		more := own.and(b).or(c.and(d)).or(low.and(high))
		sum += line.and(odd).not(more).count() + 4*line.and(more).not(odd).count()
	}
	return int32(sum)
}

// neighbours returns the cells next to m, and some spare cells outside the board.
func (g *geometry) neighbours(m board) board {
	var r board
	for _, s := range g.shifts {
		r = r.or(m.up(s)).or(m.down(s))
	}
	return r
}
