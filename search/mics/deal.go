// SPDX-License-Identifier: Apache-2.0

package mics

import (
	"math"
	"slices"
	"time"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// The timing run lasts 1/timingFraction of the time limit. If it was shorter than shortest, its result is not used.
const (
	timingFraction = 20
	shortest       = 100 * time.Microsecond
)

// budget returns the number of nodes that may be searched within the limits. If there has been no timing run, it makes one.
func (s *Searcher) budget(r *run, w *worker, lim search.Limits) uint64 {
	total := unlimited
	if lim.Nodes > 0 {
		total = min(lim.Nodes, unlimited)
	}
	if lim.Time == 0 {
		return total
	}
	if s.rate == 0 {
		s.rate = timing(r, w, lim.Time/timingFraction)
	}
	left := time.Until(w.deadline).Seconds()
	if left <= 0 {
		return 0
	}
	if s.rate == 0 {
		return total
	}
	// While one thread searches the first move, the other threads wait. The variable alone is the part of all nodes that this
	// move gets.
	threads, alone := float64(s.o.Threads), 2/float64(len(r.root)+1)
	nodes := s.rate * left * threads / (1 + alone*(threads-1))
	return min(total, uint64(max(1, min(nodes, float64(unlimited/2)))))
}

// timing searches the root moves for the time d, discards the answers, and returns the nodes visited per second, or 0 if the run
// was too short to measure.
func timing(r *run, w *worker, d time.Duration) float64 {
	quiet := *r
	quiet.shares = deal(unlimited, len(r.root), false)
	start, end := time.Now(), w.deadline
	if w.deadline = start.Add(d); w.deadline.After(end) {
		w.deadline = end
	}
	w.searchShare(&quiet, 0, 1, nil)
	elapsed, nodes := time.Since(start), w.nodes
	w.deadline, w.nodes, w.next, w.stopped = end, 0, 0, false
	if elapsed < shortest {
		return 0
	}
	return float64(nodes) / elapsed.Seconds()
}

// affordable returns the greatest depth d such that 20·q^(d/2) is at most nodes, but at least 2 and at most limit; q is the
// number of cells tried in a node. A full search to this depth needs more nodes, 25 to 100 times q^(d/2), but the last root
// moves need not be searched completely. The factor 20 is fitted to matches on one board, 10 x 10 with k = 5. There the best
// depth was 6 with 3000 nodes a move, and 7 with 10000 nodes; with 30000 nodes, depth 8 beat depths 10 and 12.
func affordable(nodes uint64, q, limit int) int {
	depth, need := min(2, limit), 20*float64(q)
	for depth < limit && need*math.Sqrt(float64(q)) <= float64(nodes) {
		need *= math.Sqrt(float64(q))
		depth++
	}
	return depth
}

// deal distributes total nodes to n root moves, and returns the share of each move. The shares decrease by equal amounts from
// the first to the last: with n = 3 they are 3/6, 2/6 and 1/6 of total. If quarter is true, the first move gets a quarter, and
// the other moves get equal parts of the remaining nodes.
func deal(total uint64, n int, quarter bool) []uint64 {
	shares := make([]uint64, n)
	if total >= unlimited {
		for i := range shares {
			shares[i] = unlimited
		}
		return shares
	}
	if quarter {
		shares[0] = total
		for i := 1; i < n; i++ {
			shares[i] = (total - total/4) / uint64(n-1)
			shares[0] -= shares[i]
		}
		return shares
	}
	parts := uint64(n) * uint64(n+1) / 2
	left := total
	for i := n - 1; i >= 0; i-- {
		part := uint64(n - i)
		// The share is total*part/parts, computed without overflow.
		shares[i] = total/parts*part + total%parts*part/parts
		left -= shares[i]
	}
	shares[0] += left
	return shares
}

// searchShare searches the root moves first, first+stride, first+2*stride and so on, and returns the answers. Each move may use its
// own share of nodes, and the nodes that the previous move has not used.
func (w *worker) searchShare(r *run, first, stride int, seen []answer) []answer {
	var found []answer
	scores := make([]eval.Score, 0, len(r.root))
	for _, a := range seen {
		scores = append(scores, a.score)
	}
	slices.Sort(scores)
	left := uint64(0)
	for i := first; i < len(r.root); i += stride {
		share := min(r.shares[i]+left, unlimited)
		if w.look(); w.stopped {
			break
		}
		if share == 0 {
			continue
		}
		alpha := -eval.Infinity
		if n := len(scores) - r.lines; n >= 0 {
			alpha = scores[n]
		}
		start := w.nodes
		w.limit = start + share
		a := answer{move: r.root[i].move, rank: i, depth: r.depth}
		w.playMove(a.move)
		a.score = w.value(r.depth-1, 1, alpha, eval.Infinity)
		w.undoMove()
		a.pv = append([]game.Move{a.move}, w.pv[1]...)
		// If the search of the move was cut off, its answer is dropped if there is a better one. In a repeated search, the move's
		// complete answer of the previous search is better. After the end of the time, any other answer is better.
		if r.again && w.cut || w.stopped && len(found)+len(seen) > 0 {
			break
		}
		left = share - (w.nodes - start)
		found = append(found, a)
		at, _ := slices.BinarySearch(scores, a.score)
		scores = slices.Insert(scores, at, a.score)
		if r.improve && a.score > alpha {
			r.report(r.info(w, a, 1))
		}
	}
	return found
}

// array contains the free cells followed by the occupied cells. Each change swaps two cells. Changes are undone in reverse order,
// by swapping the same cells again:
//
//	free      taken        take c: swap it with the last free cell
//	a b c d | x y          a b d | c x y      trail: 2, the place that c had
//
// CITE: Huang and Spadaccini, algorithms 2 and 3. We added that captured cells become free again.
type array struct {
	cells []game.Move
	at    []int32 // by cell: its index in cells
	free  int
	trail []int32
}

// load fills the array with n cells, of which the cells in free are free; free must be in increasing order. Changes are undone in
// the reverse order.
func (a *array) load(n int, free []game.Move) {
	if len(a.at) != n {
		a.cells, a.at = make([]game.Move, n), make([]int32, n)
	}
	a.free, a.trail = len(free), a.trail[:0]
	next, tail := 0, len(free)
	for c := range game.Move(n) {
		place := next
		if next < len(free) && free[next] == c {
			next++
		} else {
			place = tail
			tail++
		}
		a.cells[place], a.at[c] = c, int32(place)
	}
}

func (a *array) swap(i, j int) {
	c, d := a.cells[i], a.cells[j]
	a.cells[i], a.cells[j] = d, c
	a.at[c], a.at[d] = int32(j), int32(i)
}

// take removes a free cell. It costs O(1).
func (a *array) take(c game.Move) {
	i := a.at[c]
	a.free--
	a.swap(int(i), a.free)
	a.trail = append(a.trail, i)
}

// give makes an occupied cell free again. It costs O(1).
func (a *array) give(c game.Move) {
	i := a.at[c]
	a.swap(int(i), a.free)
	a.free++
	a.trail = append(a.trail, i)
}

// untake undoes the last change, which must be a take. It costs O(1).
func (a *array) untake(game.Move) {
	a.swap(int(a.pop()), a.free)
	a.free++
}

// ungive undoes the last change, which must be a give. It costs O(1).
func (a *array) ungive(game.Move) {
	a.free--
	a.swap(int(a.pop()), a.free)
}

func (a *array) pop() int32 {
	i := a.trail[len(a.trail)-1]
	a.trail = a.trail[:len(a.trail)-1]
	return i
}
