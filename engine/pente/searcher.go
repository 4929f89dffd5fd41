// SPDX-License-Identifier: Apache-2.0

package pente

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/tt"
)

// Searcher is the engine as a search. It keeps its table for its next search.
type Searcher struct {
	o Options
	w *worker
}

// New returns the engine for g, or an error that says why it does not play it.
func New(g game.Game, o Options) (*Searcher, error) {
	if err := checkGame(g, o); err != nil {
		return nil, err
	}
	if o.Hash == 0 {
		o.Hash = DefaultHash
	}
	w := &worker{board: *newBoard(g.(*mnk.Game)), table: tt.New(o.Hash), distance: g.(*mnk.Game).Rules().Distance}
	for m := range w.columns * w.rows {
		w.order = append(w.order, uint16(w.cell(game.Move(m))))
	}
	far := func(c uint16) int {
		x, y := 2*(int(c%stride)-margin)-w.columns+1, 2*(int(c/stride)-margin)-w.rows+1
		return max(x, -x, y, -y)<<16 + x*x + y*y // square by square
	}
	slices.SortStableFunc(w.order, func(a, b uint16) int { return cmp.Compare(far(a), far(b)) })
	w.buffer = make([]uint16, 0, 2*len(w.order))
	return &Searcher{o, w}, nil
}

// Close gives the memory of the table back. A later search begins with an empty one.
func (s *Searcher) Close() error {
	if s.w.table != nil {
		s.w.table.Free()
		s.w.table = nil
	}
	return nil
}

// Timed reports whether a search within such limits ends by the clock.
func (s *Searcher) Timed(lim search.Limits) bool { return lim.Nodes == 0 && lim.Depth == 0 }

// run is a search from a root.
type run struct {
	*worker
	lines, most int // lines to report, plies
	report      func(search.Info)
	moves       moves
	all         bool // moves are all there are
	best        search.Info
}

// Search implements search.Searcher.
func (s *Searcher) Search(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	if lim.Time == 0 && lim.Nodes == 0 && lim.Depth == 0 {
		lim.Time = defaultTime
	}
	if s.w.table == nil {
		s.w.table = tt.New(s.o.Hash)
	}
	w := s.w
	w.table.Age()
	w.load(p.(*mnk.Position))
	w.placed = p.Ply()
	w.budget, w.stopped, w.killers = search.NewBudget(ctx, lim), false, [maxDepth]uint16{}
	r := &run{worker: w, lines: max(lim.Lines, 1), most: lim.Depth, report: report}
	if r.most == 0 {
		r.most = maxDepth - 1
	}
	if r.lines == 1 && r.prove(lim) {
		return r.best, nil
	}
	r.list()
	for depth := 1; depth <= min(r.most, maxDepth-1) && r.deepen(depth); depth++ {
		_, decided := r.best.Score.Distance()
		if decided != 0 || lim.Time > 0 && lim.Nodes == 0 && w.budget.Elapsed() > lim.Time/2 {
			break
		}
	}
	if r.best.PV == nil { // the limits ended the first search
		r.answer(1, 1, 0, r.moves.list[0].cell)
	}
	return r.best, nil
}

// prove answers if the side to move wins by threats.
func (r *run) prove(lim search.Limits) bool {
	// A tenth of the nodes, or what takes about a tenth of the time.
	nodes := int(lim.Nodes / 10)
	if lim.Nodes == 0 {
		nodes = 1000 + int(min(lim.Time, time.Minute)/time.Millisecond)*30
	}
	for depth := range proofDepth + 1 {
		if v := r.attackWithin(nodes, depth, 0); v > 0 {
			r.answer(1, mate-int(v), v, r.attacks[depth].list[0].cell)
			return true
		}
		if nodes = r.allowance; nodes <= 0 || r.stopped {
			break
		}
	}
	return false
}

// list makes the moves of the root.
func (r *run) list() {
	if r.winning(r.turn.Other()) != 0 {
		r.all = r.forced(&r.moves)
	} else {
		r.all = r.promising(&r.moves, maxMoves)
	}
	if d, ok := r.table.Probe(r.key); ok {
		r.moves.first(unpack(d).move)
	}
}

// deepen searches the moves of the root and reports the best lines. It reports whether the search was completed.
func (r *run) deepen(depth int) bool {
	last := eval.Infinity
	for line := 0; line < min(r.lines, r.moves.n); line++ {
		alpha, at := int32(-infinity), line
		for i := line; i < r.moves.n; i++ {
			c := r.moves.list[i].cell
			v := int32(infinity)
			if r.wins(c) {
				v = winIn(1)
			} else {
				r.play(int(c))
				if i > line {
					v = -r.search(-alpha-1, -alpha, depth-1, 1)
				}
				if v > alpha {
					v = -r.search(-infinity, -alpha, depth-1, 1)
				}
				r.undo()
			}
			if r.stopped {
				return false
			}
			if v > alpha {
				if alpha, at = v, i; line == 0 {
					r.answer(1, depth, r.opinion(alpha), c)
				}
			}
		}
		best := r.moves.list[at]
		copy(r.moves.list[line+1:at+1], r.moves.list[line:at])
		r.moves.list[line] = best
		if line == 0 {
			r.table.Store(r.key, entry{depth, r.opinion(alpha), exact, best.cell}.pack())
			last = r.best.Score
			continue
		}
		last = r.reportLine(line+1, depth, r.opinion(alpha), best.cell, last)
	}
	return true
}

// wins reports whether the side to move wins at once on a cell.
func (r *run) wins(c uint16) bool {
	r.buffer = r.appendWinning(r.buffer[:0], r.turn)
	return slices.Contains(r.buffer, c)
}

// opinion makes a loss that was not proved an opinion.
func (r *run) opinion(v int32) int32 {
	if v < -mateBound && !r.all {
		v += mate - likely
	}
	return v
}

// answer reports the best line, and keeps it.
func (r *run) answer(line, depth int, v int32, c uint16) {
	r.best = r.info(line, depth, v, c)
	if r.report != nil {
		r.report(r.best)
	}
}

// reportLine reports another line, which is no better than the last.
func (r *run) reportLine(line, depth int, v int32, c uint16, last eval.Score) eval.Score {
	info := r.info(line, depth, v, c)
	if info.Score > last {
		info.Score, info.Bound, info.Solved = last, search.Exact, false
	}
	if r.report != nil {
		r.report(info)
	}
	return info.Score
}

func (r *run) info(line, depth int, v int32, c uint16) search.Info {
	info := search.Info{
		Line: line, Depth: min(depth, r.most), Nodes: max(r.budget.Nodes, 1), Time: r.budget.Elapsed(),
		Score: eval.Score(v) * eval.Unit / 100, PV: r.variation(c, depth),
	}
	switch {
	case v > mateBound:
		info.Score, info.Solved = eval.Win(int(mate-v)), true
	case v < -mateBound:
		info.Score, info.Solved = eval.Loss(int(mate+v)), true
	}
	if mate-max(v, -v) > 2 {
		info.Bound = search.Most(info.Score)
	}
	return info
}

// variation returns a move and what the table expects after it.
func (r *run) variation(c uint16, most int) []game.Move {
	pv, played := []game.Move{r.move(int(c))}, 0
	for len(pv) < most && !r.wins(c) {
		r.play(int(c))
		played++
		d, ok := r.table.Probe(r.key)
		e := unpack(d)
		if win := r.winning(r.turn); win != 0 {
			c = uint16(win)
		} else if c = e.move; !ok || e.bound == 0 || r.at(int(c)) != game.Empty {
			break
		}
		pv = append(pv, r.move(int(c)))
	}
	for range played {
		r.undo()
	}
	return pv
}
