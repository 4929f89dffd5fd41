// SPDX-License-Identifier: Apache-2.0

package indicators

import (
	_ "embed"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/krow-lab/krow/eval/weights"
)

// Indicator is one of the questions about a move.
type Indicator uint8

// The indicators: ten of the text, and two that stand in the authors' program alone.
const (
	Corner      Indicator = iota // is the cell a corner of its small board?
	Centre                       // is it the centre?
	Edge                         // is it neither?
	OwnStones                    // how many stones has the mover in the board sent to?
	EnemyStones                  // how many has the opponent there?
	Decided                      // is that board won or full?
	Empty                        // is it empty?
	EnemyCanWin                  // can the opponent win it?
	Capture                      // does the move win its small board?
	Win                          // does it win the game?
	Block                        // the program's: does it take a cell with which the opponent would win the small board?
	Either                       // the program's: can either side win the board sent to?

	Count = 12 // of indicators
)

var names = [Count]string{
	"corner", "centre", "edge", "own-stones", "enemy-stones", "decided", "empty", "enemy-can-win", "capture",
	"win", "block", "either-can-win",
}

// String returns the name, such as "own-stones".
func (i Indicator) String() string { return names[i] }

// place gives each cell of a small board its indicator.
var place = [9]Indicator{
	Corner, Edge, Corner,
	Edge, Centre, Edge,
	Corner, Edge, Corner,
}

// Vector holds the values of the indicators for one move.
type Vector [Count]int8

// Weights are the weights of the indicators. The weight of Win is infinite; the weights of Block and Either count
// only if Options ask for them.
type Weights [Count]float64

// MaxWeight is the greatest weight, except the weight of Win.
const MaxWeight = 1e6

// Default returns the weights that the authors set by hand: 3, 2, 1, ..., 1 and infinity.
func Default() Weights {
	var w Weights
	for i := range w {
		w[i] = 1
	}
	w[Centre], w[Corner], w[Win] = 3, 2, math.Inf(1)
	return w
}

// Signed returns the hand-set weights with the signs of the text's prose: positive if an indicator is in the mover's favour, negative
// if not. The printed weights, Default, have no negative one. The text does not name the negative weights. Here they are the
// opponent's stones in the board sent to, a win that the opponent has there, and a decided board, which gives the opponent a free
// choice.
func Signed() Weights {
	w := Default()
	w[EnemyStones], w[EnemyCanWin], w[Decided] = -1, -1, -1
	return w
}

// checkWeights returns an error if there is a weight that cannot be used.
func (w Weights) checkWeights() error {
	for i, x := range w {
		switch {
		case Indicator(i) == Win:
			if !math.IsInf(x, 1) {
				return fmt.Errorf("the weight of a won game is infinite, not %g", x)
			}
		case math.IsNaN(x) || math.Abs(x) > MaxWeight:
			return fmt.Errorf("the weight of %s must be a number from %g to %g, not %g", Indicator(i), -MaxWeight, MaxWeight, x)
		}
	}
	return nil
}

const (
	heuristic = "indicators" // the name of the heuristic in files of weights
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
	var w Weights
	o, err := weights.Load(name, heuristic, &table, func(o weights.Origin) (err error) {
		if w, err = read(table); err == nil {
			err = w.fit(o.Game)
		}
		return err
	})
	return w, o, err
}

// fit returns an error if these are no weights for ultimate.
func (w Weights) fit(game string) error {
	if family, _, _ := strings.Cut(game, ":"); family != "ultimate" {
		return fmt.Errorf("the weights are for the game %q, not ultimate", game)
	}
	return w.checkWeights()
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

// bredFile was made on 2026-11-22 by `make bred`, which is
//
//	krow learn genetic ultimate --seed 1 --out eval/indicators/bred.json
//
//go:embed bred.json
var bredFile []byte

var bred = sync.OnceValues(func() (Weights, error) {
	var table map[string]any
	if _, err := weights.Decode(bredFile, heuristic, &table); err != nil {
		return Weights{}, err
	}
	return read(table)
})

// Bred returns the weights of the players that the authors deliver: bred by their genetic algorithm, in 90,000 games
// against random. They are for the ten indicators of the text, so the weights of Block and Either are 0.
func Bred() Weights {
	w, err := bred()
	if err != nil {
		panic("the built-in weights of the indicators: " + err.Error())
	}
	return w
}
