// SPDX-License-Identifier: Apache-2.0

package gomoku

import "slices"

type rootMove struct {
	cell  uint16
	score int32
	line  []uint16 // the move and what follows
	nodes uint64   // visited below it
}

const maxDepth = 100

// prepareRoot fills the root moves, the best looking first, and says whether there is any.
func (w *worker) prepareRoot() bool {
	list := &w.lists[0]
	var n int
	if w.counts[w.turn.Other()][makesFive] > 0 {
		n = w.blocks(list)
	} else {
		n = w.generate(list)
	}
	w.order(list[:n], 0, maxDepth)
	w.root = w.root[:0]
	for i := range n {
		if m := list.pick(i, n); w.mayPlay(int(m.cell)) {
			w.root = append(w.root, rootMove{cell: m.cell, score: -infinity, line: []uint16{m.cell}})
		}
	}
	return len(w.root) > 0
}

// addOthers fills the root moves after the first, which wins, and says whether there are any.
func (w *worker) addOthers() bool {
	list, z := &w.lists[0], w.near
	z.join(&w.hot[0])
	z.join(&w.hot[1])
	n := w.list(list, &z)
	w.rank(list[:n], 0)
	w.root[0].cell = w.root[0].line[0]
	for i := range n {
		if m := list.pick(i, n); m.cell != w.root[0].cell && w.cells[m.cell&cellMask].class[w.turn] != makesFive && w.mayPlay(int(m.cell)) {
			w.root = append(w.root, rootMove{cell: m.cell, score: -infinity, line: []uint16{m.cell}})
		}
	}
	return len(w.root) > 1
}

// deepen searches deeper and deeper until a limit is reached or, if prove is set, all lines are proved. So many of them
// are before: 0 or 1. It calls done for each line of a complete iteration, and for a better move found by one that was cut
// short.
func (w *worker) deepen(limit, lines, fixed int, prove bool, done func(line int, proved bool)) {
	lines = min(lines, len(w.root))
	for depth := 1; depth <= limit; depth++ {
		w.goTo(depth)
		best := w.root[0].cell
		for line := fixed; line < lines && !w.stop.Load(); line++ {
			w.aspire(line)
		}
		if w.stop.Load() {
			if lines == 1 && w.root[0].cell != best && w.root[0].score > -infinity {
				done(0, false)
			}
			return
		}
		w.complete = w.depth
		if prove && fixed == 0 && w.proveRoot(lines) {
			fixed = 1
		}
		for line := range lines {
			done(line, line < fixed)
		}
		if fixed == lines {
			return
		}
	}
}

func (w *worker) goTo(depth int) {
	w.depth = depth
	w.at.Store(int32(depth))
}

// help searches beside the first worker, at depths that few other workers search, so that they do not find the same.
// CITE: Östensen, A Complete Chess Engine Parallelized Using Lazy SMP, 2016.
func (r *run) help(h *worker) {
	for h.goTo(r.vacant(1)); h.depth < maxDepth; h.goTo(r.vacant(h.depth + 1)) {
		if h.aspire(0); h.stop.Load() {
			return
		}
		h.complete = h.depth
	}
}

// vacant returns the least depth, from depth on, that less than half of the workers have reached.
func (r *run) vacant(depth int) int {
	for ; depth < maxDepth; depth++ {
		taken := 0
		for _, w := range r.workers {
			if int(w.at.Load()) >= depth {
				taken++
			}
		}
		if 2*taken < len(r.workers) {
			break
		}
	}
	return depth
}

// How many nodes the prover may visit after an iteration, as a share of those so far: more where the search sees a win
// or a loss. A win that is not proved is tried once more with quiet moves.
const (
	proofNodes                             = 200
	openShare                              = 24
	winShare, lossShare, quietShare uint64 = 2, 4, 2
)

// proveRoot looks for a proof that the best move wins or, where the search says so, that all moves lose. It puts the
// result into the first root move.
func (w *worker) proveRoot(lines int) bool {
	plies, score := 0, int32(0)
	switch v := w.root[0].score; {
	case v < -mateBound && lines == 1:
		plies = w.prove(proofNodes+w.visited/lossShare, false, false)
		score = lossIn(plies)
	case v > mateBound:
		if plies = w.prove(proofNodes+w.visited/winShare, true, false); plies == 0 {
			plies = w.prove(proofNodes+w.visited/quietShare, true, true)
		}
		score = winIn(plies)
	case v > -mateBound:
		plies = w.prove(w.visited/openShare, true, false)
		score = winIn(plies)
	}
	if plies > 0 {
		w.prefer(w.pv[0][0], score)
	}
	return plies > 0
}

// prefer puts the first move of a proof, with its line, first. If c is 0 the first move stays.
func (w *worker) prefer(c uint16, score int32) {
	if c == 0 {
		w.root[0].score = score
		return
	}
	m := rootMove{cell: c, score: score, line: w.line(nil, 0)}
	w.root = slices.DeleteFunc(w.root, func(r rootMove) bool {
		if r.cell == c {
			m.nodes = r.nodes
		}
		return r.cell == c
	})
	w.root = slices.Insert(w.root, 0, m)
}

// aspire searches the root moves from line on with a small window around the last score, and widens it while the score
// lies outside. CITE: Marsland, A Review of Game-Tree Pruning, 1986.
func (w *worker) aspire(line int) {
	alpha, beta, delta := int32(-infinity), int32(infinity), int32(20)
	if v := w.root[line].score; w.o.uses(techAspiration) && w.depth >= 5 && v > -mateBound && v < mateBound {
		alpha, beta = v-delta, v+delta
	}
	for {
		v := w.searchRoot(alpha, beta, line)
		if w.stop.Load() {
			return
		}
		delta += delta
		switch {
		case v <= alpha && alpha > -infinity:
			alpha, beta = max(v-delta, -infinity), (alpha+beta)/2
		case v >= beta && beta < infinity:
			beta = min(v+delta, infinity)
		default:
			return
		}
		if delta > 1000 {
			alpha, beta = -infinity, infinity
		}
	}
}

// searchRoot searches the root moves from line on, and puts the best of them first.
func (w *worker) searchRoot(alpha, beta int32, line int) int32 {
	best := int32(-infinity)
	for i := line; i < len(w.root); i++ {
		m := &w.root[i]
		c := int(m.cell)
		answers := w.counts[w.turn.Other()][makesFive] > 0
		r := 0
		if w.o.uses(techReduction) && i-line > 1 && w.depth > 2 && w.cells[c].class[w.turn] < makesFour && !answers {
			r = max(0, int(reductions[min(w.depth, 63)][min(i-line, 63)])-1)
		}
		w.evals[0] = w.evaluate()
		w.play(c)
		next, before := w.depth-1, w.visited
		v := w.after(alpha, beta, next, min(r, max(next-1, 0)), 0, i == line, true, false)
		w.undo()
		m.nodes += w.visited - before
		if w.stop.Load() {
			break
		}
		m.score = -infinity
		if i == line || v > alpha {
			m.score = v
			m.line = w.line(append(m.line[:0], m.cell), 1)
		}
		best = max(best, v)
		if alpha = max(alpha, v); alpha >= beta {
			for j := i + 1; j < len(w.root); j++ {
				w.root[j].score = -infinity
			}
			break
		}
	}
	slices.SortStableFunc(w.root[line:], func(a, b rootMove) int { return int(b.score) - int(a.score) })
	return best
}

func (w *worker) line(dst []uint16, ply int) []uint16 {
	for _, m := range w.pv[ply] {
		if m == 0 {
			break
		}
		dst = append(dst, m)
	}
	return dst
}
