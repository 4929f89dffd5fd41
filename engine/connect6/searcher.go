// SPDX-License-Identifier: Apache-2.0

package connect6

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/krow-lab/krow/engine/score"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/search"
)

// Searcher is the engine as a search.Searcher. It keeps its table for the next search.
type Searcher struct {
	score.Memory
	w *worker
	// next is the answer with the second stone of the turn that the last search chose, if it had a clock. It is the answer in the
	// position with the key nextAt.
	next   search.Info
	nextAt uint64
}

// New returns the engine for g, or an error if the engine does not play g.
func New(g game.Game, o Options) (*Searcher, error) {
	if !Plays(g) {
		return nil, fmt.Errorf("connect6: the engine plays Connect6 on boards of up to %d x %d cells, not %s", maxSide, maxSide, g)
	}
	memory, err := score.NewMemory(o)
	if err != nil {
		return nil, fmt.Errorf("connect6: %w", err)
	}
	r := g.(*mnk.Game).Rules()
	w := &worker{table: memory.Open()}
	w.geometry = newGeometry(r.Columns, r.Rows)
	return &Searcher{Memory: memory, w: w}, nil
}

// load sets the board to p, and returns the number of stones left in the turn.
func (b *board) load(p game.Position) int {
	b.clear()
	setup := p.(game.Settable).Setup()
	for c, stone := range setup.Cells {
		if stone != game.Empty {
			b.set(b.cell(game.Move(c)), game.Side(stone-1))
		}
	}
	b.turn = setup.Turn
	return min(int(setup.Memory[0]), b.empty)
}

func (b *board) move(c uint16) game.Move {
	return game.Move(int(c)/stride*b.columns + int(c)%stride)
}

func (b *board) cell(m game.Move) uint16 { return uint16(int(m)/b.columns*stride + int(m)%b.columns) }

// run contains the data of one search.
type run struct {
	*worker
	score.Reports
	left, lines int // left: number of stones that the side to move still places in this turn; lines: number of lines to report
	moves       pairs
	all         bool   // whether moves contains every move that may avoid a loss
	proofNodes  int    // node limit of a search for double threats at the root or after a root move
	safe        []pair // root moves after which this search has found no win of the enemy
}

// Search implements search.Searcher. If it has a clock, it chooses both stones of a turn in the time of both, and then plays the
// second stone at once.
func (s *Searcher) Search(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	if lim.Most <= lim.Time || lim.Lines > 1 {
		return s.search(ctx, p, lim, report)
	}
	stones := s.w.load(p)
	if stones == 1 && s.next.PV != nil && s.w.key == s.nextAt {
		if report != nil {
			report(s.next)
		}
		return s.next, nil
	}
	lim.Time = min(time.Duration(stones)*lim.Time, lim.Most)
	info, err := s.search(ctx, p, lim, report)
	s.next = info
	if s.next.PV = nil; len(info.PV) > 1 && stones == 2 {
		s.w.set(s.w.cell(info.PV[0]), s.w.turn)
		s.next.PV, s.nextAt = info.PV[1:], s.w.key
		s.next.Depth, s.next.Nodes, s.next.Time = max(info.Depth-1, 1), 1, 0
		if n, sign := info.Score.Distance(); sign > 0 {
			s.next.Score = eval.Win(n - 1)
		} else if sign < 0 {
			s.next.Score = eval.Loss(n - 1)
		}
	}
	return info, err
}

func (s *Searcher) search(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	r, lim := s.newRun(ctx, p, lim, 2*rootDepth, report)
	r.proofNodes = score.Tenth(lim, 4)
	if (r.lines == 1 || r.needs(r.turn) <= r.left) && r.prove() { // a win at once is the only line
		return r.Best, nil
	}
	r.list()
	lim.Time = 0 // Deepen does not end early, because a search that is cut off still answers with the best turn it has found
	r.Deepen(lim, min((r.Most+1)/2, rootDepth), r.deepen)
	if r.Best.PV == nil { // the limits were reached during the search of the first turn
		r.answer(1, 1, 0, r.moves.list[0])
	}
	r.Best.Nodes, r.Best.Time = max(r.Budget.Nodes, 1), r.Budget.Elapsed()
	return r.Best, nil
}

// newRun sets the board to p, and returns a run with the root p, and its limits.
func (s *Searcher) newRun(
	ctx context.Context, p game.Position, lim search.Limits, deepest int, report func(search.Info),
) (*run, search.Limits) {
	w := s.w
	reports, lim := score.Begin(ctx, lim, deepest, report)
	w.table, w.budget, w.stopped = s.Open(), reports.Budget, false
	clear(w.refuters[:])
	clear(w.winners[:])
	return &run{worker: w, left: w.load(p), lines: max(lim.Lines, 1), Reports: reports}, lim
}

// prove returns true if the side to move can complete six or wins by double threats. In this case it also reports the win as
// the answer.
func (r *run) prove() bool {
	if n := r.needs(r.turn); n <= r.left {
		a, b := r.gaps(r.complete(n))
		if n == 1 {
			b = noCell
		}
		r.answer(1, n, score.WinIn(n), pair{a, b, 0})
		return true
	}
	v, depth := r.deepAttack(r.left)
	if v > 0 {
		r.answer(1, score.Mate-int(v), v, r.attacks[depth].list[0])
	}
	return v > 0
}

// deepAttack calls attack with increasing depths. It returns the score of the win, or 0, and the depth of the last call.
func (r *run) deepAttack(left int) (v int32, depth int) {
	nodes := r.proofNodes
	for _, r.exact = range []bool{false, true} {
		for depth = 1; depth <= proofDepth && !r.stopped && nodes > 0; depth++ {
			if v = r.attackWithin(nodes, depth, 0, left); v > 0 {
				r.exact = false
				return v, depth
			}
			nodes = r.allowance
		}
		nodes = r.proofNodes
	}
	r.exact = false
	return 0, depth
}

// refuted reports whether the enemy wins by double threats after the root move p. The search of p may have missed this win,
// because its node limit for double threats is small. The win is stored in the table.
func (r *run) refuted(p pair) bool {
	if slices.ContainsFunc(r.safe, p.same) {
		return false
	}
	r.play(p)
	v, depth := r.deepAttack(2)
	if v > 0 {
		won := score.Entry{Score: v, Move: r.attacks[depth].list[0].pack()}
		score.Store(r.table, r.hash(), 0, won, -score.Infinity, v)
	}
	r.undo(p)
	if v == 0 {
		r.safe = append(r.safe, p)
	}
	return v > 0
}

// Prove returns a proved win or loss of the side to move with its whole line, if it can find one within the given number of
// nodes.
func (s *Searcher) Prove(ctx context.Context, p game.Position, nodes uint64) (search.Info, bool) {
	r, _ := s.newRun(ctx, p, search.Limits{Nodes: nodes}, maxTurns, nil)
	r.proving = true
	defer func() { r.proving = false }()
	line := r.winning(nil, proofDepth)
	if line == nil {
		line = r.losing(nil, proofDepth)
	}
	if line == nil {
		return r.Best, false
	}
	won := p.Clone()
	for _, m := range line {
		won.Play(m)
	}
	v := score.WinIn(len(line))
	if winner, _ := won.Outcome().Winner(); winner != p.Turn() {
		v = -v
	}
	r.Answer(1, len(line), v, line)
	return r.Best, true
}

// winning appends to line the moves of a win by double threats, up to the end of the game. It returns nil if it finds no win
// within the depth.
func (r *run) winning(line []game.Move, depth int) []game.Move {
	if n := r.needs(r.turn); n <= r.left {
		a, b := r.gaps(r.complete(n))
		if n == 1 {
			return append(line, r.move(a))
		}
		return append(line, r.move(a), r.move(b))
	}
	r.exact = true
	defer func() { r.exact = false }()
	for d := range depth {
		if v := r.attackWithin(1<<30, d, 0, r.left); v == 0 {
			if r.stopped {
				return nil
			}
			continue
		}
		p := r.attacks[d].list[0]
		line = append(line, r.move(p.a))
		if p.b != noCell {
			line = append(line, r.move(p.b))
		}
		left := r.left
		r.play(p)
		r.left = 2
		line = r.losing(line, d)
		r.undo(p)
		r.left = left
		return line
	}
	return nil
}

// losing appends to line the longest defence against a win of the enemy. It returns nil if the side to move can stop the win.
func (r *run) losing(line []game.Move, depth int) (longest []game.Move) {
	foe := r.turn.Other()
	if r.threats[foe].n == 0 || r.needs(r.turn) <= r.left {
		return nil
	}
	var l pairs
	if r.cover(foe) > r.left {
		l.add(r.some())
	} else if !r.covers(&l, r.left, 0) || l.n == maxPairs || r.threats[foe].n > maxThreats {
		return nil
	}
	left := r.left
	for _, p := range l.list[:l.n] {
		rest := append(slices.Clip(line), r.move(p.a))
		if p.b != noCell {
			rest = append(rest, r.move(p.b))
		}
		r.play(p)
		r.left = 2
		rest = r.winning(rest, depth)
		r.undo(p)
		r.left = left
		if rest == nil {
			return nil
		}
		if len(rest) > len(longest) {
			longest = rest
		}
	}
	return longest
}

// some returns a turn that stops some threats of the enemy, if no turn stops all of them.
func (r *run) some() pair {
	h := r.holes(r.turn.Other())
	p := pair{h.all[0][0], noCell, 0}
	if i := h.open(p.a, p.a); r.left == 2 && i < h.n {
		p.b = h.all[i][0]
	}
	return p
}

// complete returns a threat of the side to move that n stones complete.
func (r *run) complete(n int) uint16 {
	t := &r.threats[r.turn]
	for _, w := range t.all[:t.n] {
		if length-int(r.counts[w]>>(4*uint8(r.turn))&15) == n {
			return w
		}
	}
	return 0
}

// list lists the moves to search at the root: the turns that stop all threats of the enemy or, if the enemy has no threats, the
// best pairs. If no turn stops all threats, the position is lost, and the list also contains the best pairs.
func (r *run) list() {
	switch {
	case r.threats[r.turn.Other()].n > 0:
		r.all = r.covers(&r.moves, r.left, maxCells)
	case r.menaced(r.proofNodes, proofDepth/2, 0):
		r.meet(&r.moves, r.left)
	}
	if r.moves.n == 0 {
		r.all = false
		r.quiet(&r.moves, r.left)
	}
	if e, ok := score.Probe(r.table, r.hash(), 0); ok && r.left == 2 {
		r.moves.first(unpack(e.Move))
	}
	for i := range r.moves.n {
		r.moves.pick(i)
	}
}

// deepen searches the root moves to depth and reports the best lines. It returns true if the search was completed.
func (r *run) deepen(depth int) bool {
	lost := r.cover(r.turn.Other()) > r.left
	var used []uint16
	for line := 1; line <= r.lines; line++ {
		alpha, at := int32(-score.Infinity), -1
		for i := range r.moves.n {
			p := r.moves.list[i]
			if i >= 60 && alpha > -score.WinBound {
				break
			}
			if slices.Contains(used, p.a) {
				continue
			}
			v := r.value(p, alpha, depth, at < 0)
			if v > alpha && v < score.MateBound && !r.stopped && r.refuted(p) {
				v = r.value(p, alpha, depth, at < 0)
			}
			if r.stopped {
				return false
			}
			if v > alpha {
				if alpha, at = v, i; line == 1 {
					r.answer(1, 2*depth, score.Opinion(alpha, r.all || lost), p)
				}
			}
		}
		if at < 0 {
			break
		}
		p := r.moves.list[at]
		used = append(used, p.a)
		v := score.Opinion(alpha, r.all || lost)
		if line == 1 {
			copy(r.moves.list[1:at+1], r.moves.list[:at])
			r.moves.list[0] = p
			if r.left == 2 {
				score.Store(r.table, r.hash(), 0, score.Entry{Depth: depth, Score: v, Move: p.pack()}, -score.Infinity, score.Infinity)
			}
			continue
		}
		r.answer(line, 2*depth, v, p)
	}
	return true
}

// value returns the value of the root move p. The whole window is searched if p is the first move, or if it is better than alpha.
func (r *run) value(p pair, alpha int32, depth int, first bool) int32 {
	r.play(p)
	v := int32(score.Infinity)
	if !first {
		v = -r.search(-alpha-1, -alpha, depth-1, 0, r.left)
	}
	if v > alpha {
		v = -r.search(-score.Infinity, -alpha, depth-1, 0, r.left)
	}
	r.undo(p)
	return v
}

// answer reports a line that begins with the turn p. A line of a proved result continues to its end if somebody receives the report.
func (r *run) answer(line, depth int, v int32, p pair) {
	most, winner := min(depth, r.Most), game.Empty
	if r.Report != nil && max(v, -v) > score.MateBound {
		most, winner = r.Most, r.turn.Stone()
		if v < 0 {
			winner = r.turn.Other().Stone()
		}
	}
	r.Answer(line, depth, v, r.variation(p, most, winner))
}

// followNodes is the node limit of a search for the next turn of a proved line.
const followNodes = 3000

// variation returns the stones of the turn p and of the turns that are expected after it, at most most stones. winner is Empty if
// nobody is proved to win.
func (r *run) variation(p pair, most int, winner game.Stone) (pv []game.Move) {
	left, nodes, budget, stopped := r.left, r.proofNodes, r.budget, r.stopped
	r.proofNodes, r.budget, r.stopped = followNodes, search.NewBudget(context.Background(), search.Limits{}), false
	var played []pair
	for ok := true; ok; p, ok = r.expected(winner) {
		pv = append(pv, r.move(p.a))
		if p.b != noCell {
			pv = append(pv, r.move(p.b))
		}
		r.play(p)
		r.left = min(2, r.empty)
		played = append(played, p)
		if len(pv) >= most || r.needs(r.turn.Other()) == 0 || r.empty == 0 {
			break
		}
	}
	for _, p := range slices.Backward(played) {
		r.undo(p)
	}
	r.left, r.proofNodes, r.budget, r.stopped = left, nodes, budget, stopped
	return pv[:min(len(pv), most)]
}

// expected returns the turn that the side to move is expected to play: a turn that completes six, or the turn in the table. The
// winner of a proved line may also play a double threat, and the loser may stop threats.
func (r *run) expected(winner game.Stone) (p pair, ok bool) {
	n, foe := r.needs(r.turn), r.turn.Other()
	switch {
	case n <= r.left:
		p.a, p.b = r.gaps(r.complete(n))
		if n == 1 {
			p.b = noCell
		}
		return p, true
	case winner == foe.Stone() && r.cover(foe) > r.left:
		return r.some(), true
	}
	if e, ok := score.Probe(r.table, r.hash(), 0); ok && r.playable(unpack(e.Move)) {
		return unpack(e.Move), true
	}
	switch winner {
	case r.turn.Stone():
		if v, depth := r.deepAttack(r.left); v > 0 {
			return r.attacks[depth].list[0], true
		}
	case foe.Stone():
		l := &r.answers[0]
		l.n = 0
		r.covers(l, r.left, 1)
		return l.pick(0), l.n > 0
	}
	return p, false
}

// playable reports whether the side to move can play the turn p of two stones. A turn from the table may belong to another position.
func (r *run) playable(p pair) bool {
	free := func(c uint16) bool {
		return int(c)%stride < r.columns && int(c)/stride < r.rows && r.stones[c] == game.Empty
	}
	return p.a != p.b && free(p.a) && free(p.b)
}
