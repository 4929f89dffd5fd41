// SPDX-License-Identifier: Apache-2.0

package atarigo

import (
	"context"
	"fmt"

	"github.com/krow-lab/krow/engine/score"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/atarigo"
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
		return nil, fmt.Errorf("atarigo: the engine plays Atari-Go on boards of up to %d x %d points, not %s", maxSide, maxSide, g)
	}
	memory, err := score.NewMemory(o)
	if err != nil {
		return nil, fmt.Errorf("atarigo: %w", err)
	}
	w := &worker{board: *newBoard(sizeOf(g)), table: memory.Open()}
	for m := range w.size * w.size {
		column, row := m%w.size, m/w.size
		line := min(column, row, w.size-1-column, w.size-1-row)
		w.central[w.cell(game.Move(m))] = edges[min(line, len(edges)-1)]
	}
	return &Searcher{memory, w}, nil
}

// edges contains values of a move for the move ordering, by its distance from the edge of the board.
var edges = [...]int32{-40, -5, 5, 8}

// run contains the data of one search.
type run struct {
	*worker
	score.Reports
	lines int // number of lines to report
	moves moves
}

// Search implements search.Searcher.
func (s *Searcher) Search(
	ctx context.Context, p game.Position, lim search.Limits, report func(search.Info),
) (search.Info, error) {
	r, lim := s.newRun(ctx, p, lim, report)
	if r.lines == 1 && r.prove(lim) {
		return r.Best, nil
	}
	r.list(p)
	r.Deepen(lim, min(r.Most, maxDepth-1), r.deepen)
	if r.Best.PV == nil { // the limits were reached during the first search
		r.Answer(1, 1, 0, []game.Move{r.move(int(r.moves.list[0].cell))})
	}
	return r.Best, nil
}

// newRun sets the board to p, and returns a run with the root p, and its limits.
func (s *Searcher) newRun(
	ctx context.Context, p game.Position, lim search.Limits, report func(search.Info),
) (*run, search.Limits) {
	w := s.w
	w.load(p.(*atarigo.Position))
	reports, lim := score.Begin(ctx, lim, maxDepth-1, report)
	w.table, w.budget, w.stopped, w.killers = s.Open(), reports.Budget, false, [maxDepth][2]int{}
	return &run{worker: w, Reports: reports, lines: max(lim.Lines, 1)}, lim
}

// Prove searches for a win by threats of the side to move. If the enemy threatens a capture, it also searches for a loss of the
// side to move: the enemy wins by threats after the only answer. The second result reports whether Prove has found a win or a
// loss within the limit of nodes.
func (s *Searcher) Prove(ctx context.Context, p game.Position, nodes uint64) (search.Info, bool) {
	r, _ := s.newRun(ctx, p, search.Limits{Nodes: nodes}, nil)
	if c, n := r.shortest(int(nodes)); n > 0 {
		r.Answer(1, n, score.WinIn(n), r.variation(c, n, score.WinIn(n)))
		return r.Best, true
	}
	if r.heads[r.turn&1][0] == (set{}) {
		return r.Best, false
	}
	r.list(p) // the list is the only answer, or all legal moves if no move stops the capture
	c := int(r.moves.list[0].cell)
	r.play(c)
	_, n := r.shortest(int(nodes))
	r.undo()
	if n > 0 {
		r.Answer(1, n+1, -score.WinIn(n+1), r.variation(c, n+1, -score.WinIn(n+1)))
	}
	return r.Best, n > 0
}

// prove reports whether the side to move wins by threats. If so, it also reports this win as the answer.
func (r *run) prove(lim search.Limits) bool {
	c, n := r.shortest(score.Tenth(lim, 100))
	if n > 0 {
		r.Answer(1, n, score.WinIn(n), r.variation(c, n, score.WinIn(n)))
	}
	return n > 0
}

// list makes the list of root moves. A legal move after which the enemy captures at once is listed only if all moves are such
// moves.
func (r *run) list(p game.Position) {
	if r.capture(r.turn) != 0 {
		for _, m := range p.AppendMoves(nil) {
			r.moves.add(r.cell(m), 0)
		}
		return
	}
	if r.heads[r.turn&1][0] != (set{}) {
		if c := r.escape(); c != 0 {
			r.moves.add(c, 0)
		}
	} else {
		r.listMoves(&r.moves)
		r.moves.sort()
	}
	if r.moves.n == 0 {
		for _, m := range p.AppendMoves(nil) {
			r.moves.add(r.cell(m), 0)
		}
	}
}

// value returns the value of the root move c.
func (r *run) value(c int, alpha, beta int32, depth int) int32 {
	if r.captures(c) {
		return score.WinIn(1)
	}
	if r.room(c, 2) < 2 {
		return -score.WinIn(2)
	}
	r.play(c)
	v := -r.search(-beta, -alpha, depth-1, 1)
	r.undo()
	return v
}

// captures reports whether the side to move captures with a stone on c.
func (b *board) captures(c int) bool {
	for _, d := range b.near(c) {
		if b.stone[d] == b.turn.Other().Stone() && b.groups[b.head[d]].n == 1 {
			return true
		}
	}
	return false
}

// deepen searches the root moves to depth and reports the best lines. It reports whether the search was completed.
func (r *run) deepen(depth int) bool {
	for line := range min(r.lines, r.moves.n) {
		alpha, at := int32(-score.Infinity), line
		for i := line; i < r.moves.n; i++ {
			c := int(r.moves.list[i].cell)
			v := int32(score.Infinity)
			if i > line {
				v = r.value(c, alpha, alpha+1, depth)
			}
			if v > alpha {
				v = r.value(c, alpha, score.Infinity, depth)
			}
			if r.stopped {
				return false
			}
			if v > alpha {
				if alpha, at = v, i; line == 0 {
					r.Answer(1, depth, v, r.variation(c, depth, v))
				}
			}
		}
		best := r.moves.list[at]
		copy(r.moves.list[line+1:at+1], r.moves.list[line:at])
		r.moves.list[line] = best
		if line > 0 {
			r.Answer(line+1, depth, alpha, r.variation(int(best.cell), depth, alpha))
		}
	}
	return true
}

// variation returns the move c, which has the value v, followed by the expected moves. There are at most depth moves, except in a
// proved line, which continues to the end of the game if all its moves are known.
func (r *run) variation(c, depth int, v int32) []game.Move {
	most := min(depth, r.Most)
	if plies := score.Mate - max(v, -v); plies < maxDepth {
		most = int(plies)
	}
	pv, played, budget, stopped := []game.Move{r.move(c)}, 0, r.budget, r.stopped
	for len(pv) < most && !r.captures(c) {
		r.play(c)
		played++
		r.budget, r.stopped = search.NewBudget(context.Background(), search.Limits{}), false
		if c = r.expected(); c == 0 {
			break
		}
		pv = append(pv, r.move(c))
	}
	for range played {
		r.undo()
	}
	r.budget, r.stopped = budget, stopped
	return pv
}

// expected returns the first move of a win by threats, or a move that answers a threat, or the move in the table; it returns 0 if
// there is none.
func (r *run) expected() int {
	if c, n := r.shortest(300); n > 0 {
		return c
	}
	if h := r.heads[r.turn&1][0].first(); h != 0 {
		if c := r.groups[h].liberties.first(); r.room(c, 1) > 0 {
			return c
		}
		for m := range r.size * r.size { // the group is lost, and any legal move continues the line
			if c := r.cell(game.Move(m)); r.stone[c] == game.Empty && r.room(c, 1) > 0 {
				return c
			}
		}
		return 0
	}
	e, ok := score.Probe(r.table, r.key, 0)
	if c := int(e.Move); ok && c < cells && r.stone[c] == game.Empty && r.room(c, 1) > 0 {
		return c
	}
	return 0
}
