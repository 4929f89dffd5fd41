// SPDX-License-Identifier: Apache-2.0

// Package bench searches fixed positions to fixed depths, in one thread. The total number of nodes is called the signature of a
// build. If the signature is the same after a change of the code, the engines still play the same moves. Two machines that
// compute the same signature also play the same moves.
//
//	signature, err := bench.Run(ctx, func(r bench.Result) error { ... })
package bench

import (
	"context"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// Position is a position to search, and the player that searches it.
type Position struct{ Game, Moves, Player string }

// positions lists the searches whose node counts are added to give the signature: every kind of search, on a few positions. If
// a change of the code is not meant to change play, each of these searches must still have the same node count.
var positions = []Position{
	{"tictactoe", "", "minimax:depth=7,eval=none"},
	{"tictactoe", "b2", "alphabeta:depth=8,eval=none"},
	{"connect4", "", "alphabeta:depth=9"},
	{"connect4", "444366", "alphabeta:depth=9,eval=lines"},
	{"connect4", "4455", "mcts:sims=5000,seed=1"},
	{"mnk:7,7,4", "d4 d5", "alphabeta:depth=4,eval=brute"},
	{"mnk:7,7,4", "d4 d5 e5", "alphabeta:depth=4,eval=chua,hash=0,pvs=off"},
	{"gomoku", "h8 h9 i9 g7", "alphabeta:depth=3,eval=brute"},
	{"gomoku", "h8 h9 i9 g7", "mics:nodes=3000,deepening=off"},
	{"renju", "h8 h9 i9 g7", "alphabeta:depth=2,eval=mics"},
	{"pente:13", "g7 g8 h8 f6", "alphabeta:depth=3,eval=brute"},
	{"connect6:13", "g7 g8 h8", "alphabeta:depth=2,eval=lines"},
	{"ultimate", "55 51 15", "minimax:depth=4,eval=indicators"},
	{"ultimate", "55 51 15", "mcts:sims=2000,seed=1"},
	{"atarigo", "e5 d5 d4", "alphabeta:depth=3"},
	{"mnk:70,70,10", "ai35 aj36", "mics:nodes=100,deepening=off"},
	{"gomoku", "h8 h9 i9 g7", "gomoku:depth=8"},
	{"renju", "h8 h9 i9 g7", "gomoku:depth=7"},
	{"caro", "h8 h9 i9 g7", "gomoku:depth=7"},
	{"mnk:7,7,4", "d4 d5", "gomoku:depth=6"},
}

// Result is the result of a search.
type Result struct {
	Position
	Best string // move
	search.Info
}

// Run searches all positions, calls each with every result, and returns the signature. It returns an error if a search was
// interrupted, because its node count would be meaningless.
func Run(ctx context.Context, each func(Result) error) (signature uint64, err error) {
	for _, p := range positions {
		r, err := p.search(ctx)
		if err == nil {
			err = each(r)
		}
		if err != nil {
			return 0, err
		}
		signature += r.Nodes
	}
	return signature, nil
}

func (b Position) search(ctx context.Context) (r Result, err error) {
	g, err := krow.Game(b.Game)
	if err != nil {
		return r, err
	}
	p := g.Start()
	if err := notation.Play(p, b.Moves); err != nil {
		return r, err
	}
	pl, err := krow.Player(g, b.Player, 1)
	if err != nil {
		return r, err
	}
	info, err := pl.(player.Analyst).Analyze(ctx, p, search.Limits{}, nil)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return r, err
	}
	return Result{b, g.Format(info.PV[0]), info}, nil
}
