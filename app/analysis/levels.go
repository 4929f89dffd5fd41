// SPDX-License-Identifier: Apache-2.0

package analysis

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/gamefile"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/limited"
)

// LevelPlayed is the level at which a side played a game, as estimated from its moves.
type LevelPlayed struct {
	Side  string  `json:"side" enum:"first,second"`
	Level int     `json:"level" doc:"level of the ladder, from 1 for beginners"`
	Share float64 `json:"share" doc:"probability of this level, assuming that the side played at one of the levels"`
}

// A side needs at least fewMoves moves for an estimate. At most its first mostMoves moves are used.
const fewMoves, mostMoves = 5, 30

// decisive is the ratio of two probabilities from which the evidence for a hypothesis is called decisive.
//
// CITE: Jeffreys, Theory of Probability, 3rd edition, 1961, appendix B.
const decisive = 100

// LevelsTime is the usual time limit of an estimate.
const LevelsTime = 20 * time.Second

// LevelsPlayed estimates at which level of the ladder each side played the game that led to p. It ignores the opening, which
// is the given number of moves at the start of the game. It regards all levels as equally probable before the game, and
// returns the level that is most probable after it. A side is left out if it has fewer than five moves, or if a player who moves
// at random would be a hundred times as probable as the best level, which is decisive evidence. The player of each level
// searches the position before each move; the players of the strongest levels search at most limited.MostNodes nodes. If the
// estimate takes longer than the time limit (most), as on the largest boards, LevelsPlayed returns no estimate.
func LevelsPlayed(parent context.Context, p game.Board, opening int, most time.Duration) (all []LevelPlayed, err error) {
	ctx, cancel := context.WithTimeout(parent, most)
	defer cancel()
	all = []LevelPlayed{}
	start, moves := gamefile.Start(p), p.AppendHistory(nil)
	for _, side := range []game.Side{game.First, game.Second} {
		best, sum := LevelPlayed{Side: side.String()}, 0.0
		highest, random, n := math.Inf(-1), 0.0, 0
		for _, s := range krow.Ladders() {
			if s.Game != krow.LadderOf(p.Game()) {
				continue
			}
			var log float64
			if log, random, n, err = likelihood(ctx, s.Measured(), start.Clone(), moves, side, opening); err != nil {
				if parent.Err() == nil && ctx.Err() != nil {
					return []LevelPlayed{}, nil
				}
				return nil, err
			}
			if log > highest {
				sum *= math.Exp(highest - log)
				highest, best.Level = log, s.Level
			}
			sum += math.Exp(log - highest)
		}
		if n >= fewMoves && best.Level > 0 && random-highest < math.Log(decisive) {
			best.Share = 1 / sum
			all = append(all, best)
		}
	}
	return all, nil
}

// likelihood returns the logarithm of the probability that a level would have played the moves of a side, the same for a player
// who moves at random, and the number of these moves.
func likelihood(ctx context.Context, level string, p game.Position, moves []game.Move, side game.Side, opening int) (log, random float64, n int, err error) {
	var all [8]*limited.Player // players of the same level with different random numbers
	defer func() {
		for _, l := range all {
			if l != nil {
				player.Close(l)
			}
		}
	}()
	strong := func(i int) (game.Move, error) {
		if all[i] == nil {
			pl, err := krow.Player(p.Game(), level, uint64(i))
			if err != nil {
				return game.NoMove, err
			}
			all[i] = pl.(*limited.Player)
		}
		return all[i].Strong(ctx, p)
	}
	// chance returns the probability of the moves of list, one after the other, and the number of such lists of moves.
	chance := func(list ...game.Move) (share, choices float64, err error) {
		share, choices = 1, 1
		for i, m := range list {
			if p.Outcome() != game.Ongoing {
				list, share = list[:i], 0
				break
			}
			often, fail := frequency(len(all), strong, p, m)
			if err = cmp.Or(fail, ctx.Err()); err != nil { // a cancelled search also returns an answer
				return 0, 0, err
			}
			share *= all[0].Likelihood(p, m, often)
			choices *= float64(len(p.AppendMoves(nil)))
			p.Play(m)
		}
		for range list {
			p.Undo()
		}
		return share, choices, nil
	}
	for i := 0; i < len(moves); {
		turn := moves[i : i+1]
		if p.Turn() == side && i >= opening && n < mostMoves {
			if p.Play(moves[i]); p.Turn() == side && i+1 < len(moves) {
				turn = moves[i : i+2]
			}
			p.Undo()
			// The two stones of a turn count in either order. They are sorted, because the players remember earlier searches.
			stones := slices.Sorted(slices.Values(turn))
			share, choices, err := chance(stones...)
			if err == nil && len(stones) == 2 {
				var other float64
				other, _, err = chance(stones[1], stones[0])
				share, choices = share+other, choices/2
			}
			if err != nil {
				return 0, 0, 0, err
			}
			log += math.Log(share)
			random -= math.Log(choices)
			n += len(turn)
		}
		i += len(turn)
		for _, m := range turn {
			p.Play(m)
		}
	}
	return log, random, n, nil
}

// frequency estimates the probability that a player chooses the move m in p. Each call of strong returns one choice of the
// player. frequency makes n calls, or only three if the first three choices are the same move. To the number of choices of
// each legal move it adds an equal share of half a choice, so that no move has the probability 0.
func frequency(n int, strong func(i int) (game.Move, error), p game.Position, m game.Move) (float64, error) {
	times := 0.5 / float64(len(p.AppendMoves(nil)))
	var chosen []game.Move
	for i := range n {
		best, err := strong(i)
		if err != nil {
			return 0, err
		}
		if best == m {
			times++
		}
		if chosen = append(chosen, best); i == 2 && best == chosen[0] && best == chosen[1] {
			return times / 3.5, nil
		}
	}
	return times / (float64(n) + 0.5), nil
}
