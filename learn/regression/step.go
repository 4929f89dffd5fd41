// SPDX-License-Identifier: Apache-2.0

package regression

import (
	"context"
	"errors"
	"math"

	"github.com/krow-lab/krow/learn"
)

// Step plays the games of an iteration with the weights as they are and fits them to the results. The point of
// the curve holds the loss of a position before and after the fit, in nats, the share of games that were
// decided, their plies on average, the scaling constant, and all weights.
func (l *Learner) Step(ctx context.Context) (learn.Point, error) {
	if l.done >= l.o.Iterations {
		return learn.Point{}, errors.New("all iterations are done")
	}
	from, end := l.played(l.done), l.played(l.done+1)
	t, sum, err := l.play(ctx, from, end)
	if err != nil {
		return learn.Point{}, err
	}
	before, scale := l.scaled(t)
	after := t.fit(l.belief(before))
	l.w, l.done = l.averaged(l.normal(after[:len(l.w)])), l.done+1
	p := learn.Point{Step: l.done, Games: uint64(end), Values: map[string]float64{
		"loss-before": t.loss(before) / max(1, float64(t.rows())),
		"loss":        t.loss(after) / max(1, float64(t.rows())),
		"decided":     float64(sum.decided) / float64(sum.games),
		"plies":       float64(sum.plies) / float64(sum.games),
		"scale":       scale,
	}}
	for i, name := range l.m.names() {
		p.Values[name] = l.w[i]
	}
	return p, nil
}

// scaled returns the coefficients that the weights as they are stand for: times the scale that suits the results
// best, 0 or more, and after them that of the turn.
func (l *Learner) scaled(t *table) (b []float64, scale float64) {
	unit := greatest(l.w)
	small := &table{columns: 2, y: t.y}
	for i := range t.y {
		small.x = append(small.x, dot(l.w, t.row(i)[:len(l.w)])/unit, 1)
	}
	// A belief so weak that it only matters where nothing is known.
	c := small.fit(prior{mean: []float64{0, 0}, l2: []float64{weak, weak}, least: []float64{0, math.Inf(-1)}})
	scale = c[0] / unit
	for _, x := range l.w {
		b = append(b, scale*x)
	}
	return append(b, c[1]), scale
}

const weak = 1e-6

// belief returns what is believed of the coefficients before the fit.
func (l *Learner) belief(mean []float64) prior {
	p := prior{mean: mean}
	for range l.w {
		p.l2, p.least = append(p.l2, l.o.L2), append(p.least, l.m.least())
	}
	p.l2, p.least = append(p.l2, weak), append(p.least, math.Inf(-1))
	return p
}

// normal returns weights of the same proportions, the greatest as great as the greatest at the start: a search
// sees nothing but proportions. Where all are 0 the weights stay as they are.
func (l *Learner) normal(b []float64) []float64 {
	unit := greatest(b)
	if unit == 0 {
		return l.w
	}
	unit = greatest(l.m.start()) / unit
	w := make([]float64, len(b))
	for i, x := range b {
		w[i] = x * unit
	}
	return w
}

// averaged returns the average of the weights fitted so far, to which w comes as the latest, the n-th of them
// counting n times: what is fitted to so few games scatters, and the first games are the least like the last.
func (l *Learner) averaged(w []float64) []float64 {
	share := 2 / float64(l.done+2)
	next := make([]float64, len(w))
	for i, x := range w {
		next[i] = l.w[i] + share*(x-l.w[i])
	}
	return next
}

func greatest(w []float64) float64 {
	top := 0.0
	for _, x := range w {
		top = max(top, math.Abs(x))
	}
	return top
}
