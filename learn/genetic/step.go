// SPDX-License-Identifier: Apache-2.0

package genetic

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/krow-lab/krow/learn"
)

// Step breeds the next generation and lets it play. The point of the curve holds the share of the games that
// the best player won, the worst one, and all on average; of a target also the best player's parameters.
func (l *Learner) Step(ctx context.Context) (learn.Point, error) {
	if l.done >= l.o.Generations {
		return learn.Point{}, errors.New("all generations have played")
	}
	rng := l.rng // a copy, until the step has come to its end
	colony := l.breed(rand.New(&rng))
	if err := l.f.play(ctx, l.done, colony); err != nil {
		return learn.Point{}, err
	}
	slices.SortStableFunc(colony, func(a, b member) int { return cmp.Compare(b.Score, a.Score) })
	l.rng, l.colony, l.done = rng, colony, l.done+1
	return l.point(), nil
}

// breed returns the next generation: the first one drawn, any other made of the best half of the last.
func (l *Learner) breed(r *rand.Rand) []member {
	colony := make([]member, l.o.Players)
	if l.done == 0 {
		for i := range colony {
			genes := make([]float64, l.f.genes())
			for j := range genes {
				genes[j] = around(r, l.o.RandomRange)
			}
			l.f.clamp(genes)
			colony[i].Genes = genes
		}
		return colony
	}
	half := len(colony) / 2
	kept := len(colony) - half
	for i, m := range l.colony[:kept] {
		colony[i] = member{Genes: m.Genes, Survived: m.Survived + 1}
	}
	for i, m := range l.colony[:half] {
		colony[kept+i].Genes = l.mutated(r, m.Genes)
	}
	return colony
}

// mutated returns a mutated copy.
func (l *Learner) mutated(r *rand.Rand, genes []float64) []float64 {
	genes = slices.Clone(genes)
	for j := range genes {
		genes[j] += around(r, l.o.MutRange)
	}
	l.f.clamp(genes)
	return genes
}

func (l *Learner) point() learn.Point {
	games := float64(l.o.Games)
	sum := 0.0
	for _, m := range l.colony {
		sum += m.Score
	}
	return learn.Point{
		Step:  l.done,
		Games: uint64(l.done) * uint64(l.o.Players) * uint64(l.o.Games),
		Values: l.f.curve(l.colony[0].Genes, map[string]float64{
			"best":  l.colony[0].Score / games,
			"worst": l.colony[len(l.colony)-1].Score / games,
			"mean":  sum / games / float64(len(l.colony)),
		}),
	}
}
