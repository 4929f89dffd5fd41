// SPDX-License-Identifier: Apache-2.0

package published

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/research"
)

// Learner is a learner of the generic heuristic's weights, for example qlearning.Learner.
type Learner interface {
	learn.Learner
	Weights() generic.Weights
}

// Options are the settings of Run.
type Options struct {
	Cells   []Cell
	Variant Variant
	// Learner is the name of the learner in the keys of the store. Learners with different settings must have different names,
	// and so must learners that play with different functions Variant.Update.
	Learner string
	Learn   func(g game.Game) (Learner, error) // makes the learner for a game
}

// Row is a cell with the game that Run played for it.
type Row struct {
	Cell        Cell
	Result      Result
	Explanation *Explanation // explanation of a lost game, otherwise nil
}

// Agrees reports whether the game ended with the published result.
func (r Row) Agrees() bool { return r.Result.Verdict == r.Cell.Published }

// runner is a run in progress. The results of a run are pieces in the store ([research.Piece]). Cells with the same game, such
// as the cells of tables 4.13 and 4.1, share their pieces. The keys of the pieces are:
//
//	published/1/LEARNER/state/GAME                                 the learner's state after each episode
//	published/1/LEARNER/VARIANT/GAME/PLAYER/OPPONENT/first|second  a value of type played
//	time published/1/...the same...                                []Sample, the only piece with times
//
// The 1 is the version of the format.
type runner struct {
	Options
	s *research.Session
}

// played is the stored result of a cell.
type played struct {
	Result      Result       `json:"result"`
	Explanation *Explanation `json:"explanation,omitempty"`
}

func (r *runner) key(parts ...string) string {
	return "published/1/" + r.Learner + "/" + strings.Join(parts, "/")
}

func (r *runner) rowKey(c Cell) string {
	return r.key(r.Variant.of(c).String(), c.Game, c.Player, c.Opponent, c.seat().String())
}

// Run plays the cells that are missing from the store, and returns the rows in the order of the cells. The weights for a game are
// learned by a new learner. An interrupted run can be resumed: at most the episodes and games in progress are lost.
func Run(ctx context.Context, s *research.Session, o Options) ([]Row, error) {
	r, rows, groups := &runner{o, s}, make([]Row, len(o.Cells)), groups(o.Cells)
	var one sync.Mutex
	err := learn.Parallel(ctx, len(groups), max(s.Jobs, 1), func(ctx context.Context) (func(int) error, error) {
		return func(n int) error {
			w, err := r.weights(ctx, o.Cells[groups[n][0]])
			for _, i := range groups[n] {
				if err == nil {
					rows[i], err = r.row(ctx, o.Cells[i], w)
				}
				if err != nil {
					return err
				}
				one.Lock()
				s.Did("table "+o.Cells[i].Table+", "+o.Cells[i].Game, 1, true)
				one.Unlock()
			}
			return nil
		}, nil
	})
	if err != nil {
		return nil, err
	}
	return rows, nil
}

// groups groups the indices of cells with the same game. The most expensive games come first, so that none of them runs alone at
// the end.
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

// weights returns the weights learned for the game of c. It learns the remaining episodes first.
func (r *runner) weights(ctx context.Context, c Cell) (none generic.Weights, err error) {
	g, err := c.game()
	if err != nil {
		return none, err
	}
	l, err := r.Learn(g)
	if err != nil {
		return none, fmt.Errorf("%s: %w", c.Game, err)
	}
	if err := r.s.Resume(ctx, r.key("state", c.Game), l, nil); err != nil {
		return none, err
	}
	return l.Weights(), nil
}

// row returns the row of c from the store. If it is missing there, row plays the game, and explains the game if it is lost.
func (r *runner) row(ctx context.Context, c Cell, w generic.Weights) (Row, error) {
	kept, err := research.Piece(r.s, r.rowKey(c), func() (played, error) {
		result, err := playCell(ctx, c, w, r.Variant)
		if err != nil || result.Verdict != Loss {
			return played{Result: result}, err
		}
		why, err := explain(ctx, c, result, w, r.Variant)
		return played{result, &why}, err
	})
	if err != nil {
		err = fmt.Errorf("table %s, %s: %w", c.Table, c.Game, err)
	}
	return Row{c, kept.Result, kept.Explanation}, err
}
