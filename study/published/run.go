// SPDX-License-Identifier: Apache-2.0

package published

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/learn"
)

// Store keeps what has been computed, JSON by key. It is used from several goroutines at once, each with keys
// of its own.
type Store interface {
	// Get returns the value of a key, or nil if it has none.
	Get(key string) ([]byte, error)
	// Put makes value the key's, wholly or not at all.
	Put(key string, value []byte) error
}

// Learner is a learner of the generic heuristic's weights, such as that of package qlearning.
type Learner interface {
	learn.Learner
	Weights() generic.Weights
}

// Options say what to run and how.
type Options struct {
	Cells   []Cell // nil means all
	Jobs    int    // games at once; 0 means 1. The rows do not depend on it
	Variant Variant
	// Learner is the name under which the work of Learn is kept, and must tell its settings apart, and those
	// of the variant's Update.
	Learner string
	Learn   func(g game.Game) (Learner, error) // makes the learner for a game
	Store   Store
	// ReadOnly says that the store takes nothing: where a learner is not done, its error comes at once.
	ReadOnly bool
	// Progress, unless nil, is called after each row, by one goroutine at a time.
	Progress func(done, total int, r Row)
}

// Row is a cell with our game for it.
type Row struct {
	Cell   Cell
	Result Result
	// Explanation is that of a lost game, nil otherwise.
	Explanation *Explanation
}

// Agrees says whether our game ended as the published one.
func (r Row) Agrees() bool { return r.Result.Verdict == r.Cell.Published }

// runner is a run in progress.
type runner struct {
	Options
	rows   []Row // by cell
	mu     sync.Mutex
	done   int
	failed error // the first error
	stop   context.CancelFunc
}

// Run plays all cells that the store does not have, each game with weights learned for it by a learner of
// its own, and returns the rows in the order of the cells. Stopped at any moment and called again, it goes on:
// lost are at most the episodes and the games in progress.
func Run(ctx context.Context, o Options) ([]Row, error) {
	if o.Cells == nil {
		o.Cells = Cells()
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	r := &runner{Options: o, rows: make([]Row, len(o.Cells)), stop: stop}
	todo := make(chan []int)
	var workers sync.WaitGroup
	for range max(o.Jobs, 1) {
		workers.Go(func() {
			for group := range todo {
				r.fail(r.play(ctx, group))
			}
		})
	}
	for _, group := range groups(o.Cells) {
		todo <- group
	}
	close(todo)
	workers.Wait()
	if r.failed != nil {
		return nil, r.failed
	}
	return r.rows, nil
}

// fail ends the run at its first error.
func (r *runner) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil && r.failed == nil {
		r.failed = err
		r.stop()
	}
}

// groups returns the indices of the cells of each game, the dearest games first, so that none of them is left
// for the end.
func groups(cells []Cell) [][]int {
	byGame := map[string][]int{}
	for i, c := range cells {
		byGame[c.Game] = append(byGame[c.Game], i)
	}
	out := make([][]int, 0, len(byGame))
	for _, group := range byGame {
		out = append(out, group)
	}
	cost := func(group []int) int {
		if c := cells[group[0]]; c.Family != "connect4" {
			return c.Size * c.Size * c.K
		}
		return 0
	}
	slices.SortFunc(out, func(a, b []int) int {
		return cmp.Or(cmp.Compare(cost(b), cost(a)), cmp.Compare(a[0], b[0]))
	})
	return out
}

// play plays the cells of one game.
func (r *runner) play(ctx context.Context, group []int) error {
	w, err := r.weights(ctx, r.Cells[group[0]])
	if err != nil {
		return err
	}
	for _, i := range group {
		row, err := r.row(ctx, r.Cells[i], w)
		if err != nil {
			return err
		}
		r.finish(i, row)
	}
	return nil
}

// finish takes the row of a cell in.
func (r *runner) finish(i int, row Row) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rows[i] = row
	r.done++
	if r.Progress != nil {
		r.Progress(r.done, len(r.rows), row)
	}
}
