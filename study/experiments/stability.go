// SPDX-License-Identifier: Apache-2.0

package experiments

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/qlearning"
	"github.com/krow-lab/krow/study"
	"github.com/krow-lab/krow/study/report"
	"github.com/krow-lab/krow/threat"
)

// episodes is twice as many as the thesis plays.
const episodes = 10

// stability asks whether the learned parameters stand still after five episodes, as the thesis says.
func stability(ctx context.Context, s *study.Session) (*report.Document, error) {
	var games []string
	for _, c := range sized(s, 5) {
		if !slices.Contains(games, c.Game) {
			games = append(games, c.Game)
		}
	}
	s.Plan(len(games))
	t := report.Table{Name: "stability", Caption: "Parameters that an episode changed, rows of k apart.", Columns: []string{"game", "parameters"}}
	for n := range episodes {
		t.Columns = append(t.Columns, fmt.Sprint(n+1))
	}
	t.Columns = append(t.Columns, "last change", "never changed")
	still, all := 0, 0
	plot := report.Curves{Name: "stability", Caption: "Share of the parameters that an episode changed, in the mean over the boards.", X: "episode", Y: "changed"}
	mean := report.Series{Name: "all boards", X: make([]float64, episodes), Y: make([]float64, episodes)}
	for _, game := range games {
		l, err := s.Learn(ctx, game, fmt.Sprintf("qlearning:episodes=%d", episodes), seed)
		if err != nil {
			return nil, err
		}
		s.Did(game, 1, true)
		changed, never, of, err := changes(game, l.Curve)
		if err != nil {
			return nil, err
		}
		row, last := []any{game, of}, 0
		for n, x := range changed {
			row = append(row, x)
			mean.X[n] = float64(n + 1)
			mean.Y[n] += float64(x) / float64(of*len(games))
			if x > 0 {
				last = n + 1
			}
		}
		if last <= 5 {
			still++
		}
		if never == 0 {
			all++
		}
		t.Add(append(row, last, never)...)
	}
	plot.Series = []report.Series{mean}
	return &report.Document{Title: "Do the parameters stand still after five episodes?", Blocks: []report.Block{
		report.Text("\"À partir de ce niveau, les paramètres semblent ne plus changer et chacun d'eux semble avoir été mis à jour au moins une fois\": the " +
			"published Q-learning, as the texts write it, for twice as many episodes on each board of the tables."),
		again(s, "stability"),
		report.Text(fmt.Sprintf("*On %d of %d boards no parameter changes after the fifth episode; on %d each one was changed at least once.*", still, len(games), all)),
		t, plot,
	}}, nil
}

// changes returns how many parameters each episode changed, how many none did, and how many there are, rows of k apart. The
// first episode is compared with the fixed parameters.
func changes(game string, curve []learn.Point) (changed []int, never, all int, err error) {
	g, err := catalog.Game(game)
	if err != nil {
		return nil, 0, 0, err
	}
	k, err := generic.K(g)
	if err != nil {
		return nil, 0, 0, err
	}
	before := qlearning.Values(generic.Fixed(k))
	maps.DeleteFunc(before, func(name string, _ float64) bool { return strings.Contains(name, threat.Complete.String()) })
	moved := map[string]bool{}
	for _, p := range curve {
		n := 0
		for _, name := range slices.Sorted(maps.Keys(before)) {
			if x := p.Values[name]; math.Abs(x-before[name]) > 1e-12*math.Abs(before[name]) {
				n, moved[name], before[name] = n+1, true, x
			}
		}
		changed = append(changed, n)
	}
	return changed, len(before) - len(moved), len(before), nil
}
