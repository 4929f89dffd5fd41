// SPDX-License-Identifier: Apache-2.0

package indicators

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/krow-lab/krow/eval/weights"
)

const (
	heuristic = "indicators" // the name that files of weights bear
	infinite  = "infinite"   // how the weight of Win is written
)

// Save writes a file of weights: {"corner":2,"centre":3,...,"win":"infinite"}.
func (w Weights) Save(name string, o weights.Origin) error {
	if err := w.fit(o.Game); err != nil {
		return err
	}
	table := map[string]any{}
	for i, x := range w {
		table[names[i]] = x
		if math.IsInf(x, 1) {
			table[names[i]] = infinite
		}
	}
	return weights.Save(name, heuristic, o, table)
}

// Load reads the file of that name. Each of the ten indicators of the text must have a weight; the program's two
// may be left out, and then have their default ones.
func Load(name string) (Weights, weights.Origin, error) {
	var table map[string]any
	o, err := weights.Load(name, heuristic, &table)
	if err != nil {
		return Weights{}, o, err
	}
	w, err := read(table)
	if err == nil {
		err = w.fit(o.Game)
	}
	if err != nil {
		return Weights{}, o, fmt.Errorf("%s: %w", name, err)
	}
	return w, o, nil
}

// fit returns an error in one line if these are no weights for ultimate.
func (w Weights) fit(game string) error {
	if family, _, _ := strings.Cut(game, ":"); family != "ultimate" {
		return fmt.Errorf("the weights are for the game %q, not ultimate", game)
	}
	return w.Check()
}

func read(table map[string]any) (Weights, error) {
	w := Default()
	for i := range Indicator(Count) {
		v, ok := table[i.String()]
		delete(table, i.String())
		x, number := v.(float64)
		switch {
		case !ok && i != Block && i != Either:
			return w, fmt.Errorf("no weight of %s", i)
		case !ok || i == Win && v == infinite:
		case !number:
			return w, fmt.Errorf("the weight of %s is no number: %v", i, v)
		default:
			w[i] = x
		}
	}
	if len(table) > 0 {
		return w, fmt.Errorf("there is no indicator %q", slices.Sorted(maps.Keys(table))[0])
	}
	return w, nil
}
