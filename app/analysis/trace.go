// SPDX-License-Identifier: Apache-2.0

package analysis

import (
	"context"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/alphabeta"
	"github.com/krow-lab/krow/search/minimax"
)

// Tree is the recorded tree of a search, with nodes in the order in which the search entered them, the root first. Scores
// are for the side to move at the root; a score of 1000 is one unit of the heuristic. A score beyond ±2^52 means a won or
// lost game, as in package eval.
type Tree struct {
	Nodes    []Node `json:"nodes" nullable:"false"`
	Visited  int    `json:"visited" doc:"number of positions that the search visited below the root; greater than the number of nodes if the record has no room for all"`
	Leaves   int    `json:"leaves" doc:"number of positions whose value is the heuristic's or the result of the game"`
	Cuts     int    `json:"cuts" doc:"number of positions in which a cutoff ended the search before all moves were tried"`
	Complete bool   `json:"complete" doc:"whether the search was completed"`
	Best     string `json:"best,omitempty"`
}

// Node is a position of a Tree.
type Node struct {
	Parent int         `json:"parent" doc:"index of the parent node; -1 for the root"`
	Move   string      `json:"move,omitempty" doc:"move that led to the node"`
	Cell   int         `json:"cell"`
	Max    bool        `json:"max" doc:"whether the side to move is the same as at the root"`
	Alpha  *eval.Score `json:"alpha,omitempty" doc:"bound on entry to the node; missing while it is infinite"`
	Beta   *eval.Score `json:"beta,omitempty"`
	Value  eval.Score  `json:"value" doc:"value when the search left the node"`
	End    string      `json:"end,omitempty" enum:"win,loss,draw,horizon" doc:"why the node is a leaf"`
	Cut    int         `json:"cut,omitempty" doc:"number of moves that were not searched because of a cutoff"`
	Left   int         `json:"left" doc:"number of nodes that had been entered when the search left this node; -1 if the search ended before that"`
	Best   int         `json:"best" doc:"index of the best child; -1 if there is none"`
}

// TraceOptions select the search to record and the maximum number of nodes to record. If AlphaBeta is false, the search is
// minimax.
type TraceOptions struct {
	AlphaBeta bool
	Eval      eval.Evaluator
	Order     eval.MoveScorer // if not nil, alpha-beta first tries the moves that this heuristic rates highest
	Limits    search.Limits   // Depth must be set
	Nodes     int             // maximum number of nodes to record; after that the search continues without recording
}

// Trace searches p, which is ongoing, by plain minimax or alpha-beta, and returns the recorded tree.
func Trace(ctx context.Context, p game.Board, o TraceOptions) (Tree, error) {
	r := &recorder{p: p.Clone().(game.Board), root: p.Turn(), limit: o.Nodes, open: []frame{{}}}
	r.t.Nodes = []Node{{Parent: -1, Cell: -1, Max: true, Left: -1, Best: -1}}
	var s search.Searcher = minimax.New(minimax.Options{Eval: o.Eval, Trace: r})
	if o.AlphaBeta {
		var err error
		if s, err = alphabeta.New(p.Game(), alphabeta.Options{Eval: o.Eval, Order: o.Order, Trace: r}); err != nil {
			return Tree{}, err
		}
	}
	info, err := s.Search(ctx, p.Clone(), o.Limits, nil)
	if err != nil {
		return Tree{}, err
	}
	root := &r.t.Nodes[0]
	root.Value = info.Score
	if r.t.Complete = info.Depth > 0 && info.Bound == search.Exact; r.t.Complete {
		root.Left = len(r.t.Nodes)
	}
	if info.Depth > 0 {
		r.t.Best = p.Game().Format(info.PV[0])
	}
	return r.t, nil
}

// recorder records a Tree from the calls of a search. It plays the moves of the search on its own board p.
type recorder struct {
	p     game.Board
	root  game.Side
	limit int     // maximum number of nodes to record
	open  []frame // the path from the root to the position being searched
	t     Tree
}

type frame struct {
	node   int  // index in Tree.Nodes, or -1 if it is not recorded
	looked bool // whether the search has entered at least one child
	last   int  // index in Tree.Nodes of the child that the search left most recently
}

func (r *recorder) top() *frame { return &r.open[len(r.open)-1] }

// Enter records the node after m, unless the limit is reached or its parent is not recorded.
func (r *recorder) Enter(m game.Move, alpha, beta eval.Score) {
	r.t.Visited++
	parent, at := r.top(), -1
	parent.looked = true
	n := Node{Parent: parent.node, Move: r.p.Game().Format(m), Cell: r.p.Cell(m), Alpha: finite(alpha), Beta: finite(beta), Left: -1, Best: -1}
	r.p.Play(m)
	n.Max = r.p.Turn() == r.root
	if parent.node >= 0 && len(r.t.Nodes) < r.limit {
		at = len(r.t.Nodes)
		r.t.Nodes = append(r.t.Nodes, n)
	}
	r.open = append(r.open, frame{node: at})
}

// Leave completes the current node with its value. The node counts as a leaf if the search has entered none of its children.
func (r *recorder) Leave(value eval.Score) {
	f := *r.top()
	r.open = r.open[:len(r.open)-1]
	r.top().last = f.node
	end := ""
	if !f.looked {
		r.t.Leaves++
		end = ending(r.p.Outcome(), r.root)
	}
	if f.node >= 0 {
		n := &r.t.Nodes[f.node]
		n.Value, n.Left, n.End = value, len(r.t.Nodes), end
	}
	r.p.Undo()
}

// Best records the child that the search has just left as the best child of the current node.
func (r *recorder) Best() {
	if f := r.top(); f.node >= 0 {
		r.t.Nodes[f.node].Best = f.last
	}
}

// Cut counts a cutoff at the current node, at which n moves were not tried.
func (r *recorder) Cut(n int) {
	r.t.Cuts++
	if f := r.top(); f.node >= 0 {
		r.t.Nodes[f.node].Cut = n
	}
}

func ending(o game.Outcome, root game.Side) string {
	switch winner, won := o.Winner(); {
	case o == game.Ongoing:
		return "horizon"
	case !won:
		return "draw"
	case winner == root:
		return "win"
	}
	return "loss"
}

func finite(s eval.Score) *eval.Score {
	if s == eval.Infinity || s == -eval.Infinity {
		return nil
	}
	return &s
}
