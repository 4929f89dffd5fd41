// SPDX-License-Identifier: Apache-2.0

package mcts

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/atarigo"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/search"
)

// Small returns options with a tree and playouts that soon come to an end.
func Small() Options { return Options{Solver: true, maxNodes: 20, playout: 3} }

// branch is a node of the reference: children by pointer, results by outcome, nothing kept that can be
// computed.
type branch struct {
	move     game.Move
	side     game.Side // who moved here
	outcome  game.Outcome
	moves    int
	children []*branch
	visits   int
	half     int
}

// reference is UCT written down plainly. It shares with the worker the dice and the order in which moves are
// tried, and nothing else.
type reference struct {
	w    *worker
	p    game.Position
	root *branch
}

// simulate descends from b and returns the result.
func (r *reference) simulate(b *branch) game.Outcome {
	result := r.result(b)
	b.outcome = r.proved(b)
	if b.outcome != game.Ongoing {
		result = b.outcome
	}
	b.visits++
	if result == game.Draw {
		b.half++
	}
	if result == game.WinFor(b.side) {
		b.half += 2
	}
	return result
}

func (r *reference) result(b *branch) game.Outcome {
	if b.outcome != game.Ongoing {
		return b.outcome
	}
	if b.visits == 0 && b != r.root {
		return r.playout()
	}
	next, drawn := r.choose(b)
	r.p.Play(next.move)
	if next.visits == 0 {
		next.outcome = r.p.Outcome()
	}
	result := r.simulate(next)
	r.p.Undo()
	if drawn {
		return game.Draw
	}
	return result
}

func (r *reference) choose(b *branch) (next *branch, drawn bool) {
	moves := r.p.AppendMoves(nil)
	b.moves = len(moves)
	if len(b.children) < len(moves) {
		r.w.p = r.p // untried asks for its key
		next = &branch{move: moves[r.w.untried(len(b.children), len(moves))], side: r.p.Turn()}
		if r.w.Decisive && r.w.Solver && len(b.children) == 0 {
			for i := len(moves) - 1; i >= 0; i-- {
				r.p.Play(moves[i])
				if r.p.Outcome() == game.WinFor(next.side) {
					next.move = moves[i]
				}
				r.p.Undo()
			}
		}
		b.children = append(b.children, next)
		return next, false
	}
	bound := float32(math.Inf(-1))
	for _, k := range b.children {
		if r.w.Solver && k.outcome != game.Ongoing {
			drawn = drawn || k.outcome == game.Draw
			continue
		}
		mean := float32(k.half) / float32(2*k.visits)
		width := float32(r.w.C) * float32(math.Sqrt(math.Log(float64(b.visits))))
		if u := mean + width*float32(1/math.Sqrt(float64(k.visits))); u > bound {
			next, bound = k, u
		}
	}
	return next, drawn && bound < 0.5
}

func (r *reference) playout() game.Outcome {
	n := 0
	for r.p.Outcome() == game.Ongoing {
		r.p.Play(r.w.draw())
		n++
	}
	o := r.p.Outcome()
	for range n {
		r.p.Undo()
	}
	return o
}

// proved returns the value of b as its children tell it, or Ongoing.
func (r *reference) proved(b *branch) game.Outcome {
	if b.outcome != game.Ongoing || !r.w.Solver || len(b.children) == 0 {
		return b.outcome
	}
	mover := b.children[0].side
	values := map[game.Outcome]int{}
	for _, k := range b.children {
		values[k.outcome]++
	}
	switch {
	case values[game.WinFor(mover)] > 0:
		return game.WinFor(mover)
	case values[game.Ongoing] > 0 || len(b.children) < b.moves:
		return game.Ongoing
	case values[game.Draw] > 0:
		return game.Draw
	}
	return game.WinFor(mover.Other())
}

// check compares a node with its branch, and all below.
func (r *reference) check(t *testing.T, w *worker, at int32, b *branch) {
	n := w.nodes[at]
	if int(n.visits) != b.visits || int(n.half) != b.half || n.outcome != b.outcome || int(n.children) != len(b.children) {
		t.Fatalf("node %+v, reference %+v", n, *b)
	}
	for i, k := range b.children {
		if got := w.nodes[n.first+int32(i)].move; got != k.move {
			t.Fatalf("move %d, reference %d", got, k.move)
		}
		r.check(t, w, n.first+int32(i), k)
	}
}

func TestEqualsReference(t *testing.T) {
	must := func(g game.Game, err error) game.Game {
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	mk := func(r mnk.Rules) game.Game { g, err := mnk.New(r); return must(g, err) }
	ag, err := atarigo.New(4)
	games := []game.Game{
		mk(mnk.Rules{Name: "tictactoe", Columns: 3, Rows: 3, K: 3}),
		mk(mnk.Rules{Name: "connect4", Columns: 5, Rows: 4, K: 4, Gravity: true}),
		mk(mnk.Rules{Name: "connect6", Columns: 6, Rows: 6, K: 5, Turn: 2}),
		mk(mnk.Rules{Name: "pente", Columns: 5, Rows: 5, K: 4, Captures: 2}),
		ultimate.New(ultimate.Rules{}), must(ag, err),
	}
	for _, g := range games {
		for _, o := range []Options{{}, {Solver: true}, Defaults()} {
			t.Run(fmt.Sprintf("%s/solver=%t/decisive=%t", g, o.Solver, o.Decisive), func(t *testing.T) {
				const sims = 3000
				s := New(o)
				info, err := s.Search(context.Background(), g.Start(), search.Limits{Nodes: sims}, nil)
				if err != nil {
					t.Fatal(err)
				}
				other := &worker{Options: s.w.Options}
				other.reset(g.Start(), math.MaxInt)
				r := &reference{w: other, p: other.p, root: &branch{side: game.Second}}
				for range info.Nodes {
					r.simulate(r.root)
				}
				r.check(t, &s.w, root, r.root)
				if info.Nodes < sims && !info.Solved {
					t.Errorf("stopped after %d simulations", info.Nodes)
				}
			})
		}
	}
}

// TestBlocksKeepTheirNodes grows children here and there, and expects each to stay what it was.
func TestBlocksKeepTheirNodes(t *testing.T) {
	var tr tree
	tr.clear(1000)
	d := rng.Rand(1)
	want := map[game.Move]game.Move{} // parent of each move
	next := game.Move(1)
	for !tr.full {
		at := int32(root)
		for tr.nodes[at].children > 0 && d.Below(3) > 0 {
			at = tr.nodes[at].first + int32(d.Below(int(tr.nodes[at].children)))
		}
		parent := tr.nodes[at].move
		if _, ok := tr.add(at, next); ok {
			want[next] = parent
			next++
		}
	}
	if len(tr.nodes) > tr.max || len(want) < 200 {
		t.Errorf("%d nodes in the tree, room for %d, %d in use", len(tr.nodes), tr.max, len(want))
	}
	var walk func(n node)
	walk = func(n node) {
		for _, k := range tr.children(&n) {
			if p, ok := want[k.move]; !ok || p != n.move {
				t.Fatalf("%d lies below %d, want %d", k.move, n.move, p)
			}
			delete(want, k.move)
			walk(k)
		}
	}
	walk(tr.nodes[root])
	if len(want) > 0 {
		t.Errorf("%d nodes lost", len(want))
	}
}

// TestDrawIsEven draws moves on boards of few and many stones; no move may stand out by six deviations.
func TestDrawIsEven(t *testing.T) {
	g, err := mnk.Gomoku(7)
	if err != nil {
		t.Fatal(err)
	}
	for _, stones := range []int{0, 20, 45} {
		p := g.Start()
		w := &worker{Options: Options{maxNodes: 1}}
		for i := 0; p.Ply() < stones; i++ {
			m := game.Move(i * 10 % 49)
			if p.Play(m); p.Outcome() != game.Ongoing {
				t.Fatal("over")
			}
		}
		w.reset(p, 1)
		if w.board == nil {
			t.Fatal("the cells of gomoku are its moves")
		}
		const draws = 200_000
		counts := map[game.Move]int{}
		for range draws {
			counts[w.draw()]++
		}
		legal := p.AppendMoves(nil)
		mean := float64(draws) / float64(len(legal))
		for _, m := range legal {
			if off := math.Abs(float64(counts[m])-mean) / math.Sqrt(mean); off > 6 {
				t.Errorf("%d stones: move %d drawn %d times, expected %.0f", stones, m, counts[m], mean)
			}
			delete(counts, m)
		}
		if len(counts) > 0 {
			t.Errorf("%d stones: illegal moves drawn: %v", stones, counts)
		}
	}
}
