// SPDX-License-Identifier: Apache-2.0

package regression

import (
	"fmt"
	"math"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/indicators"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/threat"
)

// model is a heuristic that is a weighted sum of features. It is never written, and so safe for concurrent use.
type model interface {
	// names returns what the features are called in the learning curve.
	names() []string
	// start returns the weights to begin with.
	start() []float64
	// least returns the least weight that there may be.
	least() float64
	// evaluator returns the heuristic with these weights.
	evaluator(w []float64) (eval.Evaluator, error)
	// reader returns what reads the features, for one goroutine.
	reader() reader
	// save writes a file that the heuristic can load.
	save(name string, w []float64, o weights.Origin) error
}

// reader reads a position: the heuristic's opinion of p for s is the weighted sum of what it writes to x. It
// leaves p, which has a past and is Ongoing, as it found it.
type reader interface {
	read(x []float64, p game.Position, s game.Side)
}

// newModel returns the model of a game, or an error in one line.
func newModel(g game.Game) (model, error) {
	if u, ok := g.(*ultimate.Game); ok {
		return newMoves(u)
	}
	k, err := generic.K(g)
	if err != nil {
		return nil, err
	}
	return newThreats(g, k), nil
}

// threats is the generic heuristic. Its features are the numbers of the own threats by kind, then minus those of
// the enemy's. Closed threats and rows of k are no features.
type threats struct {
	g     game.Game
	fixed generic.Weights
	kinds []threat.Kind
}

func newThreats(g game.Game, k int) *threats {
	t := &threats{g: g, fixed: generic.Fixed(k)}
	for kind := range threat.Kind(threat.Kinds(k)) {
		if c := kind.Class(k); c != threat.Closed && c != threat.Complete {
			t.kinds = append(t.kinds, kind)
		}
	}
	return t
}

func (t *threats) names() (all []string) {
	for _, side := range [...]string{"own", "enemy"} {
		for _, kind := range t.kinds {
			all = append(all, fmt.Sprintf("%s-%s-%d", side, kind.Class(t.fixed.K), kind.Size()))
		}
	}
	return all
}

func (t *threats) start() (w []float64) {
	for _, v := range []generic.Vector{t.fixed.Own, t.fixed.Enemy} {
		for _, kind := range t.kinds {
			w = append(w, v[kind])
		}
	}
	return w
}

func (t *threats) least() float64 { return 0 }

// weights returns the weights as the heuristic wants them.
func (t *threats) weights(w []float64) generic.Weights {
	all := generic.Fixed(t.fixed.K) // for its rows of k
	for i, kind := range t.kinds {
		all.Own[kind], all.Enemy[kind] = w[i], w[len(t.kinds)+i]
	}
	return all
}

func (t *threats) evaluator(w []float64) (eval.Evaluator, error) {
	return generic.New(t.g, t.weights(w))
}

func (t *threats) save(name string, w []float64, o weights.Origin) error {
	return t.weights(w).Save(name, o)
}

func (t *threats) reader() reader { return &threatReader{kinds: t.kinds} }

type threatReader struct {
	kinds   []threat.Kind
	counter threat.Counter
}

func (r *threatReader) read(x []float64, p game.Position, s game.Side) {
	r.counter.Reset(p.(game.Lined))
	counts := r.counter.Counts()
	for i, kind := range r.kinds {
		x[i] = float64(counts[s][kind])
		x[len(r.kinds)+i] = -float64(counts[s.Other()][kind])
	}
}

// moves is the indicators of ultimate tic-tac-toe. Its features are those of the last move, with a minus for the
// side that did not make it.
type moves struct {
	g      *ultimate.Game
	scorer *indicators.Scorer
	which  []indicators.Indicator // the ten of the text, but for a won game
}

func newMoves(g *ultimate.Game) (*moves, error) {
	s, err := indicators.New(g, indicators.Options{})
	if err != nil {
		return nil, err
	}
	m := &moves{g: g, scorer: s}
	for i := range indicators.Indicator(indicators.Count) {
		if i != indicators.Win && i != indicators.Block && i != indicators.Either {
			m.which = append(m.which, i)
		}
	}
	return m, nil
}

func (m *moves) names() (all []string) {
	for _, i := range m.which {
		all = append(all, i.String())
	}
	return all
}

func (m *moves) start() (w []float64) {
	for _, i := range m.which {
		w = append(w, indicators.Default()[i])
	}
	return w
}

func (m *moves) least() float64 { return -indicators.MaxWeight }

func (m *moves) weights(w []float64) indicators.Weights {
	var all indicators.Weights
	all[indicators.Win] = math.Inf(1)
	for i, x := range w {
		all[m.which[i]] = x
	}
	return all
}

func (m *moves) evaluator(w []float64) (eval.Evaluator, error) {
	return indicators.New(m.g, indicators.Options{Weights: m.weights(w)})
}

func (m *moves) save(name string, w []float64, o weights.Origin) error {
	return m.weights(w).Save(name, o)
}

func (m *moves) reader() reader { return m }

func (m *moves) read(x []float64, p game.Position, s game.Side) {
	q := p.(*ultimate.Position)
	last := game.Move(q.Last())
	q.Undo()
	v, sign := m.scorer.Indicators(q, last), 1.0
	if q.Turn() != s {
		sign = -1
	}
	q.Play(last)
	for i, which := range m.which {
		x[i] = sign * float64(v[which])
	}
}
