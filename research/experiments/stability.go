// SPDX-License-Identifier: Apache-2.0

package experiments

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/arena/stats"
	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/qlearning"
	"github.com/krow-lab/krow/research"
	"github.com/krow-lab/krow/research/report"
)

// episodes is the number of learning episodes, twice as many as in the thesis.
const episodes = 10

// stability examines whether the learned parameters stop changing after five episodes, as the thesis says.
func stability(ctx context.Context, s *research.Session) (*report.Document, error) {
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
	plot := report.Curves{Caption: "Share of the parameters that an episode changed, in the mean over the boards.", X: "episode", Y: "changed"}
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

// changes returns the number of parameters that each episode changed, the number of parameters that were never changed, and the
// number of all parameters. It does not count the parameters of k in a row. Before the first episode the parameters have their
// fixed values.
func changes(game string, curve []learn.CurvePoint) (changed []int, never, all int, err error) {
	g, err := krow.Game(game)
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

// The results against a random player in the report of 2018, as shares of games won.
const (
	publishedHeuristic = 0.905 // 181 of 200 games won
	publishedMinimax   = 0.935 // 187 of 200 games won
)

// ultimate2018 breeds the weights of the indicators, and plays the matches of the report's tables, and matches with more games.
func ultimate2018(ctx context.Context, s *research.Session) (*report.Document, error) {
	learner := "genetic"
	if s.Quick {
		learner = "genetic:generations=5,games=20"
	}
	bred, err := s.Learn(ctx, "ultimate", learner, seed)
	if err != nil {
		return nil, err
	}
	weights := func(more string) string { return "eval=indicators(weights=" + bred.File + more + ")" }
	random := research.Named("random")
	greedy := research.Contender{Name: "heuristic, bred by " + learner, Spec: "greedy:" + weights("")}
	fixed := research.Contender{Name: "heuristic, weights of the text", Spec: "greedy:eval=indicators(weights=hand)"}
	minimax := research.Contender{Name: "minimax, bred by " + learner, Spec: "minimax:depth=4," + weights(",path=off")}
	path := research.Contender{Name: "minimax along the path, bred by " + learner, Spec: "minimax:depth=4," + weights(",path=on")}

	var matches []research.Match
	for _, n := range []int{100, 200, s.Pick(300, 2000)} {
		for _, a := range []research.Contender{random, greedy, minimax, path} {
			// each number of games has its own seed, so that matches share no games
			matches = append(matches, research.Match{Game: "ultimate", A: a, B: random, Games: n, Seed: seed + uint64(n)})
		}
	}
	matches = append(matches, research.Match{Game: "ultimate", A: fixed, B: random, Games: s.Pick(200, 2000), Seed: seed})
	tables := len(matches)
	between := research.Match{Game: "ultimate", Games: s.Pick(40, 400), Seed: seed, Plies: 2}
	matches = append(matches, pairs([]research.Contender{greedy, minimax, path}, between)...)
	played, err := playAll(ctx, s, matches)
	if err != nil {
		return nil, err
	}
	return &report.Document{Title: "The Ultimate Tic-Tac-Toe players of 2018, bred and played again", Blocks: []report.Block{
		report.Text("A genetic algorithm breeds the weights of the ten indicators of a move: 30 players, 100 games each against " +
			"random in a generation, 30 generations. The best player then meets random: `heuristic` looks at the move alone, " +
			"`minimax` four plies ahead. The report does not say how its minimax values a line of moves; its text has the last " +
			"move's score, its public program the scores of all moves on the line with alternating signs. Both are here, the " +
			"latter as *minimax along the path*."),
		again(s, "ultimate-2018"),
		report.Heading{Level: 2, Text: "Against random"},
		sharesTable(matches[:tables], played[:tables]),
		report.Text("Published, over 100 games: heuristic 91 won, 5 drawn, 4 lost; random against random 35, 30, 35. Over 200 games: " +
			"minimax 187, 10, 3; heuristic 181, 10, 8; random against random 70, 60, 70."),
		report.Heading{Level: 2, Text: "The players against each other"},
		matchTable("between", "Our addition, after two random plies, each opening from both sides.", matches[tables:], played[tables:]),
		report.Heading{Level: 2, Text: "The genetic run"},
		learningCurves("Share of the games against random that were won, generation by generation.", "generation",
			map[string][]learn.CurvePoint{"": bred.Curve}, []string{"best", "mean"}),
	}}, nil
}

// sharesTable returns a table of matches against a random player, with the share won and its 95 % interval.
func sharesTable(matches []research.Match, played []research.Played) report.Table {
	t := report.Table{
		Name: "random", Caption: fmt.Sprintf("The published shares of games won are %.3f for the heuristic and %.3f for minimax, over 200 games.", publishedHeuristic, publishedMinimax),
		Columns: []string{"player", "games", "won", "drawn", "lost", "share won", "95 %"},
	}
	for i, m := range matches {
		s := played[i]
		lo, hi := stats.Wilson(s.AWins, s.Games)
		t.Add(
			m.A.Name, s.Games, s.AWins, s.Draws, s.BWins,
			fmt.Sprintf("%.3f", float64(s.AWins)/float64(s.Games)), fmt.Sprintf("%.3f to %.3f", lo, hi),
		)
	}
	return t
}

// learningCurves draws the values of learning curves over their steps. If values is not empty, it draws only the curves
// with these names.
func learningCurves(caption, steps string, curves map[string][]learn.CurvePoint, values []string) report.Curves {
	c := report.Curves{Caption: caption, X: steps}
	for _, who := range slices.Sorted(maps.Keys(curves)) {
		for _, value := range values {
			s := report.Series{Name: value}
			if who != "" {
				s.Name = who
				if len(values) > 1 {
					s.Name += ", " + value
				}
			}
			for _, p := range curves[who] {
				if y, ok := p.Values[value]; ok {
					s.X, s.Y = append(s.X, float64(p.Step)), append(s.Y, y)
				}
			}
			if len(s.X) > 0 {
				c.Series = append(c.Series, s)
			}
		}
	}
	return c
}
