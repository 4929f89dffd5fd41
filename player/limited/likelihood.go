// SPDX-License-Identifier: Apache-2.0

package limited

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

const (
	// MostNodes is the maximum number of nodes that Strong searches.
	MostNodes = 20_000
	// slip is the assumed probability that the strong player, if it searches the same position again, chooses a different move.
	// This can happen because its table may contain results of other positions.
	slip = 0.05
)

// Strong returns the move of the strong player, which searches at most MostNodes nodes.
func (l *Player) Strong(ctx context.Context, p game.Position) (game.Move, error) {
	return l.of.Move(ctx, p, l.limits(search.Limits{Nodes: MostNodes}))
}

// Likelihood returns the probability that a player with the limits of l plays m in p. The result is always greater than 0.
// strong is the probability that the strong player chooses m.
func (l *Player) Likelihood(p game.Position, m game.Move, strong float64) float64 {
	eye := l.eyeLikelihood(p, m)
	return (1-l.o.Overlook)*((1-slip)*strong+slip*eye) + l.o.Overlook*eye
}

// eyeLikelihood returns the probability that the player plays m if it moves by the eye, which the comment on the package
// describes. The result is at least the constant least. The eye chooses the move with the greatest value. The logarithm of a
// move's value is normally distributed around the logarithm of its weight.
func (l *Player) eyeLikelihood(p game.Position, m game.Move) float64 {
	const least = 1e-4
	l.moves = game.AppendSound(l.moves[:0], p)
	at := slices.Index(l.moves, m)
	win := winning(p, l.moves)
	switch {
	case at < 0 || win != game.NoMove && win != m:
		return least
	case win == m:
		return 1
	}
	l.weights = weights(l.weights[:0], p, l.moves)
	own := l.weights[at]
	others := map[float64]float64{own: -1} // by weight: the number of the other moves that have this weight
	for _, w := range l.weights {
		others[w]++
	}
	distinct := slices.Sorted(maps.Keys(others)) // sorted, because the rounding of a sum depends on the order
	// z is the random error of the value of m, in standard deviations. The result is the integral, over the normal distribution
	// of z, of the probability that the values of all other moves are smaller.
	const step = 0.25
	sum := 0.0
	for z := -4.0; z <= 4; z += step {
		log := -z*z/2 - math.Log(2*math.Pi)/2
		for _, w := range distinct {
			log += others[w] * math.Log(0.5*math.Erfc(-(z+math.Log(own/w)/l.o.Noise)/math.Sqrt2))
		}
		sum += step * math.Exp(log)
	}
	return max(sum, least)
}
