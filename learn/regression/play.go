// SPDX-License-Identifier: Apache-2.0

package regression

import (
	"context"
	"math/rand/v2"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/indicators"
	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/target"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/alphabeta"
)

// playGames plays the games i with from <= i < end. It returns the samples of all positions of these games, and the numbers of
// plies and of decided games.
func (l *Learner) playGames(ctx context.Context, from, end int) (*samples, tally, error) {
	games := make([]played, end-from)
	err := learn.Parallel(ctx, len(games), l.o.Jobs, func(ctx context.Context) (func(int) error, error) {
		w, err := l.newWorker()
		return func(n int) (err error) {
			games[n], err = w.game(ctx, uint64(from+n))
			return err
		}, err
	})
	if err != nil {
		return nil, tally{}, err
	}
	all, sum := &samples{columns: len(l.w) + 1}, tally{games: len(games)}
	for _, g := range games {
		all.x, all.y = append(all.x, g.x...), append(all.y, g.y...)
		sum.plies += len(g.moves)
		if g.decided {
			sum.decided++
		}
	}
	return all, sum, nil
}

type tally struct{ games, plies, decided int }

type played struct {
	x, y    []float64
	moves   []game.Move
	from    int // the ply after the last random move
	decided bool
}

type worker struct {
	l        *Learner
	searcher *alphabeta.Searcher
	reader   reader
}

func (l *Learner) newWorker() (*worker, error) {
	ev, err := l.m.Evaluator(l.w)
	if err != nil {
		return nil, err
	}
	// These options affect the speed of a search, but never its move.
	s, err := alphabeta.New(l.g, alphabeta.Options{
		Depth: l.o.Depth, Eval: ev, Terminal: alphabeta.Exact,
		Deepening: true, TT: 1 << 20, Killer: true, Refutation: true, History: true, PVS: true,
	})
	return &worker{l: l, searcher: s, reader: l.m.reader()}, err
}

// game plays the game with this number. The positions after the last random move become samples, with the result of the game as
// their label.
//
//	random plies | moves of the search, some random ones | moves of the search: positions are read | end
func (w *worker) game(ctx context.Context, number uint64) (g played, err error) {
	o := w.l.o
	dice := rand.New(rand.NewPCG(o.Seed, rng.Mix(o.Seed, number)))
	w.searcher.Clear()
	p := w.l.g.Start()
	var turns []game.Side // for each ply, the side that moved
	var views []game.Side // for each row of features, the side for which it was read
	for p.Outcome() == game.Ongoing {
		m := game.NoMove
		if p.Ply() < o.RandomPlies || dice.Float64() < o.Epsilon {
			m = game.Random(p, dice.IntN)
			// After a random move, the result of the game says little about the positions before this move. Therefore these
			// positions are dropped.
			g.x, views, g.from = g.x[:0], views[:0], p.Ply()+1
		} else if m, err = w.search(ctx, p); err != nil {
			return played{}, err
		}
		turns, g.moves = append(turns, p.Turn()), append(g.moves, m)
		p.Play(m)
		if p.Ply() < max(o.RandomPlies, o.Depth) || p.Outcome() != game.Ongoing {
			continue
		}
		// The search values positions Depth plies after its root, for the side to move at the root. So the features of this
		// position are read for the side that was to move Depth plies earlier.
		view := turns[len(turns)-o.Depth]
		views = append(views, view)
		n := len(g.x)
		g.x = append(g.x, make([]float64, len(w.l.w)+1)...)
		w.reader.read(g.x[n:len(g.x)-1], p, view)
		g.x[len(g.x)-1] = 1 // the constant feature: its weight is the advantage of having the move, the same at every leaf
	}
	winner, decided := p.Outcome().Winner()
	for _, v := range views {
		g.y = append(g.y, result(winner, decided, v))
	}
	g.decided = decided
	return g, nil
}

func result(winner game.Side, decided bool, s game.Side) float64 {
	switch {
	case !decided:
		return 0.5
	case winner == s:
		return 1
	}
	return 0
}

func (w *worker) search(ctx context.Context, p game.Position) (game.Move, error) {
	info, err := w.searcher.Search(ctx, p, search.Limits{}, nil)
	if err == nil {
		err = ctx.Err() // a stopped search returns a move without an error
	}
	if err != nil {
		return game.NoMove, err
	}
	return info.PV[0], nil
}

// model is a heuristic that is a weighted sum of features. Each parameter of the target is the weight of one feature. A
// model is immutable, and so safe for concurrent use.
type model struct {
	*target.Target
	least  float64       // the smallest valid weight
	reader func() reader // returns a reader of the features for one goroutine
}

// reader reads the features of a position into x. Their weighted sum is the heuristic's value of p for s. The game must not be
// over, and at least one move must have been played. read leaves p as it found it.
type reader interface {
	read(x []float64, p game.Position, s game.Side)
}

func newModel(g game.Game, depth int, threats threat.Reading) (model, error) {
	if u, ok := g.(*ultimate.Game); ok {
		t, err := target.Indicators(u, indicators.Options{})
		if err != nil {
			return model{}, err
		}
		s, err := indicators.New(u, indicators.Options{})
		return model{t, -indicators.MaxWeight, func() reader { return moveReader{s} }}, err
	}
	t, err := target.Generic(g, depth, threats)
	if err != nil {
		return model{}, err
	}
	k, err := generic.K(g)
	return model{t, 0, func() reader { return newThreatReader(k, threats) }}, err
}

func (m model) start() []float64 { return m.Values(make([]float64, len(m.Params))) }

// threatReader reads the features of the generic heuristic: for each kind of threat the number of own threats, then minus the
// numbers of the enemy's threats. There are no features for closed threats and rows of k.
type threatReader struct {
	kinds   []threat.Kind
	counter threat.Counter
}

func newThreatReader(k int, threats threat.Reading) *threatReader {
	r := &threatReader{counter: threat.Counter{Reading: threats}}
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

// moveReader reads the indicators of the last move as features. It negates them if s is not the side that made the move.
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
