// SPDX-License-Identifier: Apache-2.0

package analysis_test

import (
	"fmt"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/analysis"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/search"
)

// TestTrace holds what was written down to the rules of minimax and alpha-beta, and its numbers to what the same
// search counts when nobody watches it.
func TestTrace(t *testing.T) {
	tests := []struct {
		game, moves, heuristic string
		depth                  int
		order                  bool
	}{
		{"tictactoe", "", "none", 3, false},
		{"tictactoe", "b2 a1", "none", 5, false},
		{"tictactoe", "b2 a1 c3 a3", "none", 5, false},
		{"mnk:4,4,3", "b2", "lines", 3, true},
		{"connect4:5x4", "3", "mics", 4, true},
		{"connect4:5x4", "3", "brute", 4, false},
		{"connect6:5", "c3", "none", 3, false}, // one side moves twice
		{"ultimate", "55", "indicators", 3, true},
	}
	for _, tc := range tests {
		t.Run(fmt.Sprintf("%s/%s/%s/depth=%d/order=%t", tc.game, tc.moves, tc.heuristic, tc.depth, tc.order), func(t *testing.T) {
			p := position(t, tc.game, tc.moves)
			ev, err := krow.EvaluatorBy(spec.Untrusted, p.Game(), tc.heuristic)
			if err != nil {
				t.Fatal(err)
			}
			o := analysis.TraceOptions{Eval: ev, Limits: search.Limits{Depth: tc.depth}, Nodes: 1 << 20}
			full := trace(t, p, o)
			o.AlphaBeta = true
			order := "none"
			if tc.order {
				o.Order, order = ev.(eval.MoveScorer), tc.heuristic
			}
			cut := trace(t, p, o)
			if full.Cuts != 0 || cut.Visited > full.Visited || cut.Nodes[0].Value != full.Nodes[0].Value || cut.Best != full.Best {
				t.Errorf("minimax: %d positions, %s %d; alpha-beta: %d positions, %s %d",
					full.Visited, full.Best, full.Nodes[0].Value, cut.Visited, cut.Best, cut.Nodes[0].Value)
			}
			const plain = "hash=0,killer=off,refutation=off,history=off,pvs=off,deepening=off"
			for spec, tree := range map[string]analysis.Tree{
				fmt.Sprintf("minimax:depth=%d,eval=%s,terminal=exact", tc.depth, tc.heuristic):                             full,
				fmt.Sprintf("alphabeta:depth=%d,eval=%s,order=%s,terminal=exact,%s", tc.depth, tc.heuristic, order, plain): cut,
			} {
				info, err := analysis.Ask(t.Context(), newPlayer(t, p, spec), p, search.Limits{}, nil)
				if err != nil || uint64(tree.Visited) != info.Nodes || tree.Best != info.Best || tree.Nodes[0].Value != info.Score {
					t.Errorf("%s: %d nodes, %s, %d, %v; written down %d, %s, %d", spec, info.Nodes, info.Best, info.Score, err, tree.Visited, tree.Best, tree.Nodes[0].Value)
				}
			}
		})
	}
}

// trace searches and checks the tree.
func trace(t *testing.T, p game.Board, o analysis.TraceOptions) analysis.Tree {
	t.Helper()
	tree, err := analysis.Trace(t.Context(), p, o)
	if err != nil || !tree.Complete || len(tree.Nodes) != tree.Visited+1 {
		t.Fatalf("%d nodes of %d, complete %t, %v", len(tree.Nodes), tree.Visited, tree.Complete, err)
	}
	children := make([][]int, len(tree.Nodes))
	for i, n := range tree.Nodes[1:] {
		children[n.Parent] = append(children[n.Parent], i+1)
	}
	leaves, cuts := 0, 0
	var check func(i int)
	check = func(i int) {
		n := tree.Nodes[i]
		if n.End != "" {
			leaves++
		}
		if n.Cut > 0 {
			cuts++
		}
		if i > 0 && p.Outcome() == game.Ongoing != (n.End == "horizon" || n.End == "") {
			t.Fatalf("node %d ends %q, the game %s", i, n.End, p.Outcome())
		}
		if n.End != "" {
			return
		}
		if got, want := len(children[i])+n.Cut, len(p.AppendMoves(nil)); got != want {
			t.Fatalf("node %d tries or cuts %d of %d moves", i, got, want)
		}
		worth := tree.Nodes[children[i][0]].Value
		for _, c := range children[i] {
			v := tree.Nodes[c].Value
			if n.Max && v > worth || !n.Max && v < worth {
				worth = v
			}
			m, err := p.Game().Parse(tree.Nodes[c].Move)
			if err != nil || p.Cell(m) != tree.Nodes[c].Cell || tree.Nodes[c].Left > n.Left {
				t.Fatalf("node %d: move %s, cell %d, left %d, parent %d, %v", c, tree.Nodes[c].Move, tree.Nodes[c].Cell, tree.Nodes[c].Left, n.Left, err)
			}
			p.Play(m)
			check(c)
			p.Undo()
		}
		if n.Value != worth {
			t.Fatalf("node %d is worth %d, its children %d", i, n.Value, worth)
		}
		if low, high := n.Alpha == nil || worth > *n.Alpha, n.Beta == nil || worth < *n.Beta; low && high && tree.Nodes[n.Best].Value != worth {
			t.Fatalf("node %d is worth %d, its best child %d", i, worth, tree.Nodes[n.Best].Value)
		} else if low && high && n.Cut > 0 {
			t.Fatalf("node %d was cut at %d", i, worth)
		}
	}
	check(0)
	if leaves != tree.Leaves || cuts != tree.Cuts {
		t.Errorf("%d leaves and %d cuts, said to be %d and %d", leaves, cuts, tree.Leaves, tree.Cuts)
	}
	return tree
}

// TestTraceLimits writes down a part of a search, and one that is stopped.
func TestTraceLimits(t *testing.T) {
	p := position(t, "tictactoe", "b2 a1")
	o := analysis.TraceOptions{Limits: search.Limits{Depth: 4}, Nodes: 1 << 20}
	whole := trace(t, p, o)
	o.Nodes = 100
	if part, err := analysis.Trace(t.Context(), p, o); err != nil || len(part.Nodes) != 100 || part.Visited != whole.Visited || part.Leaves != whole.Leaves || !part.Complete {
		t.Errorf("%d nodes of %d, %d leaves, complete %t, %v", len(part.Nodes), part.Visited, part.Leaves, part.Complete, err)
	}
	o.Limits.Nodes = 50
	stopped, err := analysis.Trace(t.Context(), p, o)
	if err != nil || stopped.Complete || stopped.Visited != 50 || stopped.Nodes[0].Left != -1 || stopped.Nodes[50].Left != -1 || stopped.Nodes[1].End != "" {
		t.Errorf("stopped: %d positions, complete %t, %v", stopped.Visited, stopped.Complete, err)
	}
}
