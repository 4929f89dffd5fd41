// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
)

// The search lab: a search that writes down every node, to be watched. It is minimax or alpha-beta as one reads
// them in a book, without a table or an order of moves; package search has those that play.

type labInput struct {
	Place
	Search    string `query:"search" enum:"minimax,alphabeta" default:"minimax"`
	Heuristic string `query:"heuristic" default:"none" maxLength:"100"`
	Depth     int    `query:"depth" minimum:"1" maximum:"9" default:"3"`
	Order     bool   `query:"order" doc:"alpha-beta looks at moves that a heuristic prefers first"`
	Limit     int    `query:"limit" minimum:"1" maximum:"20000" default:"6000" doc:"nodes to write down; the search goes on to its end"`
}

// Tree is a search that was written down: nodes in the order in which they were entered, the root first. Scores are
// the root side's view, in thousandths of the heuristic's unit; beyond 2^52 they are won or lost games and their
// distance, as in package eval.
type Tree struct {
	Nodes    []Node `json:"nodes" nullable:"false"`
	Visited  int    `json:"visited" doc:"positions visited, the root included; more than nodes where those are too many to write down"`
	Leaves   int    `json:"leaves" doc:"positions valued by the heuristic or by the end of the game"`
	Cuts     int    `json:"cuts" doc:"positions left before all their moves were tried"`
	Complete bool   `json:"complete" doc:"the search came to its end"`
	Best     string `json:"best,omitempty"`
}

// Node is a position of the tree.
type Node struct {
	Parent int    `json:"parent" doc:"index, -1 for the root"`
	Move   string `json:"move,omitempty" doc:"that led here"`
	Cell   int    `json:"cell"`
	Max    bool   `json:"max" doc:"the root's side moves here"`
	Alpha  *int64 `json:"alpha,omitempty" doc:"on entry; absent while it is infinite"`
	Beta   *int64 `json:"beta,omitempty"`
	Value  int64  `json:"value" doc:"on leaving"`
	End    string `json:"end,omitempty" enum:"win,loss,draw,horizon" doc:"of a leaf"`
	Cut    int    `json:"cut,omitempty" doc:"moves that were not tried any more"`
	Left   int    `json:"left" doc:"when it was left: how many nodes had been entered by then"`
	Best   int    `json:"best" doc:"index of the best child, -1 for none"`
}

type labOutput struct{ Body Tree }

// What a tree may cost: cells of its board, since heuristics that scan are dear on large ones, positions visited, and
// time, which a tree runs out of only where a heuristic is very slow.
const (
	labCells  = 64
	labVisits = 400_000
	labTime   = 3 * time.Second
)

func (s *Server) lab(ctx context.Context, in *labInput) (*labOutput, error) {
	if err := in.find(); err != nil {
		return nil, err
	}
	b := in.position
	if len(b.Cells()) > labCells && b.Game().Moves() > labCells {
		return nil, largeTree.because(fmt.Sprintf("a tree of %s cannot be looked at: take a board of at most %d cells", b.Game(), labCells), strconv.Itoa(labCells))
	}
	if b.Outcome() != game.Ongoing {
		return nil, gameOver.plain()
	}
	if err := public(in.Heuristic); err != nil {
		return nil, badHeuristic.of(err, in.Heuristic)
	}
	ev, err := catalog.Evaluator(b.Game(), in.Heuristic)
	if err != nil {
		return nil, badHeuristic.of(err, in.Heuristic)
	}
	if err := enter(ctx, s.trees); err != nil {
		return nil, err
	}
	defer func() { <-s.trees }()
	ctx, cancel := context.WithTimeout(ctx, labTime)
	defer cancel()
	l := &unfolding{ctx: ctx, p: b.Clone().(game.Board), root: b.Turn(), ev: ev, prune: in.Search == "alphabeta", limit: in.Limit}
	if scorer, ok := ev.(eval.MoveScorer); ok && in.Order {
		l.scorer = scorer
	}
	_, err = l.enter(-1, Node{Parent: -1, Cell: -1}, in.Depth, -eval.Infinity, eval.Infinity)
	l.t.Complete = err == nil
	if best := l.t.Nodes[0].Best; best > 0 {
		l.t.Best = l.t.Nodes[best].Move
	}
	return &labOutput{l.t}, nil
}

// errLab ends a tree that costs too much.
var errLab = errors.New("the tree is too large")

// unfolding is a search that writes down what it does.
type unfolding struct {
	ctx    context.Context
	p      game.Board
	root   game.Side
	ev     eval.Evaluator
	scorer eval.MoveScorer // nil: moves in their own order
	prune  bool
	limit  int // nodes to write down
	ply    int
	t      Tree
}

// enter searches the position that n's move has led to, depth plies deep, and returns its worth. Its node is written
// down unless there are too many, or its parent's is not, which has the index -2 then.
func (l *unfolding) enter(parent int, n Node, depth int, alpha, beta eval.Score) (eval.Score, error) {
	if l.t.Visited >= labVisits || l.ctx.Err() != nil {
		return 0, errLab
	}
	l.t.Visited++
	at := -2
	if len(l.t.Nodes) < l.limit && parent > -2 {
		at = len(l.t.Nodes)
		n.Max, n.Best = l.p.Turn() == l.root, -1
		if l.prune {
			n.Alpha, n.Beta = bound(alpha), bound(beta)
		}
		l.t.Nodes = append(l.t.Nodes, n)
	}
	worth, err := l.look(at, depth, alpha, beta)
	if at >= 0 {
		l.t.Nodes[at].Value, l.t.Nodes[at].Left = int64(worth), len(l.t.Nodes)
	}
	return worth, err
}

// look finds the worth of the position, whose node has the index at, or is not written down where that is -2.
func (l *unfolding) look(at, depth int, alpha, beta eval.Score) (worth eval.Score, err error) {
	if o := l.p.Outcome(); o != game.Ongoing {
		l.leaf(at, ending(o, l.root))
		return eval.Outcome(o, l.root, l.ply), nil
	}
	if depth == 0 {
		l.leaf(at, "horizon")
		return l.ev.Evaluate(l.p, l.root).Opinion(), nil
	}
	most := l.p.Turn() == l.root
	moves := l.moves()
	for k, m := range moves {
		child := len(l.t.Nodes)
		v, err := l.after(at, m, depth, alpha, beta)
		if err != nil {
			return worth, err
		}
		if k == 0 || most && v > worth || !most && v < worth {
			worth = v
			l.prefer(at, child)
		}
		if !l.prune {
			continue
		}
		if most {
			alpha = max(alpha, v)
		} else {
			beta = min(beta, v)
		}
		if alpha >= beta && k+1 < len(moves) {
			l.t.Cuts++
			if at >= 0 {
				l.t.Nodes[at].Cut = len(moves) - k - 1
			}
			break
		}
	}
	return worth, nil
}

// after returns the worth of the position that m leads to.
func (l *unfolding) after(parent int, m game.Move, depth int, alpha, beta eval.Score) (eval.Score, error) {
	n := Node{Parent: parent, Move: l.p.Game().Format(m), Cell: l.p.Cell(m)}
	l.p.Play(m)
	l.ply++
	v, err := l.enter(parent, n, depth-1, alpha, beta)
	l.ply--
	l.p.Undo()
	return v, err
}

// prefer makes a child the best of a node, if both are written down.
func (l *unfolding) prefer(at, child int) {
	if at < 0 {
		return
	}
	l.t.Nodes[at].Best = -1
	if child < len(l.t.Nodes) {
		l.t.Nodes[at].Best = child
	}
}

func (l *unfolding) leaf(at int, end string) {
	if at >= 0 {
		l.t.Nodes[at].End = end
	}
	l.t.Leaves++
}

// moves returns the legal moves, those that the scorer prefers first.
func (l *unfolding) moves() []game.Move {
	moves := l.p.AppendMoves(nil)
	if l.scorer == nil {
		return moves
	}
	worth := make([]eval.Score, len(moves))
	for i, m := range moves {
		worth[i] = l.scorer.ScoreMove(l.p, m)
	}
	// Insertion keeps equal moves in their order.
	for i := 1; i < len(moves); i++ {
		for j := i; j > 0 && worth[j] > worth[j-1]; j-- {
			worth[j], worth[j-1] = worth[j-1], worth[j]
			moves[j], moves[j-1] = moves[j-1], moves[j]
		}
	}
	return moves
}

func ending(o game.Outcome, root game.Side) string {
	switch winner, won := o.Winner(); {
	case !won:
		return "draw"
	case winner == root:
		return "win"
	}
	return "loss"
}

// bound returns a bound, or nil where it is infinite.
func bound(s eval.Score) *int64 {
	if s == eval.Infinity || s == -eval.Infinity {
		return nil
	}
	v := int64(s)
	return &v
}
