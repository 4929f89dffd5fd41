// SPDX-License-Identifier: Apache-2.0

package pente

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/krow-lab/krow/engine/score"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/search"
)

// Searcher is the engine as a search.Searcher. It keeps its table for the next search.
type Searcher struct {
	score.Memory
	w *worker
}

// New returns the engine for g, or an error if the engine does not play g.
func New(g game.Game, o Options) (*Searcher, error) {
	if !Plays(g) {
		return nil, fmt.Errorf("pente: the engine plays pente on boards of up to %d x %d cells, not %s", maxSide, maxSide, g)
	}
	memory, err := score.NewMemory(o)
	if err != nil {
		return nil, fmt.Errorf("pente: %w", err)
	}
	w := &worker{board: *newBoard(g.(*mnk.Game)), table: memory.Open(), distance: g.(*mnk.Game).Rules().Distance}
	for m := range w.columns * w.rows {
		w.order = append(w.order, uint16(w.cell(game.Move(m))))
	}
	far := func(c uint16) int {
		x, y := 2*(int(c%stride)-margin)-w.columns+1, 2*(int(c/stride)-margin)-w.rows+1
		return max(x, -x, y, -y)<<16 + x*x + y*y // cells on a smaller square around the center come first
	}
	slices.SortStableFunc(w.order, func(a, b uint16) int { return cmp.Compare(far(a), far(b)) })
	w.buffer = make([]uint16, 0, 2*len(w.order))
	return &Searcher{memory, w}, nil
}

// run contains the data of one search.
type run struct {
	*worker
	score.Reports
	lines int // number of lines to report
	moves moves
	all   bool // whether moves contains every move that may avoid a loss
}

// Search implements search.Searcher.
func (s *Searcher) Search(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	r, lim := s.newRun(ctx, p, lim, report)
	if (r.lines == 1 || r.winning(r.turn) != 0) && r.prove(lim) { // a win at once is the only line
		return r.Best, nil
	}
	r.list()
	r.Deepen(lim, min(r.Most, maxDepth-1), r.deepen)
	if r.Best.PV == nil { // the limits were reached during the first search
		r.Answer(1, 1, 0, r.variation(r.moves.list[0].cell, 1, false))
	}
	return r.Best, nil
}

// newRun sets the board to p, and returns a run with the root p, and its limits.
func (s *Searcher) newRun(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (*run, search.Limits) {
	w := s.w
	w.load(p.(*mnk.Position))
	w.placed = p.Ply()
	reports, lim := score.Begin(ctx, lim, maxDepth-1, report)
	w.table, w.budget, w.stopped, w.killers = s.Open(), reports.Budget, false, [maxDepth]uint16{}
	return &run{worker: w, Reports: reports, lines: max(lim.Lines, 1)}, lim
}

// prove reports whether the side to move wins by threats. If so, it also reports this win as the answer.
func (r *run) prove(lim search.Limits) bool {
	c, n := r.shortest(score.Tenth(lim, 30))
	if n > 0 {
		r.Answer(1, n, score.WinIn(n), r.variation(c, n, true))
	}
	return n > 0
}

// Prove searches for a win by threats of the side to move. If the enemy threatens to win at once, it also searches for a loss
// of the side to move: the enemy wins by threats after every answer. The second result reports whether Prove has found a win or
// a loss within the limit of nodes.
func (s *Searcher) Prove(ctx context.Context, p game.Position, nodes uint64) (search.Info, bool) {
	r, _ := s.newRun(ctx, p, search.Limits{Nodes: nodes}, nil)
	if c, n := r.shortest(int(nodes)); n > 0 {
		r.Answer(1, n, score.WinIn(n), r.variation(c, n, true))
		return r.Best, true
	}
	if r.winning(r.turn.Other()) == 0 {
		return r.Best, false
	}
	r.allowance = int(nodes)
	v := r.defend(proofDepth, 0)
	if c, ok := r.expected(true); v > 0 && ok {
		n := score.Mate - int(v)
		r.Answer(1, n, -v, r.variation(c, n, true))
		return r.Best, true
	}
	return r.Best, false
}

// list makes the list of root moves.
func (r *run) list() {
	if r.winning(r.turn.Other()) != 0 {
		r.all = r.forced(&r.moves)
	} else {
		r.all = r.promising(&r.moves, maxMoves)
	}
	if e, ok := score.Probe(r.table, r.key, 0); ok {
		r.moves.first(uint16(e.Move))
	}
}

// deepen searches the root moves to depth and reports the best lines. It reports whether the search was completed.
func (r *run) deepen(depth int) bool {
	for line := 0; line < min(r.lines, r.moves.n); line++ {
		alpha, at := int32(-score.Infinity), line
		for i := line; i < r.moves.n; i++ {
			c := r.moves.list[i].cell
			v := int32(score.Infinity)
			if r.wins(c) {
				v = score.WinIn(1)
			} else {
				r.play(int(c))
				if i > line {
					v = -r.search(-alpha-1, -alpha, depth-1, 1)
				}
				if v > alpha {
					v = -r.search(-score.Infinity, -alpha, depth-1, 1)
				}
				r.undo()
			}
			if r.stopped {
				return false
			}
			if v > alpha {
				if alpha, at = v, i; line == 0 {
					most, decided := depth, max(v, -v) > score.MateBound
					if decided {
						most = score.Mate - int(max(v, -v)) // the whole line, though depth is smaller
					}
					r.Answer(1, depth, score.Opinion(v, r.all), r.variation(c, most, decided))
				}
			}
		}
		best := r.moves.list[at]
		copy(r.moves.list[line+1:at+1], r.moves.list[line:at])
		r.moves.list[line] = best
		v := score.Opinion(alpha, r.all)
		if line == 0 {
			score.Store(r.table, r.key, 0, score.Entry{Depth: depth, Score: v, Move: uint64(best.cell)}, -score.Infinity, score.Infinity)
			continue
		}
		r.Answer(line+1, depth, v, r.variation(best.cell, depth, false))
	}
	return true
}

// wins reports whether the side to move wins at once with a stone on c.
func (r *run) wins(c uint16) bool {
	r.buffer = r.appendWinning(r.buffer[:0], r.turn)
	return slices.Contains(r.buffer, c)
}

// variation returns the move c followed by the expected moves. The parameter most is the maximum number of all these moves.
func (r *run) variation(c uint16, most int, decided bool) []game.Move {
	pv, played, budget, stopped := []game.Move{r.move(int(c))}, 0, r.budget, r.stopped
	for ok := true; len(pv) < most && !r.wins(c); {
		r.play(int(c))
		played++
		r.budget, r.stopped = search.NewBudget(context.Background(), search.Limits{}), false
		if c, ok = r.expected(decided); !ok {
			break
		}
		pv = append(pv, r.move(int(c)))
	}
	for range played {
		r.undo()
	}
	r.budget, r.stopped = budget, stopped
	return pv
}

// followNodes is the node limit for each move of a proved line.
const followNodes = 3000

// expected returns the first move of the shortest win. If it finds no win, its result depends on the parameter decided, which is
// true in a proved line. In such a line expected returns the move that delays the loss longest, and in any other line the move in
// the table.
func (r *run) expected(decided bool) (c uint16, ok bool) {
	if decided || r.winning(r.turn) != 0 {
		if c, n := r.shortest(followNodes); n > 0 {
			return c, true
		}
	}
	if decided && r.winning(r.turn.Other()) != 0 {
		l, longest := &moves{}, 0
		r.forced(l)
		for _, m := range l.list[:l.n] {
			r.play(int(m.cell))
			_, n := r.shortest(followNodes)
			r.undo()
			if n == 0 {
				return m.cell, true
			}
			if n > longest {
				longest, c = n, m.cell
			}
		}
		return c, longest > 0
	}
	e, ok := score.Probe(r.table, r.key, 0)
	return uint16(e.Move), ok && r.at(int(e.Move)) == game.Empty
}
