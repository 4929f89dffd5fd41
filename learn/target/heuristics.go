// SPDX-License-Identifier: Apache-2.0

package target

import (
	"errors"
	"fmt"
	"math"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/indicators"
	heuristic "github.com/krow-lab/krow/eval/mics"
	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/alphabeta"
	"github.com/krow-lab/krow/search/greedy"
	"github.com/krow-lab/krow/search/mics"
	"github.com/krow-lab/krow/search/minimax"
)

// Bounds of the parameters.
const (
	// doublings is the number of times that learning can double or halve the initial weight of a threat. It keeps the weights in
	// their valid range.
	doublings    = 10
	maxIndicator = 1000 // greatest change, up or down, of an indicator's weight
	maxBranching = 16   // greatest branching that learning tries, if the initial value is not greater
	maxDepth     = 20   // greatest depth that learning tries, if the initial value is not greater
)

type place struct {
	enemy bool
	kind  threat.Kind
}

// Generic returns the target whose parameters are the weights of the generic threat heuristic: the weights of own and enemy
// threats, except rows of k and closed threats. The weights stay above 0. The player is alpha-beta search to the given depth,
// which scores a finished game by its result. r determines how threats are counted.
func Generic(g game.Game, depth int, r threat.Reading) (*Target, error) {
	k, err := generic.K(g)
	if err != nil {
		return nil, err
	}
	if err := learn.Within("the depth", depth, 1, minimax.MaxDepth); err != nil {
		return nil, err
	}
	fixed := generic.Fixed(k)
	t := &Target{Name: "generic", Game: g, Settings: map[string]any{"depth": depth}}
	// In older versions each of the following settings had one fixed value, so files and states of these versions do not contain
	// the settings. So a setting is written only if it differs from this fixed value.
	if !r.Least {
		t.Settings["gap"] = "exact"
	}
	if r.Uncapped {
		t.Settings["cap"] = "off"
	}
	var places []place
	for side, v := range []generic.Vector{fixed.Own, fixed.Enemy} {
		for kind, start := range v {
			if kind := threat.Kind(kind); kind.Class(k) == threat.HalfOpen || kind.Class(k) == threat.Open {
				name := fmt.Sprintf("%s-%s-%d", [...]string{"own", "enemy"}[side], kind.Class(k), kind.Size())
				t.Params = append(t.Params, Param{Name: name, Start: start, Unit: 2, Log: true, Low: -doublings, High: doublings})
				places = append(places, place{side == 1, kind})
			}
		}
	}
	if len(places) == 0 {
		return nil, fmt.Errorf("the only threat in %s is a row of %d, so there is nothing to learn", g, k)
	}
	fill := func(values []float64) generic.Weights {
		w := generic.Fixed(k)
		w.Reading = r
		for i, at := range places {
			v := w.Own
			if at.enemy {
				v = w.Enemy
			}
			v[at.kind] = values[i]
		}
		return w
	}
	t.evaluator = func(values []float64) (eval.Evaluator, error) { return generic.New(g, fill(values)) }
	t.searcher = func(values []float64) (search.Searcher, search.Limits, error) {
		e, err := t.evaluator(values)
		if err != nil {
			return nil, search.Limits{}, err
		}
		a, err := alphabeta.New(g, alphabeta.Options{
			Depth: depth, Eval: e, Terminal: alphabeta.Exact,
			Deepening: depth > 2, Killer: true, Refutation: true, History: true, PVS: true,
		})
		return a, search.Limits{}, err
	}
	t.save = func(name string, values []float64, o weights.Origin) error { return fill(values).Save(name, o) }
	return t, nil
}

// Indicators returns the target whose parameters are the weights of the indicators of ultimate tic-tac-toe that o.Learned
// returns. The weights that are not learned are 0, except the weight of the indicator Win, which is infinite. The player is
// greedy: it makes the move with the highest score.
func Indicators(g game.Game, o indicators.Options) (*Target, error) {
	if o.Weights != (indicators.Weights{}) {
		return nil, errors.New("the learner learns the weights of the indicators, so they cannot be given")
	}
	if _, err := indicators.New(g, o); err != nil {
		return nil, err
	}
	t := &Target{Name: "indicators", Game: g, Settings: map[string]any{"block": o.Block, "either": o.Either, "ever": o.Ever}}
	learned, start := o.Learned(), indicators.Default()
	for _, i := range learned {
		t.Params = append(t.Params, Param{Name: i.String(), Start: start[i], Unit: 1, Low: -maxIndicator, High: maxIndicator})
	}
	fill := func(values []float64) indicators.Weights {
		var w indicators.Weights
		w[indicators.Win] = math.Inf(1)
		for i, at := range learned {
			w[at] = values[i]
		}
		return w
	}
	scorer := func(values []float64) (*indicators.Scorer, error) {
		o := o
		o.Weights = fill(values)
		return indicators.New(g, o)
	}
	t.evaluator = func(values []float64) (eval.Evaluator, error) { return scorer(values) }
	t.searcher = func(values []float64) (search.Searcher, search.Limits, error) {
		s, err := scorer(values)
		return greedy.New(s), search.Limits{}, err
	}
	t.save = func(name string, values []float64, o weights.Origin) error { return fill(values).Save(name, o) }
	return t, nil
}

// Multipliers returns the target whose parameters are the multipliers of the heuristic mics. The player is mics, which searches
// the given number of nodes for each move. The initial values are the multipliers that the player uses by default.
func Multipliers(g game.Game, nodes uint64) (*Target, error) {
	if nodes == 0 {
		return nil, errNodes
	}
	if _, err := mics.New(g, mics.Options{}); err != nil {
		return nil, err
	}
	d := mics.Multipliers(g)
	factor := func(name string, start, least, most float64) Param {
		return Param{Name: name, Start: start, Unit: math.Sqrt2, Log: true, Low: 2 * math.Log2(least/start), High: 2 * math.Log2(most/start)}
	}
	t := &Target{Name: "multipliers", Game: g, Settings: map[string]any{"nodes": nodes}, Params: []Param{
		factor("my-cell", d.MyCell, 1.0/64, heuristic.MaxMyCell), factor("adjacent", d.Adjacent, 1.0/8, heuristic.MaxAdjacent),
		factor("growth", d.Growth, 1, heuristic.MaxGrowth),
	}}
	fill := func(values []float64) heuristic.Multipliers {
		return heuristic.Multipliers{ // clamped, because rounding may move a value slightly beyond its bounds
			MyCell: min(values[0], heuristic.MaxMyCell), Adjacent: min(values[1], heuristic.MaxAdjacent),
			Growth: min(max(values[2], 1), heuristic.MaxGrowth),
		}
	}
	t.evaluator = func(values []float64) (eval.Evaluator, error) { return heuristic.New(g, fill(values)) }
	t.searcher = func(values []float64) (search.Searcher, search.Limits, error) {
		s, err := mics.New(g, mics.Options{Eval: fill(values), Nodes: nodes})
		return s, search.Limits{Nodes: nodes}, err
	}
	t.save = func(name string, values []float64, o weights.Origin) error { return fill(values).Save(name, o) }
	return t, nil
}

var errNodes = errors.New("mics is learned with a number of nodes for each move")

// MICS returns the target whose parameters are the branching and the depth of the player mics, which searches the given number
// of nodes for each move. The initial values are the branching and the depth that the player uses by default.
func MICS(g game.Game, nodes uint64) (*Target, error) {
	if nodes == 0 {
		return nil, errNodes
	}
	own, err := mics.Plan(g, nodes)
	if err != nil {
		return nil, err
	}
	param := func(name string, start, top int) Param {
		x := float64(start)
		return Param{Name: name, Start: x, Unit: 1, Whole: true, Low: 1 - x, High: max(float64(top)-x, 0)}
	}
	t := &Target{Name: "mics", Game: g, Settings: map[string]any{"nodes": nodes}, Params: []Param{
		param("branching", own.Branching, maxBranching), param("depth", own.Depth, maxDepth),
	}}
	t.searcher = func(values []float64) (search.Searcher, search.Limits, error) {
		s, err := mics.New(g, mics.Options{Branching: int(values[0]), Depth: int(values[1]), Nodes: nodes})
		return s, search.Limits{Nodes: nodes}, err
	}
	t.save = func(name string, values []float64, o weights.Origin) error {
		return mics.Weights{Branching: int(values[0]), Depth: int(values[1])}.Save(name, o)
	}
	return t, nil
}

// botUnits is the difference between the upper and the lower bound of the coordinate of a bot's parameter.
const botUnits = 10

// botSeed is the seed of a bot's random choices while its parameters are learned.
const botSeed = 1

// Program returns the target whose parameters are declared by p, the program of a bot. The player is the program, limited to
// a number of steps for each move. The settings contain a hash of the program, so that learning cannot be resumed with a
// different program.
func Program(g game.Game, p player.Program, steps uint64) (*Target, error) {
	declared, err := p.Declare(g)
	if err != nil {
		return nil, err
	}
	if len(declared) == 0 {
		return nil, fmt.Errorf("%s declares no parameter, such as param(\"weight\", 1, 0, 10)", p.Name())
	}
	t := &Target{Name: "bot", Game: g, Settings: map[string]any{"bot": p.Name(), "program": p.Hash()[:16], "steps": steps}}
	for _, q := range declared {
		unit := (q.High - q.Low) / botUnits
		if unit <= 0 {
			return nil, fmt.Errorf("%s: the parameter %s has one value only", p.Name(), q.Name)
		}
		t.Params = append(t.Params, Param{
			Name: q.Name, Start: q.Default, Unit: unit, Low: (q.Low - q.Default) / unit, High: (q.High - q.Default) / unit,
		})
	}
	named := func(values []float64) map[string]float64 {
		all := map[string]float64{}
		for i, q := range declared {
			all[q.Name] = min(max(values[i], q.Low), q.High) // clamped, because rounding may move a value slightly beyond its bounds
		}
		return all
	}
	t.player = func(values []float64) (player.Player, error) {
		return p.Open(g, player.ProgramOptions{Seed: botSeed, Params: named(values), Steps: steps})
	}
	t.evaluator = func([]float64) (eval.Evaluator, error) {
		return nil, fmt.Errorf("%s is a bot, not a heuristic", p.Name())
	}
	t.save = func(name string, values []float64, o weights.Origin) error {
		return weights.Save(name, "bot", o, named(values))
	}
	return t, nil
}
