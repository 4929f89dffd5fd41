// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"cmp"
	"slices"
)

type rootMove struct {
	cell   uint16
	score  int32
	line   []uint16 // the move followed by its best continuation
	nodes  uint64   // number of nodes visited below the move
	last   int32    // score in the last iteration in which the move was one of the Limits.Lines best moves
	at     int      // depth of the iteration that set last
	proved int32    // score of the move if it is proved, otherwise 0
}

const maxDepth = 100

// prepareRoot makes the list of root moves, ordered by rating, and reports whether the list contains a move.
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

// addOthers adds root moves after the first one, a win that the method settled has found without a search. It returns the
// number of moves, including the first, that make the same class and therefore win in the same way.
func (w *worker) addOthers() (alike int) {
	list, z := &w.lists[0], w.near
	z.join(&w.hot[0])
	z.join(&w.hot[1])
	n := w.list(list, &z)
	w.rank(list[:n], 0)
	best := &w.root[0]
	best.cell, alike = best.line[0], 1
	score, made := best.score, w.cells[best.cell&cellMask].class[w.turn&1]
	for i := range n {
		m := list.pick(i, n)
		if m.cell == w.root[0].cell || !w.mayPlay(int(m.cell)) {
			continue
		}
		r := rootMove{cell: m.cell, score: -infinity, line: []uint16{m.cell}}
		if w.cells[m.cell&cellMask].class[w.turn&1] == made {
			r.score = score
			w.root = slices.Insert(w.root, alike, r)
			alike++
			continue
		}
		w.root = append(w.root, r)
	}
	return alike
}

// deepen searches the given number of lines, the best root moves and their continuations, with increasing depth. The parameter
// fixed is the number of lines at the beginning that are known already and are not searched. deepen ends when a limit is
// reached. If prove is set, it also ends when all lines are proved wins, or when all moves are proved losses. After each
// complete iteration it calls done with the index of each line. After a stopped iteration it calls done only if the iteration
// has found another best move or completed a line, or, in the first iteration, for the lines that are known already.
func (w *worker) deepen(limit, lines, fixed int, prove bool, done func(line int, proved bool)) {
	lines = min(lines, len(w.root))
	fixed = min(fixed, lines)
	tell := func() {
		for line := range lines {
			done(line, line < fixed || line > 0 && w.root[line].proved < 0)
		}
	}
	if fixed == lines {
		tell()
		return
	}
	for depth := 1; depth <= limit; depth++ {
		w.goTo(depth)
		best := w.root[0].cell
		for line := fixed; line < lines; line++ {
			if w.aspire(line); w.stop.Load() {
				switch {
				case lines == 1 && w.root[0].cell != best && w.root[0].score > -infinity:
					done(0, false)
				case line > fixed:
					w.goBack(fixed, line)
					tell()
				case depth == 1:
					for line := range fixed {
						done(line, true)
					}
				}
				return
			}
			w.keepLine(fixed, line)
		}
		w.complete = w.depth
		if prove {
			fixed = w.proveLines(fixed, lines)
		}
		tell()
		if fixed == lines {
			return
		}
	}
}

// keepLine stores the result of the search for a line, and sorts the lines with the indices from fixed to line, since a later
// line may be better.
func (w *worker) keepLine(fixed, line int) {
	m := &w.root[line]
	if m.proved < 0 {
		m.score = m.proved
	}
	m.last, m.at = m.score, w.depth
	slices.SortStableFunc(w.root[fixed:line+1], inOrder)
}

func better(a, b rootMove) int { return int(b.score) - int(a.score) }

// inOrder compares lines in the order in which they are reported: proved wins, then unproved lines, then proved losses, and last
// the moves without a score.
func inOrder(a, b rootMove) int { return cmp.Or(b.standing()-a.standing(), better(a, b)) }

func (m *rootMove) standing() int {
	if m.score == -infinity {
		return -2
	}
	return cmp.Compare(m.proved, 0)
}

// goBack restores the results of the previous iteration for the lines from index line on, because the current iteration was
// stopped. It limits their scores to the lowest score of the lines that the current iteration has completed.
func (w *worker) goBack(fixed, line int) {
	most := int32(infinity)
	for i := range w.root[fixed:line] {
		if m := &w.root[fixed+i]; m.proved == 0 {
			most = min(most, m.score)
		}
	}
	for i := range w.root[line:] {
		switch m := &w.root[line+i]; {
		case m.proved < 0:
			m.score = m.proved
		case m.at == w.depth-1:
			m.score = min(m.last, most)
		default:
			m.score = -infinity
		}
	}
	slices.SortStableFunc(w.root[fixed:], inOrder)
}

func (w *worker) goTo(depth int) {
	w.depth = depth
	w.at.Store(int32(depth))
}

// help searches in parallel with the first worker, at depths that few other workers search, so that little work is done twice.
// CITE: Östensen, A Complete Chess Engine Parallelized Using Lazy SMP, 2016.
func (r *run) help(h *worker) {
	for h.goTo(r.vacant(1)); h.depth < maxDepth; h.goTo(r.vacant(h.depth + 1)) {
		if h.aspire(0); h.stop.Load() {
			return
		}
		h.complete = h.depth
	}
}

// vacant returns the least search depth that fewer than half of the workers have reached and that is at least the parameter
// depth.
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

// After an iteration, the prover searches with a node limit: the number of nodes that the search has visited, divided by one
// of the constants below whose names end in Share. If the search sees a win or a loss, the divisor is smaller, and proofNodes
// is added to the limit. If a win is not proved, the prover tries again with quiet moves.
const (
	proofNodes                             = 200
	openShare                              = 24
	winShare, lossShare, quietShare uint64 = 2, 4, 2
	treeShare                              = 1
)

// proveLines searches for proofs after an iteration, and returns the number of proved wins, whose lines come first. If all
// moves are proved to lose, it returns the parameter lines.
func (w *worker) proveLines(fixed, lines int) int {
	if fixed == 0 && w.proveRoot() {
		fixed = 1
		if v := w.root[0].score; v < 0 {
			for i := range w.root[:lines] {
				w.root[i].score = v
			}
			return lines
		}
	}
	if lines == 1 {
		return fixed
	}
	for line := max(fixed, 1); line < lines; line++ {
		w.proveMove(&w.root[line], uint64(lines))
	}
	slices.SortStableFunc(w.root[fixed:lines], inOrder)
	for fixed < lines && w.root[fixed].proved > 0 {
		fixed++
	}
	slices.SortStableFunc(w.root[:fixed], better)
	return fixed
}

// proveMove searches for a proof that a move wins or loses, if the search has scored it as a win or a loss.
func (w *worker) proveMove(m *rootMove, lines uint64) {
	if m.proved != 0 || m.score < mateBound && m.score > -mateBound {
		return
	}
	wins := m.score > 0
	w.playStone(int(m.cell))
	plies := w.prove(proofNodes+w.visited/(winShare*lines), !wins, false)
	w.undo()
	if plies == 0 {
		return
	}
	if m.proved = lossIn(plies + 1); wins {
		m.proved = winIn(plies + 1)
	}
	m.score = m.proved
	m.line = w.line(append(m.line[:0], m.cell), 0)
}

// proveRoot searches for a proof that the side to move wins or, if the search has scored the best move as a loss, that all
// moves lose. It stores the result in the first root move, and reports whether it has found a proof.
func (w *worker) proveRoot() bool {
	plies, score := 0, int32(0)
	switch v := w.root[0].score; {
	case v < -mateBound:
		plies = w.prove(proofNodes+w.visited/lossShare, false, false)
		score = lossIn(plies)
	case v > mateBound:
		if plies = w.prove(proofNodes+w.visited/winShare, true, false); plies == 0 {
			if plies = w.prove(proofNodes+w.visited/quietShare, true, true); plies == 0 {
				plies = w.proveTree(w.visited / treeShare)
			}
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

// prefer moves c, the first move of a proof, to the front of the root moves, and stores the line and the score of the proof in
// this root move. If c is 0, only the score of the first root move changes.
func (w *worker) prefer(c uint16, score int32) {
	if c == 0 {
		w.root[0].score = score
		return
	}
	m := rootMove{cell: c, score: score, line: w.line(nil, 0), at: w.depth, proved: score}
	w.root = slices.DeleteFunc(w.root, func(r rootMove) bool {
		if r.cell == c {
			m.nodes = r.nodes
		}
		return r.cell == c
	})
	w.root = slices.Insert(w.root, 0, m)
}

// narrow is half of the width of the first window, in hundredths of a unit.
const narrow int32 = 20

// aspire searches the root moves from index line on. The first window is narrow and contains the last score. While the score is
// outside the window, aspire searches again with a wider window. CITE: Marsland, A Review of Game-Tree Pruning, 1986.
func (w *worker) aspire(line int) {
	alpha, beta, delta := int32(-infinity), int32(infinity), narrow
	v := w.root[line].score
	if line > 0 && w.root[line].at == w.depth-1 {
		// The search for the previous line also tried this move and overwrote its score, so use the score of the previous
		// iteration.
		v = w.root[line].last
	}
	if w.o.uses(techAspiration) && w.depth >= 5 && v > -mateBound && v < mateBound {
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
			if line == 0 && w.timed && delta > 2*narrow {
				w.extend()
			}
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

// searchRoot searches the root moves from index line on, and moves the best of these moves to index line.
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
		w.playStone(c)
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
	slices.SortStableFunc(w.root[line:], better)
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
