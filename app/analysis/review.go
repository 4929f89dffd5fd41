// SPDX-License-Identifier: Apache-2.0

package analysis

import (
	"context"
	"slices"

	"github.com/krow-lab/krow/app/gamefile"
	"github.com/krow-lab/krow/game"
)

// Reviewed is the review of a whole game.
type Reviewed struct {
	Moves    []ReviewedMove
	Accuracy [2]float64    // see Accuracy
	Levels   []LevelPlayed // see LevelsPlayed
}

// ReviewedMove is a move of a reviewed game, with the judgement of the position before it.
type ReviewedMove struct {
	Side string `json:"side"`
	Move string `json:"move"`
	Judgement
}

// keyLoss is the smallest loss of a key move. The page uses the same value.
const keyLoss = 0.1

// Key returns the key moves: the moves that lowered the chance of their side to win by at least a tenth.
func (r Reviewed) Key() []ReviewedMove {
	return slices.DeleteFunc(slices.Clone(r.Moves), func(m ReviewedMove) bool { return m.Loss < keyLoss })
}

// ReviewGame reviews the game that led to p, except its first moves (opening is their number). ask is described at Review.
// Unless report is nil, ReviewGame calls it after each position with the numbers of judged and of all positions.
func ReviewGame(ctx context.Context, p game.Board, opening int, ask func(game.Board) (Info, error), report func(done, total int)) (r Reviewed, err error) {
	moves := p.AppendHistory(nil)
	all := make([]Judgement, len(moves)+1)
	err = Review(p, ask, func(j Judgement) error {
		all[j.Ply] = j
		if report != nil {
			report(len(all)-j.Ply, len(all))
		}
		return ctx.Err()
	})
	if err != nil {
		return r, err
	}
	p = gamefile.Start(p)
	var losses [2][]float64
	for i, m := range moves {
		if side := p.Turn(); i >= opening {
			losses[side] = append(losses[side], all[i].Loss)
			r.Moves = append(r.Moves, ReviewedMove{side.String(), p.Game().Format(m), all[i]})
		}
		p.Play(m)
	}
	r.Accuracy = [2]float64{Accuracy(losses[0]), Accuracy(losses[1])}
	r.Levels, err = LevelsPlayed(ctx, p, opening, LevelsTime)
	return r, err
}
