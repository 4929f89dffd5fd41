// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation/binpack"
)

// Scale is the score with which a side is expected to win e = 2.718 times as many games as it loses. The scores of this
// package have the same unit as the scores of package engine/gomoku.
const Scale = 200

// Win is the score of a position that is already won. A position with a proved win in n plies has the score Win-n, and a proved
// loss in n plies the score n-Win. The absolute value of any other score is at most maxScore.
const (
	Win      = 30000
	maxScore = 20000
)

// Chance converts a score to a chance to win.
func Chance(score int) float64 {
	switch {
	case score > maxScore:
		return 1
	case score < -maxScore:
		return 0
	}
	return 1 / (1 + math.Exp(-float64(score)/Scale))
}

// Label contains the data about a position in a file of games.
type Label struct {
	Score  int       // the search's score for the side to move
	Best   game.Move // the engine's choice; game.NoMove for a position that was searched but is not part of the game
	Final  bool      // whether Result is known, because no stray move was played in the game after this position
	Result float64   // for the side to move: 1 won, 0.5 drawn, 0 lost
	Shown  float64   // the winning chance from the search and the rest of the game together: see shown
}

// shown returns the value of Label.Shown for each position of a game. A stray move is a move that the engine did not choose.
// The value of a position depends on the game only up to the next stray move:
//
//	shown = (1-lambda) * winning chance by the search + lambda * (1 - shown of the next position)
//
// If the result of a position is proved, its value is this result.
//
// CITE: Sutton, Learning to Predict by the Methods of Temporal Differences, 1988.
func shown(b *binpack.Game, lambda float64) []float64 {
	all := make([]float64, len(b.Plies))
	next := float64(b.Result) / 2
	if len(b.Plies)%2 == 1 {
		next = 1 - next
	}
	for i, ply := range slices.Backward(b.Plies) {
		score := chosen(ply)
		if all[i] = Chance(score); ply[0].Scored && max(score, -score) <= maxScore {
			all[i] += lambda * (1 - next - all[i])
		}
		next = all[i]
	}
	return all
}

// chosen returns the score of the position before a ply.
func chosen(ply []binpack.Move) int {
	for _, m := range ply {
		if m.Scored {
			return int(m.Score)
		}
	}
	return 0 // a ply without a score is possible only in a damaged file
}

// The later positions of a game correct the winning chance that the search of a position found. besideShare is the share of
// this correction that also applies to the position after a move that was searched but not played.
const besideShare = 0.7

// beside returns the value of Label.Shown for a position after a move that was searched but not played. score is the search's
// score of this position. correction is the amount by which the later game corrected the winning chance of the position before
// the move.
func beside(score int, correction float64) float64 {
	if max(score, -score) > maxScore {
		return Chance(score)
	}
	return min(max(Chance(score)-besideShare*correction, 0), 1)
}

// Each replays a game and calls f for each position that was searched. f must leave the position as it found it. Each returns an
// error for a game that breaks the rules of g.
func Each(g game.Game, b *binpack.Game, lambda float64, f func(p game.Position, l Label)) error {
	if rule, side, ok := ruleOf(g); !ok || b.Rule != rule || b.Side != side {
		return fmt.Errorf("the game must be one of %s", g)
	}
	p := g.Start()
	play := func(cell int) error { return game.Play(p, game.Move(cell)) }
	for _, c := range b.Opening {
		if err := play(c); err != nil {
			return err
		}
	}
	stray := -1 // the last ply at which a stray move was played, or -1
	for i, ply := range b.Plies {
		if !ply[0].Scored {
			stray = i
		}
	}
	all := shown(b, lambda)
	for i, ply := range b.Plies {
		result := float64(b.Result) / 2
		if i%2 == 1 {
			result = 1 - result
		}
		best := false
		for _, m := range ply {
			switch {
			case m.Scored && !best:
				best = true
				f(p, Label{int(m.Score), game.Move(m.Cell), i > stray, result, all[i]})
			case m.Scored:
				if err := play(m.Cell); err != nil {
					return err
				}
				f(p, Label{Score: -int(m.Score), Best: game.NoMove, Shown: beside(-int(m.Score), all[i]-Chance(chosen(ply)))})
				p.Undo()
			}
		}
		if err := play(ply[0].Cell); err != nil {
			return err
		}
	}
	return nil
}

// ruleOf returns the rule and the side length of the board of a game. ok is false if package binpack does not support the game.
func ruleOf(g game.Game) (rule binpack.Rule, side int, ok bool) {
	name, size, sized := strings.Cut(g.String(), ":")
	rule, ok = binpack.RuleOf(name)
	side = 15
	if sized {
		n, err := strconv.Atoi(size)
		side, ok = n, ok && err == nil
	}
	return rule, side, ok && side*side == g.Moves()
}
