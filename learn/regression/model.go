// SPDX-License-Identifier: Apache-2.0

package regression

import (
	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/indicators"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/learn/target"
	"github.com/krow-lab/krow/threat"
)

// model is a heuristic that is a weighted sum of features: one feature for each parameter of the target. It is
// immutable, and so safe for concurrent use.
type model struct {
	*target.Target
	least  float64       // the least weight that is allowed
	reader func() reader // returns what reads the features, for one goroutine
}

// reader reads the features of a position into x: their weighted sum is the heuristic's value of p for s. p is Ongoing
// and has at least one move behind it. read leaves p as it found it.
type reader interface {
	read(x []float64, p game.Position, s game.Side)
}

func newModel(g game.Game, depth int) (model, error) {
	if u, ok := g.(*ultimate.Game); ok {
		t, err := target.Indicators(u, indicators.Options{})
		if err != nil {
			return model{}, err
		}
		s, err := indicators.New(u, indicators.Options{})
		return model{t, -indicators.MaxWeight, func() reader { return moveReader{s} }}, err
	}
	t, err := target.Generic(g, depth)
	if err != nil {
		return model{}, err
	}
	k, err := generic.K(g)
	return model{t, 0, func() reader { return newThreatReader(k) }}, err
}

func (m model) start() []float64 { return m.Values(make([]float64, len(m.Params))) }

// threatReader reads the features of the generic heuristic: the numbers of the own threats by kind, then minus those
// of the enemy's. Closed threats and rows of k are no features.
type threatReader struct {
	kinds   []threat.Kind
	counter threat.Counter
}

func newThreatReader(k int) *threatReader {
	r := &threatReader{}
	for kind := range threat.Kind(threat.Kinds(k)) {
		if c := kind.Class(k); c == threat.HalfOpen || c == threat.Open {
			r.kinds = append(r.kinds, kind)
		}
	}
	return r
}

func (r *threatReader) read(x []float64, p game.Position, s game.Side) {
	r.counter.Reset(p.(game.Lined))
	counts := r.counter.Counts()
	for i, kind := range r.kinds {
		x[i] = float64(counts[s][kind])
		x[len(r.kinds)+i] = -float64(counts[s.Other()][kind])
	}
}

// moveReader reads the indicators of the last move, negated for the side that did not make it.
type moveReader struct{ scorer *indicators.Scorer }

func (r moveReader) read(x []float64, p game.Position, s game.Side) {
	q := p.(*ultimate.Position)
	last := game.Move(q.Last())
	q.Undo()
	v, sign := r.scorer.Indicators(q, last), 1.0
	if q.Turn() != s {
		sign = -1
	}
	q.Play(last)
	for i, indicator := range (indicators.Options{}).Learned() {
		x[i] = sign * float64(v[indicator])
	}
}
