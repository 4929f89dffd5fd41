// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/krow-lab/krow/engine/gomoku/network"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/tt"
)

// Searcher is the engine as a search.Searcher. It keeps its transposition table for the next search.
type Searcher struct {
	g       game.Game
	o       Options
	table   *tt.Table
	workers []*worker
	gap     time.Duration // the longest time between two readings of the clock in the last search
}

// New returns the engine for g, or an error if the engine does not play g.
func New(g game.Game, o Options) (*Searcher, error) {
	r, err := newRule(g)
	if err != nil {
		return nil, err
	}
	switch {
	case o.Threads < 0 || o.Threads > maxThreads:
		return nil, fmt.Errorf("gomoku: the number of threads must be from 1 to %d, not %d", maxThreads, o.Threads)
	case o.Hash < 0 || o.Time < 0:
		return nil, fmt.Errorf("gomoku: the size of the table and the time must be positive, not %d and %v", o.Hash, o.Time)
	}
	o.Threads = max(o.Threads, 1)
	if o.Hash == 0 {
		o.Hash = DefaultHash
	}
	if o.Time == 0 {
		o.Time = defaultTime
	}
	s := &Searcher{g: g, o: o, table: tt.New(o.Hash)}
	for i := range o.Threads {
		s.workers = append(s.workers, newWorker(&r, o))
		s.workers[i].timed = i == 0
	}
	s.workers[0].proof.table = make([]verdict, proofTable)
	if o.uses(techProof) && !o.Threats && r.zoned() && !r.side[0].renju {
		s.workers[0].tree = &rootTree{}
	}
	return s, nil
}

func newWorker(r *rule, o Options) *worker {
	w := &worker{board: *newBoard(r, o.Weights), o: o}
	w.loose = !o.uses(techDefence)
	w.use(o.Net)
	return w
}

// Close frees the memory of the table. A later search begins with an empty table.
func (s *Searcher) Close() error {
	if s.table != nil {
		s.table.Free()
		s.table = nil
	}
	return nil
}

// Timed reports whether the clock limits a search within lim.
func (s *Searcher) Timed(lim search.Limits) bool { return lim.Nodes == 0 && lim.Depth == 0 }

// Search implements search.Searcher.
func (s *Searcher) Search(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	if lim.Time == 0 && lim.Nodes == 0 && lim.Depth == 0 {
		lim.Time = s.o.Time
	}
	if s.table == nil {
		s.table = tt.New(s.o.Hash)
	}
	r := &run{
		Searcher: s, p: p, begun: time.Now(), report: report, lines: max(lim.Lines, 1), limit: maxDepth,
		shared: &shared{table: s.table, maxNodes: lim.Nodes, ctx: ctx},
	}
	r.clock.gap = s.gap
	r.clock.start(r.begun, lim)
	if lim.Depth > 0 {
		r.limit = min(lim.Depth, maxDepth)
	}
	if err := ctx.Err(); err != nil {
		r.stop.Store(true)
	}
	s.table.Age()
	for _, w := range s.workers {
		w.beginSearch(r.shared, p)
	}
	s.workers[0].tree.setRoot(p)
	r.main()
	s.gap = r.clock.gap
	return r.best, nil
}

func (w *worker) beginSearch(sh *shared, p game.Position) {
	w.shared, w.visited, w.next, w.counted, w.complete = sh, 0, 0, 0, 0
	w.goTo(0)
	for s := range w.history {
		for c := range w.history[s] {
			w.history[s][c] /= 4
		}
	}
	w.load(p.(game.Board), p)
}

// load sets the board to p. It places the last two stones of the game after all others, so that board.last returns them.
func (b *board) load(v game.Board, p game.Position) {
	b.clear()
	history := p.AppendHistory(nil)
	late := history[max(0, len(history)-2):]
	place := func(cell int) {
		b.turn = game.Side(v.Cells()[cell] - 1)
		b.playStone(b.cellOf(game.Move(cell)))
	}
	for cell, stone := range v.Cells() {
		if stone == game.Empty || len(late) > 0 && int(late[0]) == cell || len(late) > 1 && int(late[1]) == cell {
			continue
		}
		place(cell)
	}
	for _, m := range late {
		place(int(m))
	}
	b.turn = p.Turn()
}

type run struct {
	*Searcher
	*shared
	p            game.Position
	begun        time.Time
	report       func(search.Info)
	lines, limit int
	best         search.Info
}

func (r *run) main() {
	w := r.workers[0]
	fixed := 0
	switch {
	case r.atOnce(w):
		if r.lines == 1 {
			return
		}
		fixed = w.addOthers()
	case !w.prepareRoot():
		r.resign(w)
		return
	}
	var wg sync.WaitGroup
	for _, h := range r.workers[1:] {
		// After r.atOnce the helper may find no move: if the enemy can also make five, prepareRoot lists only the moves that stop
		// the enemy.
		if h.prepareRoot() {
			wg.Go(func() { r.help(h) })
		}
	}
	w.deepen(r.limit, r.lines, fixed, r.o.uses(techProof), func(line int, proved bool) {
		r.reportLine(w, line, proved)
		m := &w.root[0]
		if r.lines == 1 && r.enough(m.cell, m.score, float64(m.nodes)/float64(max(w.visited, 1)), len(w.root) == 1) {
			r.stop.Store(true)
		}
	})
	r.stop.Store(true)
	wg.Wait()
	switch h := r.deepest(); {
	case h != w && r.lines == 1 && !r.best.Solved:
		r.reportLine(h, 0, false)
	case r.best.PV == nil:
		r.reportLine(w, 0, false)
	}
}

func (r *run) deepest() *worker {
	best := r.workers[0]
	for _, w := range r.workers[1:] {
		if w.complete > best.complete && best.complete < r.limit {
			best = w
		}
	}
	return best
}

func (r *run) atOnce(w *worker) bool {
	v, ok := w.settled(0)
	if !ok || v < 0 || w.rule.side[0].blocked && w.counts[w.turn][makesFive] == 0 {
		return false
	}
	c := makesFive
	for w.counts[w.turn][c] == 0 {
		c--
	}
	w.root = append(w.root[:0], rootMove{score: v, line: []uint16{uint16(w.find(w.turn, c))}})
	r.reportLine(w, 0, true)
	return true
}

// resign reports some legal move if prepareRoot found no move. If the enemy can make five, no move stops him, and the loss is
// proved. In this case resign reports a move that stops one of the fives, since the enemy may overlook another five. Otherwise
// all moves that prepareRoot considered are forbidden for Black in renju, and the loss is not proved.
func (r *run) resign(w *worker) {
	sound := game.AppendSound(nil, r.p)
	c, foe := w.cellOf(sound[0]), w.turn.Other()
	for _, m := range sound {
		if o := w.cellOf(m); w.cells[o].class[foe] == makesFive {
			c = o
			break
		}
	}
	w.root = append(w.root[:0], rootMove{score: lossIn(2), line: []uint16{uint16(c)}})
	r.reportLine(w, 0, w.counts[foe][makesFive] > 0)
}

func (r *run) reportLine(w *worker, line int, proved bool) {
	m := &w.root[line]
	score := m.score
	if score == -infinity {
		score = 0
	}
	depth := w.complete
	if r.lines > 1 && m.at > 0 {
		depth = m.at
	}
	info := search.Info{
		Line: line + 1, Depth: min(max(depth, 1), r.limit), Score: toScore(score, proved), Nodes: max(r.visits(), 1),
		Time: time.Since(r.begun), Solved: proved, Draw: w.drawn(score),
	}
	if plies, _ := info.Score.Distance(); plies > 3 { // a win in fewer plies is a five or an open four, so its distance is exact
		info.Bound = search.Most(info.Score)
	}
	for _, c := range m.line {
		info.PV = append(info.PV, w.move(int(c)))
	}
	if line == 0 {
		r.best = info
	}
	if r.report != nil {
		if line == 0 {
			info.Root = w.candidates()
		}
		r.report(info)
	}
}

// drawn returns the probability of a draw in the root position, or 0 if it is unknown. score is the score of the root.
func (w *worker) drawn(score int32) float64 {
	if w.net == nil || w.decided() || score >= mateBound || score <= -mateBound {
		return 0
	}
	chance := 1 / (1 + math.Exp(-float64(score)/network.LogitUnit))
	return w.net.Draw(w.accumulator(), uint8(w.turn&1), w.threatMask(), w.rule.rows*w.rule.columns-w.empty, w.empty, chance)
}

func (w *worker) candidates() []search.Candidate {
	var all []search.Candidate
	for _, m := range w.root {
		all = append(all, search.Candidate{
			Move: w.move(int(m.line[0])), Effort: float64(m.nodes) / float64(max(w.visited, 1)),
			Score: toScore(m.score, false), Scored: m.score > -infinity,
		})
	}
	return all
}

func (r *run) visits() uint64 { return r.nodes.Load() + r.workers[0].visited - r.workers[0].counted }

func (b *board) cellOf(m game.Move) int {
	return b.cellAt(int(m)%b.rule.columns, int(m)/b.rule.columns)
}

func (b *board) move(c int) game.Move {
	return game.Move(c%stride - margin + (c/stride-margin)*b.rule.columns)
}
