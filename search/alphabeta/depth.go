// SPDX-License-Identifier: Apache-2.0

package alphabeta

import (
	"context"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/minimax"
)

// The adaptive depth is that of the greatest full tree of no more than adaptiveNodes leaves, of which
// alpha-beta visits a fraction; two plies may have more, so that a threat and its answer are seen on all but the
// largest boards.
const (
	adaptiveNodes    = 500_000
	adaptiveTwoPlies = 10_000_000
)

// adaptive returns the depth that p allows: 2 on an empty board of gomoku, the whole game of tic-tac-toe.
// The width of the tree is measured by going down its first moves; where these end a game, each level
// below is taken to be one move narrower.
//
// The text says only that the depth is set while playing so as not to compromise the game; counting nodes,
// and how many, is our reading. CITE: Li, Nguyen, Talasila and Zhang, Generalized Tic Tac Toe, section 4.
func adaptive(p game.Position) int {
	depth, leaves, width, played := 0, 1, 1, 0
	var moves []game.Move
	for ; depth < minimax.MaxDepth; depth++ {
		width--
		if p.Outcome() == game.Ongoing {
			moves = p.AppendMoves(moves[:0])
			width = len(moves)
			p.Play(moves[0])
			played++
		}
		leaves *= width
		if width == 0 || leaves > adaptiveTwoPlies || depth > 1 && leaves > adaptiveNodes {
			break
		}
	}
	for range played {
		p.Undo()
	}
	return max(depth, 1)
}

// depth returns how deep to search p.
func (t *tree) depth(ctx context.Context, p game.Position, lim search.Limits) int {
	_, timed := ctx.Deadline()
	d := t.Depth
	switch {
	case lim.Depth > 0:
		d = lim.Depth
	case t.AdaptiveDepth && d > 0:
		d = min(d, adaptive(p))
	case t.AdaptiveDepth:
		d = adaptive(p)
	case d > 0:
	case t.Deepening && (timed || lim.Time > 0 || lim.Nodes > 0):
		d = minimax.MaxDepth
	default:
		d = minimax.DefaultDepth
	}
	return min(d, minimax.MaxDepth)
}
