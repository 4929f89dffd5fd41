// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/krow-lab/krow/engine/ultimate/prover"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	rules "github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/search"
)

// Searcher is the engine as a search.Searcher. It keeps its tree for the next search.
type Searcher struct {
	o       Options
	tree    *tree
	workers []*worker
	prover  *prover.Prover // nil if the option NoProof is set
}

// New returns the engine for g, or an error if the engine does not play g.
func New(g game.Game, o Options) (*Searcher, error) {
	if !Plays(g) {
		return nil, fmt.Errorf("ultimate: the engine plays ultimate tic-tac-toe, not %s", g)
	}
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	s := &Searcher{o: o, tree: newTree(o.Hash)}
	b := rules.NewBoard(g.(*rules.Game).Rules())
	s.tree.reset(&b)
	for range o.Threads {
		w := &worker{tree: s.tree, o: &s.o, alone: o.Threads == 1}
		if o.Net != nil {
			w.eval = o.Net.NewEvaluator()
		}
		s.workers = append(s.workers, w)
	}
	if !o.NoProof {
		s.prover = prover.New(prover.Options{Hash: o.Hash / 4})
		// The first write to the memory of the table can take long. Clear makes this write now, because the prover is first used later,
		// when a clock may be running.
		s.prover.Clear()
	}
	return s, nil
}

// Timed reports whether the clock limits a search within lim.
func (s *Searcher) Timed(lim search.Limits) bool { return lim.Nodes == 0 }

// Search implements search.Searcher. The limit lim.Depth does not end a search; it only limits the depth of the tree, and so
// the length of the lines. If there is no limit of time or nodes, the search takes Options.Time, unless the root is proved
// earlier.
func (s *Searcher) Search(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	if lim.Time == 0 && lim.Nodes == 0 {
		lim.Time = s.o.Time
	}
	begun := search.NewBudget(ctx, search.Limits{Time: lim.Time - s.margin(lim.Time)})
	b := p.(*rules.Position).Board()
	s.tree.advance(&b, p.AppendHistory(nil))
	r := &run{Searcher: s, budget: begun, most: lim.Nodes, lines: max(lim.Lines, 1), report: report, next: 1 << 12}
	for _, w := range s.workers {
		w.deepest, w.depth = 0, rules.Moves
		if lim.Depth > 0 {
			w.depth = min(lim.Depth, rules.Moves)
		}
	}
	r.grow(s.workers[0])
	r.prove(ctx, &b, lim)
	r.search()
	r.measure(ctx, &b, lim)
	return r.reportRoot(), nil
}

// margin returns the part of d, the time for a move, that is reserved for the work after the search.
func (s *Searcher) margin(d time.Duration) time.Duration { return min(d/20, s.o.Margin) }

// reportRoot reports a line for each of the best moves, and returns the first line.
func (r *run) reportRoot() search.Info {
	l := r.tree.nodes[0].loadLink()
	children := make([]uint32, 0, rules.Moves)
	for i := range l.count() {
		children = append(children, l.first()+i)
	}
	floor := lost
	if l.proved() {
		floor = won - l.low()
	}
	slices.SortStableFunc(children, func(a, b uint32) int { return r.rank(b, floor) - r.rank(a, floor) })
	var first search.Info
	last := eval.Infinity
	for i, k := range children[:min(r.lines, len(children))] {
		info := r.info(k)
		info.Line = i + 1
		if i == 0 {
			if r.report != nil {
				info.Root = r.candidates(children)
			}
			r.settle(&info, l, r.tree.nodes[k].loadLink())
			first = info
		}
		if info.Score > last {
			info.Score = last
			if last != eval.Won {
				info.Bound, info.Solved = search.Upper, false
			}
		}
		last = info.Score
		if r.report != nil {
			r.report(info)
		}
	}
	return first
}

func (r *run) candidates(children []uint32) []search.Candidate {
	var all []search.Candidate
	visits := max(r.tree.nodes[0].loadStats().visits(), 1)
	for _, k := range children {
		i, s := r.info(k), r.tree.nodes[k].loadStats()
		all = append(all, search.Candidate{Move: i.PV[0], Effort: float64(s.visits()) / float64(visits), Score: i.Score, Scored: true})
	}
	return all
}

// settle marks the answer as solved if the root is proved and the move preserves the root's value. The answer gets a number
// of plies to the end of the game only if this number is also proved.
func (r *run) settle(info *search.Info, root, move link) {
	value := won - root.low()
	if r.lost {
		value = lost
	}
	info.Solved = r.lost || root.proved() && move.low() >= value
	switch {
	case !info.Solved:
		return
	case value == drawn:
		info.Score = 0 // a draw has the score 0 even if the proof shows only that the move does not lose
	case r.plies > 0:
		info.Score, info.PV = eval.Win(r.plies), r.moves()
	case value == won && move.dist() == 0:
		info.Score = eval.Win(1)
	case value == lost && !r.lost && root.dist() <= exactDist:
		info.Score = eval.Win(root.dist())
	default:
		info.Score = eval.Won
	}
	if value == lost {
		info.Score = -info.Score
	}
	if r.plies == 0 && !move.proved() {
		info.PV = info.PV[:1] // the prover has found the value of the move but no line after it
	}
}

// rank returns the number by which the children of the root are sorted. It is the result of the method order, with one
// exception: if the prover has found the line of a win or a loss, the first move of this line gets the greatest number.
func (r *run) rank(at uint32, floor int) int {
	if len(r.line) > 0 && r.tree.nodes[at].loadLink().move() == r.line[0] {
		return 1000 * million
	}
	return r.order(at, floor)
}

const million = 1_000_000

// order returns a number that says how good it is to play the move to the child with the index at; greater is better. Wins
// are above unproved values, and losses are below them. A shorter win and a longer loss rank higher, and visits add a bonus
// to a value. Children whose result may be worse than the parameter floor come after the others, but before losses.
func (r *run) order(at uint32, floor int) int {
	s, l := r.tree.nodes[at].load()
	switch {
	case l.low() == won:
		return 100*million - l.dist()
	case l.high() == lost:
		return -100*million + l.dist()
	}
	v := int(million * (float64(s.value()) + float64(float64(visitWeight)*math.Log(float64(s.visits())))))
	if l.low() < floor {
		v -= 10 * million
	}
	return v
}

func (r *run) info(at uint32) search.Info {
	s, l := r.tree.nodes[at].load()
	info := search.Info{
		Depth: max(r.workers[0].deepest, 1), Nodes: max(r.nodes.Load(), 1), Time: r.budget.Elapsed(), PV: r.pv(at), Solved: l.proved(),
		Score: eval.Score(math.Round(float64(2*s.value()-1) * float64(eval.Unit))),
	}
	switch {
	case !l.proved():
	case l.low() == drawn:
		info.Score = 0
	default:
		info.Score = eval.Won
		if l.dist() <= exactDist {
			info.Score = eval.Win(l.dist() + 1)
		}
		if l.low() == lost {
			info.Score = -info.Score
		}
	}
	return info
}

func (r *run) moves() (pv []game.Move) {
	for _, m := range r.line {
		pv = append(pv, game.Move(m))
	}
	return pv
}

func (r *run) pv(at uint32) (pv []game.Move) {
	for {
		l := r.tree.nodes[at].loadLink()
		pv = append(pv, game.Move(l.move()))
		if l.count() == 0 {
			return pv
		}
		floor := lost
		if l.proved() {
			floor = won - l.low()
		}
		at = l.first()
		for i := range l.count() {
			if r.order(l.first()+i, floor) > r.order(at, floor) {
				at = l.first() + i
			}
		}
		// If only the prover has proved the value, the tree contains no line for it.
		if l.proved() && !r.tree.nodes[at].loadLink().proved() {
			return pv
		}
	}
}
