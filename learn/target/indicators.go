// SPDX-License-Identifier: Apache-2.0

package target

import (
	"errors"

	"github.com/krow-lab/krow/eval/indicators"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/greedy"
)

// maxIndicator bounds the weight of an indicator: its coordinate too.
const maxIndicator = 1000

// Indicators returns the weights of the indicators of ultimate tic-tac-toe, but for that of a won game and those
// that o does not ask for. The player is greedy.
func Indicators(g game.Game, o indicators.Options) (*Target, error) {
	if o.Weights != (indicators.Weights{}) {
		return nil, errors.New("the weights of the indicators are learned, not given")
	}
	if _, err := indicators.New(g, o); err != nil {
		return nil, err
	}
	t := &Target{Name: "indicators", Game: g, Settings: map[string]any{"block": o.Block, "either": o.Either, "ever": o.Ever}}
	start := indicators.Default()
	var places []indicators.Indicator
	for i := range indicators.Indicator(indicators.Count) {
		if i == indicators.Win || i == indicators.Block && !o.Block || i == indicators.Either && !o.Either {
			continue
		}
		t.Params = append(t.Params, Param{Name: i.String(), Start: start[i], Unit: 1, Low: -maxIndicator, High: maxIndicator})
		places = append(places, i)
	}
	fill := func(values []float64) indicators.Weights {
		w := indicators.Default()
		for i, at := range places {
			w[at] = values[i]
		}
		return w
	}
	t.player = func(values []float64) (player.Player, error) {
		o := o
		o.Weights = fill(values)
		s, err := indicators.New(g, o)
		if err != nil {
			return nil, err
		}
		return player.FromSearcher("greedy", greedy.New(s), search.Limits{}), nil
	}
	t.save = func(name string, values []float64, o weights.Origin) error { return fill(values).Save(name, o) }
	return t, nil
}
