// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// Searcher plays by the solver, and by another search where a position cannot be solved in time.
type Searcher struct {
	solver *Solver
	unsure search.Searcher
}

// Plays says whether g is a Connect Four that a Solver is good at: one of a single word. On larger boards it
// proves what it can, but seldom in the time of a move.
func Plays(g game.Game) bool {
	b, lined := g.Start().(game.Lined)
	if !lined || !strings.HasPrefix(g.String(), "connect4") || b.K() < 2 {
		return false
	}
	columns, rows := b.Size()
	stride, ok := fits(columns, rows)
	return ok && columns*int(stride) <= boardBits
}

// NewSolver returns a Solver of g, which must be a Connect Four.
func NewSolver(g game.Game, o Options) (*Solver, error) {
	b, lined := g.Start().(game.Lined)
	if !lined || !strings.HasPrefix(g.String(), "connect4") {
		return nil, fmt.Errorf("%s is not Connect Four", g)
	}
	columns, rows := b.Size()
	return New(columns, rows, b.K(), o)
}

// NewSearcher returns a Searcher of g. What cannot be solved in two thirds of the time or nodes is left to
// unsure, or to the rule "the center first" where that is nil.
func NewSearcher(g game.Game, o Options, unsure search.Searcher) (*Searcher, error) {
	s, err := NewSolver(g, o)
	if err != nil {
		return nil, err
	}
	return &Searcher{s, unsure}, nil
}

// FromGame returns p, which is of the solver's game, as the solver sees it.
func (s *Solver) FromGame(p game.Position) Position {
	cells, turn := p.(game.Board).Cells(), p.Turn()
	if p.Outcome() != game.Ongoing { // the turn means nothing then, but the last stone was the winner's
		if w, won := p.Outcome().Winner(); won {
			turn = w.Other()
		}
	}
	return s.SetUp(func(column, row int) int {
		switch cells[column+row*s.g.columns] {
		case game.Empty:
			return 0
		case turn.Stone():
			return 1
		}
		return 2
	})
}

// Search solves p. As with the oracle a limit in depth only cuts the line it reports. While it works it reports what the
// other search makes of p, within the bounds that are proved.
func (s *Searcher) Search(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	mine := lim
	if s.unsure != nil {
		mine.Time, mine.Nodes = lim.Time*2/3, (lim.Nodes*2+2)/3
	}
	solving, cancel := ctx, func() {}
	if mine.Time > 0 {
		solving, cancel = context.WithTimeout(ctx, mine.Time)
	}
	defer cancel()
	t := &task{
		solver: s.solver, unsure: s.unsure, root: p, p: s.solver.FromGame(p), report: report,
		depth: lim.Depth, lines: max(lim.Lines, 1), left: mine.Nodes, start: time.Now(), bounds: Nothing(),
	}
	if report == nil {
		t.report = func(search.Info) {}
	} else if lim.Nodes == 0 { // what is said now and then must not decide what a number of nodes leads to
		s.solver.Report = func(r Result) { t.listen(solving, r) }
		defer func() { s.solver.Report = nil }()
	}
	if infos := t.solved(solving); len(infos) > 0 {
		return t.tell(infos), nil
	}
	if lim.Time > 0 {
		lim.Time = max(lim.Time-time.Since(t.start), lim.Time/4)
	}
	if lim.Nodes > 0 {
		lim.Nodes = max(lim.Nodes-mine.Nodes, 1)
	}
	err := t.ask(ctx, lim, func() { t.tell(t.answers()) })
	if len(t.words) == 0 {
		return search.Info{}, err
	}
	return t.tell(t.answers()), err
}

// tell reports answers and returns the first.
func (t *task) tell(infos []search.Info) search.Info {
	for _, i := range infos {
		t.report(i)
	}
	return infos[0]
}

// task is one search.
type task struct {
	solver *Solver
	unsure search.Searcher
	root   game.Position
	p      Position // root as the solver sees it
	report func(search.Info)
	depth  int // of the line
	lines  int
	left   uint64 // nodes; 0 for no limit
	nodes  uint64
	start  time.Time
	// What is said before the solver has done, see live.go.
	bounds Result        // of p
	proved []search.Info // moves that are solved, when all are to be
	words  []search.Info // of each move, or the best, by the other search
	next   time.Duration // from the start: when to ask it again
}

// solved returns the answers that were asked for, or none unless all of them were proved in time.
func (t *task) solved(ctx context.Context) []search.Info {
	if t.lines > 1 {
		return t.solveMoves(ctx)
	}
	if info, ok := t.solve(ctx); ok {
		return []search.Info{info}
	}
	return nil
}

// spend runs a part of the work within the nodes that are left, and says whether there were any.
func (t *task) spend(work func() Result) (Result, bool) {
	if t.left > 0 && t.nodes >= t.left {
		return Result{}, false
	}
	t.solver.LimitNodes(0)
	if t.left > 0 {
		t.solver.LimitNodes(t.left - t.nodes)
	}
	r := work()
	t.nodes += r.Nodes
	return r, true
}

// solve returns the best move and what it is worth; not ok when not even win, draw or loss is known.
func (t *task) solve(ctx context.Context) (search.Info, bool) {
	r, _ := t.spend(func() Result { return t.solver.Solve(ctx, t.p) })
	t.bounds = r
	if _, known := r.Sign(); !known {
		return search.Info{}, false
	}
	c := t.guess()
	if r.Upper >= 0 || r.Exact() {
		if c = t.best(ctx, r.Lower); c < 0 {
			return search.Info{}, false
		}
	}
	q, _ := t.p.Play(c)
	var line []int
	if r.Exact() {
		line = t.follow(ctx, q, -r.Lower)
	}
	return t.info(Move{c, r}, line), true
}

// best returns a move worth score at least, or -1 when none is proved in time.
func (t *task) best(ctx context.Context, score int) int {
	found := -1
	t.spend(func() Result {
		var n uint64
		found, n = t.solver.best(ctx, t.p, score)
		return Result{Nodes: n}
	})
	return found
}

// follow returns best play from p as far as the depth and the nodes left allow.
func (t *task) follow(ctx context.Context, p Position, score int) []int {
	var line []int
	t.spend(func() Result {
		var n uint64
		line, n = t.solver.line(ctx, p, score, t.depth-1)
		return Result{Nodes: n}
	})
	return line
}

// solveMoves returns the best moves, best first, or none unless all moves were solved.
func (t *task) solveMoves(ctx context.Context) []search.Info {
	for _, c := range centerFirst(t.solver.g.columns) {
		q, err := t.p.Play(c)
		if err != nil {
			continue
		}
		r, ok := t.spend(func() Result { return t.solver.Solve(ctx, q) })
		if !ok || !r.Exact() {
			return nil
		}
		m := Move{c, r.minus()}
		t.proved = append(t.proved, t.info(m, t.follow(ctx, q, -m.Lower)))
		if len(t.words) > 0 {
			t.tell(t.answers())
		}
	}
	t.words = nil
	return t.answers()
}

// guess returns the legal column next to the center.
func (t *task) guess() int {
	for _, c := range centerFirst(t.solver.g.columns) {
		if t.p.Legal(c) {
			return c
		}
	}
	return 0
}

// info returns the answer that m is, with what follows it.
func (t *task) info(m Move, line []int) search.Info {
	pv := []game.Move{game.Move(m.Column)}
	for _, c := range line {
		pv = append(pv, game.Move(c))
	}
	info := search.Info{Line: 1, Depth: len(pv), PV: pv, Nodes: t.nodes, Time: time.Since(t.start), Solved: true}
	switch {
	case m.Lower > 0:
		info.Score = eval.Win(t.p.Plies(m.Lower))
		if !m.Exact() {
			info.Bound = search.Lower
		}
	case m.Upper < 0:
		info.Score = eval.Loss(t.p.Plies(m.Upper))
		if !m.Exact() {
			info.Bound = search.Upper
		}
	}
	return info
}
