// SPDX-License-Identifier: Apache-2.0

package regression

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/alphabeta"
)

// play plays the games from, from+1, ..., end-1, several at once, and returns the table of all their positions
// and how many plies and decided games there were.
func (l *Learner) play(ctx context.Context, from, end int) (*table, tally, error) {
	games := make([]played, end-from)
	var next atomic.Int64
	var wg sync.WaitGroup
	errs := make([]error, min(l.o.Jobs, len(games)))
	for i := range errs {
		wg.Go(func() {
			w, err := l.newWorker()
			for n := int(next.Add(1)) - 1; err == nil && n < len(games); n = int(next.Add(1)) - 1 {
				games[n], err = w.game(ctx, uint64(from+n))
			}
			errs[i] = err
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, tally{}, err
		}
	}
	t, sum := &table{columns: len(l.w) + 1}, tally{games: len(games)}
	for _, g := range games {
		t.x, t.y = append(t.x, g.x...), append(t.y, g.y...)
		sum.plies += len(g.moves)
		if g.decided {
			sum.decided++
		}
	}
	return t, sum, nil
}

type tally struct{ games, plies, decided int }

// played is a game: the rows it gives to the table.
type played struct {
	x, y    []float64
	moves   []game.Move
	from    int // the ply after the last random move
	decided bool
}

// worker plays one game after the other.
type worker struct {
	l        *Learner
	searcher *alphabeta.Searcher
	reader   reader
	moves    []game.Move
}

func (l *Learner) newWorker() (*worker, error) {
	ev, err := l.m.evaluator(l.w)
	if err != nil {
		return nil, err
	}
	// The switches change how long a search takes, never the move it finds.
	s, err := alphabeta.New(l.g, alphabeta.Options{
		Depth: l.o.Depth, Eval: ev, Terminal: alphabeta.Exact,
		Deepening: true, TT: 1 << 20, Killer: true, Refutation: true, History: true, PVS: true,
	})
	return &worker{l: l, searcher: s, reader: l.m.reader()}, err
}

// game plays a game with the random numbers of its own.
//
//	random plies | play, now and then a random move | from the last one on positions are read | the end, which
//	                                                                                          decides their worth
func (w *worker) game(ctx context.Context, number uint64) (g played, err error) {
	o := w.l.o
	dice := rand.New(rand.NewPCG(o.Seed, rng.Mix(o.Seed, number)))
	w.searcher.Clear()
	p := w.l.g.Start()
	var turns []game.Side // who moved, ply by ply
	var views []game.Side // of the rows
	for p.Outcome() == game.Ongoing {
		m := game.NoMove
		if p.Ply() < o.RandomPlies || dice.Float64() < o.Epsilon {
			m = w.draw(p, dice)
			// What comes of a position is no longer its own.
			g.x, views, g.from = g.x[:0], views[:0], p.Ply()+1
		} else if m, err = w.search(ctx, p); err != nil {
			return played{}, err
		}
		turns, g.moves = append(turns, p.Turn()), append(g.moves, m)
		p.Play(m)
		if p.Ply() < max(o.RandomPlies, o.Depth) || p.Outcome() != game.Ongoing {
			continue
		}
		// A search that ends here began Depth plies ago: that side is the one to whom the leaf is valued.
		view := turns[len(turns)-o.Depth]
		views = append(views, view)
		n := len(g.x)
		g.x = append(g.x, make([]float64, len(w.l.w)+1)...)
		w.reader.read(g.x[n:len(g.x)-1], p, view)
		g.x[len(g.x)-1] = 1 // whose turn it is, the same at every leaf
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

// draw returns a random move that no rule forbids.
func (w *worker) draw(p game.Position, rng *rand.Rand) game.Move {
	w.moves = game.AppendSound(w.moves[:0], p)
	return w.moves[rng.IntN(len(w.moves))]
}

// search returns the move of alpha-beta.
func (w *worker) search(ctx context.Context, p game.Position) (game.Move, error) {
	info, err := w.searcher.Search(ctx, p, search.Limits{}, nil)
	if err == nil {
		err = ctx.Err() // a search that was stopped has an answer all the same
	}
	if err != nil {
		return game.NoMove, err
	}
	return info.PV[0], nil
}
