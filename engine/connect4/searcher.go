// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// Searcher is a player that uses the solver, and another search if a position cannot be solved in time.
type Searcher struct {
	solver *Solver
	unsure search.Searcher
}

// start returns the start position of g, if g is a Connect Four in which longer rows also win.
func start(g game.Game) (game.Lined, bool) {
	b, ok := g.Start().(game.Lined)
	return b, ok && strings.HasPrefix(g.String(), "connect4") && !b.Exact(game.First)
}

// Plays reports whether g is a Connect Four whose board fits into a single word. On larger boards a Solver rarely proves much in
// the time for a move.
func Plays(g game.Game) bool {
	b, ok := start(g)
	if !ok || b.K() < 2 {
		return false
	}
	columns, rows := b.Size()
	stride, fit := fits(columns, rows)
	return fit && columns*int(stride) <= boardBits
}

// NewSolver returns a Solver for g, which must be a Connect Four.
func NewSolver(g game.Game, o Options) (*Solver, error) {
	b, ok := start(g)
	switch {
	case !ok && strings.HasPrefix(g.String(), "connect4"):
		return nil, fmt.Errorf("the solver of Connect Four does not support %s, because longer rows do not win in it", g)
	case !ok:
		return nil, fmt.Errorf("%s is not Connect Four", g)
	}
	columns, rows := b.Size()
	return newSolver(columns, rows, b.K(), o)
}

// NewSearcher returns a Searcher for g. If a position is not solved in two thirds of the time or nodes, the search unsure
// chooses the move; if unsure is nil, the Searcher plays the legal move nearest to the center. On the 7 x 6 board it uses the
// book that is part of the package.
func NewSearcher(g game.Game, o Options, unsure search.Searcher) (*Searcher, error) {
	s, err := NewSolver(g, o)
	if err != nil {
		return nil, err
	}
	if b := standard(); b.For(s) {
		s.Book = b
	}
	return &Searcher{s, unsure}, nil
}

// FromGame converts p, which must be of the solver's game, to a Position of the solver.
func (s *Solver) FromGame(p game.Position) Position {
	turn := p.Turn()
	if p.Outcome() != game.Ongoing { // p.Turn() is not defined after the end of the game, but the winner has placed the last stone
		if w, won := p.Outcome().Winner(); won {
			turn = w.Other()
		}
	}
	return s.position(p.(game.Board).Cells(), turn)
}

func (s *Solver) position(cells []game.Stone, turn game.Side) Position {
	p := s.Start()
	for i, stone := range cells {
		b := wideBit(i%s.g.columns*int(s.g.stride) + i/s.g.columns)
		switch stone {
		case game.Empty:
		case turn.Stone():
			p.turn = p.turn.or(b)
		default:
			p.other = p.other.or(b)
		}
	}
	return p
}

// Search solves p. A limit of depth only shortens the lines that it reports. While the solver works, Search reports answers of
// the other search, with scores limited to the range that is proved. It reports the solver's score first with a line of one move,
// and later with best play to the end, which takes longer to find. If report is nil, Search calls the other search only if the
// solver does not solve p; if there is also a time limit, the returned line has only one move.
func (s *Searcher) Search(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	mine := lim
	if s.unsure != nil {
		mine.Time, mine.Nodes = (lim.Time*2+2)/3, (lim.Nodes*2+2)/3
	}
	solving, cancel := ctx, func() {}
	if mine.Time > 0 {
		solving, cancel = context.WithTimeout(ctx, mine.Time)
	}
	defer cancel()
	t := &task{
		solver: s.solver, unsure: s.unsure, root: p, p: s.solver.FromGame(p), report: report,
		depth: lim.Depth, lines: max(lim.Lines, 1), left: mine.Nodes, start: time.Now(), bounds: Unknown(),
		scores: map[game.Move]int{}, spent: map[game.Move]uint64{},
	}
	if report == nil {
		t.report, t.short = func(search.Info) {}, lim.Time > 0
	} else if lim.Nodes == 0 { // with a node limit, nothing is reported during the work, because the result must not depend on the time of reports
		s.solver.Report = func(r Result) { t.listen(solving, r) }
		defer func() { s.solver.Report = nil }()
	}
	solve := t.solve
	if t.lines > 1 {
		solve = t.solveMoves
	}
	if infos := solve(solving); len(infos) > 0 {
		t.reportAnswers(infos)
		return t.lengthen(solving, infos), nil
	}
	if lim.Time > 0 {
		lim.Time = max(lim.Time-time.Since(t.start), lim.Time/4)
	}
	if lim.Nodes > 0 {
		lim.Nodes = max(lim.Nodes-mine.Nodes, 1)
	}
	err := t.ask(ctx, lim, func() { t.reportAnswers(t.answers()) })
	if len(t.words) == 0 {
		return search.Info{}, err
	}
	return t.reportAnswers(t.answers()), err
}

func (t *task) reportAnswers(infos []search.Info) search.Info {
	for _, i := range infos {
		t.report(i)
	}
	return infos[0]
}

type task struct {
	solver *Solver
	unsure search.Searcher
	root   game.Position
	p      Position             // root as a Position of the solver
	short  bool                 // whether each line is only one move
	scores map[game.Move]int    // scores of the solved moves
	spent  map[game.Move]uint64 // nodes spent on each solved move
	report func(search.Info)
	depth  int // maximum length of a line
	lines  int
	left   uint64 // remaining nodes; 0 means no limit
	nodes  uint64
	told   uint64 // the number of nodes at the last report of moves
	start  time.Time
	// The following fields are for reports before the solver has finished: see live.go.
	bounds Result        // bounds of p that are proved so far
	best   []search.Info // the answer for the best move, as soon as this move is solved
	proved []search.Info // the answers for all solved moves, if several lines are requested
	// The last answers of the search task.unsure: one answer for each move if several lines are requested, otherwise one answer
	// for the best move.
	words []search.Info
	next  time.Duration // time from the start to the next call of the search unsure
}

func (t *task) spend(work func()) bool {
	if t.left > 0 && t.nodes >= t.left {
		return false
	}
	t.solver.LimitNodes(t.left - min(t.nodes, t.left))
	before := t.solver.spent
	work()
	t.nodes += t.solver.spent - before
	return true
}

// solve returns the best move and its value. If not even win, draw or loss is known, it returns no move.
func (t *task) solve(ctx context.Context) []search.Info {
	t.spend(func() { t.bounds = t.solver.Solve(ctx, t.p) })
	r := t.bounds
	if _, known := r.Sign(); !known {
		return nil
	}
	c := t.p.first()
	if r.Upper >= 0 || r.Exact() {
		c = -1
		if t.spend(func() { c = t.solver.Best(ctx, t.p, r.Lower) }); c < 0 {
			return nil
		}
	}
	return []search.Info{t.info(c, r)}
}

// solveMoves returns the best moves, or none if not all moves could be solved. It solves the position first, which gives the best
// move, and reports that move. Then it solves the position after each other move.
func (t *task) solveMoves(ctx context.Context) []search.Info {
	best := t.solve(ctx)
	if t.bounds = Unknown(); len(best) == 0 || best[0].Bound != search.Exact { // reset, because bounds of the position are not bounds of each of its moves
		return nil
	}
	t.best, t.proved = best, slices.Clone(best)
	first := best[0].PV[0]
	t.spent[first] = t.nodes
	t.news()
	worst := Result{Lower: -t.scores[first], Upper: noBound} // another move is at most as good as the best move, so the score after it has a lower bound
	for c, q := range t.p.children() {
		if game.Move(c) == first {
			continue
		}
		var r Result
		before := t.nodes
		if !t.spend(func() { r = t.solver.SolveWithin(ctx, q, worst).minus() }) || !r.Exact() {
			return nil
		}
		t.spent[game.Move(c)] = t.nodes - before
		t.proved = append(t.proved, t.info(c, r))
		t.news()
	}
	t.words = nil
	return t.answers()
}

// news reports the current answers. It reports nothing if no node was visited since its last report, because the final
// answers then follow at once.
func (t *task) news() {
	if t.nodes > t.told {
		t.told = t.nodes
		t.reportAnswers(t.answers())
	}
}

// info returns the answer for the move in column c, whose score is within the bounds of r.
func (t *task) info(c int, r Result) search.Info {
	m := game.Move(c)
	if r.Exact() {
		t.scores[m] = r.Lower
	}
	info := search.Info{Line: 1, Depth: 1, PV: []game.Move{m}, Nodes: t.nodes, Time: time.Since(t.start), Solved: true}
	switch {
	case r.Lower > 0:
		info.Score = eval.Win(t.p.Plies(r.Lower))
		if !r.Exact() {
			info.Bound = search.Lower
		}
	case r.Upper < 0:
		info.Score = eval.Loss(t.p.Plies(r.Upper))
		if !r.Exact() {
			info.Bound = search.Upper
		}
	}
	return info
}

// lengthen adds best play to the lines of moves with exact scores, within the limits of depth and nodes, and reports each line
// that has become longer. It returns the first line.
func (t *task) lengthen(ctx context.Context, infos []search.Info) search.Info {
	for n := range infos {
		i := &infos[n]
		score, exact := t.scores[i.PV[0]]
		if !exact || t.short {
			continue
		}
		q, _ := t.p.Play(int(i.PV[0]))
		t.spend(func() {
			for _, c := range t.solver.line(ctx, q, -score, t.depth-1) {
				i.PV = append(i.PV, game.Move(c))
			}
		})
		if i.Depth = len(i.PV); i.Depth > 1 {
			i.Nodes, i.Time = t.nodes, time.Since(t.start)
			t.report(*i)
		}
	}
	return infos[0]
}
